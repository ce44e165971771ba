/**
 * Runs the built action as the GitHub runner does: a process per phase, started from `action.yml`, with a clean
 * environment and nothing else but the runner's protocol between it and the test.
 */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ActionMetadata, inputVariables, readActionMetadata } from "./action-metadata.ts";
import {
  createRunnerFolders,
  DEFAULT_RUN,
  githubContext,
  type RunnerFolders,
  runnerVariables,
  type WorkflowRun,
} from "./runner-environment.ts";
import { createSecretMasker, type SecretMasker } from "./secret-masker.ts";
import { type RunningStep, type StepResult, startStep } from "./step-process.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

/** One use of the action in a workflow. */
export interface ActionUse {
  /** The step's `with:`. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** Variables besides the runner's own: the step's `env:`, the artifact service's, proxies. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly run?: Partial<WorkflowRun>;
  /** Secrets that the workflow read from `secrets.*`; the runner masks those by itself. The token always is. */
  readonly secrets?: readonly string[];
  /** Debug logging is switched on for this run. */
  readonly debug?: boolean;
  /** The command whose own action is used, as `uses: OWNER/REPO/export@v1` does; the one for all commands unless said otherwise. */
  readonly action?: string;
  /** Folder of the action; ACTION_FOLDER, where it was built for the tests, unless said otherwise. */
  readonly actionFolder?: string;
  /** The job's GITHUB_WORKSPACE; an empty temporary one unless said otherwise. */
  readonly workspace?: string;
}

/** The job that holds the step: folders, masks and what one phase leaves to the next. */
export interface ActionJob extends AsyncDisposable {
  readonly workspace: string;
  readonly folders: RunnerFolders;
  readonly masker: SecretMasker;
  startMain(): Promise<RunningStep>;
  main(): Promise<StepResult>;
  /** Runs `runs.post` with the state that `main` saved, also when `main` failed, was cancelled or killed. */
  startPost(): Promise<RunningStep>;
  post(): Promise<StepResult>;
}

/** Both phases of a step that ran to its end. */
export interface ActionRun extends AsyncDisposable {
  readonly main: StepResult;
  readonly post: StepResult;
  readonly job: ActionJob;
}

const repositoryFolder = fileURLToPath(new URL("../..", import.meta.url));

/** The Node that the runner would use (24), whatever started the tests. */
export function nodeBinary(): string {
  return process.versions.node.startsWith("24.")
    ? process.execPath
    : join(repositoryFolder, "node_modules", ".bin", "node");
}

function stepEnvironment(
  use: ActionUse,
  facts: { run: WorkflowRun; metadata: ActionMetadata; folders: RunnerFolders; actionFolder: string },
): Record<string, string> {
  const { run, metadata, folders, actionFolder } = facts;
  return {
    PATH: process.env["PATH"] ?? "",
    // Hundreds of tests start the same bundle.
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? "",
    ...runnerVariables(run, { folders, actionFolder }),
    ...(use.debug === true ? { RUNNER_DEBUG: "1" } : {}),
    ...use.environment,
    ...inputVariables(metadata, { given: use.inputs ?? {}, context: githubContext(run) }),
  };
}

/** Prepares a job with one step; nothing has run yet, so a test may fill the workspace first. */
export async function createActionJob(use: ActionUse = {}): Promise<ActionJob> {
  const actionFolder = use.actionFolder ?? process.env["ACTION_FOLDER"];
  // Not the committed bundle, which may be older than the sources.
  if (actionFolder === undefined)
    throw new Error("The action was not built: its tests are of the project `action`.");
  const ownFolder = join(actionFolder, use.action ?? "");
  const metadata = await readActionMetadata(ownFolder);
  const run = { ...DEFAULT_RUN, ...use.run };
  const temporary = await createTemporaryFolder("action-job-");
  const laidOut = createRunnerFolders(temporary.path, run.event);
  const folders = { ...laidOut, workspace: use.workspace ?? laidOut.workspace };
  const masker = createSecretMasker([run.token, ...(use.secrets ?? [])]);
  const environment = stepEnvironment(use, { run, metadata, folders, actionFolder });
  const running = new Set<RunningStep>();
  let mainStep: RunningStep | undefined;

  const start = async (script: string, variables: Readonly<Record<string, string>>) => {
    const step = await startStep(
      {
        node: nodeBinary(),
        script: join(ownFolder, script),
        cwd: folders.workspace,
        fileCommandsFolder: join(folders.temp, "_runner_file_commands"),
        environment: { ...environment, ...variables },
      },
      masker,
    );
    running.add(step);
    return step;
  };

  const startMain = async () => {
    mainStep = await start(metadata.runs.main, {});
    return mainStep;
  };

  const startPost = async () => {
    if (metadata.runs.post === undefined) throw new Error("action.yml has no `runs.post`");
    const main = await mainStep?.result;
    const state = Object.entries(main?.state ?? {}).map(([name, value]) => [`STATE_${name}`, value]);
    // Folders that the step put in GITHUB_PATH come first, the last of them foremost.
    const path = [...(main?.paths ?? []).toReversed(), environment["PATH"]].join(":");
    return start(metadata.runs.post, { ...main?.environment, PATH: path, ...Object.fromEntries(state) });
  };

  return {
    workspace: folders.workspace,
    folders,
    masker,
    startMain,
    main: async () => (await startMain()).result,
    startPost,
    post: async () => (await startPost()).result,
    async [Symbol.asyncDispose]() {
      for (const step of running) {
        step.signal("SIGKILL");
        await Promise.allSettled([step.result]);
      }
      await temporary[Symbol.asyncDispose]();
    },
  };
}

/** Runs a step from start to end: `main`, then `post`. */
export async function runAction(use: ActionUse = {}): Promise<ActionRun> {
  const job = await createActionJob(use);
  const main = await job.main();
  const post = await job.post();
  return { main, post, job, [Symbol.asyncDispose]: () => job[Symbol.asyncDispose]() };
}
