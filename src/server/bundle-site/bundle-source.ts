/** Where a deployment gets its bundle from: a file, or a link. */
import { rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Dispatcher, EnvHttpProxyAgent, request } from "undici";
import { type Log, systemClock } from "../../base/runtime.ts";
import { downloadBundle } from "../../bundle/download.ts";
import { BundleError } from "../../bundle/errors.ts";
import { describeUrl } from "../../bundle/transfer/bundle-link.ts";

/** An archive on disk, until it is disposed of. */
export interface FetchedArchive extends AsyncDisposable {
  readonly path: string;
}

export interface BundleSource {
  /** What may be shown of it: for a link, without its secrets. */
  readonly name: string;
  /** Changes when the content does, as far as it can be told without fetching it; `undefined` if it cannot. */
  readonly fingerprint: (signal: AbortSignal) => Promise<string | undefined>;
  /** @throws {BundleError} when it cannot be fetched. */
  readonly fetch: (signal: AbortSignal) => Promise<FetchedArchive>;
}

interface SourceDeps {
  /** Folder for what is being fetched. */
  readonly dataDir: string;
  readonly log: Log;
}

/** A source by what a person gave: a path or an http(s) link. */
export function createBundleSource(source: string, deps: SourceDeps): BundleSource & AsyncDisposable {
  return /^https?:\/\//i.test(source) ? createLinkSource(source, deps) : createFileSource(resolve(source));
}

function createFileSource(path: string): BundleSource & AsyncDisposable {
  return {
    name: path,
    async fingerprint() {
      const { size, mtimeMs, ino } = await requireFile(path);
      return `${ino}-${size}-${mtimeMs}`;
    },
    async fetch() {
      await requireFile(path);
      return { path, [Symbol.asyncDispose]: () => Promise.resolve() };
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function requireFile(path: string) {
  const found = await stat(path).catch((error: unknown) => {
    throw new BundleError("not-found", `There is no bundle at ${path}.`, {
      hint: "Give the path of a bundle, or its link.",
      cause: error,
    });
  });
  if (found.isFile()) return found;
  throw new BundleError("not-found", `${path} is not a file.`, {
    hint: "Give the path of a bundle, or its link.",
  });
}

function createLinkSource(url: string, { dataDir, log }: SourceDeps): BundleSource & AsyncDisposable {
  const dispatcher = new EnvHttpProxyAgent();
  return {
    name: describeUrl(new URL(url)),
    fingerprint: (signal) => readEntityTag(url, { dispatcher, signal }),
    async fetch(signal) {
      const path = join(dataDir, "incoming");
      await downloadBundle(
        { path, maxBytes: Number.MAX_SAFE_INTEGER },
        { getLink: async () => ({ url }), dispatcher, clock: systemClock, log, signal },
      );
      return { path, [Symbol.asyncDispose]: () => rm(path, { force: true }) };
    },
    [Symbol.asyncDispose]: () => dispatcher.close(),
  };
}

/** A presigned link allows GET only, so the first byte is asked for instead of the head. */
async function readEntityTag(
  url: string,
  { dispatcher, signal }: { dispatcher: Dispatcher; signal: AbortSignal },
): Promise<string | undefined> {
  const { statusCode, headers, body } = await request(url, {
    dispatcher,
    signal,
    headers: { range: "bytes=0-0" },
  });
  await body.dump({ limit: 1024, signal });
  const isOk = statusCode === 200 || statusCode === 206;
  return isOk && typeof headers.etag === "string" ? headers.etag : undefined;
}
