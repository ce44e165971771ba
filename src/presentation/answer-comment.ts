/** The one comment that an answer grows in, and the job summary of a question. */
import { escapeInline } from "./escape-markdown.ts";
import { type LinkPolicy, resolveLink } from "./link-policy.ts";
import { sanitizeAnswer } from "./sanitize-answer.ts";

export interface AnswerSource {
  readonly url: string;
  readonly title: string | undefined;
}

/** What is shown of a question; every text in it is foreign. */
export interface AnswerView {
  /** `failed`: with what arrived, if anything did. */
  readonly state: "asking" | "answering" | "answered" | "failed";
  /** While answering: what of it will not change any more. */
  readonly text: string;
  readonly sources: readonly AnswerSource[];
  readonly links: LinkPolicy;
  /** The model stopped at its length limit. */
  readonly isCutByModel?: boolean;
  /** Why it failed, and what to do. */
  readonly problem?: string | undefined;
  readonly question?: string | undefined;
  readonly requester?: string | undefined;
  readonly runUrl?: string | undefined;
  readonly triggerPhrase: string;
  /** Sentences of ours about how the question was read. */
  readonly notes?: readonly string[] | undefined;
}

/** A comment has 65,536 characters; the rest is for the marker and the words around the answer. */
const maxAnswerLength = 48_000;
const maxSources = 12;

/** The sources as they are shown and put out: absolute, each once, in the order of their first mention. */
export function listSources(sources: readonly AnswerSource[], links: LinkPolicy): AnswerSource[] {
  const byUrl = new Map<string, AnswerSource>();
  for (const { url, title } of sources) {
    const address = resolveLink(url, links);
    const known = address === undefined ? undefined : byUrl.get(address);
    if (address !== undefined) byUrl.set(address, { url: address, title: known?.title ?? title });
  }
  return [...byUrl.values()].slice(0, maxSources);
}

/** The comment's visible part. */
export function renderAnswerComment(view: AnswerView): string {
  return [
    ...quoteQuestion(view),
    ...renderBody(view),
    ...renderSources(view),
    "",
    renderFooter(view),
    ...(view.notes ?? []).map((note) => `\n<sub>${escapeInline(note)}</sub>`),
  ].join("\n");
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
  const lines = question.split(/\r\n|[\r\n\u2028\u2029]/).map((line) => `> ${escapeInline(line)}`);
  const asked = requester === undefined ? [] : [`> <sub>asked by ${escapeInline(requester)}</sub>`];
  return [...lines, ...asked, ""];
}

function renderBody(view: AnswerView): string[] {
  const { state, text, links } = view;
  if (state === "asking") return ["*Looking through the documentation …*"];
  const shown = sanitizeAnswer(text, {
    links,
    limit: maxAnswerLength,
  });
  const answer = shown.markdown === "" ? [] : [shown.markdown];
  if (shown.isShortened)
    answer.push("", "*The answer is longer than a comment may be; the rest is left out.*");
  if (state === "answering") return [...answer, "", "*… still answering*"];
  if (state === "answered") {
    return view.isCutByModel === true
      ? [...answer, "", "*The answer stops here: it reached its length limit.*"]
      : answer;
  }
  const warning = `> [!WARNING]\n> ${answer.length > 0 ? "**This answer is incomplete.**" : "**There is no answer.**"} ${escapeInline(view.problem ?? "")}`;
  return [warning, ...(answer.length === 0 ? [] : ["", ...answer])];
}

function renderSources({ state, sources, links }: AnswerView): string[] {
  const listed = state === "answered" || state === "failed" ? listSources(sources, links) : [];
  if (listed.length === 0) return [];
  const lines = listed.map(({ url, title }, index) => {
    const label = escapeInline(title?.trim() || new URL(url).pathname);
    return `${index + 1}. [${label}](${url.replace(/[()\s<>]/g, encodeURIComponent)})`;
  });
  return ["", "**Sources**", "", ...lines];
}

function renderFooter({ state, triggerPhrase, runUrl }: AnswerView): string {
  const log = runUrl === undefined || !URL.canParse(runUrl) ? "" : ` · [log](${new URL(runUrl).href})`;
  const phrase = escapeInline(triggerPhrase);
  if (state === "asking" || state === "answering") return `<sub>Generated from the documentation${log}</sub>`;
  const next =
    state === "answered"
      ? `To follow up, comment ${phrase} and your question; the conversation goes on.`
      : `Comment ${phrase} and your question to ask again.`;
  return `<sub>Generated from the documentation by an assistant: check it against the sources. ${next}${log}</sub>`;
}
