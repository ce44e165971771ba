/** Pictures that lie elsewhere, fetched into a site while it is exported. */
import { createHash } from "node:crypto";
import type { ProxySettings } from "../../base/http.ts";
import { bareHost, isLoopback, type LinkPolicy, networkOfHost } from "../../base/network.ts";
import { StorageConnection, StorageNetwork } from "../../bundle/storage-connection.ts";
import { UnusableFileError } from "./content/docs-tree.ts";
import { sanitizeSvg } from "./content/sanitize-svg.ts";
import { assetsFolder } from "./routes.ts";

/** Path of a picture in the site, or why it has none; the reason completes "it was not fetched: …". */
export type FetchedPicture = { readonly path: string } | { readonly problem: string };

/** Fetches the picture at an address; one that was asked for before is not fetched again. */
export type FetchPicture = (address: string) => Promise<FetchedPicture>;

const maxPictureBytes = 16 * 1024 * 1024;
const maxTotalBytes = 512 * 1024 * 1024;
const maxPictures = 10_000;
const maxRedirects = 5;
const maxAtOnce = 6;
const maxMsPerPicture = 20_000;
/** From the first picture of an export to its last. */
const maxTotalMs = 10 * 60_000;
const headers = { accept: "image/*", "accept-encoding": "identity", "user-agent": "docs-export" };

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
 * Creates the fetcher of one export. It sends no credentials, and goes to public https addresses only, also after a redirect
 * and whatever a name server answers; a loopback address may be http, where the policy allows that address.
 *
 * @param write keeps a file of the site
 */
export function createPictureFetcher(
  { proxies, policy }: { readonly proxies: ProxySettings; readonly policy: LinkPolicy },
  write: (path: string, content: Uint8Array) => Promise<void>,
  signal: AbortSignal,
): FetchPicture {
  const network = new StorageNetwork(proxies, policy);
  const known = new Map<string, Promise<FetchedPicture>>();
  const slots: Promise<unknown>[] = Array.from({ length: maxAtOnce }, () => Promise.resolve());
  let bytesLeft = maxTotalBytes;
  let end: AbortSignal | undefined;

  async function fetchPicture(address: string): Promise<FetchedPicture> {
    end ??= AbortSignal.any([signal, AbortSignal.timeout(maxTotalMs)]);
    signal.throwIfAborted();
    try {
      const deadline = AbortSignal.any([end, AbortSignal.timeout(maxMsPerPicture)]);
      const bytes = await download(new URL(address), deadline);
      const start = bytes.toString("latin1", 0, 256);
      const extension = signatures.find(([, pattern]) => pattern.test(start))?.[0];
      if (extension === undefined) return { problem: "it is no picture of a known kind" };
      const content = extension === "svg" ? Buffer.from(sanitizeSvg(bytes)) : bytes;
      const digest = createHash("sha256").update(content).digest("hex").slice(0, 32);
      const path = `${assetsFolder}/remote/${digest}.${extension}`;
      await write(path, content);
      return { path };
    } catch (error) {
      signal.throwIfAborted();
      return { problem: describeFailure(error) };
    }
  }

  async function download(first: URL, deadline: AbortSignal): Promise<Buffer> {
    let url = first;
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const answer = await get(url, deadline);
      if (typeof answer !== "string") return answer;
      const next = URL.parse(answer, url.href);
      if (next === null) throw new UnusableFileError("its server forwards to no address");
      url = next;
    }
    throw new UnusableFileError("its server forwards too often");
  }

  /** What is at an address, or the address that it forwards to. */
  async function get(url: URL, deadline: AbortSignal): Promise<Buffer | string> {
    if (url.protocol !== "https:" && !isLoopback(url))
      throw new UnusableFileError("its address is not https");
    if (!policy(networkOfHost(url) ?? "public", bareHost(url.hostname)))
      throw new UnusableFileError("its address is not a public one");
    const chunks: Buffer[] = [];
    let length = 0;
    let location: string | undefined;
    using connection = new StorageConnection(network);
    await connection.get(url, headers, deadline, ({ status, headers: fields }) => {
      location = status >= 300 && status < 400 ? fields.get("location") : undefined;
      if (status !== 200 && location === undefined)
        throw new UnusableFileError(`its server answered ${status}`);
      return (bytes) => {
        if (location !== undefined) return false;
        length += bytes.length;
        bytesLeft -= bytes.length;
        if (length > maxPictureBytes)
          throw new UnusableFileError(`it has more than ${maxPictureBytes} bytes`);
        if (bytesLeft < 0) throw new UnusableFileError(`all pictures have more than ${maxTotalBytes} bytes`);
        // They are not valid after the call.
        chunks.push(Buffer.from(bytes));
        return true;
      };
    });
    return location ?? Buffer.concat(chunks);
  }

  return (address) => {
    const asked = known.get(address);
    if (asked !== undefined) return asked;
    if (known.size >= maxPictures)
      return Promise.resolve({ problem: `there are more than ${maxPictures} pictures` });
    // Each slot is a line of pictures that are fetched one after the other.
    const slot = known.size % maxAtOnce;
    const picture = (slots[slot] ?? Promise.resolve()).then(() => fetchPicture(address));
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
