/** API keys in a file: the digest, class, scope and expiry of each. The file may change while the platform runs. */
import { hash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import * as z from "zod/mini";
import { InputError } from "../../base/errors.ts";
import type { Log } from "../../base/runtime.ts";
import { messageOf } from "../../base/text.ts";
import { parseYamlList } from "./yaml-list.ts";

const keyClasses = ["admin", "read", "assistant"] as const;
/** `admin`: jobs; `read`: read access to jobs; `assistant`: the assistant only. Assistant keys may be public. */
export type KeyClass = (typeof keyClasses)[number];

/** Prefix of each class's keys (specification §5). */
export const keyPrefixes: Record<KeyClass, string> = { admin: "svc_", read: "svc_", assistant: "svc_dsc_" };

/** A key that a platform accepts. */
export interface ApiKey {
  readonly name: string;
  readonly class: KeyClass;
  /** Projects and domains (in lower case) that the key may access; defaults to all. */
  readonly projects?: readonly string[] | undefined;
  readonly domains?: readonly string[] | undefined;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number | undefined;
}

type KeysByDigest = ReadonlyMap<string, ApiKey>;

/** SHA-256 digest in hexadecimal. Keys are stored as digests. */
export function digestOf(key: string): string {
  return hash("sha256", key);
}

/** Creates a random key. */
export function createKey(keyClass: KeyClass): string {
  return `${keyPrefixes[keyClass]}${randomBytes(24).toString("hex")}`;
}

/** Minimum time between two reads of the file. */
const rereadAfterMs = 1000;

const text = z.string().check(z.minLength(1));
const atLeastOne = z.minLength(1, "must name at least one");

/** One entry of the file. It does not contain the key itself. */
const KeyEntry = z.strictObject({
  name: z.string().check(z.regex(/^(?!svc_)[\w.@-]{1,60}$/, "must be 1 to 60 letters, digits or . _ @ -")),
  sha256: z.string().check(z.regex(/^[\da-f]{64}$/i, "must be 64 hexadecimal digits"), z.toLowerCase()),
  class: z.enum(keyClasses),
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

/**
 * Reads the keys of a file. When keys are requested later, the file is read again, at most once a second. This also works for mounted
 * Kubernetes Secrets, which change by renaming symbolic links. If the file becomes invalid, the previous keys stay valid.
 *
 * @returns a function that returns the current keys.
 * @throws {InputError} if the file is invalid at the start. No message contains a key or a digest.
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
      log.info(`The key file changed; it now contains ${keys.size} keys.`);
    } catch (error) {
      if (messageOf(error) === problem) return;
      problem = messageOf(error);
      log.warning(`${problem} The previous keys stay valid.`);
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

/** @throws {InputError} naming each invalid entry. */
function parseKeys(text: string): KeysByDigest {
  const entries = parseYamlList("--keys", text);
  const problems: string[] = [];
  const keys = new Map<string, ApiKey>();
  const names = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const parsed = KeyEntry.safeParse(entry);
    if (!parsed.success) {
      problems.push(`--keys: ${describeEntry(index, entry)}: ${describeIssues(parsed.error)}.`);
      continue;
    }
    const { sha256, expires, ...key } = parsed.data;
    if (names.has(key.name))
      problems.push(`--keys: ${describeEntry(index, key)} has the same name as another entry.`);
    if (keys.has(sha256))
      problems.push(`--keys: ${describeEntry(index, key)} has the same key as another entry.`);
    names.add(key.name);
    keys.set(sha256, { ...key, expiresAt: expires === undefined ? undefined : Date.parse(expires) });
  }
  if (problems.length > 0) throw new InputError(problems);
  return keys;
}

/** An entry's position and name. A name that could be a misspelt key is not shown. */
function describeEntry(index: number, entry: unknown): string {
  const { data } = z.object({ name: KeyEntry.shape.name }).safeParse(entry);
  const isShown = data !== undefined && !/[\da-f]{20}/i.test(data.name);
  return `entry ${index + 1}${isShown ? ` (${data.name})` : ""}`;
}

function describeIssues({ issues }: z.core.$ZodError): string {
  const problems = issues.map((issue) =>
    issue.code === "unrecognized_keys"
      ? `fields other than ${Object.keys(KeyEntry.shape).join(", ")}`
      : `${String(issue.path[0] ?? "it")}: ${issue.message}`,
  );
  return problems.join("; ");
}
