/** The keywords `/docs help`, `/docs status`, `/docs stop` and `/docs retry`. */
import { type ClaimRecord, isSettled, stoppedByUser, updateRecord } from "../base/claim-record.ts";
import { type ClaimStore, readClaims, type StoredClaim } from "../github/claims.ts";
import type { TextEvent } from "../github/event.ts";
import { isCheckboxTickEvent } from "../github/gate.ts";
import { labelOf } from "../github/may-trigger.ts";
import { createPullRequestFinder } from "../github/pull-requests.ts";
import { renderHelp, renderStatusReply } from "../presentation/help-comment.ts";
import { codeSpan } from "../presentation/markdown.ts";
import { isRetryable } from "../presentation/status-comment.ts";
import { type AgentRun, readJob } from "./agent-job.ts";
import { hasWaitingRun, isShortenedRequest, openClaimStore } from "./claim.ts";
import { connectPlatform } from "./connect-platform.ts";
import { react, reply } from "./reply.ts";
import type { KeyedRequest, Keyword } from "./request-from-event.ts";
import type { Run, Skip } from "./run.ts";

/** Carries out a keyword. Returns the request that `retry` repeats, or what was done instead of a request. */
export async function runKeyword(
  keyword: Keyword,
  request: KeyedRequest,
  agent: AgentRun,
): Promise<KeyedRequest | Skip> {
  const { inputs, github, run, triggerPhrases: phrases, projectId } = agent;
  const { event } = github;
  if (event.type !== "text") throw new Error("Only a text contains a keyword.");
  if (inputs.dryRun) return { reason: "dry-run", message: `Dry run: \`${keyword}\` would be carried out.` };
  if (keyword === "help") {
    await reply(renderHelp({ ...inputs, phrases, labels: phrases.map(labelOf) }), event, github);
    return { reason: "help", message: "The reply lists what can be requested." };
  }
  const { comments } = await github.listComments();
  const records = readClaims(comments, event.thread, await github.readOwnership());
  const claims = records.filter(({ record }) => record.command === "agent");
  const ofOthers = claims.filter(({ record }) => record.target !== projectId);
  const requests = claims.filter((claim) => !ofOthers.includes(claim) && !claim.isUnverifiable);
  // Each project's step replies.
  const prefix = ofOthers.length === 0 ? "" : `Project ${codeSpan(projectId)}: `;
  if (keyword === "status") {
    const newest = requests.at(-1);
    const jobStatus = newest && (await readJobStatus(newest.record, agent));
    const text = renderStatusReply(newest?.record, newest?.url, jobStatus);
    await reply(prefix + text, event, github, projectId);
    return { reason: "status", message: "The reply contains the status of the newest request." };
  }
  if (keyword === "stop") {
    const stopped = await stopRequests(requests, event, agent);
    await react(github, run, stopped.page === undefined ? "CONFUSED" : "THUMBS_UP");
    return stopped;
  }
  if (isCheckboxTickEvent(event) && ofOthers.some(({ id }) => id === event.text.id))
    return { reason: "other-project", message: "The selected checkbox is of another project's request." };
  const retried = await findRequestToRetry(requests, request.trigger, event, agent);
  if ("reason" in retried) {
    await reply(prefix + retried.message, event, github, projectId);
    return retried;
  }
  return { ...request, instruction: retried.request ?? "" };
}

/** The job's status at the platform, if its record does not contain the result; `undefined` if it cannot be read. */
async function readJobStatus({ state, jobId }: ClaimRecord, agent: AgentRun): Promise<string | undefined> {
  const { inputs, run } = agent;
  if (state !== "working" || jobId === undefined || inputs.baseUrl === "local") return undefined;
  await using platform = await connectPlatform(inputs, run);
  return (await readJob(jobId, { ...agent, platform }))?.status ?? undefined;
}

/**
 * Stops the runs that work on earlier requests of the thread: each run reads in its record that a user stopped it. A job at the
 * platform continues.
 */
