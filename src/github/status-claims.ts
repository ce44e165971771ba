/** Stores claim records in commit statuses, for events without a thread. A status is short, so it contains only a part of the record. */
import * as z from "zod/mini";
import { ClaimRecord, covered, isOver, skippedByPaths, successfulOutcomes } from "../base/claim-record.ts";
import { isJsonObject, shorten } from "../base/text.ts";
import type { ClaimStore, OwnershipDeps, StoredClaim } from "./claims.ts";
import { RestAccount } from "./comments.ts";
import { GitHubError, GraphqlFailure, missingPermission } from "./errors.ts";
import { isSameAccount } from "./event.ts";
import { eachPage, type GitHubApi } from "./github-api.ts";
import { Actor, pageSchema } from "./graphql-schemas.ts";
import { signedForm } from "./record-signer.ts";

/** GitHub's limit for a status's description. */
const maxDescriptionLength = 140;

/**
 * Creates the store of claims in a commit's statuses.
 *
 * @param describe writes the description of a status, which is shortened to GitHub's limit
 */
export function createStatusClaimStore(
  { sha }: { readonly sha: string },
  deps: OwnershipDeps & { readonly describe: (record: ClaimRecord) => string },
): ClaimStore {
  const { api, signer, describe } = deps;
  const commit = `commit ${sha.slice(0, 7)}`;

  const write = async (record: ClaimRecord): Promise<StoredClaim> => {
    // The status's name in the commit's list of checks.
    const context = `docs-automation/${record.command} (${record.trigger.slice(0, 12)})`;
    const packed = Object.fromEntries(fields.map(([name, short]) => [short, record[name]]));
    const fragment = `docs-automation:v1.${signer.sign(packed, describeLocation(sha, context, api))}`;
    const purpose = { doing: `set a status on ${commit}`, permission: "statuses: write" };
    const status = {
      sha,
      context,
      state: stateOfRecord(record),
      description: shorten(describe(record), maxDescriptionLength),
      target_url: `${record.runUrl ?? ""}#${fragment}`,
    };
    const route = "POST /repos/{owner}/{repo}/statuses/{sha}";
    const { id, created_at: createdAt } = await api.request(purpose, route, status, ListedStatus);
    return { id, createdAt, record, url: record.runUrl, ageMs: 0 };
  };

  /** Statuses cannot be changed, only added: the newest one of each owner counts, with ID and time of the owner's first one. */
  const list = async () => {
    // A status is written after the statuses are read, so the hint names the permission for both.
    const purpose = { doing: `read the statuses of ${commit}`, permission: "statuses: write" };
    const route = "GET /repos/{owner}/{repo}/commits/{ref}/statuses";
    const statuses = await api.list(purpose, route, { ref: sha }, ListedStatus);
    const claims = new Map<string, StoredClaim>();
    for (const { id, target_url, created_at, ...status } of statuses.toSorted((a, b) => a.id - b.id)) {
      const claim = readStatus(sha, { ...status, targetUrl: target_url, createdAt: created_at }, deps);
      if (!claim) continue;
      const key = `${claim.record.trigger} ${claim.record.owner}`;
      const first = claims.get(key) ?? { id, createdAt: created_at };
      claims.set(key, { ...claim, id: first.id, createdAt: first.createdAt });
    }
    return [...claims.values()];
  };

  return {
    list,
    reread: async ({ record: { trigger, owner } }) =>
      (await list()).find(({ record }) => record.trigger === trigger && record.owner === owner),
    create: write,
    async update({ id, createdAt }, record) {
      return { ...(await write(record)), id, createdAt };
    },
    // A status cannot be deleted; a released record has no effect.
    async remove({ record }) {
      await write({ ...record, state: "released" });
    },
  };
}

const goodOutcomes: readonly string[] = [...successfulOutcomes, covered, skippedByPaths];

const ListedStatus = z.object({
  id: z.number(),
  context: z.string(),
  creator: RestAccount,
  target_url: z.nullish(z.string()),
  created_at: z.string(),
});

const ShownStatus = z.object({
  context: z.string(),
  creator: Actor,
  targetUrl: z.nullish(z.string()),
  createdAt: z.string(),
});
type ShownStatus = z.output<typeof ShownStatus>;

/** The record in a status, if the status is ours and the record is genuine. Its `id` is 0: only REST has one. */
function readStatus(
  sha: string,
  { context, creator, targetUrl, createdAt }: ShownStatus,
  { api, identity, signer }: OwnershipDeps,
): StoredClaim | undefined {
  if (!isSameAccount(creator, identity.login)) return undefined;
  const [, runUrl = "", signed = ""] = recordUrl.exec(targetUrl ?? "") ?? [];
  const reading = signer.read(signed, PackedRecord, [describeLocation(sha, context, api)]);
  if (reading.kind === "forged") return undefined;
  const record = { ...reading.value, runUrl };
  const ageMs = Math.max(0, api.serverNow() - Date.parse(createdAt));
  return { id: 0, record, url: runUrl, ageMs, isUnverifiable: reading.kind === "other-key" };
}

