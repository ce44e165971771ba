/** Checks that every relative link in the repository's Markdown leads to a file, and every fragment to a heading. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import GithubSlugger from "github-slugger";

const root = fileURLToPath(new URL("..", import.meta.url));
const pages = globSync(["*.md", "docs/**/*.md", "examples/**/*.md"], { cwd: root }).sort();
const problems = pages.flatMap(checkPage);
for (const problem of problems) console.error(problem);
console.log(`${pages.length} pages checked for links, ${problems.length} problems.`);
process.exitCode = problems.length === 0 ? 0 : 1;

function checkPage(page: string): string[] {
  const text = withoutCode(readFileSync(join(root, page), "utf8"));
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? "");
  return targets
    .filter((target) => !/^[a-z][a-z0-9+.-]*:/i.test(target))
    .flatMap((target) => checkTarget(page, target));
}

function checkTarget(page: string, target: string): string[] {
  const [path = "", fragment] = target.split("#");
  const file = path === "" ? page : relative(root, join(root, dirname(page), path));
  if (!existsSync(join(root, file))) return [`${page}: ${target} leads to no file`];
  if (fragment === undefined || !file.endsWith(".md")) return [];
  return headingsOf(file).includes(fragment) ? [] : [`${page}: ${target} leads to no heading`];
}

function headingsOf(file: string): string[] {
  const slugger = new GithubSlugger();
  const text = withoutCode(readFileSync(join(root, file), "utf8"));
  return [...text.matchAll(/^#{1,6} (.+)$/gm)].map((match) => slugger.slug(match[1] ?? ""));
}

function withoutCode(text: string): string {
  return text.replace(/^(```|~~~)[\s\S]*?^\1/gm, "").replace(/`[^`\n]*`/g, "code");
}
