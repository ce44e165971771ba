import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  AgentJob,
  CreateAgentJobRequest,
  ExportBundle,
  ExportJob,
  StartExportRequest,
} from "../../src/client/contract.ts";

describe("an agent job", () => {
  test("is read with its status trimmed", () => {
    expect(AgentJob.parse({ id: "job-1", status: " failed\n" })).toStrictEqual({
      id: "job-1",
      status: "failed",
    });
  });

  test("is read with a status of one short line", () => {
    const status = `odd\n::error::b${"x".repeat(1_000_000)}`;
    for (const job of [AgentJob.parse({ status }), ExportJob.parse({ status })])
      expect(job.status).toMatch(/^odd ::error::bx{85}…$/);
  });

  test.each([
    ["a number", 42, "42"],
    ["more than one word", "a\n::error::b", undefined],
    ["a step up the path", "..", undefined],
    ["longer than any identifier", "x".repeat(10_000), undefined],
  ])("rejects an identifier that is unsafe in a path: %s", (_, id, read) => {
    expect(AgentJob.parse({ id }).id).toBe(read);
  });

  test.each(["job", "data"])("is read from the envelope `%s`", (field) => {
    const job = { id: "job-1", status: "completed", prLink: null };
    expect(AgentJob.parse({ [field]: job })).toEqual(job);
    expect(AgentJob.parse({ status: "success", [field]: job })).toEqual(job);
  });

  test("is not replaced by what one of its own fields holds", () => {
    const job = { id: "job-1", job: { id: "job-2", status: "failed" }, data: { status: "failed" } };
    expect(AgentJob.parse(job)).toEqual(job);
    expect(AgentJob.parse({ status: "active", job: { status: "failed" } }).status).toBe("active");
  });

  test.each([{}, { job: null }, { data: [] }, { job: "job-1" }])("without fields in %j has none", (body) => {
    expect(AgentJob.parse(body).id).toBeUndefined();
  });
});

test("an export job is read without missing fields", () => {
  const job = { jobId: "se_1", status: "queued" };

  expect(ExportJob.parse(job)).toStrictEqual(job);
  expect(ExportJob.parse({ ...job, status: " queued\n" })).toStrictEqual(job);
  expect(ExportJob.parse({ ...job, progress: [7] })).toStrictEqual({ ...job, progress: undefined });
});

test.each([
  [42, 42],
  ["42", 42],
  [" 42.5 % ", 42.5],
  [0, 0],
  [-0.5, undefined],
  ["-1", undefined],
  ["soon", undefined],
  [100, 100],
  [100.5, undefined],
  [{ percent: 7 }, undefined],
])("progress %j is read as %s percent", (progress, percent) => {
  expect(ExportJob.parse({ progress }).progress).toBe(percent);
});

test("a progress may have many spaces", () => {
  expect(ExportJob.parse({ progress: `0${" ".repeat(400_000)}x` }).progress).toBeUndefined();
});

test.each([
  [120, 120],
  ["120", 120],
  [1.5, undefined],
  ["", undefined],
])("a page count of %j is read as %s", (pageCount, count) => {
  expect(ExportJob.parse({ pageCount }).pageCount).toBe(count);
});

test.each([
  ["2026-11-24T15:00:00+01:00", "2026-11-24T14:00:00.000Z"],
  [1_795_528_800, "2026-11-24T14:00:00.000Z"],
  [1_795_528_800_000, "2026-11-24T14:00:00.000Z"],
  ["1795528800", "2026-11-24T14:00:00.000Z"],
  [99_999_999_999, "5138-11-16T09:46:39.000Z"],
  [100_000_000_000, "1973-03-03T09:46:40.000Z"],
  ["in an hour", undefined],
  [null, undefined],
  [{ toString: "tomorrow" }, undefined],
])("a link's expiry of %j is read as %s", (expiresAt, date) => {
  expect(readExpiry(expiresAt)).toBe(date);
});

test.each([
  ["2026-11-24T14:00:00.5", "2026-11-24T14:00:00.500Z"],
  ["2026-11-24 14:00", "2026-11-24T14:00:00.000Z"],
  ["2026-11-24", "2026-11-24T00:00:00.000Z"],
  ["2026-11-24T09:00:00-05:00", "2026-11-24T14:00:00.000Z"],
  ["Tue, 24 Nov 2026 14:00:00 GMT", "2026-11-24T14:00:00.000Z"],
])("a link's expiry of %j does not depend on the runner's time zone", (expiresAt, date) => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("TZ", "America/New_York");
  expect(readExpiry(expiresAt)).toBe(date);
});

function readExpiry(expiresAt: unknown): string | undefined {
  return ExportBundle.parse({ bundleUrl: "https://s.example/b", expiresAt }).expiresAt ?? undefined;
}

test.each([
  [StartExportRequest, { domain: "d", version: "v", paths: ["p"] }],
  [StartExportRequest, { domain: "d" }],
  [CreateAgentJobRequest, { prompt: "p" }],
])("a request has no empty field", (schema, request) => {
  expect(schema.parse(request)).toStrictEqual(request);
  for (const name of Object.keys(request)) {
    const empty = name === "paths" ? [[], [""]] : [""];
    for (const value of empty) expect(schema.safeParse({ ...request, [name]: value }).success).toBe(false);
  }
});
