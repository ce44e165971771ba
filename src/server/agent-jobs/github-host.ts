import { JobFailedError } from "../../base/errors.ts";
import type { AgentRepository } from "./agent-repository.ts";
import { GitError } from "./git.ts";
import type { GithubPullRequests } from "./github-pull-requests.ts";
import type { GithubRemote } from "./github-remote.ts";
import type { PublishedChange, PullRequestHost, StartPoint } from "./pull-request-host.ts";

interface GithubHostOptions {
  readonly remote: GithubRemote;
  /** Branch that pull requests ask to change; GitHub's default branch of the repository unless set. */
  readonly base: string | undefined;
}

interface GithubHostDeps {
  readonly repository: AgentRepository;
  readonly pullRequests: GithubPullRequests;
}

/** Fetches from, pushes to and opens pull requests on GitHub. */
export function createGithubHost(
  { remote, base: wantedBase }: GithubHostOptions,
  { repository, pullRequests }: GithubHostDeps,
): PullRequestHost {
  const page = `${remote.serverUrl}/${remote.owner}/${remote.repository}`;
  const url = remote.gitUrl ?? `${page}.git`;
  const settings = [authorize(url, remote.token)];
  const git = (args: readonly string[], signal: AbortSignal) => repository.run(args, { signal, settings });

  const listBranches = async (names: readonly string[], signal: AbortSignal) => {
    const refs = names.map((name) => `refs/heads/${name}`);
    const listed = await git(["ls-remote", "--quiet", url, ...refs], signal);
    return new Map(
      listed.split("\n").flatMap((line) => {
        const [commit, ref] = line.split("\t");
        return commit && ref ? [[ref.slice("refs/heads/".length), commit] as const] : [];
      }),
    );
  };
  /** Brings a branch's tip into the platform's own repository. */
  const fetchBranch = async (branch: string, { as, signal }: { as: string; signal: AbortSignal }) => {
    const refspec = `+refs/heads/${branch}:refs/docs-agent/${as}/remote`;
    await git(["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", url, refspec], signal);
  };

  return {
    repository: page,
    findStart: async ({ branch }, { signal }): Promise<StartPoint> => {
      const base = wantedBase ?? (await pullRequests.readDefaultBranch({ signal }));
      const tips = await listBranches([branch, base], signal);
      const start = tips.has(branch) ? branch : base;
      const commit = tips.get(start);
      if (commit === undefined) throw new JobFailedError(`${page} has no branch ${base}.`);
      await fetchBranch(start, { as: branch, signal });
      return { commit, base };
    },
    publish: async (change, { signal }) => {
      await push(change, { git, url, fetchBranch, signal });
      return pullRequests.open(change, { signal });
    },
  };
}

interface PushDeps {
  readonly url: string;
  readonly signal: AbortSignal;
  git(args: readonly string[], signal: AbortSignal): Promise<string>;
  fetchBranch(branch: string, options: { as: string; signal: AbortSignal }): Promise<void>;
}

/** Pushes without force: what people pushed to the branch in the meantime stays. */
async function push({ branch, commit }: PublishedChange, deps: PushDeps): Promise<void> {
  const { git, url, fetchBranch, signal } = deps;
  try {
    await git(["push", "--quiet", url, `${commit}:refs/heads/${branch}`], signal);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    signal.throwIfAborted();
    // An interrupted attempt may have pushed it, and people may have built on it since.
    const isThere = await fetchBranch(branch, { as: branch, signal })
      .then(() => git(["merge-base", "--is-ancestor", commit, `refs/docs-agent/${branch}/remote`], signal))
      .then(() => true)
      .catch(() => false);
    if (!isThere)
      throw new JobFailedError(`The branch ${branch} could not be pushed: ${error.message}`, {
        cause: error,
      });
  }
}

/** The setting that makes git send the token to this host only. */
function authorize(url: string, token: string): readonly [string, string] {
  const credentials = Buffer.from(`x-access-token:${token}`).toString("base64");
  return [`http.${new URL(url).origin}/.extraheader`, `AUTHORIZATION: basic ${credentials}`];
}
