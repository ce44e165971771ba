/** The sites of a `--sites` file, whose documents are in remote git repositories, and the webhook that code hosts call after a push. */

import { createHmac } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Hono } from "hono";
import * as z from "zod/mini";
import { isSameSecret } from "../../base/is-same-secret.ts";
import type { Environment } from "../../base/runtime.ts";
import { parseJson, stackOf } from "../../base/text.ts";
import { createGit } from "../agents/git.ts";
import type { SitesDeps } from "../base/context.ts";
import { ApiError, parseAs, readBody } from "../base/http.ts";
import type { OpenSites, Site } from "../base/sites.ts";
import { StorageUnavailableError } from "../base/storage.ts";
import { openGitMirror } from "./git-mirror.ts";
import { readSitesFile } from "./sites-file.ts";
import { BranchRecord, branchId, type TrackedBranch, trackBranch } from "./tracked-branch.ts";

export interface GitSitesOptions {
  readonly file: string;
  readonly pollEveryMs: number;
  /** Contains the tokens and secrets whose variables the file names. */
  readonly environment: Environment;
}

/** Branches of a host that are polled at the same time. */
const concurrency = 4;

/** The host of a repository's URL, also in the form `user@host:path`; empty for a path on this machine. */
const hostOf = (url: string) => /^(?:\w+:\/\/[^/]*|[^/:]+(?=:))/.exec(url)?.[0] ?? "";

/**
 * Opens the sites and polls their branches until disposal. Sites of the same branch share a mirror.
 *
 * @throws {InputError} with all problems of the file.
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
  const webhookSites = new Map<string, WebhookSite>();
  const mirrors = join(dataDir, "mirrors");
  // A killed process may have left partial files, and copies of sites that the file no longer has.
  await rm(mirrors, { recursive: true, force: true });
  const background = new Set<Promise<void>>();
  /** Runs work, which ends before disposal, and logs its failure. */
  const runInBackground = (work: Promise<void>): Promise<void> => {
    const finished = work.catch((error: unknown) => {
      if (stop.signal.aborted) return;
      const text = error instanceof StorageUnavailableError ? error.message : stackOf(error);
      log.warning(`Checking the sites for changes failed: ${text}`);
    });
    background.add(finished);
    return finished.finally(() => background.delete(finished));
  };
  stack.defer(async () => void (await Promise.all(background)));
  const stop = new AbortController();
  for (const { domains, folder, webhookSecret, ...entry } of entries) {
    const id = branchId(entry.url, entry.branch);
    let branch = branches.get(id);
    if (branch === undefined) {
      const mirror = stack.use(await openGitMirror(join(mirrors, id), entry, git));
      branch = trackBranch(id, mirror, pollEveryMs, { records, log, now });
      branches.set(id, branch);
    }
    const { readCommit, open } = branch;
    const documents = {
      readRevision: readCommit,
      open: (commit: string, signal: AbortSignal) => open(commit, folder, signal),
    };
    sites.push({ domains, documents });
    if (webhookSecret === undefined) continue;
    for (const domain of domains) webhookSites.set(domain, { secret: webhookSecret, branch });
  }

  /** Polls one branch after another, and waits before the next round. */
  const pollShare = async (share: readonly TrackedBranch[]) => {
    while (!stop.signal.aborted) {
      for (const branch of share) if (!stop.signal.aborted) await runInBackground(branch.poll());
      await delay(pollEveryMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  };
  // Each host on its own: one that does not respond delays each of its polls by the time limit.
  for (const ofHost of Map.groupBy(branches.values(), ({ url }) => hostOf(url)).values())
    for (let first = 0; first < Math.min(concurrency, ofHost.length); first += 1)
      void runInBackground(pollShare(ofHost.filter((_, index) => index % concurrency === first)));
  stack.defer(() => stop.abort());
  const owned = stack.move();
  return {
    sites,
    projects: entries.flatMap(({ project, ...site }) => (project === undefined ? [] : { ...site, project })),
    routes: createPushWebhook(webhookSites, (branch) => void runInBackground(branch.refresh())),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

interface WebhookSite {
  readonly secret: string;
  readonly branch: TrackedBranch;
}

/** Enough for a push of two thousand commits; polling finds larger pushes. */
const maxBodyBytes = 8 * 1024 * 1024;

/** GitHub's `ping` and other events have no `ref`. */
const PushEvent = z.object({ ref: z.optional(z.string()) });

/**
 * Handles push webhooks of GitHub, GitLab, Gitea and Forgejo. A webhook only triggers a poll of the host. Its data about commits is not
 * used, so a replayed request is harmless.
 *
 * @param refresh Reads a branch's tip again in the background.
 */
function createPushWebhook(
  sites: ReadonlyMap<string, WebhookSite>,
  refresh: (branch: TrackedBranch) => void,
): Hono {
  const routes = new Hono();
  routes.post("/webhooks/push/:domain", async (call) => {
    const site = sites.get(call.req.param("domain").toLowerCase());
    const unsigned = "The webhook is not signed with the secret of a site of this domain.";
    if (site === undefined) throw new ApiError(401, unsigned);
    const body = await readBody(call.req.raw, maxBodyBytes);
    if (!isAuthentic(call.req.raw.headers, body, site.secret)) throw new ApiError(401, unsigned);
    const parsed = parseJson(body.toString("utf8"));
    if (parsed === undefined) throw new ApiError(400, "The body must be JSON: choose application/json.");
    const { ref } = parseAs(PushEvent, parsed);
    // The name of the branch is unknown until its first successful check.
    const { branch } = await site.branch.readRecord();
    const isSiteBranch = ref !== undefined && (branch === undefined || ref === `refs/heads/${branch}`);
    if (isSiteBranch) refresh(site.branch);
    return call.json({ result: isSiteBranch ? "accepted" : "ignored" }, 202);
  });
  return routes;
}

/** Whether the headers have the body's signature (also of Gitea and Forgejo), or the secret itself (GitLab). */
function isAuthentic(headers: Headers, body: Buffer, secret: string): boolean {
  const signature = headers.get("x-hub-signature-256")?.replace(/^sha256=/, "") ?? "";
  const expected = createHmac("sha256", secret).update(body).digest("hex");
  return isSameSecret(signature, expected) || isSameSecret(headers.get("x-gitlab-token") ?? "", secret);
}
