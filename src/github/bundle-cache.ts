/** Caches verified bundles in the tool cache of a self-hosted runner, so that a later run does not download them again. */
import { createHash, randomUUID } from "node:crypto";
import { copyFile, lstat, mkdir, readdir, rename, rm, statfs, utimes } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Environment, Log } from "../base/runtime.ts";
import { messageOf } from "../base/text.ts";
import { createRecordSigner } from "./record-signer.ts";

/** A strong entity tag (RFC 9110, section 8.8.3) that fits into a file's name. */
const strongTag = /^"[\x21\x23-\x7e]{1,80}"$/;

/**
 * Opens this runner's cache for the bundle of one export job. Returns `undefined` outside of a runner and on GitHub-hosted
 * runners, whose disks are deleted with the job.
 *
 * A cached bundle was verified when it was stored, and must be verified again, because other jobs can write to the same disk. Its
 * file name contains storage's entity tag, signed together with the digest, so that no other job can replace the bundle. `find` and
 * `save` never throw. If the cache exceeds `maxBytes`, the least recently used bundles are removed.
 *
 * @param job identifies the export job: the platform's URL and the job's ID
 * @param apiKey the platform's key, from which the signing key is derived
 * @param maxBytes limit for the bundles of all jobs
 */
export function openBundleCache(
  job: readonly string[],
  apiKey: string,
  { environment, log }: { readonly environment: Environment; readonly log: Log },
  maxBytes = 10_000_000_000,
) {
  const { RUNNER_TOOL_CACHE: toolCache, RUNNER_ENVIRONMENT: kind } = environment;
  if (!toolCache || kind === "github-hosted") {
    log.debug("This runner keeps no bundles.");
    return undefined;
  }
  const folder = join(toolCache, "docs-bundle");
  const jobHash = createHash("sha256").update(JSON.stringify(job)).digest("hex").slice(0, 16);
  const signer = createRecordSigner(apiKey);
  const locate = (sha256: string) => `v1 bundle job:${JSON.stringify(job)} sha256:${sha256}`;
  const namesOfJob = async () => (await readdir(folder)).filter((name) => name.startsWith(`${jobHash}-`));

  return {
    find: () =>
      tolerate(log, async () => {
        const [name = ""] = await namesOfJob();
        const [, sha256 = "", tag = ""] = /^\w+-([0-9a-f]{64})-(.+)$/.exec(name) ?? [];
        const signed = signer.read(tag, z.string(), [locate(sha256)]);
        const path = join(folder, name);
        if (signed.kind !== "valid" || !(await lstat(path)).isFile()) return undefined;
        await utimes(path, new Date(), new Date());
        return { path, sha256, etag: signed.value };
      }),

    /** Stores a copy and removes earlier bundles of the job. */
    async save({ path, sha256 }: { path: string; sha256: string }, etag = ""): Promise<void> {
      if (!strongTag.test(etag)) return;
      const partial = join(folder, `${randomUUID()}.partial`);
      await tolerate(log, async () => {
        await mkdir(folder, { recursive: true });
        for (const name of await namesOfJob()) await remove(join(folder, name));
        const [{ size }, { bavail, bsize }] = await Promise.all([lstat(path), statfs(folder)]);
        if (bavail * bsize < 2 * size) throw new Error("the disk has too little room for a copy");
        await copyFile(path, partial);
        await rename(partial, join(folder, `${jobHash}-${sha256}-${signer.sign(etag, locate(sha256))}`));
        await removeSurplus(folder, maxBytes);
      });
      await tolerate(log, () => remove(partial));
    },
  };
}

async function tolerate<T>(log: Log, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    log.debug(`The bundles that this runner keeps: ${messageOf(error)}`);
    return undefined;
  }
}

/** Removes the least recently used bundles above the limit, including partial copies of runs that were killed. */
async function removeSurplus(folder: string, maxBytes: number): Promise<void> {
  const paths = (await readdir(folder)).map((name) => join(folder, name));
  const files = await Promise.all(paths.map(async (path) => ({ path, ...(await lstat(path)) })));
  let bytes = 0;
  for (const { path, size } of files.sort((one, other) => other.mtimeMs - one.mtimeMs)) {
    bytes += size;
    if (bytes > maxBytes) await remove(path);
  }
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}
