/** Every request costs: of a limit that a whole repository shares, and a round trip. */
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { countedRuns } from "../support/counted-runs.ts";

describe.each(Object.entries(countedRuns))("the requests of %s", (_command, runs) => {
  test.each(runs)("are $counts to GitHub and to the platform: $event", async ({ counts, run }) => {
    const { github, platform, visibleText } = await run();
    const sent = [...github, "", ...platform, "", visibleText].join("\n");
    expect([github.length, platform.length], sent).toEqual(counts);
  });
});

test("the page of benchmarks shows these counts", async () => {
  const page = await readFile("docs/benchmarks.md", "utf8");
  const rows = page.split("\n").map((line) =>
    line
      .split("|")
      .map((cell) => cell.trim())
      .join("|"),
  );
  for (const [command, runs] of Object.entries(countedRuns))
    for (const { event, counts } of runs)
      expect(rows).toContain(`|${command}: ${event}|${counts.join("|")}|`);
});
