/** The one comment that an answer grows in, the job summary of a question, and the outputs of an answer. */
import type { AnswerSource, ReceivedAnswer } from "../base/answer.ts";
import { shorten } from "../base/text.ts";
import {
  codeBlock,
  escapeInline,
  formatTime,
  linkTo,
  maxShownRequest,
  pageLink,
  quoteLines,
} from "./markdown.ts";
import { type LinkPolicy, resolveLink, type SanitizedAnswer, sanitizeAnswer } from "./sanitize-answer.ts";

/** A question and what surrounds it; every text in it is untrusted. */
export interface AskedQuestion {
  readonly request?: string | undefined;
  readonly requester?: string | undefined;
  readonly runUrl?: string | undefined;
  /** Sentences of ours about how the question was read. */
  readonly notes?: readonly string[] | undefined;
  readonly links: LinkPolicy;
  /** How a comment begins that continues the conversation; `undefined` where there is no thread. */
  readonly triggerPhrase: string | undefined;
}

export type AnswerState =
  | { readonly state: "asking" }
  /** The platform's limit is used up; the question is asked again then. */
  | { readonly state: "queued"; readonly until: Date }
  /** While it is answered, with the part of the text that will not change any more. */
  | { readonly state: "answering" | "answered"; readonly answer: ReceivedAnswer }
  /** With what arrived, why there is no more, and what to do. */
  | { readonly state: "failed"; readonly answer: ReceivedAnswer; readonly problem: string };

/** The answer of a question of which nothing arrived. */
export const noAnswer: ReceivedAnswer = { text: "", cited: [], found: [], stoppedBy: undefined };

/** A comment has 65,536 characters; the rest is for the marker. */
const maxCommentLength = 52_000;
/** A step's outputs hold up to a megabyte; an answer is far shorter. */
const maxOutputLength = 500_000;
/** What may stand around an answer: a warning or why it stops, and the suggested questions. */
const maxExtraLength = 3000;
const maxSources = 12;
const maxUrlLength = 1000;
const maxTitleLength = 150;

/** The comment's visible part. */
export function renderAnswerComment(asked: AskedQuestion, shown: AnswerState): string {
  const answer = "answer" in shown ? shown.answer : noAnswer;
  const links = withSourceHosts(asked.links, answer);
  const sources = answer.text.trim() === "" ? [] : listSources(answer, links);
  const question = quoteQuestion(asked);
  const list = renderSources(sources);
  const end = ["", ...renderEnd(asked, shown, sources.length > 0)];
  const limit = maxCommentLength - [...question, ...list, ...end].join("\n").length;
  const sanitized = sanitizeAnswer(answer.text, links, limit - maxExtraLength);
  const before = sources.every((source) => isNamedIn(sanitized.markdown, source)) ? [] : list;
  const body = renderBody(shown, sanitized);
  const next = shown.state === "answered" ? renderSuggestions(sanitized, asked.triggerPhrase) : [];
  return [...question, ...body, ...before, ...next, ...end].join("\n");
}

/** The comment of a run that was killed while it answered, with as much of the answer as `comment`, its last text, shows. */
export function renderInterruptedComment(asked: AskedQuestion, problem: string, comment: string): string {
  const question = quoteQuestion(asked).join("\n");
  const end = comment.lastIndexOf(stillAnswering);
  if (end === -1 || !comment.startsWith(question))
    return renderAnswerComment(asked, { state: "failed", answer: noAnswer, problem });
  const text = comment.slice(question.length, end).trim();
  const failed = { state: "failed", answer: { ...noAnswer, text }, problem } as const;
  return [
    question,
    renderWarning(problem, text === ""),
    "",
    text,
    "",
    ...renderEnd(asked, failed, false),
  ].join("\n");
}

/**
 * The answer that the comment of an answered question shows, as Markdown, without what stands around it; `undefined` for
 * any other text.
 */
