import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { AgentJob } from "../../src/client/contract.ts";
import { PlatformError } from "../../src/client/errors.ts";
import {
  createJob,
  followAgentJob,
  type RequestBaseline,
  readJob,
  resolveJobOutcome,
  verifyPullRequestLink,
} from "../../src/commands/agent-job.ts";
import { signingKeyOf } from "../../src/commands/connect-github.ts";
import { introducePullRequest } from "../../src/github/pull-requests.ts";
import { createRecordSigner } from "../../src/github/record-signer.ts";
import { renderPullRequestIntroduction } from "../../src/presentation/status-comment.ts";
import { connectRun, connectTo } from "../support/connect-github.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { type Permissions, startGitHubStandIn } from "../support/github-stand-in.ts";
import { createRecordingRun } from "../support/recording-run.ts";

const unexpected = () => Promise.reject(new Error("not expected"));
const silentPlatform = {
  createAgentJob: unexpected,
  messageAgentJob: unexpected,
  getAgentJob: unexpected,
};
const baseUrl = new URL("https://api.example.com");
const anyProject = { projectId: "prj_1", inputs: { baseUrl, jobId: undefined } };

/** Sends a follow-up to a job that takes no message. */
async function followUp(
  refusal: PlatformError,
  job: AgentJob | PlatformError = { status: "active" },
  namedJobId?: string,
) {
  const sent: string[] = [];
  const platform = {
    async messageAgentJob(_project: string, id: string) {
      sent.push(`message to ${id}`);
      throw refusal;
    },
    async getAgentJob() {
      if (job instanceof PlatformError) throw job;
      return job;
    },
    async createAgentJob() {
      sent.push("new job");
      return { id: "job_2", status: "active" };
    },
  };
  const run = createRecordingRun();
  const agent = { platform, projectId: "prj_1", inputs: { baseUrl, jobId: namedJobId }, run };
  const created = createJob("Add an example.", "job_1", agent);
  const result = await created.catch((error: unknown) => error);
  return { result, sent, log: run.log.lines, outputs: run.outputs };
}

const conflict = new PlatformError("conflict", "409", { status: 409 });

test.each([{}, { status: "active" }, { id: "" }])(
  "a response that names no job may be of one that runs: %j",
  async (response) => {
    const run = createRecordingRun();
    const platform = { ...silentPlatform, createAgentJob: async () => response };

    const created = createJob("Hi.", undefined, { ...anyProject, platform, run });

    await expect(created).rejects.toMatchObject({ code: "unexpected-response", maybeSubmitted: true });
    expect(run.outputs).toStrictEqual({});
  },
);

describe("a follow-up", () => {
  test.each([404, 405, 410])("is a new job on a platform without messages: %i", async (status) => {
    const { result, sent, log, outputs } = await followUp(new PlatformError("not-found", "no", { status }));

    expect(result).toMatchObject({ jobId: "job_2", isFollowUp: false });
    expect(outputs).toStrictEqual({ jobId: "job_2", status: "active" });
    expect(log).toStrictEqual([
      "info: Agent job job_1 accepts no further messages; starting a new job.",
      "info: Agent job job_2 is created.",
    ]);
    expect(sent).toStrictEqual(["message to job_1", "new job"]);
  });

  test.each([
    ["an archived job", conflict, { status: "archived" }],
    [
      "a platform without messages",
      new PlatformError("not-found", "no", { status: 404 }),
      { status: "active" },
    ],
  ])("to a job that the workflow names starts no other: %s", async (_, refusal, job) => {
    const { result, sent } = await followUp(refusal, job, "job_1");

    expect(result).toMatchObject({
      code: "conflict",
      message: expect.stringContaining("job_1 cannot be continued"),
    });
    expect(sent).toStrictEqual(["message to job_1"]);
  });

  test.each([{ status: "active" }, {}, new PlatformError("unavailable", "502")])(
    "waits where its job is busy, or cannot be read: %j",
    async (job) => {
      const { result, sent } = await followUp(conflict, job);

      expect([result, sent]).toStrictEqual(["busy", ["message to job_1"]]);
    },
  );

  test("is a new job where its own has ended and takes no messages", async () => {
    const { result, sent } = await followUp(conflict, { status: "completed" });

    expect(result).toMatchObject({ jobId: "job_2", isFollowUp: false });
    expect(sent).toStrictEqual(["message to job_1", "message to job_1", "new job"]);
  });

  test.each([{ status: "Archived" }, new PlatformError("not-found", "404", { isFromApi: true })])(
    "is a new job where its own is archived or gone: %j",
    async (job) => {
      const { result } = await followUp(conflict, job);

      expect(result).toMatchObject({ jobId: "job_2", isFollowUp: false });
    },
  );

  test.each([
    ["a refusal", new PlatformError("forbidden", "403", { status: 403 })],
    ["a lost answer", new PlatformError("unreachable", "cut", { maybeSubmitted: true })],
  ])("is sent no second time after %s", async (_, refusal) => {
    const { result, sent } = await followUp(refusal);

    expect(result).toBeInstanceOf(PlatformError);
    expect(sent).toStrictEqual(["message to job_1"]);
  });
});

