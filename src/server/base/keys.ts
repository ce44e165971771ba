/** The API keys of a platform: made, kept, and required of each request by their kind (specification §5). */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import * as z from "zod/mini";
import { ActionError } from "../../base/errors.ts";
import { ApiError } from "./http.ts";
import { readIfPresent, writeFileAtomically } from "./records.ts";

/** The keys that a platform accepts. */
export interface PlatformKeys {
  /** `svc_…`: everything but the assistant. */
  readonly admin: string;
  /** `svc_dsc_…`: the assistant only; it may be public. */
  readonly assistant: string;
  /** `svc_…`: an admin key that can read jobs, but not start any. */
  readonly readOnly?: string;
}

type KeyKind = keyof PlatformKeys;

const StoredKeys = z.object({ admin: z.optional(z.string()), assistant: z.optional(z.string()) });

/**
 * Completes the given keys with those stored in a file (readable by its owner only), and makes and stores what is missing.
 *
 * @returns the keys, and which of them are new: nothing has shown those to the operator yet.
 * @throws {ActionError} for a key whose prefix belongs to another kind.
 */
export async function openKeys(path: string, given: Partial<PlatformKeys>) {
  const stored = StoredKeys.parse(JSON.parse((await readIfPresent(path)) ?? "{}"));
  const keys: PlatformKeys = {
    ...given,
    admin: given.admin ?? stored.admin ?? `svc_${randomBytes(24).toString("hex")}`,
    assistant: given.assistant ?? stored.assistant ?? `svc_dsc_${randomBytes(24).toString("hex")}`,
  };
  for (const [kind, key] of Object.entries(keys)) {
    const expected = kind === "assistant" ? "svc_dsc_" : "svc_";
    if (/^svc_(?:dsc_)?/.exec(key)?.[0] === expected) continue;
    throw new ActionError("invalid-input", `The platform's ${kind} key must start with ${expected}.`);
  }
  const made = (["admin", "assistant"] as const).filter(
    (kind) => (given[kind] ?? stored[kind]) === undefined,
  );
  if (made.length > 0) {
    const added = Object.fromEntries(made.map((kind) => [kind, keys[kind]]));
    await writeFileAtomically(path, `${JSON.stringify({ ...stored, ...added })}\n`);
  }
  return { keys, made };
}

function digestOf(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

/** What a request needs its key for. */
type Access = "read" | "write" | "assistant";

const kindsByAccess: Record<Access, readonly KeyKind[]> = {
  read: ["admin", "readOnly"],
  write: ["admin"],
  assistant: ["assistant"],
};

const bearer = /^bearer +(?<token>\S+) *$/i;

/** Lets requests pass that carry a key of the right kind: 401 without a known key, 403 with one of another kind. */
export type RequireKey = (access: Access) => MiddlewareHandler;

/** Compares digests in constant time, so that no timing tells how much of a guess was right. */
export function createKeyGuard(keys: PlatformKeys): RequireKey {
  const known = Object.entries(keys) as [KeyKind, string][];
  const digests = known.map(([kind, key]) => ({ kind, digest: digestOf(key) }));
  return (access) => async (context, next) => {
    const token = bearer.exec(context.req.header("authorization") ?? "")?.groups?.["token"] ?? "";
    const digest = digestOf(token);
    const kind = digests.filter((key) => timingSafeEqual(key.digest, digest))[0]?.kind;
    if (kind === undefined) {
      throw new ApiError(401, "The Authorization header carries no valid API key.", {
        "www-authenticate": "Bearer",
      });
    }
    if (!kindsByAccess[access].includes(kind)) throw new ApiError(403, describeMismatch(kind, access));
    await next();
  };
}

function describeMismatch(kind: KeyKind, access: Access): string {
  if (access === "assistant") return "This endpoint needs an assistant API key (svc_dsc_…).";
  if (kind === "readOnly") return "This key has the read scope only; this request needs the write scope.";
  return "This endpoint needs an admin API key (svc_…); an assistant key was sent.";
}
