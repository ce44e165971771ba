/** Reads what a push, pull request or release changed. It uses the API only, so the workflow needs no checkout. */
import * as z from "zod/mini";
import { undefinedIfGone } from "./errors.ts";
import type { PullRequestEvent, PushEvent, ReleaseEvent, TextEvent, Thread } from "./event.ts";
import type { GitHubApi } from "./github-api.ts";

export interface ChangedFile {
  readonly path: string;
  readonly status: string;
  readonly previousPath?: string | undefined;
  /** Its diff; GitHub omits those of binary and of very large files. */
  readonly patch?: string | undefined;
}

/** GitHub's limit for the files of a comparison and of a commit. A list of this length may be truncated. */
const maxListedFiles = 300;

export interface Changes {
  /** The range as text: `main, 1a2b3c4...5d6e7f8`. */
  readonly range: string;
  readonly url: string | undefined;
  /** First lines of the commit messages, oldest first. */
  readonly titles: readonly string[];
  readonly files: readonly ChangedFile[];
  /** False if GitHub did not list every file. */
  readonly isComplete: boolean;
  /** Sentences for the agent about the range. */
  readonly notes: readonly string[];
}

type ChangeEvent = PushEvent | PullRequestEvent | ReleaseEvent | TextEvent;

const ListedFile = z.pipe(
  z.object({
    filename: z.string(),
    status: z.string(),
    previous_filename: z.optional(z.string()),
    patch: z.optional(z.string()),
  }),
  z.transform(({ filename: path, previous_filename: previousPath, ...rest }) => ({
    path,
    previousPath,
    ...rest,
  })),
);
const ListedFiles = z._default(z.array(ListedFile), []);

const ListedCommit = z.object({ files: ListedFiles, parents: z.array(z.object({ sha: z.string() })) });

/** A comparison of two commits. */
export const RestComparison = z.object({
  html_url: z.string(),
  status: z.string(),
  total_commits: z.number(),
  commits: z.array(
    z.object({ sha: z.string(), html_url: z.string(), commit: z.object({ message: z.string() }) }),
  ),
  files: ListedFiles,
});

const ListedRelease = z.object({ tag_name: z.string(), draft: z.boolean() });

const purpose = { doing: "read what changed", permission: "contents: read" };
const pullRequestPurpose = { doing: "read what the pull request changes", permission: "pull-requests: read" };
const zeroSha = /^0+$/;

/** Reads what an event changed; for a comment on a pull request, what the pull request changes. */
export function readChanges(event: ChangeEvent, api: GitHubApi): Promise<Changes> {
  switch (event.type) {
    case "text":
      return readPullRequestFiles(event.thread, `pull request #${event.thread.number}`, api);
    case "push":
      return readPush(event, api);
    case "pull-request": {
      const { thread, base, head, mergeSha } = event;
      const range = `${base.ref}, ${short(base.sha)}...${short(mergeSha ?? head.sha)}`;
      return readPullRequestFiles(thread, range, api);
    }
    case "release":
      return readRelease(event, api);
  }
}

