import { describe, expect, test } from "vitest";
import { classifyApiKey } from "../../src/client/api-key.ts";
import { AgentJob, ExportJob } from "../../src/client/contract.ts";

describe("an agent job", () => {
  test("is read with its status trimmed", () => {
    expect(AgentJob.parse({ id: "job-1", status: " failed\n" })).toStrictEqual({
      id: "job-1",
      status: "failed",
    });
  });

  test.each([
    ["a number", 42, "42"],
    ["more than one word", "a\n::error::b", undefined],
    ["a step up the path", "..", undefined],
    ["longer than any identifier", "x".repeat(10_000), undefined],
  ])("rejects an identifier that is unsafe in a path: %s", (_, id, read) => {
    expect(AgentJob.parse({ id }).id).toBe(read);
  });
});

test("an export job is read without missing fields", () => {
  const job = { jobId: "se_1", status: "queued" };

  expect(ExportJob.parse(job)).toStrictEqual(job);
  expect(ExportJob.parse({ ...job, progress: [7] })).toStrictEqual({ ...job, progress: undefined });
});

describe("classifyApiKey", () => {
  test.each([
    ["svc_abc123", "admin"],
    ["svc_dsc_abc123", "assistant"],
    ["mint_abc", "admin"],
    ["mint_dsc_abc", "assistant"],
    ["SVC_DSC_abc", "assistant"],
    ["svc_dscabc", "admin"],
    ["sk-abc", "unknown"],
    ["svc_", "unknown"],
    ["Bearer svc_abc", "unknown"],
    ["svc_abc\nx", "unknown"],
    ["", "unknown"],
  ])("classifies %j as %s", (key, kind) => {
    expect(classifyApiKey(key)).toBe(kind);
  });
});
