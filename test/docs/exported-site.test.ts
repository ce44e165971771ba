import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { componentNamesByLowerCase } from "../../src/server/site/content/components.ts";
import { renderFiles } from "../server/site/render-files.ts";
import { takeBlock } from "../support/page-blocks.ts";

const page = new URL("../../docs/exported-site.md", import.meta.url);

test("the page on the exported site lists every component, and no other", async () => {
  const text = await readFile(page, "utf8");
  const [, table = ""] = /<!-- components -->([\s\S]*?)<!-- end -->/.exec(text) ?? [];
  const listed = [...table.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  const known = [...componentNamesByLowerCase.values()];
  expect(listed.toSorted()).toEqual(known.toSorted());
});

test("the page on the exported site states how many brands have an icon", async () => {
  const brands = await readFile(new URL("../../scripts/brand-icons.txt", import.meta.url), "utf8");
  expect(await readFile(page, "utf8")).toContain(` for ${brands.trim().split("\n").length} brands`);
});

test("the page on the exported site shows a report as the exporter writes it", async () => {
  const shown = JSON.parse(takeBlock("docs/exported-site.md#warnings"));
  const [{ page, line, message }] = shown.warnings;
  const [, target = ""] = /the link (\S+)/.exec(message) ?? [];
  const before = ["---", "title: Start", "---", ...Array.from({ length: line - 4 }, () => "")];
  const others = Array.from({ length: shown.pageCount - 1 }, (_, index) => [
    `${index}.md`,
    `# Page ${index}\n`,
  ]);
  await using site = await renderFiles({
    ...Object.fromEntries(others),
    [page]: [...before, `[Gone](${target})`, ""].join("\n"),
  });
  expect(JSON.parse(await site.read("export-report.json"))).toEqual(shown);
});
