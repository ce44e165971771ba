/** Connects a step to GitHub: the run, its event, the API, and the account behind the token. */
import { InputError } from "../../base/errors.ts";
import { version } from "../../base/version.ts";
import { GitHubError } from "../../github/errors.ts";
import type { Account, GitHubEvent } from "../../github/event/event.ts";
import { readEvent } from "../../github/event/read-event.ts";
import { createGitHubApi, type GitHubApi } from "../../github/github-api.ts";
import { readIdentity } from "../../github/people/identity.ts";
import { checkGate, type GateDecision, type PermissionLevel } from "../../github/people/permission.ts";
import { readPermission } from "../../github/people/read-permission.ts";
import { type RunContext, readRunContext } from "../../github/run-context.ts";
import { readWorkspaceFile } from "../inside-workspace.ts";
import type { Run } from "../run.ts";

export interface GitHubConnection {
  readonly run: RunContext;
  readonly event: GitHubEvent;
  readonly api: GitHubApi;
  /** The same API for the last words of a cancelled run: not cancelled with it, and quick to give up. */
  readonly lastWordsApi: GitHubApi;
  /** The account behind the token; asked for once. */
  readonly readIdentity: () => Promise<Account>;
}

const lastWordsPatience = { timeoutMs: 2500, attempts: 2 };

/**
 * Connects to GitHub.
 *
 * @throws {GitHubError} without a token: nothing can be checked, so nothing is done.
 */
export async function connectGitHub(
  { githubToken: token }: { readonly githubToken?: string | undefined },
  { environment, log, signal, random }: Pick<Run, "environment" | "log" | "signal" | "random">,
): Promise<GitHubConnection> {
  const run = await readRunContext(environment);
  if (token === undefined) {
    throw new GitHubError(
      "missing-permission",
      "There is no `github-token`, so nobody's permission can be checked.",
      {
        hint: "Leave the input out (the default is the workflow's token), and give the job `permissions:` with `issues: write` and `pull-requests: write`.",
      },
    );
  }
  const { apiUrl, repository } = run;
  const options = { apiUrl, repository, token, userAgent: `docs-automation-action/${version}` };
  const api = createGitHubApi(options, { log, signal, random });
  const neverAborted = new AbortController().signal;
  const lastWordsApi = createGitHubApi(
    { ...options, patience: lastWordsPatience },
    { log, signal: neverAborted, random },
  );
  let identity: Promise<Account> | undefined;
  return {
    run,
    event: readEvent(run.eventName, run.payload),
    api,
    lastWordsApi,
    readIdentity: () => {
      identity ??= readIdentity(api);
      return identity;
    },
  };
}

export interface GateInputs {
  readonly minimumPermission: PermissionLevel;
  readonly allowedUsers: readonly string[];
  readonly allowedBots: readonly string[];
}

/** Checks the people behind a connection's event. */
export function checkPeople(
  inputs: GateInputs,
  { run, event, api, readIdentity }: GitHubConnection,
): Promise<GateDecision> {
  const { minimumPermission, allowedUsers, allowedBots } = inputs;
  const { eventName, actor, triggeringActor, runAttempt } = run;
  return checkGate(
    { event, eventName, actor, triggeringActor, runAttempt, minimumPermission, allowedUsers, allowedBots },
    { readPermission: (login) => readPermission(login, api), readIdentity },
  );
}

/** More than any prompt has; a file that is larger is the wrong file. */
const maxPromptBytes = 1_000_000;

/**
 * The prompt that the workflow gives: `prompt`, or the content of `prompt-file` in the workspace.
 *
 * @throws {InputError} when the file cannot be read or is empty.
 */
export async function readGivenPrompt(
  { prompt, promptFile }: { readonly prompt?: string | undefined; readonly promptFile?: string | undefined },
  workspace: string,
): Promise<string | undefined> {
  if (promptFile === undefined) return prompt;
  const content = await readWorkspaceFile(promptFile, {
    workspace,
    input: "prompt-file",
    maxBytes: maxPromptBytes,
  });
  if (content.trim() === "") throw new InputError(["`prompt-file` is empty."]);
  return content.trim();
}
