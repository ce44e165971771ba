import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { benchmarks, renderReport, replaceSection } from "../../bench/report.ts";

const existing = benchmarks.filter((name) => existsSync(`bench/${name}.ts`));

describe("the page of benchmarks", () => {
  test("has a section with its command for each benchmark, in their order", async () => {
    const page = await readFile("docs/benchmarks.md", "utf8");
    const sections = page.split(/^## /m).slice(1);
    const titles: string[] = [];
    for (const name of existing) {
      const [, title] =
        /^export const title = "(.+)";$/m.exec(await readFile(`bench/${name}.ts`, "utf8")) ?? [];
      if (title === undefined) continue;
      titles.push(title);
      expect(sections.find((text) => text.startsWith(`${title}\n`))).toContain(`\`npm run bench -- ${name}`);
    }
    expect(sections.map((text) => text.split("\n")[0])).toEqual(titles);
  });

  test("shows a report as its command, its words and its tables", () => {
    const table = { caption: "Polls.", columns: ["schedule", "polls"], rows: [["every 5 s | 10 s", 12]] };
    const report = { intro: "How often.", tables: [table] };
    expect(renderReport(report, "npm run bench -- waiting", "2026-01-31, Node v24")).toMatchInlineSnapshot(`
      "\`npm run bench -- waiting\`, 2026-01-31, Node v24.

      How often.

      Polls.

      | schedule          | polls |
      | ----------------- | ----: |
      | every 5 s \\| 10 s |    12 |"
    `);
  });

  test("gets one section written again without a change to the others", () => {
    const page = "# Page\n\n## One\n\nold\n\n## Two\n\nkept\n";
    expect(replaceSection(page, "One", "new")).toBe("# Page\n\n## One\n\nnew\n\n## Two\n\nkept\n");
    expect(replaceSection(page, "Two", "new")).toBe("# Page\n\n## One\n\nold\n\n## Two\n\nnew\n");
    expect(() => replaceSection(page, "Three", "new")).toThrow("no heading “Three”");
  });
});
