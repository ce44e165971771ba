/** A command's client of the platform: hosted, or embedded in this run. */
import { posix, relative, sep } from "node:path";
import { HttpClient, readProxySettings } from "../base/http.ts";
import { isLoopback } from "../base/network.ts";
import type { Log } from "../base/runtime.ts";
import { messageOf } from "../base/text.ts";
import { PlatformClient, type PlatformClientOptions } from "../client/platform-client.ts";
import type { AssistantOptions } from "../server/assistant/assistant.ts";
import type { AgentRequest, GitHubRemote } from "../server/base/context.ts";
import { embeddedDomain, type SharedInputs } from "./inputs.ts";
import type { Run } from "./run.ts";
import { resolveDocsDir, workspaceOf } from "./workspace.ts";

/** The program that works on agent jobs, and the repository for its pull requests if the documents were cloned from it. */
export interface EmbeddedAgent {
  readonly command: string;
  readonly github?: GitHubRemote;
  /** The request; used for pull requests on GitHub. */
  readonly request?: AgentRequest;
}

export interface ConnectOptions extends Pick<PlatformClientOptions, "agentRetry"> {
  readonly domain?: string | undefined;
  readonly agent?: EmbeddedAgent | undefined;
  /** How questions are answered. If set, the client uses the assistant key. */
  readonly assistant?: AssistantOptions | undefined;
}

/** Connects to the platform that `base-url` names; with `local`, starts the embedded one until the client is disposed of. */
export async function connectPlatform(
  inputs: Pick<SharedInputs, "baseUrl" | "apiKey" | "docsDir">,
  run: Run,
  options: ConnectOptions = {},
): Promise<PlatformClient & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  let { baseUrl, apiKey } = inputs;
  if (baseUrl === "local") {
    const { url, keys } = stack.use(await startEmbedded(inputs.docsDir, run, options));
    baseUrl = new URL(url);
    apiKey = options.assistant === undefined ? keys.admin : keys.assistant;
  }
  if (apiKey === undefined) throw new Error("The platform needs a key.");
  run.maskSecret(apiKey);
  // A platform on this machine needs no proxy, so one that cannot be used is no error.
  const http = new HttpClient(isLoopback(baseUrl) ? {} : readProxySettings(run.environment));
  stack.defer(() => http.close());
  const platform = new PlatformClient({ baseUrl, apiKey, http, agentRetry: options.agentRetry }, run);
  const owned = stack.move();
  const close = () =>
    owned.disposeAsync().catch((error: unknown) => {
      // The runner removes them later; the result and the error of the run count.
      run.log.warning(`The embedded platform could not be removed completely: ${messageOf(error)}`);
    });
  return Object.assign(platform, { [Symbol.asyncDispose]: close });
}

async function startEmbedded(docsFolder: string, run: Run, { domain, agent, assistant }: ConnectOptions) {
  const { signal, environment } = run;
  const workspace = workspaceOf(run);
  const docsDir = resolveDocsDir(docsFolder, workspace);
  const folder = relative(workspace, docsDir).replaceAll(sep, "/");
  const log: Log = {
    ...run.log,
    warning: (message, place) =>
      run.log.warning(message, place && { ...place, file: posix.join(folder, place.file) }),
  };
  const { startPlatform } = await import(/* webpackChunkName: "platform" */ "../server/platform.ts");
  const github = agent?.github && (await findRemote(docsDir, { ...agent.github, redact: run.redact }, run));
  // In another repository, the branch of the request does not exist, or is another one.
  const [target, own] = [github, agent?.github].map((at) => `${at?.owner}/${at?.repository}`.toLowerCase());
  const base = target === own ? agent?.request?.base : undefined;
  return startPlatform(
    {
      docsDir,
      // The runner empties it after each job, also after one that was killed.
      temporaryDir: environment["RUNNER_TEMP"] || undefined,
      domains: [domain ?? embeddedDomain],
      assistant,
      agent: agent && {
        command: agent.command,
        environment,
        github,
        request: github && agent.request && { ...agent.request, base },
        onOutput: (output) =>
          run.logGroup("The agent's output", output.trim() || "The agent printed nothing."),
      },
    },
    { signal, log },
  );
}

/** Returns GitHub if the documents were cloned from it; otherwise pull requests are pages of the embedded platform. */
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
