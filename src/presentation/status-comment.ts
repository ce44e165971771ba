/**
 * What people see of a request to the agent: the status comment, the commit status, the job summary, the reply at its end and
 * the comment on its pull request. Each stays true if the runner is lost right after it was written.
 */
import type { ClaimRecord, PullSummary } from "../base/claim-record.ts";
import { formatDuration, shorten } from "../base/text.ts";
import {
  codeSpan,
  escapeInline,
  formatClock,
  formatCount,
  linkTo,
  maxShownRequest,
  pageLink,
  quoteLines,
} from "./markdown.ts";

/** What is known of a request; every text in it is untrusted. */
export type RequestStatus = Partial<ClaimRecord> & Pick<ClaimRecord, "command" | "state" | "claimedAt">;

type ChangedFile = PullSummary["files"][number];

interface Words {
  readonly icon: string;
  readonly title: string;
  /** The situation, as Markdown of our own with untrusted text escaped. */
  readonly text?: string | undefined;
  readonly next?: string | undefined;
}

/** The line of a status comment by which people with write access start an ended request again. */
export const tryAgainBox = "- [ ] Try again";

const resume = "Re-run the workflow to wait for it again; the same job is resumed, none is started.";

/** Why no run waits for a job that goes on. */
const pauses: Readonly<Record<string, string>> = {
  cancelled: "The workflow was cancelled, so this run stopped waiting.",
  "timed-out": "It took longer than `timeout-minutes`, so this run stopped waiting.",
  detached: "This run does not wait for it (`wait: false`).",
  failed: "The run that waited for it could not go on.",
  interrupted: "The run that waited for it ended early.",
};

/** Why nothing was sent. */
const releases: Readonly<Record<string, string>> = {
  cancelled: "The workflow was cancelled before anything was sent.",
  "timed-out": "Time ran out before anything was sent.",
  "rate-limited": "The platform's limit of jobs is used up for longer than this run may wait.",
  "limit-per-user": "The limit of requests that one person may make in an hour is used up.",
  skipped: "The request was taken back before it was sent.",
  "stopped-by-user": "The request was stopped before anything was sent.",
  interrupted: "The run ended before anything was sent.",
};

/** Why something was held back for good: to ask once more would not help, or not yet. */
const finalReleases = ["skipped", "limit-per-user", "stopped-by-user"];

/** Whether `retry` and the box make sense: what was asked did not come about, and nothing works on it. */
export function isRetryable({ state, outcome = "" }: Pick<RequestStatus, "state" | "outcome">): boolean {
  if (state === "ended") return outcome === "failed" || outcome === "archived";
  if (state === "working") return outcome === "stopped";
  return state === "unknown" || (state === "released" && !finalReleases.includes(splitTime(outcome).reason));
}

function describe(status: RequestStatus): Words {
  switch (status.state) {
    case "claimed":
      return describeWaiting(status);
    case "submitting":
      return {
        icon: "⏳",
        title: "starting",
        text: "The request is being sent to the platform. If this stays, the runner was lost while it waited for the answer.",
      };
    case "working":
      return describeWork(status);
    case "unknown":
      return {
        icon: "❓",
        title: "unknown",
        text: `${status.message ? "A job may have been started" : "The platform's answer was lost, so a job may have been started"}. So that nothing is done twice, the request is not sent again by itself. If its pull request appears, a re-run shows it here.`,
      };
    case "released": {
      const { reason, time } = splitTime(status.outcome ?? "", status.claimedAt);
      const text = releases[reason] ?? "The platform did not take the request.";
      const again = time === undefined ? "" : ` Come back at ${time}.`;
      return { icon: "🚫", title: "not started", text: `${text}${again}` };
    }
    case "ended":
      return describeEnd(status);
  }
}

function describeWaiting(status: RequestStatus): Words {
  const { outcome, claimedAt } = status;
  const icon = "⏳";
  if (outcome === undefined)
    return { icon, title: "starting", text: "The request is taken; nothing has been sent yet." };
  const { reason, time } = splitTime(outcome, claimedAt);
  const [, page] = /^queued behind (.+)$/.exec(reason) ?? [];
  const earlier = pageLink("an earlier request", page);
  const limit = `The platform's limit of jobs is used up${time === undefined ? "" : `; the next try is at ${time}`}.`;
  const busy =
    earlier === undefined ? "Its job is busy with something else." : `It waits for ${earlier} to end.`;
  return {
    icon,
    title: "queued",
    text: `${page === undefined ? limit : busy} Nothing has been sent yet.`,
    next: suggest(status, "stop", "to take it back"),
  };
}

