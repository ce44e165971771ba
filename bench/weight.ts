/** Counts of what is carried around: bytes of `dist`, bytes downloaded for each use, chunks by command, lines of `src`. */
import { execFile } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import type { Report } from "./report.ts";

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

export const title = "Weight";

export async function run(): Promise<Report> {
  const files = (await readdir(join(root, "src"), { recursive: true })).filter((file) =>
    /\.(?:ts|css)$/.test(file),
  );
  let lines = 0;
  for (const file of files) lines += (await readFile(join(root, "src", file), "utf8")).split("\n").length - 1;
  return {
    intro: "Sizes of the files as they are committed.",
    tables: [
      {
        caption: "The action and its source.",
        columns: ["what", "count"],
        rows: [
          ["downloaded for each use (gzip of `git archive HEAD`)", megabytes(await bytesOfDownload())],
          ["`dist`", megabytes(await bytesOfBundle())],
          ["`src`", `${lines} lines in ${files.length} files`],
        ],
      },
      {
        caption: "The largest chunks of `dist`; a command loads only those that it needs.",
        columns: ["chunk", "size"],
        rows: (await listChunks()).map(([chunk, size]) => [chunk, megabytes(size)]),
      },
    ],
  };
}

/** The largest chunks, by size. */
async function listChunks(): Promise<[string, number][]> {
  const chunks = (await readdir(join(root, "dist"))).filter((file) => file.endsWith("index.js"));
  const sizes = new Map<string, number>();
  for (const chunk of chunks) sizes.set(chunk, (await stat(join(root, "dist", chunk))).size);
  return [...sizes].sort(([, a], [, b]) => b - a).slice(0, 12);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(2)} MB`;
}
