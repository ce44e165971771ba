/** What a push, merged pull request or release changed, from the API alone: no checkout. */
import type { PullRequestEvent, PushEvent, ReleaseEvent, Thread, WrittenEvent } from "../event/event.ts";
import type { GitHubApi } from "../github-api.ts";
import {
  type Comparison,
  compareCommits,
  filesOfCommits,
  firstLine,
  short,
  toFile,
} from "./compare-commits.ts";

export interface Changes extends Comparison {
  /** The range in words: `main, 1a2b3c4...5d6e7f8`. */
  readonly range: string;
}

type ChangeEvent = PushEvent | PullRequestEvent | ReleaseEvent | WrittenEvent;

const purpose = { doing: "read what changed", permission: "contents: read" };
const pullRequestPurpose = { doing: "read what the pull request changes", permission: "pull-requests: read" };
const zeroSha = /^0+$/;

/** Reads what an event changed, or what the pull request changes on which a text was written. */
export function readChanges(event: ChangeEvent, api: GitHubApi): Promise<Changes> {
  switch (event.type) {
    case "written":
      return readPullRequestFiles(event.thread, { range: `pull request #${event.thread.number}`, api });
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
  const { head, before, defaultBranch } = event;
  const isTag = event.ref.startsWith("refs/tags/");
  const isNew = zeroSha.test(before);
  const base = !isNew ? before : name === defaultBranch || isTag ? undefined : defaultBranch;
  const notes = [
    ...(isNew ? [isTag ? "The tag is new." : "The branch is new."] : []),
    ...(event.forced ? ["The push rewrote history: commits that were there before are gone."] : []),
  ];
  const compared = base === undefined ? undefined : await compareCommits({ base, head: head.id }, api);
  if (compared)
    return {
      ...compared,
      range: `${name}, ${short(base ?? "")}...${short(head.id)}`,
      notes: [...notes, ...compared.notes],
    };
  // No base to compare with: it is gone, or there never was one. The commits of the payload are what is known.
  const commits = event.commits.length > 0 ? event.commits : [head];
  const files = await filesOfCommits(
    commits.map(({ id }) => id),
    api,
  );
  return {
    ...files,
    range: `${name}, up to ${short(head.id)}`,
    url: undefined,
    titles: commits.map(({ message }) => firstLine(message)).filter((title) => title !== ""),
    notes: [...notes, "There is no earlier state to compare with; these are the commits of the push."],
  };
}

function readPullRequest(
  { thread, base, head, mergeSha }: PullRequestEvent,
  api: GitHubApi,
): Promise<Changes> {
  return readPullRequestFiles(thread, {
    range: `${base.ref}, ${short(base.sha)}...${short(mergeSha ?? head.sha)}`,
    api,
  });
}

/** GitHub lists the first 3,000 files of a pull request. */
const maxPullRequestFiles = 3000;

async function readPullRequestFiles(
  { number, title, url }: Pick<Thread, "number" | "title" | "url">,
  { range, api }: { range: string; api: GitHubApi },
): Promise<Changes> {
  const files = await api.call(pullRequestPurpose, (octokit, target) =>
    octokit.paginate(octokit.rest.pulls.listFiles, { ...target, pull_number: number, per_page: 100 }),
  );
  const isComplete = files.length < maxPullRequestFiles;
  return { range, url, titles: [title], files: files.map(toFile), isComplete, notes: [] };
}

async function readRelease({ tag, name, url }: ReleaseEvent, api: GitHubApi): Promise<Changes> {
  const { data: releases } = await api.call(purpose, (octokit, target) =>
    octokit.rest.repos.listReleases({ ...target, per_page: 100 }),
  );
  const published = releases.filter(({ draft }) => !draft);
  const position = published.findIndex((release) => release.tag_name === tag);
  const previous = position < 0 ? undefined : published[position + 1]?.tag_name;
  const compared =
    previous === undefined ? undefined : await compareCommits({ base: previous, head: tag }, api);
  const range = previous === undefined ? tag : `${previous}...${tag}`;
  if (compared) return { ...compared, range, url };
  const titles = [name || tag];
  return {
    range,
    url,
    titles,
    files: [],
    isComplete: false,
    notes: [
      position < 0
        ? `The release is not among the newest ${releases.length}, so there is none to compare it with.`
        : "There is no earlier release to compare with.",
    ],
  };
}