/** A reason that ends in a time: `queued until 2026-11-21T07:30:00Z`. */
function splitTime(outcome: string, day = outcome): { readonly reason: string; readonly time?: string } {
  const [reason = "", until] = outcome.split(" until ");
  const time = until === undefined ? undefined : formatClock(until, day);
  return time === undefined ? { reason } : { reason, time: `${time} UTC` };
}

function describeWork(status: RequestStatus): Words {
  const { outcome } = status;
  if (outcome === undefined) {
    const to = status.headBefore === undefined ? "" : " as a message to the job behind the pull request";
    const text = `The agent took the request${to} and works on it.`;
    return { icon: "🔄", title: "working", text, next: suggest(status, "status", "to see how far it is") };
  }
  // The embedded platform, and what it works on, end with the run.
  if (outcome === "stopped") {
    return {
      icon: "⏹️",
      title: "stopped",
      text: "The run ended before the job did, and the embedded platform works only while its run lasts. A re-run starts no new job; it looks for a pull request that this one may have opened.",
    };
  }
  if (outcome === "stopped-by-user") {
    const by = status.triggerPhrase === undefined ? "a person" : codeSpan(`${status.triggerPhrase} stop`);
    return {
      icon: "⏹️",
      title: "stopped waiting",
      text: `Stopped by ${by}: this request is not waited for any more. Its job goes on at the platform, which has no way to end it, and may still open or change a pull request.`,
      next: suggest(status, "status", "to see how far it is"),
    };
  }
  const text = `The job goes on at the platform. ${pauses[outcome] ?? pauses["failed"]}`;
  return { icon: "⏸️", title: "still running", text, next: resume };
}

const ends: Readonly<Record<string, Words>> = {
  "no-pull-request": {
    icon: "☑️",
    title: "completed, no pull request",
    text: "The agent completed the job and reports no pull request: either nothing needed to change, or the project commits without one.",
  },
  failed: { icon: "❌", title: "failed", text: "The job led to no pull request that is known here." },
  archived: {
    icon: "🗄️",
    title: "archived",
    text: "The job was archived at the platform before it was completed.",
  },
};

function describeEnd(status: RequestStatus): Words {
  const { outcome = "", pullRequestUrl, message } = status;
  const next = continueWith(status);
  if (outcome === "unchanged") {
    const at = isCommit(status.headAfter) ? `, which is still at ${shortSha(status.headAfter)}` : "";
    const text = `The agent ended its work without a new commit on the pull request${at}.`;
    return { icon: "☑️", title: "unchanged", text, next };
  }
  const isSuccess = outcome === "pull-request" || outcome === "updated";
  if (isSuccess && pullRequestUrl !== undefined) return { ...describeSuccess(status), next };
  const words = ends[outcome] ?? { icon: "☑️", title: escapeInline(outcome), text: "The job has ended." };
  if (!isRetryable(status)) return { ...words, next };
  const unfinished = "The job did not end with success, so the work on this pull request may be unfinished.";
  const reason = message === undefined ? words.text : undefined;
  return { ...words, text: pullRequestUrl === undefined ? reason : unfinished };
}

function describeSuccess(status: RequestStatus): Words {
  const isUpdate = status.outcome === "updated";
  const text = isUpdate ? compareHeads(status) : undefined;
  switch (status.pull?.state) {
    case "merged":
      return { icon: "✅", title: "pull request merged", text };
    case "closed":
      return { icon: "🚫", title: "pull request closed", text };
    default:
      return { icon: "✅", title: isUpdate ? "updated" : "pull request ready", text };
  }
}

