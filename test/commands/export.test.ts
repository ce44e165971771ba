import { mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { InterruptedError } from "../../src/base/errors.ts";
import { createClock } from "../../src/base/runtime.ts";
import { runExport } from "../../src/commands/export.ts";
import { buildTarGz, buildZip } from "../support/archives.ts";
import { startArtifactService } from "../support/artifact-service.ts";
import { type CacheService, startCacheService } from "../support/cache-service.ts";
import { completedJob, type ExportPlatform, startExportPlatform } from "../support/export-platform.ts";
import { startHttpServer } from "../support/http-server.ts";
import { runInProcess } from "../support/run-in-process.ts";
import { DEFAULT_RUN } from "../support/runner-environment.ts";
import { createTemporaryFolder, writeFiles } from "../support/temporary-folder.ts";

const tarGz = buildTarGz([{ name: "index.html", body: "<h1>Hello</h1>" }]);
const object = { body: tarGz };

interface Use {
  readonly inputs?: Readonly<Record<string, string>>;
  /** Files of the workspace besides its document, by path. */
  readonly files?: Readonly<Record<string, string | Buffer>>;
  readonly timeoutMs?: number;
  readonly runAttempt?: number;
  /** Where the run's attempts keep what they started. */
  readonly cache?: CacheService;
  readonly signal?: AbortSignal;
  /** Further variables of the runner. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs the command; its waits take a thousandth of their time. */
async function exportFrom(url: string, use: Use = {}) {
  const { inputs = {}, files = {}, timeoutMs = 3_600_000, runAttempt = 1 } = use;
  const { signal = new AbortController().signal } = use;
  const given = { ...use.cache?.environment, ...use.environment };
  const fastClock = createClock(1000);
  const waits: number[] = [];
  const sleep: typeof fastClock.sleep = (ms, ended) => {
    waits.push(ms);
    return fastClock.sleep(ms, ended);
  };
  const clock = { now: fastClock.now, sleep };
  const left: Record<string, Buffer> = {};
  const result = await runInProcess(
    "export",
    async (exportInputs, run) => {
      const workspace = run.environment["GITHUB_WORKSPACE"] ?? "";
      await writeFiles(workspace, files);
      try {
        return await runExport(exportInputs, { ...run, environment: { ...run.environment, ...given } });
      } finally {
        for (const entry of await readdir(workspace, { recursive: true, withFileTypes: true })) {
          const path = join(entry.parentPath, entry.name);
          if (entry.isFile()) left[path.slice(workspace.length + 1)] = await readFile(path);
        }
      }
    },
    { ...DEFAULT_RUN, runAttempt },
    {
      "base-url": url,
      "api-key": "svc_admin-key",
      domain: "docs.example.com",
      upload: "none",
      ...inputs,
    },
    { clock, deadlineMs: clock.now() + timeoutMs, signal },
  );
  const warnings = result.log.lines.filter((line) => line.startsWith("warning: "));
  return { ...result, warnings, left, waits };
}

const dashboard = expect.stringContaining("Check the platform's dashboard before you run again");
const setJobId = "Set `job-id` to continue with this job; without it, the next run starts another export.";

const startCompleted = (body = tarGz) =>
  startExportPlatform({ storage: { object: { body } }, polls: [completedJob] });

describe("an export", () => {
  test("that does not start leaves no folder behind", async () => {
    await using folder = await createTemporaryFolder();
    const environment = { GITHUB_WORKSPACE: folder.path };

    const { end } = await exportFrom("local", { inputs: { "docs-dir": "missing" }, environment });

    expect(end).toMatchObject({ code: "invalid-input", message: expect.stringContaining("does not exist") });
    expect(await readdir(folder.path)).toStrictEqual([]);
  });

  test.each(["docs-export/site/mine.txt", "docs-export/site"])(
    "does not replace a foreign %s",
    async (path) => {
      await using platform = await startCompleted();
      const inputs = { extract: "true" };

      const { end, left } = await exportFrom(platform.url, { inputs, files: { [path]: "mine" } });

      expect(end).toMatchObject({
        code: "invalid-input",
        message: expect.stringMatching(/docs-export\/site away/),
      });
      expect(platform.starts).toHaveLength(0);
      expect(String(left[path])).toBe("mine");
    },
  );

  test.each(["docs-export/site/export-report.json", "docs-export/.site-exported"])(
    "replaces the site of an earlier run: %s",
    async (path) => {
      await using platform = await startCompleted();
      const files = { [path]: "", "docs-export/site/old.html": "old" };

      const { left } = await exportFrom(platform.url, { inputs: { extract: "true" }, files });

      expect(Object.keys(left).filter((name) => name.startsWith("docs-export/site/"))).toStrictEqual([
        "docs-export/site/index.html",
      ]);
    },
  );

  test("in a workspace behind a symbolic link shows paths inside the workspace", async () => {
    await using platform = await startCompleted();
    await using folder = await createTemporaryFolder();
    const link = join(folder.path, "link");
    await mkdir(join(folder.path, "workspace"));
    await symlink("workspace", link);
    const { end } = await exportFrom(platform.url, { environment: { GITHUB_WORKSPACE: link } });
    expect(end).toMatchObject({ summary: expect.stringContaining("`docs-export/docs-export.tar.gz`") });
  });

  test("sends nothing but the domain unless more was set, and ends detached where it shall not wait", async () => {
    await using platform = await startExportPlatform({ storage: { object } });
    const { end, outputs } = await exportFrom(platform.url, { inputs: { wait: "false" } });
    expect(end).toMatchObject({ outcome: "detached" });
    expect(outputs).toEqual({ jobId: "se_1", status: "queued" });
    expect(platform.starts).toEqual([{ domain: "docs.example.com" }]);
    expect(platform.requests.map(({ method }) => method)).toEqual(["POST"]);
  });

  test.each(["queued", "pending", "running", "processing"])("is followed while it is %s", async (status) => {
    const polls = [{ ...completedJob, status }, completedJob];
    await using platform = await startExportPlatform({ storage: { object }, polls });
    const { end, warnings } = await exportFrom(platform.url);
    expect(end).toMatchObject({ outcome: "exported" });
    expect(warnings).toEqual([]);
  });

  describe("whose bundle holds a report", () => {
    const warning = { kind: "link", page: "a.md", line: 2, message: "the link b is broken" };
    const report = { pageCount: 1, warningCount: 1, warningsByKind: { link: 1 }, warnings: [warning] };
    const files = (text: string) => [
      { name: "index.html", body: "<h1>Hello</h1>" },
      { name: "export-report.json", body: text },
    ];
    const sentence = "The export has 1 warning (link 1); the bundle's `export-report.json` lists them.";

    test.each([
      ["a zip", buildZip],
      ["a tar.gz", buildTarGz],
    ])("shows it, and fails the step only where that is asked for: %s", async (_name, build) => {
      await using platform = await startCompleted(build(files(JSON.stringify(report))));
      const { end, warnings } = await exportFrom(platform.url);
      expect(warnings).toEqual([`warning: ${sentence}`]);
      const summary = expect.stringContaining("- `a.md:2` (link): the link b is broken");
      expect(end).toMatchObject({ outcome: "exported", summary });
      expect(end).not.toHaveProperty("error");
      const strict = await exportFrom(platform.url, { inputs: { "fail-on-warnings": "true" } });
      expect(strict.end).toMatchObject({
        outcome: "exported",
        isFailure: true,
        error: { code: "invalid-input", message: `\`fail-on-warnings\` is set. ${sentence}` },
        summary: expect.stringContaining("> [!CAUTION]\n> `fail-on-warnings` fails this step."),
      });
      expect(strict.outputs).toHaveProperty("bundlePath");
      expect(strict.warnings).toEqual([]);
    });

    test.each([
      ["without warnings", JSON.stringify({ ...report, warningCount: 0, warnings: [] }), []],
      ["that is not JSON", "{", ["not a report that this version can read"]],
      ["of another shape", '{"warnings":"many"}', ["not a report that this version can read"]],
      ["that is too long", " ".repeat(34_000_000), ["not a report that this version can read"]],
    ])("does not fail for one %s", async (_name, text, said) => {
      await using platform = await startCompleted(buildZip(files(text)));
      for (const isStrict of ["true", "false"]) {
        const inputs = { "fail-on-warnings": isStrict };
        const { end, warnings } = await exportFrom(platform.url, { inputs });
        expect(end).toMatchObject({ outcome: "exported" });
        expect(end).not.toHaveProperty("error");
        expect(warnings).toEqual(said.map((words) => expect.stringContaining(words)));
      }
    });
  });

  test("survives 503s, resets, HTML and unknown statuses while it waits", async () => {
    const running = { status: "running", progress: "95%", pageCount: "11" };
    await using platform = await startExportPlatform({
      storage: { object },
      polls: [{ status: "warming-up" }, {}, {}, running, completedJob],
    });
    const path = /jobs\/se_1$/;
    const busy = { kind: "answer", status: 503, body: "<html><title>Busy</title></html>" } as const;
    const login = { kind: "answer", status: 200, body: "<html>login</html>" } as const;
    platform.faults.add({ path, fault: busy });
    platform.faults.add({ path, skip: 1, fault: { kind: "reset", when: "after" } });
    platform.faults.add({ path, skip: 1, fault: login });
    const { outputs, warnings } = await exportFrom(platform.url);
    expect(outputs).toMatchObject({ pageCount: "12" });
    expect(platform.starts).toHaveLength(1);
    expect(warnings).toEqual([
      expect.stringContaining("a status this action does not know (“warming-up”)"),
      expect.stringContaining("has no status"),
    ]);
  });

  test.each([
    ["cut before it was handled", { kind: "reset", when: "before" }, 0],
    ["cut after it was handled", { kind: "reset", when: "after" }, 1],
    ["500", { kind: "answer", when: "after", status: 500 }, 1],
    ["502 with HTML", { kind: "answer", status: 502, body: "<html><title>Bad Gateway</title></html>" }, 0],
    ["garbage", { kind: "answer", when: "after", status: 200, body: "garbage" }, 1],
    ["an object without a job", { kind: "answer", when: "after", status: 202, body: "{}" }, 1],
  ] as const)("sends one start request when its answer is %s", async (_name, fault, handled) => {
    await using platform = await startExportPlatform({ storage: { object } });
    platform.faults.add({ method: "POST", path: /jobs$/, times: Number.POSITIVE_INFINITY, fault });
    const { end } = await exportFrom(platform.url);
    expect(end).toMatchObject({ maybeSubmitted: true });
    expect(platform.requests).toHaveLength(1);
    expect(platform.starts).toHaveLength(handled);
  });

  test.each([{ status: "queued" }, { jobId: "two words", status: "queued" }])(
    "sends one start request when its answer is %j, and says what is missing",
    async (started) => {
      await using platform = await startExportPlatform({ storage: { object }, started });
      const { end } = await exportFrom(platform.url);
      expect(end).toMatchObject({
        maybeSubmitted: true,
        message: expect.stringContaining("its response has no usable `jobId` (a word of printable ASCII)"),
      });
      expect(platform.starts).toHaveLength(1);
    },
  );

  test.each([
    [0, ["warning: The export contains no pages."]],
    [1, []],
    [null, []],
  ])("with the page count %s warns of an empty site only where it is one", async (pageCount, expected) => {
    const polls = [{ ...completedJob, pageCount }];
    await using platform = await startExportPlatform({ polls, storage: { object } });
    const { end, warnings } = await exportFrom(platform.url);
    expect(end).toMatchObject({ outcome: "exported" });
    expect(warnings).toEqual(expected.map((warning) => expect.stringContaining(warning)));
    expect(JSON.stringify(end).includes("> [!WARNING]")).toBe(expected.length > 0);
  });

  test("without pages replaces no published site", async () => {
    const polls = [{ ...completedJob, pageCount: 0 }];
    await using platform = await startExportPlatform({ polls, storage: { object } });
    const environment = { ACTIONS_RESULTS_URL: "http://127.0.0.1:9/", ACTIONS_RUNTIME_TOKEN: "t" };
    const { end } = await exportFrom(platform.url, { inputs: { upload: "pages" }, environment });
    expect(end).toMatchObject({
      code: "invalid-input",
      message: "The export contains no pages. The published site stays as it is.",
    });
    expect(platform.links).toStrictEqual([]);
  });

  test.each([
    ["page quota exceeded\n::error::x", "Export job se_1 failed: page quota exceeded ::error::x"],
    [{ code: "quota", detail: "page quota exceeded" }, "page quota exceeded"],
    [["first reason", "second"], "first reason"],
    [null, "the platform gives no reason"],
  ])("shows the reason of a failed job from %j", async (error, reason) => {
    const polls = [{ jobId: "se_1", status: "FAILED", error }];
    await using platform = await startExportPlatform({ storage: { object }, polls });
    const { end, outputs } = await exportFrom(platform.url);
    expect(end).toMatchObject({ code: "job-failed", message: expect.stringContaining(reason) });
    expect(outputs).toMatchObject({ jobId: "se_1", status: "FAILED" });
  });

  test("times out at the deadline with the job's id", async () => {
    const polls = [{ jobId: "se_1", status: "running", progress: 10 }];
    await using platform = await startExportPlatform({ storage: { object }, polls });
    const { end, outputs } = await exportFrom(platform.url, { timeoutMs: 60_000 });
    expect(end).toMatchObject({ code: "timed-out" });
    expect(outputs).toMatchObject({ jobId: "se_1", status: "running" });
  });

  test.each([
    ["cancelled", "during its start", /jobs$/, "the platform may have started the export", dashboard],
    ["cancelled", "while its job runs", /se_1$/, "export job se_1 continues on the platform", setJobId],
    ["cancelled", "while its bundle is downloaded", /bundle$/, "export job se_1 is completed", setJobId],
    ["timed-out", "during its start", /jobs$/, "the platform may have started the export", dashboard],
    ["timed-out", "while its bundle is downloaded", /bundle$/, "export job se_1 is completed", setJobId],
  ] as const)("that is %s %s says whether a job continues", async (code, _time, path, message, hint) => {
    const polled = path.source.startsWith("se_1") ? { jobId: "se_1", status: "running" } : completedJob;
    const controller = new AbortController();
    const stop = () => controller.abort(new InterruptedError(code, "It was stopped."));
    await using platform = await startExportPlatform({ storage: { object }, polls: [polled] });
    platform.faults.add({ path, fault: { kind: "reset", when: "before" }, onMeet: stop });

    const { end } = await exportFrom(platform.url, { signal: controller.signal });

    expect(end).toMatchObject({ code, message: expect.stringContaining(message), hint });
  });

  test("that is cancelled during the upload says that the job is completed", async () => {
    const scope = Buffer.from(JSON.stringify({ scp: "Actions.Results:run:job" })).toString("base64url");
    const controller = new AbortController();
    const stop = () => controller.abort(new InterruptedError("cancelled", "It was stopped."));
    await using platform = await startCompleted();
    await using service = await startHttpServer(() => {
      stop();
      return Response.json({ code: "internal", msg: "no" }, { status: 500 });
    });
    const environment = { ACTIONS_RESULTS_URL: service.url, ACTIONS_RUNTIME_TOKEN: `e30.${scope}.e30` };

    const { end } = await exportFrom(platform.url, {
      inputs: { upload: "archive" },
      environment,
      signal: controller.signal,
    });

    expect(end).toMatchObject({
      code: "cancelled",
      message: "Stopped before the bundle was delivered: export job se_1 is completed.",
      hint: setJobId,
    });
  });

  test("of an existing job starts none and needs no domain", async () => {
    await using platform = await startCompleted();
    const inputs = { "job-id": "se_1", domain: "" };
    const { end, outputs, waits } = await exportFrom(platform.url, { inputs });
    expect(end).toMatchObject({
      outcome: "exported",
      summary: expect.stringContaining("### Documentation export: se\\_1"),
    });
    expect(outputs).toMatchObject({ jobId: "se_1" });
    expect(platform.starts).toEqual([]);
    expect(waits[0]).toBe(0);
  });

  test.each([
    ["pages", "docs-export", "github-pages"],
    ["pages", "mine", "mine"],
    ["site", "docs-export", "docs-export"],
  ])("with `upload: %s` and `artifact-name: %s` uploads %s", async (upload, given, name) => {
    await using platform = await startCompleted();
    const names: unknown[] = [];
    await using service = await startHttpServer(async (request) => {
      names.push(((await request.json()) as { name?: string }).name);
      return Response.json({ code: "permission_denied", msg: "no" }, { status: 403 });
    });
    const scope = Buffer.from(JSON.stringify({ scp: "Actions.Results:run:job" })).toString("base64url");
    const environment = { ACTIONS_RESULTS_URL: service.url, ACTIONS_RUNTIME_TOKEN: `e30.${scope}.e30` };

    const inputs = { upload, "artifact-name": given };
    const { end, outputs, left, log } = await exportFrom(platform.url, { inputs, environment });

    expect(String(end)).toContain("GitHubError");
    expect(names).toStrictEqual([name]);
    expect(outputs["sitePath"]).toMatch(/docs-export\/site$/);
    expect(left["docs-export/site/index.html"]?.toString()).toBe("<h1>Hello</h1>");
    expect(log.lines.join("\n")).toMatch(/info: The site is unpacked to .*\/site \(.*\)\./);
  });

  test.each([
    ["no artifact service", {}, "did not name an artifact service"],
    ["an older one", { GITHUB_SERVER_URL: "https://git.corp.example" }, "its artifact service is older"],
  ])(
    "that has %s to upload to is not started, unless it uploads nothing or does not wait",
    async (_, environment, message) => {
      await using platform = await startCompleted();
      const start = (inputs: Record<string, string>) => exportFrom(platform.url, { inputs, environment });

      const { end } = await start({ upload: "archive" });
      const sent = platform.requests.length;
      const detached = await start({ upload: "archive", wait: "false" });
      const kept = await start({ upload: "none" });

      expect(end).toMatchObject({ code: "rejected", message: expect.stringContaining(message) });
      expect(sent).toBe(0);
      expect(detached.end).toMatchObject({ outcome: "detached" });
      expect(kept.end).toMatchObject({ outcome: "exported" });
    },
  );

  test.each([
    [{}, "POST /v1/static-export/jobs`", '"domain": "docs.example.com"'],
    [{ "job-id": "se_1" }, "POST /v1/static-export/jobs/se_1/bundle`", "Nothing was sent."],
  ])("sends nothing in a dry run, and shows what it would send: %j", async (inputs, request, content) => {
    await using platform = await startExportPlatform({ storage: { object } });
    const { end, left } = await exportFrom(platform.url, { inputs: { ...inputs, "dry-run": "true" } });
    expect(end).toMatchObject({ outcome: "skipped", skipReason: "dry-run" });
    const { summary } = end as { summary: string };
    expect(summary).toContain(request);
    expect(summary).toContain(content);
    expect(platform.requests).toEqual([]);
    expect(Object.keys(left)).toEqual(["docs/index.md"]);
  });

  test("is not started where its result could not be written", async () => {
    await using platform = await startCompleted();
    const { end } = await exportFrom(platform.url, { files: { "docs-export": "a file" } });
    expect(end).toMatchObject({ code: "invalid-input", message: expect.stringContaining("`output-dir`") });
    expect(platform.requests).toEqual([]);
  });
});

describe("a run that is started again", () => {
  const running = { jobId: "se_1", status: "running", progress: 10 };

  test("resumes the export whose first attempt timed out", async () => {
    await using cache = await startCacheService();
    await using platform = await startExportPlatform({
      storage: { object },
      polls: [...Array(30).fill(running), completedJob],
    });
    const first = await exportFrom(platform.url, { cache, timeoutMs: 60_000 });
    const again = await exportFrom(platform.url, { cache, runAttempt: 2 });
    expect(first.end).toMatchObject({ code: "timed-out" });
    expect(again.end).toMatchObject({ outcome: "exported" });
    expect(again.outputs).toMatchObject({ jobId: "se_1" });
    expect(again.log.lines.join()).toContain("Resuming export job se_1");
    // For the post step, if this run is killed.
    expect(again.facts).toContain("state:exportJob=se_1");
    expect(again.waits[0]).toBe(0);
    expect(platform.starts).toHaveLength(1);
  });

  test("resumes the export of an attempt that was cancelled while it saved the job", async () => {
    await using cache = await startCacheService();
    await using platform = await startExportPlatform({ storage: { object } });
    const controller = new AbortController();
    const cancel = () => controller.abort(new InterruptedError("cancelled", "The workflow was cancelled."));
    const fault = { kind: "hold", until: Promise.resolve() } as const;
    cache.faults.add({ path: "CreateCacheEntry", fault, onMeet: cancel });
    const first = await exportFrom(platform.url, { cache, signal: controller.signal });
    const again = await exportFrom(platform.url, { cache, runAttempt: 2 });
    expect(first.end).toMatchObject({
      message: expect.stringContaining("export job se_1 continues"),
      hint: expect.stringContaining("In a workflow, a re-run of this run does the same."),
    });
    expect(again.end).toMatchObject({ outcome: "exported" });
    expect(platform.starts).toHaveLength(1);
  });

  test.each<[string, unknown, Use]>([
    ["the job failed", { jobId: "se_1", status: "failed" }, {}],
    ["another version is asked for", completedJob, { inputs: { "export-version": "v2" } }],
    ["other pages are asked for", completedJob, { inputs: { "export-paths": "guide" } }],
    ["another site is asked for", completedJob, { inputs: { domain: "other.example.com" } }],
    ["another key is in use", completedJob, { inputs: { "api-key": "svc_another-key" } }],
  ])("starts a new export where %s", async (_name, poll, use) => {
    await using cache = await startCacheService();
    await using platform = await startExportPlatform({ storage: { object }, polls: [poll, completedJob] });
    await exportFrom(platform.url, { cache, inputs: { wait: "false" } });
    const { end } = await exportFrom(platform.url, { ...use, cache, runAttempt: 2 });
    expect(end).toMatchObject({ outcome: "exported" });
    expect(platform.starts).toHaveLength(2);
  });

  test.each([
    ["the platform no longer knows the job", { "content-type": "application/json" }, 2],
    ["only a proxy does not know it", { "content-type": "text/html" }, 1],
  ])("starts a new export where %s", async (_name, headers, starts) => {
    await using cache = await startCacheService();
    await using platform = await startCompleted();
    await exportFrom(platform.url, { cache, inputs: { wait: "false" } });
    const body = headers["content-type"] === "text/html" ? "<p>?</p>" : '{"error":"Job not found"}';
    platform.faults.add({ method: "GET", fault: { kind: "answer", status: 404, headers, body } });
    const { end } = await exportFrom(platform.url, { cache, runAttempt: 2 });
    expect(end).toMatchObject({ outcome: "exported" });
    expect(platform.starts).toHaveLength(starts);
  });

  test("starts no second export, whatever failed in the first attempt after its start", async () => {
    const requests = async () => {
      await using platform = await startExportPlatform({ storage: { object } });
      await exportFrom(platform.url);
      return platform.requests.length;
    };
    const faults = [
      { kind: "reset", when: "before" },
      { kind: "reset", when: "after" },
      { kind: "answer", status: 500 },
      { kind: "answer", status: 401 },
      { kind: "answer", status: 200, body: "<html>login</html>" },
    ] as const;
    for (let skip = 1, count = await requests(); skip < count; skip += 1) {
      for (const fault of faults) {
        await using cache = await startCacheService();
        await using platform = await startExportPlatform({ storage: { object } });
        platform.faults.add({ skip, times: Number.POSITIVE_INFINITY, fault });
        const first = await exportFrom(platform.url, { cache });
        platform.faults.clear();
        const again = await exportFrom(platform.url, { cache, runAttempt: 2 });
        expect(first.end).toBeInstanceOf(Error);
        expect(again.end).toMatchObject({ outcome: "exported" });
        expect(platform.starts).toHaveLength(1);
      }
    }
  });

  test("is asked to wait no longer than its first attempt was", async () => {
    await using cache = await startCacheService();
    await using platform = await startCompleted();
    const inputs = { wait: "false" };
    await exportFrom(platform.url, { cache, inputs });
    const { end, outputs } = await exportFrom(platform.url, { cache, inputs, runAttempt: 2 });
    expect(end).toMatchObject({ outcome: "detached" });
    expect(outputs).toEqual({ jobId: "se_1" });
    expect(platform.starts).toHaveLength(1);
  });
});

describe("an export that is already in progress", () => {
  const json = { "content-type": "application/json" };
  const runningJob = { ...completedJob, status: "running" };

  /** Starts an export at a platform that refuses it because of another one. */
  async function conflictWith(
    answer: { readonly body?: unknown },
    { poll = runningJob as unknown, inputs = {} } = {},
  ) {
    await using platform = await startExportPlatform({ storage: { object }, polls: [poll, completedJob] });
    const body = JSON.stringify(answer.body ?? {});
    platform.faults.add({
      method: "POST",
      path: /jobs$/,
      fault: { kind: "answer", status: 409, headers: json, body },
    });
    const result = await exportFrom(platform.url, { inputs });
    return { ...result, starts: platform.requests.filter(({ path }) => path.endsWith("/jobs")).length };
  }

  test.each([
    { body: { error: "Conflict", jobId: "se_1" } },
    { body: { error: "An export is running", job: { id: "se_1", status: "running" } } },
    { body: { error: "Conflict", requestId: "req-1", jobId: "se_1" } },
  ])("is followed where the refusal names it: %j", async (answer) => {
    const { end, outputs, starts, log } = await conflictWith(answer);
    expect(end).toMatchObject({ outcome: "exported" });
    expect(outputs).toMatchObject({ jobId: "se_1" });
    expect(log.lines.join()).toContain("following job se_1 instead of starting one");
    expect(starts).toBe(1);
  });

  test.each([503, 429])("is followed although the first request for it ends with %i", async (status) => {
    await using platform = await startExportPlatform({
      storage: { object },
      polls: [runningJob, completedJob],
    });
    const conflict = { kind: "answer", status: 409, headers: json, body: '{"jobId":"se_1"}' } as const;
    platform.faults.add({ method: "POST", path: /jobs$/, fault: conflict });
    platform.faults.add({ path: /se_1$/, fault: { kind: "answer", status } });
    const { end } = await exportFrom(platform.url);
    expect(end).toMatchObject({ outcome: "exported" });
    expect(platform.starts).toEqual([]);
  });

  const ended = "it has ended and may lack the newest changes.";
  const otherPages = "it exports other pages, or does not name them.";

  test.each<[string, object, { poll?: unknown; inputs?: Record<string, string> }, string]>([
    ["that is not named", { body: { error: "An export is running." } }, {}, "An export is running."],
    [
      "that the platform does not know",
      { body: { jobId: "se_9" } },
      {},
      "Job se_9 is not followed: the platform does not know it.",
    ],
    ["that failed", { body: { jobId: "se_1" } }, { poll: { status: "failed" } }, ended],
    ["that has ended, with what was there then", { body: { jobId: "se_1" } }, { poll: completedJob }, ended],
    [
      "of another site",
      { body: { jobId: "se_1" } },
      { poll: { ...runningJob, domain: "other.example.com\n::error::x" } },
      "Job se_1 is not followed: it exports other.example.com ::error::x.",
    ],
    ["of some pages", { body: { jobId: "se_1" } }, { poll: { ...runningJob, paths: ["guide"] } }, otherPages],
    [
      "of pages not known to be those",
      { body: { jobId: "se_1" } },
      { inputs: { "export-paths": "guide" } },
      otherPages,
    ],
    [
      "of a version not known",
      { body: { jobId: "se_1" } },
      { inputs: { "export-version": "v2" } },
      "it exports another version, or does not name it.",
    ],
  ])("is not taken for this one: one %s", async (_name, answer, scene, reason) => {
    const { end, starts } = await conflictWith(answer, scene);
    expect(end).toMatchObject({
      code: "conflict",
      message: expect.stringMatching(`${reason.replaceAll(".", "\\.")}$`),
    });
    expect(starts).toBe(1);
  });

  test("that cannot be read fails with the reason", async () => {
    await using platform = await startExportPlatform({ storage: { object } });
    const answer = (status: number, body: object) =>
      ({ kind: "answer", status, headers: json, body: JSON.stringify(body) }) as const;
    platform.faults.add({ method: "POST", path: /jobs$/, fault: answer(409, { jobId: "se_1" }) });
    platform.faults.add({ method: "GET", path: /se_1$/, fault: answer(403, { error: "No access." }) });
    const { end } = await exportFrom(platform.url);
    expect(end).toMatchObject({ code: "forbidden" });
  });

  test("is this one where it shows the same version and pages", async () => {
    const poll = { ...runningJob, domain: "DOCS.example.com", version: "v2", paths: ["guide", "index"] };
    const inputs = { "export-version": "v2", "export-paths": "index, guide" };
    const { end } = await conflictWith({ body: { jobId: "se_1" } }, { poll, inputs });
    expect(end).toMatchObject({ outcome: "exported" });
  });

  test("is known to the run's next attempt", async () => {
    await using cache = await startCacheService();
    await using platform = await startExportPlatform({
      storage: { object },
      polls: [runningJob, completedJob],
    });
    const conflict = { kind: "answer", status: 409, headers: json, body: '{"jobId":"se_1"}' } as const;
    platform.faults.add({ method: "POST", path: /jobs$/, fault: conflict });
    await exportFrom(platform.url, { cache, inputs: { wait: "false" } });
    const { end } = await exportFrom(platform.url, { cache, runAttempt: 2 });
    expect(end).toMatchObject({ outcome: "exported" });
    expect(platform.starts).toEqual([]);
  });
});

describe("a self-hosted runner", () => {
  const kept = { body: tarGz, etag: '"1"' };
  const values = "staticExport:\n  enabled: true\n  bundleUrl: old\n";
  const refresh = { "job-id": "se_1", domain: "", "values-file": "values.yaml" };

  test("refreshes the link in a values file every half hour without a byte of the bundle", async () => {
    await using toolCache = await createTemporaryFolder();
    const environment = { RUNNER_ENVIRONMENT: "self-hosted", RUNNER_TOOL_CACHE: toolCache.path };
    await using platform = await startExportPlatform({ storage: { object: kept } });
    const first = await exportFrom(platform.url, { environment });
    const before = { bytes: platform.storage.sentBytes, requests: platform.requests.length };
    for (let round = 1; round <= 3; round += 1) {
      const files = { "values.yaml": values };
      const { end, outputs, left, log } = await exportFrom(platform.url, {
        environment,
        inputs: refresh,
        files,
      });
      expect(end).toMatchObject({ summary: expect.stringContaining("nothing was downloaded") });
      expect(log.lines.join("\n")).toContain("The bundle is the one that this runner kept, and verified");
      const facts = { ...first.outputs, bundlePath: outputs["bundlePath"], bundleUrl: platform.links.at(-1) };
      expect(outputs).toEqual(facts);
      expect(left["docs-export/docs-export.tar.gz"]).toEqual(tarGz);
      expect(left["values.yaml"]?.toString()).toContain(platform.links.at(-1));
      expect(platform.storage.requests).toHaveLength(1 + round);
      // One poll and one link.
      expect(platform.requests).toHaveLength(before.requests + 2 * round);
    }
    expect(platform.storage.sentBytes).toBe(before.bytes);
  });

  test("starts a re-run from the bundle that is there", async () => {
    await using toolCache = await createTemporaryFolder();
    await using cache = await startCacheService();
    const environment = { RUNNER_ENVIRONMENT: "self-hosted", RUNNER_TOOL_CACHE: toolCache.path };
    await using platform = await startExportPlatform({ storage: { object: kept } });
    await exportFrom(platform.url, { cache, environment });
    const { outputs } = await exportFrom(platform.url, { cache, environment, runAttempt: 2 });
    expect(outputs).toMatchObject({ jobId: "se_1", bundleSize: String(tarGz.length) });
    expect(platform.storage.sentBytes).toBe(tarGz.length);
    expect(platform.starts).toHaveLength(1);
  });
});

describe("the link to a bundle", () => {
  test("is masked with its secret parameters, as sent and decoded, before it is shown", async () => {
    const query =
      "X-Amz-Date=20260101T000000Z&X-Amz-Security-Token=ab%2Fcd%2Bef12gh3456%3D&X-Amz-Signature=0123456789abcdef&sig=abc";
    await using platform = await startHttpServer(({ url }) => {
      const bundleUrl = new URL(`/b.tar.gz?${query}`, url).href;
      return Response.json(url.endsWith("/bundle") ? { jobId: "se_1", bundleUrl } : completedJob);
    });
    const { end, facts } = await exportFrom(platform.url);
    expect(end).toMatchObject({ code: "bundle-corrupt" });
    const bundleUrl = new URL(`/b.tar.gz?${query}`, platform.url).href;
    const shownAt = facts.indexOf(`bundleUrl=${bundleUrl}`);
    const masked = facts.slice(0, shownAt).filter((fact) => fact.startsWith("mask:"));
    // A short word is never masked: that would hide half of the log.
    expect(masked).toEqual([
      "mask:ghs_stand-in-token-of-this-run",
      "mask:svc_admin-key",
      `mask:${bundleUrl}`,
      `mask:${query}`,
      "mask:ab%2Fcd%2Bef12gh3456%3D",
      "mask:ab/cd+ef12gh3456=",
      "mask:0123456789abcdef",
    ]);
  });

  test.each([
    ["another envelope", { data: { bundleUrl: "https://storage.example/b.tgz?X-Amz-Signature=SECRET" } }],
    ["another name", { bundle_url: "https://storage.example/b.tgz?X-Amz-Signature=SECRET" }],
    ["a relative link", { bundleUrl: "/b.tgz?X-Amz-Signature=SECRET" }],
    [
      "an error that quotes it",
      { error: "cannot sign https://storage.example/b.tgz?X-Amz-Signature=SECRET" },
    ],
  ])("is shown nowhere when it comes in %s", async (_name, answer) => {
    await using platform = await startCompleted();
    const path = /\/bundle$/;
    const fault = { kind: "answer", status: 400, body: JSON.stringify(answer) } as const;
    platform.faults.add({ path, times: Number.POSITIVE_INFINITY, fault });
    platform.faults.add({ path, fault: { ...fault, status: 200 } });
    const { end, log, outputs } = await exportFrom(platform.url);
    expect(end).toBeInstanceOf(Error);
    const { message, hint } = end as { message: string; hint: string };
    expect(JSON.stringify([message, hint, log.lines, outputs])).not.toContain("SECRET");
  });

  test("that contains a credential of this run is neither shown nor requested", async () => {
    await using platform = await startHttpServer(({ url }) =>
      Response.json(
        url.endsWith("/bundle")
          ? { jobId: "se_1", bundleUrl: new URL("/stolen?key=svc_admin-key", url) }
          : completedJob,
      ),
    );
    const { end, outputs } = await exportFrom(platform.url);
    expect(end).toMatchObject({ message: expect.stringContaining("contains a credential of this run") });
    expect(outputs).not.toHaveProperty("bundleUrl");
    expect(platform.requests.some(({ path }) => path.startsWith("/stolen"))).toBe(false);
  });

  test("with an expiry in the past is used, and the summary says so", async () => {
    await using platform = await startCompleted();
    const [expiresAt, sizeBytes] = ["2020-01-01T00:00:00Z", tarGz.length];
    const { url: bundleUrl } = await platform.storage.getLink();
    const body = JSON.stringify({ bundleUrl, expiresAt, sizeBytes });
    platform.faults.add({ path: /\/bundle$/, fault: { kind: "answer", status: 200, body } });
    const { end } = await exportFrom(platform.url);
    expect(end).toMatchObject({ summary: expect.stringContaining("2020-01-01 00:00 UTC, which has passed") });
  });

  test("is asked for again where it has already expired", async () => {
    await using platform = await startCompleted();
    const expired = `${platform.storage.origin}/old?X-Amz-Signature=dead-and-gone`;
    const body = JSON.stringify({ bundleUrl: expired, expiresAt: "2020-01-01T00:00:00Z" });
    platform.faults.add({ path: /\/bundle$/, fault: { kind: "answer", status: 200, body } });
    const { end, log, outputs } = await exportFrom(platform.url);
    expect(end).toMatchObject({ outcome: "exported" });
    expect(outputs["bundleUrl"]).toBe(platform.links.at(-1));
    expect(log.lines.join()).not.toContain("dead-and-gone");
  });
});

describe("a bundle that must not be kept", () => {
  const big = buildTarGz([{ name: "big.html", body: Buffer.alloc(3_000_000) }]);

  test.each([
    ["a path that leaves the folder", buildTarGz([{ name: "../evil.html", body: "x" }]), "unsafe-archive"],
    ["an absolute path", buildTarGz([{ name: "/tmp/evil.html", body: "x" }]), "unsafe-archive"],
    ["a symbolic link", buildTarGz([{ name: "link", type: "2", linkName: "/etc/passwd" }]), "unsafe-archive"],
    ["a device", buildTarGz([{ name: "dev", type: "3" }]), "unsafe-archive"],
    ["a backslash path in a zip", buildZip([{ name: "..\\evil.html", body: "x" }]), "unsafe-archive"],
    ["more than `max-bundle-megabytes`", big, "bundle-too-large"],
    ["an HTML page", Buffer.from("<!doctype html><title>Sign in</title>"), "bundle-corrupt"],
  ])("because it holds %s is refused, with nothing left behind", async (_name, body, code) => {
    await using platform = await startCompleted(body);
    const inputs = { upload: "site", "max-bundle-megabytes": "1" };
    const environment = {
      ACTIONS_RESULTS_URL: "http://127.0.0.1:9/",
      ACTIONS_RUNTIME_TOKEN: "runtime-token",
    };
    const { end, outputs, left } = await exportFrom(platform.url, { inputs, environment });
    expect(end).toMatchObject({ code });
    expect(outputs).toMatchObject({ jobId: "se_1" });
    expect(Object.keys(left)).toEqual(["docs/index.md"]);
  });
});

describe("the values file of a deployment", () => {
  const before = '# ours\nreplicas: 2\nstaticExport:\n  enabled: false # for now\n  bundleUrl: ""\n';
  const path = "deploy/values.yaml";
  const durable = { "values-bundle-url": "https://cdn.example.com/docs.tar.gz" };

  /** Runs an export in a workspace that holds a values file; `.git` makes the workspace a repository. */
  async function exportWithValues(
    platform: ExportPlatform,
    inputs: Readonly<Record<string, string>> = {},
    { isRepository = false, content = before as string | Buffer } = {},
    environment: Readonly<Record<string, string>> = {},
  ) {
    const files = { [path]: content, ...(isRepository && { ".git/HEAD": "" }) };
    const given = { "values-file": path, ...inputs };
    const result = await exportFrom(platform.url, { inputs: given, files, environment });
    return { ...result, text: result.left[path]?.toString() };
  }

  test("gets the durable address and, if asked for, the job as version, and nothing else changes", async () => {
    await using platform = await startCompleted();
    const inputs = { ...durable, "values-version": "job" };
    const { end, text, warnings, log } = await exportWithValues(platform, inputs, { isRepository: true });
    expect(log.lines.join()).toContain("The values file points to this bundle.");
    expect(text).toBe(
      '# ours\nreplicas: 2\nstaticExport:\n  enabled: true # for now\n  bundleUrl: "https://cdn.example.com/docs.tar.gz"\n  version: "se_1"\n',
    );
    expect(warnings).toEqual([]);
    expect(end).toMatchObject({ summary: expect.stringContaining("`deploy/values.yaml`, updated") });
    const again = await exportWithValues(platform, inputs, { content: text ?? "" });
    expect(again.end).toMatchObject({ summary: expect.stringContaining("already up to date") });
    expect(again.log.lines.join()).toContain("The values file already pointed to this bundle.");
  });

  test("gets the exported version, and the link that expires, with a warning that says when", async () => {
    await using platform = await startExportPlatform({
      storage: { object, linkLifeMs: 3_600_000 },
      polls: [completedJob],
    });
    const inputs = { "export-version": "v2", "values-version": "export" };
    const { text, warnings, outputs } = await exportWithValues(platform, inputs);
    expect(text).toContain(`bundleUrl: ${JSON.stringify(platform.links.at(-1))}\n  version: "v2"`);
    const time = outputs["expiresAt"];
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(warnings).toEqual([expect.stringContaining(`link in the values file expires at ${time}: a pod`)]);
  });

  /** A platform whose links live for a while, and whose storage lets the download wait first. */
  const startSlow = (waitSeconds: number, linkLifeMs = 100_000) =>
    startExportPlatform({
      storage: {
        object,
        linkLifeMs,
        misbehave: ({ index }) =>
          index > 0
            ? undefined
            : { kind: "answer", status: 503, headers: { "retry-after": String(waitSeconds) } },
      },
      polls: [completedJob],
    });
  const noFreshLink = {
    path: /bundle$/,
    skip: 1,
    fault: { kind: "answer", status: 403 },
    times: Number.POSITIVE_INFINITY,
  } as const;

  test.each([
    // Time passes a thousand times faster while the bundle is downloaded, too.
    [20, 1],
    [260, 2],
  ])(
    "gets a fresh link if a quarter of the first one's 1,000 s is over: after %i s",
    async (seconds, count) => {
      await using platform = await startSlow(seconds, 1_000_000);

      const { text, outputs } = await exportWithValues(platform);

      expect(platform.links).toHaveLength(count);
      expect(text).toContain(JSON.stringify(platform.links.at(-1)));
      expect(outputs).toMatchObject({ bundleUrl: platform.links.at(-1) });
    },
  );

  test("gets no fresh link into a private network, and neither does an output", async () => {
    await using platform = await startSlow(60);
    const body = JSON.stringify({ bundleUrl: "https://169.254.169.254/bundle.tar.gz" });
    platform.faults.add({ ...noFreshLink, fault: { kind: "answer", status: 200, body } });

    const { end, text, outputs } = await exportWithValues(platform);

    expect(end).toMatchObject({ message: expect.stringContaining("leads to 169.254.169.254") });
    expect(text).toBe(before);
    expect(outputs).toMatchObject({ bundleUrl: platform.links.at(-1) });
  });

  test("gets the first link, with a warning, if the platform gives no fresh one", async () => {
    await using platform = await startSlow(60);
    platform.faults.add(noFreshLink);

    const { end, text, warnings } = await exportWithValues(platform);

    expect(end).toMatchObject({ outcome: "exported" });
    expect(text).toContain(JSON.stringify(platform.links[0]));
    expect(warnings[0]).toMatch(/No fresh link to the bundle: .* The last one expires at /);
  });

  test.each(["presigned", ""])(
    "is left alone if its link has expired and the platform gives no fresh one, with %j",
    async (address) => {
      await using platform = await startSlow(0);
      await using artifacts = await startArtifactService();
      platform.faults.add(noFreshLink);
      const pause = { kind: "answer", status: 503, headers: { "retry-after": "60" } } as const;
      artifacts.faults.add({ path: "CreateArtifact", fault: pause, times: 2 });

      const { end, text } = await exportWithValues(
        platform,
        { "values-bundle-url": address, upload: "archive" },
        {},
        artifacts.environment,
      );

      expect(end).toMatchObject({ code: "forbidden" });
      expect(text).toBe(before);
    },
  );

  test.each([
    ["keep", "  version: 1.x # ours\n", "  version: 1.x # ours\n"],
    ["keep", "  version: *pinned\n", "  version: *pinned\n"],
    ["keep", "", ""],
    ["job", "  version: 1.x # ours\n", '  version: "se_1" # ours\n'],
    ["export", "  version: 1.x # ours\n", '  version: "v2" # ours\n'],
    ["export", "", '  version: "v2"\n'],
  ])("with `values-version: %s` and %j has then %j", async (valuesVersion, pinned, expected) => {
    await using platform = await startCompleted();
    const file = (version: string, url: string) =>
      `release: &pinned "1.x"\nstaticExport:\n  enabled: true\n  bundleUrl: "${url}"\n${version}`;
    const inputs = { ...durable, "export-version": "v2", "values-version": valuesVersion };
    const { text } = await exportWithValues(platform, inputs, { content: file(pinned, "") });
    expect(text).toBe(file(expected, durable["values-bundle-url"]));
  });

  test("of a repository gets such a link only where that is asked for, else nothing is exported", async () => {
    await using platform = await startCompleted();
    const refused = await exportWithValues(platform, {}, { isRepository: true });
    expect(refused.end).toMatchObject({ code: "invalid-input" });
    expect(refused.text).toBe(before);
    expect(platform.requests).toEqual([]);
    const presigned = { "values-bundle-url": "presigned" };
    const { text } = await exportWithValues(platform, presigned, { isRepository: true });
    expect(text).toContain(JSON.stringify(platform.links.at(-1)));
  });

  test("is left alone when the bundle is not whole", async () => {
    await using platform = await startCompleted(tarGz.subarray(0, tarGz.length - 9));
    const { end, text } = await exportWithValues(platform, durable);
    expect(end).toMatchObject({ code: "bundle-corrupt" });
    expect(text).toBe(before);
  });

  test("whose version is shared is refused before the export starts, unless the version is kept", async () => {
    await using platform = await startCompleted();
    const content = 'staticExport:\n  bundleUrl: ""\n  version: &release "1.x"\nrelease: *release\n';
    const inputs = (valuesVersion: string) => ({ ...durable, "values-version": valuesVersion });
    const refused = await exportWithValues(platform, inputs("job"), { content });
    expect(refused.end).toMatchObject({ code: "invalid-input" });
    expect(platform.requests).toEqual([]);
    const kept = await exportWithValues(platform, inputs("keep"), { content });
    expect(kept.end).toMatchObject({ outcome: "exported" });
    expect(kept.text).toContain('version: &release "1.x"\n');
  });

  test.each([
    ["that is not UTF-8", path, Buffer.from("# caf\xe9\nname: \xe9\n", "latin1"), "UTF-8"],
    ["that is missing", "missing.yaml", before, "cannot be read"],
    ["outside the workspace", "../values.yaml", before, "cannot be read"],
  ])("%s is refused before anything is exported", async (_name, file, content, message) => {
    await using platform = await startCompleted();
    const { end, left } = await exportWithValues(platform, { "values-file": file }, { content });
    expect(end).toMatchObject({ code: "invalid-input", message: expect.stringContaining(message) });
    expect(left[path]).toEqual(Buffer.from(content));
    expect(platform.requests).toEqual([]);
  });
});
