import { randomBytes } from "node:crypto";
import { z } from "zod";
import { ActionError } from "../base/errors.ts";
import type { PlatformKeys } from "./http/require-key.ts";
import { readIfPresent } from "./storage/read-or-create-secret.ts";
import { writeFileAtomically } from "./storage/write-file-atomically.ts";

const KeptKeys = z.object({ admin: z.string().optional(), assistant: z.string().optional() });

/** The keys of a platform, and which of them were made just now: nobody has seen those yet. */
export interface OpenedKeys {
  readonly keys: PlatformKeys;
  readonly made: readonly ("admin" | "assistant")[];
}

/**
 * Completes the given keys with those kept in a file (readable by its owner only), and makes what is missing there.
 *
 * @throws {ActionError} for a key whose prefix belongs to another kind.
 */
export async function openKeys(path: string, given: Partial<PlatformKeys>): Promise<OpenedKeys> {
  const kept = KeptKeys.parse(JSON.parse((await readIfPresent(path)) ?? "{}"));
  const keys = {
    ...given,
    admin: given.admin ?? kept.admin ?? `svc_${randomBytes(24).toString("hex")}`,
    assistant: given.assistant ?? kept.assistant ?? `svc_dsc_${randomBytes(24).toString("hex")}`,
  };
  requirePrefixes(keys);
  const made = (["admin", "assistant"] as const).filter((kind) => (given[kind] ?? kept[kind]) === undefined);
  if (made.length > 0) {
    const added = Object.fromEntries(made.map((kind) => [kind, keys[kind]]));
    await writeFileAtomically(path, `${JSON.stringify({ ...kept, ...added })}\n`);
  }
  return { keys, made };
}

function requirePrefixes(keys: PlatformKeys): void {
  for (const [kind, key] of Object.entries(keys)) {
    const wanted = kind === "assistant" ? "svc_dsc_" : "svc_";
    if (/^svc_(?:dsc_)?/.exec(key)?.[0] === wanted) continue;
    throw new ActionError("invalid-input", `The platform's ${kind} key must start with ${wanted}.`);
  }
}
