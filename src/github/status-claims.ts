/** Records of triggers in commit statuses, for events that have no thread: a status has room for little, so the record is split. */

import * as z from "zod/mini";
import { ClaimRecord, successfulOutcomes } from "../base/claim-record.ts";
import { isJsonObject, shorten } from "../base/text.ts";
import type { ClaimStore, StoredClaim } from "./claim-store.ts";
import type { OwnershipDeps } from "./comment-claims.ts";
import { parseResponse } from "./errors.ts";
import { accountOf } from "./event.ts";
import type { GitHubApi } from "./github-api.ts";
import { Actor, listSchema } from "./graphql-schemas.ts";
import { signedForm } from "./record-signer.ts";
import { isSameAccount } from "./token.ts";

/** GitHub's limit for a status's description. */
const maxDescriptionLength = 140;

/** The status's context: one line in the commit's list of checks for each trigger. */
function statusContext(command: string, trigger: string): string {
  return `docs-automation/${command} (${trigger.slice(0, 12)})`;
}

/** Whether a status, by its name and state in any case, holds a record of the agent whose end is not known yet. */
export function isOpenAgentStatus({ context, state }: { context: string; state: string }): boolean {
  const isOurs = context.startsWith("docs-automation/agent (");
  return isOurs && ["pending", "error"].includes(state.toLowerCase());
}

/** @param describe writes the status's sentence; it is cut to GitHub's limit */
export function createStatusClaims(
  { sha }: { readonly sha: string },
  deps: OwnershipDeps & { readonly describe: (record: ClaimRecord) => string },
): ClaimStore {
  const { api, signer, describe } = deps;
  const commit = `commit ${sha.slice(0, 7)}`;

  const write = async (record: ClaimRecord): Promise<StoredClaim> => {
    const context = statusContext(record.command, record.trigger);
    const fragment = `docs-automation:v1.${signer.sign(packRecord(record), locate(sha, context, api))}`;
    const purpose = { doing: `set a status on ${commit}`, permission: "statuses: write" };
    const written = await api.request(purpose, "POST /repos/{owner}/{repo}/statuses/{sha}", {
      sha,
      context,
      state: stateOfRecord(record),
      description: shorten(describe(record), maxDescriptionLength),
      target_url: `${record.runUrl ?? ""}#${fragment}`,
    });
    return { id: parseResponse(WrittenStatus, written, purpose).id, record, url: record.runUrl, ageMs: 0 };
  };

  /** Statuses are never changed, only added: the newest of each owner's counts, with the id of that owner's first. */
  const list = async () => {
    // Reading them is followed by writing one; to ask for the smaller permission would only lead to the next refusal.
    const purpose = { doing: `read the statuses of ${commit}`, permission: "statuses: write" };
    const statuses = await api.list(purpose, "GET /repos/{owner}/{repo}/commits/{ref}/statuses", {
      ref: sha,
    });
    const claims = new Map<string, StoredClaim>();
    for (const status of statuses.toSorted((a, b) => a.id - b.id)) {
      const { context, target_url: targetUrl, created_at: createdAt } = status;
      const shown = { context, creator: accountOf(status.creator), targetUrl, createdAt };
      const claim = readStatus(status.id, sha, shown, deps);
      if (!claim) continue;
      const key = `${claim.record.trigger} ${claim.record.owner}`;
      claims.set(key, { ...claim, id: claims.get(key)?.id ?? claim.id });
    }
    return [...claims.values()].sort((a, b) => a.id - b.id);
  };

  return {
    list,
    reread: async ({ id }) => (await list()).find((claim) => claim.id === id),
    create: write,
    async update({ id }, record) {
      return { ...(await write(record)), id };
    },
    // A status cannot be taken away; a released record is harmless.
    async remove({ record }) {
      await write({ ...record, state: "released" });
    },
  };
}

/** Another request told the agent of this one's change, too. */
const goodOutcomes: readonly string[] = [...successfulOutcomes, "covered"];

const WrittenStatus = z.object({ id: z.number() });

