/** The connection to GitHub of a command that works on a thread or a commit. */
import { systemClock } from "../base/runtime.ts";
import { userAgent } from "../base/version.ts";
import { GitHubError } from "../github/errors.ts";
import {
  type Account,
  type GitHubEvent,
  type RunContext,
  readEvent,
  readRunContext,
} from "../github/event.ts";
import { checkGate, type GateDecision, type GatePolicy, readPermission } from "../github/gate.ts";
import { GitHubApi } from "../github/github-api.ts";
import { readIdentity } from "../github/token.ts";
import type { Run } from "./run.ts";

/** Requests of a cancelled run have to be done within seconds. */
const shutdownLimits = { timeoutMs: 2500, attempts: 2 };

export interface GitHubConnection {
  readonly context: RunContext;
  readonly event: GitHubEvent;
  readonly api: GitHubApi;
  /** The same API for what a cancelled run still writes: not cancelled with the run, and quick to give up. */
  readonly shutdownApi: GitHubApi;
  /** Text without the run's secrets; the APIs send no other. */
  readonly redact: (text: string) => string;
  /** The account behind the token; asked for once. */
  readonly readIdentity: () => Promise<Account>;
}

/**
 * Connects to GitHub; sends no request yet.
 *
 * @throws {GitHubError} without a token: no permission could be checked.
 */
export async function connectGitHub(
  { githubToken: token }: { readonly githubToken?: string | undefined },
  {
    environment,
    log,
    signal,
    redact,
    random = Math.random,
    clock = systemClock,
    deadlineMs,
  }: Pick<Run, "environment" | "log" | "signal" | "redact"> & Partial<Run>,
): Promise<GitHubConnection> {
  const context = await readRunContext(environment);
  if (token === undefined) {
    throw new GitHubError(
      "missing-permission",
      "There is no `github-token`, so no permission can be checked.",
      {
        hint: "Leave the input out (the default is the workflow's token), and give the job `permissions:` with `issues: write` and `pull-requests: write`.",
      },
    );
  }
  const options = { apiUrl: context.apiUrl, repository: context.repository, token, userAgent };
  const api = new GitHubApi({ ...options, deadlineMs }, { log, signal, random, clock, redact });
  const neverAborted = new AbortController().signal;
  const shutdownApi = new GitHubApi(
    { ...options, ...shutdownLimits },
    { log, signal: neverAborted, random, clock, redact },
  );
  let identity: Promise<Account> | undefined;
  return {
    context,
    event: readEvent(context.eventName, context.payload),
    api,
    shutdownApi,
    redact,
    readIdentity() {
      identity ??= readIdentity(api);
      return identity;
    },
  };
}

/** Checks whether the people behind a connection's event may use the action. */
export function checkPeople(
  policy: GatePolicy,
  { context, event, api, readIdentity }: GitHubConnection,
): Promise<GateDecision> {
  return checkGate(event, context, policy, {
    readPermission: (login) => readPermission(login, api),
    readIdentity,
  });
}
