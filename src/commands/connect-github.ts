/** The connection of a command to GitHub, and what is checked over it before a request is carried out. */
import { systemClock } from "../base/runtime.ts";
import { messageOf } from "../base/text.ts";
import { userAgent } from "../base/version.ts";
import type { StoredClaim } from "../github/claim-store.ts";
import type { ListedComments } from "../github/comment-claims.ts";
import { createThreadComments, sortByTime } from "../github/comments.ts";
import { GitHubError } from "../github/errors.ts";
import { type Account, readEvent, readRunContext, type Thread } from "../github/event.ts";
import { checkGate, type GatePolicy, readPermission } from "../github/gate.ts";
import { GitHubApi } from "../github/github-api.ts";
import { hourMs, limitOutcome, type RecentUses } from "../github/recent-uses.ts";
import { type ReviewThreads, readReviewThreads } from "../github/review-threads.ts";
import { readIdentity } from "../github/token.ts";
import { compareWithLiveText, type Reaction, reactTo } from "../github/trigger-text.ts";
import { renderEditedHint } from "../presentation/help-comment.ts";
import { formatCount, formatTime } from "../presentation/markdown.ts";
import type { Run } from "./run.ts";

/** A listing may lack what was written in the seconds before it. */
const listingLagMs = 10_000;

/** Requests of a cancelled run have to be done within seconds. */
const shutdownLimits = { timeoutMs: 2500, attempts: 2 };

export type GitHubConnection = Awaited<ReturnType<typeof connectGitHub>>;

/**
 * Connects to GitHub; sends no request yet.
 *
 * @throws {GitHubError} without a token: no permission could be checked.
 */
export async function connectGitHub(
  { githubToken: token }: { readonly githubToken?: string | undefined },
  {
    environment,
    log,
    signal,
    redact,
    random = Math.random,
    clock = systemClock,
    deadlineMs,
  }: Pick<Run, "environment" | "log" | "signal" | "redact"> & Partial<Run>,
) {
  const context = readRunContext(environment);
  if (token === undefined) {
    const hint =
      "Leave the input out (the default is the workflow's token), and give the job `permissions:` with `issues: write` and `pull-requests: write`.";
    const message = "There is no `github-token`, so no permission can be checked.";
    throw new GitHubError("missing-permission", message, { hint });
  }
  const options = { apiUrl: context.apiUrl, repository: context.repository, token, userAgent };
  const deps = { log, signal, random, clock, redact };
  const api = new GitHubApi({ ...options, deadlineMs }, deps);
  const neverAborted = new AbortController().signal;
  const shutdownApi = new GitHubApi({ ...options, ...shutdownLimits }, { ...deps, signal: neverAborted });
  const event = readEvent(context.eventName, context.payload);
  let identity: Promise<Account> | undefined;
  let listed: Promise<ThreadTexts> | undefined;
  const listComments = async (thread: Thread): Promise<ThreadTexts> => {
    const texts =
      thread.kind === "pull-request"
        ? await listWithReviews(thread, api)
        : { comments: await createThreadComments(thread, api).list(), reviews: undefined };
    // What was written while GitHub answered may be missing.
    return { ...texts, at: new Date(api.serverNow() - listingLagMs).toISOString() };
  };
  return {
    context,
    event,
    api,
    /** The same API for what a cancelled run still writes: not cancelled with the run, and quick to give up. */
    shutdownApi,
    /** Text without the run's secrets; the APIs send no other. */
    redact,
    /** The account behind the token; asked for once. */
    readIdentity() {
      identity ??= readIdentity(api);
      return identity;
    },
    /** The comments of the event's thread; listed once. Empty where the event has no thread. */
    listComments() {
      const thread = "thread" in event ? event.thread : undefined;
      listed ??= thread
        ? listComments(thread)
        : Promise.resolve({ comments: [], reviews: undefined, at: new Date(0).toISOString() });
      return listed;
    },
  };
}

