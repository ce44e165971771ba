/** Makes the folder for the files of one run of the tests, and removes it at the end with all that killed processes have left. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";

const requiredBytes = 4e9;

/** In memory, where there is room. A disk takes several times as long for git's many small files. */
function parentFolder(): string {
  const folder = "/dev/shm";
  if (process.env["TMPDIR"] !== undefined || process.platform !== "linux" || freemem() < requiredBytes)
    return tmpdir();
  const mount = readFileSync("/proc/mounts", "utf8").match(/^\S+ \/dev\/shm tmpfs .*$/m)?.[0] ?? "noexec";
  const { bavail, bsize } = statfsSync(folder);
  return mount.includes("noexec") || bavail * bsize < requiredBytes ? tmpdir() : folder;
}

const variable = "DOCS_TESTS_FOLDER";

/** Vitest's global setup of each project; the first one makes the folder for all of them. */
export function setup(): (() => void) | undefined {
  if (process.env[variable] !== undefined) return undefined;
  const folder = mkdtempSync(join(parentFolder(), "docs-tests-"));
  // Postgres does not run as root, and keeps its data below.
  chmodSync(folder, 0o711);
  process.env[variable] = folder;
  process.env["TMPDIR"] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
