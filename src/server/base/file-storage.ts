/**
 * Storage of a single-process platform: files in its data directory, and job queues in memory. Blobs are served through signed, expiring
 * links like those of object storage: with ranges and XML errors.
 */

import { createHmac, randomBytes } from "node:crypto";
import { mkdir, readdir, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Hono } from "hono";
import { etag } from "hono/etag";
import { isSameSecret } from "../../base/is-same-secret.ts";
import { type Clock, type Log, systemClock } from "../../base/runtime.ts";
import { stackOf } from "../../base/text.ts";
import { serveFile } from "./http.ts";
import { openFileRecords, publishFile, readIfPresent, readOrCreateSecret } from "./records.ts";
import { type Blobs, type Storage, StorageUnavailableError, type Work } from "./storage.ts";

/** Opens the storage in a data directory that only this process uses. */
export async function openFileStorage(
  dataDir: string,
  options: LinkOptions,
  log: Log,
  clock: Clock = systemClock,
): Promise<Storage> {
  const secret = await readOrCreateSecret(join(dataDir, "link-signing-key"));
  const queues = new Map<string, ReturnType<typeof createJobQueue>>();
  const locks = new Map<string, Promise<unknown>>();
  /** Work for a queue without a worker is dropped here; `findUnfinished` finds it when a worker starts. */
  const addWork = (id: string, work: Work) => queues.get(work.queue)?.add(id, work);
  const records: Storage["records"] = (collection, schema) =>
    openFileRecords(join(dataDir, ...collection.split("/")), schema, log, addWork);
  return {
    records,
    async startWork({ queue: name, concurrency, findUnfinished }, run) {
      const queue = createJobQueue(concurrency, run, log, clock);
      queues.set(name, queue);
      for (const { id, ...work } of await findUnfinished()) queue.add(id, work);
      return queue;
    },
    blobs: await openFileBlobs(join(dataDir, "blobs"), secret, options),
    exclusively(key, work) {
      const done = (locks.get(key) ?? Promise.resolve()).then(work, work);
      locks.set(key, done);
      const release = () => locks.get(key) === done && locks.delete(key);
      done.then(release, release);
      return done;
    },
    findProblem: async () => undefined,
    async [Symbol.asyncDispose]() {
      await Promise.all([...queues.values()].map((queue) => queue[Symbol.asyncDispose]()));
    },
  };
}

const retryAfterMs = 30_000;

/**
 * Creates an in-memory job queue. Jobs of the group that was served least recently run first. Disposal aborts the running jobs and waits for
 * them.
 *
 * @param run Runs a job and records its end. It is called again, as after a restart, while the storage is unavailable: the disk may be full.
 *   Any other rejection is a bug and is logged.
 */
function createJobQueue(
  concurrency: number,
  run: (id: string, signal: AbortSignal) => Promise<void>,
  log: Log,
  clock: Clock,
) {
  const waiting = new Map<string, Entry>();
  const running = new Map<string, Promise<void>>();
  let served = 0;
  /** For each group, the number of the job that was served last. */
  const lastServed = new Map<string, number>();
  const stop = new AbortController();

  const servedAt = ({ work }: Entry) => lastServed.get(work.group) ?? 0;
  const startWaiting = () => {
    while (!stop.signal.aborted && running.size < concurrency) {
      const ready = [...waiting.values()].filter(({ id }) => !running.has(id));
      const [next] = ready.sort((one, other) => servedAt(one) - servedAt(other));
      if (next === undefined) return;
      waiting.delete(next.work.key);
      served += 1;
      lastServed.set(next.work.group, served);
      running.set(next.id, runOne(next.id));
    }
  };
  const runOne = async (id: string): Promise<void> => {
    try {
      await run(id, stop.signal);
    } catch (error) {
      if (error instanceof StorageUnavailableError) {
        await clock.sleep(retryAfterMs, stop.signal).catch(() => undefined);
        if (!stop.signal.aborted) return runOne(id);
      } else log.warning(`Job ${id} stopped because of a bug: ${stackOf(error)}`);
    }
    running.delete(id);
    startWaiting();
  };
  return {
    /** Adds work on a record. It waits while other work on the same record is running. */
    add(id: string, work: Work): void {
      waiting.set(work.key, { id, work });
      startWaiting();
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(running.values());
    },
  };
}

