/**
 * An agent command that searches for secrets wherever a process of its user can read, and writes the result into the documents. Its
 * argument is a `SpyTask` in base64, so that the spy's own arguments contain no secret.
 */
import { execFileSync } from "node:child_process";
import {
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { relative } from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";

export interface SpyTask {
  /** The secrets by name. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The platform's data folders. */
  readonly folders: readonly string[];
  /** Process id of the platform; defaults to `SPY_PID`, or to the parent process. */
  readonly pid?: number | undefined;
  /** Where Node's debugger of that process would listen; the default of Node unless given. */
  readonly debuggerPort?: number;
}

if (import.meta.main)
  await spy(JSON.parse(Buffer.from(process.argv[2] ?? "", "base64").toString()) as SpyTask);

/** Writes one sorted line such as `environ: admin` for each location and secret. */
async function spy({
  secrets,
  folders,
  pid = Number(process.env["SPY_PID"] ?? process.ppid),
  debuggerPort = 9229,
}: SpyTask): Promise<void> {
  const found = new Set<string>();
  const search = (place: string, read: () => Buffer) => {
    try {
      const bytes = read();
      for (const [name, secret] of Object.entries(secrets))
        if (bytes.includes(secret)) found.add(`${place}: ${name}`);
    } catch (error) {
      // Ignore what cannot be read.
      if (!(error instanceof Error)) throw error;
    }
  };

  for (const other of list("/proc").filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
    for (const name of ["environ", "cmdline"]) search(name, () => readFileSync(`/proc/${other}/${name}`));
    for (const path of list(`/proc/${other}/fd`).map((name) => `/proc/${other}/fd/${name}`))
      search("open file", () => (isOpenFile(path) ? readFileSync(path) : Buffer.of()));
  }
  search("memory", () => Buffer.concat(findInMemory(pid, Object.values(secrets))));
  for (const folder of folders.flatMap((path) => [path, relative(process.cwd(), path)])) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) search("data", () => readFileSync(`${entry.parentPath}/${entry.name}`));
    }
  }

  // Attempts to leave the namespace, and setuid programs.
  const escapes: readonly [string, ...string[]][] = [
    ["unshare", "-Urm", "sh", "-c", `umount /proc; umount -l /proc; cat /proc/${pid}/environ`],
    ["unshare", "-Urmpf", "sh", "-c", `mount -t proc proc /proc; cat /proc/*/environ`],
    ["sudo", "-n", "sh", "-c", "cat /proc/*/environ"],
    ["nsenter", "-t", String(pid), "-a", "cat", `/proc/${pid}/environ`],
    ...folders.flatMap((folder): [string, ...string[]][] => {
      const uncover = [
        "sh",
        "-c",
        `umount ${folder}/* ${folder}; umount -l ${folder}; cat ${folder}/*`,
      ] as const;
      return [[...uncover], ["unshare", "-Urm", ...uncover]];
    }),
  ];
  for (const [program, ...argv] of escapes)
    search(`escape by ${program}`, () =>
      execFileSync(program, argv, { stdio: ["ignore", "pipe", "ignore"] }),
    );

  if (await startsDebugger(pid, debuggerPort)) found.add("debugger");
  writeFileSync("docs/found.md", `${[...found].sort().join("\n")}\n`);
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error) return [];
    throw error;
  }
}

/** Whether a descriptor is a file, even a deleted one. Reading a pipe or terminal would block. */
function isOpenFile(path: string): boolean {
  const file = statSync(path);
  return lstatSync(path).isSymbolicLink() && file.isFile() && file.size < 10_000_000;
}

/** Returns the texts that the memory of a process contains. */
function findInMemory(pid: number, texts: readonly string[]): Buffer[] {
  const step = 4_194_304;
  const found: Buffer[] = [];
  const file = openSync(`/proc/${pid}/mem`, "r");
  const bytes = Buffer.alloc(step + 256);
  for (const [, from, to] of readFileSync(`/proc/${pid}/maps`, "utf8").matchAll(
    /^([\da-f]+)-([\da-f]+) rw/gm,
  )) {
    for (let at = BigInt(`0x${from}`); at < BigInt(`0x${to}`); at += BigInt(step)) {
      try {
        const read = bytes.subarray(0, readSync(file, bytes, 0, bytes.length, at));
        found.push(...texts.filter((text) => read.includes(text)).map((text) => Buffer.from(text)));
      } catch (error) {
        // The region ends early, or is not readable.
        if (!(error instanceof Error)) throw error;
      }
    }
  }
  closeSync(file);
  return found;
}

/** Node's debugger, which SIGUSR1 starts, gives access to everything. */
async function startsDebugger(pid: number, port: number): Promise<boolean> {
  try {
    process.kill(pid, "SIGUSR1");
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
  for (let polls = 0; polls < 10; polls += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/json/list`).then(
      (response) => response.text(),
      () => "",
    );
    if (answer.includes("webSocketDebuggerUrl")) return true;
    await delay(50);
  }
  return false;
}
