/**
 * Renders an agent request: the status comment, the commit status, the job summary, the reply when the job ends and the
 * comment on the pull request. Each text must still be correct if the runner stops right after writing it.
 */
import { type ClaimRecord, type PullSummary, skippedByPaths, stoppedByUser } from "../base/claim-record.ts";
import { defaultHint } from "../base/errors.ts";
import { formatCount, formatDuration, shorten } from "../base/text.ts";
import {
  codeSpan,
  escapeInline,
  escapeMessage,
  formatClock,
  linkTo,
  maxShownRequest,
  pageLink,
  quoteLines,
} from "./markdown.ts";

/** The state of a request. Every text in it is untrusted. */
export type RequestStatus = Partial<ClaimRecord> & Pick<ClaimRecord, "command" | "state" | "claimedAt">;

type ChangedFile = PullSummary["files"][number];

type CardText = ReturnType<typeof card>;

/** @param text Markdown with all untrusted text escaped */
function card(icon: string, title: string, text?: string, next?: string) {
  return { icon, title, text, next };
}

/** The checkbox in a status comment: users with write access tick it to send the request again. */
export const tryAgainBox = "- [ ] Try again";

/** Why no run waits for a job that is still running, by outcome. */
const pauseReasons: Readonly<Record<string, string>> = {
  cancelled: "The workflow was cancelled, so this run stopped waiting.",
  "timed-out": "It took longer than `timeout-minutes`, so this run stopped waiting.",
  detached: "This run did not wait for it (`wait: false`).",
  failed: "The run that waited for it failed.",
  interrupted: "The run that waited for it ended early.",
};

/** Why the request was not sent, by outcome. */
const releaseReasons: Readonly<Record<string, string>> = {
  cancelled: "The workflow was cancelled before the request was sent.",
  "timed-out": "The run timed out before the request was sent.",
  "rate-limited": "The platform's job limit is reached and resets later than this run can wait.",
  "limit-per-user": "The hourly limit of requests for this user is reached.",
  skipped: "The request was withdrawn before it was sent.",
  [stoppedByUser]: "The request was stopped before it was sent.",
  interrupted: "The run ended before the request was sent.",
};

/** Releases that cannot be retried, or not yet. */
const finalReleases = ["skipped", "limit-per-user", stoppedByUser];

/** Whether the user can retry: the request had no result, and no job is working on it. A pull request that is not accepted is a result. */
export function isRetryable(status: Pick<RequestStatus, "state" | "outcome" | "isMismatch">): boolean {
  const { state, outcome = "", isMismatch } = status;
  if (state === "ended") return isFailure(outcome) && isMismatch !== true;
  if (state === "working") return outcome === "stopped";
  return state === "unknown" || (state === "released" && !finalReleases.includes(splitTime(outcome).reason));
}

function isFailure(outcome: string): boolean {
  return outcome === "failed" || outcome === "archived";
}

function describeState(status: RequestStatus): CardText {
  const { state, outcome = "", claimedAt, message } = status;
  switch (state) {
    case "claimed":
      return describeWaiting(status);
    case "submitting": {
      const text =
        "The request is being sent to the platform. If this status stays, the runner stopped before it received a response.";
      return card("⏳", "starting", text);
    }
    case "working":
      return describeWork(status);
    case "unknown": {
      const lost =
        "The platform's response was lost, so a job may have started. To avoid duplicate work, the request is not sent again automatically.";
      const start = message ? "A job may have started." : lost;
      return card(
        "❓",
        "unknown",
        `${start} If a pull request appears, re-run the workflow to link it here.`,
      );
    }
    case "released": {
      const { reason, time } = splitTime(outcome, claimedAt);
      const text = releaseReasons[reason] ?? "The run failed before a job was started.";
      if (reason === skippedByPaths) return card("☑️", "skipped, no changed file matches `paths`");
      return card("🚫", "not started", time === undefined ? text : `${text} Try again after ${time}.`);
    }
    case "ended":
      return describeEnd(status);
  }
}

