/** A command's connection to GitHub. */
import type { ListedComments, OwnershipDeps } from "../github/claims.ts";
import { GitHubError, undefinedIfGone } from "../github/errors.ts";
import { type Identity, readEvent, readRunContext } from "../github/event.ts";
import { readIdentity, readPermission } from "../github/gate.ts";
import { GitHubApi } from "../github/github-api.ts";
import { createRecordSigner } from "../github/record-signer.ts";
import type { ReviewThreads } from "../github/review-threads.ts";
import type { AgentInputs } from "./inputs.ts";
import type { Run } from "./run.ts";

/** A listing may omit comments that were written this long before it. */
const listingLagMs = 10_000;
/** Pause before a thread that GitHub did not find is listed again. */
const findAgainMs = 2_000;

/** A cancelled run has only seconds left. */
const shutdownLimits = { timeoutMs: 2500, attempts: 2 };

/** The run of a command; that of a post step has no deadline. */
type ConnectingRun = Pick<Run, "environment" | "log" | "signal" | "redact" | "clock"> & Partial<Run>;

type ThreadTexts = ListedComments & { readonly reviews: ReviewThreads | undefined };

export type GitHubConnection = ReturnType<typeof connectGitHub>;

/** The commands that keep records. */
export type RecordingCommand = "agent" | "assistant";

/** The key that signs the records of a command in a repository. */
export function signingKeyOf(
  command: RecordingCommand,
  apiKey: string | undefined,
  repositoryId: string,
): string {
  // The assistant key is public, so a signature with it would prove nothing: only the comment's author proves where a record is from. A
  // signature with a fixed string detects damaged records, and stays valid when the key is replaced.
  if (command === "assistant") return `assistant of repository ${repositoryId}`;
  // The embedded platform creates a new key for each run, so the same is true without an `api-key`.
  return apiKey ?? `embedded platform of repository ${repositoryId}`;
}

/**
 * Connects to GitHub; sends no request yet.
 *
 * @throws {GitHubError} without a token, because no permission could be checked.
 */
export function connectGitHub(
  command: RecordingCommand,
  { githubToken: token, apiKey }: Pick<AgentInputs, "githubToken" | "apiKey">,
  { environment, log, signal, redact, clock, random = Math.random, deadlineMs }: ConnectingRun,
) {
  const context = readRunContext(environment);
  const event = readEvent(context.eventName, context.payload);
  if (token === undefined) {
    const permissions =
      "thread" in event ? " The job's `permissions:` need `issues: write` and `pull-requests: write`." : "";
    const hint = `Leave the input out: the default is the workflow's token.${permissions}`;
    const message = "There is no `github-token`, so no permission can be checked.";
    throw new GitHubError("missing-permission", message, { hint });
  }
  const options = { apiUrl: context.apiUrl, repository: context.repository, token };
  const deps = { log, signal, random, clock, redact };
  const api = new GitHubApi({ ...options, deadlineMs }, deps);
  const neverAborted = new AbortController().signal;
  const shutdownApi = new GitHubApi({ ...options, ...shutdownLimits }, { ...deps, signal: neverAborted });
  const signer = createRecordSigner(signingKeyOf(command, apiKey, context.repository.id), redact);
  let identity: Promise<Identity> | undefined;
  let listed: Promise<ThreadTexts> | undefined;
  const listComments = async (): Promise<ThreadTexts> => {
    const none = { comments: [], reviews: undefined, at: undefined };
    if (!("thread" in event)) return none;
    const { listThread } = await import(/* webpackChunkName: "permitted" */ "../github/review-threads.ts");
    // Comments that are written during the requests may be missing.
    const at = new Date(api.serverNow() - listingLagMs).toISOString();
    const list = () => undefinedIfGone(listThread(event.thread, api));
    // GitHub may not find a thread for a moment. A deleted one has no texts; that of the request is then missing, too.
    const texts = (await list()) ?? (await clock.sleep(findAgainMs, signal).then(list));
    return texts ? { ...texts, at } : none;
  };
  const readAccount = () => (identity ??= readIdentity(api));
  return {
    context,
    event,
    api,
    /** The API client for the last writes of a cancelled run: not cancelled with it, and with short timeouts. */
    shutdownApi,
    signer,
    readPermission: (login: string) => readPermission(login, api),
    readIdentity: readAccount,
    /** What identifies the command's own comments, statuses and pull requests; only for permitted requests. */
    readOwnership: async (): Promise<OwnershipDeps> => ({ api, signer, identity: await readAccount() }),
    /** The comments of the event's thread; listed once. Empty if the event has no thread. */
    listComments: () => (listed ??= listComments()),
  };
}
