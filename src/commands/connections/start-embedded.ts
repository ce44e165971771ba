import type { GithubRemote } from "../../server/agent-jobs/github-remote.ts";
import type { AssistantOptions } from "../../server/assistant/open-assistant.ts";
import type { Run } from "../run.ts";

/** The domain that the embedded platform serves unless told another. */
export const embeddedDomain = "localhost";

interface EmbeddedOptions {
  /** Folder of the documents. */
  readonly docsDir: string;
  readonly domain?: string | undefined;
  /** What works on agent jobs, and where their pull requests go if the documents were cloned from there. */
  readonly agent?: { readonly command: string; readonly github: GithubRemote } | undefined;
  /** How questions are answered; then the key handed out is the assistant's. */
  readonly assistant?: AssistantOptions | undefined;
}

/** Starts the embedded platform for this run; `base-url: local`. Its code is loaded only then. */
export async function startEmbedded(
  { docsDir, domain = embeddedDomain, agent, assistant }: EmbeddedOptions,
  { context }: { context: Run },
) {
  const { signal, log, environment } = context;
  const { startLocalPlatform } = await import("../../server/start-local-platform.ts");
  const platform = await startLocalPlatform(
    {
      docsDir,
      domains: [domain],
      assistant,
      agent: agent && {
        command: agent.command,
        repository: docsDir,
        environment,
        github: await findRemote({ docsDir, github: agent.github }, context),
      },
    },
    { signal, log },
  );
  return {
    url: new URL(platform.url),
    apiKey: assistant === undefined ? platform.adminKey : platform.assistantKey,
    [Symbol.asyncDispose]: () => platform[Symbol.asyncDispose](),
  };
}

/** GitHub, where the documents were cloned from there; otherwise pull requests are pages of the platform itself. */
async function findRemote(
  { docsDir, github }: { readonly docsDir: string; readonly github: GithubRemote },
  { environment, signal, log }: Run,
): Promise<GithubRemote | undefined> {
  const { findGithubRemote } = await import("../../server/agent-jobs/find-github-remote.ts");
  const remote = await findGithubRemote({ repository: docsDir, github }, { environment, signal });
  if (remote === undefined) {
    log.notice("The documents were not cloned from GitHub: the agent's branch stays in the workspace.");
  }
  return remote;
}
