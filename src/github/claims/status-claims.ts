/** Records of triggers in commit statuses, for events that have no thread: a status has room for little, so the record is split. */
import { z } from "zod";
import { shorten } from "../../base/text.ts";
import type { Account } from "../event/event.ts";
import type { GitHubApi } from "../github-api.ts";
import { isSameAccount } from "../people/identity.ts";
import { type ClaimRecord, claimStates } from "./claim-record.ts";
import type { ClaimStore, StoredClaim } from "./claim-store.ts";
import { decodePayload, encodePayload } from "./payload.ts";
import type { Seal } from "./seal.ts";

export interface StatusClaimsOptions {
  readonly sha: string;
  /** The trigger whose records are wanted; without it, all. */
  readonly trigger?: string;
}

export interface StatusClaimsDeps {
  readonly api: GitHubApi;
  readonly identity: Account;
  readonly seal: Seal;
  /** The status's sentence, at most 140 characters; longer ones are cut. */
  readonly describe: (record: ClaimRecord) => string;
}

const WrittenStatus = z.object({ id: z.number() });

/** GitHub's limit for a status's description. */
const maxDescriptionLength = 140;

/** The record as the status's link carries it in its fragment: short names, for a link has its limits. */
const Fragment = z.object({
  k: z.enum(["agent", "assistant"]),
  g: z.string(),
  t: z.string(),
  s: z.enum(claimStates),
  w: z.string(),
  c: z.string(),
  l: z.number(),
  j: z.string().optional(),
  o: z.string().optional(),
  p: z.string().optional(),
});

/** The status's context: one line in the commit's list of checks for each trigger. */
function statusContext(command: string, trigger: string): string {
  return `docs-automation/${command} (${trigger.slice(0, 12)})`;
}

/** Whether a status, by its name and state in any case, holds a record of the agent whose end is not known yet. */
export function isOpenAgentStatus({ context, state }: { context: string; state: string }): boolean {
  const isOurs = context.startsWith(statusContext("agent", "").slice(0, -1));
  return isOurs && ["pending", "error"].includes(state.toLowerCase());
}

export function createStatusClaims(options: StatusClaimsOptions, deps: StatusClaimsDeps): ClaimStore {
  const { sha, trigger } = options;
  const { api, seal } = deps;
  const placeOf = (context: string) =>
    `v1 status repository:${api.repository.id} commit:${sha} context:${context}`;

  const write = async (record: ClaimRecord): Promise<StoredClaim> => {
    const context = statusContext(record.command, record.trigger);
    const place = placeOf(context);
    const purpose = { doing: `set a status on commit ${sha.slice(0, 7)}`, permission: "statuses: write" };
    const { id } = await api.call(purpose, async (octokit, target) => {
      const { data } = await octokit.rest.repos.createCommitStatus({
        ...target,
        sha,
        context,
        state: stateOfRecord(record),
        description: shorten(deps.describe(record), maxDescriptionLength),
        target_url: `${record.runUrl ?? ""}#${packRecord(record, { place, seal })}`,
      });
      return WrittenStatus.parse(data);
    });
    return { id, record, url: record.runUrl, ageMs: 0 };
  };

  return {
    /** Statuses are never changed, only added: the newest of each owner's counts, with the id of that owner's first. */
    async list() {
      const purpose = {
        doing: `read the statuses of commit ${sha.slice(0, 7)}`,
        // Who reads them is about to write one; the smaller permission would only lead to the next refusal.
        permission: "statuses: write",
      };
      const statuses = await api.call(purpose, (octokit, target) =>
        octokit.paginate(octokit.rest.repos.listCommitStatusesForRef, { ...target, ref: sha, per_page: 100 }),
      );
      const claims = new Map<string, StoredClaim>();
      for (const status of [...statuses].sort((a, b) => a.id - b.id)) {
        const read = readStatus(status, { place: placeOf(status.context), deps });
        if (!read || (trigger !== undefined && read.record.trigger !== trigger)) continue;
        const key = `${read.record.trigger} ${read.record.owner}`;
        const first = claims.get(key);
        claims.set(key, first ? { ...read, id: first.id } : read);
      }
      return [...claims.values()].sort((a, b) => a.id - b.id);
    },
    create: write,
    async update({ id }, record) {
      return { ...(await write(record)), id };
    },
    // A status cannot be taken away; the owner's last word makes the record harmless.
    async remove({ record }) {
      await write({ ...record, state: "released" });
    },
  };
}

