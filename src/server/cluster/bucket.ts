/** Blobs in an S3-compatible bucket. */
import { openAsBlob } from "node:fs";
import { AwsClient } from "aws4fetch";
import { ActionError } from "../../base/errors.ts";
import { retry } from "../../base/retry.ts";
import { messageOf } from "../../base/text.ts";
import { type Blobs, StorageUnavailableError } from "../base/storage.ts";

/** The next step if the bucket cannot be used. */
export const bucketHint =
  "Check --bucket, --bucket-endpoint, the credentials in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and this machine's clock.";

export interface BucketOptions {
  /** `s3://bucket`, or `s3://bucket/folder`. */
  readonly bucket: string;
  readonly endpoint?: string | undefined;
  /** URL of the storage for clients that follow links; defaults to `endpoint`. */
  readonly linkEndpoint?: string | undefined;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
  readonly linkLifetimeMs: number;
}

const never = new AbortController().signal;

/** The platform's own object names contain no characters that XML escapes. */
const keyPattern = /<Key>([^<&]+)<\/Key>/g;

/** Codes of failures that pass, although their statuses are those of permanent ones: an upload that stalled or met another, a wrong clock. */
const temporaryCodes = /^(?:RequestTimeout|OperationAborted|RequestTimeTooSkewed)$/;

/** Opens the bucket. The first request is sent at the first use. */
export function openBucket(options: BucketOptions, now: () => number) {
  const { accessKeyId, secretAccessKey, sessionToken, region, linkLifetimeMs } = options;
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
  const client = new AwsClient({ ...credentials, region, service: "s3", retries: 0 });
  const [, bucket = "", folder = ""] = /^s3:\/\/([^/]+)\/?(.*?)\/?$/.exec(options.bucket) ?? [];
  const amazon = `s3.${region}.amazonaws.com`;
  // Amazon's certificate is not valid for a name with further dots.
  const defaultBase = bucket.includes(".") ? `https://${amazon}/${bucket}` : `https://${bucket}.${amazon}`;
  const base = (endpoint = options.endpoint) =>
    endpoint === undefined ? defaultBase : `${endpoint.replace(/\/+$/, "")}/${bucket}`;
  const root = folder === "" ? "" : `${folder}/`;
  const urlOf = (name: string, endpoint?: string) => `${base(endpoint)}/${root}${name}`;

  /** @throws {ActionError | StorageUnavailableError} if the status is not expected. */
  const send = async (
    url: string,
    init: { readonly method: string; readonly headers?: Record<string, string>; readonly path?: string },
    expected: readonly number[],
    signal?: AbortSignal,
  ): Promise<{ readonly status: number; readonly text: string }> => {
    const attempt = async () => {
      const { method, headers = {}, path } = init;
      // The client does not sign a digest of the body, which would require reading the file twice. TLS protects the upload.
      const body = path === undefined ? null : await openAsBlob(path);
      const timeout = signal ?? AbortSignal.timeout(60_000);
      const response = await client.fetch(url, { method, headers, body, signal: timeout });
      const { status } = response;
      const text = await response.text();
      if (expected.includes(status)) return { status, text };
      const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? "";
      const message = `Object storage responded with ${status} ${code}`.trimEnd();
      const isTemporary = (status >= 500 && status !== 501) || status === 429 || temporaryCodes.test(code);
      if (isTemporary) throw new StorageUnavailableError(message);
      throw new ActionError("rejected", message, { hint: bucketHint });
    };
    const retryAfterMs = (error: unknown) => (error instanceof ActionError ? undefined : 0);
    const timing = { attempts: 5, backoff: { baseMs: 500, maxMs: 5000 } };
    return retry(attempt, { ...timing, retryAfterMs, signal: signal ?? never }).catch((error: unknown) => {
      signal?.throwIfAborted();
      if (error instanceof ActionError || error instanceof StorageUnavailableError) throw error;
      const reason = messageOf((error as Error).cause ?? error);
      throw new StorageUnavailableError(`Object storage does not respond: ${reason}`, { cause: error });
    });
  };

  const list = async (prefix: string): Promise<string[]> => {
    const query = new URLSearchParams({ "list-type": "2", prefix: `${root}${prefix}` });
    const { text } = await send(`${base()}/?${query}`, { method: "GET" }, [200]);
    return [...text.matchAll(keyPattern)].map(([, key = ""]) => key.slice(root.length));
  };

  const blobs: Blobs = {
    async publish(name, path, signal) {
      const type = name.endsWith(".zip") ? "application/zip" : "text/plain";
      await send(urlOf(name), { method: "PUT", path, headers: { "content-type": type } }, [200], signal);
    },
    async link(name, fileName) {
      const url = new URL(urlOf(name, options.linkEndpoint));
      const expires = Math.floor((now() + linkLifetimeMs) / 1000);
      url.searchParams.set("X-Amz-Expires", String(Math.floor(linkLifetimeMs / 1000)));
      url.searchParams.set("response-content-disposition", `attachment; filename="${fileName}"`);
      const signed = await client.sign(url.href, { aws: { signQuery: true } });
      return { url: signed.url, expiresAt: new Date(expires * 1000).toISOString() };
    },
    async read(name) {
      const { status, text } = await send(urlOf(name), { method: "GET" }, [200, 404]);
      return status === 404 ? undefined : text;
    },
    async removeAll(prefix, except) {
      for (;;) {
        const names = (await list(prefix)).filter((name) => except === undefined || !name.startsWith(except));
        if (names.length === 0) return;
        for (const name of names) await send(urlOf(name), { method: "DELETE" }, [200, 204, 404]);
      }
    },
  };
  return {
    blobs,
    /** @throws {ActionError | StorageUnavailableError} if the bucket cannot be used. */
    check: () => list("none/").then(() => true),
  };
}
