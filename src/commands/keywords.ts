/** `/docs help`, `/docs status`, `/docs stop` and `/docs retry`: words that start no work by themselves. */
import { type ClaimRecord, updateRecord } from "../base/claim-record.ts";
import type { ClaimStore, StoredClaim } from "../github/claim-store.ts";
import { readClaims } from "../github/comment-claims.ts";
import { isBoxPressEvent } from "../github/gate.ts";
import { labelOf } from "../github/may-trigger.ts";
import { renderHelp, renderStatusReply } from "../presentation/help-comment.ts";
import { isRetryable } from "../presentation/status-comment.ts";
import { type AgentRun, ownershipOf } from "./agent-run.ts";
import { createOwner, hasWaitingRun, isOfEarlierAttempt, stoppedByUser } from "./claim.ts";
import type { Refusal } from "./connect-github.ts";
import { connectPlatform } from "./connect-platform.ts";
import { readJob } from "./earlier-job.ts";
import { reply } from "./reply.ts";

/** The project's requests on the event's thread, oldest first. */
async function listRequests(agent: AgentRun): Promise<StoredClaim[]> {
  const { event, listComments } = agent.github;
  if (event.type !== "written") return [];
  const { comments } = await listComments();
  const claims = readClaims(comments, event.thread, await ownershipOf(agent));
  return claims.filter(
    ({ record, isUnverifiable }) =>
      !isUnverifiable && record.command === "agent" && record.target === agent.projectId,
  );
}

/** Says in a reply what can be asked. */
export async function replyWithHelp({ inputs, github, triggerPhrases: phrases }: AgentRun): Promise<Refusal> {
  const help = renderHelp({ ...inputs, phrases, labels: phrases.map(labelOf) });
  if (github.event.type === "written" && !inputs.dryRun) await reply(help, github.event, github);
  return { reason: "help", message: "The reply says what can be asked." };
}

/** Says in a reply how far the newest request of the thread is. */
export async function replyWithStatus(agent: AgentRun): Promise<Refusal> {
  const { event } = agent.github;
  const newest = (await listRequests(agent)).at(-1);
  const jobStatus = newest && (await readJobStatus(newest.record, agent));
  const text = renderStatusReply(newest && { ...newest.record, page: newest.url, jobStatus });
  if (event.type === "written") await reply(text, event, agent.github);
  return { reason: "status", message: "The reply says how far the newest request is." };
}

/** The platform's word for a job that no run is known to have seen end; `undefined` where there is none, or no answer. */
async function readJobStatus({ state, jobId }: ClaimRecord, agent: AgentRun): Promise<string | undefined> {
  const { inputs, run } = agent;
  if (state !== "working" || jobId === undefined || inputs.baseUrl === "local") return undefined;
  await using connection = await connectPlatform(inputs, run);
  const { platform } = connection;
  return (await readJob(jobId, { ...agent, platform }))?.status ?? undefined;
}

/**
 * Stops the runs that are at requests of the thread: each reads in its record that a person stopped it. A job at the platform
 * goes on.
 *
 * @param claims the records of the thread
 */
export async function stopRequests(claims: ClaimStore, agent: AgentRun): Promise<Refusal> {
  const { github, run } = agent;
  const owner = createOwner(github.context);
  const running = (await listRequests(agent)).filter(
    (claim) => isStoppable(claim) && hasWaitingRun(claim, owner),
  );
  for (const claim of running) {
    // A run that writes at the same moment, not having read it yet, would undo the word.
    for (let look = 1; look <= 3; look += 1) {
      const now = await claims.reread(claim);
      if (now === undefined || !isStoppable(now)) break;
      const state = now.record.state === "claimed" ? "released" : "working";
      await claims.update(now, updateRecord(now.record, { state, outcome: stoppedByUser }));
      await run.clock.sleep(1_000, run.signal);
    }
    run.log.info(`Stopped: ${claim.url}`);
  }
  const [only] = running;
  if (only === undefined) return { reason: "stop", message: "No run waits for a request of this thread." };
  const message = "The requests of this thread are stopped; what the platform works on goes on there.";
  return { reason: "stop", message, page: only.url };
}

/** Whether a run may be at a request that is not about to be sent at this moment. */
function isStoppable({ record: { state, outcome } }: StoredClaim): boolean {
  return state === "claimed" || (state === "working" && outcome === undefined);
}

/** Releases what an earlier attempt of this run has taken and not sent, where there is nothing to send any more. */
export async function releaseEarlierAttempts(
  claims: ClaimStore,
  message: string,
  agent: AgentRun,
): Promise<void> {
  for (const claim of await listRequests(agent)) {
    const { record } = claim;
    if (record.state !== "claimed" || !isOfEarlierAttempt(record, agent.github.context)) continue;
    await claims.update(claim, updateRecord(record, { state: "released", outcome: "skipped", message }));
  }
}

/**
 * The request that is asked for once more: that of the pressed box, or the last of the thread that ended without success. One
 * that was made again since, and is worked on or has succeeded, is not among them.
 */
export async function findRequestToRetry(agent: AgentRun): Promise<ClaimRecord | Refusal> {
  const { event, context } = agent.github;
  const pressed = event.type === "written" && isBoxPressEvent(event) ? event.text.id : undefined;
  const requests = await listRequests(agent);
  const isOurs = (record: ClaimRecord) => isOfEarlierAttempt(record, context);
  // What an earlier attempt of this run made of it is gone on with.
  const isOpen = (record: ClaimRecord) => isRetryable(record) || isOurs(record);
  const found = requests.findLast(
    ({ id, record }, index) =>
      isRetryable(record) &&
      (pressed === undefined || id === pressed) &&
      requests
        .slice(index + 1)
        .every(({ record: later }) => later.request !== record.request || isOpen(later)),
  );
  const refuse = (message: string): Refusal => ({ reason: "retry", message });
  if (!found) return refuse("There is no request on this thread that ended without success.");
  const { request = "" } = found.record;
  if (request === "" || request.endsWith("…")) {
    return refuse("The request is too long to be repeated; write it in a new comment.");
  }
  return found.record;
}
