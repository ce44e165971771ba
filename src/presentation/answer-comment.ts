/** Renders a question and its answer: the comment, which is edited while the answer streams in, the job summary and the outputs. */
import type { AnswerSource, ReceivedAnswer } from "../base/answer.ts";
import { shorten } from "../base/text.ts";
import {
  codeBlock,
  escapeInline,
  escapeMessage,
  formatTime,
  linkTo,
  maxShownRequest,
  pageLink,
  quoteLines,
} from "./markdown.ts";
import { type AllowedLinks, resolveLink, type SanitizedAnswer, sanitizeAnswer } from "./sanitize-answer.ts";

/** A question with its context. Every text in it is untrusted. */
export interface AskedQuestion {
  readonly request?: string | undefined;
  readonly requester?: string | undefined;
  readonly runUrl?: string | undefined;
  /** Notes on how the question was read. */
  readonly notes?: readonly string[] | undefined;
  readonly links: AllowedLinks;
  /** What a comment must start with to continue the conversation; `undefined` if there is no thread. */
  readonly triggerPhrase: string | undefined;
}

export type AnswerState =
  | { readonly state: "asking" }
  /** The platform's limit is reached; the question is sent again at this time. */
  | { readonly state: "queued"; readonly until: Date }
  /** While the answer streams in, its text is the part that does not change any more. */
  | { readonly state: "answering" | "answered"; readonly answer: ReceivedAnswer }
  /** The part that was received, and the error with its hint. */
  | { readonly state: "failed"; readonly answer: ReceivedAnswer; readonly problem: string };

/** An answer of which nothing was received. */
export const noAnswer: ReceivedAnswer = { text: "", cited: [], found: [], stoppedBy: undefined };

/** GitHub's limit is 65,536 characters; the marker, whose record contains up to 4,000 characters of the question, needs the rest. */
const maxCommentLength = 43_000;
/** GitHub's limit for the outputs of a step is 1 MB. */
const maxOutputLength = 500_000;
/** Reserved for a warning and the suggested questions. */
const maxExtraLength = 3000;
const maxSources = 12;
const maxUrlLength = 1000;
const maxTitleLength = 150;
/** A source that is longer in Markdown, because of many escapes, is not shown. */
const maxSourceLength = 1600;

/** The comment's visible part. */
export function renderAnswerComment(asked: AskedQuestion, shown: AnswerState): string {
  const answer = "answer" in shown ? shown.answer : noAnswer;
  const links = withSourceHosts(asked.links, answer);
  const sources = answer.text.trim() === "" ? [] : listSources(answer, links);
  const question = quoteQuestion(asked);
  const list = renderSources(sources);
  const { runUrl, notes = [], triggerPhrase } = asked;
  const sentences = [describeOrigin(shown, list.length > 0), nextStep(shown, triggerPhrase)].filter(Boolean);
  const small = [sentences.join(" "), pageLink("log", runUrl)].filter(Boolean).join(" · ");
  const noteLines = notes.map((note) => `\n<sub>${escapeInline(note)}</sub>`);
  const footer = ["", small === "" ? "" : `<sub>${small}</sub>`, ...noteLines];
  const limit = maxCommentLength - [...question, ...list, ...footer].join("\n").length;
  const sanitized = sanitizeAnswer(answer.text, links, limit - maxExtraLength);
  const body = renderBody(shown, sanitized);
  const isAnswered = shown.state === "answered";
  const end = isAnswered ? ["", endOfAnswer] : [];
  const next = isAnswered ? renderSuggestions(sanitized, triggerPhrase) : [];
  return [...question, ...body, ...end, ...list, ...next, ...footer].join("\n");
}

/** Extracts the answer's Markdown from the comment of an answered question; `undefined` for any other text. */
export function readShownAnswer(
  asked: Pick<AskedQuestion, "request" | "requester">,
  comment: string,
): string | undefined {
  const question = quoteQuestion(asked).join("\n");
  const end = comment.lastIndexOf(`\n${endOfAnswer}\n`);
  return end >= 0 && comment.startsWith(question) ? comment.slice(question.length, end).trim() : undefined;
}

/** The job summary: the comment's text with a link to the comment. */
export function renderAnswerSummary(
  asked: AskedQuestion,
  shown: AnswerState,
  commentUrl: string | undefined,
): string {
  const parts = [`### Docs assistant: ${shown.state}`, renderAnswerComment(asked, shown)];
  return `${[...parts, pageLink("Comment", commentUrl)].filter((part) => part !== undefined).join("\n\n")}\n`;
}

/** The outputs of an answer: sanitized Markdown, and its sources. */
export function describeAnswer(
  answer: ReceivedAnswer,
  allowed: AllowedLinks,
): SanitizedAnswer & { readonly sources: readonly AnswerSource[] } {
  const links = withSourceHosts(allowed, answer);
  const sanitized = sanitizeAnswer(answer.text, links, maxOutputLength);
  const markdown = [sanitized.markdown, ...renderStop(answer)].join("\n");
  return { ...sanitized, markdown, sources: listSources(answer, links) };
}