export function readShownAnswer(
  asked: Pick<AskedQuestion, "request" | "requester">,
  comment: string,
): string | undefined {
  const question = quoteQuestion(asked).join("\n");
  const end = comment.lastIndexOf(`\n<sub>${origin}`);
  if (end === -1 || !comment.startsWith(question)) return undefined;
  return appendices
    .reduce((shown, [heading, form]) => {
      const at = shown.lastIndexOf(`\n\n${heading}\n`);
      return at !== -1 && form.test(shown.slice(at + heading.length + 2)) ? shown.slice(0, at) : shown;
    }, comment.slice(question.length, end).trimEnd())
    .trim();
}

/** The job summary: the same, with the page of the comment. */
export function renderAnswerSummary(
  asked: AskedQuestion,
  shown: AnswerState,
  commentUrl: string | undefined,
): string {
  const parts = [`### Docs assistant: ${shown.state}`, renderAnswerComment(asked, shown)];
  return `${[...parts, pageLink("Comment", commentUrl)].filter((part) => part !== undefined).join("\n\n")}\n`;
}

/** An answer for the outputs: harmless Markdown, and the sources that are shown with it. */
export function describeAnswer(
  answer: ReceivedAnswer,
  policy: LinkPolicy,
): SanitizedAnswer & { readonly sources: readonly AnswerSource[] } {
  const links = withSourceHosts(policy, answer);
  return { ...sanitizeAnswer(answer.text, links, maxOutputLength), sources: listSources(answer, links) };
}

/**
 * The hosts that an answer may link to. A domain identifier that is a host name is the documentation's host; for one that
 * is not, the sources say where that is: they come from the platform's index and not from the model.
 */
function withSourceHosts(links: LinkPolicy, { cited, found }: ReceivedAnswer): LinkPolicy {
  if (links.allowed.length > 0) return links;
  const origins = [...cited, ...found].flatMap(({ url }) => {
    const parsed = URL.parse(url);
    return parsed !== null && /^https?:$/.test(parsed.protocol) ? [parsed.origin] : [];
  });
  return { baseUrl: links.baseUrl ?? origins[0], allowed: [...new Set(origins)] };
}

/**
 * What the answer cites; where the platform marks nothing as cited, what the assistant found and the answer links to.
 * Absolute, each once, in the order of their first mention.
 */
function listSources({ cited, found, text }: ReceivedAnswer, links: LinkPolicy): AnswerSource[] {
  const linked = found.filter(({ url }) => text.includes(url));
  const chosen = [cited, linked].find((sources) => sources.length > 0) ?? found.slice(0, 5);
  const byUrl = new Map<string, AnswerSource>();
  for (const { url, title } of chosen) {
    const address = resolveLink(url, links);
    if (address === undefined || address.length > maxUrlLength) continue;
    byUrl.set(address, { url: address, title: byUrl.get(address)?.title ?? title });
  }
  return [...byUrl.values()].slice(0, maxSources);
}

function quoteQuestion({ request, requester }: Pick<AskedQuestion, "request" | "requester">): string[] {
  if (request === undefined || request.trim() === "") return [];
  const asked = requester === undefined ? [] : [`<sub>asked by ${escapeInline(requester)}</sub>`];
  // A summary, unlike a comment, breaks lines only where two spaces say so.
  const quoted = [...quoteLines(shorten(request, maxShownRequest)), ...asked].join("  \n").split("\n");
  return [...quoted.map((line) => `> ${line}`), ""];
}

const sourcesHeading = "**Sources**";
const suggestionsHeading = "**Ask next**";
/** What stands below an answer, from the last on, and the form of what follows its heading. */
const appendices = [
  [suggestionsHeading, /^(?:\n\n`{3,}text\n.*\n`{3,})+$/],
  [sourcesHeading, /^\n(?:\n\d+\. \[.*\]\(\S+\))+$/],
] as const;
const origin = "Generated from the documentation by an assistant";
const stillAnswering = "*… still answering*";
const stops = {
  length: "*The answer stops here: it reached its length limit.*",
  filter: "*The answer stops here: a content filter of the platform ended it.*",
};

