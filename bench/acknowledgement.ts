/**
 * How soon a person sees that a request was taken up, and what each event costs: the built action as a process, and a GitHub whose
 * every answer comes late.
 *
 *   npm run bench -- acknowledgement [--latency 150] [--runs 3]
 */
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import {
  type AgentScene,
  createAgentJob,
  openAgentPull,
  setAgentScene,
} from "../test/support/agent-scene.ts";
import { setup as buildAction } from "../test/support/build-action.ts";
import type { TriggeredRun } from "../test/support/github/scene-events.ts";
import type { Writing } from "../test/support/github/state.ts";
import type { Report } from "./report.ts";

export const title = "Acknowledgement";

/** An event, and the text whose reactions acknowledge it; a push has none. */
interface Subject {
  readonly triggered: Partial<TriggeredRun>;
  readonly text?: Writing;
}

const asked = { author: "mona", body: "/docs explain the retries" };

const subjects: Readonly<Record<string, (scene: AgentScene) => Subject>> = {
  "comment on an issue": (scene) => commentOnIssue(scene),
  "comment on a pull request": ({ github }) => {
    const { number } = openPull(github);
    const text = github.addComment({ issue: number, ...asked });
    return { triggered: github.events.issueComment(text), text };
  },
  "comment in a review": ({ github }) => {
    const { number } = openPull(github);
    github.addReviewThread({ pull: number, author: "alice", body: "Say why." });
    const text = github.addReviewComment({ pull: number, ...asked });
    return { triggered: github.events.reviewComment(text), text };
  },
  "submitted review": ({ github }) => {
    const { number } = openPull(github);
    const text = github.addReview({ pull: number, ...asked });
    github.addReviewComment({ pull: number, review: text.id, author: "mona", body: "Say why." });
    return { triggered: github.events.review(text), text };
  },
  "reply in a discussion": ({ github }) => {
    const { number: discussion } = github.addDiscussion({ author: "alice", title: "Retries" });
    const { id } = github.addDiscussionComment({ discussion, author: "alice", body: "How often?" });
    const text = github.addDiscussionComment({ discussion, replyTo: id, ...asked });
    return { triggered: github.events.discussionComment(text), text };
  },
  "label on an issue": ({ github }) => {
    const text = github.addIssue({ author: "mona", title: "Retries", body: "How often?", labels: ["docs"] });
    return { triggered: github.events.issueLabeled(text, { label: "docs", sender: "mona" }), text };
  },
  "comment on a thread of 300": (scene) => commentOnIssue(scene, 300),
  push: ({ github }) => {
    github.addIssue({ author: "alice" });
    const before = github.state.refs.get("refs/heads/main") ?? "";
    const after = github.addCommit({ message: "Retry twice", files: ["src/retry.ts"], author: "mona" });
    return { triggered: { ...github.events.push({ before, after, sender: "mona" }), sha: after } };
  },
};

const openPull = (github: AgentScene["github"]) =>
  github.openPullRequest({ author: "alice", head: "change", files: ["docs/a.md"] });

function commentOnIssue({ github }: AgentScene, earlier = 0): Subject {
  const { number: issue } = github.addIssue({ author: "alice", title: "Retries", body: "How often?" });
  for (let count = 0; count < earlier; count += 1) {
    github.addComment({ issue, author: "alice", body: `Thought ${count}` });
  }
  const text = github.addComment({ issue, ...asked });
  return { triggered: github.events.issueComment(text), text };
}

interface Measurement {
  readonly outcome: string;
  /** From the start of the process until GitHub has the first reaction; `undefined` where there is none. */
  readonly seenMs: number | undefined;
  /** Requests up to that one. */
  readonly until: number;
  readonly requests: number;
}

export async function run(args: readonly string[]): Promise<Report> {
  const { values } = parseArgs({
    args: [...args],
    options: { latency: { type: "string", default: "150" }, runs: { type: "string", default: "3" } },
  });
  const [latencyMs, runs] = [Number(values.latency), Number(values.runs)];
  await buildAction();
  const rows: (string | number)[][] = [];
  for (const [name, prepare] of Object.entries(subjects)) {
    const measured: Measurement[] = [];
    for (let count = 0; count < runs; count += 1) measured.push(await measure(prepare, latencyMs));
    const [median] = measured
      .toSorted((one, other) => (one.seenMs ?? 0) - (other.seenMs ?? 0))
      .slice(Math.floor(runs / 2));
    if (median !== undefined) rows.push([name, ...describe(median, latencyMs)]);
  }
  return {
    intro: [
      "Time until the requester sees that a request was accepted: from the start of the built action to its first reaction on GitHub.",
      `Each response of GitHub takes ${latencyMs} ms; times are multiples of that, the median of ${runs} runs.`,
    ].join(" "),
    tables: [
      {
        caption: "Until the first reaction, and to the end of the step.",
        columns: ["event", "outcome", "time to the reaction", "requests to the reaction", "requests"],
        rows,
      },
    ],
  };
}

function describe({ outcome, seenMs, until, requests }: Measurement, latencyMs: number) {
  const seen = seenMs === undefined ? ["–", "–"] : [(seenMs / latencyMs).toFixed(1), until];
  return [outcome, ...seen, requests];
}

async function measure(prepare: (scene: AgentScene) => Subject, latencyMs: number): Promise<Measurement> {
  await using scene = await setAgentScene({
    latencyMs,
    // Every subject's thread is number 1.
    polls: [{ status: "completed", prLink: "https://github.localhost/octo-org/widgets/pull/2" }],
    onCreate: (github, prompt) => void openAgentPull(github, prompt),
  });
  const { triggered, text } = prepare(scene);
  await using job = await createAgentJob(scene, triggered);
  const startedMs = performance.now();
  let seenMs: number | undefined;
  const watch = setInterval(() => {
    if (seenMs === undefined && (text?.reactions.length ?? 0) > 0) seenMs = performance.now() - startedMs;
  }, 2);
  const { outputs } = await job.main();
  clearInterval(watch);
  const { requests } = scene.github;
  const until = requests.findIndex(({ operation = "" }) => /reaction/i.test(operation)) + 1;
  return { outcome: outputs["outcome"] ?? "none", seenMs, until, requests: requests.length };
}
