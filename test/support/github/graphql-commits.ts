/** Branches, tags, commits and their statuses as GraphQL shows them. */

import { latestStatuses } from "./commit-routes.ts";
import { connect, type PageArguments } from "./graphql-connection.ts";
import { requireReadable } from "./graphql-permissions.ts";
import type { GraphContext } from "./graphql-writing.ts";
import { ancestry, pullCommits } from "./history.ts";
import type { Commit, PullFacts } from "./records.ts";
import { repositoryUrls } from "./render-threads.ts";

function statusObject(sha: string, context: GraphContext) {
  requireReadable("statuses", context);
  const contexts = latestStatuses(sha, context).map(
    ({ id, context: name, state, createdAt, targetUrl = null, description = null }) => ({
      id: `SC_${id}`,
      context: name,
      state: state.toUpperCase(),
      createdAt,
      targetUrl,
      description,
    }),
  );
  return contexts.length === 0 ? null : { id: `ST_${sha}`, state: "PENDING", contexts };
}

function commitObject({ sha, date }: Commit, context: GraphContext): object {
  const { html } = repositoryUrls(context);
  return {
    __typename: "Commit",
    id: `C_${sha}`,
    oid: sha,
    committedDate: date,
    url: `${html}/commit/${sha}`,
    resourcePath: `/${context.state.owner}/${context.state.name}/commit/${sha}`,
    status: () => statusObject(sha, context),
    history: (page: PageArguments) =>
      connect(
        ancestry(sha, context.state).map((commit) => commitObject(commit, context)),
        page,
      ),
  };
}

function findCommit(sha: string | undefined, context: GraphContext): object | null {
  const commit = sha === undefined ? undefined : context.state.commits.get(sha);
  return commit === undefined ? null : commitObject(commit, context);
}

/** The commit behind an identifier, if it is a commit's. */
export function findCommitNode(id: string, context: GraphContext): object | undefined {
  if (!id.startsWith("C_")) return undefined;
  requireReadable("contents", context);
  return findCommit(id.slice(2), context) ?? undefined;
}

function targetObject(sha: string, context: GraphContext): object | null {
  const tagged = context.state.tagObjects.get(sha);
  if (tagged === undefined) return findCommit(sha, context);
  return {
    __typename: "Tag",
    id: `TA_${sha}`,
    oid: sha,
    name: "tag",
    target: () => findCommit(tagged, context),
  };
}

/** The branches or tags below a prefix, by name. */
export function refObjects(prefix: string, context: GraphContext): object[] {
  requireReadable("contents", context);
  return [...context.state.refs]
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, sha]) => ({
      id: `REF_${name}`,
      name: name.slice(prefix.length),
      prefix,
      target: () => targetObject(sha, context),
    }));
}

/** The default branch; null while the repository is empty. */
export function defaultBranchObject(context: GraphContext): object | null {
  const { defaultBranch, refs } = context.state;
  const sha = refs.get(`refs/heads/${defaultBranch}`);
  requireReadable("contents", context);
  if (sha === undefined) return null;
  const target = () => targetObject(sha, context);
  return { id: "REF_default", name: defaultBranch, prefix: "refs/heads/", target };
}

/** What a pull request has to do with commits. */
export function pullCommitFields(pull: PullFacts, context: GraphContext) {
  return {
    mergeCommit: () => findCommit(pull.mergeCommitSha, context),
    potentialMergeCommit: () => null,
    commits: (page: PageArguments) =>
      connect(
        pullCommits(pull, context).map((commit) => ({
          id: `PRC_${commit.sha}`,
          commit: commitObject(commit, context),
        })),
        page,
      ),
  };
}
