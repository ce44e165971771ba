/** Lets the stand-in see what was pushed to a real git remote, as GitHub's API does. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { GitRemote } from "../git-http.ts";
import { type ChangedFile, type GitHubState, rememberPerson } from "./state.ts";

const STATUS: Readonly<Record<string, ChangedFile["status"]>> = {
  A: "added",
  D: "removed",
  M: "modified",
  R: "renamed",
};

/** A line of `--raw` (`:… M\tpath`, with two paths where it was renamed) and the one of `--numstat` (`3\t1\tpath`). */
function parseChange(raw: string, counts: string): ChangedFile {
  const [head = "", first = "", second] = raw.split("\t");
  const status = STATUS[head.split(" ").at(-1)?.[0] ?? ""] ?? "modified";
  // Of binary files git says "-".
  const [additions = 0, deletions = 0] = counts.split("\t", 2).map((count) => Number(count) || 0);
  const lines = { status, additions, deletions };
  return second === undefined
    ? { ...lines, filename: first }
    : { ...lines, filename: second, previousFilename: first };
}

function rememberCommit(state: GitHubState, entry: string): void {
  const [head = "", ...lines] = entry.split("\n");
  const [sha = "", parents = "", author = "", date = "", message = ""] = head.split("\u0001");
  if (state.commits.has(sha)) return;
  rememberPerson(state, author);
  const changes = lines.filter((line) => line.startsWith(":"));
  const counts = lines.filter((line) => line !== "" && !line.startsWith(":"));
  state.commits.set(sha, {
    sha,
    parents: parents.split(" ").filter((parent) => parent !== ""),
    message,
    author,
    date: `${new Date(date).toISOString().slice(0, 19)}Z`,
    files: changes.map((raw, index) => parseChange(raw, counts[index] ?? "")),
  });
}

/** What the files that hold the remote's refs said when git was last asked for them. */
const lastRefFiles = new WeakMap<GitHubState, string>();

/** Paths and contents of these files; `undefined` where one is gone in the meantime. */
function readRefFiles({ folder }: GitRemote): string | undefined {
  const packed = join(folder, "packed-refs");
  try {
    const loose = readdirSync(join(folder, "refs"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    const paths = existsSync(packed) ? [...loose, packed] : loose;
    return paths.map((path) => `${path} ${readFileSync(path, "utf8")}`).join("\n");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Brings branches, tags and their commits up to date with the remote's; starts git only where something has changed. */
export async function readBranches(state: GitHubState, remote: GitRemote): Promise<void> {
  const files = readRefFiles(remote);
  if (files !== undefined && files === lastRefFiles.get(state)) return;
  const refs = await remote.git("for-each-ref", "--format=%(objectname) %(refname)");
  const pairs = refs.split("\n").map((line) => line.split(" ") as [sha: string, ref: string]);
  const unknown = pairs.map(([sha]) => sha).filter((sha) => !state.commits.has(sha));
  if (unknown.length > 0) {
    const format = "--format=%x00%H%x01%P%x01%an%x01%aI%x01%s";
    const log = await remote.git("log", "--raw", "--numstat", format, ...new Set(unknown));
    for (const entry of log.split("\0").slice(1)) rememberCommit(state, entry);
  }
  for (const ref of [...state.refs.keys()])
    if (!pairs.some(([, name]) => name === ref)) state.refs.delete(ref);
  for (const [sha, ref] of pairs) state.refs.set(ref, sha);
  if (files !== undefined) lastRefFiles.set(state, files);
}