function describeWaiting(status: RequestStatus): CardText {
  const { outcome, claimedAt } = status;
  if (outcome === undefined)
    return card("⏳", "starting", "The request was accepted. It has not been sent to the platform yet.");
  const { reason, time } = splitTime(outcome, claimedAt);
  const [, page] = /^queued behind (.+)$/.exec(reason) ?? [];
  const earlier = pageLink("an earlier request", page);
  const limit = `The platform's job limit is reached${time === undefined ? "" : `. The next attempt is at ${time}`}.`;
  const busy = earlier ? `Waiting for ${earlier} to finish.` : "The job is busy with another request.";
  const text = `${page === undefined ? limit : busy} This request has not been sent yet.`;
  return card("⏳", "queued", text, suggest(status, "stop", "to withdraw it"));
}

/** Splits an outcome such as `queued until 2026-11-21T07:30:00Z`. */
function splitTime(outcome: string, day = outcome): { readonly reason: string; readonly time?: string } {
  const [reason = "", until] = outcome.split(" until ");
  const time = until === undefined ? undefined : formatClock(until, day);
  return time === undefined ? { reason } : { reason, time: `${time} UTC` };
}

function describeWork(status: RequestStatus): CardText {
  const { outcome, headBefore, triggerPhrase, endedAt } = status;
  const check = suggest(status, "status", "to check its progress");
  if (outcome === undefined) {
    const request = headBefore ? "this follow-up, in the job that opened the pull request" : "the request";
    return card("🔄", "working", `The agent is working on ${request}.`, check);
  }
  if (outcome === "stopped") {
    const text =
      "The run ended before the job finished, and the embedded platform stops with its run. Re-running the workflow starts no new job: it looks for a pull request that this job may have opened.";
    return card("⏹️", "stopped", text);
  }
  if (outcome === stoppedByUser) {
    const by = triggerPhrase === undefined ? "a user" : codeSpan(`${triggerPhrase} stop`);
    const text = `Stopped by ${by}. This run no longer waits for the job. The platform cannot cancel a job, so it continues and may still open or update a pull request.`;
    return card("⏹️", "stopped waiting", text, check);
  }
  const reason = pauseReasons[outcome] ?? pauseReasons["failed"];
  if (endedAt !== undefined) {
    const text = `The job has ended on the platform; its result is not recorded yet. ${reason}`;
    return card("⏸️", "job ended", text, "Re-run the workflow to record the result. No new job is started.");
  }
  const text = `The job is still running on the platform. ${reason}`;
  // A re-run does not wait either.
  if (outcome === "detached")
    return card("⏸️", "still running", text, check ?? "Set `job-id` to follow this job.");
  const resume = "Re-run the workflow to continue waiting for this job. No new job is started.";
  return card("⏸️", "still running", text, resume);
}

function describeEnd(status: RequestStatus): CardText {
  const { outcome = "", headAfter, pull } = status;
  const next = suggestFollowUp(status);
  switch (outcome) {
    case "pull-request":
    case "updated": {
      const text = outcome === "updated" ? compareHeads(status) : undefined;
      if (pull?.state === "merged") return card("✅", "pull request merged", text, next);
      if (pull?.state === "closed") return card("🚫", "pull request closed", text, next);
      return card("✅", outcome === "updated" ? "updated" : "pull request ready", text, next);
    }
    case "unchanged": {
      const at = isCommit(headAfter) ? `, which stayed at ${shortSha(headAfter)}` : "";
      return card("☑️", outcome, `The agent finished without a new commit on the pull request${at}.`, next);
    }
    case "no-pull-request": {
      const text =
        "The agent completed the job and reported no pull request. Either nothing needed to change, or the project commits without pull requests.";
      return card("☑️", "completed, no pull request", text, next);
    }
    case "failed":
      return describeFailure("❌", "The job failed. No pull request is known.", status);
    case "archived":
      return describeFailure("🗄️", "The job was archived on the platform before it was completed.", status);
    default:
      return card("☑️", escapeInline(outcome), "The job has ended.", next);
  }
}

/** @param reason shown if the platform gave none */
function describeFailure(icon: string, reason: string, status: RequestStatus): CardText {
  const { outcome = "", pullRequestUrl, message, isMismatch } = status;
  const unfinished = "The job did not succeed, so this pull request may be incomplete.";
  if (pullRequestUrl !== undefined) return card(icon, outcome, unfinished);
  if (isMismatch) return card(icon, outcome, undefined, defaultHint("pull-request-mismatch"));
  return card(icon, outcome, message === undefined ? reason : undefined);
}

