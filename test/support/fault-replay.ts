/**
 * Every way in which one run can fail at one of its requests: the requests of a run without faults are counted, then the run is
 * repeated once for each request and each failure.
 */
import { EventEmitter } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createInterruption } from "../../src/action/run-command.ts";
import type { CommandName } from "../../src/commands/outputs.ts";
import type { CommandResult, PostRun, RunCommand } from "../../src/commands/run.ts";
import type { Fault } from "./faults.ts";
import { type GitHubStandIn, isChange, type Permissions } from "./github-stand-in.ts";
import type { RecordedRequest, TestServer } from "./http-server.ts";
import type { RecordingRun } from "./recording-run.ts";
import { createActionJob } from "./run-action.ts";
import { postOf, runStepInProcess, type StepInProcess } from "./run-in-process.ts";
import { DEFAULT_RUN, type WorkflowRun } from "./runner-environment.ts";

export type ServerName = "github" | "platform";

/** How a run fails at a request. A killed runner gets no post step: it is gone. */
export type Failure =
  | { readonly kind: "kill" | "cancel"; readonly when: "before" | "after" }
  | { readonly kind: "fault"; readonly name: string; readonly fault: Fault };

/** One request of a run, and how the run fails there. */
export interface FaultPoint {
  readonly server: ServerName;
  /** Number of the request at its server, from 0. */
  readonly request: number;
  readonly failure: Failure;
  /** What the run after it is: the same run once more, or a new run of the same event. */
  readonly next: "attempt" | "run";
  readonly name: string;
}

const html = "<html><body><h1>502 Bad Gateway</h1></body></html>";

/** Responses of broken services and proxies; before or after the request was carried out. */
const brokenResponses: readonly { readonly name: string; readonly fault: Fault }[] = [
  {
    name: "429",
    fault: { kind: "answer", when: "before", status: 429, headers: { "retry-after": "1" }, body: "{}" },
  },
  ...(["before", "after"] as const).flatMap((when) => [
    { name: `a connection cut ${when}`, fault: { kind: "reset", when } as const },
    { name: `a 500 ${when}`, fault: { kind: "answer", when, status: 500, body: "{}" } as const },
    {
      name: `a 502 page ${when}`,
      fault: {
        kind: "answer",
        when,
        status: 502,
        headers: { "content-type": "text/html" },
        body: html,
      } as const,
    },
    {
      name: `garbage ${when}`,
      fault: {
        kind: "answer",
        when,
        status: 200,
        headers: { "content-type": "application/json" },
        body: "{]",
      } as const,
    },
  ]),
];

const failures: readonly Failure[] = [
  ...(["before", "after"] as const).flatMap((when) => [
    { kind: "kill", when } as const,
    { kind: "cancel", when } as const,
  ]),
  ...brokenResponses.map(({ name, fault }) => ({ kind: "fault", name, fault }) as const),
];

/** The requests of a run, to each server. */
export type SentRequests = Readonly<Record<ServerName, readonly RecordedRequest[]>>;

/** All fault points of a run that sends these requests. */
export function listFaultPoints(sent: SentRequests): FaultPoint[] {
  const servers = ["github", "platform"] as const;
  return servers.flatMap((server) =>
    sent[server].flatMap((entry, request) =>
      failures
        .filter((failure) => isChange(entry) || !isLate(failure))
        .filter((failure) => isInTurn(server, failure, request, isChange(entry)))
        .flatMap((failure, index) =>
          nextRuns(server, isChange(entry), request + index).map((next) =>
            toFaultPoint({ server, request, failure, next }),
          ),
        ),
    ),
  );
}

/** Whether a failure differs from another one only in what the server has carried out: the same for a request that only reads. */
function isLate(failure: Failure): boolean {
  if (failure.kind === "fault") return failure.fault.when === "after";
  return failure.kind === "kill" && failure.when === "after";
}

/**
 * What is the same to the run takes turns, one at each request. To the client of GitHub's API (`test/github/github-api.test.ts`) a 500
 * and a 502 with a page are, and a 429 is the limit that `limitOnce` meets; so are the answers to a read that a cancelled run awaits.
 */
function isInTurn(server: ServerName, failure: Failure, request: number, isMutation: boolean): boolean {
  const isEven = request % 2 === 0;
  if (failure.kind === "cancel") return isMutation || isEven === (failure.when === "before");
  if (server === "platform" || failure.kind !== "fault") return true;
  const [, status, when] = /^(?:a )?(\d+).*?(\w*)$/.exec(failure.name) ?? [];
  if (status === "429") return false;
  return status === undefined || (status === "502") === (isEven === (when === "after"));
}

/** Whether a server fails, not the runner. */
export function isServerFault({ failure }: FaultPoint): boolean {
  return failure.kind === "fault";
}

/** Whether an answer never comes, which leaves open whether a mutation was carried out. */
export function isConnectionCut({ failure }: FaultPoint): boolean {
  return failure.kind === "fault" && failure.fault.kind === "reset";
}

/** Both kinds of next run where the job is created; in turn elsewhere. */
function nextRuns(server: ServerName, isMutation: boolean, turn: number): readonly FaultPoint["next"][] {
  if (server === "platform" && isMutation) return ["attempt", "run"];
  return turn % 2 === 0 ? ["attempt"] : ["run"];
}

function toFaultPoint(point: Omit<FaultPoint, "name">): FaultPoint {
  const { server, request, failure, next } = point;
  const what = failure.kind === "fault" ? failure.name : `${failure.kind} ${failure.when}`;
  return { ...point, name: `${server} ${request + 1}: ${what}, then a new ${next}` };
}

