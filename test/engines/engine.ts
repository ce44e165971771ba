/** Shared by the engines: installation, ports, and processes that end with the tests. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createTemporaryFolder, type TemporaryFolder } from "../support/temporary-folder.ts";
import { type ProcessOptions, startProcess, type WatchedProcess } from "../support/watched-process.ts";

export const run = promisify(execFile);

let installation: Promise<unknown> | undefined;

/** Installs missing engines, which takes minutes. @throws {Error} with what to install. */
export async function installEngines(): Promise<void> {
  installation ??= run(fileURLToPath(new URL("install.sh", import.meta.url)));
  await installation;
}

/** Starts a program of an engine. The kernel kills it when the tests end, even if they are killed. */
export function startEngineProcess(
  command: readonly string[],
  { lastSignal, ...options }: ProcessOptions & { readonly lastSignal: NodeJS.Signals },
): WatchedProcess {
  return startProcess("setpriv", ["--pdeathsig", lastSignal, ...command], options);
}

/** Creates an empty folder. It is removed on disposal, or when the tests end for another reason. */
export async function createEngineFolder(prefix: string): Promise<TemporaryFolder> {
  const folder = await createTemporaryFolder(prefix);
  // Standard input closes when the tests end for any reason. The engine then has a moment to end too.
  const script = 'cat; [ -e "$1" ] && sleep 1 && rm -rf "$1"';
  // A new process group, so that Ctrl-C in the tests does not reach it.
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
 * Finds a free loopback port for a server that restarts. It is outside of the ephemeral port range: a client that retries within this
 * range while the server is down can connect to itself.
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
