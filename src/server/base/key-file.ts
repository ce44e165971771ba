/** API keys in a file: their digests, what each may do, and until when. The file may change while the platform runs. */
import { hash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import * as z from "zod/mini";
import { InputError } from "../../base/errors.ts";
import type { Log } from "../../base/runtime.ts";
import { messageOf } from "../../base/text.ts";
import { parseYamlList } from "./yaml-list.ts";

const keyClasses = ["admin", "read", "assistant"] as const;
/** What a key is for: everything but the assistant; reading, and starting nothing; the assistant only, where it may be public. */
export type KeyClass = (typeof keyClasses)[number];

/** What keys of a class begin with (specification §5). */
export const keyPrefixes: Record<KeyClass, string> = { admin: "svc_", read: "svc_", assistant: "svc_dsc_" };

/** A key that a platform accepts. */
export interface ApiKey {
  /** Stands for the key in the log. */
  readonly name: string;
  readonly class: KeyClass;
  /** Projects and domains (in small letters) that it may touch; all unless set. */
  readonly projects?: readonly string[] | undefined;
  readonly domains?: readonly string[] | undefined;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number | undefined;
}

/** Keys by their digests. */
type KeysByDigest = ReadonlyMap<string, ApiKey>;

/** SHA-256 in hexadecimal digits: what is kept of a key. */
export function digestOf(key: string): string {
  return hash("sha256", key);
}

/** A new random key. */
export function createKey(keyClass: KeyClass): string {
  return `${keyPrefixes[keyClass]}${randomBytes(24).toString("hex")}`;
}

/** A request that comes later has the file read again. */
const rereadAfterMs = 1000;

const text = z.string().check(z.minLength(1));
const atLeastOne = z.minLength(1, "must name at least one");

/** One key of the file. The key itself is never in it. */
const KeyEntry = z.strictObject({
  name: z.string().check(z.regex(/^(?!svc_)[\w.@-]{1,60}$/, "must be 1 to 60 letters, digits or . _ @ -")),
  sha256: z.string().check(z.regex(/^[\da-f]{64}$/i, "must be 64 hexadecimal digits"), z.toLowerCase()),
  class: z.enum(keyClasses),
  projects: z.optional(z.array(text).check(atLeastOne)),
  domains: z.optional(z.array(text.check(z.toLowerCase())).check(atLeastOne)),
  /** From then on it is refused; a day without a time begins at midnight UTC. */
  expires: z.optional(
    z.union(
      [z.iso.date(), z.iso.datetime({ offset: true })],
      "must be like 2030-01-31 or 2030-01-31T12:00:00Z",
    ),
  ),
});

/**
 * Reads the keys of a file, and reads it again when it changed, at most once a second and only when keys are asked for. Renamed
 * symbolic links are followed, as Kubernetes changes a mounted Secret. A file that has become invalid is logged once; the keys
 * of before then stay valid.
 *
 * @returns what gives the keys as the file is now
 * @throws {InputError} when the file cannot be used at first; no message holds a key or a digest.
 */
export async function openKeyFile(
  path: string,
  { log, now }: { readonly log: Log; readonly now: () => number },
): Promise<() => Promise<KeysByDigest>> {
  let text = await readText(path);
  let keys = parseKeys(text);
  let [readAt, isReading, problem] = [now(), false, ""];
  const reread = async () => {
    try {
      const current = await readText(path);
      if (current === text) return;
      text = current;
      keys = parseKeys(text);
      problem = "";
      log.info(`The file of keys changed; it now holds ${keys.size}.`);
    } catch (error) {
      if (messageOf(error) === problem) return;
      problem = messageOf(error);
      log.warning(`${problem} The keys of before stay valid.`);
    }
  };
  return async () => {
    if (isReading || Math.abs(now() - readAt) < rereadAfterMs) return keys;
    [readAt, isReading] = [now(), true];
    await reread();
    isReading = false;
    return keys;
  };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new InputError([`--keys: ${messageOf(error)}.`]);
  }
}

/** @throws {InputError} naming each entry that is not as it should be. */
function parseKeys(text: string): KeysByDigest {
  const entries = parseYamlList("--keys", text);
  const problems: string[] = [];
  const keys = new Map<string, ApiKey>();
  const known = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const parsed = KeyEntry.safeParse(entry);
    if (!parsed.success) {
      problems.push(describeProblems(`entry ${index + 1}`, entry, parsed.error));
      continue;
    }
    const { sha256, expires, ...key } = parsed.data;
    if (known.has(key.name))
      problems.push(`--keys: entry ${index + 1} (${key.name}) has the name of another.`);
    if (keys.has(sha256)) problems.push(`--keys: entry ${index + 1} (${key.name}) has the key of another.`);
    known.add(key.name);
    keys.set(sha256, { ...key, expiresAt: expires === undefined ? undefined : Date.parse(expires) });
  }
  if (problems.length > 0) throw new InputError(problems);
  return keys;
}

function describeProblems(position: string, entry: unknown, { issues }: z.core.$ZodError): string {
  const { data: name } = z.object({ name: KeyEntry.shape.name }).safeParse(entry);
  const problems = issues.map((issue) =>
    issue.code === "unrecognized_keys"
      ? `fields other than ${Object.keys(KeyEntry.shape).join(", ")}`
      : `${String(issue.path[0] ?? "it")}: ${issue.message}`,
  );
  return `--keys: ${position}${name === undefined ? "" : ` (${name.name})`}: ${problems.join("; ")}.`;
}

/** What a new key is for. */
export type NewKey = Pick<ApiKey, "class" | "projects" | "domains"> & {
  readonly name?: string | undefined;
  /** A day, or a time of a day. */
  readonly expires?: string | undefined;
};

/**
 * Makes a key, and the entry that adds it to a file of keys.
 *
 * @throws {InputError} for what no entry may hold.
 */
export function makeKey({ name, ...scope }: NewKey): { key: string; entry: string } {
  const key = createKey(scope.class);
  const madeName = `${scope.class}-${randomBytes(4).toString("hex")}`;
  const fields = { name: name ?? madeName, ...scope, sha256: digestOf(key) };
  const lines = Object.entries(fields).filter(([, value]) => value !== undefined);
  // JSON is YAML.
  const entry = `- ${lines.map(([field, value]) => `${field}: ${JSON.stringify(value)}`).join("\n  ")}\n`;
  parseKeys(entry);
  return { key, entry };
}
