/** The API keys of a platform: given, made or in a file, and required of each request by their class (specification §5). */
import type { Context, MiddlewareHandler } from "hono";
import * as z from "zod/mini";
import { ActionError } from "../../base/errors.ts";
import type { Log } from "../../base/runtime.ts";
import { ApiError } from "./http.ts";
import { type ApiKey, createKey, digestOf, type KeyClass, keyPrefixes, openKeyFile } from "./key-file.ts";
import { readIfPresent, writeFileAtomically } from "./records.ts";

/** The keys of a platform that are in no file. */
export type PlatformKeys = Readonly<Partial<Record<KeyClass, string>>>;

const StoredKeys = z.object({ admin: z.exactOptional(z.string()), assistant: z.exactOptional(z.string()) });

/**
 * Opens the keys of a platform: those of its file of keys and, besides, the given ones. Without such a file, the given ones are
 * completed with those stored in `path` (readable by its owner only), where missing ones are made and stored.
 *
 * @returns the keys that are not in the file; which of them are new, so that nothing has shown them to the operator yet; and what
 *   finds a key by its digest.
 * @throws {ActionError} for a key whose prefix belongs to another class, and when the file cannot be used.
 */
export async function openKeys(
  path: string,
  given: PlatformKeys,
  file: string | undefined,
  deps: { readonly log: Log; readonly now: () => number },
) {
  const readFile = file === undefined ? undefined : await openKeyFile(file, deps);
  const stored: PlatformKeys =
    readFile === undefined ? StoredKeys.parse(JSON.parse((await readIfPresent(path)) ?? "{}")) : {};
  const needed = readFile === undefined ? (["admin", "assistant"] as const) : [];
  const made = needed.filter((kind) => (given[kind] ?? stored[kind]) === undefined);
  const added = Object.fromEntries(made.map((kind) => [kind, createKey(kind)]));
  const keys: PlatformKeys = { ...stored, ...added, ...given };
  const named = new Map(
    Object.entries(keys).map(([kind, key]) => [digestOf(key), describeKey(kind as KeyClass, key)]),
  );
  if (made.length > 0) await writeFileAtomically(path, `${JSON.stringify({ ...stored, ...added })}\n`);
  const find = async (digest: string) => (await readFile?.())?.get(digest) ?? named.get(digest);
  return { keys, made, find };
}

function describeKey(keyClass: KeyClass, key: string): ApiKey {
  const prefix = keyPrefixes[keyClass];
  if (/^svc_(?:dsc_)?/.exec(key)?.[0] === prefix) return { name: keyClass, class: keyClass };
  throw new ActionError("invalid-input", `The platform's ${keyClass} key must start with ${prefix}.`);
}

/** What a request needs its key for. */
type Access = "read" | "write" | "assistant";

const classesByAccess: Record<Access, readonly KeyClass[]> = {
  read: ["admin", "read"],
  write: ["admin"],
  assistant: ["assistant"],
};

/**
 * The key in an `Authorization` header, or nothing. A browser sends what its user typed as the password (RFC 7617) with every request to this
 * platform, also those that another site's page causes: only pages take it, which change nothing.
 */
function readKey(header: string, isPage: boolean): string {
  const [, scheme = "", value = ""] = /^(\S+) +(\S+) *$/.exec(header) ?? [];
  if (scheme.toLowerCase() === "bearer") return value;
  if (scheme.toLowerCase() !== "basic" || !isPage) return "";
  return Buffer.from(value, "base64")
    .toString()
    .replace(/^[^:]*:/, "");
}

declare module "hono" {
  interface ContextVariableMap {
    /** The key that the request carries. */
    apiKey?: ApiKey;
  }
}

/**
 * Lets requests pass that carry a key of the right class: 401 without a known key or with an expired one, 403 with one of another
 * class. What a key may touch is for the route to ask, with `mayTouch`.
 *
 * @param isPage Whether a browser shows the answer: it asks its user for a key, again where the key is not the right one.
 */
export type RequireKey = (access: Access, isPage?: boolean) => MiddlewareHandler;

/**
 * Finds keys by their digests, as fast among any number. Timing could tell at most how much of a guess's digest is right, and
 * no sender can choose the digest of a guess.
 */
export function createKeyGuard(
  find: (digest: string) => Promise<ApiKey | undefined>,
  now: () => number,
): RequireKey {
  // No key has the digest of no text, whatever a file says.
  const findGiven = async (given: string) => (given === "" ? undefined : find(digestOf(given)));
  const isExpired = ({ expiresAt = Number.POSITIVE_INFINITY }: ApiKey) => now() >= expiresAt;
  return (access, isPage = false) => {
    const [scheme, missing] = isPage ? forPages : forPrograms;
    const challenge = { "www-authenticate": scheme };
    return async (context, next) => {
      const header = context.req.header("authorization") ?? "";
      const key = await findGiven(readKey(header, isPage));
      if (key === undefined) throw new ApiError(401, missing, challenge);
      context.set("apiKey", key);
      if (isExpired(key)) throw new ApiError(401, "The API key has expired.", challenge);
      if (classesByAccess[access].includes(key.class)) return next();
      const problem = describeMismatch(key.class, access);
      throw /^basic /i.test(header) ? new ApiError(401, problem, challenge) : new ApiError(403, problem);
    };
  };
}

/** How a key is asked for, and what is answered to a request without one. */
const forPrograms = ["Bearer", "The Authorization header carries no valid API key."] as const;
const forPages = [
  'Basic realm="API key as password"',
  "This page needs an API key as the password; any name will do.",
] as const;

/**
 * Whether the request's key may touch a project or a domain. What it may not touch is answered as what does not exist, so that
 * the answer does not tell that it does.
 */
export function mayTouch(context: Context, kind: "projects" | "domains", name: string): boolean {
  const scope = context.get("apiKey")?.[kind];
  return scope === undefined || scope.includes(kind === "domains" ? name.toLowerCase() : name);
}

function describeMismatch(keyClass: KeyClass, access: Access): string {
  if (access === "assistant") return "This endpoint needs an assistant API key (svc_dsc_…).";
  if (keyClass === "read") return "This key has the read scope only; this request needs the write scope.";
  return "This endpoint needs an admin API key (svc_…); an assistant key was sent.";
}