const prLink = "https://github.localhost/octo-org/widgets/pull/12";
const completed: AgentJob = { id: "job_1", status: "completed", prLink };
const withoutLink: AgentJob = { ...completed, prLink: null };

/** Follows a job whose polls are answered in turn; the last answer repeats. */
async function follow(
  polls: readonly (AgentJob | Error)[],
  created?: AgentJob,
  isFollowUp = false,
  timeoutMs = 3_600_000,
) {
  let count = 0;
  const platform = {
    async getAgentJob() {
      const answer = polls[Math.min(count, polls.length - 1)];
      count += 1;
      if (answer instanceof Error || answer === undefined) throw answer ?? new Error("no more polls");
      return answer;
    },
  };
  const clock = createFakeClock();
  const run = createRecordingRun({ clock, deadlineMs: clock.now() + timeoutMs });
  const start = created ? { jobId: "job_1", job: created, isFollowUp } : run.clock.now() - 7_200_000;
  const agent = { ...anyProject, platform: { ...silentPlatform, ...platform }, run };
  const job = await followAgentJob(agent, "job_1", start);
  return { job, run, waits: clock.waits, polls: count };
}

describe("a followed job", () => {
  test("of an earlier run is polled without a wait", async () => {
    const { waits } = await follow([completed]);

    expect(waits.every((wait) => wait === 0)).toBe(true);
  });

  test("that ended with its creation is not polled", async () => {
    const { job, polls } = await follow([], completed);

    expect([job, polls]).toStrictEqual([completed, 0]);
  });

  test("reports each status as an output, and documented ones without a warning", async () => {
    const { run } = await follow([{ status: "active" }, completed]);

    expect(run.facts).toStrictEqual(["status=active", "status=completed"]);
    expect(run.log.lines.filter((line) => line.startsWith("warning"))).toStrictEqual([]);
  });

  test("may lack fields, have unknown statuses and fail in passing", async () => {
    const polls = [{}, { status: "thinking" }, new PlatformError("unavailable", "502"), completed];

    expect((await follow(polls)).job).toStrictEqual(completed);
  });

  test("with an empty status is logged as one without a status", async () => {
    const { run } = await follow([AgentJob.parse({ status: "" }), completed]);

    expect(run.log.lines.join("\n")).toContain("has no status; still waiting");
    expect(run.log.lines.join("\n")).toContain("without a status");
    expect(run.facts).toStrictEqual(["status=completed"]);
  });

  test("with an unknown status of any length is logged as one short line", async () => {
    const status = `thinking\nhard ${"x".repeat(70_000)}`;

    const { run } = await follow([AgentJob.parse({ status }), completed]);

    expect(run.log.lines.join("\n")).toContain("thinking hard xxx");
    expect(Math.max(...run.log.lines.map((line) => line.length))).toBeLessThan(400);
  });

  test.each<[string, (AgentJob | PlatformError)[], AgentJob | undefined, AgentJob, number]>([
    ["names its pull request a moment later", [withoutLink, completed], undefined, completed, 2],
    ["names none then either", [withoutLink], undefined, withoutLink, 2],
    [
      "cannot be polled at first",
      [withoutLink, new PlatformError("unavailable", "502"), completed],
      undefined,
      completed,
      3,
    ],
    ["names it after the answer that created it", [completed], withoutLink, completed, 1],
    ["was continued", [withoutLink, { status: "active" }, withoutLink, completed], withoutLink, completed, 4],
  ])("that is completed without a pull request and %s", async (_name, answers, created, expected, count) => {
    const { job, polls } = await follow(answers, created, answers.length === 4);

    expect([job, polls]).toStrictEqual([expected, count]);
  });

  test("that is completed without a pull request at the deadline has none", async () => {
    const { job, polls } = await follow([withoutLink], undefined, false, 0);

    expect([job, polls]).toStrictEqual([withoutLink, 1]);
  });

  test("that was continued has not ended with its former end", async () => {
    const archived = { ...completed, status: "archived" };

    const { job } = await follow([completed, { status: "active" }, archived], completed, true);

    expect(job).toStrictEqual(archived);
  });
});

