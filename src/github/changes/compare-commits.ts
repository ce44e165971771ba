/** What lies between two states of the repository, as GitHub compares them. */
import { collectPages } from "../collect-pages.ts";
import { statusOfCause } from "../errors.ts";
import type { GitHubApi } from "../github-api.ts";

export interface ChangedFile {
  readonly path: string;
  readonly status: string;
  readonly previousPath?: string | undefined;
}

const purpose = { doing: "compare commits", permission: "contents: read" };
/** GitHub lists at most so many files of a comparison or a commit page. */
const maxComparedFiles = 300;
/** Commits whose files are looked up one by one where the comparison's list is cut. */
const maxCommitsLookedUp = 50;

/** What lies between two states. */
export interface Comparison {
  readonly url: string | undefined;
  /** First lines of the commits' messages; oldest first. */
  readonly titles: readonly string[];
  readonly files: readonly ChangedFile[];
  /** False where GitHub did not list every file. */
  readonly isComplete: boolean;
  /** What a reader should know about the range. */
  readonly notes: readonly string[];
}

/** Compares two states; `undefined` where one of them is not there any more, or is no commit but an annotated tag's object. */
export async function compareCommits(
  { base, head }: { base: string; head: string },
  api: GitHubApi,
): Promise<Comparison | undefined> {
  const basehead = `${base}...${head}`;
  const fetchPage = (page: number) =>
    api.call(purpose, async (octokit, target) => {
      const parameters = { ...target, basehead, per_page: commitsPerPage, page };
      return (await octokit.rest.repos.compareCommitsWithBasehead(parameters)).data;
    });
  const first = await orUndefined(fetchPage(1));
  if (!first) return undefined;
  const { html_url: url, status, total_commits: total } = first;
  const commits = [...first.commits];
  for (const page of pagesAfterFirst(total)) commits.push(...(await fetchPage(page)).commits);
  const listed = unique((first.files ?? []).map(toFile));
  const notes = [
    ...(status === "diverged"
      ? ["The two states have diverged; changes are counted from where they parted."]
      : []),
    ...(commits.length < total ? [`Only ${commits.length} of its ${total} commits are looked at.`] : []),
  ];
  const facts = { url, titles: commits.map(({ commit }) => firstLine(commit.message)), notes };
  if (listed.length < maxComparedFiles) return { ...facts, files: listed, isComplete: true };
  const shas = commits.map(({ sha }) => sha);
  const more = await filesOfCommits(shas, api);
  const isComplete = more.isComplete && commits.length >= total;
  return { ...facts, files: unique([...listed, ...more.files]), isComplete };
}

const commitsPerPage = 100;

/** Commits come oldest first, and the newest say most: of a long range, the first page is followed by the last two. */
function pagesAfterFirst(total: number): number[] {
  const last = Math.ceil(total / commitsPerPage);
  return [last - 1, last].filter((page) => page > 1);
}

/** The files that commits changed, looked up one by one. */
export async function filesOfCommits(
  shas: readonly string[],
  api: GitHubApi,
): Promise<Pick<Comparison, "files" | "isComplete">> {
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

/** A file of the REST API in our terms. */
export function toFile({ filename, status, previous_filename }: RestFile): ChangedFile {
  return { path: filename, status, previousPath: previous_filename };
}

function unique(files: readonly ChangedFile[]): ChangedFile[] {
  return [...new Map(files.map((file) => [file.path, file])).values()];
}

async function orUndefined<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if ([404, 422].includes(statusOfCause(error) ?? 0)) return undefined;
    throw error;
  }
}

/** A commit message's title. */
export function firstLine(message: string): string {
  return message.split("\n", 1)[0]?.trim() ?? "";
}

/** A commit as people write it. */
export function short(ref: string): string {
  return /^[0-9a-f]{40}$/.test(ref) ? ref.slice(0, 7) : ref;
}
