/**
 * What one attempt of a workflow run leaves to the next: a word, signed, in the key of an entry of the repository's cache. It
 * needs no permission, and unlike an artifact it is still there when all jobs of the run are started again.
 */
import { createHash } from "node:crypto";
import { text } from "node:stream/consumers";
import * as z from "zod/mini";
import { HttpClient, readProxySettings } from "../base/http.ts";
import { type RetryDeps, retry } from "../base/retry.ts";
import type { Environment, Log } from "../base/runtime.ts";
import { messageOf, parseJson } from "../base/text.ts";
import { userAgent } from "../base/version.ts";
import { createRecordSigner, signedForm } from "./record-signer.ts";

type RunRecordDeps = RetryDeps & {
  readonly environment: Environment;
  readonly log: Log;
  readonly redact: (text: string) => string;
};

/** Answers of the cache service (Twirp, `github.actions.results.api.v1.CacheService`), in either spelling of its JSON. */
const CacheAnswer = z.object({
  matched_key: z.optional(z.string()),
  matchedKey: z.optional(z.string()),
  signed_upload_url: z.optional(z.string()),
  signedUploadUrl: z.optional(z.string()),
});

/** The key says it all, but an entry must have some content. */
const content = "docs-automation";
const entryVersion = createHash("sha256").update(content).digest("hex");
const timeLimitMs = 10_000;

/**
 * Opens the record of this workflow run about a subject; steps with the same subject share it. A failure is told in the log,
 * and the run goes on without the record.
 *
 * @param apiKey the platform's key, from which that of the signature is derived
 * @returns `undefined` outside a run, and on servers without the cache service.
 */
export function openRunRecord(subject: string, apiKey: string, deps: RunRecordDeps) {
  const { environment, log, signal } = deps;
  const {
    ACTIONS_RESULTS_URL: service = "",
    ACTIONS_RUNTIME_TOKEN: token,
    GITHUB_RUN_ID: runId,
    GITHUB_REPOSITORY_ID: repositoryId,
  } = environment;
  if (!environment["ACTIONS_CACHE_SERVICE_V2"] || !URL.canParse(service)) return undefined;
  if (!token || !runId || !repositoryId) return undefined;
  const attempt = Number(environment["GITHUB_RUN_ATTEMPT"] ?? 1);
  const digest = createHash("sha256").update(subject).digest("hex");
  const location = `v1 run repository:${repositoryId} run:${runId} subject:${digest}`;
  const prefix = `docs-automation-${runId}-${digest.slice(0, 16)}-`;
  const signer = createRecordSigner(apiKey, deps.redact);

  const send = (method: string, url: URL, headers: Record<string, string>, body: string) =>
    retry(
      async (attempt) => {
        const http = new HttpClient(readProxySettings(environment));
        try {
          const request = { method, headers: { ...headers, "user-agent": userAgent }, body };
          const options = { signal, log, attempt, headersTimeoutMs: timeLimitMs };
          const response = await http.send(url, { ...request, ...options });
          const answer = await text(response);
          const { statusCode: status = 0 } = response;
          if (status < 200 || status >= 300) throw new Error(`the cache service answered ${status}`);
          return CacheAnswer.safeParse(parseJson(answer)).data ?? {};
        } finally {
          http.close();
        }
      },
      { ...deps, attempts: 3, retryAfterMs: () => 0 },
    );
  const call = (method: string, body: object) => {
    const url = new URL(`/twirp/github.actions.results.api.v1.CacheService/${method}`, service);
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    return send("POST", url, headers, JSON.stringify({ ...body, version: entryVersion }));
  };
  return {
    /** What an earlier attempt of this run wrote last. */
    async read(): Promise<string | undefined> {
      if (attempt <= 1) return undefined;
      try {
        const found = await call("GetCacheEntryDownloadURL", { key: prefix, restore_keys: [prefix] });
        const key = found.matched_key ?? found.matchedKey ?? "";
        const signed = new RegExp(`^${prefix}\\d+-(${signedForm})$`).exec(key)?.[1] ?? "";
        const reading = signer.read(signed, z.string(), [location]);
        return reading.kind === "valid" ? reading.value : undefined;
      } catch (error) {
        signal.throwIfAborted();
        log.warning(`What an earlier attempt of this run started could not be read: ${messageOf(error)}.`);
        return undefined;
      }
    },
    async write(word: string): Promise<void> {
      const key = `${prefix}${attempt}-${signer.sign(word, location)}`;
      try {
        const created = await call("CreateCacheEntry", { key });
        const url = URL.parse(created.signed_upload_url ?? created.signedUploadUrl ?? "");
        // There is such an entry already.
        if (url === null) return;
        const headers = { "x-ms-blob-type": "BlockBlob", "content-type": "application/octet-stream" };
        await send("PUT", url, headers, content);
        await call("FinalizeCacheEntryUpload", { key, size_bytes: String(content.length) });
      } catch (error) {
        signal.throwIfAborted();
        const reason = messageOf(error);
        log.info(`A re-run will not know what this run started, for it could not be kept: ${reason}.`);
      }
    },
  };
}