const home = {
  api: connectTo("http://127.0.0.1:9"),
  serverUrl: new URL("https://github.com"),
  platformOrigin: "https://platform.example",
};

describe("a reported pull request", () => {
  test.each([
    ["https://github.com/octo-org/widgets/pull/12", undefined],
    ["https://github.com/Octo-Org/Widgets/pull/12/", undefined],
    ["https://github.com/octo-org/widgets/pull/12?x=1#issuecomment-1", undefined],
    ["https://github.com/octo-org/site/pull/12", "https://github.com/octo-org/site"],
    ["https://github.com/octo-org/site/pull/12", "https://github.com/octo-org/site.git"],
    ["https://github.com/octo-org/site/pull/12", "octo-org/site"],
    ["https://github.com/octo-org/site/pull/12", "GitHub.com/octo-org/site/"],
    ["https://github.com/octo-org/site/pull/12", "git@github.com:octo-org/site.git"],
    ["https://github.com/octo-org/site/pull/12", "ssh://git@github.com/octo-org/site.git"],
    ["https://github.com/octo-org/site/pull/12", "https://x-access-token:t@github.com/octo-org/site"],
  ])("accepts %s of a job on %s", (link, source) => {
    expect(verifyPullRequestLink(link, source, home)).toMatchObject({
      kind: "pull-request",
      number: 12,
    });
  });

  test.each(["http", "https"])("accepts %s on a server that is reached by http", (scheme) => {
    const server = { ...home, serverUrl: new URL("http://ghes.example") };
    const link = `${scheme}://ghes.example/octo-org/widgets/pull/12`;
    expect(verifyPullRequestLink(link, undefined, server)).toMatchObject({ kind: "pull-request", url: link });
  });

  test("drops query and fragment from what is shown", () => {
    expect(
      verifyPullRequestLink("https://github.com/octo-org/widgets/pull/12?x=1#y", undefined, home),
    ).toMatchObject({
      url: "https://github.com/octo-org/widgets/pull/12",
    });
  });

  test.each([
    ["javascript:alert(1)", undefined],
    ["not an address", undefined],
    ["http://github.com/octo-org/widgets/pull/12", undefined],
    ["https://github.com.evil.example/octo-org/widgets/pull/12", undefined],
    ["https://evil.example/octo-org/widgets/pull/12", "https://evil.example/octo-org/widgets"],
    ["https://user@github.com/octo-org/widgets/pull/12", undefined],
    ["https://:password@github.com/octo-org/widgets/pull/12", undefined],
    ["https://github.com/octo-org/widgets/issues/12", undefined],
    ["https://github.com/octo-org/widgets/pull/12/files", undefined],
    ["https://github.com/octo-org/other/pull/12", undefined],
    ["https://github.com/octo-org/other/pull/12", "https://gitlab.com/octo-org/other"],
    ["https://github.com/octo-org/other/pull/12", "git@evil.example:octo-org/other.git"],
    ["https://github.com/octo-org/other/pull/12", "https://evil.example/github.com/octo-org/other"],
    ["https://github.com/octo-org/other/pull/12", "https://github.com@evil.example/octo-org/other"],
    ["https://github.com/octo-org/widgets/pull/0", undefined],
    ["https://github.com/octo-org/widgets/pull/00", undefined],
    ["http://127.0.0.1:8080/pulls/1", undefined],
  ])("refuses %s of a job on %s", (link, source) => {
    expect(verifyPullRequestLink(link, source, home)).toMatchObject({ kind: "mismatch" });
  });

  test("names each repository that it may belong to once", () => {
    const link = "https://github.com/octo-org/other/pull/12";

    expect(verifyPullRequestLink(link, "octo-org/widgets", home)).toMatchObject({
      reason: "it belongs to octo-org/other, not to octo-org/widgets",
    });
  });

  test("accepts any repository of the server where none is known", () => {
    const { api: _, ...anywhere } = home;
    const link = "https://github.com/octo-org/other/pull/12";

    expect(verifyPullRequestLink(link, undefined, anywhere)).toMatchObject({ url: link });
    expect(verifyPullRequestLink(link, "octo-org/docs", anywhere)).toMatchObject({ kind: "mismatch" });
  });

  test("accepts a page of a platform on this machine, and of no other", () => {
    const local = { ...home, platformOrigin: "http://127.0.0.1:8080" };

    expect(verifyPullRequestLink("http://127.0.0.1:8080/pulls/1", undefined, local)).toMatchObject({
      kind: "local-page",
    });
    expect(verifyPullRequestLink("http://127.0.0.1:9090/pulls/1", undefined, local)).toMatchObject({
      kind: "mismatch",
    });
  });
});

