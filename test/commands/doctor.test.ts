import { describe, expect, test } from "vitest";
import { InterruptedError } from "../../src/base/errors.ts";
import { PlatformError } from "../../src/client/errors.ts";
import { checkPlatform, runDoctor } from "../../src/commands/doctor.ts";
import { startHttpServer } from "../support/http-server.ts";
import { runInProcess } from "../support/run-in-process.ts";
import { DEFAULT_RUN } from "../support/runner-environment.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

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

    const detail = "It starts on `docs-dir`; it needs no key, no `project-id` and no `domain`.";
    expect(findings).toStrictEqual([{ subject: "Embedded platform", result: "ok", detail, hint: "" }]);
  });

  test("advises both for a platform of its own", async () => {
    const findings = await checkPlatform(hosted, platform);

    const advice = findings.filter(({ result }) => result === "advice");
    expect(advice).toMatchObject([
      { subject: "`project-id`", detail: "It is not set; `agent` and `reconcile` will need it." },
      { subject: "`domain`", detail: "It is not set; `export` will need it." },
    ]);
  });

  test.each([
    [
      "an assistant key",
      { apiKey: "svc_dsc_key" },
      [
        "ok: Type of the key: By its prefix, it is an assistant key: for `assistant` only.",
        "ok: Address http://127.0.0.1:1: A server responds.",
        "unknown: Assistant: Not checked: only a question",
        "advice: `domain`: It is not set; `assistant` will need it.",
      ],
    ],
    [
      "an admin key",
      { projectId: "prj_1", domain: "docs.example.com" },
      [
        "ok: Type of the key: By its prefix, it is an admin key: for `agent`, `export` and `reconcile`.",
        "ok: Static export at http://127.0.0.1:1: It responds and accepts the key.",
        "ok: Agent jobs: It responds and accepts the key.",
        "unknown: Starting jobs: Not checked: only starting a job",
      ],
    ],
  ])("tells %s what it is good for", async (_name, change, expected) => {
    const findings = await checkPlatform({ ...hosted, ...change }, platform);

    expect(findings.map(({ result, subject, detail }) => `${result}: ${subject}: ${detail}`)).toMatchObject(
      expected.map((start) => expect.stringMatching(RegExp(`^${RegExp.escape(start)}`))),
    );
  });

  test.each(["unreachable", "unavailable"] as const)(
    "takes an %s address for a problem with an assistant key, too",
    async (code) => {
      const getExportJob = () => Promise.reject(new PlatformError(code, "No response."));

      const findings = await checkPlatform(
        { ...hosted, apiKey: "svc_dsc_key" },
        { ...platform, getExportJob },
      );

      expect(findings).toContainEqual(
        expect.objectContaining({ result: "problem", subject: "Address http://127.0.0.1:1" }),
      );
    },
  );

  test("shows a missing folder of documents in its table", async () => {
    await using folder = await createTemporaryFolder();
    const inputs = { "base-url": "local", "docs-dir": "missing" };
    const environment = { GITHUB_WORKSPACE: folder.path };

    const { end } = await runInProcess("doctor", runDoctor, DEFAULT_RUN, inputs, { environment });

    expect(end).toMatchObject({
      outcome: "unhealthy",
      summary: expect.stringMatching(/does not exist.*\| Runner \|/s),
    });
  });

  test("that is cancelled during its last check has no finding about that", async () => {
    const stop = new AbortController();
    const cancelled = new InterruptedError("cancelled", "The workflow was cancelled.");
    await using github = await startHttpServer(() => {
      stop.abort(cancelled);
      return new Response("{}", { status: 503 });
    });
    const run = { ...DEFAULT_RUN, apiUrl: github.url };

    const { end } = await runInProcess(
      "doctor",
      runDoctor,
      run,
      { "base-url": "local" },
      { signal: stop.signal },
    );

    expect(end).toBe(cancelled);
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

    const isHealthy = outcome === "healthy";
    const message = isHealthy ? "No problem was found." : "1 problem found; see the summary.";
    expect(end).toMatchObject({ outcome, message });
    expect(log.lines.some((line) => line.startsWith("warning: "))).toBe(!isHealthy);
    const paths = server.requests.map((request) => request.path);
    const ofGitHub = paths.filter((each) => each.startsWith("/repos/"));
    expect(ofGitHub.every((each) => each.startsWith("/repos/octo-org/widgets"))).toBe(true);
    expect(ofGitHub.filter((each) => each === ofGitHub[0]).length).toBeLessThan(3);
    expect(paths).toContain("/v1/static-export/jobs/doctor-check");
  });

  test("logs what it finds, with the next step", async () => {
    await using server = await startHttpServer(({ url }) =>
      Response.json({}, { status: new URL(url).pathname.startsWith("/repos/") ? 200 : 404 }),
    );
    const given = { "base-url": server.url, "api-key": "svc_key", "project-id": "p1", domain: "d.example" };
    const lines = async (environment: Record<string, string>, more: Record<string, string> = {}) => {
      const inputs = { ...given, ...more };
      const { log } = await runInProcess("doctor", runDoctor, DEFAULT_RUN, inputs, { environment });
      return log.lines.filter((line) => line.startsWith("info: ")).slice(4);
    };
    const artifacts = { ACTIONS_RUNTIME_TOKEN: "t", ACTIONS_RESULTS_URL: "https://x.example" };
    const repository = { GITHUB_REPOSITORY: "octo-org/widgets" };
    const step = { GITHUB_ACTIONS: "true", GITHUB_API_URL: server.url, ...artifacts, ...repository };
    const runner = `info: ok: Runner: Node ${process.version}; no proxy is set.`;
    const missing =
      "info: advice: GitHub token: It is missing: `agent` and `assistant` cannot check permissions or comment. Leave `github-token` at its default.";

    expect(await lines({ ...step, https_proxy: "http://127.0.0.1:9" })).toStrictEqual([
      "info: ok: GitHub token: It reads the repository, its issues and its pull requests.",
      "info: ok: Artifacts: The runner has an artifact service.",
      runner.replace("no proxy", "a proxy"),
    ]);
    expect(await lines({ ...step, GITHUB_REPOSITORY: "", ACTIONS_RESULTS_URL: "" })).toStrictEqual([
      missing,
      expect.stringMatching(/^info: advice: Artifacts: The runner did not name .* Set `upload: none`/),
      runner,
    ]);
    expect(await lines(step, { "github-token": "" })).toContain(missing);
    expect(await lines({})).toStrictEqual([runner]);
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
