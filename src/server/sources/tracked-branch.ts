/** A branch of a repository elsewhere: which commit of it is shown is a record, on which all processes of a platform agree. */
import { hash } from "node:crypto";
import * as z from "zod/mini";
import type { Log } from "../../base/runtime.ts";
import { messageOf } from "../../base/text.ts";
import { ApiError } from "../base/http.ts";
import { type Records, type Storage, StorageUnavailableError } from "../base/storage.ts";
import { CommitGoneError, type GitMirror } from "./git-mirror.ts";

/** What the processes know of a branch. */
export const BranchRecord = z.object({
  repository: z.string(),
  /** Its name, once the host has told it. */
  branch: z.optional(z.string()),
  /** What is shown. */
  commit: z.optional(z.string()),
  /** How often the host was asked: only what the last question brings is written. */
  checks: z.int(),
  /** When it was asked last. */
  checkedAt: z.optional(z.iso.datetime()),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type BranchRecord = z.infer<typeof BranchRecord>;

export type TrackedBranch = ReturnType<typeof trackBranch>;

interface TrackingDeps {
  readonly storage: Pick<Storage, "exclusively">;
  readonly records: Records<BranchRecord>;
  readonly log: Log;
  readonly now: () => number;
}

/** The record is read again after this time. */
const rereadAfterMs = 2000;

/** The record's id, and the name of what is kept of the branch on the disk. */
export function branchId(url: string, branch: string | undefined): string {
  return hash("sha256", `${url}\n${branch ?? ""}`).slice(0, 32);
}

/** @param pollEveryMs How often one of the processes asks the host. */
export function trackBranch(id: string, mirror: GitMirror, pollEveryMs: number, deps: TrackingDeps) {
  const { storage, records, log, now } = deps;
  const timestamp = () => new Date(now()).toISOString();
  let known: { readonly commit: string; readonly readAt: number } | undefined;
  let problem = "";

  const find = async () =>
    (await records.get(id)) ??
    (await storage.exclusively(`sites/${id}`, async () => {
      const createdAt = timestamp();
      const begun = { repository: mirror.url, checks: 0, createdAt, updatedAt: createdAt };
      return (await records.get(id)) ?? records.put(id, begun);
    }));

  /** Begins to ask the host, unless another process did so already. */
  const claim = async (isForced: boolean): Promise<number | undefined> => {
    const isDue = ({ checkedAt }: BranchRecord) =>
      // The clock of the other process may be ahead.
      isForced || checkedAt === undefined || Math.abs(now() - Date.parse(checkedAt)) >= pollEveryMs;
    if (!isDue(await find())) return undefined;
    let isOurs = false;
    const { checks } = await records.update(id, (record) => {
      isOurs = isDue(record);
      return isOurs ? { ...record, checks: record.checks + 1, checkedAt: timestamp() } : record;
    });
    return isOurs ? checks : undefined;
  };
  const check = async (isForced: boolean): Promise<void> => {
    const own = await claim(isForced);
    if (own === undefined) return;
    try {
      const tip = await mirror.readTip();
      let before: string | undefined;
      const { commit } = await records.update(id, (record) => {
        before = record.commit;
        // A later question has the newer answer.
        if (record.checks !== own && before !== undefined) return record;
        return { ...record, ...tip, updatedAt: before === tip.commit ? record.updatedAt : timestamp() };
      });
      known = undefined;
      if (commit !== before) log.info(`${mirror.url} is at commit ${commit}.`);
      if (problem !== "") log.info(`${mirror.url} answers again.`);
      problem = "";
    } catch (error) {
      if (mirror.isClosed() || error instanceof StorageUnavailableError) throw error;
      if (problem === messageOf(error)) return;
      problem = messageOf(error);
      log.warning(`${mirror.url} cannot be asked for changes; its last known commit is shown: ${problem}`);
    }
  };

  let [running, next]: (Promise<void> | undefined)[] = [];
  /** Asks the host what the branch is from now on; who asks while one question waits shares its answer. */
  const refresh = (): Promise<void> => {
    next ??= (running ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        [running, next] = [check(true), undefined];
        return running;
      });
    return next;
  };

  return {
    find,
    refresh,
    /** Asks the host, unless a process did so within the time between two polls. */
    poll: () => check(false),
    /** The commit to show. @throws {ApiError} 503 while none is known. */
    async readCommit(): Promise<string> {
      if (known !== undefined && Math.abs(now() - known.readAt) < rereadAfterMs) return known.commit;
      const readAt = now();
      let { commit } = await find();
      if (commit === undefined) {
        await refresh();
        ({ commit } = await find());
      }
      if (commit === undefined) {
        const message = "The documents of this site cannot be fetched yet; the platform's log says why.";
        throw new ApiError(503, message, { "retry-after": "10" });
      }
      known = { commit, readAt };
      return commit;
    },
    /** The documents of a commit, in a folder of this machine. */
    async open(commit: string, folder: string, signal: AbortSignal) {
      try {
        return await mirror.open(commit, folder, signal);
      } catch (error) {
        // What replaced it is found before someone asks again.
        if (error instanceof CommitGoneError) await refresh();
        throw error;
      }
    },
  };
}
