/** What the engines share: their installation, their ports, and processes that do not outlive the tests. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createTemporaryFolder, type TemporaryFolder } from "../support/temporary-folder.ts";
import { type ProcessOptions, startProcess, type WatchedProcess } from "../support/watched-process.ts";

export const run = promisify(execFile);

let installation: Promise<unknown> | undefined;

/** Installs the engines where they are missing: minutes, once. @throws {Error} that says what to install. */
export async function installEngines(): Promise<void> {
  installation ??= run(fileURLToPath(new URL("install.sh", import.meta.url)));
  await installation;
}

/** Starts a program of an engine. The kernel ends it with the tests, also when those are killed. */
export function startEngineProcess(
  command: readonly string[],
  { lastSignal, ...options }: ProcessOptions & { readonly lastSignal: NodeJS.Signals },
): WatchedProcess {
  return startProcess("setpriv", ["--pdeathsig", lastSignal, ...command], options);
}

/** An empty folder, which is removed at disposal, and also when the tests end without it. */
export async function createEngineFolder(prefix: string): Promise<TemporaryFolder> {
  const folder = await createTemporaryFolder(prefix);
  // Standard input ends with the tests, however they end; the engine is given a moment to end as well.
  const script = 'cat; [ -e "$1" ] && sleep 1 && rm -rf "$1"';
  // A group of its own: what interrupts the tests does not reach it.
  const remover = spawn("sh", ["-c", script, "sh", folder.path], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  remover.unref();
  return {
    path: folder.path,
    async [Symbol.asyncDispose]() {
      await folder[Symbol.asyncDispose]();
      remover.stdin.end();
    },
  };
}

/**
 * A port of the loopback interface that is free, for a server that starts on it more than once. It is outside the range that
 * connections take their own ports from: there, a client that tries again while the server is down may connect to itself.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 15_000);
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    server.close();
    if (isFree) return port;
  }
}
