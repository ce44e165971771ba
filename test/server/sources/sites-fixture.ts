import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Hono } from "hono";
import type * as z from "zod/mini";
import { openFileStorage } from "../../../src/server/base/file-storage.ts";
import { ApiError } from "../../../src/server/base/http.ts";
import type { DocumentSource } from "../../../src/server/base/sites.ts";
import type { Dated, Records, Storage } from "../../../src/server/base/storage.ts";
import type { PlatformDeps, PlatformOptions } from "../../../src/server/platform.ts";
import { openGitSites } from "../../../src/server/sources/git-sites.ts";
import { BranchRecord } from "../../../src/server/sources/tracked-branch.ts";
import { startGitRemote } from "../../support/git-http.ts";
import { createRecordingLog } from "../../support/recording-log.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { startTestPlatform } from "../test-platform.ts";

export const secret = "a secret of the webhook";
export const domain = "docs.example.com";
const hour = 60 * 60 * 1000;

/**
 * A repository with documents, and processes that serve them.
 *
 * @param site Fields to change; an empty one is removed.
 * @param openStorage Opens the storage of a process; by default, all processes share one storage in files.
 */
export async function createSites(
  site: Readonly<Record<string, string>> = {},
  openStorage?: () => Promise<Storage>,
) {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTemporaryFolder());
  const remote = stack.use(await startGitRemote());
  const commit = await remote.commit({ files: { "docs/index.md": "first" } });
  const [clock, log] = [{ now: Date.now() }, createRecordingLog()];
  const now = () => clock.now;
  const links = { lifetimeMs: hour, publicUrl: () => "", now };
  const state = join(folder.path, "state");
  await mkdir(state);
  const shared = shareRecords(stack.use(await openFileStorage(state, links, log)));
  const file = join(folder.path, "sites.yaml");
  const variables = { tokenVariable: "DOCS_TOKEN", webhookSecretVariable: "DOCS_HOOK" };
  const entry = { domains: [domain], repository: remote.url, folder: "docs", ...variables, ...site };
  const fields = Object.entries(entry).filter(([, value]) => value !== "");
  await writeFile(file, JSON.stringify([Object.fromEntries(fields)]));
  const environment = { PATH: process.env["PATH"], DOCS_TOKEN: remote.token, DOCS_HOOK: secret };
  const { records: openRecords } = (await openStorage?.()) ?? shared;
  const records = await openRecords("sites", BranchRecord);
  const resources = stack.move();
  return {
    remote,
    commit,
    clock,
    log,
    records,
    file,
    environment,
    dataDirOf: (name: string) => join(folder.path, name),
    /** Opens the site in a process with this name. */
    async open(name = "one", pollEveryMs = hour) {
      const storage = (await openStorage?.()) ?? shared;
      const deps = { storage, dataDir: join(folder.path, name), log, now };
      const opened = await openGitSites({ file, pollEveryMs, environment }, deps);
      const documents = opened.sites[0]?.documents as DocumentSource;
      const app = new Hono().route("/", opened.routes).onError((error, call) => {
        if (error instanceof ApiError) return call.json({ error: error.message }, error.status);
        throw error;
      });
      return {
        documents,
        send: (request: RequestInit, host = domain) =>
          app.request(`/webhooks/push/${host}`, { method: "POST", ...request }),
        [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
      };
    },
    /** Starts a platform of the site, with this token of the repository's host. */
    startPlatform(options?: Partial<PlatformOptions>, deps?: Partial<PlatformDeps>, token = remote.token) {
      const tokens = { ...environment, DOCS_TOKEN: token };
      const openSites: PlatformDeps["openSites"] = (opened) =>
        openGitSites({ file, environment: tokens, pollEveryMs: hour }, opened);
      return startTestPlatform(options, { openSites, ...deps });
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

export const signal = new AbortController().signal;

/** Reads the site's current page. */
export async function readIndex(documents: DocumentSource): Promise<string> {
  await using opened = await documents.open(await documents.readRevision(signal), signal);
  return await readFile(join(opened.docsDir, "index.md"), "utf8");
}

/** File storage belongs to one process, so share each collection as a database does. */
function shareRecords(storage: Storage): Storage {
  const collections = new Map<string, Promise<unknown>>();
  return {
    ...storage,
    records<Value extends Dated>(name: string, schema: z.ZodMiniType<Value>) {
      const records = collections.get(name) ?? storage.records(name, schema);
      collections.set(name, records);
      return records as Promise<Records<Value>>;
    },
  };
}