/** What moved the pull request's head: GitHub's own page, and the commits, where they are known. */
function compareHeads({
  pullRequestUrl = "",
  headBefore,
  headAfter,
  pull,
}: RequestStatus): string | undefined {
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

function continueWith({ triggerPhrase, pull, outcome }: RequestStatus): string | undefined {
  if (triggerPhrase === undefined) return undefined;
  const call = codeSpan(`${triggerPhrase} …`);
  if (pull?.state === "merged" || pull?.state === "closed")
    return `Comment ${call} to start a new pull request.`;
  const isNew = outcome === "pull-request" || outcome === "updated";
  return isNew ? `Review it, or comment ${call} to ask for changes.` : `Comment ${call} to continue.`;
}

/** A sentence about a word that people can write; where the phrase is not known, there is none. */
function suggest({ triggerPhrase }: RequestStatus, word: string, purpose: string): string | undefined {
  return triggerPhrase && `Comment ${codeSpan(`${triggerPhrase} ${word}`)} ${purpose}.`;
}

/** How to start again what can be started again. */
function offerRetry(status: RequestStatus, hasBox: boolean): string[] {
  if (!isRetryable(status)) return [];
  const { state, triggerPhrase } = status;
  const ways = [
    ...(state === "released" ? ["re-run the workflow"] : []),
    ...(triggerPhrase ? [`comment ${codeSpan(`${triggerPhrase} retry`)}`] : []),
    ...(hasBox ? ["tick the box"] : []),
  ];
  const said = ways.length === 0 ? "ask again" : ways.join(", ").replace(/, (?=[^,]*$)/, " or ");
  const sentence = `${said.charAt(0).toUpperCase()}${said.slice(1)} to start it${state === "released" ? "" : " again"}`;
  return hasBox ? [`${sentence}:`, "", tryAgainBox] : [`${sentence}.`];
}

/** The number in a pull request's address; a page of the embedded platform has none. */
export function pullNumberOf(url: string | undefined): string | undefined {
  return /\/pull\/(\d+)\/?$/.exec(url ?? "")?.[1];
}

/** The status as Markdown; at most a few thousand characters. */
export function renderStatusComment(status: RequestStatus): string {
  return renderCard(status, true);
}

function renderCard(status: RequestStatus, hasBox: boolean): string {
  const { icon, title, text, next } = describe(status);
  const parts = [
    [`### ${icon} Docs ${escapeInline(status.command)}: ${title}`],
    describePull(status),
    text === undefined ? [] : [text],
    warn(status),
    quoteRequest(status),
    // Another bullet than that of the lists around it, which would be one list otherwise.
    (status.notes ?? []).map((note) => `* ${escapeInline(note)}`),
    next === undefined ? [] : [next],
    offerRetry(status, hasBox),
    [`<sub>${smallFacts(status).join(" · ")}</sub>`],
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

const pullIcons = { open: "🟢", draft: "⚪", merged: "🟣", closed: "🔴" };

/** A longer list would push the rest of the comment out of sight. */
const maxPages = 5;

/** The pull request with its title and state, and at the end what it changes. */
function describePull({ state, pullRequestUrl: url = "", pull }: RequestStatus): string[] {
  if (!/^https?:\/\//.test(url)) return [];
  if (pull === undefined) return [`**${linkTo(labelPull(url), url)}**`];
  const { files, fileCount } = pull;
  const single = fileCount === 1 ? files[0] : undefined;
  const isOfPages = files.length === fileCount && files.every(({ path }) => /\.mdx?$/i.test(path));
  const changed = single ? codeSpan(single.path) : formatCount(fileCount, isOfPages ? "page" : "file");
  const size = changedLines(pull);
  const listed = state === "ended" && !single ? files.slice(0, maxPages) : [];
  const isPreviewed = listed.some(({ previewUrl }) => previewUrl !== undefined);
  const facts = [
    `${pullIcons[pull.state]} **${linkTo(labelPull(url, pull.title), url)}**`,
    pull.state,
    `${pullNumberOf(url) === undefined ? size : linkTo(size, `${url}/files`)} in ${changed}`,
    isPreviewed ? undefined : pageLink("preview", single?.previewUrl ?? pull.previewUrl),
  ];
  return [facts.filter((fact) => fact !== undefined).join(" · "), ...listFiles(listed, fileCount)];
}

function listFiles(files: readonly ChangedFile[], fileCount: number): string[] {
  if (files.length === 0) return [];
  const left = fileCount - files.length;
  return ["", ...files.map(describeFile), ...(left > 0 ? [`- and ${formatCount(left, "more file")}`] : [])];
}

/** What a link to a pull request says; its own title, where that is known. */
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

/** How the platform's reason is introduced in errors; the rest of the comment says that already. */
const knownPart = /^Agent job \S+ (?:failed|is archived): /;

/** What went wrong, in the platform's own words where it gave some. */
function warn(status: RequestStatus): string[] {
  const { message, state } = status;
  if (message === undefined) return [];
  if (state === "ended" && !isRetryable(status)) return [escapeInline(message)];
  const reason = message.replace(knownPart, "");
  const intro = reason === message ? "" : "**The platform's reason:** ";
  return [`> [!${state === "ended" ? "CAUTION" : "WARNING"}]`, `> ${intro}${escapeInline(reason)}`];
}

function quoteRequest({ request, requester }: RequestStatus): string[] {
  if (request === undefined || request.trim() === "") return [];
  const name = requester === undefined ? "" : `**${escapeInline(requester)}:** `;
  return quoteLines(shorten(request.trim(), maxShownRequest)).map(
    (line, index) => `> ${index === 0 ? name : ""}${line}`,
  );
}

/** The specification's limit: uses of a project in an hour. */
const usesAllowed = 100;

function smallFacts(status: RequestStatus): string[] {
  const { jobId, target, runUrl, uses } = status;
  const facts = [
    milestones(status),
    jobId === undefined ? undefined : `job ${codeSpan(jobId)}`,
    target === undefined ? undefined : `project ${codeSpan(target)}`,
    uses === undefined ? undefined : `${uses} of ${usesAllowed} uses this hour`,
    pageLink("log", runUrl),
  ];
  return facts.filter((fact) => fact !== undefined);
}

const endNames: Readonly<Record<string, string>> = {
  "pull-request": "pull request",
  updated: "updated",
  failed: "failed",
  archived: "archived",
};

function milestones({
  state,
  outcome = "",
  claimedAt,
  startedAt,
  endedAt,
}: RequestStatus): string | undefined {
  const end = state === "ended" ? endedAt : undefined;
  const reached = [
    ["asked", claimedAt],
    ["started", startedAt],
    [endNames[outcome] ?? "done", end],
  ] as const;
  const times = reached.flatMap(([name, time = ""]) => {
    const clock = formatClock(time, claimedAt);
    return clock === undefined ? [] : [`${name} ${clock}`];
  });
  if (times.length === 0) return undefined;
  const tookMs = Date.parse(end ?? "") - Date.parse(claimedAt);
  return `${times.join(" · ")} UTC${tookMs >= 0 ? ` · took ${formatTook(tookMs)}` : ""}`;
}

/** Where minutes count, seconds do not. */
function formatTook(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes < 2 || minutes > 59 ? formatDuration(ms) : `${minutes} min`;
}

/** The status in one plain sentence, for a commit status. */
export function describeStatus(status: RequestStatus): string {
  const { title } = describe(status);
  const job = status.jobId === undefined ? "" : `, job ${status.jobId}`;
  const pull = pullNumberOf(status.pullRequestUrl);
  const isPaused = status.state === "working" && (status.outcome ?? "stopped") in pauses;
  return `Docs ${status.command}: ${title}${pull === undefined ? "" : ` #${pull}`}${job}${isPaused ? "; re-run to resume" : ""}`;
}

/** The job summary of a request that was taken; `commentUrl` is the page of its status. */
export function renderAgentSummary(status: RequestStatus, commentUrl: string | undefined): string {
  const parts = [renderCard(status, false), pageLink("Status", commentUrl)];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

/** What a login is: nothing else is ever mentioned. */
const loginForm = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$/;

const notices: Readonly<Record<string, (pull: string) => string>> = {
  "pull-request": (pull) => `${pull} is ready for review`,
  updated: (pull) => `${pull} is updated`,
  unchanged: (pull) => `the agent is done and did not change ${pull}`,
  "no-pull-request": () => "the agent is done and opened no pull request",
  archived: () => "the job was archived before it was done",
};

/**
 * The reply that tells people of an end they no longer wait for: edits notify of nothing.
 *
 * @param page the status comment
 */
export function renderEndNotice(status: RequestStatus, page: string | undefined): string {
  const { requester = "", outcome = "", pullRequestUrl: url, pull } = status;
  const name = loginForm.test(requester) ? `@${requester}` : "Docs agent";
  const link = url === undefined ? "the pull request" : linkTo(labelPull(url, pull?.title), url);
  const said = notices[outcome]?.(link) ?? "the job failed";
  const details = pageLink("status", page);
  return `${name}: ${said}${details === undefined ? "" : ` (${details})`}.`;
}

/**
 * The action's one comment on a pull request of the agent.
 *
 * @param source page of the thread on which the request was made
 * @param triggerPhrase what a comment must start with to reach the agent; `undefined` where it is not known
 */
export function introducePullRequestText(
  jobId: string,
  source: string | undefined,
  triggerPhrase: string | undefined,
): string {
  const page = pageLink("this request", source);
  const made = `Agent job ${codeSpan(jobId)} made this pull request${page === undefined ? "" : ` for ${page}`}.`;
  if (triggerPhrase === undefined) return made;
  return `${made} Comment ${codeSpan(`${triggerPhrase} …`)} here to request changes.`;
}

/** What a review thread is told whose lines a commit changed. */
export function addressedText({ sha, url }: { readonly sha: string; readonly url: string }): string {
  return `Addressed in ${linkTo(codeSpan(sha.slice(0, 7)), url)}.`;
}