/** Links GitHub's comparison of the pull request's heads, with the new commits if they are known. */
function compareHeads(status: RequestStatus): string | undefined {
  const { pullRequestUrl = "", headBefore, headAfter, pull } = status;
  const [, repository] = /^(https?:\/\/.+)\/pull\/\d+\/?$/.exec(pullRequestUrl) ?? [];
  if (repository === undefined || !isCommit(headBefore) || !isCommit(headAfter)) return undefined;
  const address = `${repository}/compare/${headBefore}...${headAfter}`;
  const commits = pull?.commits ?? [];
  const before = commits.findIndex(({ sha }) => sha === headBefore);
  const added = before < 0 ? [] : commits.slice(before + 1);
  if (added.length === 0) {
    return `${linkTo("What changed", address)} since the request: ${shortSha(headBefore)} → ${shortSha(headAfter)}`;
  }
  const lines = added.map(({ sha, title }) => `${shortSha(sha)} ${escapeInline(title)}`);
  const link = linkTo(formatCount(lines.length, "new commit"), address);
  return lines.length === 1 ? `${link}: ${lines[0]}` : `${link}:\n\n- ${lines.join("\n- ")}`;
}

function isCommit(sha: string | undefined): sha is string {
  return sha !== undefined && /^[0-9a-f]{40,64}$/.test(sha);
}

function shortSha(sha: string): string {
  return codeSpan(sha.slice(0, 7));
}

function suggestFollowUp({ triggerPhrase, pull, outcome }: RequestStatus): string | undefined {
  if (triggerPhrase === undefined) return undefined;
  const call = codeSpan(`${triggerPhrase} …`);
  if (pull?.state === "merged" || pull?.state === "closed")
    return `Comment ${call} to start a new pull request.`;
  const isNew = outcome === "pull-request" || outcome === "updated";
  return isNew ? `Review it, or comment ${call} to ask for changes.` : `Comment ${call} to continue.`;
}

function suggest({ triggerPhrase }: RequestStatus, command: string, purpose: string): string | undefined {
  return triggerPhrase && `Comment ${codeSpan(`${triggerPhrase} ${command}`)} ${purpose}.`;
}

function offerRetry(status: RequestStatus, hasCheckbox: boolean): string[] {
  if (!isRetryable(status)) return [];
  const { triggerPhrase } = status;
  const request = triggerPhrase ? `comment ${codeSpan(`${triggerPhrase} retry`)}` : "make the request again";
  const sentence = `To try again, ${request}`;
  return hasCheckbox ? [`${sentence} or select the checkbox:`, "", tryAgainBox] : [`${sentence}.`];
}

/** The number in a pull request's URL; `undefined` for a page of the embedded platform. */
export function pullNumberOf(url: string | undefined): string | undefined {
  return /\/pull\/(\d+)\/?$/.exec(url ?? "")?.[1];
}

