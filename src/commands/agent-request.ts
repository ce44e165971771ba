/** What the agent is asked to do: the request of an event, with its context quoted; or why there is nothing to do. */
import { randomBytes } from "node:crypto";
import { InputError } from "../base/errors.ts";
import { readChanges } from "../github/changes.ts";
import { triggerKey } from "../github/claim-store.ts";
import { labelOf } from "../github/may-trigger.ts";
import { isFromOwnPullRequest, isOwn } from "../github/pull-requests.ts";
import type { QuotedPiece } from "../github/thread-context.ts";
import { renderHelp } from "../presentation/help-comment.ts";
import { formatCount } from "../presentation/markdown.ts";
import { type Agent, ownershipOf } from "./agent-run.ts";
import { type ClaimDraft, draftRecord } from "./claim.ts";
import { type Refusal, react, refusePeople } from "./connect-github.ts";
import { filterPaths } from "./paths-filter.ts";
import { assemblePrompt, describeRemoval, quoteChanges, quoteRelease } from "./prompt.ts";
import { giveHint, reply } from "./reply.ts";
import { type EventRequest, readRequest, type Word } from "./request-from-event.ts";
import { recordSkippedChange, rollingBranch } from "./rolling.ts";

/** A word that needs no new context: what it is about is on the thread. */
export interface WordRequest extends Omit<EventRequest, "kind"> {
  readonly kind: "word";
  readonly word: Word;
}

export interface PreparedRequest extends EventRequest {
  readonly prompt: string;
  /** The prompt with more material quoted. */
  readonly compose: (gathered: readonly QuotedPiece[]) => string;
  readonly draft: ClaimDraft;
}

const bareRequest = "Bring the documentation in line with what this thread is about.";
const changeRequest = [
  "The repository changed as quoted below. Update the documentation so that it is right after this change.",
  "Change only what this change makes wrong or leaves out.",
  "If the documentation is right as it is, change nothing and open no pull request.",
].join(" ");

/**
 * Prepares a request: who asks, what for, and what else the agent should know; or why there is nothing to do. The people
 * behind it are checked before anything is read on their behalf.
 *
 * @throws {InputError} when neither inputs nor event say what to do.
 */
export async function prepareRequest(
  prompt: string | undefined,
  agent: Agent,
): Promise<PreparedRequest | WordRequest | (Refusal & { readonly kind: "skip" })> {
  const { inputs, github, run, triggerPhrases } = agent;
  const { event, context } = github;
  const { runId } = context;
  const asking = { asksFor: "job", bareRequest, changeRequest } as const;
  const request = await readRequest(event, { triggerPhrases, prompt, runId, ...asking });
  if (request.kind === "skip") {
    if (request.hint !== undefined) await giveHint(request.hint, inputs, github, run);
    return request;
  }
  if (request.kind === "nothing") {
    throw new InputError([
      "`prompt` is missing: this event does not say what to do; set `prompt` or `prompt-file`.",
    ]);
  }
  const refusal = await refusePeople(inputs, github);
  if (refusal) return { kind: "skip", ...refusal };
  if (!inputs.dryRun) await react(github, run, "eyes");
  run.signal.throwIfAborted();
  const { word } = request;
  if (word === "help" && event.type === "written") {
    const help = renderHelp({ ...inputs, phrases: triggerPhrases, labels: triggerPhrases.map(labelOf) });
    if (!inputs.dryRun) await reply(help, event, github);
    return { kind: "skip", reason: "help", message: "The reply says what can be asked." };
  }
  if (word !== undefined) return { ...request, kind: "word", word };
  return assembleRequest(request, prompt, agent);
}

