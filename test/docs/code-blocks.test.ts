/**
 * Every code block of the documentation is run, read or compared by a test, which takes it from the page (`takeBlock`); this test knows
 * which. Blocks for workflows are linted by `npm run check`, as the examples are.
 */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readWorkflows } from "../../scripts/lint-workflows.ts";
import { describeProgress } from "../../src/bundle/download-attempt.ts";
import { listPages, readBlocks, takeBlock } from "../support/page-blocks.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const tests = globSync(["test/**/*.test.ts", "scripts/test-image.ts"], {
  cwd: root,
  exclude: ["**/node_modules/**"],
});
const sources = tests.map((path) => readFileSync(`${root}${path}`, "utf8"));

/** What the tests take, by the literals in their sources. */
function takenIn(pattern: RegExp): Set<string> {
  const found = sources.flatMap((source) => [...source.matchAll(pattern)]);
  return new Set(found.map(([, ...names]) => names.join(" ")));
}

const takenBlocks = takenIn(/\btakeBlock\(\s*"([^"]+)"/g);
const takenPages = takenIn(/\btakeBlocksOf\(\s*"([^"]+)",\s*"([^"]+)"/g);
const blocks = listPages().flatMap(readBlocks);

describe("a code block of the documentation", () => {
  test("is taken by a test, or is part of a workflow that is linted", async () => {
    const linted = new Set((await readWorkflows()).map(({ name }) => name));
    const untested = blocks.filter(
      ({ id, page, line, language }) =>
        !takenBlocks.has(id) && !takenPages.has(`${page} ${language}`) && !linted.has(`${page}:${line}`),
    );
    expect(untested.map(({ id, page, line }) => `${page}:${line} (${id})`)).toEqual([]);
  });

  test("names its language", () => {
    expect(blocks.filter(({ language }) => language === "").map(({ id }) => id)).toEqual([]);
  });

  test("exists if a test takes it", () => {
    const known = new Set(blocks.map(({ id }) => id));
    const pages = new Set(blocks.map(({ page, language }) => `${page} ${language}`));
    expect([...takenBlocks].filter((id) => !known.has(id))).toEqual([]);
    expect([...takenPages].filter((page) => !pages.has(page))).toEqual([]);
  });
});

test("docs/bundles.md shows a line of progress as it is logged", () => {
  expect(takeBlock("docs/bundles.md#progress")).toBe(`${describeProgress(210e6, 500e6, 52.5e6)}\n`);
});

test("docs/platform-cluster.md shows a rule that prometheus-adapter reads, for a figure that the platform reports", async () => {
  const { rules, ...rest } = parse(takeBlock("docs/platform-cluster.md#scaling"));
  const [rule, ...others] = rules.external;
  expect({ rest, others }).toEqual({ rest: {}, others: [] });
  expect(Object.keys(rule).sort()).toEqual(["metricsQuery", "resources", "seriesQuery"]);
  expect(rule.resources).toEqual({ overrides: { namespace: { resource: "namespace" } } });
  expect(rule.metricsQuery).toBe("max(<<.Series>>{<<.LabelMatchers>>})");
  const metrics = readFileSync(`${root}src/server/cluster/metrics.ts`, "utf8");
  expect(metrics).toContain(`name: "${rule.seriesQuery}"`);
});
