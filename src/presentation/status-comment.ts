/**
 * What people see of a request to the agent: the status comment, the commit status, the job summary and the comment on its
 * pull request. Each stays true if the runner is lost right after it was written.
 */
import {
  codeBlock,
  codeCell,
  codeSpan,
  escapeInline,
  factTable,
  formatDuration,
  formatTime,
  linkTo,
  pageLink,
  quoteLines,
} from "./markdown.ts";

/** What is known of a request; every text in it is untrusted. */
export interface RequestStatus {
  readonly command: string;
  readonly state: "claimed" | "submitting" | "working" | "unknown" | "released" | "ended";
  /** How it ended; while claimed, that it is queued; while working, why the run stopped waiting. */
  readonly outcome?: string | undefined;
  readonly jobId?: string | undefined;
  /** A verified address. */
  readonly pullRequestUrl?: string | undefined;
  readonly requester?: string | undefined;
  readonly request?: string | undefined;
  readonly runUrl?: string | undefined;
  readonly notes?: readonly string[] | undefined;
  readonly message?: string | undefined;
  /** Time of the claim, ISO 8601. */
  readonly claimedAt: string;
}

interface Words {
  readonly title: string;
  /** The situation, as Markdown of our own with untrusted text escaped. */
  readonly text: string;
  readonly next?: string;
}

const resume = "Re-run the workflow to wait for it again; the same job is resumed, none is started.";
const restart = "Nothing was started. Re-run the workflow to start.";

/** Why no run waits for a job that goes on. */
const pauses: Readonly<Record<string, string>> = {
  cancelled: "The workflow was cancelled, so this run stopped waiting.",
  "timed-out": "It took longer than `timeout-minutes`, so this run stopped waiting.",
  detached: "This run does not wait for it (`wait: false`).",
  failed: "The run that waited for it could not go on.",
  interrupted: "The run that waited for it ended early.",
};

/** Why nothing was started. */
const releases: Readonly<Record<string, string>> = {
  cancelled: "The workflow was cancelled before anything was sent.",
  "timed-out": "Time ran out before anything was sent.",
  "rate-limited": "The platform's limit of jobs is used up for longer than this run may wait.",
  skipped: "The request was taken back before it was sent.",
  interrupted: "The run ended before anything was sent.",
};

/** The embedded platform, and what it works on, end with the run. */
const stopped: Words = {
  title: "stopped",
  text: "The run ended before the job did, and the embedded platform works only while its run lasts.",
  next: "Comment again to start a new job. A re-run starts none; it looks for a pull request that the job may have opened.",
};

const ends: Readonly<Record<string, Words>> = {
  "no-pull-request": {
    title: "completed, no pull request",
    text: "The agent completed the job and reports no pull request: either nothing needed to change, or the project commits without one.",
  },
  failed: {
    title: "failed",
    text: "The job led to no pull request that is known here.",
    next: "Comment again to start a new job; a re-run shows the same end.",
  },
  archived: {
    title: "archived",
    text: "The job was archived at the platform before it was completed.",
    next: "Comment again to start a new job; a re-run shows the same end.",
  },
};

function describe(status: RequestStatus): Words {
  const job = status.jobId === undefined ? "The job" : `Job ${codeSpan(status.jobId)}`;
  switch (status.state) {
    case "claimed":
      return status.outcome === undefined
        ? { title: "starting", text: "The request is taken; nothing has been sent yet." }
        : {
            title: "queued",
            text: `The platform's limit of jobs is used up: ${escapeInline(status.outcome)}. Nothing has been sent yet.`,
          };
    case "submitting":
      return {
        title: "starting",
        text: "The request is being sent to the platform. If this stays, the runner was lost while it waited for the answer.",
      };
    case "working":
      return describeWork(status.outcome, job);
    case "unknown":
      return {
        title: "unknown",
        text: "The request was sent, but the platform's answer was lost: a job may have been started. It is not sent again, so that nothing is done twice.",
        next: "If a pull request appears, a re-run shows it here. To start all the same, comment again, or re-run with `on-ambiguous: resubmit`.",
      };
    case "released":
      return {
        title: "not started",
        text: releases[status.outcome ?? ""] ?? "The platform did not take the request.",
        next: status.outcome === "skipped" ? "Nothing was started." : restart,
      };
    case "ended":
      return describeEnd(status);
  }
}

