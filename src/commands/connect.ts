/** What every command connects to: GitHub, and its platform, a hosted one or the embedded one of this run. */

import { resolve } from "node:path";
import { InputError } from "../base/errors.ts";
import { HttpClient, readProxySettings } from "../base/http.ts";
import { systemClock } from "../base/runtime.ts";
import { version } from "../base/version.ts";
import { PlatformClient } from "../client/platform-client.ts";
import { GitHubError } from "../github/errors.ts";
import type { Account, GitHubEvent } from "../github/event.ts";
import { type RunContext, readEvent, readRunContext } from "../github/event.ts";
import { checkGate, type GateDecision, type GatePolicy, readPermission } from "../github/gate.ts";
import { createGitHubApi, type GitHubApi } from "../github/github-api.ts";
import { readIdentity } from "../github/token.ts";
import type { AssistantOptions } from "../server/assistant/assistant.ts";
import type { GitHubRemote } from "../server/base/context.ts";
import type { SharedInputs } from "./inputs.ts";
import { readWorkspaceFile } from "./inside-workspace.ts";
import type { Run } from "./run.ts";

const userAgent = `docs-automation-action/${version}`;

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
  const api = createGitHubApi({ ...options, deadlineMs }, { log, signal, random, clock, redact });
  const neverAborted = new AbortController().signal;
  const shutdownApi = createGitHubApi(
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

/** The folder that the repository is checked out to. */
export function workspaceOf({ environment }: Pick<Run, "environment">): string {
  return environment["GITHUB_WORKSPACE"] ?? process.cwd();
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
  run: Pick<Run, "environment">,
): Promise<string | undefined> {
  if (promptFile === undefined) return prompt;
  const content = await readWorkspaceFile(promptFile, {
    workspace: workspaceOf(run),
    input: "prompt-file",
    maxBytes: maxPromptBytes,
  });
  if (content.trim() === "") throw new InputError(["`prompt-file` is empty."]);
  return content.trim();
}

/** The domain that the embedded platform serves unless told another. */
export const embeddedDomain = "localhost";

/** What the embedded platform does besides exporting the documents. */
export interface EmbeddedOptions {
  readonly domain?: string | undefined;
  /** The program that works on agent jobs, and where its pull requests go if the documents were cloned from there. */
  readonly agent?: { readonly command: string; readonly github: GitHubRemote } | undefined;
  /** How questions are answered; then the key in use is the assistant's. */
  readonly assistant?: AssistantOptions | undefined;
}

export interface PlatformConnection extends AsyncDisposable {
  readonly platform: PlatformClient;
}

/** Connects to the platform that `base-url` names; with `local`, starts the embedded one until the connection is disposed of. */
export async function connectPlatform(
  inputs: Pick<SharedInputs, "baseUrl" | "apiKey" | "docsDir">,
  run: Run,
  embeddedOptions: EmbeddedOptions = {},
): Promise<PlatformConnection> {
  await using stack = new AsyncDisposableStack();
  const embedded =
    inputs.baseUrl === "local"
      ? stack.use(await startEmbedded(inputs.docsDir, run, embeddedOptions))
      : undefined;
  const baseUrl = inputs.baseUrl === "local" ? embedded?.url : inputs.baseUrl;
  const apiKey = embedded?.apiKey ?? inputs.apiKey;
  if (baseUrl === undefined || apiKey === undefined)
    throw new Error("A platform needs an address and a key.");
  run.maskSecret(apiKey);
  const http = new HttpClient(readProxySettings(run.environment));
  stack.defer(() => http.close());
  const platform = new PlatformClient({ baseUrl, apiKey, userAgent, http }, run);
  const owned = stack.move();
  return { platform, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Starts the embedded platform for this run. Its code is loaded only here. */
async function startEmbedded(docsFolder: string, run: Run, { domain, agent, assistant }: EmbeddedOptions) {
  const { signal, log, environment } = run;
  const docsDir = resolve(workspaceOf(run), docsFolder);
  const { startPlatform } = await import("../server/platform.ts");
  const platform = await startPlatform(
    {
      docsDir,
      domains: [domain ?? embeddedDomain],
      assistant,
      agent: agent && {
        command: agent.command,
        repository: docsDir,
        environment,
        github: await findRemote(docsDir, { ...agent.github, redact: run.redact }, run),
      },
    },
    { signal, log },
  );
  return {
    url: new URL(platform.url),
    apiKey: assistant === undefined ? platform.keys.admin : platform.keys.assistant,
    [Symbol.asyncDispose]: () => platform[Symbol.asyncDispose](),
  };
}

/** GitHub, where the documents were cloned from there; otherwise pull requests are pages of the platform itself. */
async function findRemote(
  repository: string,
  github: GitHubRemote,
  { environment, signal, log }: Run,
): Promise<GitHubRemote | undefined> {
  const { findGitHubRemote } = await import("../server/agents/served-repository.ts");
  const remote = await findGitHubRemote(repository, github, environment, signal);
  if (remote === undefined) {
    log.notice("The documents were not cloned from GitHub: the agent's branch stays in the workspace.");
  }
  return remote;
}
