/** The agent's pull requests: whether a reported one is genuine, which ones are ours, and what a workflow wants done with them. */
import { z } from "zod";
import { createThreadComments } from "../comments/thread-comments.ts";
import { statusOfCause } from "../errors.ts";
import type { Account } from "../event/event.ts";
import type { GitHubApi } from "../github-api.ts";
import { isSameAccount } from "../people/identity.ts";
import { type RecordSigner, readMarker, threadKey, writeMarker } from "../record-signer.ts";

/** A pull request as far as the action needs it. */
export interface PullRequest {
  readonly number: number;
  readonly nodeId: string;
  readonly url: string;
  readonly title: string;
  readonly isDraft: boolean;
  readonly isOpen: boolean;
}

/** The job behind a pull request of ours, in the marker of the comment that introduces it. */
export const Origin = z.object({ project: z.string(), jobId: z.string(), source: z.string().optional() });
export type Origin = z.infer<typeof Origin>;

/** What reading pull requests is for, and needs. */
export const pullsPurpose = { doing: "read pull requests", permission: "pull-requests: read" };
/** What a prompt asks the agent to write; a text that only mentions or quotes the word is somebody else's. */
const referenceLine = /^(?!\s*>).*\breference[*_]*:[\s*_`]*docs-automation-[0-9a-f]{24}\b/im;

/**
 * A pull request of this or another repository; `undefined` where this repository has none with that number, `hidden`
 * where the token cannot see it.
 */
export async function readPullRequest(
  { owner, name, number }: { readonly owner: string; readonly name: string; readonly number: number },
  api: GitHubApi,
): Promise<PullRequest | "hidden" | undefined> {
  const isHome =
    `${owner}/${name}`.toLowerCase() === `${api.repository.owner}/${api.repository.name}`.toLowerCase();
  try {
    const { data } = await api.call(pullsPurpose, (octokit) =>
      octokit.rest.pulls.get({ owner, repo: name, pull_number: number }),
    );
    return toPullRequest(data);
  } catch (error) {
    const status = statusOfCause(error);
    if (status === 403 || (!isHome && status === 404)) return "hidden";
    if (status === 404) return undefined;
    throw error;
  }
}

export interface OwnershipDeps {
  readonly api: GitHubApi;
  readonly identity: Account;
  readonly signer: RecordSigner;
}

/** The job behind one of our pull requests: told by our own, signed comment on it. */
export async function readOrigin(
  pull: { readonly number: number; readonly nodeId?: string },
  deps: OwnershipDeps,
): Promise<Origin | undefined> {
  return (await listOrigins(pull, deps))[0]?.origin;
}

/** Our comments on a pull request that say which job made it, oldest first. */
async function listOrigins(
  { number, nodeId = "" }: { readonly number: number; readonly nodeId?: string },
  { api, identity, signer }: OwnershipDeps,
) {
  const thread = { kind: "pull-request", number, nodeId } as const;
  const comments = await createThreadComments(thread, api).list();
  return comments.flatMap(({ author, body, id }) => {
    if (!isSameAccount(author, identity.login)) return [];
    const location = { repositoryId: api.repository.id, thread: threadKey(thread), comment: id };
    const marker = readMarker(body, { kind: "origin", schema: Origin }, location, signer);
    return marker.kind === "valid" ? [{ id, origin: marker.value }] : [];
  });
}

/** Says on a pull request which job made it; once, also where two runs do it at the same time. */
export async function introducePullRequest(
  { number, text, origin }: { number: number; text: string; origin: Origin },
  deps: OwnershipDeps,
): Promise<void> {
  if (await readOrigin({ number }, deps)) return;
  const { api, signer } = deps;
  const thread = { kind: "pull-request", number, nodeId: "" } as const;
  const location = { repositoryId: api.repository.id, thread: threadKey(thread), comment: "new" } as const;
  const comments = createThreadComments(thread, api);
  const created = await comments.create(`${text}\n\n${writeMarker("origin", origin, location, signer)}`);
  const [first] = await listOrigins({ number }, deps);
  if (first && first.id < created.id) await comments.remove(created);
}

/** How many of our pull requests are open; stops counting at `limit`. */
export async function countOpenOwn(limit: number, deps: OwnershipDeps): Promise<number> {
  const pulls = await deps.api.call(pullsPurpose, (octokit, target) =>
    octokit.paginate(octokit.rest.pulls.list, { ...target, state: "open", per_page: 100 }),
  );
  let count = 0;
  for (const pull of pulls) {
    if (count >= limit) break;
    if (await isOwn(toCandidate(pull), deps)) count += 1;
  }
  return count;
}

interface Candidate {
  readonly number: number;
  readonly body: string;
  /** Whether its branch is in another repository, where anybody may write what they like. */
  readonly isFork: boolean;
}

/** Whether a pull request is ours: by our comment on it, or by the reference in it if it is not from a fork. */
export async function isOwn({ number, body, isFork }: Candidate, deps: OwnershipDeps): Promise<boolean> {
  return (!isFork && referenceLine.test(body)) || (await readOrigin({ number }, deps)) !== undefined;
}

interface RestCandidate {
  readonly number: number;
  readonly body: string | null;
  readonly head: { readonly repo: { readonly id: number } | null };
  readonly base: { readonly repo: { readonly id: number } };
}

/** A pull request of the REST API as far as it tells whose it is. */
export function toCandidate({ number, body, ...sides }: RestCandidate): Candidate {
  return { number, body: body ?? "", isFork: isFork(sides) };
}

/** Whether a pull request's branch is in another repository than its base. */
export function isFork({ head, base }: Pick<RestCandidate, "head" | "base">): boolean {
  return head.repo?.id !== base.repo.id;
}

interface RestPullRequest {
  readonly number: number;
  readonly node_id: string;
  readonly html_url: string;
  readonly title: string;
  readonly draft?: boolean;
  readonly state: string;
}

/** A pull request of the REST API in our terms. */
export function toPullRequest({
  number,
  node_id,
  html_url,
  title,
  draft,
  state,
}: RestPullRequest): PullRequest {
  return { number, nodeId: node_id, url: html_url, title, isDraft: draft ?? false, isOpen: state === "open" };
}
