/** From an event to the prompt an agent gets: who asks, what for, and what else it should know; or why there is nothing to do. */
import { InputError } from "../../base/errors.ts";
import type { Changes } from "../../github/changes.ts";
import type { GitHubEvent } from "../../github/event.ts";
import type { GateDecision } from "../../github/gate.ts";
import type { ThreadContext } from "../../github/thread-context.ts";
import { formatCount } from "../../presentation/markdown.ts";
import { describeRemoval } from "../describe-removal.ts";
import { type EventRequest, readRequest } from "../request-from-event.ts";
import { assemblePrompt, type QuotedPiece } from "./assemble-prompt.ts";
import { matchPaths } from "./match-paths.ts";
import { quoteChanges, quotePlace, quoteRelease, quoteThread } from "./quote-context.ts";

type ContextKind = "auto" | "thread" | "changes" | "none";

export interface AgentRequestOptions {
  readonly event: GitHubEvent;
  readonly triggerPhrase: string;
  readonly prompt: string | undefined;
  readonly runId: string;
  readonly context: ContextKind;
  readonly paths: readonly string[];
  readonly pathsIgnore: readonly string[];
}

/** What preparing needs of GitHub. */
export interface AgentRequestSource {
  readonly checkGate: () => Promise<GateDecision>;
  readonly readChanges: () => Promise<Changes | undefined>;
  readonly readThread: () => Promise<ThreadContext | undefined>;
  readonly isFromOwnPullRequest: () => Promise<boolean>;
}

export interface SkippedRequest {
  readonly kind: "skip";
  /** Value of the output `skip-reason`. */
  readonly reason: string;
  readonly message: string;
}

export interface PreparedRequest {
  readonly kind: "request";
  readonly request: EventRequest;
  readonly pieces: readonly QuotedPiece[];
  /** Sentences for the status comment. */
  readonly notes: readonly string[];
}

const bareRequest = "Bring the documentation in line with what this thread is about.";
const changeRequest = [
  "The repository changed as quoted below. Update the documentation so that it is right after this change.",
  "Change only what this change makes wrong or leaves out.",
  "If the documentation is right as it is, change nothing and open no pull request.",
].join(" ");

/**
 * Prepares a request; asks the gate before anything is read on the asker's behalf.
 *
 * @throws {InputError} when neither inputs nor event say what to do.
 */
export async function prepareAgentRequest(
  options: AgentRequestOptions,
  source: AgentRequestSource,
): Promise<PreparedRequest | SkippedRequest> {
  const reading = readRequest(options.event, { ...options, bareRequest, changeRequest });
  if (reading.kind === "skip") return reading;
  if (reading.kind === "nothing") {
    throw new InputError([
      "`prompt` is missing: this event does not say what to do; set `prompt` or `prompt-file`.",
    ]);
  }
  const gate = await source.checkGate();
  if (!gate.allowed) return { kind: "skip", reason: gate.code, message: `Not permitted: ${gate.reason}.` };
  const isChange = options.event.type !== "written" && options.event.type !== "other";
  if (isChange && (await source.isFromOwnPullRequest())) {
    const message = "The change comes from one of the agent's own pull requests.";
    return { kind: "skip", reason: "own-pull-request", message };
  }
  const change = await quoteRelevantChanges(options, source);
  if (change === "no-match") {
    return { kind: "skip", reason: "paths", message: "No changed file matches `paths` and `paths-ignore`." };
  }
  const thread = await quoteRelevantThread(options, source);
  const notes = [describeRemoval(reading.removed, "the request"), ...thread.notes];
  return {
    kind: "request",
    request: reading,
    pieces: [...change, ...thread.pieces],
    notes: notes.filter((note) => note !== undefined),
  };
}

async function quoteRelevantChanges(
  { event, context, prompt, paths, pathsIgnore }: AgentRequestOptions,
  source: AgentRequestSource,
): Promise<QuotedPiece[] | "no-match"> {
  if (event.type === "written" && context !== "auto" && context !== "changes") return [];
  const isFiltered =
    (event.type === "push" || event.type === "pull-request") && paths.length + pathsIgnore.length > 0;
  // A request that only says "this changed" is nothing without the change.
  const isWanted = context === "auto" || context === "changes" || prompt === undefined;
  if (!isWanted && !isFiltered) return [];
  const changes = await source.readChanges();
  if (!changes) return [];
  const all = changes.files.map(({ path }) => path);
  const matching = isFiltered ? matchPaths(all, { paths, pathsIgnore }) : all;
  // A cut list does not prove that nothing matches.
  if (isFiltered && matching.length === 0 && changes.isComplete) return "no-match";
  return isWanted ? [quoteChanges(changes, matching), ...quoteRelease(event)] : [];
}

async function quoteRelevantThread(
  { event, context }: AgentRequestOptions,
  source: AgentRequestSource,
): Promise<{ pieces: QuotedPiece[]; notes: (string | undefined)[] }> {
  if (event.type !== "written" || context === "none") return { pieces: [], notes: [] };
  if (context === "changes") return { pieces: quotePlace(event), notes: [] };
  const thread = await source.readThread();
  if (!thread) return { pieces: quotePlace(event), notes: [] };
  const { changedSince, unread } = thread;
  return {
    pieces: [...quotePlace(event), ...quoteThread(thread)],
    notes: [
      describeRemoval(thread, "the thread's other texts"),
      changedSince === 0
        ? undefined
        : `Left out of the context, because they came or changed after the request: ${formatCount(changedSince, "comment")}.`,
      unread === 0
        ? undefined
        : `Left out of the context for want of room: the oldest ${formatCount(unread, "comment")}.`,
    ],
  };
}

/** The prompt of a prepared request, with a note if some of its context did not fit. */
export function finishPrompt(
  { request, pieces }: PreparedRequest,
  { nonce, reference }: { readonly nonce: string; readonly reference: string },
): { readonly prompt: string; readonly notes: readonly string[] } {
  const { prompt, omittedPieces, cutPieces } = assemblePrompt({
    instruction: request.instruction,
    pieces,
    nonce,
    reference,
  });
  const notes = [
    ...(omittedPieces === 0
      ? []
      : [`Left out of the context for want of room: the oldest ${formatCount(omittedPieces, "piece")}.`]),
    ...(cutPieces === 0 ? [] : [`Shortened for want of room: ${formatCount(cutPieces, "piece")}.`]),
  ];
  return { prompt, notes };
}