/** What a replay does again and again: an event, and the command that it starts. */
export interface ReplayScene extends AsyncDisposable {
  readonly github: GitHubStandIn;
  readonly servers: Readonly<Record<ServerName, Pick<TestServer, "faults" | "requests">>>;
  readonly triggered: Partial<WorkflowRun>;
  readonly permissions: Permissions;
  readonly inputs: Readonly<Record<string, string>>;
}

export interface ReplayedCommand<Command extends CommandName> {
  readonly name: Command;
  readonly run: RunCommand<Command>;
  readonly finish: (run: PostRun) => Promise<void>;
}

/** The run of the event, in its first attempt unless changed. */
function workflowRun({ github, triggered, permissions }: ReplayScene, changes: Partial<WorkflowRun>) {
  return { ...DEFAULT_RUN, ...github.run, ...triggered, token: github.runToken(permissions), ...changes };
}

function clearFaults({ servers }: ReplayScene): void {
  servers.github.faults.clear();
  servers.platform.faults.clear();
}

/** What ends a run from outside. */
interface Ending {
  /** Aborts when the workflow is cancelled, or the runner gone. */
  readonly signal?: AbortSignal;
  /** Called when the main step has ended. */
  readonly onEnd?: () => Promise<void>;
  /** A killed runner has no post step. */
  readonly hasPost?: boolean;
}

/** Runs a command in this process; of its post step what the frame would run. No fault meets the post step. */
export async function runHere<Command extends CommandName>(
  { name, run: command, finish }: ReplayedCommand<Command>,
  scene: ReplayScene,
  changes: Partial<WorkflowRun> = {},
  { signal, onEnd, hasPost = true }: Ending = {},
): Promise<StepInProcess> {
  const withPost: RunCommand<Command> = async (inputs, run) => {
    const end = await command(inputs, run).catch((error: unknown) => error);
    await onEnd?.();
    clearFaults(scene);
    const post = postOf(inputs, run as RecordingRun);
    if (hasPost && post.state("unsettled") === "true") await finish(post);
    if (end instanceof Error) throw end;
    return end as CommandResult<Command>;
  };
  const step = workflowRun(scene, changes);
  return await runStepInProcess(name, withPost, step, scene.inputs, signal && { signal });
}

/** Runs a command in this process that fails at one of its requests. */
export async function runWithFault<Command extends CommandName>(
  command: ReplayedCommand<Command>,
  scene: ReplayScene,
  { server, request: skip, failure }: FaultPoint,
): Promise<string> {
  const { faults, requests } = scene.servers[server];
  if (failure.kind === "fault") {
    faults.add({ skip, fault: failure.fault });
    return (await runHere(command, scene)).visibleText;
  }
  const { kind, when } = failure;
  if (kind === "kill") {
    // A killed run sends nothing more, so nothing that this one still sends arrives; it does not wait for that.
    const killed = new AbortController();
    const cutOff = () => {
      const rule = { times: Number.POSITIVE_INFINITY, fault: { kind: "reset", when: "before" } } as const;
      for (const { faults } of Object.values(scene.servers)) faults.add(rule);
      killed.abort(new Error("The runner is gone."));
    };
    faults.add({ skip, fault: { kind: "reset", when }, onMeet: cutOff });
    return (await runHere(command, scene, {}, { hasPost: false, signal: killed.signal })).visibleText;
  }
  const runner = new EventEmitter();
  using interruption = createInterruption(runner);
  const mainStep = Promise.withResolvers<void>();
  // A cancelled run's requests are late, but arrive.
  const until = when === "before" ? mainStep.promise : Promise.resolve();
  faults.add({ skip, fault: { kind: "hold", until }, onMeet: () => void runner.emit("SIGINT") });
  const onEnd = async () => {
    mainStep.resolve();
    while (!requests.every(({ handled }) => handled)) await nextTurn();
  };
  return (await runHere(command, scene, {}, { signal: interruption.signal, onEnd })).visibleText;
}

/** The same with a process of the built action, which is killed or cancelled. */
export async function runProcessWithFault<Command extends CommandName>(
  command: ReplayedCommand<Command>,
  scene: ReplayScene,
  { server, request: skip, failure }: FaultPoint,
): Promise<string> {
  const { faults } = scene.servers[server];
  const inputs = { command: command.name, ...scene.inputs };
  await using job = await createActionJob({ inputs, run: workflowRun(scene, {}) });
  const step = await job.startMain();
  if (failure.kind === "fault") throw new Error("A fault of a server needs no process.");
  const { kind, when } = failure;
  if (kind === "kill") {
    faults.add({ skip, fault: { kind: "reset", when }, onMeet: () => step.signal("SIGKILL") });
  } else {
    // A cancelled run's requests are late, but arrive.
    const until = when === "before" ? step.result : Promise.resolve();
    faults.add({ skip, fault: { kind: "hold", until }, onMeet: () => void step.cancel() });
  }
  const main = await step.result;
  clearFaults(scene);
  return kind === "kill" ? main.visibleText : main.visibleText + (await job.post()).visibleText;
}

/** Runs a command again after a failed run. */
export async function runAgain<Command extends CommandName>(
  command: ReplayedCommand<Command>,
  scene: ReplayScene,
  next: FaultPoint["next"],
): Promise<StepInProcess> {
  return await runHere(command, scene, next === "attempt" ? { runAttempt: 2 } : { runId: 8_002 });
}
