/** Caches verified bundles in the tool cache of a self-hosted runner, so that a later run does not download them again. */
import { createHash } from "node:crypto";
import { lstat, readdir, rm, statfs, utimes } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import * as z from "zod/mini";
import type { Environment, Log } from "../base/runtime.ts";
import { messageOf } from "../base/text.ts";
import { createRecordSigner } from "./record-signer.ts";

const tool = "docs-bundle";
/** A bundle is the same on every machine. */
const architecture = "any";
const completeMark = ".complete";
/** A strong entity tag (RFC 9110, section 8.8.3) that fits into a file's name. */
const strongTag = /^"[\x21\x23-\x7e]{1,128}"$/;

/**
 * Opens this runner's cache for the bundle of one export job. Returns `undefined` outside of a runner and on GitHub-hosted
 * runners, whose disks are deleted with the job.
 *
 * A cached bundle was verified when it was stored, and must be verified again, because other jobs can write to the same disk. Its
 * file name is storage's entity tag, signed together with the digest, so that no other job can replace the bundle. `find` and
 * `save` never throw. If the cache exceeds `maxBytes`, the least recently used bundles are removed.
 *
 * @param job identifies the export job: the platform's URL and the job's ID
 * @param apiKey the platform's key, from which the signing key is derived
 * @param maxBytes limit for the bundles of all jobs
 */
export async function openBundleCache(
  job: readonly string[],
  apiKey: string,
  { environment, log }: { readonly environment: Environment; readonly log: Log },
  maxBytes = 10_000_000_000,
) {
  const { RUNNER_TOOL_CACHE: cache, RUNNER_ENVIRONMENT: kind } = environment;
  if (!cache || kind === "github-hosted") return undefined;
  // The library reads this variable only.
  process.env["RUNNER_TOOL_CACHE"] = cache;
  const { cacheFile, find, findAllVersions } = await import("@actions/tool-cache");
  const root = join(cache, tool);
  const jobHash = createHash("sha256").update(JSON.stringify(job)).digest("hex").slice(0, 16);
  // The library requires semantic versions; the letters keep a digest from being parsed as a number.
  const prefix = `0.0.0-job-${jobHash}-sha256-`;
  const signer = createRecordSigner(apiKey);
  const locate = (sha256: string) => `v1 bundle job:${JSON.stringify(job)} sha256:${sha256}`;
  const versionsOfJob = () => findAllVersions(tool, architecture).filter((name) => name.startsWith(prefix));

  return {
    find: () =>
      tolerate(log, async () => {
        const [version = ""] = versionsOfJob();
        if (version === "") return undefined;
        const folder = find(tool, version, architecture);
        const [name = ""] = await readdir(folder);
        const path = join(folder, name);
        const sha256 = version.slice(prefix.length);
        const signed = signer.read(name, z.string(), [locate(sha256)]);
        if (signed.kind !== "valid" || !(await lstat(path)).isFile()) return undefined;
        await utimes(path, new Date(), new Date());
        return { path, sha256, etag: signed.value };
      }),

    /** Stores a copy and removes earlier bundles of the job. */
    async save({ path, sha256 }: { path: string; sha256: string }, etag = ""): Promise<void> {
      if (!strongTag.test(etag)) return;
      const version = `${prefix}${sha256}`;
      const folder = await tolerate(log, async () => {
        for (const old of versionsOfJob()) await removeVersion(root, old);
        const [{ size }, { bavail, bsize }] = await Promise.all([lstat(path), statfs(cache)]);
        if (bavail * bsize < 2 * size) throw new Error("the disk has too little room for a copy");
        return cacheFile(path, signer.sign(etag, locate(sha256)), tool, version, architecture);
      });
      // A partial copy is useless and takes disk space.
      await tolerate(log, () => (folder ? removeSurplus(root, maxBytes) : removeVersion(root, version)));
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
async function removeSurplus(root: string, maxBytes: number): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith(completeMark));
  const cached = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const { size, mtimeMs } = await lstat(join(parentPath, name));
      return { version: relative(root, parentPath).split(sep, 1)[0] ?? "", size, mtimeMs };
    }),
  );
  let bytes = 0;
  for (const { version, size } of cached.sort((one, other) => other.mtimeMs - one.mtimeMs)) {
    bytes += size;
    if (bytes > maxBytes) await removeVersion(root, version);
  }
}

async function removeVersion(root: string, version: string): Promise<void> {
  await rm(join(root, version), { recursive: true, force: true });
}
