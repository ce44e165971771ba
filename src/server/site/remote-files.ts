/** Fetches the remote pictures of an export. */
import { hash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProxySettings } from "../../base/http.ts";
import { classifyHost, createLinkPolicy, isLoopback, normalizeHost } from "../../base/network.ts";
import { userAgent } from "../../base/version.ts";
import { StorageConnection, StorageNetwork } from "../../bundle/storage-connection.ts";
import type { ResponseHead } from "../../bundle/storage-response.ts";
import { UnusableFileError } from "./content/docs-tree.ts";
import { sanitizeSvg } from "./content/sanitize-svg.ts";
import { assetsFolder } from "./routes.ts";

/** Path of a fetched picture, or the reason for a failure, which completes "it was not fetched: …". */
export type FetchedPicture = { readonly path: string } | { readonly problem: string };

/** Fetches a picture, once per URL. */
export type FetchPicture = (url: string) => Promise<FetchedPicture>;

/** Remote pictures, videos and frames become links, are kept as they are, or, for pictures, are fetched. */
export type RemoteMedia = "link" | "keep" | "fetch";

/** How remote files are treated and fetched. */
export interface RemoteMediaOptions {
  /** Default: `link`. */
  readonly remoteMedia?: RemoteMedia | undefined;
  readonly proxies?: ProxySettings | undefined;
  /** Hosts in private networks from which files may be fetched. */
  readonly allowedHosts?: readonly string[] | undefined;
}

const maxPictureBytes = 16 * 1024 * 1024;
const maxTotalBytes = 512 * 1024 * 1024;
const maxConcurrent = 6;
const maxMsPerFile = 20_000;
/** Total time for fetching the files of an export. */
const maxTotalMs = 10 * 60_000;

/** The format of a picture is detected by its first bytes, as names and servers are not trusted. */
const signatures: readonly (readonly [extension: string, start: RegExp])[] = [
  ["png", /^\x89PNG\r\n/],
  ["jpg", /^\xff\xd8\xff/],
  ["gif", /^GIF8[79]a/],
  ["webp", /^RIFF.{4}WEBP/s],
  ["avif", /^.{4}ftypavi[fs]/s],
  ["svg", /^(?:\xef\xbb\xbf)?\s*</],
];

/** The remote pictures of one export. */
export type PictureStore = ReturnType<typeof openPictureStore>;

/**
 * Opens a store that fetches the pictures of one export, each once, and keeps them in a folder until they are added to the bundle. It sends
 * no credentials. Only public https addresses are allowed, also after redirects and name resolution; an allowed loopback address may use
 * http.
 */
export function openPictureStore(
  folder: string,
  { proxies = {}, allowedHosts = [] }: RemoteMediaOptions,
  signal: AbortSignal,
) {
  const policy = createLinkPolicy(() => "public", allowedHosts);
  const network = new StorageNetwork(proxies, policy);
  const names = new Set<string>();
  const known = new Map<string, Promise<FetchedPicture>>();
  const slots: Promise<unknown>[] = [];
  let bytesLeft = maxTotalBytes;
  let end: AbortSignal | undefined;

  function parse(text: string, base?: URL): URL {
    const url = URL.parse(text, base?.href);
    if (url === null) throw new UnusableFileError("its URL is invalid");
    if (url.protocol !== "https:" && !isLoopback(url)) throw new UnusableFileError("its URL is not https");
    if (!policy(classifyHost(url) ?? "public", normalizeHost(url.hostname)))
      throw new UnusableFileError("its address is not public");
    return url;
  }

  async function fetchFile(href: string): Promise<Buffer> {
    end ??= AbortSignal.any([signal, AbortSignal.timeout(maxTotalMs)]);
    const deadline = AbortSignal.any([end, AbortSignal.timeout(maxMsPerFile)]);
    const chunks: Buffer[] = [];
    let length = 0;
    const begin = ({ status }: ResponseHead) => {
      if (status !== 200) throw new UnusableFileError(`its server responded with status ${status}`);
      return (bytes: Buffer) => {
        length += bytes.length;
        bytesLeft -= bytes.length;
        if (length > maxPictureBytes)
          throw new UnusableFileError(`it is larger than ${maxPictureBytes} bytes`);
        if (bytesLeft < 0)
          throw new UnusableFileError(`all files together are larger than ${maxTotalBytes} bytes`);
        // Copied, as the buffer is reused after the call.
        chunks.push(Buffer.from(bytes));
        return true;
      };
    };
    using connection = new StorageConnection(network);
    const headers = { accept: "image/*", "accept-encoding": "identity", "user-agent": userAgent };
    await connection.follow(parse(href), headers, deadline, begin, parse);
    return Buffer.concat(chunks);
  }

  async function fetchPicture(url: string): Promise<FetchedPicture> {
    signal.throwIfAborted();
    const picture = await fetchFile(url).then(readPicture).catch(describeFailure);
    signal.throwIfAborted();
    if (typeof picture === "string") return { problem: picture };
    const { extension, content } = picture;
    const name = `${hash("sha256", content).slice(0, 32)}.${extension}`;
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, name), content);
    names.add(name);
    return { path: pathOf(name) };
  }

  return {
    fetch(url: string): Promise<FetchedPicture> {
      const pending = known.get(url);
      if (pending !== undefined) return pending;
      // Each slot fetches its pictures one after the other.
      const slot = known.size % maxConcurrent;
      const picture = Promise.resolve(slots[slot]).then(() => fetchPicture(url));
      slots[slot] = picture.catch(() => undefined);
      known.set(url, picture);
      return picture;
    },
    /** The fetched pictures with their paths in the site, in an order that does not depend on the network. */
    async *files(): AsyncGenerator<readonly [path: string, content: Buffer]> {
      for (const name of [...names].sort()) yield [pathOf(name), await readFile(join(folder, name))];
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

function readPicture(bytes: Buffer) {
  const start = bytes.toString("latin1", 0, 256);
  const extension = signatures.find(([, pattern]) => pattern.test(start))?.[0];
  if (extension === undefined) throw new UnusableFileError("it is not a picture of a supported format");
  return { extension, content: extension === "svg" ? Buffer.from(sanitizeSvg(bytes)) : bytes };
}

function pathOf(name: string): string {
  return `${assetsFolder}/remote/${name}`;
}

function describeFailure(error: unknown): string {
  if (error instanceof UnusableFileError) return error.message;
  const { name, code } = error as { readonly name?: string; readonly code?: string };
  if (name === "TimeoutError") return "it took too long";
  if (code === "unexpected-response") return "its server has no public address, or sent an unusable response";
  return `its server cannot be reached (${code ?? name})`;
}
