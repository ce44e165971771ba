import { createHash, timingSafeEqual } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { ApiError } from "./api-error.ts";

/** The keys that a platform accepts (specification §5). */
export interface PlatformKeys {
  /** `svc_…`: everything but the assistant. */
  readonly admin: string;
  /** `svc_dsc_…`: the assistant only; it may be public. */
  readonly assistant: string;
  /** `svc_…`: an admin key that can look at jobs, but not start anything. */
  readonly readOnly?: string;
}

type KeyKind = keyof PlatformKeys;

/** Tells which key a token is. */
export type Keyring = (token: string) => KeyKind | undefined;

/** What a request needs its key for. */
export type Access = "read" | "write" | "assistant";

const kindsByAccess: Record<Access, readonly KeyKind[]> = {
  read: ["admin", "readOnly"],
  write: ["admin"],
  assistant: ["assistant"],
};

const bearer = /^bearer +(?<token>\S+) *$/i;

/** Tells keys apart without telling, by its timing, how much of a guess was right. */
export function createKeyring(keys: PlatformKeys): Keyring {
  const known = (["admin", "assistant", "readOnly"] as const).flatMap((kind) => {
    const key = keys[kind];
    return key === undefined ? [] : [{ kind, digest: digestOf(key) }];
  });
  return (token) => {
    const digest = digestOf(token);
    return known.filter((key) => timingSafeEqual(key.digest, digest))[0]?.kind;
  };
}

/** Lets requests pass that carry a key of the right kind: 401 without a known key, 403 with one of another kind. */
export function requireKey(keyring: Keyring, access: Access): MiddlewareHandler {
  return async (context, next) => {
    const kind = keyring(bearer.exec(context.req.header("authorization") ?? "")?.groups?.["token"] ?? "");
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

function digestOf(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
