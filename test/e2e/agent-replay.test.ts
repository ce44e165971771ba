/**
 * The promise of the agent command: over every misfortune at every request, and a run after it, at most one job is
 * created, and the status comment ends true.
 */
import { describe, expect, test } from "vitest";
import { type AgentPlatform, startAgentPlatform } from "../support/agent-platform.ts";
import { listStrikes, type Strike } from "../support/fault-replay.ts";
import type { TriggeredRun } from "../support/github/scene-events.ts";
import { type GitHubStandIn, startGitHubStandIn } from "../support/github-stand-in.ts";
import { createActionJob } from "../support/run-action.ts";
import type { WorkflowRun } from "../support/runner-environment.ts";

const apiKey = "svc_admin-key-of-this-test";
const tenMinutes = 600_000;

interface Scene extends AsyncDisposable {
  readonly github: GitHubStandIn;
  readonly platform: AgentPlatform;
  readonly triggered: TriggeredRun;
  readonly issueNumber: number;
  /** Lets ten minutes pass: leases end. */
  passTime(): void;
}

/** A request on an issue, and an agent that opens a pull request for every job at once. */
async function setScene(): Promise<Scene> {
  await using stack = new AsyncDisposableStack();
  let shiftMs = 0;
  const github = stack.use(await startGitHubStandIn({ clock: () => Date.now() + shiftMs }));
  github.addPerson("mona", "write");
  const issue = github.addIssue({ author: "alice", title: "Retries", body: "How often?" });
  const comment = github.addComment({ issue: issue.number, author: "mona", body: "/docs explain retries" });
  const platform = stack.use(
    await startAgentPlatform({
      looks: [
        { status: "completed", prLink: `https://github.localhost/octo-org/widgets/pull/${issue.number + 1}` },
      ],
      onCreate({ id, prompt }) {
        const reference = /Reference: (docs-automation-\w+)/.exec(prompt)?.[1];
        github.openPullRequest({ author: "agent[bot]", head: `docs/${id}`, body: `Reference: ${reference}` });
      },
    }),
  );
  const owned = stack.move();
  return {
    github,
    platform,
    issueNumber: issue.number,
    triggered: github.events.issueComment(comment),
    passTime() {
      shiftMs = tenMinutes;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function createJob({ github, platform, triggered }: Scene, run: Partial<WorkflowRun> = {}) {
  return createActionJob({
    inputs: { command: "agent", "base-url": platform.url, "api-key": apiKey, "project-id": "prj_1" },
    run: {
      ...github.run,
      ...triggered,
      token: github.runToken({ issues: "write", "pull-requests": "write", contents: "read" }),
      ...run,
    },
  });
}

/** Runs the action while its requests are struck; returns everything that people could read. */
async function runStruck(scene: Scene, { server, request, misfortune }: Strike): Promise<string> {
  await using job = await createJob(scene);
  const step = await job.startMain();
  const interrupt = () => {
    if (misfortune.kind === "kill") step.signal("SIGKILL");
    else if (misfortune.kind === "cancel") void step.cancel();
  };
  const fault =
    misfortune.kind === "fault"
      ? misfortune.fault
      : misfortune.kind === "kill"
        ? ({ kind: "reset", when: misfortune.when } as const)
        : misfortune.when === "before"
          ? ({ kind: "hold", until: step.result } as const)
          : ({ kind: "hold", until: Promise.resolve() } as const);
  scene[server].faults.add({ skip: request, fault, onMeet: interrupt });
  const main = await step.result;
  scene.github.faults.clear();
  scene.platform.faults.clear();
  if (misfortune.kind === "kill") return main.visibleText;
  const post = await job.post();
  return main.visibleText + post.visibleText;
}

async function runAgain(
  scene: Scene,
  next: Strike["next"],
): Promise<{ text: string; outcome: string | undefined }> {
  await using job = await createJob(scene, next === "attempt" ? { runAttempt: 2 } : { runId: 8_002 });
  const { visibleText, outputs } = await job.main();
  return { text: visibleText, outcome: outputs["outcome"] };
}

/** What the status comments on the issue say; a healthy ending leaves exactly one. */
function statusTitles({ github, issueNumber }: Scene): (string | undefined)[] {
  return github
    .commentsOn(issueNumber)
    .filter(({ author }) => author === "github-actions[bot]")
    .map(({ body }) => /^### Docs agent: (.*)$/m.exec(body)?.[1]);
}

async function countRequests(): Promise<Record<"github" | "platform", number>> {
  await using scene = await setScene();
  await using job = await createJob(scene);
  const { outputs, log } = await job.main();
  expect(outputs, log).toMatchObject({ outcome: "pull-request" });
  return { github: scene.github.requests.length, platform: scene.platform.requests.length };
}

describe.concurrent("a request that is struck and run again", async () => {
  const strikes = listStrikes(await countRequests());

  test.each(strikes)("$name", async (strike) => {
    await using scene = await setScene();

    const seen = await runStruck(scene, strike);
    scene.passTime();
    const again = await runAgain(scene, strike.next);

    const titles = statusTitles(scene);
    const story = `${seen}\n--- again ---\n${again.text}`;
    expect(scene.platform.created.length, story).toBeLessThanOrEqual(1);
    expect(titles, story).toHaveLength(1);
    expect(["pull request", "unknown"], story).toContain(titles[0]);
    expect(titles[0] === "pull request", story).toBe(scene.platform.created.length === 1);
    expect(again.outcome, story).toBe(titles[0] === "unknown" ? "unknown" : "pull-request");
    expect(story).not.toContain(apiKey);
  });
});
