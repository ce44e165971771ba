/** Commits: comparisons, statuses, and the pull requests they belong to. */

import { type ApiCall, ApiError, type Handler, requireStored, validationFailed } from "./api-call.ts";
import { ancestry, changedFiles, compareCommits, pullCommits } from "./history.ts";
import { linkHeader, readPage } from "./pagination.ts";
import type { CommitStatus, Issue, PullFacts } from "./records.ts";
import { renderPull } from "./render-pulls.ts";
import { renderCommit, renderFile, renderRepository, renderStatus, shaOf } from "./render-repository.ts";
import { repositoryUrls } from "./render-threads.ts";

/** GitHub lists no more files of a comparison. */
const MAX_COMPARED_FILES = 300;
const MAX_STATUS_DESCRIPTION = 140;

function findSha(name: string, call: ApiCall): string {
  const sha = shaOf(name, call);
  if (sha === undefined) throw new ApiError(422, `No commit found for SHA: ${name}`);
  return sha;
}

type StatusContext = Pick<ApiCall, "state">;

const statusesOf = (sha: string, { state }: StatusContext): CommitStatus[] =>
  state.statuses.filter((status) => status.sha === sha).toReversed();

/** The newest status of every context. */
export function latestStatuses(sha: string, call: StatusContext): CommitStatus[] {
  const latest = new Map<string, CommitStatus>();
  for (const status of statusesOf(sha, call))
    if (!latest.has(status.context)) latest.set(status.context, status);
  return [...latest.values()];
}

function combine(statuses: readonly CommitStatus[]): string {
  const states = new Set(statuses.map(({ state }) => state));
  if (states.has("failure") || states.has("error")) return "failure";
  return states.size === 0 || states.has("pending") ? "pending" : "success";
}

export const commitRoutes: Readonly<Record<string, Handler>> = {
  "repos/compare-commits-with-basehead": (call) => {
    const [base = "", head = ""] = String(call.path["basehead"]).split("...");
    const { ahead, behind, mergeBase, status } = compareCommits({ base, head }, call);
    const { page, perPage } = readPage(call.query, { perPage: 250, maximum: 250 });
    const commits = ahead.slice((page - 1) * perPage, page * perPage);
    const { api, html } = repositoryUrls(call);
    const files = page === 1 ? changedFiles(ahead).slice(0, MAX_COMPARED_FILES) : undefined;
    return {
      status: 200,
      headers: linkHeader({ url: call.url, total: ahead.length, page, perPage }),
      body: {
        url: `${api}/compare/${base}...${head}`,
        html_url: `${html}/compare/${base}...${head}`,
        permalink_url: `${html}/compare/${base}...${head}`,
        diff_url: `${html}/compare/${base}...${head}.diff`,
        patch_url: `${html}/compare/${base}...${head}.patch`,
        base_commit: renderCommit(requireStored(call.state.commits, findSha(base, call)), call),
        merge_base_commit: renderCommit(mergeBase, call),
        status,
        ahead_by: ahead.length,
        behind_by: behind.length,
        total_commits: ahead.length,
        commits: commits.map((commit) => renderCommit(commit, call)),
        ...(files === undefined ? {} : { files: files.map((file) => renderFile(file, call)) }),
      },
    };
  },

  "repos/get-commit": (call) => {
    const commit = requireStored(call.state.commits, findSha(String(call.path["ref"]), call));
    return {
      status: 200,
      body: {
        ...renderCommit(commit, call),
        stats: { additions: commit.files.length, deletions: 0, total: commit.files.length },
        files: commit.files.slice(0, MAX_COMPARED_FILES).map((file) => renderFile(file, call)),
      },
    };
  },

  "repos/list-commits": (call) => {
    const start = findSha(call.query.get("sha") ?? call.state.defaultBranch, call);
    const since = Date.parse(call.query.get("since") ?? "1970-01-01");
    const until = Date.parse(call.query.get("until") ?? "9999-01-01");
    const commits = ancestry(start, call.state).filter(({ date }) => {
      const at = Date.parse(date);
      return at >= since && at <= until;
    });
    return { status: 200, list: commits.map((commit) => renderCommit(commit, call)) };
  },

  "repos/list-pull-requests-associated-with-commit": (call) => {
    const sha = String(call.path["commit_sha"]);
    const brings = (pull: PullFacts) =>
      pull.mergeCommitSha === sha ||
      pull.landedCommits?.includes(sha) === true ||
      pullCommits(pull, call).some((commit) => commit.sha === sha);
    const pulls = [...call.state.issues.values()].filter(
      (issue): issue is Issue & { pull: PullFacts } => issue.pull !== undefined && brings(issue.pull),
    );
    return { status: 200, list: pulls.map((pull) => renderPull(pull, { isFull: false, context: call })) };
  },

  "repos/create-commit-status": (call) => {
    const { state, body, actor } = call;
    const sha = String(call.path["sha"]);
    if (!state.commits.has(sha)) throw new ApiError(422, `No commit found for SHA: ${sha}`);
    const description = body["description"];
    if (typeof description === "string" && description.length > MAX_STATUS_DESCRIPTION) {
      throw validationFailed({
        resource: "Status",
        field: "description",
        message: `description is too long (maximum is ${MAX_STATUS_DESCRIPTION} characters)`,
      });
    }
    const status: CommitStatus = {
      id: state.nextId(),
      sha,
      state: body["state"] as CommitStatus["state"],
      context: String(body["context"] ?? "default"),
      description: typeof description === "string" ? description : undefined,
      targetUrl: typeof body["target_url"] === "string" ? body["target_url"] : undefined,
      creator: actor.login,
      createdAt: state.now(),
    };
    state.statuses.push(status);
    return { status: 201, body: renderStatus(status, call) };
  },

  "repos/list-commit-statuses-for-ref": (call) => {
    const sha = findSha(String(call.path["ref"]), call);
    return { status: 200, list: statusesOf(sha, call).map((status) => renderStatus(status, call)) };
  },

  "repos/get-combined-status-for-ref": (call) => {
    const sha = findSha(String(call.path["ref"]), call);
    const statuses = latestStatuses(sha, call);
    const { api } = repositoryUrls(call);
    return {
      status: 200,
      body: {
        state: combine(statuses),
        sha,
        total_count: statuses.length,
        statuses: statuses.map((status) => renderStatus(status, call)),
        repository: renderRepository(call),
        commit_url: `${api}/commits/${sha}`,
        url: `${api}/commits/${sha}/status`,
      },
    };
  },
};
