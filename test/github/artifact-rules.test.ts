import { describe, expect, test } from "vitest";
import { allowedRetentionDays } from "../../src/github/artifact-rules.ts";
import { createRecordingLog } from "../support/recording-log.ts";

describe("allowedRetentionDays", () => {
  test.each([
    ["nothing where nothing was asked for", undefined, "7", undefined],
    ["a day", 1, "90", 1],
    ["as many days as the repository allows", 7, "7", 7],
    ["no more days than the repository allows", 8, "7", 7],
    ["what was asked for where the runner names no limit", 80, undefined, 80],
    ["what was asked for where the limit is zero, which is none", 80, "0", 80],
    ["what was asked for where the limit is no number", 80, "many", 80],
  ])("asks for %s", (_name, days, limit, expected) => {
    const log = createRecordingLog();

    expect(allowedRetentionDays(days, { GITHUB_RETENTION_DAYS: limit }, log)).toBe(expected);
    expect(log.lines).toHaveLength(expected === days ? 0 : 1);
  });

  test("says what the repository allows", () => {
    const log = createRecordingLog();
    allowedRetentionDays(3, { GITHUB_RETENTION_DAYS: "1" }, log);

    expect(log.lines).toStrictEqual([expect.stringContaining("the artifact is kept for 1 day.")]);
  });
});