/** Adds to a permitted request what else the agent should know; or says why there is nothing to do. */
export async function assembleRequest(
  request: EventRequest,
  prompt: string | undefined,
  agent: Agent,
): Promise<PreparedRequest | (Refusal & { readonly kind: "skip" })> {
  const { github, triggerPhrases, projectId: target } = agent;
  const { event, context } = github;
  if (await isOwnChange(agent)) {
    const message = "The change comes from one of the agent's own pull requests.";
    return { kind: "skip", reason: "own-pull-request", message };
  }
  const { family, subject, body, instruction } = request;
  const repositoryId = context.repository.id;
  const trigger = triggerKey({ repositoryId, family, subject, body, command: "agent", target });
  const changes = await quoteRelevantChanges(prompt, agent);
  if (changes === "no-match") {
    if (rollingBranch(agent) && !agent.inputs.dryRun) await recordSkippedChange(trigger, agent);
    return { kind: "skip", reason: "paths", message: "No changed file matches `paths` and `paths-ignore`." };
  }
  const thread = await quoteRelevantThread(request.origin, agent);

  const assemble = (gathered: readonly QuotedPiece[]) =>
    assemblePrompt({
      instruction,
      pieces: [...changes, ...gathered, ...thread.pieces],
      nonce: randomBytes(12).toString("hex"),
      reference: agent.signer.reference(trigger),
    });
  const assembled = assemble([]);
  const removed = describeRemoval(request.removed, "the request");
  const notes = [...(removed === undefined ? [] : [removed]), ...thread.notes, ...assembled.notes];
  const facts = {
    command: "agent",
    target,
    docsRepository: agent.inputs.docsRepository,
    trigger,
    triggerPhrase: triggerPhrases[0],
    runUrl: context.runUrl,
  } as const;
  const draft = draftRecord(facts, instruction, notes, event);
  const compose = (gathered: readonly QuotedPiece[]) => assemble(gathered).prompt;
  return { ...request, prompt: assembled.prompt, compose, draft };
}

async function isOwnChange(agent: Agent): Promise<boolean> {
  const { event } = agent.github;
  if (event.type === "pull-request") {
    return isOwn({ ...event.thread, isFork: event.isFork }, await ownershipOf(agent));
  }
  return event.type === "push" && isFromOwnPullRequest(event, await ownershipOf(agent));
}

async function quoteRelevantChanges(
  prompt: string | undefined,
  { inputs: { context, paths, pathsIgnore }, github: { event, api } }: Agent,
): Promise<QuotedPiece[] | "no-match"> {
  const hasChanges = event.type === "written" ? event.thread.kind === "pull-request" : event.type !== "other";
  if (!hasChanges || event.type === "other") return [];
  const isFiltered =
    (event.type === "push" || event.type === "pull-request") && paths.length + pathsIgnore.length > 0;
  // A request that only says "this changed" is nothing without the change.
  const saysOnlyThat = event.type !== "written" && prompt === undefined;
  const isQuoted = context === "auto" || context === "changes" || saysOnlyThat;
  if (!isQuoted && !isFiltered) return [];
  const changes = await readChanges(event, api);
  const all = changes.files.map(({ path }) => path);
  const matching = isFiltered ? filterPaths(all, { paths, pathsIgnore }) : all;
  // A cut list does not prove that nothing matches.
  if (isFiltered && matching.length === 0 && changes.isComplete) return "no-match";
  return isQuoted ? [quoteChanges(changes, matching), ...(await quoteRelease(event))] : [];
}

async function quoteRelevantThread(
  origin: EventRequest["origin"],
  { inputs: { context }, run, github: { event, listComments } }: Agent,
): Promise<{ pieces: QuotedPiece[]; notes: string[] }> {
  if (event.type !== "written") return { pieces: [], notes: [] };
  const { quoteLocation, readThreadContext } = await import("../github/thread-context.ts");
  const isWholeThread = context === "auto" || context === "thread";
  // Without the text that got the label, the request would be about nothing.
  if (!isWholeThread && origin !== "label") {
    return { pieces: context === "none" ? [] : quoteLocation(event), notes: [] };
  }
  const { comments, reviews } = isWholeThread ? await listComments() : { comments: [], reviews: undefined };
  const isTextTheRequest = origin === "written";
  const thread = await readThreadContext(event, comments, run, { ...reviews, isTextTheRequest });
  const { changedSince, unread } = thread;
  const notes = [
    describeRemoval(thread, "the thread's other texts"),
    changedSince === 0
      ? undefined
      : `Left out of the context, because they came or changed after the request: ${formatCount(changedSince, "comment")}.`,
    unread === 0
      ? undefined
      : `Left out of the context for want of room or time: the oldest ${formatCount(unread, "comment")}.`,
    reviews?.unread
      ? `Left out of the context: the oldest ${formatCount(reviews.unread, "review thread")}.`
      : undefined,
  ];
  return {
    pieces: [...quoteLocation(event), ...thread.pieces],
    notes: notes.filter((note) => note !== undefined),
  };
}
