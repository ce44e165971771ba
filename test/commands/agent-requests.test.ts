import { expect, test } from "vitest";
import { type AgentScene, openAgentPull, runAgent, setAgentScene } from "../support/agent-scene.ts";
import type { TriggeredRun } from "../support/github/scene-events.ts";

const prLink = "https://github.localhost/octo-org/widgets/pull/2";
const otherLink = "https://github.localhost/octo-org/widgets/pull/3";
const agent = { author: "agent[bot]", head: "docs/agent" };

type Scene = AgentScene & { readonly issue: number };

const comment = ({ github }: Scene, issue: number, body = "/docs explain the retries") =>
  github.events.issueComment(github.addComment({ issue, author: "mona", body }));

/** A thread on which a first request has led to pull request 2. */
async function answered(scene: Scene, issue: number, body?: string): Promise<Partial<TriggeredRun>> {
  await runAgent(scene, comment(scene, scene.issue));
  return comment(scene, issue, body);
}

async function inReview(scene: Scene): Promise<Partial<TriggeredRun>> {
  await runAgent(scene, comment(scene, scene.issue));
  const { id } = scene.github.addReviewThread({ pull: 2, author: "alice", body: "Say why." });
  const asked = { pull: 2, author: "mona", body: "/docs say why", inReplyTo: id };
  const reply = scene.github.addReviewComment(asked);
  return scene.github.events.reviewComment(reply);
}

function push({ github }: Scene): Partial<TriggeredRun> & { sha: string } {
  const before = github.state.refs.get("refs/heads/main") ?? "";
  const sha = github.addCommit({ message: "Retry twice", files: ["src/retry.ts"], author: "mona" });
  return { ...github.events.push({ before, after: sha, sender: "mona" }), sha };
}

/** The pull request of mona's is number 2, that of the agent 3. */
function merge({ github }: Scene): Partial<TriggeredRun> {
  const pull = github.openPullRequest({ author: "mona", head: "feature" });
  github.mergePullRequest(pull);
  return github.events.pullRequestMerged(pull);
}

function issueOf({ github, issue }: Scene) {
  const found = github.state.issues.get(issue);
  if (found === undefined) throw new Error("There is no issue.");
  return found;
}

const rolling = { "pull-request-mode": "rolling" };

/** Docs name these figures; a run that waits, or whose thread has more than a hundred comments, sends more. */
test.each<
  [string, number, (scene: Scene) => Partial<TriggeredRun> | Promise<Partial<TriggeredRun>>, object?]
>([
  ["a comment that calls nothing", 0, (scene) => comment(scene, scene.issue, "How often?")],
  [
    "a comment of somebody without permission",
    1,
    (scene) =>
      scene.github.events.issueComment(
        scene.github.addComment({ issue: scene.issue, author: "eve", body: "/docs explain" }),
      ),
  ],
  ["`help`", 3, (scene) => comment(scene, scene.issue, "/docs help")],
  ["`status`", 5, (scene) => comment(scene, scene.issue, "/docs status")],
  ["a comment on an issue", 17, (scene) => comment(scene, scene.issue)],
  ["a later comment on the issue", 15, (scene) => answered(scene, scene.issue, "/docs more")],
  ["a comment on the agent's pull request", 19, (scene) => answered(scene, 2, "/docs more")],
  ["a reply in a review thread", 20, inReview],
  [
    "a label on an issue",
    16,
    (scene) => scene.github.events.issueLabeled(issueOf(scene), { label: "docs", sender: "mona" }),
  ],
  ["a push", 13, push],
  ["a merge", 15, merge],
  ["a push to a rolling pull request", 19, push, rolling],
])("%s sends at most %i requests to GitHub", async (_event, ceiling, trigger, inputs = {}) => {
  await using scene = await setAgentScene({
    looks: [{ status: "active" }, { status: "completed", prLink: trigger === merge ? otherLink : prLink }],
    onCreate: (github, prompt) => void openAgentPull(github, prompt),
    onMessage: (github) =>
      void github.addCommit({ branch: agent.head, message: "More", author: agent.author }),
  });
  const issue = scene.github.addIssue({ author: "alice", title: "Retries", body: "How often?" }).number;
  const triggered = await trigger({ ...scene, issue });
  const before = scene.github.requests.length;

  const { visibleText } = await runAgent(scene, triggered, { inputs: inputs as Record<string, string> });

  const sent = scene.github.requests.slice(before).map(({ operation }) => operation);
  expect(sent.length, `${sent.join("\n")}\n${visibleText}`).toBeLessThanOrEqual(ceiling);
  // Nothing is left of a ceiling that is higher than it has to be.
  expect(sent.length, sent.join("\n")).toBeGreaterThan(ceiling - 3);
});
