/** `agent` and `assistant` for the person at a command line: without an event, a thread, its permissions and its records. */
import { randomUUID } from "node:crypto";
import { InputError } from "../base/errors.ts";
import { anonymousFingerprint } from "../client/assistant-contract.ts";
import { codeBlock } from "../presentation/markdown.ts";
import { type AgentEnd, describe, setPullRequest, skipped } from "./agent-end.ts";
import { cannotContinue, createJob, followAgentJob, recordOf, resolveJobOutcome } from "./agent-job.ts";
import { askAssistant } from "./ask-assistant.ts";
import { describeEnd, linkPolicyOf, readModel } from "./assistant.ts";
import { composeQuestion, readContextItems } from "./assistant-question.ts";
import { connectPlatform, embeddedDomain, embeddedProject } from "./connect-platform.ts";
import type { AgentInputs, AssistantInputs } from "./inputs.ts";
import { readGivenPrompt } from "./inside-workspace.ts";
import type { CommandEnd, Run } from "./run.ts";

/**
 * Asks the assistant one question.
 *
 * @throws {InputError} without a question.
 * @throws {PlatformError} when the platform gives no answer.
 */
export async function askDirectly(inputs: AssistantInputs, run: Run): Promise<CommandEnd<"assistant">> {
  const { threadId, baseUrl, domain = embeddedDomain } = inputs;
  const request = await readGivenPrompt(inputs, run);
  if (request === undefined) throw new InputError(["`prompt` is missing: the question."]);
  const context = await readContextItems(inputs.contextItems);
  const asked = { domain, id: `ask-${randomUUID()}`, text: request, fp: anonymousFingerprint, context };
  const compose = (continued: string | undefined) => composeQuestion(inputs, asked, continued);
  if (inputs.dryRun) {
    const summary = `${codeBlock(JSON.stringify(compose(threadId).request, null, 2))}\n`;
    return { outcome: "skipped", skipReason: "dry-run", message: "Dry run: nothing was sent.", summary };
  }
  await using connection = await connectPlatform(inputs, run, {
    domain,
    assistant: baseUrl === "local" ? { model: await readModel(run) } : undefined,
  });
  const question = { compose, threadId, isThreadGiven: true };
  const answer = await askAssistant(question, connection.platform, undefined, run);
  const shown = { request, links: linkPolicyOf(domain, undefined), triggerPhrase: undefined };
  return describeEnd(answer, shown, undefined, undefined, run);
}

/**
 * Starts an agent job, continues the one that `job-id` names, or without a prompt follows it. Its pull request is shown as
 * the platform reports it, if it is one of the repository that the job works on.
 *
 * @throws {InputError} with neither a prompt nor a job.
 * @throws {InterruptedError} when cancelled or out of time; the job goes on.
 */
export async function runAgentDirectly(inputs: AgentInputs, run: Run): Promise<AgentEnd> {
  const { projectId = embeddedProject, jobId: given, docsRepository, agentCommand: command } = inputs;
  const prompt = await readGivenPrompt(inputs, run);
  if (prompt === undefined && given === undefined)
    throw new InputError(["`prompt` is missing: what the agent shall do."]);
  if (inputs.dryRun) return skipped({ reason: "dry-run", message: "Dry run: nothing was sent." });

  await using connection = await connectPlatform(inputs, run, { agent: command ? { command } : undefined });
  const { platform } = connection;
  const claimedAt = new Date(run.clock.now()).toISOString();
  const asked = { projectId, earlierJobId: given, mustContinue: given !== undefined };
  const created = prompt === undefined ? undefined : await createJob(platform, { ...asked, prompt }, run.log);
  if (created === "busy") throw cannotContinue(given ?? "", "it is still at work");
  const jobId = created?.jobId ?? given ?? "";
  run.setOutput("jobId", jobId);
  const status = { command: "agent", target: projectId, request: prompt, jobId, claimedAt } as const;
  if (!inputs.wait)
    return describe("detached", { record: { ...status, state: "working", outcome: "detached" } });

  const job = await followAgentJob(platform, { projectId, jobId }, created ?? run.clock.now(), run);
  const serverUrl = new URL(run.environment["GITHUB_SERVER_URL"] || "https://github.com");
  const end = await resolveJobOutcome(jobId, job, {
    docsRepository,
    serverUrl,
    platformOrigin: platform.origin,
  });
  if (end.pullRequest) setPullRequest(end.pullRequest, run);
  const record = { ...status, ...recordOf(end, run.clock.now()), state: "ended" } as const;
  return describe(end.outcome, { record }, end.error);
}
