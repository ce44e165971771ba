/** Counts of what is carried around: bytes of `dist`, bytes downloaded for each use, chunks by command, lines of `src`. */
import { execFile } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Bytes of the bundle as it is committed. */
export async function bytesOfBundle(): Promise<number> {
  const files = await readdir(join(root, "dist"));
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(root, "dist", file))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Bytes that a runner downloads for each use: the repository's archive without what `.gitattributes` leaves out, gzipped. */
export async function bytesOfDownload(): Promise<number> {
  const { stdout } = await promisify(execFile)("git", ["archive", "--worktree-attributes", "HEAD"], {
    cwd: root,
    encoding: "buffer",
    maxBuffer: 1 << 28,
  });
  return gzipSync(stdout, { level: 9 }).length;
}

/** Prints the counts. */
export async function run(): Promise<void> {
  console.log(`dist: ${megabytes(await bytesOfBundle())}`);
  console.log(`downloaded for each use (gzip of git archive HEAD): ${megabytes(await bytesOfDownload())}`);
  const files = (await readdir(join(root, "src"), { recursive: true })).filter((file) => /\.\w+$/.test(file));
  let lines = 0;
  for (const file of files) lines += (await readFile(join(root, "src", file), "utf8")).split("\n").length - 1;
  console.log(`src: ${lines} lines in ${files.length} files`);
  for (const [name, imports] of await listImports()) console.log(`${name}: ${imports.join(", ")}`);
}

/** The chunks that each chunk loads on demand, by size; the entry first. */
async function listImports(): Promise<[string, string[]][]> {
  const chunks = (await readdir(join(root, "dist"))).filter((file) => file.endsWith("index.js"));
  const sizes = new Map<string, number>();
  for (const chunk of chunks) sizes.set(chunk, (await stat(join(root, "dist", chunk))).size);
  const largest = [...sizes].sort(([, a], [, b]) => b - a).slice(0, 12);
  return largest.map(([chunk, size]) => [chunk, [megabytes(size)]]);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(2)} MB`;
}
