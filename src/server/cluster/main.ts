/** The command line with Postgres, object storage and sites from git repositories, which `dist` does without: what the image runs. */
import process from "node:process";
import { hideEnvironment } from "../../base/hidden-environment.ts";
import { runPlatform } from "../main.ts";
import { openGitSites } from "../sources/git-sites.ts";
import { openClusterStorage } from "./cluster-storage.ts";
import { migrate, openPool } from "./database.ts";
import { createMetrics } from "./metrics.ts";
import { openWorkQueues } from "./work-queue.ts";

// As with `dist/cli.js`, the first word names the command; this program has one.
const args = process.argv.slice(2);
const hasAgent = args.some((argument) => /^--agent-command(=|$)/.test(argument));
hideEnvironment(process.env, hasAgent);
await runPlatform(args[0] === "platform" ? args.slice(1) : args, {
  async open(options, deps) {
    const storage = await openClusterStorage(options, deps);
    return { storage, ...createMetrics(storage.measureWork) };
  },
  async migrate(databaseUrl, log) {
    const pool = openPool(databaseUrl, 1, log);
    try {
      await migrate(pool);
      // The queues' tables are made and changed by their library, when they are opened.
      await using _queues = await openWorkQueues(databaseUrl, 0, log);
      log.info("The database is up to date.");
    } finally {
      await pool.end();
    }
  },
  openSites: openGitSites,
});
