import { parseRetryAfter } from "../../base/retry.ts";
import type { AnswerHead } from "./storage-exchange.ts";

/** What tells one version of an object from another. */
export interface ObjectIdentity {
  /** Length of the whole object; unknown where storage streams without saying it. */
  readonly total: number | undefined;
  /** Strong entity tag. */
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

interface Changed {
  readonly kind: "changed";
  readonly reason: string;
}

/** What a 200 or 206 means for the transfer. */
export type BodyVerdict =
  | {
      readonly kind: "range" | "whole";
      readonly identity: ObjectIdentity;
      /** Whether the answer's body is the whole object, also where it is called a range. */
      readonly isWhole: boolean;
    }
  | { readonly kind: "wrong-range"; readonly reason: string }
  | Changed;

/** What an answer without bytes of the object means for the transfer. */
export type RefusalVerdict =
  | { readonly kind: "redirect"; readonly location: string }
  | { readonly kind: "link-refused"; readonly status: number; readonly detail: string }
  | { readonly kind: "transient"; readonly reason: string; readonly retryAfterMs: number | undefined }
  | { readonly kind: "empty" }
  | { readonly kind: "fatal"; readonly reason: string }
  | Changed;

interface Expectation {
  /** First byte that was asked for. */
  readonly start: number;
  /** The object that earlier answers were about. */
  readonly known: ObjectIdentity | undefined;
}

/** Judges the head of a 200 or 206. */
export function judgeBody({ status, headers }: AnswerHead, { start, known }: Expectation): BodyVerdict {
  const validators = {
    etag: strongTag(headers.get("etag")),
    lastModified: headers.get("last-modified"),
  };
  if (status === 200) {
    const identity = { total: parseLength(headers.get("content-length")), ...validators };
    return changeOf(known, identity) ?? { kind: "whole", identity, isWhole: true };
  }
  const range = parseContentRange(headers.get("content-range"));
  if (!range) return { kind: "wrong-range", reason: "a partial answer without a Content-Range" };
  if (range.start !== start) {
    return { kind: "wrong-range", reason: `bytes from ${range.start} on instead of ${start}` };
  }
  const identity = { total: range.total ?? known?.total, ...validators };
  return (
    changeOf(known, identity) ?? {
      kind: "range",
      identity,
      isWhole: start === 0 && range.end === identity.total,
    }
  );
}

/** Judges an answer that brings no bytes of the object. */
export function judgeRefusal(
  { status, headers }: AnswerHead,
  {
    text,
    known,
    nowMs,
  }: { readonly text: string; readonly known: ObjectIdentity | undefined; readonly nowMs: number },
): RefusalVerdict {
  const location = headers.get("location");
  if ([301, 302, 303, 307, 308].includes(status) && location) return { kind: "redirect", location };
  if (status === 412) return { kind: "changed", reason: "storage says that the bundle was replaced (412)" };
  if (status === 416) return judgeUnsatisfiable(headers.get("content-range"), known);
  const detail = errorCode(text);
  if ([401, 403, 404, 410].includes(status)) return { kind: "link-refused", status, detail };
  if (status === 400 && /expire|skew|token|authenticat|signature/i.test(text))
    return { kind: "link-refused", status, detail };
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    const retryAfterMs = parseRetryAfter(headers.get("retry-after"), nowMs);
    return { kind: "transient", reason: `storage answered ${status} ${detail}`.trim(), retryAfterMs };
  }
  return { kind: "fatal", reason: `Storage answered ${status} ${detail}`.trim() };
}

function judgeUnsatisfiable(
  contentRange: string | undefined,
  known: ObjectIdentity | undefined,
): RefusalVerdict {
  const total = /^bytes \*\/(\d+)$/.exec(contentRange ?? "")?.[1];
  if (total === "0" && !known) return { kind: "empty" };
  return { kind: "changed", reason: "storage no longer has the bytes it promised (416)" };
}

/** Why the object is not the one that earlier answers were about. */
function changeOf(known: ObjectIdentity | undefined, now: ObjectIdentity): Changed | undefined {
  if (!known) return undefined;
  if (known.total !== now.total && now.total !== undefined) {
    return { kind: "changed", reason: `its length changed from ${known.total} to ${now.total} bytes` };
  }
  if (differ(known.etag, now.etag)) return { kind: "changed", reason: "its entity tag changed" };
  if (differ(known.lastModified, now.lastModified)) {
    return { kind: "changed", reason: "its modification time changed" };
  }
  return undefined;
}

/** An answer may leave a field out; only two that disagree say something. */
function differ(known: string | undefined, now: string | undefined): boolean {
  return known !== undefined && now !== undefined && known !== now;
}

function strongTag(etag: string | undefined): string | undefined {
  return etag?.startsWith("W/") ? undefined : etag;
}

function parseLength(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

function parseContentRange(
  value: string | undefined,
): { start: number; end: number; total: number | undefined } | undefined {
  const match = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/.exec(value?.trim() ?? "");
  if (!match) return undefined;
  return {
    start: Number(match[1]),
    end: Number(match[2]) + 1,
    total: match[3] === "*" ? undefined : Number(match[3]),
  };
}

/** The code of S3's, Azure's and Google's XML errors, or a short first line; never the request's own parameters. */
function errorCode(text: string): string {
  const code = /<Code>([\w.-]{1,60})<\/Code>/.exec(text)?.[1];
  return code ?? "";
}