async function stopRequests(
  requests: readonly StoredClaim[],
  { thread, text }: TextEvent,
  { github, run }: AgentRun,
): Promise<Skip> {
  const location = { kind: "thread", thread, since: text.createdAt } as const;
  const store = openClaimStore(location, await github.readOwnership(), await github.listComments());
  const isLater = ({ requestedAt = "" }: ClaimRecord) => Date.parse(requestedAt) > Date.parse(text.changedAt);
  const running = requests.filter(
    (claim) =>
      // A claim may expire although its run only waits for GitHub.
      (claim.record.state === "claimed" || hasWaitingRun(claim, github.context)) && !isLater(claim.record),
  );
  // All at once: otherwise, the next request in the queue might be sent while the one before it is stopped.
  const results = await Promise.all(running.map((claim) => stopRequest(claim, store, run)));
  const stopped = running.filter((_, index) => results[index]);
  for (const { url } of stopped) run.log.info(`Stopped: ${url}`);
  const [first] = stopped;
  if (results.includes(false)) {
    const message = "A request of this thread is being sent at this moment; write `stop` again to stop it.";
    return { reason: "stop", message };
  }
  if (first === undefined) return { reason: "stop", message: "No run waits for a request of this thread." };
  const message = "The requests of this thread are stopped. Jobs that the platform works on continue there.";
  return { reason: "stop", message, page: first.url };
}

/** A run may need this long from reading its record to writing that it sends the request. */
const stopCheckMs = 3_000;

/** Records that a user stopped a request; returns `false` if its run was sending it, or wrote its record, all the time. */
async function stopRequest(claim: StoredClaim, store: ClaimStore, run: Run): Promise<boolean> {
  // A run that writes its record at the same moment would overwrite this: check, and write again.
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    const current = await store.reread(claim);
    // GitHub may not find a new comment for a moment.
    if (current ? isSettled(current.record) : attempt > 1) return true;
    // A run that sends the request at this moment records its job soon.
    if (current && current.record.state !== "submitting") {
      const state = current.record.state === "claimed" ? "released" : "working";
      const change = { state, outcome: stoppedByUser } as const;
      await store.update(current, updateRecord(current.record, change));
    }
    await run.clock.sleep(stopCheckMs, run.signal);
  }
  return false;
}

/**
 * The request that `retry` repeats: that of the selected checkbox, or the last of the thread that ended without success. A request
 * that was already repeated, and is in progress or has succeeded, does not count.
 */
async function findRequestToRetry(
  requests: readonly StoredClaim[],
  trigger: string,
  event: TextEvent,
  { github }: AgentRun,
): Promise<ClaimRecord | Skip> {
  const tickedId = isCheckboxTickEvent(event) ? event.text.id : undefined;
  const isOwn = ({ record }: StoredClaim) => record.trigger === trigger;
  // An earlier run for the same event may have sent the repetition: it is continued.
  const sent = requests.find(
    (claim) => isOwn(claim) && !["claimed", "released"].includes(claim.record.state),
  );
  if (sent) return sent.record;
  // Of a released repetition, nothing was sent.
  const isOpen = (claim: StoredClaim) =>
    isRetryable(claim.record) || claim.record.state === "released" || isOwn(claim);
  const found = requests.findLast(
    ({ id, record }, index) =>
      isRetryable(record) &&
      (tickedId === undefined || id === tickedId) &&
      requests.slice(index + 1).every((later) => later.record.request !== record.request || isOpen(later)),
  );
  const refuse = (message: string): Skip => ({ reason: "retry", message });
  if (!found) return refuse("There is no request on this thread that ended without success.");
  const { request = "", state } = found.record;
  const pull = state === "unknown" && (await createPullRequestFinder(github)(found.record));
  if (pull) return refuse(`The request was not lost: its pull request is ${pull.url}.`);
  return request === "" || isShortenedRequest(request)
    ? refuse("The request is too long to be repeated; write it in a new comment.")
    : found.record;
}