function renderBody(shown: AnswerState, { markdown, isShortened }: SanitizedAnswer): string[] {
  if (shown.state === "asking") return ["*Searching the documentation …*"];
  if (shown.state === "queued") {
    const time = formatTime(shown.until);
    return [`*The platform's limit of questions is used up; the question is asked again at ${time}.*`];
  }
  const lines = markdown === "" ? [] : [markdown];
  if (isShortened) lines.push("", "*The answer is longer than a comment may be; the rest is left out.*");
  if (shown.state === "answering") return [...lines, "", stillAnswering];
  if (shown.state === "failed") {
    const warning = renderWarning(shown.problem, lines.length === 0);
    return lines.length === 0 ? [warning] : [warning, "", ...lines];
  }
  const { stoppedBy } = shown.answer;
  return stoppedBy === undefined ? lines : [...lines, "", stops[stoppedBy]];
}

function renderWarning(problem: string, isAnswerEmpty: boolean): string {
  const fact = isAnswerEmpty ? "**There is no answer.**" : "**This answer is incomplete.**";
  return `> [!WARNING]\n> ${fact} ${escapeInline(problem)}`;
}

/** Whether an answer itself links a source by its title, so that a list of them would say nothing new. */
function isNamedIn(text: string, { url, title }: AnswerSource): boolean {
  return title !== undefined && text.replaceAll("\\", "").includes(`[${title.replaceAll("\\", "")}](${url})`);
}

function renderSources(sources: readonly AnswerSource[]): string[] {
  if (sources.length === 0) return [];
  const lines = sources.map(({ url, title }, index) => {
    const label = escapeInline(shorten(title?.trim() || new URL(url).pathname, maxTitleLength));
    return `${index + 1}. ${linkTo(label, url)}`;
  });
  return ["", sourcesHeading, "", ...lines];
}

/** Suggested questions as comments that ask them, each a block of its own, which GitHub gives a button to copy it. */
function renderSuggestions({ suggestions }: SanitizedAnswer, triggerPhrase: string | undefined): string[] {
  if (suggestions.length === 0) return [];
  const phrase = triggerPhrase === undefined ? "" : `${triggerPhrase} `;
  return [
    "",
    suggestionsHeading,
    ...suggestions.flatMap((question) => ["", codeBlock(`${phrase}${question}`)]),
  ];
}

/** Where the answer comes from, what to do next, and how the question was read. */
function renderEnd({ runUrl, notes = [], ...asked }: AskedQuestion, shown: AnswerState, hasSources: boolean) {
  const sentences = [describeOrigin(shown, hasSources), nextStep(shown, asked.triggerPhrase)];
  const footer = [sentences.filter(Boolean).join(" "), pageLink("log", runUrl)].filter(Boolean).join(" · ");
  return [
    footer === "" ? "" : `<sub>${footer}</sub>`,
    ...notes.map((note) => `\n<sub>${escapeInline(note)}</sub>`),
  ];
}

function describeOrigin(shown: AnswerState, hasSources: boolean): string {
  if (shown.state === "asking" || shown.state === "answering") return "Generated from the documentation";
  if (shown.state === "queued" || shown.answer.text.trim() === "") return "";
  return `${origin}${hasSources ? ": check it against the sources." : "."}`;
}

function nextStep({ state }: AnswerState, triggerPhrase: string | undefined): string {
  if (triggerPhrase === undefined) return "";
  const phrase = escapeInline(triggerPhrase);
  if (state === "failed") return `Comment ${phrase} and your question to ask again.`;
  return state === "answered"
    ? `To follow up, comment ${phrase} and your question in the same thread; the conversation continues.`
    : "";
}
