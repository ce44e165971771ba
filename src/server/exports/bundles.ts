/** Bundles by their links, in the manner of object storage: signed, expiring, without a key, in parts, with errors in XML. */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import type { HonoRequest } from "hono";

/**
 * Makes and checks links to bundles, signed with a secret (HMAC-SHA256 over job, expiry and a random word): they need no key,
 * expire, cannot be altered, and no two are the same.
 */
export function createBundleLinks(
  secret: Buffer,
  lifetimeMs: number,
  publicUrl: () => string,
  now: () => number,
) {
  const signatureOf = (jobId: string, expires: string, nonce: string) =>
    createHmac("sha256", secret).update(`${jobId}\n${expires}\n${nonce}`).digest("base64url");
  return {
    sign(jobId: string) {
      const expires = Math.floor((now() + lifetimeMs) / 1000);
      const nonce = randomBytes(9).toString("base64url");
      const url = new URL(`${publicUrl()}/bundles/${jobId}/bundle.zip`);
      url.searchParams.set("expires", String(expires));
      url.searchParams.set("nonce", nonce);
      url.searchParams.set("signature", signatureOf(jobId, String(expires), nonce));
      return { bundleUrl: url.href, expiresAt: new Date(expires * 1000).toISOString() };
    },
    /** What a link is worth; one that was altered is `forged`, also when it has expired. */
    verify(jobId: string, query: Readonly<Record<string, string>>): "valid" | "expired" | "forged" {
      const { expires = "", nonce = "", signature = "" } = query;
      const [given, expected] = [Buffer.from(signature), Buffer.from(signatureOf(jobId, expires, nonce))];
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return "forged";
      return now() < Number(expires) * 1000 ? "valid" : "expired";
    },
  };
}

/** A refusal as object storage words it. */
export function refuseLink(status: 403 | 404, code: string, message: string): Response {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>\n`;
  return new Response(xml, { status, headers: { "content-type": "application/xml" } });
}

/**
 * Answers GET and HEAD for a zip that never changes: one range, a strong entity tag, preconditions (RFC 9110 §13, §14).
 *
 * @param fileName Name that a browser saves it under.
 */
export function serveArchive(
  path: string,
  { sizeBytes, sha256 }: { readonly sizeBytes: number; readonly sha256: string },
  fileName: string,
  request: HonoRequest,
): Response {
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
