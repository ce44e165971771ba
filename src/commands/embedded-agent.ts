/** What the embedded platform is told about a request in process: the program, the repository, and the branch to work on. */
import { readPullRequest } from "../github/pull-requests.ts";
import type { AgentRun } from "./agent-run.ts";
import type { EmbeddedAgent } from "./connect-platform.ts";
import { rollingBranch } from "./rolling.ts";
import type { PreparedRequest } from "./submit-once.ts";

export function describeEmbeddedAgent(
  { base }: PreparedRequest,
  { inputs, github: { context } }: AgentRun,
): EmbeddedAgent | undefined {
  const { agentCommand: command, githubToken: token } = inputs;
  const { repository, serverUrl, apiUrl } = context;
  if (command === undefined || token === undefined) return undefined;
  const { owner, name } = repository;
  const github = { serverUrl: serverUrl.origin, apiUrl, owner, repository: name, token };
  return { command, github, request: { base } };
}

const branchRef = "refs/heads/";

const forkNote =
  "The pull request comes from a fork: the agent works on the default branch, which has none of its changes.";

/**
 * Finds the branch that the agent starts from and that its pull request targets: the pushed branch, the base of a merged pull request,
 * or the branch of an open one. Without a result, it is the default branch; the note says why, if that is not obvious.
 */
export async function findBase(agent: AgentRun): Promise<{ readonly base?: string; readonly note?: string }> {
  const { github, run } = agent;
  // A dispatched workflow runs on the branch that its user chose.
  const isOfBranch = github.event.type === "push" || github.context.eventName === "workflow_dispatch";
  const ref = rollingBranch(agent) ?? (isOfBranch ? run.environment["GITHUB_REF"] : undefined);
  if (ref?.startsWith(branchRef)) return { base: ref.slice(branchRef.length) };
  const pull = await readPullOf(github);
  if (pull === undefined || pull.state === "closed") return {};
  if (pull.state === "merged") return { base: pull.baseBranch };
  return pull.isFork ? { note: forkNote } : { base: pull.headBranch };
}

/** The pull request that a request is about; `undefined` if there is none, or the token cannot read it. */
async function readPullOf({ event, api }: AgentRun["github"]) {
  if (event.type === "pull-request") {
    const { base, head, isFork, merged } = event;
    return { isFork, baseBranch: base.ref, headBranch: head.ref, state: merged ? "merged" : "open" };
  }
  if (event.type !== "text" || event.thread.kind !== "pull-request") return undefined;
  const pull = await readPullRequest(event.thread.number, api);
  return pull === "hidden" ? undefined : pull;
}
