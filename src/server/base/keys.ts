/** API keys: from options, generated, or from a key file; and the middleware that requires them (specification §5). */
import { hash, randomBytes } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import { auth } from "hono/utils/basic-auth";
import * as z from "zod/mini";
import { ActionError, InputError } from "../../base/errors.ts";
import type { Log } from "../../base/runtime.ts";
import { formatCount, messageOf, parseJson } from "../../base/text.ts";
import { ApiError } from "./http.ts";
import { readIfPresent, writeFileAtomically } from "./records.ts";
import { parseYamlList, readOptionFile } from "./yaml-list.ts";

const keyClasses = ["admin", "read", "assistant"] as const;
/** `admin`: jobs; `read`: read access to jobs; `assistant`: the assistant only. Assistant keys may be public. */
export type KeyClass = (typeof keyClasses)[number];

/** Prefix of each class's keys (specification §5). */
const keyPrefixes: Record<KeyClass, string> = { admin: "svc_", read: "svc_", assistant: "svc_dsc_" };

/** SHA-256 digest in hexadecimal. Keys are stored as digests. */
export function digestOf(key: string): string {
  return hash("sha256", key);
}

/** Creates a random key. */
export function createKey(keyClass: KeyClass): string {
  return `${keyPrefixes[keyClass]}${randomBytes(24).toString("hex")}`;
}

const text = z.string().check(z.minLength(1));
const atLeastOne = z.minLength(1, "must name at least one");

/** One entry of the file. It does not contain the key itself. */
const KeyEntry = z.strictObject({
  name: z.string().check(z.regex(/^(?!svc_)[\w.@-]{1,60}$/, "must be 1 to 60 letters, digits or . _ @ -")),
  sha256: z.string().check(z.regex(/^[\da-f]{64}$/i, "must be 64 hexadecimal digits"), z.toLowerCase()),
  class: z.enum(keyClasses),
  /** Projects and domains (in lower case) that the key may access; defaults to all. */
  projects: z.optional(z.array(text).check(atLeastOne)),
  domains: z.optional(z.array(text.check(z.toLowerCase())).check(atLeastOne)),
  /** The key is rejected from this time on; a date means midnight UTC. */
  expires: z.optional(
    z.union(
      [z.iso.date(), z.iso.datetime({ offset: true })],
      "must be like 2030-01-31 or 2030-01-31T12:00:00Z",
    ),
  ),
});

/** A key that a platform accepts. */
export type ApiKey = Omit<z.infer<typeof KeyEntry>, "sha256" | "expires"> & {
  /** Milliseconds since 1970. */
  readonly expiresAt?: number | undefined;
};

type KeysByDigest = ReadonlyMap<string, ApiKey>;

/**
 * Reads the keys of a file. When keys are requested later, the file is read again. This also works for mounted Kubernetes Secrets, which
 * change by renaming symbolic links. If the file becomes invalid, the previous keys stay valid.
 *
 * @returns a function that returns the current keys.
 * @throws {InputError} if the file is invalid at the start. No message contains a key or a digest.
 */
export async function openKeyFile(path: string, log: Log): Promise<() => Promise<KeysByDigest>> {
  let text = await readOptionFile("--keys", path);
  let keys = parseKeys(text);
  let problem = "";
  return async () => {
    try {
      const current = await readOptionFile("--keys", path);
      if (current === text) return keys;
      text = current;
      keys = parseKeys(text);
      problem = "";
      log.info(`The key file changed; it now contains ${formatCount(keys.size, "key")}.`);
    } catch (error) {
      if (messageOf(error) !== problem) log.warning(`${messageOf(error)} The previous keys stay valid.`);
      problem = messageOf(error);
    }
    return keys;
  };
}

/** @throws {InputError} naming each invalid entry. */
function parseKeys(text: string): KeysByDigest {
  const { entries, problems } = parseYamlList("--keys", text, KeyEntry);
  const keys = new Map<string, ApiKey>();
  const names = new Set<string>();
  for (const { fields, report } of entries) {
    const { sha256, expires, ...key } = fields;
    if (names.has(key.name)) report("name", "another entry has the same name");
    if (keys.has(sha256)) report("sha256", "another entry has the same key");
    names.add(key.name);
    keys.set(sha256, { ...key, expiresAt: expires === undefined ? undefined : Date.parse(expires) });
  }
  if (problems.length > 0) throw new InputError(problems);
  return keys;
}

/** Keys from options, or generated. */
export type PlatformKeys = Readonly<Partial<Record<KeyClass, string>>>;

const StoredKeys = z.object({ admin: z.exactOptional(z.string()), assistant: z.exactOptional(z.string()) });

async function readStoredKeys(path: string): Promise<PlatformKeys> {
  const { data } = StoredKeys.safeParse(parseJson((await readIfPresent(path)) ?? "{}"));
  if (data !== undefined) return data;
  const hint = "Restore the file, or remove it: the next start then creates keys.";
  throw new ActionError("invalid-input", `The keys in ${path} cannot be read.`, { hint });
}

