/** What the agent command needs of GitHub, made of a connection. */

import { newestCommitBefore, readChanges } from "../../github/changes.ts";
import { createThreadComments } from "../../github/comments.ts";
import type { GitHubEvent } from "../../github/event.ts";
import {
  countOpenOwn,
  decoratePullRequest,
  findByReference,
  isFromOwnPullRequest,
  isOwn,
  type PullRequest,
  readOrigin,
  readPullRequest,
} from "../../github/pull-requests.ts";
import { createRecordSigner } from "../../github/record-signer.ts";
import { readThreadContext } from "../../github/thread-context.ts";
import { compareWithLiveText, reactWithEyes } from "../../github/trigger-text.ts";
import type { AgentDeps, AgentGitHub, AgentOptions } from "../agent/agent-interface.ts";
import { checkPeople, type GitHubConnection } from "../connect.ts";
import type { AgentInputs } from "../inputs.ts";
import type { Run } from "../run.ts";
import { introduceOrWarn } from "./introduce-or-warn.ts";
import { type ClaimPlace, openClaims } from "./open-claims.ts";
import { saveClaim } from "./saved-claim.ts";

interface AgentGitHubOptions {
  readonly inputs: AgentInputs;
  readonly options: AgentOptions;
  readonly connection: GitHubConnection;
  /** Commit that holds the record where no comment does. */
  readonly claimSha: string;
}

/**
 * Which commit holds the record of a request without a status comment: for a text, the one that was newest when it was
 * written, so that a second delivery finds the record although the branch has moved on.
 */
export async function readClaimSha(
  { statusComment }: Pick<AgentInputs, "statusComment">,
  { event, api, context: run }: GitHubConnection,
): Promise<string> {
  if (statusComment || event.type !== "written") return run.sha;
  return (await newestCommitBefore(event.text.createdAt, api)) ?? run.sha;
}

/** The embedded platform's key lives as long as its process; there, the account that wrote a record must do. */
export function signingKey(apiKey: string | undefined, repositoryId: string): string {
  return apiKey ?? `embedded platform of repository ${repositoryId}`;
}

export function createAgentGitHub(
  { inputs, options, connection, claimSha }: AgentGitHubOptions,
  context: Run,
): Pick<AgentDeps, "github" | "referenceOf" | "onRecord"> {
  const { event, api, shutdownApi, readIdentity, context: run } = connection;
  const signer = createRecordSigner(signingKey(inputs.apiKey, run.repository.id));
  const place = placeOf(event, { sha: claimSha, hasComment: inputs.statusComment });
  const ownership = async () => ({ api, signer, identity: await readIdentity() });
  const decorate = (pull: PullRequest) => {
    const { pullRequestLabels: labels, pullRequestReviewers: reviewers, pullRequestDraft: draft } = inputs;
    return decoratePullRequest(pull, { labels, reviewers, draft }, api, context.log);
  };
  const github: AgentGitHub = {
    checkGate: () => checkPeople(inputs, connection),
    readChanges: async () => (hasChanges(event) ? readChanges(event, api) : undefined),
    async readThread() {
      if (event.type !== "written") return undefined;
      return readThreadContext(event, await createThreadComments(event.thread, api).list());
    },
    isFromOwnPullRequest: async () => isOwnChange(event, await ownership()),
    async acknowledge() {
      if (event.type === "written") await reactWithEyes(event, api);
    },
    compareWithLiveText: async () =>
      event.type === "written" ? compareWithLiveText(event, api) : "unchanged",
    async openClaims(trigger) {
      const identity = await readIdentity();
      const open = (via: typeof api) =>
        openClaims({ place, trigger }, { api: via, identity, signer, now: context.clock.now });
      return { claims: open(api), lastWords: open(shutdownApi) };
    },
    countOpenOwn: async (limit) => countOpenOwn(limit, await ownership()),
    readOrigin: async () =>
      event.type === "written" && event.thread.kind === "pull-request"
        ? readOrigin(event.thread, await ownership())
        : undefined,
    findByReference: ({ wanted: reference, since }) => findByReference({ reference, since }, api),
    readPullRequest: (address) => readPullRequest(address, api),
    decoratePullRequest: decorate,
    async adoptPullRequest(pull, origin) {
      await decorate(pull);
      if (!inputs.statusComment) return;
      const source = event.type === "written" ? event.thread.url : undefined;
      const { triggerPhrase } = options;
      const { log, signal } = context;
      await introduceOrWarn({ pull, origin, source, triggerPhrase }, { ...(await ownership()), log, signal });
    },
  };
  return {
    github,
    referenceOf: signer.reference,
    onRecord: (claim) => saveClaim({ place, claim }, context.saveState),
  };
}

function placeOf(event: GitHubEvent, { sha, hasComment }: { sha: string; hasComment: boolean }): ClaimPlace {
  if (hasComment && (event.type === "written" || event.type === "pull-request")) {
    const since = event.type === "written" ? event.text.createdAt : event.thread.createdAt;
    const { kind, number, nodeId, triggerComment } = event.thread;
    return {
      kind: "thread",
      thread: { kind, number, nodeId, ...(triggerComment && { triggerComment }) },
      since,
    };
  }
  return { kind: "commit", sha };
}

type ChangeEvent = Parameters<typeof readChanges>[0];

function hasChanges(event: GitHubEvent): event is ChangeEvent {
  if (event.type === "written") return event.thread.kind === "pull-request";
  return event.type !== "other";
}

async function isOwnChange(event: GitHubEvent, deps: Parameters<typeof isOwn>[1]): Promise<boolean> {
  if (event.type === "pull-request") return isOwn({ ...event.thread, isFork: event.isFork }, deps);
  return event.type === "push" ? isFromOwnPullRequest(event, deps) : false;
}
