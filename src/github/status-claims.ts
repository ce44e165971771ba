/** Records of triggers in commit statuses, for events that have no thread: a status has room for little, so the record is split. */
import * as z from "zod/mini";
import { shorten } from "../base/text.ts";
import { ClaimRecord, type ClaimStore, type StoredClaim } from "./claim-store.ts";
import type { OwnershipDeps } from "./comment-claims.ts";
import { checkAnswer, type RouteData } from "./github-api.ts";
import { signedForm } from "./record-signer.ts";
import { isSameAccount } from "./token.ts";

export interface StatusClaimsOptions {
  readonly sha: string;
  /** The trigger whose records are searched; without it, all. */
  readonly trigger?: string;
}

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
  { sha, trigger }: StatusClaimsOptions,
  deps: OwnershipDeps & { readonly describe: (record: ClaimRecord) => string },
): ClaimStore {
  const { api, identity, signer, describe } = deps;
  const locationOf = (context: string) =>
    `v1 status repository:${api.repository.id} commit:${sha} context:${context}`;
  const commit = `commit ${sha.slice(0, 7)}`;

  const write = async (record: ClaimRecord): Promise<StoredClaim> => {
    const context = statusContext(record.command, record.trigger);
    const fragment = `docs-automation:v1.${signer.sign(packRecord(record), locationOf(context))}`;
    const purpose = { doing: `set a status on ${commit}`, permission: "statuses: write" };
    const written = await api.request(purpose, "POST /repos/{owner}/{repo}/statuses/{sha}", {
      sha,
      context,
      state: stateOfRecord(record),
      description: shorten(describe(record), maxDescriptionLength),
      target_url: `${record.runUrl ?? ""}#${fragment}`,
    });
    return { id: checkAnswer(WrittenStatus, written, purpose).id, record, url: record.runUrl, ageMs: 0 };
  };

  /** The record that a status holds, if the status is ours and its record genuine. */
  const read = ({ id, context, creator, target_url, created_at }: ListedStatus): StoredClaim | undefined => {
    const account = creator && { login: creator.login, isBot: creator.type === "Bot" };
    if (!isSameAccount(account, identity.login)) return undefined;
    const [, runUrl = "", signed = ""] = ourAddress.exec(target_url ?? "") ?? [];
    const reading = signer.read(signed, PackedRecord, [locationOf(context)]);
    if (reading.kind === "forged") return undefined;
    const record = { ...reading.value, runUrl };
    if (context !== statusContext(record.command, record.trigger)) return undefined;
    const ageMs = Math.max(0, api.serverNow() - Date.parse(created_at));
    return { id, record, url: runUrl, ageMs, isUnverifiable: reading.kind === "other-key" };
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
      const claim = read(status);
      if (!claim || (trigger !== undefined && claim.record.trigger !== trigger)) continue;
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

const WrittenStatus = z.object({ id: z.number() });

type ListedStatus = RouteData<"GET /repos/{owner}/{repo}/commits/{ref}/statuses">[number];

function stateOfRecord({ state, outcome }: ClaimRecord): "pending" | "success" | "failure" | "error" {
  if (state === "ended")
    return outcome === "pull-request" || outcome === "no-pull-request" ? "success" : "failure";
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
} as const satisfies Partial<Record<keyof ClaimRecord, string>>;

const fields = Object.entries(shortNames) as [keyof typeof shortNames, string][];

function packRecord(record: ClaimRecord): Readonly<Record<string, unknown>> {
  // JSON leaves out what is undefined.
  return Object.fromEntries(fields.map(([name, short]) => [short, record[name]]));
}

const PackedRecord = z.pipe(
  z.pipe(
    z.record(z.string(), z.unknown()),
    z.transform((packed) => Object.fromEntries(fields.map(([name, short]) => [name, packed[short]]))),
  ),
  ClaimRecord,
);
