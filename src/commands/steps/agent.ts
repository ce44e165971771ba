/** Composes `command: agent`: inputs, event and clients in, outputs and summary out. */
import { randomBytes } from "node:crypto";
import { InputError } from "../../base/errors.ts";
import { isLoopback } from "../../base/network.ts";
import { defaultPhrases } from "../../github/may-trigger.ts";
import { renderAgentDryRun, renderAgentSummary } from "../../presentation/status-comment.ts";
import { renderSkipped } from "../../presentation/summaries.ts";
import type { AgentDeps, AgentOptions, AgentResult } from "../agent/agent-interface.ts";
import { runAgent } from "../agent.ts";
import {
  connectGitHub,
  connectPlatform,
  type GitHubConnection,
  type PlatformConnection,
  readGivenPrompt,
} from "../connect.ts";
import { createAgentGitHub, readClaimSha } from "../connections/agent-github.ts";
import type { AgentInputs } from "../inputs.ts";
import type { CommandEnd, Run } from "../run.ts";

/** The embedded platform has one project. */
const embeddedProject = "local";

export async function runAgentStep(inputs: AgentInputs, context: Run): Promise<CommandEnd<"agent">> {
  const prompt = await readGivenPrompt(inputs, context);
  const connection = await connectGitHub(inputs, context);
  await using platform = await connectPlatform(inputs, context, { agent: readAgent(inputs, connection) });
  const options = readOptions({ inputs, prompt, connection, platform }, context);
  const claimSha = await readClaimSha(inputs, connection);
  const deps = createDeps({ inputs, options, connection, claimSha, platform }, context);
  const result = await runAgent(options, deps);
  return describeEnd(result, context);
}

/** The program that the embedded platform runs as its agent. */
function readAgent(
  { agentCommand: command, githubToken: token }: AgentInputs,
  { context: run }: GitHubConnection,
) {
  if (command === undefined || token === undefined) return undefined;
  const { owner, name: repository } = run.repository;
  return {
    command,
    github: { serverUrl: run.serverUrl.origin, apiUrl: run.apiUrl, owner, repository, token },
  };
}

interface Wiring {
  readonly inputs: AgentInputs;
  readonly connection: GitHubConnection;
  readonly platform: PlatformConnection;
}

function readOptions(
  { inputs, prompt, connection, platform }: Wiring & { readonly prompt: string | undefined },
  { deadlineMs }: Run,
): AgentOptions {
  const { context: run, event } = connection;
  const { origin } = platform.platform;
  const projectId = inputs.projectId ?? (inputs.baseUrl === "local" ? embeddedProject : undefined);
  if (projectId === undefined) throw new InputError(["`project-id` is missing."]);
  return {
    event,
    prompt,
    projectId,
    triggerPhrase: inputs.triggerPhrase ?? defaultPhrases.agent,
    runId: run.runId,
    owner: { runId: run.runId, runAttempt: run.runAttempt, word: randomBytes(6).toString("hex") },
    runUrl: run.runUrl,
    repository: run.repository,
    serverUrl: run.serverUrl,
    isEmbedded: inputs.baseUrl === "local",
    localOrigin: isLoopback(new URL(origin)) ? origin : undefined,
    context: inputs.context,
    paths: inputs.paths,
    pathsIgnore: inputs.pathsIgnore,
    jobId: inputs.jobId,
    wait: inputs.wait,
    dryRun: inputs.dryRun,
    onAmbiguous: inputs.onAmbiguous,
    maxOpenPullRequests: inputs.maxOpenPullRequests,
    deadlineMs,
  };
}

function createDeps(
  {
    inputs,
    options,
    connection,
    claimSha,
    platform,
  }: Wiring & { readonly options: AgentOptions; readonly claimSha: string },
  context: Run,
): AgentDeps {
  const { clock, random, log, signal, setOutput } = context;
  const { github, referenceOf, onRecord } = createAgentGitHub(
    { inputs, options, connection, claimSha },
    context,
  );
  return {
    platform: platform.platform,
    github,
    referenceOf,
    onRecord,
    observer: {
      jobKnown: (jobId) => setOutput("jobId", jobId),
      statusSeen: (status) => status !== undefined && setOutput("status", status),
      pullRequestKnown({ url, number }) {
        setOutput("pullRequestUrl", url);
        if (number !== undefined) setOutput("pullRequestNumber", String(number));
      },
    },
    clock,
    random,
    log,
    signal,
  };
}

const messages: Readonly<Record<Exclude<AgentResult["outcome"], "skipped">, string>> = {
  "pull-request": "The agent opened a pull request.",
  "no-pull-request": "The agent completed the job; there is no pull request.",
  failed: "The agent failed.",
  archived: "The job was archived before it was completed.",
  unknown: "It is unknown whether the request was taken; it is not sent again.",
  detached: "The job is started; nobody waits for it here.",
};

function describeEnd(result: AgentResult, { clock }: Run): CommandEnd<"agent"> {
  if (result.outcome === "skipped") {
    const { message, reason, wouldSend } = result;
    const summary = wouldSend
      ? renderAgentDryRun(wouldSend.request, wouldSend.prompt)
      : renderSkipped("agent", message);
    return { outcome: "skipped", message, summary, skipReason: reason };
  }
  const { outcome, status, statusUrl, error } = result;
  return {
    outcome,
    message: messages[outcome],
    summary: renderAgentSummary(status, clock.now(), statusUrl),
    ...(error === undefined ? {} : { error }),
  };
}