/** The status comment as Markdown, a few thousand characters at most. A summary of the same text has no checkbox. */
export function renderStatusComment(status: RequestStatus, hasCheckbox = true): string {
  const { icon, title, text, next } = describeState(status);
  const parts = [
    [`### ${icon} Docs ${escapeInline(status.command)}: ${title}`],
    describePull(status),
    text === undefined ? [] : [text],
    renderMessage(status),
    quoteRequest(status),
    // A different bullet keeps Markdown from merging these with the lists around them.
    (status.notes ?? []).map((note) => `* ${escapeMessage(note)}`),
    next === undefined ? [] : [next],
    offerRetry(status, hasCheckbox),
    [`<sub>${listDetails(status)}</sub>`],
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

const pullIcons = { open: "🟢", draft: "⚪", merged: "🟣", closed: "🔴" };

const maxPages = 5;

/** The pull request with its title and state and, when the job has ended, its changed files. */
function describePull({ state, pullRequestUrl: url = "", pull }: RequestStatus): string[] {
  if (!/^https?:\/\//.test(url)) return [];
  if (pull === undefined) return [`**${linkTo(labelPull(url), url)}**`];
  const { files, fileCount } = pull;
  const size = changedLines(pull);
  const shownFiles = state === "ended" ? files.slice(0, maxPages) : [];
  const isPreviewed = shownFiles.some(({ previewUrl }) => previewUrl !== undefined);
  const details = [
    `${pullIcons[pull.state]} **${linkTo(labelPull(url, pull.title), url)}**`,
    pull.state,
    `${pullNumberOf(url) === undefined ? size : linkTo(size, `${url}/files`)} in ${formatCount(fileCount, "file")}`,
    isPreviewed ? undefined : pageLink("preview", pull.previewUrl),
  ];
  const unlisted = fileCount - shownFiles.length;
  const list = [
    ...shownFiles.map(describeFile),
    ...(unlisted > 0 ? [`- and ${formatCount(unlisted, "more file")}`] : []),
  ];
  return [details.filter(Boolean).join(" · "), ...(shownFiles.length > 0 ? ["", ...list] : [])];
}

function labelPull(url: string, title?: string): string {
  const number = pullNumberOf(url);
  return `${title === undefined ? "Pull request" : escapeInline(title)}${number === undefined ? "" : ` #${number}`}`;
}

function describeFile(file: ChangedFile): string {
  const preview = pageLink("preview", file.previewUrl);
  return `- ${codeSpan(file.path)} ${changedLines(file)}${preview === undefined ? "" : ` · ${preview}`}`;
}

function changedLines({ additions, deletions }: Pick<ChangedFile, "additions" | "deletions">): string {
  return `+${additions.toLocaleString("en-US")} −${deletions.toLocaleString("en-US")}`;
}

/** The start of an error message that repeats the card's title. */
const redundantPrefix = /^Agent job \S+ (?:failed|is archived): /;

/** The error message, with the platform's reason if there is one. */
function renderMessage(status: RequestStatus): string[] {
  const { message, state, outcome = "" } = status;
  if (message === undefined) return [];
  if (state === "ended" && !isFailure(outcome)) return [escapeMessage(message)];
  const reason = message.replace(redundantPrefix, "");
  const intro = reason === message ? "" : "**The platform's reason:** ";
  return [`> [!${state === "ended" ? "CAUTION" : "WARNING"}]`, `> ${intro}${escapeMessage(reason)}`];
}

function quoteRequest({ request, requester }: Pick<RequestStatus, "request" | "requester">): string[] {
  if (request === undefined || request.trim() === "") return [];
  const name = requester === undefined ? "" : `**${escapeInline(requester)}:** `;
  return quoteLines(shorten(request.trim(), maxShownRequest)).map(
    (line, index) => `> ${index === 0 ? name : ""}${line}`,
  );
}

/** Uses of a project in an hour (specification §8). */
const maxUsesPerHour = 100;

function listDetails({ jobId, target, runUrl, uses, ...status }: RequestStatus): string {
  const isSent = status.state !== "claimed" && status.state !== "released";
  const details = [
    milestones(status),
    jobId && `job ${codeSpan(jobId)}`,
    target && `project ${codeSpan(target)}`,
    isSent && uses && `${uses} of ${maxUsesPerHour} uses this hour`,
    pageLink("log", runUrl),
  ];
  return details.filter(Boolean).join(" · ");
}

function milestones(status: Omit<RequestStatus, "command">): string | undefined {
  const { state, claimedAt, startedAt, endedAt } = status;
  const end = state === "ended" ? endedAt : undefined;
  const reached = [
    ["requested", claimedAt],
    ["started", startedAt],
    ["ended", end],
  ] as const;
  const times = reached.flatMap(([name, time = ""]) => {
    const clock = formatClock(time, claimedAt);
    return clock === undefined ? [] : [`${name} ${clock}`];
  });
  if (times.length === 0) return undefined;
  const tookMs = Date.parse(end ?? "") - Date.parse(claimedAt);
  return `${times.join(" · ")} UTC${tookMs >= 0 ? ` · took ${formatTook(tookMs)}` : ""}`;
}

/** Leaves out seconds between two minutes and an hour. */
function formatTook(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes < 2 || minutes > 59 ? formatDuration(ms) : `${minutes} min`;
}

/** The status as one plain sentence, for a commit status. */
export function describeStatus(status: RequestStatus): string {
  const { title } = describeState(status);
  const job = status.jobId === undefined ? "" : `, job ${status.jobId}`;
  const pull = pullNumberOf(status.pullRequestUrl);
  const { state, outcome = "stopped" } = status;
  const isPaused = state === "working" && outcome !== "detached" && outcome in pauseReasons;
  return `Docs ${status.command}: ${title}${pull === undefined ? "" : ` #${pull}`}${job}${isPaused ? "; re-run to resume" : ""}`;
}

/** The job summary of an accepted request; `page` is the URL of its status comment or, with a commit status, of its run. */
export function renderAgentSummary(status: RequestStatus, page: string | undefined): string {
  const link = page === status.runUrl ? undefined : pageLink("Status", page);
  const parts = [renderStatusComment(status, false), link];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

/** A GitHub login, with an underscore if it is managed by an enterprise: nothing else is ever mentioned. */
const loginPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,38}$/;

/**
 * The reply that notifies the requester when a job ends: GitHub sends no notification for the edited status comment.
 *
 * @param page URL of the status comment
 */
export function renderEndNotice(status: RequestStatus, page: string | undefined): string {
  const { requester = "", pullRequestUrl: url, pull } = status;
  const name = loginPattern.test(requester) ? `@${requester}` : "Docs agent";
  const link = url === undefined ? "" : `: ${linkTo(labelPull(url, pull?.title), url)}`;
  const details = pageLink("status", page);
  return `${name}: ${describeState(status).title}${link}${details === undefined ? "" : ` (${details})`}.`;
}

/**
 * The action's only comment on a pull request of the agent.
 *
 * @param source URL of the thread that the request was made on
 * @param triggerPhrase what a comment must start with to reach the agent, if known
 */
export function renderPullRequestIntroduction(
  jobId: string,
  source: string | undefined,
  triggerPhrase: string | undefined,
): string {
  const page = pageLink("this request", source);
  const origin = `Agent job ${codeSpan(jobId)} created this pull request${page === undefined ? "" : ` for ${page}`}.`;
  if (triggerPhrase === undefined) return origin;
  return `${origin} Comment ${codeSpan(`${triggerPhrase} …`)} here to request changes.`;
}

/** The request of a pull request of the embedded platform. */
export interface PullRequestTopic {
  /** The first line of the request, or the title of what it is about: untrusted. */
  readonly topic: string;
  /** The request, if a user wrote it. */
  readonly quoted: Pick<RequestStatus, "request" | "requester"> | undefined;
  /** URL of the request or of what changed. */
  readonly page: string;
  /** The token by which later runs find the pull request. */
  readonly reference: string;
}

/** GitHub's limit of a title. The first line of a commit's message has none. */
const maxTopic = 256;

/** The description of a pull request of the embedded platform; `output` is the end of the agent's output. */
export function renderPullRequestBody(topic: PullRequestTopic, jobId: string, output: string): string {
  const about = pageLink(escapeInline(shorten(topic.topic, maxTopic)) || "this run", topic.page);
  const parts = [
    ...(topic.quoted === undefined
      ? [`Documentation for ${about}.`]
      : [quoteRequest(topic.quoted).join("\n"), pageLink("Request", topic.page)]),
    ...(output === "" ? [] : ["The agent's last output:", `> ${quoteLines(output).join("\n> ")}`]),
    `Agent job ${codeSpan(jobId)} · Reference: ${topic.reference}`,
  ];
  return `${parts.join("\n\n")}\n`;
}

/** The reply in a review thread whose lines a commit changed. */
export function renderAddressedReply({ sha, url }: { readonly sha: string; readonly url: string }): string {
  return `Addressed in ${linkTo(codeSpan(sha.slice(0, 7)), url)}.`;
}

const [begin, end] = ["<!-- docs-automation:changes -->", "<!-- /docs-automation:changes -->"];
const maxListed = 50;

/**
 * The changes that a rolling pull request covers, newest first. `title` is the first line of the commit's message, `isSkipped` whether no
 * changed file matches `paths`.
 */
export function renderChangeList(
  changes: readonly { readonly sha: string; title: string; url: string; isSkipped: boolean }[],
): string {
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
