/** A branch of a remote repository. A shared record determines the commit that all processes of the platform show. */
import { hash } from "node:crypto";
import * as z from "zod/mini";
import { messageOf } from "../../base/text.ts";
import type { PlatformContext } from "../base/context.ts";
import { ApiError } from "../base/http.ts";
import { createSequence, waitForShared } from "../base/shared-work.ts";
import { type Records, StorageUnavailableError } from "../base/storage.ts";
import type { GitMirror } from "./git-mirror.ts";

/** The shared state of a branch. */
export const BranchRecord = z.object({
  repository: z.string(),
  /** Name of the branch; set by the first successful check. */
  branch: z.optional(z.string()),
  /** The commit that the sites show. */
  commit: z.optional(z.string()),
  /** Number of checks. Only the latest check may change the commit. */
  checks: z.int(),
  /** Start of the latest check. */
  checkedAt: z.optional(z.iso.datetime()),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type BranchRecord = z.infer<typeof BranchRecord>;

export type TrackedBranch = ReturnType<typeof trackBranch>;

type TrackingDeps = Pick<PlatformContext, "log" | "now"> & { readonly records: Records<BranchRecord> };

/** Id of the branch's record and name of its folder. */
export function branchId(url: string, branch: string | undefined): string {
  return hash("sha256", `${url}\n${branch ?? ""}`).slice(0, 32);
}

/** @param pollEveryMs Interval of the checks by all processes together. */
export function trackBranch(id: string, mirror: GitMirror, pollEveryMs: number, deps: TrackingDeps) {
  const { records, log, now } = deps;
  const timestamp = () => new Date(now()).toISOString();
  let problem = "";

  const created = { repository: mirror.url, checks: 0, createdAt: timestamp(), updatedAt: timestamp() };
  const readRecord = async (): Promise<Partial<BranchRecord>> => (await records.get(id)) ?? {};

  /** Claims a check if one is due or forced; returns its number. Another process may claim it first. */
  const claim = async (isForced: boolean): Promise<number | undefined> => {
    const isDue = ({ checkedAt }: Partial<BranchRecord>) =>
      // The absolute difference, because the clock of another process may be ahead.
      isForced || checkedAt === undefined || Math.abs(now() - Date.parse(checkedAt)) >= pollEveryMs;
    if (!isDue(await readRecord())) return undefined;
    let isClaimed = false;
    const { checks } = await records.upsert(id, (record = created) => {
      isClaimed = isDue(record);
      return isClaimed ? { ...record, checks: record.checks + 1, checkedAt: timestamp() } : record;
    });
    return isClaimed ? checks : undefined;
  };
  const check = async (isForced: boolean): Promise<void> => {
    const number = await claim(isForced);
    if (number === undefined) return;
    try {
      const tip = await mirror.readTip();
      let previous: string | undefined;
      const { commit } = await records.update(id, (record) => {
        previous = record.commit;
        // A later check has started, and its result is newer.
        if (record.checks !== number && previous !== undefined) return record;
        return { ...record, ...tip, updatedAt: previous === tip.commit ? record.updatedAt : timestamp() };
      });
      if (commit !== previous) log.info(`${mirror.url} is at commit ${commit}.`);
      if (problem !== "") log.info(`${mirror.url} can be reached again.`);
      problem = "";
    } catch (error) {
      if (mirror.isClosed() || error instanceof StorageUnavailableError) throw error;
      if (problem === messageOf(error)) return;
      problem = messageOf(error);
      log.warning(
        `${mirror.url} cannot be checked for changes; the last known commit, if any, is shown: ${problem}`,
      );
    }
  };

  const inOrder = createSequence();
  let next: Promise<void> | undefined;
  /** Checks the host now, after a check that is running. Concurrent calls share one check. */
  const refresh = (): Promise<void> => {
    next ??= inOrder(() => {
      next = undefined;
      return check(true);
    });
    return next;
  };

  return {
    url: mirror.url,
    readRecord,
    refresh,
    /** Checks the host unless a process did so within `pollEveryMs`. */
    poll: () => check(false),
    /** Reads the commit to show. @throws {ApiError} 503 if no commit is known yet. */
    async readCommit(signal: AbortSignal): Promise<string> {
      let { commit } = await readRecord();
      if (commit === undefined) {
        await waitForShared(refresh(), signal);
        ({ commit } = await readRecord());
      }
      if (commit !== undefined) return commit;
      const message = "The documents of this site are not available yet; the platform's log has the reason.";
      throw new ApiError(503, message, { "retry-after": "10" });
    },
    open: mirror.open,
  };
}