describe("the status of an earlier job", () => {
  const read = (code: "unauthorized" | "forbidden" | "not-found" | "unavailable", isFromApi = false) => {
    const getAgentJob = () => Promise.reject(new PlatformError(code, "no", { isFromApi }));
    const platform = { ...silentPlatform, getAgentJob };
    return readJob("job-1", { ...anyProject, run: createRecordingRun(), platform });
  };

  test.each(["unauthorized", "forbidden"] as const)(
    "is no status if the key is refused: %s",
    async (code) => {
      await expect(read(code)).rejects.toMatchObject({ code });
    },
  );

  test("is unknown if the platform cannot say it, and absent if the job is", async () => {
    expect(await read("unavailable")).toEqual({});
    expect(await read("not-found")).toEqual({});
    expect(await read("not-found", true)).toBeUndefined();
  });
});

describe("the end of a job", () => {
  const openedMs = Date.UTC(2026, 0, 1);
  const accepted = { pullRequest: { url: prLink, number: 12 } };
  const foreign = "https://github.localhost/octo-org/other/pull/12";
  const refused = /not accepted: it belongs to octo-org\/other, not to octo-org\/widgets/;

  /** The end of a job of a repository that has pull request 12. */
  async function endOf(
    job: AgentJob,
    baseline: RequestBaseline = {},
    permissions: Permissions = { "pull-requests": "write", contents: "read" },
  ) {
    await using github = await startGitHubStandIn({ clock: () => openedMs });
    while (github.openPullRequest({ author: "agent[bot]", head: "docs/a" }).number < 12);
    const api = connectRun(github, permissions);
    const serverUrl = new URL("https://github.localhost");
    const policy = { api, serverUrl, platformOrigin: "https://p.example" };
    return await resolveJobOutcome("job_1", job, policy, baseline);
  }

  test.each([
    [120_000, {}, "pull-request"],
    [120_001, {}, "failed"],
    [120_001, { pullRequestUrl: prLink }, "pull-request"],
    [0, { pullRequestUrl: prLink, headBefore: "a" }, "updated"],
    [0, { pullRequestUrl: `${prLink}3`, headBefore: "a" }, "pull-request"],
  ])(
    "whose pull request was opened %i ms before the request, of %j, is %s",
    async (ms, baseline, outcome) => {
      const since = new Date(openedMs + ms).toISOString();

      const end = await endOf({ id: "job_1", status: "completed", prLink }, { since, ...baseline });

      expect(end.outcome).toBe(outcome);
      if (outcome === "failed") expect(end.error?.message).toContain("it is older than the job");
    },
  );

  test("is no update where GitHub does not show the pull request", async () => {
    const baseline = { pullRequestUrl: prLink, headBefore: "a" };

    const end = await endOf({ status: "completed", prLink }, baseline, { contents: "read" });

    expect(end).toMatchObject({ outcome: "pull-request", pullRequest: { url: prLink, number: 12 } });
  });

  test("that pushed a branch for which its platform can open no pull request names the branch", async () => {
    const source = { repository: "https://git.example/docs.git", ref: "docs-agent/\naj_1" };
    const job = { id: "job_1", status: "completed", prLink: null, source };

    const pushed = await endOf({ ...job, compareLink: null });
    const unchanged = await endOf(job);
    const silent = await endOf({ ...job, lastOutput: "\u200b \n" });
    const explained = await endOf({ ...job, lastOutput: "All links\nwork." });

    expect(pushed).toEqual({
      outcome: "no-pull-request",
      note: "Its changes are on the branch docs-agent/ aj_1.",
    });
    expect([unchanged, silent]).toEqual([{ outcome: "no-pull-request" }, { outcome: "no-pull-request" }]);
    expect(explained).toEqual({
      outcome: "no-pull-request",
      note: "The agent's last output: All links work.",
    });
  });

  test("without new commits shows why, if the platform has the agent's output", async () => {
    const job = { status: "completed", prLink, lastOutput: "The page is right." };
    const baseline = { pullRequestUrl: prLink, headBefore: "a" };

    const updated = await endOf(job, baseline);
    const headBefore = updated.pullRequest?.pull?.headSha ?? "";
    const unchanged = await endOf(job, { ...baseline, headBefore });

    expect(unchanged).toMatchObject({
      outcome: "unchanged",
      note: "The agent's last output: The page is right.",
    });
    expect(updated.note).toBeUndefined();
  });

  test.each<[string, string | null, object]>([
    ["completed", prLink, { outcome: "pull-request", ...accepted }],
    ["archived", prLink, { outcome: "pull-request", ...accepted, note: expect.stringContaining("archived") }],
    ["failed", prLink, { outcome: "failed", error: { code: "job-failed" }, ...accepted }],
    ["completed", null, { outcome: "no-pull-request" }],
    ["archived", null, { outcome: "archived", error: { code: "job-failed" } }],
    ["failed", null, { outcome: "failed", error: { code: "job-failed" } }],
    [
      "completed",
      foreign,
      {
        outcome: "failed",
        error: { code: "pull-request-mismatch", message: expect.stringMatching(refused) },
      },
    ],
    [
      "completed",
      "https://github.localhost/octo-org/widgets/pull/99",
      {
        outcome: "failed",
        error: { code: "pull-request-mismatch", message: expect.stringMatching(/does not exist at GitHub/) },
      },
    ],
    [
      "archived",
      foreign,
      {
        outcome: "archived",
        error: { code: "pull-request-mismatch", message: expect.stringMatching(refused) },
      },
    ],
    [
      "failed",
      foreign,
      { outcome: "failed", error: { code: "job-failed", message: expect.stringMatching(refused) } },
    ],
  ])("that is %s and reports %s", async (status, link, expected) => {
    const end = await endOf({ id: "job_1", status, prLink: link });

    expect(end).toMatchObject(expected);
    expect(JSON.stringify([end, end.error?.message])).not.toContain(foreign);
  });

  test.each(["failed", "archived"])("that is %s tells the platform's reason", async (status) => {
    const end = await endOf({ id: "job_1", status, failureReason: "out of credits" });

    expect(end.error?.message).toBe(
      `Agent job job_1 ${status === "failed" ? "" : "is "}${status}: out of credits.`,
    );
  });
});

