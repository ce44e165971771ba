/** The agent command: request → claim → job → pull request, exactly once. */
import { randomBytes } from "node:crypto";
import { messageOf } from "../base/text.ts";
import { triggerKey } from "../github/claim-store.ts";
import type { Origin } from "../github/pull-requests.ts";
import type { AgentDeps, AgentOptions, AgentResult, ClaimedDeps } from "./agent/agent-interface.ts";
import { type CreatedJob, createJob } from "./agent/agent-job.ts";
import { concludeLost, concludeRecorded } from "./agent/conclude-agent.ts";
import { findEarlierEnd } from "./agent/find-earlier-end.ts";
import { concludeElsewhere, followClaimed, followGivenJob, otherRun } from "./agent/follow-claimed.ts";
import { finishPrompt, type PreparedRequest, prepareAgentRequest } from "./agent/prepare-agent-request.ts";
import { type ClaimDraft, draftRecord } from "./submission/draft-record.ts";
import { objectToChangedText } from "./submission/object-to-changed-text.ts";
import type { Objection, Submission } from "./submission/submission.ts";
import { submitOnce } from "./submission/submit-once.ts";

/**
 * Runs the agent for an event, or follows an existing job.
 *
 * @throws {InterruptedError} when cancelled or out of time; the record then says that the job goes on.
 * @throws {PlatformError} when the platform turned the request away, or cannot be read any more.
 */
export async function runAgent(options: AgentOptions, deps: AgentDeps): Promise<AgentResult> {
  if (options.jobId !== undefined && options.dryRun) {
    const message = `Dry run: job ${options.jobId} would be followed; nothing was sent.`;
    return { outcome: "skipped", reason: "dry-run", message };
  }
  if (options.jobId !== undefined) return followGivenJob(options.jobId, options, deps);
  const prepared = await prepareAgentRequest(options, deps.github);
  if (prepared.kind === "skip") {
    const { reason, message } = prepared;
    return { outcome: "skipped", reason, message };
  }
  const ready = finishRequest(prepared, options, deps);
  if (options.dryRun) return showRequest(options.projectId, ready.prompt);
  const origin = await readOrigin(options, deps);
  const claimed = { ...deps, ...(await deps.github.openClaims(ready.draft.trigger)) };
  const submission = await submitRequest({ ...ready, origin }, options, claimed);
  return concludeSubmission(submission, options, claimed);
}

/** A request with everything that is written down of it and sent. */
interface ReadyRequest {
  readonly prepared: PreparedRequest;
  readonly prompt: string;
  readonly draft: ClaimDraft;
}

function finishRequest(
  prepared: PreparedRequest,
  options: AgentOptions,
  { referenceOf }: Pick<AgentDeps, "referenceOf">,
): ReadyRequest {
  const trigger = identify(prepared, options);
  const nonce = randomBytes(12).toString("hex");
  const { prompt, notes } = finishPrompt(prepared, { nonce, reference: referenceOf(trigger) });
  const draft = draftRecord({
    command: "agent",
    target: options.projectId,
    trigger,
    event: options.event,
    runUrl: options.runUrl,
    request: prepared.request.instruction,
    notes: [...prepared.notes, ...notes],
  });
  return { prepared, prompt, draft };
}

function submitRequest(
  { prepared, prompt, draft, origin }: ReadyRequest & { readonly origin: Origin | undefined },
  options: AgentOptions,
  deps: ClaimedDeps,
): Promise<Submission<CreatedJob>> {
  const { projectId, owner, onAmbiguous, deadlineMs } = options;
  return submitOnce(
    { owner, draft, onAmbiguous, deadlineMs },
    {
      ...deps,
      findEnd: () => findEarlierEnd(draft.trigger, options, deps),
      onFree: () => acknowledge(deps),
      objection: createObjection(prepared, options, deps),
      async submit() {
        const job = await createJob({ projectId, prompt, origin }, deps);
        return { jobId: job.jobId, job };
      },
    },
  );
}

function showRequest(projectId: string, prompt: string): AgentResult {
  const wouldSend = { request: `POST /v2/agent/${encodeURIComponent(projectId)}/job`, prompt };
  return { outcome: "skipped", reason: "dry-run", message: "Dry run: nothing was sent.", wouldSend };
}

function identify({ request }: PreparedRequest, { repository, projectId }: AgentOptions): string {
  const { family, subject, body } = request;
  return triggerKey({
    repositoryId: repository.id,
    family,
    subject,
    body,
    command: "agent",
    target: projectId,
  });
}

async function acknowledge({ github, log, signal }: AgentDeps): Promise<void> {
  try {
    await github.acknowledge();
  } catch (error) {
    signal.throwIfAborted();
    log.warning(messageOf(error));
  }
}

/**
 * Asked before the claim, and again after each wait for the platform's limit: in an hour, a permission may have been taken away.
 */
function createObjection(
  prepared: PreparedRequest,
  options: AgentOptions,
  deps: AgentDeps,
): () => Promise<Objection | undefined> {
  let hasWaited = false;
  return async () => {
    const gate = hasWaited ? await deps.github.checkGate() : ({ allowed: true } as const);
    hasWaited = true;
    if (gate.allowed) return objectTo(prepared, options, deps);
    return { reason: gate.code, message: `Not permitted any more: ${gate.reason}.` };
  };
}

/** Why a permitted request must not be sent all the same. */
async function objectTo(
  { request }: PreparedRequest,
  { maxOpenPullRequests }: AgentOptions,
  { github }: AgentDeps,
): Promise<Objection | undefined> {
  if (request.family !== "run" && request.origin !== "change") {
    const objection = objectToChangedText(await github.compareWithLiveText());
    if (objection) return objection;
  }
  if (maxOpenPullRequests === undefined) return undefined;
  const open = await github.countOpenOwn(maxOpenPullRequests);
  if (open < maxOpenPullRequests) return undefined;
  return {
    reason: "max-open-pull-requests",
    message: `${open} pull requests of the agent are open, and \`max-open-pull-requests\` allows no more.`,
  };
}

async function readOrigin(
  { event, projectId }: AgentOptions,
  { github }: AgentDeps,
): Promise<Origin | undefined> {
  if (event.type !== "written" || event.thread.kind !== "pull-request") return undefined;
  const origin = await github.readOrigin();
  return origin?.project === projectId ? origin : undefined;
}

async function concludeSubmission(
  submission: Submission<CreatedJob>,
  options: AgentOptions,
  deps: ClaimedDeps,
): Promise<AgentResult> {
  switch (submission.kind) {
    case "withdrawn":
      return { outcome: "skipped", ...submission.objection };
    case "other-run":
      return otherRun;
    case "lost":
      return concludeLost(submission, deps);
    case "found":
      if (submission.claim.record.state === "ended") return concludeRecorded(submission.claim, deps);
      if (options.isEmbedded) return concludeElsewhere(submission.claim, options, deps);
      deps.log.info(`Resuming job ${submission.claim.record.jobId}, which an earlier run started.`);
      return followClaimed({ claim: submission.claim, created: undefined }, options, deps);
    case "submitted":
      return followClaimed({ claim: submission.claim, created: submission.job }, options, deps);
  }
}
