/** Files that lie elsewhere, fetched while a site is exported: its pictures, and the OpenAPI documents that it names. */
import { createHash } from "node:crypto";
import type { ProxySettings } from "../../base/http.ts";
import { classifyHost, createLinkPolicy, isLoopback, normalizeHost } from "../../base/network.ts";
import { StorageConnection, StorageNetwork } from "../../bundle/storage-connection.ts";
import { UnusableFileError } from "./content/docs-tree.ts";
import { sanitizeSvg } from "./content/sanitize-svg.ts";
import { assetsFolder } from "./routes.ts";

/** Path of a picture in the site, or why it has none; the reason completes "it was not fetched: …". */
export type FetchedPicture = { readonly path: string } | { readonly problem: string };

/** Fetches the picture at an address; one that was asked for before is not fetched again. */
export type FetchPicture = (address: string) => Promise<FetchedPicture>;

/** What becomes of pictures, videos and frames from elsewhere: links, what is written, or, for pictures, files of the site. */
export type RemoteMedia = "link" | "keep" | "fetch";

/** What becomes of files from elsewhere, and how they are fetched. */
export interface RemoteOptions {
  /** Of media; links unless set. With `fetch`, OpenAPI documents that the configuration names by an address are fetched too. */
  readonly remoteMedia?: RemoteMedia | undefined;
  readonly proxies?: ProxySettings | undefined;
  /** Hosts that files may be fetched from although they are in no public network. */
  readonly allowedHosts?: readonly string[] | undefined;
}

/** Fetches a file at an address. @throws {UnusableFileError} when it cannot be had; the message completes "it was not fetched: …". */
export type FetchFile = (address: string, accept: string, maxBytes: number) => Promise<Buffer>;

const maxPictureBytes = 16 * 1024 * 1024;
const maxTotalBytes = 512 * 1024 * 1024;
const maxPictures = 10_000;
const maxRedirects = 5;
const maxAtOnce = 6;
const maxMsPerFile = 20_000;
/** From the first file of an export to its last. */
const maxTotalMs = 10 * 60_000;

/** What may be in a picture is said by its first bytes, never by its name or its server. */
const signatures: readonly (readonly [extension: string, start: RegExp])[] = [
  ["png", /^\x89PNG\r\n/],
  ["jpg", /^\xff\xd8\xff/],
  ["gif", /^GIF8[79]a/],
  ["webp", /^RIFF.{4}WEBP/s],
  ["avif", /^.{4}ftypavi[fs]/s],
  ["svg", /^(?:\xef\xbb\xbf)?\s*</],
];

/**
 * Creates the fetcher of one export; `undefined`: nothing is fetched. It sends no credentials, and goes to public https addresses
 * only, also after a redirect and whatever a name server answers; an allowed loopback address may be http.
 */
export function createFileFetcher(
  { remoteMedia, proxies = {}, allowedHosts = [] }: RemoteOptions,
  signal: AbortSignal,
): FetchFile | undefined {
  if (remoteMedia !== "fetch") return undefined;
  const policy = createLinkPolicy(() => "public", allowedHosts);
  const network = new StorageNetwork(proxies, policy);
  let bytesLeft = maxTotalBytes;
  let end: AbortSignal | undefined;

  /** What is at an address, or the address that it forwards to. */
  async function get(
    url: URL,
    accept: string,
    maxBytes: number,
    deadline: AbortSignal,
  ): Promise<Buffer | string> {
    if (url.protocol !== "https:" && !isLoopback(url))
      throw new UnusableFileError("its address is not https");
    if (!policy(classifyHost(url) ?? "public", normalizeHost(url.hostname)))
      throw new UnusableFileError("its address is not a public one");
    const chunks: Buffer[] = [];
    let length = 0;
    let location: string | undefined;
    using connection = new StorageConnection(network);
    const headers = { accept, "accept-encoding": "identity", "user-agent": "docs-export" };
    await connection.get(url, headers, deadline, ({ status, headers: fields }) => {
      location = status >= 300 && status < 400 ? fields.get("location") : undefined;
      if (status !== 200 && location === undefined)
        throw new UnusableFileError(`its server answered ${status}`);
      return (bytes) => {
        if (location !== undefined) return false;
        length += bytes.length;
        bytesLeft -= bytes.length;
        if (length > maxBytes) throw new UnusableFileError(`it has more than ${maxBytes} bytes`);
        if (bytesLeft < 0) throw new UnusableFileError(`all files have more than ${maxTotalBytes} bytes`);
        // They are not valid after the call.
        chunks.push(Buffer.from(bytes));
        return true;
      };
    });
    return location ?? Buffer.concat(chunks);
  }

  return async (address, accept, maxBytes) => {
    end ??= AbortSignal.any([signal, AbortSignal.timeout(maxTotalMs)]);
    signal.throwIfAborted();
    try {
      const deadline = AbortSignal.any([end, AbortSignal.timeout(maxMsPerFile)]);
      let url = URL.parse(address);
      for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
        if (url === null) throw new UnusableFileError("it has no valid address");
        const answer = await get(url, accept, maxBytes, deadline);
        if (typeof answer !== "string") return answer;
        url = URL.parse(answer, url.href);
      }
      throw new UnusableFileError("its server forwards too often");
    } catch (cause) {
      signal.throwIfAborted();
      throw new UnusableFileError(describeFailure(cause), { cause });
    }
  };
}

/** Path in the site of a picture that was fetched. */
export function pathOfPicture(name: string): string {
  return `${assetsFolder}/remote/${name}`;
}

/** Creates the fetcher of one export's pictures. @param keep gets each under its name in the site */
export function createPictureFetcher(
  fetchFile: FetchFile,
  keep: (name: string, content: Uint8Array) => Promise<void>,
): FetchPicture {
  const known = new Map<string, Promise<FetchedPicture>>();
  const slots: Promise<unknown>[] = [];

  async function fetchPicture(address: string): Promise<FetchedPicture> {
    try {
      const bytes = await fetchFile(address, "image/*", maxPictureBytes);
      const start = bytes.toString("latin1", 0, 256);
      const extension = signatures.find(([, pattern]) => pattern.test(start))?.[0];
      if (extension === undefined) return { problem: "it is no picture of a known kind" };
      const content = extension === "svg" ? Buffer.from(sanitizeSvg(bytes)) : bytes;
      const digest = createHash("sha256").update(content).digest("hex").slice(0, 32);
      const name = `${digest}.${extension}`;
      await keep(name, content);
      return { path: pathOfPicture(name) };
    } catch (error) {
      if (!(error instanceof UnusableFileError)) throw error;
      return { problem: error.message };
    }
  }

  return (address) => {
    const asked = known.get(address);
    if (asked !== undefined) return asked;
    if (known.size >= maxPictures)
      return Promise.resolve({ problem: `there are more than ${maxPictures} pictures` });
    // Each slot is a line of pictures that are fetched one after the other.
    const slot = known.size % maxAtOnce;
    const picture = Promise.resolve(slots[slot]).then(() => fetchPicture(address));
    slots[slot] = picture.catch(() => undefined);
    known.set(address, picture);
    return picture;
  };
}

/** What another host answers is never shown, only what went wrong with it. */
function describeFailure(error: unknown): string {
  if (error instanceof UnusableFileError) return error.message;
  const { name, code } = error as { readonly name?: string; readonly code?: string };
  if (name === "TimeoutError") return "it took too long";
  if (code === "unexpected-response") return "its server is at no public address, or gives no usable answer";
  return `its server was not reached (${code ?? name})`;
}
