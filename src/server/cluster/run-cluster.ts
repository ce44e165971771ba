import { runPlatform } from "../main.ts";
import { openGitSites } from "../sources/git-sites.ts";
import { openClusterStorage } from "./cluster-storage.ts";
import { migrate, openPool } from "./database.ts";
import { createMetrics } from "./metrics.ts";
import { openWorkQueues } from "./work-queue.ts";

/** Runs the platform's command line with Postgres, object storage and sites from git. */
export async function runCluster(args: readonly string[]): Promise<void> {
  await runPlatform(args, {
    async open(options, deps) {
      const storage = await openClusterStorage(options, deps);
      return { storage, ...createMetrics(storage.measureWork) };
    },
    async migrate(databaseUrl, log) {
      const pool = openPool(databaseUrl, 1, log);
      try {
        await migrate(pool);
        // pg-boss migrates its own tables when the queues are opened.
        await using _queues = await openWorkQueues(databaseUrl, 0, log);
        log.info("The database is up to date.");
      } finally {
        await pool.end();
      }
    },
    openSites: openGitSites,
  });
}
