import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The run a step belongs to, as far as a step can see it. */
export interface WorkflowRun {
  readonly eventName: string;
  /** The webhook's payload, written to GITHUB_EVENT_PATH. */
  readonly event: unknown;
  readonly repository: string;
  readonly actor: string;
  /** Who pressed the button of this attempt; differs from `actor` on a re-run by someone else. */
  readonly triggeringActor: string;
  readonly runId: number;
  readonly runAttempt: number;
  readonly sha: string;
  readonly ref: string;
  readonly workflow: string;
  readonly job: string;
  readonly token: string;
  readonly serverUrl: string;
  readonly apiUrl: string;
  readonly graphqlUrl: string;
}

/** A run by hand of a repository that has nothing special; no service answers at its addresses. */
export const DEFAULT_RUN: WorkflowRun = {
  eventName: "workflow_dispatch",
  event: { inputs: null, ref: "refs/heads/main", workflow: ".github/workflows/docs.yml" },
  repository: "octo-org/widgets",
  actor: "mona",
  triggeringActor: "mona",
  runId: 7_001,
  runAttempt: 1,
  sha: "5f3c6a1bd2e8f90714c2a6b8d3e5f7091a2b3c4d",
  ref: "refs/heads/main",
  workflow: "Docs",
  job: "docs",
  token: "ghs_stand-in-token-of-this-run",
  serverUrl: "https://github.localhost",
  apiUrl: "http://127.0.0.1:9",
  graphqlUrl: "http://127.0.0.1:9/graphql",
};

/** The folders of one job on a runner. */
export interface RunnerFolders {
  readonly root: string;
  readonly workspace: string;
  readonly temp: string;
  readonly toolCache: string;
  readonly home: string;
  readonly eventPath: string;
}

/** Lays out a job's folders below `root` and writes the event's payload. */
export function createRunnerFolders(root: string, event: unknown): RunnerFolders {
  const folders = {
    root,
    workspace: join(root, "work", "repository"),
    temp: join(root, "work", "_temp"),
    toolCache: join(root, "tool-cache"),
    home: join(root, "home"),
    eventPath: join(root, "work", "_temp", "_github_workflow", "event.json"),
  };
  // Thousands of runs in tests make these: without a turn of a thread for each.
  for (const folder of [
    join(folders.temp, "_github_workflow"),
    join(folders.temp, "_runner_file_commands"),
    folders.workspace,
    folders.toolCache,
    folders.home,
  ])
    mkdirSync(folder, { recursive: true });
  writeFileSync(folders.eventPath, JSON.stringify(event, undefined, 2));
  return folders;
}

/** The variables of the `github` and `runner` contexts, as a step finds them. */
export function runnerVariables(
  run: WorkflowRun,
  { folders, actionFolder }: { folders: RunnerFolders; actionFolder: string },
): Record<string, string> {
  const [owner = ""] = run.repository.split("/");
  return {
    CI: "true",
    GITHUB_ACTION: "docs",
    GITHUB_ACTIONS: "true",
    DOCS_AUTOMATION_TEST_CLOCK_SPEED: "25",
    GITHUB_ACTION_PATH: actionFolder,
    GITHUB_ACTION_REF: "v1",
    GITHUB_ACTION_REPOSITORY: "octo-org/docs-automation-action",
    GITHUB_ACTOR: run.actor,
    GITHUB_ACTOR_ID: "1",
    GITHUB_API_URL: run.apiUrl,
    GITHUB_BASE_REF: "",
    GITHUB_EVENT_NAME: run.eventName,
    GITHUB_EVENT_PATH: folders.eventPath,
    GITHUB_GRAPHQL_URL: run.graphqlUrl,
    GITHUB_HEAD_REF: "",
    GITHUB_JOB: run.job,
    GITHUB_REF: run.ref,
    GITHUB_REF_NAME: run.ref.replace(/^refs\/(heads|tags|pull)\//, ""),
    GITHUB_REF_PROTECTED: "false",
    GITHUB_REF_TYPE: run.ref.startsWith("refs/tags/") ? "tag" : "branch",
    GITHUB_REPOSITORY: run.repository,
    GITHUB_REPOSITORY_ID: "101",
    GITHUB_REPOSITORY_OWNER: owner,
    GITHUB_REPOSITORY_OWNER_ID: "11",
    GITHUB_RETENTION_DAYS: "90",
    GITHUB_RUN_ATTEMPT: String(run.runAttempt),
    GITHUB_RUN_ID: String(run.runId),
    GITHUB_RUN_NUMBER: "12",
    GITHUB_SERVER_URL: run.serverUrl,
    GITHUB_SHA: run.sha,
    GITHUB_TRIGGERING_ACTOR: run.triggeringActor,
    GITHUB_WORKFLOW: run.workflow,
    GITHUB_WORKFLOW_REF: `${run.repository}/.github/workflows/docs.yml@${run.ref}`,
    GITHUB_WORKFLOW_SHA: run.sha,
    GITHUB_WORKSPACE: folders.workspace,
    HOME: folders.home,
    LANG: "C.UTF-8",
    RUNNER_ARCH: "X64",
    RUNNER_ENVIRONMENT: "github-hosted",
    RUNNER_NAME: "stand-in",
    RUNNER_OS: "Linux",
    RUNNER_TEMP: folders.temp,
    RUNNER_TOOL_CACHE: folders.toolCache,
  };
}

/** The same facts as the `github` context of an expression, for inputs' defaults. */
export function githubContext(run: WorkflowRun): Record<string, string> {
  return {
    token: run.token,
    repository: run.repository,
    actor: run.actor,
    triggering_actor: run.triggeringActor,
    event_name: run.eventName,
    sha: run.sha,
    ref: run.ref,
    run_id: String(run.runId),
    run_attempt: String(run.runAttempt),
    server_url: run.serverUrl,
    api_url: run.apiUrl,
  };
}
