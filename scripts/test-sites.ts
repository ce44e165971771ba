/**
 * `npm run test:sites -- DIR …`: exports whole documentation sites, opens pages of each from disk in a browser, and compares them with
 * their sources. Prints one row for each site as docs/exported-site.md has it, and every problem; fails when there is one.
 */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, posix } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import { decodePercent } from "../src/base/text.ts";
import type { Warning } from "../src/server/site/report.ts";
import { renderInto } from "../test/server/site/render-files.ts";
import { findBrowser, startBrowser, type TestBrowser } from "../test/support/browser.ts";

/** Pages of a site that are opened. */
const opened = Number(process.env["PAGES"] ?? 50);
/** Words of a source that may be missing on its page without being a problem: what the syntax around them says. */
const mostMissing = 0.02;

interface Problem {
  readonly page: string;
  readonly message: string;
}

const found = await findBrowser();
if (found.kind === "none") throw new Error(found.reason);
await using browser = await startBrowser(found);
let failed = false;
for (const dir of process.argv.slice(2)) {
  const out = await mkdtemp(join(tmpdir(), "site-"));
  try {
    const started = performance.now();
    const site = await renderInto({ docsDir: dir, outDir: out }, new AbortController().signal);
    const seconds = (performance.now() - started) / 1000;
    const dead = await findDeadLinks(out, site.warnings);
    const seen = await openPages(browser, dir, out, site.pages, site.warnings);
    const problems = [...dead, ...seen];
    for (const { page, message } of problems) console.log(`${page}: ${message}`);
    const kinds = Map.groupBy(site.warnings, ({ kind }) => kind);
    const warnings = [...kinds].map(([kind, { length }]) => `${kind} ${length}`).join(", ");
    const rate = (site.pageCount / seconds).toFixed(0);
    console.log(
      `| ${[basename(dir), site.pageCount, rate, warnings, Math.min(opened, site.pageCount), problems.length].join(" | ")} |`,
    );
    failed ||= problems.length > 0;
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}
process.exitCode = failed ? 1 : 0;

/** Links and sources of every page that lead to no file or section of the export, and are not in its report. */
async function findDeadLinks(out: string, warnings: readonly Warning[]): Promise<Problem[]> {
  const files = new Set((await readdir(out, { recursive: true })).map((path) => path.replaceAll("\\", "/")));
  const ids = new Map<string, ReadonlySet<string>>();
  const links: { page: string; target: string }[] = [];
  for (const page of [...files].filter((file) => file.endsWith(".html"))) {
    const html = await readFile(join(out, page), "utf8");
    ids.set(page, new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => decodeEntities(id ?? ""))));
    for (const [, target = ""] of html.matchAll(/<[a-z][^>]*?\s(?:href|src)="([^"]*)"/g))
      if (!/^(?:https?:|mailto:|tel:|data:image\/)/.test(target))
        links.push({ page, target: decodeEntities(target) });
  }
  const reported = warnings
    .filter(({ kind }) => kind === "link")
    .map(({ message }) => decodePercent(message));
  const isReported = (fragment: string) => reported.some((message) => message.includes(`#${fragment}`));
  return links.flatMap(({ page, target }) => {
    const [, path = "", fragment = ""] = /^([^#]*)#?(.*)$/s.exec(target)?.map(decodeURIComponent) ?? [];
    const file = path === "" ? page : posix.join(posix.dirname(page), path);
    if (!files.has(file)) return [{ page, message: `${target} leads to no file` }];
    const isThere = fragment === "" || !file.endsWith(".html") || ids.get(file)?.has(fragment);
    return isThere || isReported(fragment) ? [] : [{ page, message: `${target} leads to no section` }];
  });
}

function decodeEntities(text: string): string {
  return text
    .replace(/&#x([\da-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

/** Opens pages from all over the site. */
async function openPages(
  { openPage }: TestBrowser,
  dir: string,
  out: string,
  pages: readonly string[],
  warnings: readonly Warning[],
): Promise<Problem[]> {
  const step = Math.max(1, pages.length / opened);
  const sample = pages.filter((_, at) => Math.floor(at / step) > Math.floor((at - 1) / step));
  const problems: Problem[] = [];
  for (const path of sample) {
    await using observed = await openPage({ colorScheme: problems.length % 2 === 0 ? "light" : "dark" });
    const { page, complaints, foreignRequests } = observed;
    const report = (message: string) => void problems.push({ page: path, message });
    await page.goto(pathToFileURL(join(out, path)).href);
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate<axe.AxeResults>("axe.run({ preload: false })");
    // Once with the words of two elements apart, and once as they are: a highlighter cuts words.
    const text = await page.evaluate<string>(`(() => {
      const main = document.querySelector("main");
      const texts = [document.title, main.textContent, ...[...main.querySelectorAll("[alt]")].map(({ alt }) => alt)];
      const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) texts.push(walker.currentNode.data);
      return texts.join(" ");
    })()`);
    const ids = await page.evaluate<string[]>("[...document.querySelectorAll('[id]')].map(({ id }) => id)");
    const duplicateIds = ids.filter((id, at) => ids.indexOf(id) !== at);
    const messages = [
      ...complaints.map((complaint) => `console: ${complaint}`),
      ...foreignRequests.map((address) => `asks for ${address}`),
      ...duplicateIds.map((id) => `two elements have the id ${id}`),
      ...violations.map(({ id, nodes }) => `axe: ${id} (${nodes.length}): ${nodes[0]?.html.slice(0, 160)}`),
    ];
    for (const message of messages) report(message);
    const missing = await missingWords(dir, path, text);
    if (
      missing !== undefined &&
      !warnings.some(
        ({ page: source, kind }) => sourceOf(source) === path.replace(/\.html$/, "") && kind !== "link",
      )
    )
      report(missing);
  }
  return problems;
}

function sourceOf(source: string): string {
  return source.replace(/\.mdx?$/, "");
}

/** Says which words of a source its page does not have, if they are many. */
async function missingWords(dir: string, path: string, text: string): Promise<string | undefined> {
  const name = path.replace(/\.html$/, "");
  const sources = await Promise.all(
    [".mdx", ".md"].map((extension) => readFile(join(dir, name + extension), "utf8").catch(() => undefined)),
  );
  const source = sources.find((file) => file !== undefined);
  if (source === undefined) return undefined;
  const prose = source
    .replaceAll("\r\n", "\n")
    .replace(/^---\n[\s\S]*?\n---(?:\n|$)/, "")
    .replace(/<Visibility for="agents">[\s\S]*?<\/Visibility>/g, "")
    .replace(/^(?:import|export) [\s\S]*?(?:\n[ \t]*\n|$(?![\s\S]))/gm, "")
    .replace(/\{\/\*[\s\S]*?\*\/\}|<!--[\s\S]*?-->/g, "")
    .replace(/```mermaid[\s\S]*?```/g, "")
    .replace(/^(\s*```\w*).*$/gm, "")
    .replace(/^\[[^\]]+\]: .*$/gm, "")
    .replace(/<\/?[A-Za-z](?:"[^"]*"|'[^']*'|\{[^}]*\}|[^>])*>/g, " ")
    .replace(/\]\((?:[^()]|\([^()]*\))*\)|https?:\/\/\S+|\{[^}]*\}|:[\w-]+:/g, " ");
  const words = new Set(prose.match(/[\p{L}\p{N}]{4,}/gu) ?? []);
  const shown = new Set(text.match(/[\p{L}\p{N}]{4,}/gu) ?? []);
  const missing = [...words].filter((word) => !shown.has(word));
  return missing.length > 3 && missing.length > mostMissing * words.size
    ? `${missing.length} of ${words.size} words are missing: ${missing.slice(0, 8).join(", ")}`
    : undefined;
}
