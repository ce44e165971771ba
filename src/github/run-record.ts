/**
 * A value that one attempt of a workflow run leaves for the next attempt, signed, in the key of a cache entry. Unlike an
 * artifact, a cache entry needs no permission and still exists when all jobs of the run are run again.
 */
import { createHash } from "node:crypto";
import { addAbortListener } from "node:events";
import * as z from "zod/mini";
import type { RetryDeps } from "../base/retry.ts";
import type { Environment, Log } from "../base/runtime.ts";
import { endWithPeriod, messageOf } from "../base/text.ts";
import { createRecordSigner, signedForm } from "./record-signer.ts";
import { ResultsService } from "./results-service.ts";

type RunRecordDeps = RetryDeps & {
  readonly environment: Environment;
  readonly log: Log;
  readonly redact: (text: string) => string;
};

/** The key holds the value, but the service refuses an empty entry. */
const content = "docs-automation";
const entryVersion = createHash("sha256").update(content).digest("hex");

/**
 * Opens the record that this workflow run keeps about a subject; steps with the same subject share it. A failure is logged,
 * and the run continues without the record.
 *
 * @param apiKey the platform's key, from which the signing key is derived
 * @param graceMs how long a cancelled run may write: it has only seconds left
 * @returns `undefined` outside of a run, and on servers without the cache service.
 */
export function openRunRecord(subject: string, apiKey: string, deps: RunRecordDeps, graceMs = 4_000) {
  const { clock, environment, log, signal } = deps;
  const {
    ACTIONS_RESULTS_URL: url = "",
    ACTIONS_RUNTIME_TOKEN: token,
    GITHUB_RUN_ID: runId,
    GITHUB_REPOSITORY_ID: repositoryId,
  } = environment;
  if (!environment["ACTIONS_CACHE_SERVICE_V2"] || !URL.canParse(url)) return undefined;
  if (!token || !runId || !repositoryId) return undefined;
  const attempt = Number(environment["GITHUB_RUN_ATTEMPT"] ?? 1);
  const digest = createHash("sha256").update(subject).digest("hex");
  const location = `v1 run repository:${repositoryId} run:${runId} subject:${digest}`;
  const prefix = `docs-automation-${runId}-${digest.slice(0, 16)}-`;
  const signer = createRecordSigner(apiKey, deps.redact);
  const options = { service: "CacheService", environment, attempts: 3, timeoutMs: 10_000 } as const;

  return {
    /** The value that an earlier attempt of this run wrote last. */
    async read(): Promise<string | undefined> {
      if (attempt <= 1) return undefined;
      try {
        using service = new ResultsService(options, deps);
        const request = { key: prefix, restore_keys: [prefix], version: entryVersion };
        const { matched_key: key } = await service.call("GetCacheEntryDownloadURL", request);
        const signed = new RegExp(`^${prefix}\\d+-(${signedForm})$`).exec(String(key))?.[1] ?? "";
        const reading = signer.read(signed, z.string(), [location]);
        return reading.kind === "valid" ? reading.value : undefined;
      } catch (error) {
        signal.throwIfAborted();
        log.warning(`Could not read what an earlier attempt of this run started: ${messageOf(error)}.`);
        return undefined;
      }
    },
    /** Also writes for a cancelled run, whose job continues. Returns whether a re-run can read the value. */
    async write(value: string): Promise<boolean> {
      const signed = signer.sign(value, location);
      const stop = new AbortController();
      let timer: NodeJS.Timeout | undefined;
      using _listening = addAbortListener(signal, () => {
        timer = setTimeout(() => stop.abort(signal.reason), graceMs);
      });
      try {
        using service = new ResultsService(options, { ...deps, signal: stop.signal });
        // A key may be taken by an entry without content, whose creation succeeded although its response was lost.
        for (const number of [attempt, clock.now()]) {
          const entry = { key: `${prefix}${number}-${signed}`, version: entryVersion };
          const { signed_upload_url: link, message } = await service.call("CreateCacheEntry", entry);
          // Runs of events that anyone can cause may only read the cache.
          if (String(message).startsWith("cache write denied")) throw new Error(String(message));
          if (typeof link !== "string" || !URL.canParse(link)) continue;
          const headers = { "x-ms-blob-type": "BlockBlob", "content-type": "application/octet-stream" };
          await service.put(new URL(link), content, headers);
          const size = String(content.length);
          const { ok } = await service.call("FinalizeCacheEntryUpload", { ...entry, size_bytes: size });
          if (ok !== true) throw new Error("the cache service did not complete the entry");
          return true;
        }
        throw new Error("the cache service returned no upload link");
      } catch (error) {
        log.info(
          `A re-run cannot resume what this run started, because saving it failed: ${endWithPeriod(messageOf(error))}`,
        );
        return false;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