/**
 * Adds the hosts that an answer may link to. If the domain identifier is not a host name, the documentation's hosts are
 * those of the sources: these come from the platform's index and not from the model.
 */
function withSourceHosts(links: AllowedLinks, { cited, found }: ReceivedAnswer): AllowedLinks {
  if (links.allowed.length > 0) return links;
  const origins = [...cited, ...found].flatMap(({ url }) => {
    const parsed = URL.parse(url);
    return parsed !== null && /^https?:$/.test(parsed.protocol) ? [parsed.origin] : [];
  });
  return { baseUrl: links.baseUrl ?? origins[0], allowed: [...new Set(origins)] };
}

/** The cited sources, or the first five found ones. URLs are absolute and unique, in the order of their first mention. */
function listSources({ cited, found }: ReceivedAnswer, links: AllowedLinks): AnswerSource[] {
  const byUrl = new Map<string, AnswerSource>();
  for (const { url, title } of cited.length > 0 ? cited : found.slice(0, 5)) {
    const address = resolveLink(url, links);
    if (address === undefined || address.length > maxUrlLength) continue;
    byUrl.set(address, { url: address, title: byUrl.get(address)?.title ?? title });
  }
  return [...byUrl.values()].slice(0, maxSources);
}

function quoteQuestion({ request, requester }: Pick<AskedQuestion, "request" | "requester">): string[] {
  if (request === undefined || request.trim() === "") return [];
  const asked = requester === undefined ? [] : [`<sub>asked by ${escapeInline(requester)}</sub>`];
  // In a job summary, unlike in a comment, a line break needs two trailing spaces.
  const quoted = [...quoteLines(shorten(request, maxShownRequest)), ...asked].join("  \n").split("\n");
  return [...quoted.map((line) => `> ${line}`), ""];
}

/** A line below an answer, so that it can be read again. No text below it can contain one. */
const endOfAnswer = "---";
/** Why an answer stops early, as the end of a sentence. */
export const stopReasons = {
  length: "it reached its length limit.",
  filter: "the platform's content filter ended it.",
};

function renderBody(shown: AnswerState, { markdown, isShortened }: SanitizedAnswer): string[] {
  if (shown.state === "asking") return ["*Searching the documentation …*"];
  if (shown.state === "queued") {
    const time = formatTime(shown.until);
    return [`*The platform's question limit is reached. The question will be sent again at ${time}.*`];
  }
  const lines = markdown === "" ? [] : [markdown];
  if (isShortened) lines.push("", "*The answer is too long to be shown here; the rest is omitted.*");
  if (shown.state === "answering") return [...lines, "", "*… still answering*"];
  if (shown.state === "failed") {
    const result = lines.length === 0 ? "**There is no answer.**" : "**This answer is incomplete.**";
    const warning = `> [!WARNING]\n> ${result} ${escapeMessage(shown.problem)}`;
    return lines.length === 0 ? [warning] : [warning, "", ...lines];
  }
  return [...lines, ...renderStop(shown.answer)];
}

function renderStop({ stoppedBy }: ReceivedAnswer): string[] {
  return stoppedBy === undefined ? [] : ["", `*The answer stops here: ${stopReasons[stoppedBy]}*`];
}

function renderSources(sources: readonly AnswerSource[]): string[] {
  const links = sources
    .map(({ url, title }) =>
      linkTo(escapeInline(shorten(title?.trim() || new URL(url).pathname, maxTitleLength)), url),
    )
    .filter(({ length }) => length <= maxSourceLength);
  if (links.length === 0) return [];
  return ["", "**Sources**", "", ...links.map((link, index) => `${index + 1}. ${link}`)];
}

/** Suggested questions as ready-to-post comments, each in its own code block because GitHub adds a copy button to it. */
function renderSuggestions({ suggestions }: SanitizedAnswer, triggerPhrase: string | undefined): string[] {
  if (suggestions.length === 0) return [];
  const phrase = triggerPhrase === undefined ? "" : `${triggerPhrase} `;
  return ["", "**Ask next**", ...suggestions.flatMap((question) => ["", codeBlock(`${phrase}${question}`)])];
}

function describeOrigin(shown: AnswerState, hasSources: boolean): string {
  if (shown.state === "asking" || shown.state === "answering") return "Generated from the documentation";
  if (shown.state === "queued" || shown.answer.text.trim() === "") return "";
  return `Generated from the documentation by an assistant${hasSources ? ": check it against the sources." : "."}`;
}

function nextStep({ state }: AnswerState, triggerPhrase: string | undefined): string {
  if (triggerPhrase === undefined) return "";
  const phrase = escapeInline(triggerPhrase);
  if (state === "failed") return `Comment ${phrase} and your question to ask again.`;
  return state === "answered" ? `To follow up, comment ${phrase} and your question in the same thread.` : "";
}
