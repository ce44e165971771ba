/** The agent command's replay: its scenes, and what must hold after a run with a fault and the run after it. */
import { expect } from "vitest";
import { finishAgent, runAgent } from "../../src/commands/agent.ts";
import { type AgentScene, apiKey, openAgentPull, permissions, setAgentScene } from "./agent-scene.ts";
import {
  type FaultPoint,
  type ReplayScene,
  runAgain,
  runHere,
  runWithFault,
  type SentRequests,
} from "./fault-replay.ts";
import { type GitHubStandIn, secondaryRateLimit } from "./github-stand-in.ts";

const command = { name: "agent", run: runAgent, finish: finishAgent } as const;
const tenMinutes = 600_000;

type SceneKind = "comment" | "follow-up" | "reply" | "review" | "push";

interface Scene extends Pick<ReplayScene, "triggered"> {
  /** What people read of the request's state; several where more than one place tells of it. */
  readonly statuses: () => (string | undefined)[];
}

/** What a run of the request leads to without a failure. */
const successOf = (kind: SceneKind) =>
  kind === "follow-up"
    ? { title: "updated", outcome: "updated" }
    : { title: "pull request ready", outcome: "pull-request" };

/** Jobs that the request may create, and messages that it may send: what must not be done twice. */
const submissionsOf = (kind: SceneKind, { created, messages }: AgentScene["platform"]) =>
  kind === "follow-up" ? created.length - 1 + messages.length : created.length + messages.length;

/** A request, and an agent that opens a pull request for every job at once; its platform shows it a moment after the job's end. */
async function setScene(kind: SceneKind): Promise<AgentScene & ReplayScene & Scene> {
  const prLink = `https://github.localhost/octo-org/widgets/pull/${kind === "review" ? 4 : 3}`;
  const scene = await setAgentScene({
    // The issue is number 1, the discussion number 2.
    polls: [{ status: "completed" }, { status: "completed", prLink }],
    onCreate: (github, prompt) => void openAgentPull(github, prompt),
    onMessage: (github) => void github.addCommit({ branch: "docs/agent", author: "agent[bot]" }),
  });
  const { github, platform } = scene;
  const about = { author: "alice", title: "Retries", body: "How often?" };
  const issue = github.addIssue(about);
  const discussion = github.addDiscussion(about);
  const inputs = { "base-url": platform.url, "api-key": apiKey, "project-id": "prj_1" };
  const replayed = {
    ...scene,
    inputs,
    permissions,
    servers: { github, platform },
  };
  if (kind === "follow-up") await runHere(command, { ...replayed, ...commentOn(issue.number, github) });
  const request = {
    comment: () => commentOn(issue.number, github),
    "follow-up": () => commentOn(issue.number, github),
    reply: () => replyIn(discussion.number, github),
    review: () => replyOnDiff(github),
    push: () => pushTo(github),
  }[kind]();
  return { ...replayed, ...request };
}

/** `/docs …` on an issue; its status comments are identified by their titles. */
function commentOn(issue: number, github: GitHubStandIn): Scene {
  const comment = github.addComment({ issue, author: "mona", body: "/docs explain retries" });
  return {
    triggered: github.events.issueComment(comment),
    statuses: () =>
      github
        .commentsOn(issue)
        .filter(({ author, id }) => author === "github-actions[bot]" && id > comment.id)
        .map(({ body }) => /^### \S+ Docs agent: (.*)$/m.exec(body)?.[1]),
  };
}

/** `/docs …` in a reply on a discussion, whose thread holds the status comments. */
function replyIn(discussion: number, github: GitHubStandIn): Scene {
  const { id: replyTo } = github.addDiscussionComment({ discussion, author: "alice", body: "Retries" });
  const asked = { discussion, author: "mona", body: "/docs explain retries", replyTo };
  return {
    triggered: github.events.discussionComment(github.addDiscussionComment(asked)),
    statuses: () =>
      [...github.state.discussionComments.values()]
        .filter((comment) => comment.author === "github-actions[bot]" && comment.replyTo === replyTo)
        .map(({ body }) => /^### \S+ Docs agent: (.*)$/m.exec(body)?.[1]),
  };
}

/** `/docs …` in a review thread, which holds the status comments. */
function replyOnDiff(github: GitHubStandIn): Scene {
  const pull = github.openPullRequest({ author: "alice", head: "retries" }).number;
  const { id: inReplyTo } = github.addReviewThread({ pull, author: "alice", body: "Retries?" });
  const asked = { pull, author: "mona", body: "/docs explain retries", inReplyTo };
  return {
    triggered: github.events.reviewComment(github.addReviewComment(asked)),
    statuses: () =>
      [...github.state.reviewComments.values()]
        .filter((comment) => comment.author === "github-actions[bot]" && comment.inReplyTo === inReplyTo)
        .map(({ body }) => /^### \S+ Docs agent: (.*)$/m.exec(body)?.[1]),
  };
}

/** A push; of its commit statuses GitHub shows the newest. */
function pushTo(github: GitHubStandIn): Scene {
  const before = github.state.refs.get("refs/heads/main") ?? "";
  const after = github.addCommit({ message: "Retry twice", files: ["src/retry.ts"], author: "mona" });
  const titleOf = (description: string) =>
    /^Docs agent: (.*?)(?: #\d+)?(?:, job .*)?$/.exec(description)?.[1];
  return {
    triggered: { ...github.events.push({ before, after, sender: "mona" }), sha: after },
    statuses: () => github.state.statuses.slice(-1).map(({ description }) => titleOf(description ?? "")),
  };
}

/** The requests that a run without a failure sends. */
export async function listRequests(kind: SceneKind): Promise<SentRequests> {
  await using scene = await setScene(kind);
  const [github, platform] = [scene.github.requests.length, scene.platform.requests.length];
  const { outputs, visibleText } = await runHere(command, scene);
  expect(outputs["outcome"], visibleText).toBe(successOf(kind).outcome);
  return {
    github: scene.github.requests.slice(github),
    platform: scene.platform.requests.slice(platform),
  };
}

/** A run that GitHub's secondary limit meets at one request ends well by itself. */
export async function limitOnce(kind: SceneKind, request: number): Promise<void> {
  await using scene = await setScene(kind);
  scene.servers.github.faults.add({ skip: request, fault: secondaryRateLimit() });

  const { outputs, visibleText } = await runHere(command, scene);

  expect(outputs["outcome"], visibleText).toBe(successOf(kind).outcome);
  expect(submissionsOf(kind, scene.platform)).toBe(1);
  expect(scene.statuses()).toStrictEqual([successOf(kind).title]);
}

/** At most one job is created or one message sent, and what people read in the end is true. */
export async function checkRecovery(
  kind: SceneKind,
  point: FaultPoint,
  runOnce: typeof runWithFault = runWithFault,
): Promise<void> {
  await using scene = await setScene(kind);

  const failed = await runOnce(command, scene, point);
  // Leases end.
  scene.passTime(tenMinutes);
  const again = await runAgain(command, scene, point.next);

  const titles = scene.statuses();
  const story = `${failed}\n--- again ---\n${again.visibleText}`;
  const { title, outcome } = successOf(kind);
  const submissions = submissionsOf(kind, scene.platform);
  expect(submissions, story).toBeLessThanOrEqual(1);
  expect(titles, story).toHaveLength(1);
  expect([title, "unknown"], story).toContain(titles[0]);
  expect(titles[0] === title, story).toBe(submissions === 1);
  expect(again.outputs["outcome"], story).toBe(titles[0] === "unknown" ? "unknown" : outcome);
  expect(story).not.toContain(apiKey);
}
