/** Verified bundles that stay in the tool cache of a self-hosted runner, so that a later run downloads nothing. */
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

/**
 * Opens what this runner keeps of one job's bundle, by its digest and storage's entity tag; `undefined` where nothing
 * stays: on GitHub's own runners, whose disk is gone with the job, and outside of a runner.
 *
 * What is found was whole when it was kept, and must be checked again: other jobs write to the same disk. The file's name is the
 * entity tag, signed with the digest, so that none of them can put a bundle of its own there. Finding and keeping do not fail. Beyond
 * the bound, the least recently used are removed.
 *
 * @param job what tells the job from all others: the platform's address and the job's id
 * @param apiKey the platform's key, from which that of the signature is derived
 * @param maxBytes of all jobs together
 */
export async function openBundleCache(
  job: readonly string[],
  apiKey: string,
  { environment, log }: { readonly environment: Environment; readonly log: Log },
  maxBytes = 10_000_000_000,
) {
  const { RUNNER_TOOL_CACHE: cache, RUNNER_ENVIRONMENT: kind } = environment;
  if (!cache || kind === "github-hosted") {
    log.debug("This runner keeps no bundles.");
    return undefined;
  }
  // The library takes it from nowhere else.
  process.env["RUNNER_TOOL_CACHE"] = cache;
  const { cacheFile, find, findAllVersions } = await import("@actions/tool-cache");
  const root = join(cache, tool);
  const jobHash = createHash("sha256").update(JSON.stringify(job)).digest("hex").slice(0, 16);
  // The library wants versions; the letters keep a digest from being read as a number.
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

    /** Keeps a copy, instead of what was kept of the job before. */
    async save({ path, sha256 }: { path: string; sha256: string }, etag = ""): Promise<void> {
      if (!isStrongTag(etag)) return;
      const version = `${prefix}${sha256}`;
      const folder = await tolerate(log, async () => {
        for (const old of versionsOfJob()) await removeVersion(root, old);
        const [{ size }, { bavail, bsize }] = await Promise.all([lstat(path), statfs(cache)]);
        if (bavail * bsize < 2 * size) throw new Error("the disk has too little room for a copy");
        return cacheFile(path, signer.sign(etag, locate(sha256)), tool, version, architecture);
      });
      // What is half written is no use, but takes room.
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

/** Removes the least recently used beyond the bound, and with them what a killed run left half written. */
async function removeSurplus(root: string, maxBytes: number): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith(completeMark));
  const kept = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const { size, mtimeMs } = await lstat(join(parentPath, name));
      return { version: relative(root, parentPath).split(sep, 1)[0] ?? "", size, mtimeMs };
    }),
  );
  let bytes = 0;
  for (const { version, size } of kept.sort((one, other) => other.mtimeMs - one.mtimeMs)) {
    bytes += size;
    if (bytes > maxBytes) await removeVersion(root, version);
  }
}

async function removeVersion(root: string, version: string): Promise<void> {
  await rm(join(root, version), { recursive: true, force: true });
}

/** Whether a text is a strong entity tag (RFC 9110, section 8.8.3) that fits into a file's name. */
function isStrongTag(text: string): boolean {
  return /^"[\x21\x23-\x7e]{1,128}"$/.test(text);
}
