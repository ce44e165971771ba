import { isLoopback } from "../../base/network.ts";
import { createGit } from "./git.ts";
import type { GithubRemote } from "./github-remote.ts";
import { readOrigin } from "./served-repository.ts";

/** `git@github.com:owner/name.git`, or the same as an address. */
const sshHost = /^(?:ssh:\/\/)?(?:[^@/]+@)?(?<host>[^:/]+)[:/]/;

/**
 * Where a clone's pull requests belong: on GitHub when its remote `origin` is there, `undefined` otherwise. Over HTTP, git goes
 * the way that the clone came (a proxy on this machine, for instance), but takes its token to no other host.
 */
export async function findGithubRemote(
  { repository, github }: { readonly repository: string; readonly github: GithubRemote },
  {
    environment,
    signal,
  }: {
    readonly environment: Readonly<Record<string, string | undefined>>;
    readonly signal: AbortSignal;
  },
): Promise<GithubRemote | undefined> {
  const origin = await readOrigin(repository, { git: createGit(environment), signal });
  if (origin === undefined) return undefined;
  const serverHost = new URL(github.serverUrl).host;
  const url = /^https?:\/\//i.test(origin) ? new URL(origin) : undefined;
  if (url === undefined) return sshHost.exec(origin)?.groups?.["host"] === serverHost ? github : undefined;
  if (url.host !== serverHost && !isLoopback(url)) return undefined;
  return { ...github, gitUrl: `${url.origin}${url.pathname}` };
}
