/** Which bytes of a file a request asks for; `end` is the last byte itself. */
export type ByteRange =
  | { readonly kind: "whole" }
  | { readonly kind: "part"; readonly start: number; readonly end: number }
  | { readonly kind: "unsatisfiable" };

const singleRange = /^bytes=(?<first>\d*)-(?<last>\d*)$/i;

/**
 * Reads a `Range` header (RFC 9110 §14.2): one range, open or suffix. Several ranges, other units and nonsense are ignored,
 * as the protocol allows: the answer is the whole file.
 */
export function parseByteRange(header: string | undefined, size: number): ByteRange {
  const match = singleRange.exec(header?.replaceAll(" ", "") ?? "");
  const { first = "", last = "" } = match?.groups ?? {};
  if (first === "" && last === "") return { kind: "whole" };
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? { kind: "unsatisfiable" } : { kind: "part", start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return { kind: "whole" };
  if (start >= size) return { kind: "unsatisfiable" };
  return { kind: "part", start, end: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
}
