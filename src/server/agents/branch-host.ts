/** Any code host, of which nothing is known but its git: agents' work arrives there as a branch, and people ask for its merge. */
import { isAbsolute, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ActionError } from "../../base/errors.ts";
import type { Log } from "../../base/runtime.ts";
import type { AgentOptions, GitPush } from "../base/context.ts";
import type { AgentRepository } from "./agent-repository.ts";
import { createGitRemote, type RemoteAddress } from "./git-remote.ts";
import type { PullRequestHost } from "./published-change.ts";

/**
 * Pushes branches to a remote of the served repository, or to an address.
 *
 * @throws {ActionError} when there is no such remote, or git could not push there.
 */
export async function openBranchHost(
  push: GitPush,
  options: Pick<AgentOptions, "base" | "retryBackoff">,
  agents: AgentRepository,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<PullRequestHost> {
  const names = (await agents.runInServed(["remote"], signal)).split("\n");
  const isName = names.includes(push.remote);
  const address = isName
    ? await agents.runInServed(["remote", "get-url", "--push", push.remote], signal)
    : push.remote;
  return createBranchHost(readRemoteAddress(address, push.token, agents.served.root), options, agents, log);
}

/** Pushes branches to an address. */
export function createBranchHost(
  address: RemoteAddress,
  options: Pick<AgentOptions, "base" | "retryBackoff">,
  agents: AgentRepository,
  log: Log,
): PullRequestHost {
  const remote = createGitRemote(address, options, agents);
  log.info(`The agents' branches are pushed to ${remote.url}.`);
  return {
    // A path would be taken for one of the platform's own pages.
    repository: isAbsolute(remote.url) ? pathToFileURL(remote.url).href : remote.url,
    findStart: remote.findStart,
    async findOpen(branch, signal) {
      return (await remote.readState(branch, signal)) === "open" ? branch : undefined;
    },
    readState: remote.readState,
    async publish(change, signal) {
      await remote.push(change, signal);
      log.info(`Agent job ${change.jobId} is on the branch ${change.branch} of ${remote.url}.`);
      return change.branch;
    },
  };
}

/** `user@host:path`, as ssh takes it; a single letter is a drive, and two colons are another program's. */
const sshForm = /^(?:[\w.-]+@)?[\w.-]{2,}:(?!\/\/|:)./;
const hint =
  "Set DOCS_PLATFORM_GIT_TOKEN to a token that may push there; over ssh, the key must be in the user's agent or folder, and the host in known_hosts.";

/**
 * An address as git is given it: without the credentials that it may hold, which other processes would see. The token goes to
 * its host alone.
 *
 * @param root What a relative path starts from.
 * @throws {ActionError} for what git could not push to, or must not.
 */
export function readRemoteAddress(address: string, token: string | undefined, root: string): RemoteAddress {
  if (sshForm.test(address) && !address.startsWith("-")) return { url: address, hint };
  const url = address.includes("://") ? URL.parse(address) : undefined;
  if (url?.protocol === "https:" || url?.protocol === "http:") {
    // Some hosts want a certain name beside a token.
    const username = /^[\w.-]+$/.test(url.username) ? url.username : undefined;
    const access = token ? { origin: url.origin, token, username } : undefined;
    return { url: `${url.origin}${url.pathname}`, access, hint };
  }
  if (url?.protocol === "ssh:") return { url: Object.assign(url, { password: "" }).href, hint };
  if (url?.protocol === "file:") return { url: url.href, hint };
  if (url === undefined && /[/\\]/.test(address)) return { url: resolve(root, address), hint };
  const shown = address.replace(/\/\/.*@/, "//");
  throw new ActionError(
    "invalid-input",
    `The repository has no remote ${shown}, and git cannot push there.`,
    {
      hint: "Give `--push` the name of a remote, or an https, ssh or file address. `git remote -v` lists the remotes.",
    },
  );
}
