/**
 * The promise of the agent command: over every misfortune at every request, and a run after it, at most one job is
 * created, and the status comment ends true.
 */
import { describe, expect, test } from "vitest";
import { type AgentPlatform, startAgentPlatform } from "../support/agent-platform.ts";
import { listStrikes, type Misfortune, type Strike } from "../support/fault-replay.ts";
import type { Fault } from "../support/faults.ts";
import { type GitHubStandIn, startGitHubStandIn } from "../support/github-stand-in.ts";
import { createActionJob } from "../support/run-action.ts";
import type { WorkflowRun } from "../support/runner-environment.ts";

const apiKey = "svc_admin-key-of-this-test";
const tenMinutes = 600_000;

interface Scene extends AsyncDisposable {
  readonly github: GitHubStandIn;
  readonly platform: AgentPlatform;
  readonly triggered: Partial<WorkflowRun>;
  /** What people read of the request's state; several where more than one place tells of it. */
  readonly statuses: () => (string | undefined)[];
  /** Lets ten minutes pass: leases end. */
  passTime(): void;
}

type SceneKind = "comment" | "reply" | "push";

/** A request, and an agent that opens a pull request for every job at once. */
async function setScene(kind: SceneKind): Promise<Scene> {
  await using stack = new AsyncDisposableStack();
  let shiftMs = 0;
  const github = stack.use(await startGitHubStandIn({ clock: () => Date.now() + shiftMs }));
  github.addPerson("mona", "write");
  const issue = github.addIssue({ author: "alice", title: "Retries", body: "How often?" });
  const discussion = github.addDiscussion({ author: "alice", title: "Retries", body: "How often?" });
  const nextNumber = discussion.number + 1;
  const platform = stack.use(
    await startAgentPlatform({
      looks: [
        { status: "completed", prLink: `https://github.localhost/octo-org/widgets/pull/${nextNumber}` },
      ],
      onCreate({ id, prompt }) {
        const reference = /Reference: (docs-automation-\w+)/.exec(prompt)?.[1];
        github.openPullRequest({ author: "agent[bot]", head: `docs/${id}`, body: `Reference: ${reference}` });
      },
    }),
  );
  const request = {
    comment: () => commentOn(issue.number, github),
    reply: () => replyIn(discussion.number, github),
    push: () => pushTo(github),
  }[kind]();
  const owned = stack.move();
  return {
    ...request,
    github,
    platform,
    passTime() {
      shiftMs = tenMinutes;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** `/docs …` on an issue; its status comments are told by their titles. */
function commentOn(issue: number, github: GitHubStandIn): Pick<Scene, "triggered" | "statuses"> {
  const comment = github.addComment({ issue, author: "mona", body: "/docs explain retries" });
  return {
    triggered: github.events.issueComment(comment),
    statuses: () =>
      github
        .commentsOn(issue)
        .filter(({ author }) => author === "github-actions[bot]")
        .map(({ body }) => /^### Docs agent: (.*)$/m.exec(body)?.[1]),
  };
}

/** `/docs …` in a reply on a discussion, whose thread holds the status comments. */
function replyIn(discussion: number, github: GitHubStandIn): Pick<Scene, "triggered" | "statuses"> {
  const { id: replyTo } = github.addDiscussionComment({ discussion, author: "alice", body: "Retries" });
  const asked = { discussion, author: "mona", body: "/docs explain retries", replyTo };
  return {
    triggered: github.events.discussionComment(github.addDiscussionComment(asked)),
    statuses: () =>
      [...github.state.discussionComments.values()]
        .filter((comment) => comment.author === "github-actions[bot]" && comment.replyTo === replyTo)
        .map(({ body }) => /^### Docs agent: (.*)$/m.exec(body)?.[1]),
  };
}

/** A push; of its commit statuses GitHub shows the newest. */
function pushTo(github: GitHubStandIn): Pick<Scene, "triggered" | "statuses"> {
  const before = github.state.refs.get("refs/heads/main") ?? "";
  const after = github.addCommit({ message: "Retry twice", files: ["src/retry.ts"], author: "mona" });
  return {
    triggered: { ...github.events.push({ before, after, sender: "mona" }), sha: after },
    statuses: () => github.state.statuses.slice(-1).map(({ description }) => titleOf(description ?? "")),
  };
}

function titleOf(description: string): string | undefined {
  return /^Docs agent: (.*?)(?: #\d+)?(?:, job .*)?$/.exec(description)?.[1];
}

function createJob({ github, platform, triggered }: Scene, run: Partial<WorkflowRun> = {}) {
  const token = github.runToken({
    issues: "write",
    "pull-requests": "write",
    contents: "read",
    statuses: "write",
    discussions: "write",
  });
  return createActionJob({
    inputs: { command: "agent", "base-url": platform.url, "api-key": apiKey, "project-id": "prj_1" },
    run: { ...github.run, ...triggered, token, ...run },
  });
}

/** The fault behind a misfortune; a cancelled run's requests are late, but arrive. */
function faultOf(misfortune: Misfortune, ended: Promise<unknown>): Fault {
  if (misfortune.kind === "fault") return misfortune.fault;
  if (misfortune.kind === "kill") return { kind: "reset", when: misfortune.when };
  return { kind: "hold", until: misfortune.when === "before" ? ended : Promise.resolve() };
}

/** Runs the action while one of its requests is struck; returns everything that people could read. */
async function runStruck(scene: Scene, { server, request, misfortune }: Strike): Promise<string> {
  await using job = await createJob(scene);
  const step = await job.startMain();
  const onMeet = () => {
    if (misfortune.kind === "kill") step.signal("SIGKILL");
    if (misfortune.kind === "cancel") void step.cancel();
  };
  scene[server].faults.add({ skip: request, fault: faultOf(misfortune, step.result), onMeet });
  const main = await step.result;
  scene.github.faults.clear();
  scene.platform.faults.clear();
  if (misfortune.kind === "kill") return main.visibleText;
  const post = await job.post();
  return main.visibleText + post.visibleText;
}

async function runAgain(scene: Scene, next: Strike["next"]) {
  await using job = await createJob(scene, next === "attempt" ? { runAttempt: 2 } : { runId: 8_002 });
  const { visibleText, outputs } = await job.main();
  return { text: visibleText, outcome: outputs["outcome"] };
}

/** Whether an answer never came, which leaves open whether a mutation was carried out. */
function isCut({ kind }: Fault): boolean {
  return kind === "reset";
}

async function countRequests(kind: SceneKind): Promise<Record<"github" | "platform", number>> {
  await using scene = await setScene(kind);
  await using job = await createJob(scene);
  const { outputs, log } = await job.main();
  expect(outputs, log).toMatchObject({ outcome: "pull-request" });
  return { github: scene.github.requests.length, platform: scene.platform.requests.length };
}

async function strikeAndRunAgain(kind: SceneKind, strike: Strike): Promise<void> {
  await using scene = await setScene(kind);

  const seen = await runStruck(scene, strike);
  scene.passTime();
  const again = await runAgain(scene, strike.next);

  const titles = scene.statuses();
  const story = `${seen}\n--- again ---\n${again.text}`;
  expect(scene.platform.created.length, story).toBeLessThanOrEqual(1);
  expect(titles, story).toHaveLength(1);
  expect(["pull request", "unknown"], story).toContain(titles[0]);
  expect(titles[0] === "pull request", story).toBe(scene.platform.created.length === 1);
  expect(again.outcome, story).toBe(titles[0] === "unknown" ? "unknown" : "pull-request");
  expect(story).not.toContain(apiKey);
}

describe.concurrent("a comment's run that is struck and run again", async () => {
  const strikes = listStrikes(await countRequests("comment"));

  test.each(strikes)("$name", (strike) => strikeAndRunAgain("comment", strike));
});

/** GraphQL is all that a discussion has; the platform is asked the same as for a comment. */
describe.concurrent("the run of a reply on a discussion that is struck and run again", async () => {
  const strikes = listStrikes(await countRequests("reply")).filter(({ server }) => server === "github");
  const telling = strikes.filter(({ misfortune }) => misfortune.kind !== "fault" || isCut(misfortune.fault));

  test.each(telling)("$name", (strike) => strikeAndRunAgain("reply", strike));
});

/** The record's other home is struck where it differs: around the submission, and by kills everywhere. */
describe.concurrent("a push's run that is struck and run again", async () => {
  const strikes = listStrikes(await countRequests("push"));
  const telling = strikes.filter(
    ({ server, misfortune }) => server === "platform" || misfortune.kind === "kill",
  );

  test.each(telling)("$name", (strike) => strikeAndRunAgain("push", strike));
});
