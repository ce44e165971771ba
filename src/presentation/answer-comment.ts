/** The one comment that an answer grows in, and the job summary of a question. */
import { shorten } from "../base/text.ts";
import { escapeInline } from "./escape-markdown.ts";
import { formatTime } from "./format.ts";
import { type LinkPolicy, resolveLink } from "./link-policy.ts";
import { sanitizeAnswer } from "./sanitize-answer.ts";

export interface AnswerSource {
  readonly url: string;
  readonly title: string | undefined;
}

/** What is shown of a question; every text in it is foreign. */
export interface AnswerView {
  /** `queued`: for the platform's limit; `failed`: with what arrived, if anything did. */
  readonly state: "asking" | "queued" | "answering" | "answered" | "failed";
  /** While answering: what of it will not change any more. */
  readonly text: string;
  readonly sources: readonly AnswerSource[];
  readonly links: LinkPolicy;
  /** What stopped the model. */
  readonly stoppedBy?: "length" | "filter" | undefined;
  /** While queued: when it is asked again. */
  readonly queuedUntil?: Date | undefined;
  /** Why it failed, and what to do. */
  readonly problem?: string | undefined;
  readonly question?: string | undefined;
  readonly requester?: string | undefined;
  readonly runUrl?: string | undefined;
  /** What a comment begins with that goes on with the conversation; `undefined` where there is no thread. */
  readonly triggerPhrase: string | undefined;
  /** Sentences of ours about how the question was read. */
  readonly notes?: readonly string[] | undefined;
}

/** A comment has 65,536 characters; the rest is for the marker. */
const maxCommentLength = 52_000;
const maxSources = 12;
const maxUrlLength = 1000;
const maxTitleLength = 150;

/** The sources as they are shown and put out: absolute, each once, in the order of their first mention. */
export function listSources(sources: readonly AnswerSource[], links: LinkPolicy): AnswerSource[] {
  const byUrl = new Map<string, AnswerSource>();
  for (const { url, title } of sources) {
    const address = resolveLink(url, links);
    if (address === undefined || address.length > maxUrlLength) continue;
    byUrl.set(address, { url: address, title: byUrl.get(address)?.title ?? title });
  }
  return [...byUrl.values()].slice(0, maxSources);
}

/** The comment's visible part. */
export function renderAnswerComment(view: AnswerView): string {
  const question = quoteQuestion(view);
  const rest = [...renderSources(view), "", ...renderEnd(view)];
  const limit = maxCommentLength - [...question, ...rest].join("\n").length;
  return [...question, ...renderBody(view, limit), ...rest].join("\n");
}

/**
 * The comment of a run that was killed while it answered: with the answer as far as `comment`, its text by then, shows it.
 */
export function renderInterruptedComment(view: AnswerView, comment: string): string {
  const question = quoteQuestion(view).join("\n");
  const end = comment.lastIndexOf(stillAnswering);
  if (end === -1 || !comment.startsWith(question)) return renderAnswerComment(view);
  const answer = comment.slice(question.length, end).trim();
  const warning = renderWarning(view, { isAnswerEmpty: answer === "" });
  return [question, warning, "", answer, "", ...renderEnd({ ...view, text: answer })].join("\n");
}

function renderEnd(view: AnswerView): string[] {
  return [renderFooter(view), ...(view.notes ?? []).map((note) => `\n<sub>${escapeInline(note)}</sub>`)];
}

/** The job summary: the same, with the page of the comment. */
export function renderAnswerSummary(
  view: AnswerView,
  { commentUrl }: { readonly commentUrl: string | undefined },
): string {
  const link =
    commentUrl === undefined || !URL.canParse(commentUrl) ? "" : `\n\n[Comment](${new URL(commentUrl).href})`;
  return `### Docs assistant: ${view.state}\n\n${renderAnswerComment(view)}${link}\n`;
}

