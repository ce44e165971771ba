/** Questions about the commit graph. */

import { notFound } from "./api-call.ts";
import { type ChangedFile, type Commit, type GitHubState, type PullFacts, shaOf } from "./state.ts";

interface HistoryContext {
  readonly state: GitHubState;
}

/** A commit and all that came before it, the newest first, as `git log` lists them. */
export function ancestry(sha: string, { commits }: GitHubState): Commit[] {
  const found = new Set<Commit>();
  let pending = [sha];
  while (pending.length > 0) {
    const known = pending.flatMap((each) => commits.get(each) ?? []).filter((commit) => !found.has(commit));
    const [next, ...others] = known.toSorted((one, other) => Date.parse(other.date) - Date.parse(one.date));
    if (next) found.add(next);
    pending = [...others.map((commit) => commit.sha), ...(next?.parents ?? [])];
  }
  return [...found];
}

interface Range {
  readonly base: string;
  readonly head: string;
}

function resolveRange({ base, head }: Range, context: HistoryContext): Range {
  const [baseSha, headSha] = [shaOf(base, context), shaOf(head, context)];
  if (baseSha === undefined || headSha === undefined) throw notFound();
  return { base: baseSha, head: headSha };
}

/** Commits that the head has and the base has not, oldest first. */
function commitsBetween(range: Range, context: HistoryContext): Commit[] {
  const { base, head } = resolveRange(range, context);
  const known = new Set(ancestry(base, context.state).map(({ sha }) => sha));
  return ancestry(head, context.state)
    .filter(({ sha }) => !known.has(sha))
    .reverse();
}

/** The commits of a pull request, also of a merged one. */
export function pullCommits({ base, head, ownCommits }: PullFacts, context: HistoryContext): Commit[] {
  return ownCommits === undefined
    ? commitsBetween({ base, head }, context)
    : ownCommits.flatMap((sha) => context.state.commits.get(sha) ?? []);
}

/** How the head stands to the base, with the newest commit that both have. */
export function compareCommits(range: Range, context: HistoryContext) {
  const { base, head } = resolveRange(range, context);
  const ahead = commitsBetween({ base, head }, context);
  const behind = commitsBetween({ base: head, head: base }, context);
  const ofHead = new Set(ancestry(head, context.state).map(({ sha }) => sha));
  const mergeBase = ancestry(base, context.state).find(({ sha }) => ofHead.has(sha));
  // GitHub answers 404 for histories that have nothing in common.
  if (mergeBase === undefined) throw notFound();
  const status =
    ahead.length > 0 && behind.length > 0
      ? "diverged"
      : ahead.length > 0
        ? "ahead"
        : behind.length > 0
          ? "behind"
          : "identical";
  return { ahead, behind, mergeBase, status };
}

/** What commits changed together; the last change of a file counts. */
export function changedFiles(commits: readonly Commit[]): ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  for (const { files: changed } of commits) for (const file of changed) files.set(file.filename, file);
  return [...files.values()].toSorted((one, other) => (one.filename < other.filename ? -1 : 1));
}