async function readPush(event: PushEvent, api: GitHubApi): Promise<Changes> {
  const name = event.ref.replace(/^refs\/(heads|tags)\//, "");
  const { head, before, defaultBranch } = event;
  const isTag = event.ref.startsWith("refs/tags/");
  const isNew = zeroSha.test(before);
  const base = !isNew ? before : name === defaultBranch || isTag ? undefined : defaultBranch;
  const notes = [
    ...(isNew ? [isTag ? "The tag is new." : "The branch is new."] : []),
    ...(event.forced ? ["The push rewrote history: earlier commits were removed."] : []),
  ];
  const compared = base === undefined ? undefined : await compareCommits(base, head.id, api);
  if (compared) {
    const range = `${name}, ${short(base ?? "")}...${short(head.id)}`;
    return { ...compared, range, notes: [...notes, ...compared.notes] };
  }
  // Without an existing base commit, only the commits of the payload are known.
  const commits = event.commits.length > 0 ? event.commits : [head];
  const route = "GET /repos/{owner}/{repo}/commits/{ref}";
  const { files } = await api.request(purpose, route, { ref: head.id }, ListedCommit);
  return {
    files,
    isComplete: commits.length === 1 && files.length < maxListedFiles,
    range: `${name}, up to ${short(head.id)}`,
    url: undefined,
    titles: commits.map(({ message }) => firstLine(message)).filter((title) => title !== ""),
    notes: [...notes, "There is no earlier commit to compare with; these are the commits of the push."],
  };
}

/** GitHub lists the first 3,000 files of a pull request. */
const maxPullRequestFiles = 3000;

async function readPullRequestFiles(
  { number, title, url }: Pick<Thread, "number" | "title" | "url">,
  range: string,
  api: GitHubApi,
): Promise<Changes> {
  const route = "GET /repos/{owner}/{repo}/pulls/{pull_number}/files";
  const files = await api.list(pullRequestPurpose, route, { pull_number: number }, ListedFile);
  const isComplete = files.length < maxPullRequestFiles;
  return { range, url, titles: [title], files, isComplete, notes: [] };
}

async function readRelease({ tag, name, url }: ReleaseEvent, api: GitHubApi): Promise<Changes> {
  const route = "GET /repos/{owner}/{repo}/releases";
  const releases = await api.request(purpose, route, { per_page: 100 }, z.array(ListedRelease));
  const published = releases.filter(({ draft }) => !draft);
  const position = published.findIndex((release) => release.tag_name === tag);
  const previous = position < 0 ? undefined : published[position + 1]?.tag_name;
  const compared = previous === undefined ? undefined : await compareCommits(previous, tag, api);
  const range = previous === undefined ? tag : `${previous}...${tag}`;
  if (compared) return { ...compared, range, url };
  const note =
    position < 0
      ? `The release is not among the newest ${releases.length} releases, so it cannot be compared with the one before it.`
      : "There is no earlier release to compare with.";
  return { range, url, titles: [name || tag], files: [], isComplete: false, notes: [note] };
}

/** The changes between two commits; `undefined` if one of them no longer exists. */
export async function readRange(base: string, head: string, api: GitHubApi): Promise<Changes | undefined> {
  const compared = await compareCommits(base, head, api);
  return compared && { ...compared, range: `${short(base)}...${short(head)}` };
}

/** The first parent of a commit; `undefined` for the first commit of a repository. */
export async function readParent(sha: string, api: GitHubApi): Promise<string | undefined> {
  const route = "GET /repos/{owner}/{repo}/commits/{ref}";
  const { parents } = await api.request(purpose, route, { ref: sha, per_page: 1 }, ListedCommit);
  return parents[0]?.sha;
}

/** Compares two refs; `undefined` if one no longer exists, or is the object of an annotated tag instead of a commit. */
async function compareCommits(
  base: string,
  head: string,
  api: GitHubApi,
): Promise<Omit<Changes, "range"> | undefined> {
  const route = "GET /repos/{owner}/{repo}/compare/{basehead}";
  const found = await undefinedIfGone(
    api.request(purpose, route, { basehead: `${base}...${head}` }, RestComparison),
    [404, 422],
  );
  if (!found) return undefined;
  const { html_url: url, status, total_commits: total, commits, files } = found;
  const notes = [
    ...(status === "diverged"
      ? ["The two commits have diverged; the changes are those since their common ancestor."]
      : []),
    ...(commits.length < total ? [`Only the newest ${commits.length} of ${total} commits were read.`] : []),
  ];
  const titles = commits.map(({ commit }) => firstLine(commit.message));
  return { url, titles, files, isComplete: files.length < maxListedFiles, notes };
}

/** The first line of a message with text. */
export function firstLine(message: string): string {
  const [line = ""] = message.trim().split(/[\r\n]/, 1);
  return line.trimEnd();
}

/** An abbreviated commit SHA; any other ref is unchanged. */
function short(ref: string): string {
  return /^[0-9a-f]{40}$/.test(ref) ? ref.slice(0, 7) : ref;
}
