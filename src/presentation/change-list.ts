/** The list of source changes in the description of a pull request that gathers them. */
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
/** Longer lists are cut. */
const maxListed = 50;

/** The changes that a pull request covers, and those that were left out with the reason, newest first. */
export function renderChangeList(changes: readonly ListedChange[]): string {
  const shown = changes.slice(0, maxListed).map(({ sha, title, url, isSkipped }) => {
    const reason = isSkipped ? " — skipped: no changed file matches `paths`" : "";
    return `- ${linkTo(sha.slice(0, 7), url)} ${escapeInline(title)}${reason}`;
  });
  const rest = changes.length - shown.length;
  const more = rest > 0 ? [`- and ${formatCount(rest, "earlier change")}`] : [];
  return [begin, "#### Source changes", "", ...shown, ...more, end].join("\n");
}

/** A description with the list in place of the last one in it, or at its end; other people's text before a list stays. */
export function replaceChangeList(description: string, list: string): string {
  const from = description.lastIndexOf(begin);
  const to = description.indexOf(end, from);
  if (from < 0 || to < 0) return `${description.trimEnd()}\n\n${list}\n`;
  return description.slice(0, from) + list + description.slice(to + end.length);
}