/**
 * Opens the platform's keys: the configured keys and those of the key file. Without a key file, a missing admin or assistant key is
 * read from `path`, or generated; `save` stores it there. Only the owner can read that file.
 *
 * @returns the keys that are not from the key file, the classes of the keys generated now, and a lookup by digest.
 * @throws {ActionError} if a key has the prefix of another class, two keys are the same, or the key file is invalid.
 */
export async function openKeys(path: string, configured: PlatformKeys, file: string | undefined, log: Log) {
  const readFile = file === undefined ? undefined : await openKeyFile(file, log);
  const stored = readFile === undefined ? await readStoredKeys(path) : {};
  const needed = readFile === undefined ? (["admin", "assistant"] as const) : [];
  const generated = needed.filter((keyClass) => (configured[keyClass] ?? stored[keyClass]) === undefined);
  const added = Object.fromEntries(generated.map((keyClass) => [keyClass, createKey(keyClass)]));
  const keys: PlatformKeys = { ...stored, ...added, ...configured };
  const byDigest = new Map(
    Object.entries(keys).map(([keyClass, key]) => [digestOf(key), describeKey(keyClass as KeyClass, key)]),
  );
  if (byDigest.size < Object.keys(keys).length)
    throw new ActionError("invalid-input", "Two of the platform's keys are the same.");
  const save = async () => {
    if (generated.length > 0) await writeFileAtomically(path, `${JSON.stringify({ ...stored, ...added })}\n`);
  };
  const find = async (digest: string) => (await readFile?.())?.get(digest) ?? byDigest.get(digest);
  return { keys, generated, save, find };
}

function describeKey(keyClass: KeyClass, key: string): ApiKey {
  const prefix = keyPrefixes[keyClass];
  if (/^svc_(?:dsc_)?/.exec(key)?.[0] === prefix) return { name: keyClass, class: keyClass };
  const form = keyClass === "assistant" ? prefix : `${prefix}, not with ${keyPrefixes.assistant}`;
  throw new ActionError("invalid-input", `The platform's ${keyClass} key must start with ${form}.`);
}

type Access = "read" | "write" | "assistant";

const classesByAccess: Record<Access, readonly KeyClass[]> = {
  read: ["admin", "read"],
  write: ["admin"],
  assistant: ["assistant"],
};

/**
 * Reads the key from the `Authorization` header; an empty string if there is none. A browser sends Basic credentials (RFC 7617) even with
 * requests that another site causes, so only pages accept them: they change nothing.
 */
function readKey(request: Request, isPage: boolean): string {
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  return bearer ?? (isPage ? auth(request)?.password : undefined) ?? "";
}

declare module "hono" {
  interface ContextVariableMap {
    apiKey?: ApiKey;
  }
}

/**
 * Creates middleware that requires a key of the right class: 401 for a missing, unknown or expired key, 403 for a key of another class. The
 * route checks the key's projects and domains with `mayAccess`.
 *
 * @param isPage Whether a browser shows the response. The browser then prompts for a key after each 401.
 */
export type RequireKey = (access: Access, isPage?: boolean) => MiddlewareHandler;

/**
 * Creates the middleware factory. Keys are looked up by digest. A timing attack could reveal a digest's beginning at most, but an
 * attacker cannot choose the digest of a guessed key.
 */
export function createKeyGuard(
  find: (digest: string) => Promise<ApiKey | undefined>,
  now: () => number,
): RequireKey {
  // Reject an empty key even if the key file contains the digest of an empty string.
  const findKey = async (key: string) => (key === "" ? undefined : find(digestOf(key)));
  const isExpired = ({ expiresAt = Number.POSITIVE_INFINITY }: ApiKey) => now() >= expiresAt;
  return (access, isPage = false) => {
    const [scheme, missing] = isPage ? forPages : forPrograms;
    const challenge = { "www-authenticate": scheme };
    return async (context, next) => {
      const { raw: request } = context.req;
      const key = await findKey(readKey(request, isPage));
      if (key === undefined) throw new ApiError(401, missing, challenge);
      context.set("apiKey", key);
      if (isExpired(key)) throw new ApiError(401, "The API key has expired.", challenge);
      if (classesByAccess[access].includes(key.class)) return next();
      const problem = describeMismatch(key.class, access);
      throw auth(request) ? new ApiError(401, problem, challenge) : new ApiError(403, problem);
    };
  };
}

/** The `WWW-Authenticate` header, and the message of a 401 without a valid key. */
const forPrograms = ["Bearer", "The Authorization header carries no valid API key."] as const;
const forPages = [
  'Basic realm="API key as password"',
  "This page needs an API key as the password, with any user name.",
] as const;

/**
 * Whether the request's key may access a project or a domain. If not, routes respond as if it did not exist, so that they do not
 * reveal its existence.
 */
export function mayAccess(context: Context, type: "projects" | "domains", name: string): boolean {
  const scope = context.get("apiKey")?.[type];
  return scope === undefined || scope.includes(type === "domains" ? name.toLowerCase() : name);
}

function describeMismatch(keyClass: KeyClass, access: Access): string {
  if (access === "assistant") return "This endpoint needs an assistant API key (svc_dsc_…).";
  if (keyClass === "read") return "This key has the read scope only; this request needs the write scope.";
  return "This endpoint needs an admin API key (svc_…); an assistant key was sent.";
}
