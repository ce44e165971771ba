/** Bundles by their links, in the manner of object storage: signed, expiring, without a key, in parts, with errors in XML. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import type { HonoRequest } from "hono";

/** Makes and checks links to bundles, which cannot be altered: HMAC-SHA256 over job and expiry. */
export class BundleLinks {
  readonly #secret: Buffer;
  readonly #lifetimeMs: number;
  readonly #publicUrl: () => string;
  readonly #now: () => number;

  constructor(secret: Buffer, lifetimeMs: number, publicUrl: () => string, now: () => number) {
    this.#secret = secret;
    this.#lifetimeMs = lifetimeMs;
    this.#publicUrl = publicUrl;
    this.#now = now;
  }

  sign(jobId: string): { bundleUrl: string; expiresAt: string } {
    const expires = Math.floor((this.#now() + this.#lifetimeMs) / 1000);
    const url = new URL(`${this.#publicUrl()}/bundles/${jobId}/bundle.zip`);
    url.searchParams.set("expires", String(expires));
    url.searchParams.set("signature", this.#signatureOf(jobId, String(expires)));
    return { bundleUrl: url.href, expiresAt: new Date(expires * 1000).toISOString() };
  }

  /** What a link is worth; one that was altered is `forged`, also when it has expired. */
  verify(jobId: string, query: Readonly<Record<string, string>>): "valid" | "expired" | "forged" {
    const { expires = "", signature = "" } = query;
    const [given, expected] = [Buffer.from(signature), Buffer.from(this.#signatureOf(jobId, expires))];
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return "forged";
    return this.#now() < Number(expires) * 1000 ? "valid" : "expired";
  }

  #signatureOf(jobId: string, expires: string): string {
    return createHmac("sha256", this.#secret).update(`${jobId}\n${expires}`).digest("base64url");
  }
}

/** A refusal as object storage words it. */
export function refuseLink(status: 403 | 404, code: string, message: string): Response {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>\n`;
  return new Response(xml, { status, headers: { "content-type": "application/xml" } });
}

/** A zip that never changes under its name. */
interface ServedArchive {
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** Name that a browser saves it under. */
  readonly fileName: string;
}

/** Answers GET and HEAD for an archive: one range, a strong entity tag, preconditions (RFC 9110 §13, §14). */
export function serveArchive({ path, sizeBytes, sha256, fileName }: ServedArchive, request: HonoRequest) {
  const etag = `"${sha256}"`;
  const headers = new Headers({
    "accept-ranges": "bytes",
    "cache-control": "private, no-cache",
    "content-disposition": `attachment; filename="${fileName}"`,
    etag,
  });
  const listsTag = (list: string) =>
    list.trim() === "*" || list.split(",").some((tag) => tag.trim() === etag);
  if (!listsTag(request.header("if-match") ?? "*")) return new Response(null, { status: 412, headers });
  const ifNoneMatch = request.header("if-none-match")?.replaceAll("W/", "");
  if (ifNoneMatch !== undefined && listsTag(ifNoneMatch)) return new Response(null, { status: 304, headers });

  // A range means something on GET only (§14.2), and not to a client that holds a part of another version (§13.1.5).
  const isHead = request.method === "HEAD";
  const isUsable = !isHead && (request.header("if-range") ?? etag).trim() === etag;
  const range = isUsable ? parseRange(request.header("range") ?? "", sizeBytes) : undefined;
  if (range === "unsatisfiable") {
    headers.set("content-range", `bytes */${sizeBytes}`);
    return new Response(null, { status: 416, headers });
  }
  const { start, end } = range ?? { start: 0, end: sizeBytes - 1 };
  if (range !== undefined) headers.set("content-range", `bytes ${start}-${end}/${sizeBytes}`);
  headers.set("content-type", "application/zip");
  headers.set("content-length", String(end - start + 1));
  const body = isHead ? null : Readable.toWeb(createReadStream(path, { start, end }));
  return new Response(body, { status: range === undefined ? 200 : 206, headers });
}

/**
 * Reads one range of bytes, open or suffix; `end` is the last byte itself. Several ranges, other units and nonsense are
 * ignored, as the protocol allows (RFC 9110 §14.2): the answer is the whole file.
 */
function parseRange(header: string, size: number) {
  const { first = "", last = "" } =
    /^bytes=(?<first>\d*)-(?<last>\d*)$/i.exec(header.replaceAll(" ", ""))?.groups ?? {};
  if (first === "" && last === "") return undefined;
  if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  return start < size ? { start, end } : ("unsatisfiable" as const);
}