function describeWork(outcome: string | undefined, job: string): Words {
  if (outcome === undefined) return { title: "working", text: `${job} is running at the platform.` };
  if (outcome === "stopped") return stopped;
  const text = `${job} goes on at the platform. ${pauses[outcome] ?? pauses["failed"]}`;
  return { title: "still running", text, next: resume };
}

function describeEnd({ outcome = "", pullRequestUrl }: RequestStatus): Words {
  const words = ends[outcome];
  const opened = pullRequestUrl === undefined ? "" : `The agent opened ${pullRequestLink(pullRequestUrl)}.`;
  if (outcome === "pull-request" && opened !== "") return { title: "pull request", text: opened };
  if (words === undefined) return { title: escapeInline(outcome), text: "The job has ended." };
  if (opened === "") return words;
  return { ...words, text: `${opened} The job did not end with success, so its work may be unfinished.` };
}

/** A link to a verified pull request: its number, without the text of its title. */
function pullRequestLink(url: string): string {
  const number = pullNumberOf(url);
  return linkTo(`pull request${number === undefined ? "" : ` ${number}`}`, url);
}

/** The number in a pull request's address; a page of the embedded platform has none. */
export function pullNumberOf(url: string | undefined): string | undefined {
  return /\/pull\/(\d+)\/?$/.exec(url ?? "")?.[1];
}

/** The status as Markdown; at most a few thousand characters. */
export function renderStatusComment(status: RequestStatus, nowMs: number): string {
  const words = describe(status);
  return [
    `### Docs ${escapeInline(status.command)}: ${words.title}`,
    "",
    words.text,
    ...(status.message === undefined ? [] : ["", escapeInline(status.message)]),
    ...(words.next === undefined ? [] : ["", words.next]),
    ...quoteRequest(status),
    "",
    ...renderFacts(status, nowMs),
    ...(status.notes?.length ? [""] : []),
    ...(status.notes ?? []).map((note) => `- ${escapeInline(note)}`),
  ].join("\n");
}

function quoteRequest({ request, requester }: RequestStatus): string[] {
  if (request === undefined || request.trim() === "") return [];
  const lines = quoteLines(request).map((line) => `> ${line}`);
  return ["", ...(requester === undefined ? [] : [`Requested by ${escapeInline(requester)}:`, ""]), ...lines];
}

function renderFacts({ state, jobId, runUrl, claimedAt }: RequestStatus, nowMs: number): string[] {
  const elapsedMs = nowMs - Date.parse(claimedAt);
  const isOver = state === "ended";
  const isTimeKnown = !Number.isNaN(elapsedMs);
  return factTable([
    ["Job", jobId === undefined ? undefined : codeCell(jobId)],
    ["Took", isTimeKnown && isOver ? formatDuration(Math.max(0, elapsedMs)) : undefined],
    ["Since", isTimeKnown && !isOver ? formatTime(new Date(claimedAt)) : undefined],
    ["Run", pageLink("log", runUrl)],
  ]);
}

/** The status in one plain sentence, for a commit status. */
export function describeStatus(status: RequestStatus): string {
  const { title } = describe(status);
  const job = status.jobId === undefined ? "" : `, job ${status.jobId}`;
  const pull = pullNumberOf(status.pullRequestUrl);
  const isPaused = status.state === "working" && (status.outcome ?? "stopped") !== "stopped";
  return `Docs ${status.command}: ${title}${pull === undefined ? "" : ` #${pull}`}${job}${isPaused ? "; re-run to resume" : ""}`;
}

/** The job summary of a request that was taken; `commentUrl` is the page of its status. */
export function renderAgentSummary(
  status: RequestStatus,
  nowMs: number,
  commentUrl: string | undefined,
): string {
  const parts = [renderStatusComment(status, nowMs), pageLink("Status", commentUrl)];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

/** Anyone who knows a request's reference could pass a pull request off as the agent's; a summary is widely readable. */
const reference = /\bdocs-automation-[0-9a-f]{24}\b/g;

/** The job summary of a dry run: what would be sent, except for the reference. */
export function renderAgentDryRun(request: string, prompt: string): string {
  const shown = prompt.replaceAll(reference, "docs-automation-…");
  return `### Docs agent: dry run\n\nNothing was sent. The first request would be ${codeSpan(request)} with this prompt:\n\n${codeBlock(shown)}\n`;
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
