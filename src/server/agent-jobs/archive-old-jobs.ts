import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { RecordStore } from "../storage/record-store.ts";
import type { AgentJobRecord } from "./agent-job-record.ts";

/** Archives jobs that ended long ago, without what their agents printed; forgets those archived as long ago again. */
export async function archiveOldJobs(
  store: RecordStore<AgentJobRecord>,
  { archiveAfterMs, logDirectory }: { archiveAfterMs: number; logDirectory: string },
  { now }: { now: () => number },
): Promise<void> {
  const time = now();
  const isOld = (since: string) => Date.parse(since) + archiveAfterMs <= time;
  for (const job of store.list()) {
    if (job.status === "archived" && isOld(job.archivedAt ?? job.updatedAt)) await store.remove(job.id);
    if (job.status !== "completed" && job.status !== "failed") continue;
    if (!isOld(job.updatedAt)) continue;
    const archivedAt = new Date(time).toISOString();
    // The condition again: a message may have made the job active since.
    await store.update(job.id, (current) =>
      current.status === "active" ? current : { ...current, status: "archived", archivedAt },
    );
    for (const turn of job.turns.keys()) {
      await rm(join(logDirectory, `${job.id}-${turn}.log`), { force: true });
    }
  }
}
