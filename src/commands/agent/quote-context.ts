/** Turns what GitHub knows about an event into quoted pieces for a prompt. */
import type { Changes } from "../../github/changes.ts";
import type { GitHubEvent, WrittenEvent } from "../../github/event.ts";
import type { ThreadContext, ThreadText } from "../../github/thread-context.ts";
import { keepVisibleCharacters, keepVisibleText } from "../../github/visible-text.ts";
import type { QuotedPiece } from "./assemble-prompt.ts";

/** More paths than this say "everything" to an agent as well. */
const maxPaths = 400;
const maxTitles = 100;

/** A change as one piece: range, titles, paths. */
export function quoteChanges(changes: Changes, paths: readonly string[]): QuotedPiece {
  const wanted = new Set(paths);
  const shown = changes.files.filter(({ path }) => wanted.has(path)).slice(0, maxPaths);
  const titles = changes.titles.slice(-maxTitles);
  const missing = paths.length - shown.length;
  const lines = [
    `Range: ${visibleLine(changes.range)}`,
    ...changes.notes.map(visibleLine),
    ...(titles.length === 0 ? [] : ["", "Titles:", ...titles.map((title) => `- ${visibleLine(title)}`)]),
    ...(changes.titles.length > titles.length
      ? [`(and ${changes.titles.length - titles.length} older ones)`]
      : []),
    "",
    "Changed files:",
    ...shown.map(({ path, status, previousPath }) =>
      previousPath
        ? `- ${status}: ${visibleLine(previousPath)} -> ${visibleLine(path)}`
        : `- ${status}: ${visibleLine(path)}`,
    ),
    ...(missing > 0 ? [`(and ${missing} more)`] : []),
    ...(changes.isComplete ? [] : ["(GitHub did not list every file of this change.)"]),
  ];
  return { title: "what changed", url: changes.url, text: lines.join("\n"), rank: "first" };
}

/** Titles and paths are no Markdown: GitHub shows them as they are. */
function visibleLine(text: string): string {
  return keepVisibleCharacters(text).text.replace(/\s+/g, " ");
}

/** A thread as pieces: what it is about, then its comments, oldest first. */
export function quoteThread({ subject, comments }: ThreadContext): QuotedPiece[] {
  const piece = (text: ThreadText, rank: QuotedPiece["rank"]): QuotedPiece => ({ ...text, rank });
  return [piece(subject, "first"), ...comments.map((comment) => piece(comment, "recent"))];
}

/** Where in a diff a review comment stands. */
export function quotePlace({ location }: WrittenEvent): QuotedPiece[] {
  if (!location) return [];
  const line = location.line === undefined ? "" : `, line ${location.line}`;
  const text = `${visibleLine(location.path)}${line}\n\n${keepVisibleCharacters(location.hunk).text}`;
  return [{ title: "the lines that the review comment is about", text, rank: "first" }];
}

/** A release's own words. */
export function quoteRelease(event: GitHubEvent): QuotedPiece[] {
  if (event.type !== "release") return [];
  const text = `${visibleLine(event.name)}\n\n${keepVisibleText(event.body).text}`;
  return [
    {
      title: `release ${visibleLine(event.tag)}`,
      author: event.author?.login,
      url: event.url,
      text,
      rank: "first",
    },
  ];
}