function describeLocation(sha: string, context: string, { repository }: GitHubApi): string {
  return `v1 status repository:${repository.id} commit:${sha} context:${context}`;
}

/** A commit in GraphQL's responses. */
export const CommitWithStatus = z.object({
  oid: z.string(),
  messageHeadline: z.string(),
  url: z.string(),
  committedDate: z.string(),
  status: z.nullable(z.object({ contexts: z.array(ShownStatus) })),
});
/** The fields of {@link CommitWithStatus}, as a selection. */
export const commitFields = `oid messageHeadline url committedDate
  status { contexts { context targetUrl createdAt creator { __typename login } } }`;

/** A commit with the newest record of each trigger from its statuses; `title` is the first line of its message. */
export type BranchCommit = Readonly<ReturnType<typeof readCommit>>;

/** Reads the records in a commit's statuses. */
export function readCommit(
  { oid: sha, messageHeadline: title, url, status }: z.output<typeof CommitWithStatus>,
  deps: OwnershipDeps,
) {
  const claims = (status?.contexts ?? []).map((shown) => readStatus(sha, shown, deps));
  return { sha, title, url, claims: claims.filter((claim) => claim !== undefined) };
}

const Commit = z.object({ history: pageSchema(CommitWithStatus) });
const History = z.object({ repository: z.object({ object: z.nullable(Commit) }) });

/**
 * The pages of a branch's commits, newest first; none if the branch was deleted.
 *
 * @param branch `refs/heads/…`, `HEAD` for the default branch, or a commit
 * @param until leaves out commits of a later time (ISO 8601)
 */
export function readHistory(branch: string, api: GitHubApi, until?: string) {
  const query = `query ($owner: String!, $name: String!, $branch: String!, $until: GitTimestamp, $cursor: String, $size: Int!) {
    repository(owner: $owner, name: $name) { object(expression: $branch) { ... on Commit {
      history(first: $size, after: $cursor, until: $until) { pageInfo { hasNextPage endCursor } nodes { ${commitFields} } } } } } }`;
  return eachPage(async (cursor, size) => {
    const { repository } = await queryCommits(query, { branch, until, cursor, size }, History, api);
    return repository.object?.history;
  });
}

const maxCommits = 100;

/** The newest 100 commits of a branch with their records; see `readHistory`. */
export async function readBranch(
  branch: string,
  deps: OwnershipDeps,
  until?: string,
): Promise<readonly BranchCommit[]> {
  const commits: BranchCommit[] = [];
  for await (const { nodes } of readHistory(branch, deps.api, until)) {
    commits.push(...nodes.map((commit) => readCommit(commit, deps)));
    if (commits.length >= maxCommits) break;
  }
  return commits;
}

/**
 * Sends a query of the repository's commits with their statuses.
 *
 * @throws {GitHubError} that names the missing permission: for commits or for statuses.
 */
export async function queryCommits<Schema extends z.ZodMiniType>(
  query: string,
  variables: Readonly<Record<string, unknown>>,
  schema: Schema,
  api: GitHubApi,
): Promise<z.output<Schema>> {
  const purpose = { doing: "search the repository's commits", permission: "contents: read" };
  const { owner, name } = api.repository;
  try {
    return await api.graphql(purpose, query, { owner, name, ...variables }, schema);
  } catch (error) {
    const isRefused = error instanceof GitHubError && error.code === "missing-permission";
    const failure = isRefused && error.cause instanceof GraphqlFailure ? error.cause : undefined;
    // One query reads commits and their statuses. The error's path shows which of them GitHub refused.
    if (!failure?.errors.some(({ path }) => path.includes("status"))) throw error;
    throw missingPermission("statuses: write", { doing: "read commit statuses", cause: failure });
  }
}

function stateOfRecord(record: ClaimRecord): "pending" | "success" | "failure" | "error" {
  if (isOver(record)) return goodOutcomes.includes(record.outcome ?? "") ? "success" : "failure";
  return record.state === "unknown" ? "error" : "pending";
}

const recordUrl = new RegExp(`^(.*)#docs-automation:v1\\.(${signedForm})$`);

/** The fields that are stored in the fragment of the status's link, with short names because the link's length is limited. */
const shortNames = {
  command: "k",
  target: "g",
  trigger: "t",
  state: "s",
  owner: "w",
  claimedAt: "c",
  leaseSeconds: "l",
  jobId: "j",
  outcome: "o",
  pullRequestUrl: "p",
  startedAt: "u",
  headBefore: "h",
  docsRepository: "d",
  covers: "v",
} as const satisfies Partial<Record<keyof ClaimRecord, string>>;

const fields = Object.entries(shortNames) as [keyof typeof shortNames, string][];

const PackedRecord = z.pipe(
  z.transform((packed) =>
    isJsonObject(packed) ? Object.fromEntries(fields.map(([name, short]) => [name, packed[short]])) : {},
  ),
  ClaimRecord,
);
