/** What the embedded platform is told about a request in process: program, repository, branch, and the texts of the pull request. */
import { firstLine } from "../github/changes.ts";
import type { GitHubEvent } from "../github/event.ts";
import { readPullRequest } from "../github/pull-requests.ts";
import { renderPullRequestBody } from "../presentation/status-comment.ts";
import type { AgentRun } from "./agent-job.ts";
import type { EmbeddedAgent } from "./connect-platform.ts";
import { isFixedInstruction } from "./request-from-event.ts";
import type { PreparedRequest } from "./submit-once.ts";

export function describeEmbeddedAgent(
  { base, instruction, draft, trigger }: PreparedRequest,
  { inputs, github }: AgentRun,
): EmbeddedAgent | undefined {
  const { context, event, signer } = github;
  const { agentCommand: command, githubToken: token } = inputs;
  const { repository, serverUrl, apiUrl } = context;
  if (command === undefined || token === undefined) return undefined;
  const { owner, name } = repository;
  const address = { serverUrl: serverUrl.origin, apiUrl, owner, repository: name, token };
  const isFixed = isFixedInstruction(instruction);
  const topic = isFixed ? topicOf(event) : firstLine(instruction);
  const request = {
    topic,
    quoted: isFixed ? undefined : { request: instruction, requester: draft.requester },
    page: pageOf(event, new URL(`/${owner}/${name}`, serverUrl).href) ?? context.runUrl,
    reference: signer.reference(trigger),
  };
  const describe = (jobId: string, output: string) => renderPullRequestBody(request, jobId, output);
  const title = topic.replace(conventionalType, "");
  return { command, github: address, request: { base, title, describe } };
}

/** The type of a conventional commit: our own titles begin with one. */
const conventionalType =
  /^(?:build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(?:\([^)]*\))?!?:\s+/i;

function topicOf(event: GitHubEvent): string {
  if (event.type === "release") return event.name || event.tag;
  if (event.type === "text" || event.type === "pull-request") return event.thread.title;
  if (event.type !== "push") return "";
  const titles = [event.head, ...event.commits].map(({ message }) => firstLine(message));
  const own = titles.findLast((title) => title !== "" && !title.startsWith("Merge "));
  return own ?? titles.at(-1) ?? "";
}

/** The page of a request: the text that makes it, or what changed. */
function pageOf(event: GitHubEvent, repositoryUrl: string): string | undefined {
  if (event.type === "text") return event.text.url;
  if (event.type === "pull-request") return event.thread.url;
  if (event.type === "release") return event.url;
  return event.type === "push" ? `${repositoryUrl}/commit/${event.head.id}` : undefined;
}

const branchRef = "refs/heads/";

const forkNote =
  "The pull request comes from a fork: the agent works on the default branch, which has none of its changes.";

/**
 * Finds the branch that the agent starts from and that its pull request targets: the pushed branch, the base of a merged pull request,
 * or the branch of an open one. Without a result, it is the default branch; the note says why, if that is not obvious.
 */
export async function findBase(agent: AgentRun): Promise<{ readonly base?: string; readonly note?: string }> {
  const { github, run, rollingBranch } = agent;
  // A dispatched workflow runs on the branch that its user chose.
  const isOfBranch = github.event.type === "push" || github.context.eventName === "workflow_dispatch";
  const ref = rollingBranch ?? (isOfBranch ? run.environment["GITHUB_REF"] : undefined);
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
