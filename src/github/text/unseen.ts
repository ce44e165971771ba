/** A stretch of Markdown source that GitHub does not show as text. */
export interface Unseen {
  readonly start: number;
  readonly end: number;
  /** Whether it carries words that a reader of the page does not see; a bare `<b>` does not. */
  readonly hidesText: boolean;
  /** What stands in its place, so that words on both sides stay apart. */
  readonly replacement: string;
}

/** Stretches in document order; of what overlaps, the rest is found again once the first is cut. */
export function orderUnseen(found: readonly Unseen[]): Unseen[] {
  return mergeAdjacent(withoutOverlaps(found));
}

function withoutOverlaps(found: readonly Unseen[]): Unseen[] {
  const kept: Unseen[] = [];
  for (const part of found.toSorted((a, b) => a.start - b.start)) {
    if (part.start >= (kept.at(-1)?.end ?? 0)) kept.push(part);
  }
  return kept;
}

/** Pieces of one hidden stretch (a comment's start and its rest) count as one. */
function mergeAdjacent(found: readonly Unseen[]): Unseen[] {
  const merged: Unseen[] = [];
  for (const part of found) {
    const last = merged.at(-1);
    const continues = last?.end === part.start && last.hidesText && part.hidesText && !last.replacement;
    if (continues) merged.splice(-1, 1, { ...part, start: last.start });
    else merged.push(part);
  }
  return merged;
}
