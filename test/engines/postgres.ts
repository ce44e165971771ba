/** Real PostgreSQL on the loopback interface, which the tests can kill and stop. */
import { chmod, glob, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../../src/base/text.ts";
import type { WatchedProcess } from "../support/watched-process.ts";
import { createEngineFolder, findFreePort, installEngines, run, startEngineProcess } from "./engine.ts";

/** A database server for the tests; disposal removes it and its data. */
export interface Postgres extends AsyncDisposable {
  /** URL of its first database. */
  readonly url: string;
  /** Creates an empty database; returns its URL. */
  createDatabase(): Promise<string>;
  /** Kills it: connections break, and the next start recovers from the log. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** `kill`, then `start`. */
  restart(): Promise<void>;
  /** Pauses its processes: connections stay open without responses. */
  pause(): Promise<void>;
  resume(): Promise<void>;
}

/** Starts PostgreSQL 15 or newer; installs it if it is missing. */
export async function startPostgres(): Promise<Postgres> {
  await installEngines();
  const programs = await findPrograms();
  await using stack = new AsyncDisposableStack();
  const { path: folder } = stack.use(await createEngineFolder("postgres-"));
  const data = join(folder, "data");
  await mkdir(data, { mode: 0o700 });
  // PostgreSQL refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  const asUser = isRoot ? ["--reuid", "postgres", "--regid", "postgres", "--clear-groups"] : [];
  if (isRoot) {
    await chmod(folder, 0o711);
    await run("chown", ["postgres:", data]);
  }
  const initdb = [join(programs, "initdb"), "--no-sync", "-A", "trust", "--locale=C", "-E", "UTF8"];
  await run("setpriv", [...asUser, ...initdb, "-U", "postgres", "-D", data], { cwd: data });

  const port = await findFreePort();
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    // Written data survives the end of a process; only a power failure would require fsync.
    fsync: "off",
    max_connections: "200",
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const command = [...asUser, join(programs, "postgres"), "-D", data, "-p", String(port), ...flags];
  let server: WatchedProcess | undefined;
  const kill = async () => {
    // SIGQUIT means an immediate shutdown.
    server?.signal("SIGQUIT");
    await server?.ended;
    server = undefined;
  };
  const start = async () => {
    server ??= startEngineProcess(command, { cwd: data, lastSignal: "SIGQUIT" });
    await server.waitFor(/ready to accept connections/);
  };
  const signalAll = async (name: NodeJS.Signals) => {
    if (server === undefined) throw new Error("PostgreSQL is not running.");
    const children = await readFile(`/proc/${server.pid}/task/${server.pid}/children`, "utf8");
    // Signal the parent first, so that it starts no more children.
    server.signal(name);
    for (const pid of children.split(" ").filter(Boolean)) signalIfRunning(Number(pid), name);
  };
  const resume = () => signalAll("SIGCONT");
  stack.defer(async () => {
    if (server !== undefined) await resume();
    await kill();
  });
  await start();

  const addressOf = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const url = addressOf("postgres");
  let databases = 0;
  const resources = stack.move();
  return {
    url,
    createDatabase: async () => {
      databases += 1;
      const name = `test_${databases}`;
      await run(join(programs, "psql"), [url, "--quiet", "--command", `create database ${name}`]);
      return addressOf(name);
    },
    kill,
    start,
    restart: async () => {
      await kill();
      await start();
    },
    pause: () => signalAll("SIGSTOP"),
    resume,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** A connection's process may have ended by itself. */
function signalIfRunning(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (codeOf(error) !== "ESRCH") throw error;
  }
}

/** Folder of the newest PostgreSQL at Debian's location. */
async function findPrograms(): Promise<string> {
  const versions: number[] = [];
  for await (const name of glob("*/bin/postgres", { cwd: "/usr/lib/postgresql" }))
    versions.push(Number.parseInt(name, 10));
  const newest = Math.max(...versions);
  if (newest < 15) throw new Error(`PostgreSQL ${newest} is too old: the tests need 15 or newer.`);
  return `/usr/lib/postgresql/${newest}/bin`;
}
