import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import type { HonoRequest } from "hono";
import { parseByteRange } from "./byte-range.ts";

/** A file that never changes under its name. */
export interface ServedFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  /** Name that a browser saves it under. */
  readonly fileName: string;
  /** Strong entity tag, in its quotes. */
  readonly etag: string;
}

/** Answers GET and HEAD for a file as object storage does: ranges, entity tags, preconditions (RFC 9110 §13, §14). */
export function serveFile(file: ServedFile, request: HonoRequest): Response {
  const headers = new Headers({
    "accept-ranges": "bytes",
    "cache-control": "private, no-cache",
    "content-disposition": `attachment; filename="${file.fileName}"`,
    etag: file.etag,
  });
  const failed = failedPrecondition(file.etag, request);
  if (failed !== undefined) return new Response(null, { status: failed, headers });

  // RFC 9110 §14.2: a range means something on GET only.
  const isHead = request.method === "HEAD";
  const range = parseByteRange(isHead ? undefined : usableRange(file.etag, request), file.sizeBytes);
  if (range.kind === "unsatisfiable") {
    headers.set("content-range", `bytes */${file.sizeBytes}`);
    return new Response(null, { status: 416, headers });
  }
  headers.set("content-type", file.contentType);
  const { start, end } = range.kind === "part" ? range : { start: 0, end: file.sizeBytes - 1 };
  if (range.kind === "part") headers.set("content-range", `bytes ${start}-${end}/${file.sizeBytes}`);
  headers.set("content-length", String(end - start + 1));
  return new Response(isHead ? null : streamFile(file.path, start, end), {
    status: range.kind === "part" ? 206 : 200,
    headers,
  });
}

function streamFile(path: string, start: number, end: number) {
  return Readable.toWeb(createReadStream(path, { start, end }));
}

function failedPrecondition(etag: string, request: HonoRequest): 412 | 304 | undefined {
  const ifMatch = request.header("if-match");
  if (ifMatch !== undefined && !listsTag(ifMatch, etag)) return 412;
  const ifNoneMatch = request.header("if-none-match");
  if (ifNoneMatch !== undefined && listsTag(ifNoneMatch.replaceAll("W/", ""), etag)) return 304;
  return undefined;
}

/** The `Range` header, unless `If-Range` says that the client holds a part of another version. */
function usableRange(etag: string, request: HonoRequest): string | undefined {
  const ifRange = request.header("if-range");
  return ifRange === undefined || ifRange.trim() === etag ? request.header("range") : undefined;
}

function listsTag(list: string, etag: string): boolean {
  return list.trim() === "*" || list.split(",").some((tag) => tag.trim() === etag);
}
