/** Hides the environment variables of this process, which hold secrets, from other processes of the same user. */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Set when the process has been restarted and its environment is on standard input. */
const marker = "DOCS_ENVIRONMENT_ON_STDIN";

/** Variables that Node and the system's libraries read before the program starts. They hold no secrets. */
const startupVariables =
  /^(?:PATH|HOME|TMPDIR|LANG|LANGUAGE|LC_\w+|TZ|LD_LIBRARY_PATH|LD_PRELOAD|NIX_LD(?:_LIBRARY_PATH)?|OPENSSL_CONF|SSL_CERT_\w+|NODE_(?:OPTIONS|EXTRA_CA_CERTS|USE_SYSTEM_CA|ICU_DATA|V8_COVERAGE))$/;

/**
 * Restarts the process in place (same process id, same output) with almost no environment variables.
 *
 * Other processes of the same user can read the environment that a process was started with (`/proc/<pid>/environ`), even after
 * the process has deleted variables. The restarted process therefore reads its variables from an unlinked file on standard input
 * and puts them into `process.env`, which is visible to this process only. The restart also disables the signal that starts Node's
 * debugger.
 *
 * On Windows, which cannot replace a process, this does nothing.
 *
 * @param environment `process.env`
 * @param isNeeded whether this process will start programs that must not read the secrets
 */
export function hideEnvironment(environment: NodeJS.ProcessEnv, isNeeded: boolean): void {
  if (environment[marker] !== undefined) {
    delete environment[marker];
    Object.assign(environment, JSON.parse(readFileSync(0, "utf8")));
    // Other processes could read the open file through `/proc/<pid>/fd`.
    replaceStandardInput("/dev/null");
    return;
  }
  if (!isNeeded || process.execve === undefined || process.platform === "win32") return;
  const folder = createFolder(environment["RUNNER_TEMP"] || tmpdir());
  try {
    const path = join(folder, "environment.json");
    writeFileSync(path, JSON.stringify(environment), { mode: 0o600 });
    replaceStandardInput(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
  const kept = Object.fromEntries(
    Object.entries(environment).filter(([name]) => startupVariables.test(name)),
  );
  const argv = [process.execPath, "--disable-sigusr1", ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, argv, { ...kept, [marker]: "1" });
}

/** If not even `/tmp` can be used, the process ends: it must not start programs that can read its secrets. */
function createFolder(parent: string): string {
  const prefix = "docs-environment-";
  try {
    return mkdtempSync(join(parent, prefix));
  } catch {
    return mkdtempSync(join("/tmp", prefix));
  }
}

/** Opening a file uses the lowest free descriptor, which is 0 after standard input has been closed. */
function replaceStandardInput(path: string): void {
  closeSync(0);
  const descriptor = openSync(path, "r");
  if (descriptor !== 0) throw new Error(`Standard input cannot be replaced: got descriptor ${descriptor}.`);
}