/** A run whose job has these permissions, on a repository with one pull request of the agent. */
async function openScene(permissions: Permissions, signal = new AbortController().signal) {
  const github = await startGitHubStandIn();
  const run = createRecordingRun({ signal });
  const { log } = run;
  const api = connectRun(github, permissions, { log, signal });
  const identity = { login: "github-actions[bot]", id: 1, isBot: true };
  const pull = github.openPullRequest({ author: "agent[bot]", head: "docs/a" });
  const deps = { api, identity, signer: createRecordSigner("svc_key-one") };
  const text = renderPullRequestIntroduction("job-1", undefined, "/docs");
  const introduction = { number: pull.number, text, openedBy: { project: "prj_1", jobId: "job-1" } };
  const introduce = () => introducePullRequest(introduction, deps, run);
  return { github, log, pull, introduce, [Symbol.asyncDispose]: () => github[Symbol.asyncDispose]() };
}

describe("introducing a pull request of the agent", () => {
  test("says which job made it and how to reach the agent", async () => {
    await using scene = await openScene({ "pull-requests": "write" });

    await scene.introduce();

    const [comment] = scene.github.commentsOn(scene.pull.number);
    expect(comment?.body).toMatch(/job-1.*\/docs/);
    expect(scene.log.shown).toStrictEqual([]);
  });

  test("outlasts a moment in which GitHub does not find the new pull request", async () => {
    await using scene = await openScene({ "pull-requests": "write" });
    const fault = { kind: "answer", status: 404, body: `{"message":"Not Found"}` } as const;
    scene.github.faults.add({ path: `/issues/${scene.pull.number}/comments`, fault });

    await scene.introduce();

    expect(scene.github.commentsOn(scene.pull.number)).toHaveLength(1);
    expect(scene.log.shown).toStrictEqual([]);
  });

  test("is a warning that names the permission where the token may not comment", async () => {
    await using scene = await openScene({ "pull-requests": "read" });

    await scene.introduce();

    expect(scene.log.shown.join("\n")).toMatch(/^warning: Pull request #\d+: .*: write/);
  });

  test("ends a run that was cancelled meanwhile", async () => {
    const cancelled = new Error("cancelled");
    await using scene = await openScene({ "pull-requests": "write" }, AbortSignal.abort(cancelled));

    await expect(scene.introduce()).rejects.toBe(cancelled);
  });
});

test("with the embedded platform, a key of one's own signs records that no other run can make", () => {
  const signerOf = (apiKey: string | undefined) => createRecordSigner(signingKeyOf("agent", apiKey, "101"));
  const forged = signerOf(undefined).sign("stop", "thread");
  const readBy = (apiKey: string | undefined) => signerOf(apiKey).read(forged, z.string(), ["thread"]).kind;
  expect(readBy(undefined)).toBe("valid");
  expect(readBy("a random secret")).toBe("other-key");
});
