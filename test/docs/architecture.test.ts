/** Keeps `docs/architecture.md` true: its modules exist, import each other as drawn, and the folders go one way. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { takeBlock } from "../support/page-blocks.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(join(root, "docs/architecture.md"), "utf8");
const diagram = takeBlock("docs/architecture.md#six-flows");
const sources = globSync("src/**/*.ts", { cwd: root }).map((path) => path.replaceAll("\\", "/"));

/** Modules that a source imports, by their paths below `src`; types are erased, so `withTypes` says whether they count. */
function importsOf(module: string, { withTypes }: { readonly withTypes: boolean }): string[] {
  const source = readFileSync(join(root, "src", module), "utf8");
  const found = source.matchAll(
    /^(?:import|export)\b([^;"]*?)"(\.[^"]+)"|\bimport\(\s*(?:\/\*[^*]*\*\/\s*)?"(\.[^"]+)"/gm,
  );
  return [...found]
    .filter(([, clause = ""]) => withTypes || !/^\s+type\b/.test(clause))
    .map(([, , fixed, lazy]) => posix.join(posix.dirname(module), fixed ?? lazy ?? ""));
}

/** The first folder below `src` that a module is in; the entries are in none. */
function folderOf(module: string): string | undefined {
  return module.includes("/") ? module.split("/")[0] : undefined;
}

/** The diagram's six flows: their modules in order, and the pairs that an arrow joins. */
const flows = diagram
  .split(/^ {2}subgraph /m)
  .slice(1)
  .map((text) => {
    const modules = new Map(
      [...text.matchAll(/(\w+)\["([^"]+\.ts)"\]/g)].map(([, id = "", path = ""]) => [id, path]),
    );
    const arrows = text.split("\n").flatMap((line) => {
      const ids = line.split("-->").map((part) => /^\s*(\w+)/.exec(part)?.[1] ?? "");
      return ids.slice(1).map((to, index) => [modules.get(ids[index] ?? ""), modules.get(to)] as const);
    });
    return { title: /"(.*?)"/.exec(text)?.[1] ?? "", modules: [...modules.values()], arrows };
  });

/** Every import from one folder to another. */
const directions = new Map<string, Set<string>>();
for (const module of sources.map((path) => path.slice("src/".length))) {
  const from = folderOf(module) ?? module;
  const to = importsOf(module, { withTypes: true }).map(folderOf);
  const others = to.filter((folder) => folder !== undefined && folder !== from);
  directions.set(from, (directions.get(from) ?? new Set()).union(new Set(others)) as Set<string>);
}

describe("the page on the architecture", () => {
  test("draws six flows of at most a dozen modules", () => {
    expect(flows.map(({ modules }) => modules.length <= 12)).toEqual(Array(6).fill(true));
  });

  test.each(flows)("$title: every module exists, and imports the next one", ({ modules, arrows }) => {
    expect(modules.filter((path) => !existsSync(join(root, "src", path)))).toEqual([]);
    expect(arrows.length).toBeGreaterThanOrEqual(modules.length - 1);
    const missing = arrows.filter(
      ([from, to]) => !importsOf(from ?? "", { withTypes: false }).includes(to ?? ""),
    );
    expect(missing).toEqual([]);
  });

  test.each(flows)("$title: a sentence tells what each module does", ({ title, modules }) => {
    const [, section = ""] = page.split(`\n### ${title}\n`);
    const listed = [...(section.split("\n### ", 1)[0]?.matchAll(/^\d+\. `([^`]+)` \S.*\.$/gm) ?? [])];
    expect(listed.map(([, path]) => path)).toEqual(modules);
  });

  test("lists every folder, and exactly the folders that it imports", () => {
    const rows = [...page.matchAll(/^\| `([\w-]+)(?:\/|\.ts)` \| .* \| (.*) \|$/gm)];
    const listed = rows.map(([, folder = "", names = ""]) => [
      folder,
      [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort(),
    ]);
    const actual = [...directions]
      .filter(([from]) => from !== "post.ts")
      .map(([from, to]) => [from.replace(".ts", ""), [...to].sort()]);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(actual));
  });
});

test("no two folders import each other", () => {
  const pairs = [...directions].flatMap(([from, to]) => [...to].map((other) => [from, other] as const));
  expect(pairs.filter(([from, to]) => directions.get(to)?.has(from))).toEqual([]);
});