function quoteQuestion({ question, requester }: AnswerView): string[] {
  if (question === undefined || question.trim() === "") return [];
  const lines = question.split(/\r\n|[\r\n\u2028\u2029]/).map(escapeInline);
  const asked = requester === undefined ? [] : [`<sub>asked by ${escapeInline(requester)}</sub>`];
  // A summary, unlike a comment, breaks lines only where two spaces say so.
  return [
    ...[...lines, ...asked]
      .join("  \n")
      .split("\n")
      .map((line) => `> ${line}`),
    "",
  ];
}

const stillAnswering = "*… still answering*";
const stops = {
  length: "*The answer stops here: it reached its length limit.*",
  filter: "*The answer stops here: a content filter of the platform ended it.*",
};

function renderBody(view: AnswerView, limit: number): string[] {
  const { state, text, links, stoppedBy } = view;
  if (state === "asking") return ["*Looking through the documentation …*"];
  if (state === "queued") return [renderQueue(view)];
  const shown = sanitizeAnswer(text, { links, limit: limit - 1500 });
  const answer = shown.markdown === "" ? [] : [shown.markdown];
  if (shown.isShortened)
    answer.push("", "*The answer is longer than a comment may be; the rest is left out.*");
  if (state === "answering") return [...answer, "", stillAnswering];
  if (state === "answered") return stoppedBy === undefined ? answer : [...answer, "", stops[stoppedBy]];
  const warning = renderWarning(view, { isAnswerEmpty: answer.length === 0 });
  return [warning, ...(answer.length === 0 ? [] : ["", ...answer])];
}

function renderQueue({ queuedUntil }: AnswerView): string {
  const time = queuedUntil === undefined ? "later" : `at ${formatTime(queuedUntil)}`;
  return `*The platform's limit of questions is used up; the question is asked again ${time}.*`;
}

function renderWarning({ problem = "" }: AnswerView, { isAnswerEmpty }: { isAnswerEmpty: boolean }): string {
  const fact = isAnswerEmpty ? "**There is no answer.**" : "**This answer is incomplete.**";
  return `> [!WARNING]\n> ${fact} ${escapeInline(problem)}`;
}

function renderSources({ state, text, sources, links }: AnswerView): string[] {
  const isShown = state === "answered" || (state === "failed" && text.trim() !== "");
  const listed = isShown ? listSources(sources, links) : [];
  if (listed.length === 0) return [];
  const lines = listed.map(({ url, title }, index) => {
    const label = escapeInline(shorten(title?.trim() || new URL(url).pathname, maxTitleLength));
    return `${index + 1}. [${label}](${url.replace(/[()\s<>]/g, encodeURIComponent)})`;
  });
  return ["", "**Sources**", "", ...lines];
}

function renderFooter(view: AnswerView): string {
  const { state, runUrl } = view;
  const isOver = state === "answered" || state === "failed";
  const sentences = [...describeOrigin(view), ...(isOver ? nextStep(view) : [])].join(" ");
  const log = runUrl === undefined || !URL.canParse(runUrl) ? [] : [`[log](${new URL(runUrl).href})`];
  const footer = [...(sentences === "" ? [] : [sentences]), ...log].join(" · ");
  return footer === "" ? "" : `<sub>${footer}</sub>`;
}

/** Who speaks, where somebody does. */
function describeOrigin({ state, text, sources, links }: AnswerView): string[] {
  if (state === "asking" || state === "answering") return ["Generated from the documentation"];
  if (state === "queued" || text.trim() === "") return [];
  const advice = listSources(sources, links).length === 0 ? "." : ": check it against the sources.";
  return [`Generated from the documentation by an assistant${advice}`];
}

function nextStep({ state, triggerPhrase }: AnswerView): string[] {
  if (triggerPhrase === undefined) return [];
  const phrase = escapeInline(triggerPhrase);
  return state === "answered"
    ? [`To follow up, comment ${phrase} and your question in the same thread; the conversation goes on.`]
    : [`Comment ${phrase} and your question to ask again.`];
}