const ShownStatus = z.object({
  context: z.string(),
  creator: Actor,
  targetUrl: z.nullable(z.string()),
  createdAt: z.string(),
});
type ShownStatus = z.output<typeof ShownStatus>;

/** The record that a status holds, if the status is ours and its record genuine. */
function readStatus(
  id: number,
  sha: string,
  { context, creator, targetUrl, createdAt }: ShownStatus,
  { api, identity, signer }: OwnershipDeps,
): StoredClaim | undefined {
  if (!isSameAccount(creator, identity.login)) return undefined;
  const [, runUrl = "", signed = ""] = ourAddress.exec(targetUrl ?? "") ?? [];
  const reading = signer.read(signed, PackedRecord, [locate(sha, context, api)]);
  if (reading.kind === "forged") return undefined;
  const record = { ...reading.value, runUrl };
  if (context !== statusContext(record.command, record.trigger)) return undefined;
  const ageMs = Math.max(0, api.serverNow() - Date.parse(createdAt));
  return { id, record, url: runUrl, ageMs, isUnverifiable: reading.kind === "other-key" };
}

function locate(sha: string, context: string, { repository }: GitHubApi): string {
  return `v1 status repository:${repository.id} commit:${sha} context:${context}`;
}

/** A commit of a branch with the records in its statuses: of each trigger the newest. */
export interface BranchCommit {
  readonly sha: string;
  /** First line of its message. */
  readonly title: string;
  readonly url: string;
  readonly claims: readonly StoredClaim[];
}

const CommitWithStatus = z.object({
  oid: z.string(),
  messageHeadline: z.string(),
  url: z.string(),
  status: z.nullable(z.object({ contexts: z.array(ShownStatus) })),
});
const Branch = z.object({ target: z.object({ history: listSchema(CommitWithStatus) }) });
const BranchHistory = z.object({ repository: z.object({ ref: z.nullable(Branch) }) });

/** The newest hundred commits of a branch (`refs/heads/…`), newest first, in one request; none where it is gone. */
export async function readBranch(branch: string, deps: OwnershipDeps): Promise<readonly BranchCommit[]> {
  const query = `query ($owner: String!, $name: String!, $branch: String!) { repository(owner: $owner, name: $name) {
    ref(qualifiedName: $branch) { target { ... on Commit { history(first: 100) { nodes { oid messageHeadline url
      status { contexts { context targetUrl createdAt creator { __typename login } } } } } } } } } }`;
  const { owner, name } = deps.api.repository;
  const purpose = { doing: "read the statuses of the branch's commits", permission: "statuses: write" };
  const { repository } = await deps.api.graphql(purpose, query, { owner, name, branch }, BranchHistory);
  return (repository.ref?.target.history.nodes ?? []).map(
    ({ oid: sha, messageHeadline: title, url, status }) => {
      const claims = (status?.contexts ?? []).map((shown) => readStatus(0, sha, shown, deps));
      return { sha, title, url, claims: claims.filter((claim) => claim !== undefined) };
    },
  );
}

function stateOfRecord({ state, outcome }: ClaimRecord): "pending" | "success" | "failure" | "error" {
  if (state === "ended") return goodOutcomes.includes(outcome ?? "") ? "success" : "failure";
  if (state === "released") return "failure";
  return state === "unknown" ? "error" : "pending";
}

const ourAddress = new RegExp(`^(.*)#docs-automation:v1\\.(${signedForm})$`);

/** The record as the status's link carries it in its fragment: a part of it under short names, for a link has its limits. */
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

function packRecord(record: ClaimRecord): Readonly<Record<string, unknown>> {
  // JSON leaves out what is undefined.
  return Object.fromEntries(fields.map(([name, short]) => [short, record[name]]));
}

const PackedRecord = z.pipe(
  z.transform((packed) =>
    isJsonObject(packed) ? Object.fromEntries(fields.map(([name, short]) => [name, packed[short]])) : {},
  ),
  ClaimRecord,
);
