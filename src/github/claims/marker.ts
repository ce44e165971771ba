/** The hidden marker in our own comments: a signed record, bound to the place where it stands. */
import type { z } from "zod";
import { decodePayload, encodePayload } from "./payload.ts";
import type { Seal } from "./seal.ts";

/** What kind of marker it is; the kind is part of what is signed. */
export type MarkerKind = "claim" | "origin";

export interface MarkerPlace {
  readonly repositoryId: string;
  /** `issue:12`, `discussion:3`; a pull request's conversation is an issue's. */
  readonly thread: string;
  /** The comment that holds the marker; `new` while it is not posted yet. */
  readonly comment: string;
}

/** Reading a marker: one of ours, somebody else's handiwork, or ours under a key that has since been replaced. */
export type MarkerReading<Value> =
  | { readonly kind: "none" }
  | { readonly kind: "forged" }
  | { readonly kind: "other-key"; readonly value: Value }
  | { readonly kind: "valid"; readonly value: Value };

const pattern = /<!-- docs-automation:(claim|origin):v1 ([\w-]+)\.([0-9a-f]{8})\.([\w-]{43}) -->/g;

/** True for any text of ours, also of later versions: such a text never triggers anything. */
export function hasMarker(body: string): boolean {
  return body.includes("<!-- docs-automation:");
}

/** Writes a marker; it belongs at the end of a comment. */
export function writeMarker(
  kind: MarkerKind,
  value: unknown,
  { place, seal }: { place: MarkerPlace; seal: Seal },
): string {
  const payload = encodePayload(value);
  const signature = seal.sign(describePlace(kind, place), payload);
  return `<!-- docs-automation:${kind}:v1 ${payload}.${seal.keyId}.${signature} -->`;
}

/**
 * Reads the last genuine marker of a comment, also where somebody has written something below it, markers included. A marker
 * copied to another place, or changed, is forged.
 */
export function readMarker<Schema extends z.ZodType>(
  body: string,
  options: { kind: MarkerKind; schema: Schema; place: MarkerPlace; seal: Seal },
): MarkerReading<z.output<Schema>> {
  const ofKind = [...body.matchAll(pattern)].filter(([, kind]) => kind === options.kind);
  const readings = ofKind.reverse().map((match) => readMatch(match, options));
  const byWorth = (["valid", "other-key", "forged"] as const).map((kind) =>
    readings.find((reading) => reading.kind === kind),
  );
  return byWorth.find((reading) => reading !== undefined) ?? { kind: "none" };
}

function readMatch<Schema extends z.ZodType>(
  [, , payload = "", keyId = "", signature = ""]: RegExpExecArray,
  { kind, schema, place, seal }: { kind: MarkerKind; schema: Schema; place: MarkerPlace; seal: Seal },
): MarkerReading<z.output<Schema>> {
  const parsed = schema.safeParse(decodePayload(payload));
  if (!parsed.success) return { kind: "forged" };
  if (keyId !== seal.keyId) return { kind: "other-key", value: parsed.data };
  const isSigned = [place, { ...place, comment: "new" }].some((candidate) =>
    seal.verify(describePlace(kind, candidate), payload, signature),
  );
  return isSigned ? { kind: "valid", value: parsed.data } : { kind: "forged" };
}

function describePlace(kind: MarkerKind, { repositoryId, thread, comment }: MarkerPlace): string {
  return `v1 ${kind} repository:${repositoryId} thread:${thread} comment:${comment}`;
}
