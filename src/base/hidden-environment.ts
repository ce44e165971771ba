/** Keeps what a process was started with from the other processes of its user. */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Set for the process that finds its environment on its standard input. */
const marker = "DOCS_ENVIRONMENT_ON_STDIN";

/** What Node and the system's libraries read before the first line of a program; no secrets. */
const readAtStart =
  /^(?:PATH|HOME|TMPDIR|LANG|LANGUAGE|LC_\w+|TZ|LD_LIBRARY_PATH|OPENSSL_CONF|SSL_CERT_\w+|NODE_(?:OPTIONS|EXTRA_CA_CERTS|ICU_DATA|V8_COVERAGE))$/;

/**
 * Starts the process over in place (same id, same output), with almost nothing in the environment that it begins with: other
 * processes of the user read that one as long as the process lives, whatever it removes from it. The values come back
 * through a file without a name; after the second start they are in `process.env`, and in no place that other processes are
 * shown. That a signal starts Node's debugger is switched off, too.
 *
 * Without effect on Windows, which cannot replace a process.
 *
 * @param environment `process.env`
 * @param isWanted Whether programs will be started that must not know the secrets.
 */
export function hideEnvironment(environment: NodeJS.ProcessEnv, isWanted: boolean): void {
  if (environment[marker] !== undefined) {
    delete environment[marker];
    Object.assign(environment, JSON.parse(readFileSync(0, "utf8")));
    // The open file could be read through `/proc`.
    replaceStandardInput("/dev/null");
    return;
  }
  if (!isWanted || process.execve === undefined || process.platform === "win32") return;
  const folder = mkdtempSync(join(environment["TMPDIR"] || "/tmp", "docs-environment-"));
  try {
    const path = join(folder, "environment.json");
    writeFileSync(path, JSON.stringify(environment), { mode: 0o600 });
    replaceStandardInput(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
  const kept = Object.fromEntries(Object.entries(environment).filter(([name]) => readAtStart.test(name)));
  const argv = [process.execPath, "--disable-sigusr1", ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, argv, { ...kept, [marker]: "1" });
}

/** A new file gets the lowest number that is free. */
function replaceStandardInput(path: string): void {
  closeSync(0);
  const descriptor = openSync(path, "r");
  if (descriptor !== 0) throw new Error(`Standard input cannot be replaced: got descriptor ${descriptor}.`);
}
