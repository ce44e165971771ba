/** GitHub and a platform around one repository, and the agent command between them. */
import { runAgent as runAgentCommand } from "../../src/commands/agent.ts";
import { runReconcile as runReconcileCommand } from "../../src/commands/reconcile.ts";
import type { Run } from "../../src/commands/run.ts";
import { type AgentPlatform, startAgentPlatform } from "./agent-platform.ts";
import type { TriggeredRun } from "./github/scene-events.ts";
import { type GitHubStandIn, type Permissions, startGitHubStandIn } from "./github-stand-in.ts";
import { type ActionJob, type ActionUse, createActionJob } from "./run-action.ts";
import { runStepInProcess, type StepInProcess } from "./run-in-process.ts";
import { DEFAULT_RUN } from "./runner-environment.ts";
import type { StepResult } from "./step-process.ts";

export const apiKey = "svc_admin-key-of-this-test";

export const permissions: Permissions = {
  contents: "read",
  issues: "write",
  "pull-requests": "write",
  statuses: "write",
  discussions: "write",
};

/** GitHub, and a platform that ends with it. */
export interface Scene<Platform> extends AsyncDisposable {
  readonly github: GitHubStandIn;
  readonly platform: Platform;
  /** Lets time pass at GitHub. */
  passTime(ms: number): void;
}

export type AgentScene = Scene<AgentPlatform>;

interface SceneOptions {
  /** Responses to the polls of a job; `prLink` of the pull request that the agent opens unless given. */
  readonly polls?: readonly Record<string, unknown>[];
  /** What the agent does when a job is created. */
  readonly onCreate?: (github: GitHubStandIn, prompt: string) => void;
  readonly hasMessages?: boolean;
  readonly created?: Record<string, unknown>;
  /** What the agent does when a job takes a message. */
  readonly onMessage?: (github: GitHubStandIn, prompt: string) => void;
  /** Jobs end only when the test says so: `platform.finish`. */
  readonly endsByHand?: boolean;
  /** A message to a busy job is answered with 409. */
  readonly refusesWhenBusy?: boolean;
  /** How late every answer of GitHub is, in real milliseconds: for measurements. */
  readonly latencyMs?: number;
  /** What time it is at GitHub, instead of the real one. */
  readonly now?: () => number;
}

/** `mona` may write, `tria` may triage, `eve` may read. */
export async function setScene<Platform extends AsyncDisposable>(
  startPlatform: (github: GitHubStandIn) => Promise<Platform>,
  { now = Date.now, latencyMs = 0 }: Pick<SceneOptions, "now" | "latencyMs"> = {},
): Promise<Scene<Platform>> {
  await using stack = new AsyncDisposableStack();
  let shiftMs = 0;
  const clock = () => now() + shiftMs;
  const github = stack.use(await startGitHubStandIn({ clock, latencyMs }));
  github.addPerson("mona", "write");
  github.addPerson("tria", "triage");
  github.addPerson("eve", "read");
  const platform = stack.use(await startPlatform(github));
  const owned = stack.move();
  return {
    github,
    platform,
    passTime(ms) {
      shiftMs += ms;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

export function setAgentScene({ onCreate, onMessage, ...options }: SceneOptions = {}): Promise<AgentScene> {
  const startPlatform = (github: GitHubStandIn) =>
    startAgentPlatform({
      ...options,
      onCreate: ({ prompt }) => onCreate?.(github, prompt),
      onMessage: ({ prompt }) => onMessage?.(github, prompt),
    });
  return setScene(startPlatform, options);
}

/** The address of a pull request of the scene's repository. */
export const pullUrl = (number: number) => `https://github.localhost/octo-org/widgets/pull/${number}`;

/** An agent that opens this pull request for its first job; a job has ended when it is polled. */
export const openingPull = (number: number): SceneOptions => ({
  polls: [{ status: "completed", prLink: pullUrl(number) }],
  onCreate: (github, prompt) => void openAgentPull(github, prompt),
});

/** The pull request that an agent of a scene opens; the reference of its prompt is in its description. */
export function openAgentPull(github: GitHubStandIn, prompt: string) {
  const reference = /Reference: (docs-automation-\w+)/.exec(prompt)?.[1];
  return github.openPullRequest({
    author: "agent[bot]",
    head: "docs/agent",
    body: `Reference: ${reference}`,
  });
}

export interface AgentUse {
  readonly inputs?: Readonly<Record<string, string>>;
  readonly run?: ActionUse["run"];
  readonly permissions?: Permissions;
  /** Only in this process: another clock, deadline or signal. */
  readonly changes?: Partial<Omit<Run, "log">>;
}

function describeUse(
  { github, platform }: AgentScene,
  triggered: Partial<TriggeredRun>,
  { inputs = {}, run = {}, permissions: granted = permissions }: AgentUse,
) {
  return {
    inputs: { "base-url": platform.url, "api-key": apiKey, "project-id": "prj_1", ...inputs },
    run: { ...DEFAULT_RUN, ...github.run, token: github.runToken(granted), ...triggered, ...run },
  };
}

/** Prepares a job that runs `command: agent` for an event. */
export function createAgentJob(
  scene: AgentScene,
  triggered: Partial<TriggeredRun>,
  use: AgentUse = {},
): Promise<ActionJob> {
  const { inputs, run } = describeUse(scene, triggered, use);
  return createActionJob({ inputs: { command: "agent", ...inputs }, run });
}

/** Runs `command: agent` for an event to its end, in this process. */
export function runAgent(
  scene: AgentScene,
  triggered: Partial<TriggeredRun>,
  use: AgentUse = {},
): Promise<StepInProcess> {
  const { inputs, run } = describeUse(scene, triggered, use);
  return runStepInProcess("agent", runAgentCommand, run, inputs, use.changes);
}

/** Runs `command: reconcile` on a schedule to its end, in this process. */
export function runReconcile(scene: AgentScene, use: AgentUse = {}): Promise<StepInProcess> {
  const { inputs, run } = describeUse(scene, { eventName: "schedule", event: {} }, use);
  return runStepInProcess("reconcile", runReconcileCommand, { ...run, runId: 99 }, inputs, use.changes);
}

/** Runs `command: agent` as a process: what its exit code, its clock or its raw log show. */
export async function runAgentProcess(
  scene: AgentScene,
  triggered: Partial<TriggeredRun>,
  use: AgentUse = {},
): Promise<StepResult> {
  await using job = await createAgentJob(scene, triggered, use);
  return await job.main();
}

/** What people see of the run's requests on a thread: the bodies of the comments of the workflow's account. */
export function botComments({ github }: Pick<AgentScene, "github">, issue: number): string[] {
  return github
    .commentsOn(issue)
    .filter(({ author }) => author === "github-actions[bot]")
    .map(({ body }) => body);
}