interface Status {
  readonly id: number;
  readonly context: string;
  readonly creator: { readonly login: string; readonly id: number; readonly type: string } | null;
  readonly target_url: string | null;
  readonly created_at: string;
}

interface StatusReading {
  readonly place: string;
  readonly deps: StatusClaimsDeps;
}

/** The record that a status holds, if the status is ours and its record genuine. */
function readStatus(status: Status, { place, deps }: StatusReading): StoredClaim | undefined {
  const creator = status.creator ? toAccount(status.creator) : undefined;
  if (!isSameAccount(creator, deps.identity.login)) return undefined;
  const read = readRecord(status.target_url ?? "", { place, seal: deps.seal });
  if (!read || status.context !== statusContext(read.record.command, read.record.trigger)) return undefined;
  const ageMs = Math.max(0, deps.api.serverNow() - Date.parse(status.created_at));
  return { ...read, id: status.id, url: read.record.runUrl, ageMs };
}

function toAccount({ login, id, type }: { login: string; id: number; type: string }): Account {
  return { login, id, isBot: type === "Bot" };
}

function stateOfRecord({ state, outcome }: ClaimRecord): "pending" | "success" | "failure" | "error" {
  if (state === "ended")
    return outcome === "pull-request" || outcome === "no-pull-request" ? "success" : "failure";
  if (state === "released") return "failure";
  return state === "unknown" ? "error" : "pending";
}

function packRecord(record: ClaimRecord, { place, seal }: { place: string; seal: Seal }): string {
  const fragment: z.input<typeof Fragment> = {
    k: record.command,
    g: record.target,
    t: record.trigger,
    s: record.state,
    w: record.owner,
    c: record.claimedAt,
    l: record.leaseSeconds,
    ...(record.jobId ? { j: record.jobId } : {}),
    ...(record.outcome ? { o: record.outcome } : {}),
    ...(record.pullRequestUrl ? { p: record.pullRequestUrl } : {}),
  };
  const payload = encodePayload(fragment);
  return `docs-automation:v1.${payload}.${seal.keyId}.${seal.sign(place, payload)}`;
}

const packed = /^(.*)#docs-automation:v1\.([\w-]+)\.([0-9a-f]{8})\.([\w-]{43})$/;

function readRecord(
  url: string,
  { place, seal }: { place: string; seal: Seal },
): Pick<StoredClaim, "record" | "isUnverifiable"> | undefined {
  const [, runUrl = "", payload = "", keyId = "", signature = ""] = packed.exec(url) ?? [];
  const isOtherKey = keyId !== seal.keyId;
  if (payload === "" || (!isOtherKey && !seal.verify(place, payload, signature))) return undefined;
  const parsed = Fragment.safeParse(decodePayload(payload));
  if (!parsed.success) return undefined;
  const { k, g, t, s, w, c, l, j, o, p } = parsed.data;
  const record: ClaimRecord = {
    command: k,
    target: g,
    trigger: t,
    state: s,
    owner: w,
    claimedAt: c,
    leaseSeconds: l,
    runUrl,
    ...(j ? { jobId: j } : {}),
    ...(o ? { outcome: o } : {}),
    ...(p ? { pullRequestUrl: p } : {}),
  };
  return { record, ...(isOtherKey ? { isUnverifiable: true } : {}) };
}
