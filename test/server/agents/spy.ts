/**
 * An agent command that looks for secrets wherever a process of its user can look, and writes what it found into the
 * documents. Its one argument is a `SpyTask` in base64, so that the spy's own arguments hold no secret.
 */
import { execFileSync } from "node:child_process";
import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readSync, writeFileSync } from "node:fs";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";

export interface SpyTask {
  /** What is searched for, by name. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Folders that the platform keeps its data in. */
  readonly folders: readonly string[];
  /** Process id of the platform; that in the variable `SPY_PID`, or the parent's, unless given. */
  readonly pid?: number | undefined;
}

if (import.meta.main)
  await spy(JSON.parse(Buffer.from(process.argv[2] ?? "", "base64").toString()) as SpyTask);

/** Writes one line for each place and secret, `environ: admin`, sorted. */
async function spy({
  secrets,
  folders,
  pid = Number(process.env["SPY_PID"] ?? process.ppid),
}: SpyTask): Promise<void> {
  const found = new Set<string>();
  const search = (place: string, read: () => Buffer) => {
    try {
      const bytes = read();
      for (const [name, secret] of Object.entries(secrets))
        if (bytes.includes(secret)) found.add(`${place}: ${name}`);
    } catch (error) {
      // What cannot be read tells nothing.
      if (!(error instanceof Error)) throw error;
    }
  };

  for (const other of list("/proc").filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
    for (const name of ["environ", "cmdline"]) search(name, () => readFileSync(`/proc/${other}/${name}`));
    for (const path of list(`/proc/${other}/fd`).map((name) => `/proc/${other}/fd/${name}`))
      search("open file", () => (isOpenFile(path) ? readFileSync(path) : Buffer.of()));
  }
  search("memory", () => Buffer.concat(findInMemory(pid, Object.values(secrets))));
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) search("data", () => readFileSync(`${entry.parentPath}/${entry.name}`));
    }
  }

  // Ways out of a namespace, and programs of root.
  const escapes: readonly [string, ...string[]][] = [
    ["unshare", "-Urm", "sh", "-c", `umount /proc; umount -l /proc; cat /proc/${pid}/environ`],
    ["unshare", "-Urmpf", "sh", "-c", `mount -t proc proc /proc; cat /proc/*/environ`],
    ["sudo", "-n", "sh", "-c", "cat /proc/*/environ"],
    ["nsenter", "-t", String(pid), "-a", "cat", `/proc/${pid}/environ`],
    ...folders.map((folder): [string, ...string[]] => ["sh", "-c", `umount ${folder}/*; cat ${folder}/*`]),
    ...folders.map((folder): [string, ...string[]] => [
      "unshare",
      "-Urm",
      "sh",
      "-c",
      `umount ${folder}/*; cat ${folder}/*`,
    ]),
  ];
  for (const [program, ...argv] of escapes)
    search(`escape by ${program}`, () =>
      execFileSync(program, argv, { stdio: ["ignore", "pipe", "ignore"] }),
    );

  if (await startsDebugger(pid)) found.add("debugger");
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

/** Whether a descriptor is a file, also a removed one; reading from a pipe or a terminal would wait. */
function isOpenFile(path: string): boolean {
  const size = execFileSync("stat", ["-L", "-c", "%F %s", path], { stdio: ["ignore", "pipe", "ignore"] });
  const [, bytes = ""] = /^regular (?:empty )?file (\d+)/.exec(size.toString()) ?? [];
  return lstatSync(path).isSymbolicLink() && bytes !== "" && Number(bytes) < 10_000_000;
}

/** Those of the texts that stand in the memory of a process. */
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
        // A region that ends early, or that nobody may read.
        if (!(error instanceof Error)) throw error;
      }
    }
  }
  closeSync(file);
  return found;
}

/** Node's debugger, which a signal starts, gives everything. */
async function startsDebugger(pid: number): Promise<boolean> {
  try {
    process.kill(pid, "SIGUSR1");
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
  for (let polls = 0; polls < 10; polls += 1) {
    const answer = await fetch("http://127.0.0.1:9229/json/list").then(
      (response) => response.text(),
      () => "",
    );
    if (answer.includes("webSocketDebuggerUrl")) return true;
    await delay(50);
  }
  return false;
}
