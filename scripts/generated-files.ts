/**
 * Commits what a build wrote, where no person builds: on Dependabot's branches, and for the cut of a release. The job with rights runs
 * this file; it imports nothing but Node, runs nothing of the artifact, and takes from it only the files below.
 *
 *   node scripts/generated-files.ts collect FOLDER                  copies the built files into the folder
 *   node scripts/generated-files.ts commit FOLDER BRANCH [SUBJECT]  commits the folder's files and what is staged, and pushes the commit
 */
import { execFileSync } from "node:child_process";
import { appendFile, cp, lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** What follows from the packages: folders end in a slash. */
export const builtFiles = ["dist/", "packed/", "src/server/site/client-assets.ts"];

interface Commit {
  /** The checkout, at the branch's newest commit. */
  readonly root: string;
  /** What the build gave; its names and contents come from code of packages. */
  readonly folder: string;
  readonly branch: string;
  /** Where the branch is. */
  readonly remote: string;
  readonly token: string;
  readonly subject?: string | undefined;
}

interface TreeEntry {
  readonly mode: string;
  readonly sha: string;
}

/** Copies the built files of a checkout. */
export async function collectBuiltFiles(root: string, folder: string): Promise<void> {
  for (const path of builtFiles) await cp(join(root, path), join(folder, path), { recursive: true });
}

/**
 * Makes the built files of a branch those of the folder, with one commit, and pushes it. Executable files stay executable.
 *
 * @returns whether there was anything to commit.
 * @throws when the folder holds anything else, and when the branch has moved.
 */
export async function commitBuiltFiles(options: Commit): Promise<boolean> {
  const { root, folder, branch, remote, token, subject = "build: commit the bundle" } = options;
  const git = (args: readonly string[], options: { readonly input?: string; readonly env?: object } = {}) =>
    execFileSync("git", ["-C", root, ...args], {
      input: options.input ?? "",
      encoding: "utf8",
      maxBuffer: 2 ** 28,
      env: { ...process.env, ...options.env },
    });
  const names = await listFiles(folder);
  const foreign = names.filter((name) => !isBuiltFile(name));
  if (foreign.length > 0) throw new Error(`The build gave ${foreign.join(", ")}, which it must not change.`);
  // An empty artifact would delete the action.
  for (const needed of ["dist/index.js", "dist/licenses.txt"])
    if (!names.includes(needed)) throw new Error(`The build gave no ${needed}.`);

  const before = readTree(git(["ls-tree", "-r", "-z", "HEAD", "--", ...builtFiles]));
  const after = new Map<string, TreeEntry>();
  for (const name of names) {
    const sha = git(["hash-object", "-w", `--path=${name}`, "--", join(folder, name)]).trim();
    after.set(name, { sha, mode: before.get(name)?.mode ?? "100644" });
  }
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name)?.sha !== after.get(name)?.sha,
  );
  const lines = changed.map((name) => {
    const { mode, sha } = after.get(name) ?? { mode: "0", sha: "0".repeat(40) };
    return `${mode} ${sha}\t${name}\0`;
  });
  git(["update-index", "-z", "--index-info"], { input: lines.join("") });
  const tree = git(["write-tree"]).trim();
  if (tree === git(["rev-parse", "HEAD^{tree}"]).trim()) return false;
  // The name lets Dependabot replace the commit when it updates its branch; otherwise it would leave the branch alone.
  const message = `${subject}\n\nBuilt by a workflow.\n\n[dependabot skip]\n`;
  const person = {
    NAME: "github-actions[bot]",
    EMAIL: "41898282+github-actions[bot]@users.noreply.github.com",
  };
  const env = Object.fromEntries(
    ["AUTHOR", "COMMITTER"].flatMap((role) =>
      Object.entries(person).map(([field, value]) => [`GIT_${role}_${field}`, value]),
    ),
  );
  const commit = git(["commit-tree", tree, "-p", "HEAD", "-F", "-"], { input: message, env }).trim();
  // Not in the arguments, which other processes can read. Without `+`, a branch that has moved refuses the push.
  const login = Buffer.from(`x-access-token:${token}`).toString("base64");
  const credentials = {
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: `http.${remote}.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${login}`,
    GIT_TERMINAL_PROMPT: "0",
  };
  git(["push", "--quiet", remote, `${commit}:refs/heads/${branch}`], { env: credentials });
  return true;
}

function isBuiltFile(name: string): boolean {
  return builtFiles.some((path) => (path.endsWith("/") ? name.startsWith(path) : name === path));
}

/** @throws at anything that is neither a file nor a folder. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  const files = await Promise.all(
    entries.map(async (name) => {
      const facts = await lstat(join(folder, name));
      if (!facts.isFile() && !facts.isDirectory()) throw new Error(`${name} is not a file.`);
      return facts.isFile() ? [name] : [];
    }),
  );
  return files.flat().sort();
}

function readTree(listing: string): ReadonlyMap<string, TreeEntry> {
  const entries = listing.split("\0").flatMap((line) => {
    const [, mode = "", sha = "", name = ""] = /^(\d+) blob (\w+)\t(.+)$/s.exec(line) ?? [];
    return name === "" ? [] : [[name, { mode, sha }] as const];
  });
  return new Map(entries);
}

async function main([command, folder, branch, subject]: readonly string[]): Promise<string> {
  const variable = (name: string) => {
    const value = process.env[name];
    if (!value) throw new Error(`${name} is not set.`);
    return value;
  };
  if (command === "collect" && folder) {
    await collectBuiltFiles(process.cwd(), folder);
    return `Collected: ${builtFiles.join(", ")}.`;
  }
  if (command !== "commit" || !folder || !branch)
    throw new Error("Usage: node scripts/generated-files.ts collect FOLDER | commit FOLDER BRANCH [SUBJECT]");
  const remote = `${variable("GITHUB_SERVER_URL")}/${variable("GITHUB_REPOSITORY")}`;
  const token = variable("GH_TOKEN");
  const root = process.cwd();
  const isCommitted = await commitBuiltFiles({ root, folder, branch, remote, token, subject });
  await appendFile(variable("GITHUB_OUTPUT"), `committed=${isCommitted}\n`);
  return isCommitted ? `Committed to ${branch}.` : "The committed files are what the build gives.";
}

if (import.meta.main) console.log(await main(process.argv.slice(2)));
