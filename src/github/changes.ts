/** What a push, merged pull request or release changed, from the API alone: no checkout. */

import { collectPages } from "./collect-pages.ts";
import { statusOfCause } from "./errors.ts";
import type { PullRequestEvent, PushEvent, ReleaseEvent } from "./event.ts";
import type { GitHubApi } from "./github-api.ts";

export interface ChangedFile {
  readonly path: string;
  readonly status: string;
  readonly previousPath?: string | undefined;
}

export interface Changes {
  /** The range in words: `main, 1a2b3c4...5d6e7f8`. */
  readonly range: string;
  readonly url: string | undefined;
  /** First lines of the commits' messages, or the pull request's title; oldest first. */
  readonly titles: readonly string[];
  readonly files: readonly ChangedFile[];
  /** False where GitHub did not list every file. */
  readonly isComplete: boolean;
  /** What a reader should know about the range. */
  readonly notes: readonly string[];
}

export type ChangeEvent = PushEvent | PullRequestEvent | ReleaseEvent;

const purpose = { doing: "read what changed", permission: "contents: read" };
const zeroSha = /^0+$/;
/** GitHub lists at most so many files of a comparison or a commit page. */
const maxComparedFiles = 300;
/** Commits whose files are looked up one by one where the comparison's list is cut. */
const maxCommitsLookedUp = 50;

export function readChanges(event: ChangeEvent, api: GitHubApi): Promise<Changes> {
  switch (event.type) {
    case "push":
      return readPush(event, api);
    case "pull-request":
      return readPullRequest(event, api);
    case "release":
      return readRelease(event, api);
  }
}

async function readPush(event: PushEvent, api: GitHubApi): Promise<Changes> {
  const name = event.ref.replace(/^refs\/(heads|tags)\//, "");
  const { after, before, defaultBranch } = event;
  const isNew = zeroSha.test(before);
  const base = !isNew
    ? before
    : name === defaultBranch || event.ref.startsWith("refs/tags/")
      ? undefined
      : defaultBranch;
  const notes = [
    ...(isNew ? ["The branch is new."] : []),
    ...(event.forced ? ["The push rewrote history: commits that were there before are gone."] : []),
  ];
  const compared = base === undefined ? undefined : await compare({ base, head: after }, api);
  if (compared) return { ...compared, range: `${name}, ${short(base ?? "")}...${short(after)}`, notes };
  // No base to compare with: it is gone, or there never was one. The commits of the payload are what is known.
  const commits = event.commits.length > 0 ? event.commits : [{ id: after, message: "" }];
  const files = await filesOfCommits(
    commits.map(({ id }) => id),
    api,
  );
  return {
    ...files,
    range: `${name}, up to ${short(after)}`,
    url: undefined,
    titles: commits.map(({ message }) => firstLine(message)).filter((title) => title !== ""),
    notes: [...notes, "There is no earlier state to compare with; these are the commits of the push."],
  };
}

async function readPullRequest(
  { thread, base, head, mergeSha }: PullRequestEvent,
  api: GitHubApi,
): Promise<Changes> {
  const files = await api.call(purpose, (octokit, target) =>
    octokit.paginate(octokit.rest.pulls.listFiles, { ...target, pull_number: thread.number, per_page: 100 }),
  );
  return {
    range: `${base.ref}, ${short(base.sha)}...${short(mergeSha ?? head.sha)}`,
    url: thread.url,
    titles: [thread.title],
    files: files.map(toFile),
    // GitHub lists the first 3,000 files of a pull request.
    isComplete: files.length < 3000,
    notes: [],
  };
}

async function readRelease({ tag, name, url }: ReleaseEvent, api: GitHubApi): Promise<Changes> {
  const { data: releases } = await api.call(purpose, (octokit, target) =>
    octokit.rest.repos.listReleases({ ...target, per_page: 20 }),
  );
  const published = releases.filter(({ draft }) => !draft);
  const position = published.findIndex((release) => release.tag_name === tag);
  const previous = published[position + 1]?.tag_name;
  const compared = previous === undefined ? undefined : await compare({ base: previous, head: tag }, api);
  const range = previous === undefined ? tag : `${previous}...${tag}`;
  if (compared) return { ...compared, range, url };
  const titles = [name || tag];
  return {
    range,
    url,
    titles,
    files: [],
    isComplete: false,
    notes: ["There is no earlier release to compare with."],
  };
}

type Comparison = Omit<Changes, "range">;

/** Compares two states; `undefined` where one of them is not there any more. */
async function compare(
  { base, head }: { base: string; head: string },
  api: GitHubApi,
): Promise<Comparison | undefined> {
  const basehead = `${encodeRef(base)}...${encodeRef(head)}`;
  const pages = await orUndefined(
    api.call(purpose, (octokit, target) => {
      return collectPages((page) =>
        octokit.rest.repos.compareCommitsWithBasehead({ ...target, basehead, per_page: 100, page }),
      );
    }),
  );
  const first = pages?.[0];
  if (!pages || !first) return undefined;
  const commits = pages.flatMap((page) => page.commits);
  const listed = unique(pages.flatMap((page) => page.files ?? []).map(toFile));
  const titles = commits.map(({ commit }) => firstLine(commit.message));
  const { html_url: url, status } = first;
  const notes =
    status === "diverged"
      ? ["The two states have diverged; changes are counted from where they parted."]
      : [];
  if (listed.length < maxComparedFiles) return { url, titles, files: listed, isComplete: true, notes };
  const more = await filesOfCommits(
    commits.map(({ sha }) => sha),
    api,
  );
  return { url, titles, files: unique([...listed, ...more.files]), isComplete: more.isComplete, notes };
}

async function filesOfCommits(
  shas: readonly string[],
  api: GitHubApi,
): Promise<Pick<Changes, "files" | "isComplete">> {
  const files: ChangedFile[] = [];
  let isComplete = shas.length <= maxCommitsLookedUp;
  for (const ref of shas.slice(-maxCommitsLookedUp)) {
    const pages = await api.call(purpose, (octokit, target) =>
      collectPages((page) => octokit.rest.repos.getCommit({ ...target, ref, per_page: 100, page })),
    );
    const listed = pages.flatMap((page) => page.files ?? []);
    files.push(...listed.map(toFile));
    // A list of exactly that length may be a cut one.
    if (listed.length > 0 && listed.length % maxComparedFiles === 0) isComplete = false;
  }
  return { files: unique(files), isComplete };
}

interface RestFile {
  readonly filename: string;
  readonly status: string;
  readonly previous_filename?: string;
}

function toFile({ filename, status, previous_filename }: RestFile): ChangedFile {
  return { path: filename, status, previousPath: previous_filename };
}

function unique(files: readonly ChangedFile[]): ChangedFile[] {
  return [...new Map(files.map((file) => [file.path, file])).values()];
}

async function orUndefined<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (statusOfCause(error) === 404) return undefined;
    throw error;
  }
}

function encodeRef(ref: string): string {
  return ref.split("/").map(encodeURIComponent).join("/");
}

function firstLine(message: string): string {
  return message.split("\n", 1)[0]?.trim() ?? "";
}

function short(ref: string): string {
  return /^[0-9a-f]{40}$/.test(ref) ? ref.slice(0, 7) : ref;
}
