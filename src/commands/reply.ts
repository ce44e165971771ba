/** Reactions and replies for the requester. A reply contains a marker, so that it triggers nothing. */
import * as z from "zod/mini";
import { successfulOutcomes } from "../base/claim-record.ts";
import { messageWithHint } from "../base/errors.ts";
import { normalizeLineEndings } from "../base/text.ts";
import type { StoredClaim } from "../github/claims.ts";
import {
  createOnce,
  createThreadComments,
  type PostingRun,
  permissionToWrite,
  type ThreadAddress,
  type ThreadComments,
} from "../github/comments.ts";
import { undefinedIfGone, warnOnGitHubError } from "../github/errors.ts";
import type { TextEvent } from "../github/event.ts";
import { type GateInputs, refuseUnpermitted } from "../github/gate.ts";
import type { GitHubApi } from "../github/github-api.ts";
import { editedHint } from "../presentation/help-comment.ts";
import { renderEndNotice } from "../presentation/status-comment.ts";
import type { GitHubConnection } from "./connect-github.ts";
import type { AgentInputs } from "./inputs.ts";
import type { CommandResult, Run, Skip } from "./run.ts";

const LiveText = z.object({ node: z.nullable(z.object({ body: z.string() })) });

/** Refuses the request if its text was edited or deleted after the event. */
export async function refuseChangedText({
  event,
  api,
}: Pick<GitHubConnection, "event" | "api">): Promise<Skip | undefined> {
  if (event.type !== "text") return undefined;
  const { text, thread } = event;
  const permission = permissionToWrite(thread.kind).replace("write", "read");
  const purpose = { doing: "read the text that triggered the run", permission };
  const query = "query ($id: ID!) { node(id: $id) { ... on Comment { body } } }";
  const live = await undefinedIfGone(api.graphql(purpose, query, { id: text.nodeId }, LiveText));
  const body = live?.node?.body;
  if (body !== undefined && normalizeLineEndings(body) === normalizeLineEndings(text.body)) return undefined;
  const state = body === undefined ? "deleted" : "edited";
  const message = `The text of the request was ${state} after the event; write a new comment.`;
  return { reason: `text-${state}`, message, ...(state === "edited" && { hint: editedHint }) };
}

/** Seen, accepted, succeeded, failed. */
type Reaction = "EYES" | "ROCKET" | "THUMBS_UP" | "CONFUSED";

/** Shows the progress as a reaction on the text of the request, unless it was deleted; a failure is only a warning. */
export async function react(
  { event, api }: Pick<GitHubConnection, "event" | "api">,
  { log, signal }: Pick<Run, "log" | "signal">,
  content: Reaction,
): Promise<void> {
  if (event.type !== "text" || signal.aborted) return;
  const permission = permissionToWrite(event.thread.kind);
  const purpose = { doing: "react to the text that triggered the run", permission };
  const query = `mutation ($id: ID!, $content: ReactionContent!) {
    addReaction(input: { subjectId: $id, content: $content }) { clientMutationId } }`;
  try {
    await undefinedIfGone(api.graphql(purpose, query, { id: event.text.nodeId, content }, z.unknown()));
  } catch (error) {
    if (!signal.aborted) log.warning(messageWithHint(error));
  }
}

/**
 * Shows as reactions that a request was seen, and how it ended. A request that is skipped, or that this run does not wait for, keeps the
 * first one.
 */
export async function showProgress<Result extends CommandResult | Skip>(
  { github, run }: { readonly github: GitHubConnection; readonly run: Run },
  work: () => Promise<Result>,
): Promise<Result> {
  await react(github, run, "EYES");
  try {
    const result = await work();
    if ("reason" in result || result.outcome === "detached") return result;
    const isSuccess = ["answered", ...successfulOutcomes].some((outcome) => outcome === result.outcome);
    await react(github, run, isSuccess ? "THUMBS_UP" : "CONFUSED");
    return result;
  } catch (error) {
    await react(github, run, "CONFUSED");
    throw error;
  }
}

/**
 * Replies why a text triggers nothing: once per text, only to users with permission, with at most three API requests. Edits and
 * re-runs get no reply. A failure is only a warning.
 */
export async function replyWithHint(
  hint: string,
  inputs: GateInputs & Pick<AgentInputs, "statusComment" | "dryRun">,
  github: GitHubConnection,
  { log }: Run,
): Promise<void> {
  const { event, context, api } = github;
  const isFirst = context.runAttempt === 1 && inputs.statusComment && !inputs.dryRun;
  if (event.type !== "text" || event.action === "edited" || !isFirst) return;
  await warnOnGitHubError(log, async () => {
    if ((await refuseUnpermitted(inputs, github)) !== undefined) return;
    await postOnce(hint, markerOf(event), event.text.createdAt, createThreadComments(event.thread, api));
  });
}

/** Posts a text with a marker, unless a comment since that time has the marker; without a time, in any case. */
async function postOnce(
  text: string,
  marker: string,
  since: string | undefined,
  comments: ThreadComments,
): Promise<void> {
  const isPosted = since !== undefined && (await findMarked(marker, since, comments)) !== undefined;
  if (!isPosted) await comments.create(`${text}\n\n${marker}`);
}

async function findMarked(marker: string, since: string, comments: ThreadComments) {
  return (await comments.list({ since })).find(({ body }) => body.includes(marker));
}

/** After this time, the requester is notified with a new reply: editing the status comment sends no notification. */
const noticeAfterMs = 10 * 60_000;

/** Mentions the requester in a new reply if the job took long and no other run did so. A failure is only a warning. */
export async function notifyOfResult(
  { record, url }: StoredClaim,
  thread: ThreadAddress,
  { api }: { readonly api: GitHubApi },
  run: PostingRun,
): Promise<void> {
  const hasRequester = record.state === "ended" && record.requester !== undefined;
  if (!hasRequester || run.clock.now() - Date.parse(record.claimedAt) < noticeAfterMs) return;
  const comments = createThreadComments(thread, api);
  const marker = `<!-- docs-automation:notice:v1 ${record.trigger} -->`;
  const text = `${renderEndNotice(record, url)}\n\n${marker}`;
  const find = () => findMarked(marker, record.startedAt ?? record.claimedAt, comments);
  await warnOnGitHubError(run.log, () => createOnce(text, find, comments, run));
}

/** Replies to a text that needs no job, unless an earlier attempt of the run did; with `project`, for that one. */
export async function reply(
  text: string,
  event: TextEvent,
  { api, context }: GitHubConnection,
  project?: string,
): Promise<void> {
  const since = context.runAttempt > 1 ? event.text.createdAt : undefined;
  await postOnce(text, markerOf(event, project), since, createThreadComments(event.thread, api));
}

/** Marks the reply to one text. It is not signed: a forged marker only suppresses a reply. */
function markerOf({ text: { kind, id } }: TextEvent, project = ""): string {
  return `<!-- docs-automation:hint:v1 ${[kind, id, project].filter(Boolean).join(":")} -->`;
}