/** A thread's comments and, on a pull request, its reviews. */
interface ThreadTexts extends ListedComments {
  readonly reviews: ReviewThreads | undefined;
}

/** The comments of a pull request: those of its conversation, and those on its diff from the one request that reads all reviews. */
async function listWithReviews(thread: Thread, api: GitHubApi) {
  const threadComments = createThreadComments(thread, api);
  const [conversation, reviews] = await Promise.all([
    threadComments.list({ withoutDiff: true }),
    readReviewThreads(thread.number, api),
  ]);
  const isWhole = reviews.unread === 0 && reviews.threads.every(({ unread }) => unread === 0);
  if (!isWhole) return { comments: await threadComments.list(), reviews };
  const onDiff = reviews.threads.flatMap(({ comments }) => comments);
  return { comments: sortByTime([...conversation, ...onDiff]), reviews };
}

/** Why a request is not carried out; `reason` is the output `skip-reason`. */
export interface Refusal {
  readonly reason: string;
  readonly message: string;
  /** Page that says more. */
  readonly page?: string | undefined;
  /** One line of Markdown for the person who asked, where there is something to do. */
  readonly hint?: string;
  /** What the run wrote down that carries it out instead. */
  readonly claim?: StoredClaim;
}

/** The people behind a connection's event must be permitted to use the action. */
export async function refusePeople(
  policy: GatePolicy,
  { context, event, api, readIdentity }: GitHubConnection,
  problem = "Not permitted",
): Promise<Refusal | undefined> {
  const readPermissionOf = (login: string) => readPermission(login, api);
  const gate = await checkGate(event, context, policy, { readPermission: readPermissionOf, readIdentity });
  return gate.allowed ? undefined : { reason: gate.code, message: `${problem}: ${gate.reason}.` };
}

/** The text that asked must still be the one that the event carried. */
export async function refuseChangedText({ event, api }: GitHubConnection): Promise<Refusal | undefined> {
  const state = event.type === "written" ? await compareWithLiveText(event, api) : "unchanged";
  if (state === "unchanged") return undefined;
  const hint = state === "edited" ? { hint: renderEditedHint() } : {};
  const message = `The text that asked was ${state} after the event; ask again.`;
  return { reason: `text-${state}`, message, ...hint };
}

/**
 * What a person's limit of requests in an hour holds back; `outcome` is that of its `released` record. Where `isTold`, a
 * comment says so already, and a reaction is enough.
 */
export function refuseOverLimit(
  { byUser, isTold }: RecentUses,
  limit: number | undefined,
): (Refusal & { readonly outcome: string; readonly isTold: boolean }) | undefined {
  if (limit === undefined || byUser.length < limit) return undefined;
  // People read minutes; the next one is not too early.
  const until = new Date(Math.ceil(((byUser.at(-limit) ?? 0) + hourMs) / 60_000) * 60_000);
  const message = `The limit of ${formatCount(limit, "request")} an hour for one person is used up; ask again at ${formatTime(until)}.`;
  return { reason: limitOutcome, message, outcome: `${limitOutcome} until ${until.toISOString()}`, isTold };
}

/** Shows at the text that asked how far its request is; a failure is only worth a warning. */
export async function react(
  { event, api }: GitHubConnection,
  { log, signal }: Pick<Run, "log" | "signal">,
  content: Reaction,
): Promise<void> {
  if (event.type !== "written" || signal.aborted) return;
  try {
    await reactTo(event, content, api);
  } catch (error) {
    if (!signal.aborted) log.warning(messageOf(error));
  }
}

/** Where the records of a request are kept that was made on a thread; nothing about it is older than its text. */
export function findThread({ event }: Pick<GitHubConnection, "event">) {
  if (event.type !== "written" && event.type !== "pull-request") return undefined;
  const since = event.type === "written" ? event.text.createdAt : event.thread.createdAt;
  return { kind: "thread", thread: event.thread, since } as const;
}
