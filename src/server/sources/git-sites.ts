/** The sites of a file, whose documents are in git repositories elsewhere. */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Environment } from "../../base/runtime.ts";
import { stackOf } from "../../base/text.ts";
import { createGit } from "../agents/git.ts";
import type { OpenSites, Site, SitesDeps } from "../base/sites.ts";
import { StorageUnavailableError } from "../base/storage.ts";
import { openGitMirror } from "./git-mirror.ts";
import { createPushWebhook, type PushedSite } from "./push-webhook.ts";
import { listProjects, readSitesFile } from "./sites-file.ts";
import { BranchRecord, branchId, type TrackedBranch, trackBranch } from "./tracked-branch.ts";

/** Where the sites come from. */
export interface GitSitesOptions {
  /** The file that describes them. */
  readonly file: string;
  readonly pollEveryMs: number;
  /** Holds the tokens and secrets that the file names. */
  readonly environment: Environment;
}

/** Hosts asked at once. */
const concurrency = 4;

/**
 * Opens the sites, and asks their hosts for changes until disposal. Sites of the same branch share its copy.
 *
 * @throws {InputError} naming all that is wrong with the file.
 */
export async function openGitSites(
  { file, pollEveryMs, environment }: GitSitesOptions,
  { storage, dataDir, log, now }: SitesDeps,
): Promise<OpenSites> {
  const entries = await readSitesFile(file, environment);
  const git = createGit(environment);
  const records = await storage.records("sites", BranchRecord);
  await using stack = new AsyncDisposableStack();
  const branches = new Map<string, TrackedBranch>();
  const sites: Site[] = [];
  const pushed = new Map<string, PushedSite>();
  const background = new Set<Promise<void>>();
  /** Does work that no request waits for. */
  const start = (work: Promise<void>): Promise<void> => {
    const done = work.catch((error: unknown) => {
      if (stop.signal.aborted) return;
      const text = error instanceof StorageUnavailableError ? error.message : stackOf(error);
      log.warning(`The sites cannot be checked for changes: ${text}`);
    });
    background.add(done);
    return done.finally(() => background.delete(done));
  };
  stack.defer(async () => void (await Promise.all(background)));
  const stop = new AbortController();
  for (const { domains, folder, webhookSecret, ...entry } of entries) {
    const id = branchId(entry.url, entry.branch);
    let branch = branches.get(id);
    if (branch === undefined) {
      const mirror = stack.use(await openGitMirror(join(dataDir, "mirrors", id), entry, git));
      branch = trackBranch(id, mirror, pollEveryMs, { storage, records, log, now });
      branches.set(id, branch);
    }
    const { readCommit, open, refresh, find } = branch;
    const documents = {
      readRevision: readCommit,
      open: (commit: string, signal: AbortSignal) => open(commit, folder, signal),
    };
    sites.push({ domains, documents });
    if (webhookSecret === undefined) continue;
    const findBranch = async () => (await find()).branch;
    const site = { secret: webhookSecret, findBranch, refresh: () => void start(refresh()) };
    for (const domain of domains) pushed.set(domain, site);
  }

  const pollAll = async () => {
    const waiting = branches.values();
    const pollWaiting = async () => {
      for (const branch of waiting) if (!stop.signal.aborted) await start(branch.poll());
    };
    await Promise.all(Array.from({ length: concurrency }, pollWaiting));
  };
  const pollForever = async () => {
    while (!stop.signal.aborted) {
      await pollAll();
      await delay(pollEveryMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  };
  void start(pollForever());
  stack.defer(() => stop.abort());
  const owned = stack.move();
  return {
    sites,
    projects: listProjects(entries),
    routes: createPushWebhook((domain) => pushed.get(domain)),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
