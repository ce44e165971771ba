import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { writeFileAtomically } from "./write-file-atomically.ts";

const secretPattern = /^[0-9a-f]{64}$/;

/** The secret kept in a file (readable by its owner only), made on first use: 32 random bytes. */
export async function readOrCreateSecret(path: string): Promise<Buffer> {
  const kept = await readIfPresent(path);
  if (kept !== undefined && secretPattern.test(kept.trim())) return Buffer.from(kept.trim(), "hex");
  const secret = randomBytes(32);
  await writeFileAtomically(path, `${secret.toString("hex")}\n`);
  return secret;
}

/** A file's text, or `undefined` where there is no such file. */
export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
