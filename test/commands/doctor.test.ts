import { describe, expect, test } from "vitest";
import { PlatformError } from "../../src/client/errors.ts";
import { checkPlatform, runDoctor } from "../../src/commands/doctor.ts";
import { startHttpServer } from "../support/http-server.ts";
import { runInProcess } from "../support/run-in-process.ts";
import { DEFAULT_RUN } from "../support/runner-environment.ts";

const hosted = {
  baseUrl: new URL("http://127.0.0.1:1"),
  apiKey: "svc_key",
  projectId: undefined,
  domain: undefined,
};
const unknownJob = () => Promise.reject(new PlatformError("not-found", "Job not found", { isFromApi: true }));
const platform = { getExportJob: unknownJob, getAgentJob: unknownJob };

describe("the doctor", () => {
  test("advises no project and no domain for the embedded platform", async () => {
    const findings = await checkPlatform({ ...hosted, baseUrl: "local" }, platform);

    expect(findings).toMatchObject([{ subject: "Embedded platform", result: "ok" }]);
  });

  test("advises both for a platform of its own", async () => {
    const findings = await checkPlatform(hosted, platform);

    const advice = findings.filter(({ result }) => result === "advice").map(({ subject }) => subject);
    expect(advice).toEqual(["`project-id`", "`domain`"]);
  });

  test.each([
    ["an assistant key", { apiKey: "svc_dsc_key" }, ["ok: Key", "unknown: Assistant", "advice: `domain`"]],
    [
      "an admin key",
      { projectId: "prj_1", domain: "docs.example.com" },
      ["ok: Key", "ok: Static export at http://127.0.0.1:1", "ok: Agent jobs", "unknown: Starting jobs"],
    ],
  ])("tells %s what it is good for", async (_name, change, expected) => {
    const findings = await checkPlatform({ ...hosted, ...change }, platform);

    expect(findings.map(({ result, subject }) => `${result}: ${subject}`)).toStrictEqual(expected);
  });

  test("quotes what the platform says about a key that it refuses", async () => {
    const refuse = () => Promise.reject(new PlatformError("forbidden", "It needs **a plan**."));
    const refusing = { getExportJob: refuse, getAgentJob: refuse };

    const findings = await checkPlatform({ ...hosted, projectId: "prj_1" }, refusing);

    const problem = { result: "problem", detail: "It needs **a plan**.", isQuoted: true };
    expect(findings.filter(({ result }) => result === "problem")).toMatchObject([problem, problem]);
  });

  test.each([
    ["asks a GitHub that hesitates once more", "/repos/", 1, "healthy"],
    ["takes one that stays away for a problem", "/repos/", Number.POSITIVE_INFINITY, "unhealthy"],
    ["asks a platform that hesitates once more", "/v1/static-export", 1, "healthy"],
    ["asks once more for agent jobs", "/v2/agent", 1, "healthy"],
    ["takes a platform that stays away for a problem", "/v2/agent", Number.POSITIVE_INFINITY, "unhealthy"],
  ])("%s", async (_name, path, times, outcome) => {
    await using server = await startHttpServer(({ url }) =>
      Response.json({ error: "none" }, { status: new URL(url).pathname.startsWith("/repos/") ? 200 : 404 }),
    );
    server.faults.add({ path, times, fault: { kind: "answer", status: 502 } });
    const inputs = { "base-url": server.url, "api-key": "svc_key", "project-id": "p1", domain: "d.example" };

    const run = { ...DEFAULT_RUN, apiUrl: server.url };
    const { end, log } = await runInProcess("doctor", runDoctor, run, inputs);

    expect(end).toMatchObject({ outcome });
    expect(log.lines.some((line) => line.startsWith("warning: "))).toBe(outcome === "unhealthy");
  });

  test.each([
    ["reads everything", undefined, "It reads the repository, its issues and its pull requests."],
    ["may not read issues", "/issues", "It has no permission `issues: write`."],
  ])("tells of a token that %s, and of no proxy", async (_name, refused, said) => {
    await using server = await startHttpServer(({ url }) => {
      const isRefused = refused !== undefined && new URL(url).pathname.endsWith(refused);
      return isRefused
        ? Response.json({ message: "Resource not accessible by integration" }, { status: 403 })
        : Response.json({});
    });
    const run = { ...DEFAULT_RUN, apiUrl: server.url };

    const { end } = await runInProcess("doctor", runDoctor, run, { "base-url": "local" });

    expect(end).toMatchObject({ outcome: "healthy", summary: expect.stringContaining(said) });
    expect(end).toMatchObject({ summary: expect.stringContaining("no proxy is set") });
  });

  test.each([
    ["a page that is not the API's", () => Promise.reject(new PlatformError("not-found", "404: a page"))],
    ["a server that knows every job", async () => ({})],
  ])("takes %s for a problem", async (_name, getExportJob) => {
    const findings = await checkPlatform(hosted, { ...platform, getExportJob });

    expect(findings).toContainEqual(
      expect.objectContaining({ result: "problem", hint: expect.stringContaining("base-url") }),
    );
  });
});