interface Entry {
  readonly id: string;
  readonly work: Work;
}

interface LinkOptions {
  readonly lifetimeMs: number;
  /** Base URL for clients, without a trailing slash; known once the server listens. */
  readonly publicUrl: () => string;
  readonly now: () => number;
}

/** Opens the blobs in a folder, which is created if missing, and the routes that serve their links. */
async function openFileBlobs(directory: string, secret: Buffer, options: LinkOptions): Promise<Blobs> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const links = createBlobLinks(secret, options);
  const routes = new Hono();
  routes.get("/blobs/:name{.+}", etag(), async (call) => {
    const [name, query] = [call.req.param("name"), call.req.query()];
    const result = links.verify(name, query);
    if (result === "forged")
      return refuseLink(403, "SignatureDoesNotMatch", "The link's signature is not valid.");
    if (result === "expired") return refuseLink(403, "AccessDenied", "The link has expired.");
    call.header("cache-control", "private, no-cache");
    call.header("content-disposition", `attachment; filename="${query["file"]}"`);
    // The name can be the entity tag, because a blob never changes.
    const served = await serveFile(call, directory, name, `"${name}"`);
    return served ?? refuseLink(404, "NoSuchKey", "The file no longer exists.");
  });
  return {
    async publish(name, path) {
      const target = join(directory, name);
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await publishFile(path, target);
    },
    link: async (name, fileName) => links.sign(name, fileName),
    read: (name) => readIfPresent(join(directory, name)),
    async removeAll(prefix, except) {
      const folder = dirname(`${prefix}x`);
      const names = await readdir(join(directory, folder)).catch(() => []);
      for (const name of names.map((below) => `${folder}/${below}`))
        if (name.startsWith(prefix) && (except === undefined || !name.startsWith(except)))
          await rm(join(directory, name), { recursive: true, force: true });
      await rmdir(join(directory, folder)).catch(() => undefined);
    },
    routes,
  };
}

/**
 * Creates and verifies links to files. A link needs no API key and expires. Its signature is an HMAC-SHA256 over the blob's name, the
 * expiry, a nonce and the file name.
 */
export function createBlobLinks(secret: Buffer, { lifetimeMs, publicUrl, now }: LinkOptions) {
  const signatureOf = (name: string, { expires, nonce, file }: Readonly<Record<string, string>>) =>
    createHmac("sha256", secret)
      .update(JSON.stringify([name, expires, nonce, file]))
      .digest("base64url");
  return {
    sign(name: string, file: string) {
      const expires = Math.floor((now() + lifetimeMs) / 1000);
      const nonce = randomBytes(9).toString("base64url");
      const query = { expires: String(expires), nonce, file };
      const signed = new URLSearchParams({ ...query, signature: signatureOf(name, query) });
      return {
        url: new URL(`${publicUrl()}/blobs/${name}?${signed}`).href,
        expiresAt: new Date(expires * 1000).toISOString(),
      };
    },
    /** Verifies a link. An altered link is `forged` even if it has expired. */
    verify(name: string, query: Readonly<Record<string, string>>): "valid" | "expired" | "forged" {
      const { expires = "", signature = "" } = query;
      if (!isSameSecret(signature, signatureOf(name, query))) return "forged";
      return now() < Number(expires) * 1000 ? "valid" : "expired";
    },
  };
}

/** An error response in the format of S3. */
function refuseLink(status: 403 | 404, code: string, message: string): Response {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>\n`;
  return new Response(xml, { status, headers: { "content-type": "application/xml" } });
}
