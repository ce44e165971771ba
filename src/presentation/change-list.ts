/** The list of source changes in the description of a rolling pull request. */
import { escapeInline, formatCount, linkTo } from "./markdown.ts";

export interface ListedChange {
  readonly sha: string;
  /** First line of the commit's message: untrusted. */
  readonly title: string;
  readonly url: string;
  /** Whether no changed file matches `paths`. */
  readonly isSkipped: boolean;
}

const [begin, end] = ["<!-- docs-automation:changes -->", "<!-- /docs-automation:changes -->"];
const maxListed = 50;

/** The changes that a pull request covers, newest first; skipped ones name the reason. */
export function renderChangeList(changes: readonly ListedChange[]): string {
  const shown = changes.slice(0, maxListed).map(({ sha, title, url, isSkipped }) => {
    const reason = isSkipped ? " — skipped: no changed file matches `paths`" : "";
    return `- ${linkTo(sha.slice(0, 7), url)} ${escapeInline(title)}${reason}`;
  });
  const unlisted = changes.length - shown.length;
  const more = unlisted > 0 ? [`- and ${formatCount(unlisted, "earlier change")}`] : [];
  return [begin, "#### Source changes", "", ...shown, ...more, end].join("\n");
}

/** Replaces the last list in a description, or appends one; all other text stays. */
export function replaceChangeList(description: string, list: string): string {
  const from = description.lastIndexOf(begin);
  const to = description.indexOf(end, from);
  if (from < 0 || to < 0) return `${description.trimEnd()}\n\n${list}\n`;
  return description.slice(0, from) + list + description.slice(to + end.length);
}
