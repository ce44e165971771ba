/**
 * What a release needs beyond GitHub's own tools. The jobs with rights run this file; it imports nothing but Node.
 *
 *   node scripts/release.ts cut VERSION     gives the changelog's unreleased lines to the version, in the work tree
 *   node scripts/release.ts pack FOLDER     writes the files of the checked-out tag's release, and its notes
 *   node scripts/release.ts verify FOLDER   fails unless the folder holds exactly those files, byte for byte
 *   node scripts/release.ts move-major-tag  points vX at the tag if it is the newest X.y.z
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** What a cut changes besides the changelog, and where the version stands in it. */
export const versionedFiles = {
  "package.json": /^( {2}"version": ")[^"]*/m,
  "package-lock.json": /(^ {2}"version": "|^ {6}"name": "docs-automation-action",\n {6}"version": ")[^"]*/gm,
  "src/base/version.ts": /^(export const version = ")[^"]*/m,
  "deploy/chart/Chart.yaml": /^(version: )\S+/m,
  // The packages that readers make or download.
  "docs/command-line.md": /(docs-automation-action-)[\d.]*\d/g,
  "docs/self-hosting.md": /(docs-site-)[\d.]*\d/g,
  "examples/export-values.yml": /(docs-site --version )\S+/g,
  "examples/gitlab/.gitlab-ci.yml": /(releases\/download\/v)[\d.]*\d/g,
} as const satisfies Readonly<Record<string, RegExp>>;

/** What the tarball holds: all that a copy of the action needs. */
export const shipped = [
  ...["LICENSE", "README.md", "action.yml", "dist"],
  ...["agent", "assistant", "doctor", "export", "reconcile"],
];

const repositoryPage = "https://github.com/docs-automation/docs-automation-action";

interface LockedPackage {
  /** The package's own name, where it is installed under another one. */
  readonly name?: string;
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
}

/** As much of a package-lock.json as a bill of materials needs. */
export interface LockFile {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  /** By the path of their folders. */
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface Version {
  readonly tag: string;
  readonly numbers: readonly [bigint, bigint, bigint];
}

interface MovedTag {
  /** `vX.Y.Z` */
  readonly tag: string;
  /** The commit that was built. */
  readonly commit: string;
  /** `owner/name` */
  readonly repository: string;
  readonly apiUrl: string;
  readonly token: string;
}

interface Reference {
  readonly ref: string;
}

/** The tag as a version; `undefined` for anything but `vX.Y.Z`, such as a pre-release. */
function parseVersion(tag: string): Version | undefined {
  const [, major, minor, patch] = /^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(tag) ?? [];
  if (major === undefined || minor === undefined || patch === undefined) return undefined;
  return { tag, numbers: [BigInt(major), BigInt(minor), BigInt(patch)] };
}

/** The newest `vX.Y.Z` with the same X; other tags do not count. */
export function newestOfMajor(tag: string, tags: readonly string[]): string {
  const released = parseVersion(tag);
  if (!released) throw new Error(`${tag} is not a version: a release is tagged vX.Y.Z.`);
  const versions = tags
    .flatMap((name) => parseVersion(name) ?? [])
    .filter(({ numbers }) => numbers[0] === released.numbers[0]);
  return versions.reduce((newest, version) => (isNewer(version, newest) ? version : newest), released).tag;
}

function isNewer({ numbers: left }: Version, { numbers: right }: Version): boolean {
  const difference = left.map((number, index) => number - (right[index] ?? 0n)).find((value) => value !== 0n);
  return difference !== undefined && difference > 0n;
}

/**
 * Gives the unreleased lines of a changelog to a version.
 *
 * @throws when there is nothing unreleased, or the version is not newer than every section's.
 */
export function cutChangelog(changelog: string, version: string, date: string): string {
  const tag = `v${version}`;
  const released = [...changelog.matchAll(/^## (\d\S*)/gm)].map(([, name]) => `v${name}`);
  if (released.includes(tag)) throw new Error(`CHANGELOG.md already has a section for ${version}.`);
  const newest = newestOfMajor(tag, released);
  if (newest !== tag) throw new Error(`CHANGELOG.md has a newer section: ${newest}.`);
  if (sectionOf(changelog, "Unreleased") === "") throw new Error("CHANGELOG.md has no unreleased lines.");
  return changelog.replace("## Unreleased\n", `## Unreleased\n\n## ${version} - ${date}\n`);
}

/**
 * The notes of a release: the changelog's section of its version, with links that lead to the tag's files.
 *
 * @throws when there is no such section, and when the tag holds changes that no version has.
 */
export function releaseNotes(changelog: string, version: string, page: string): string {
  const notes = sectionOf(changelog, version);
  if (notes === "")
    throw new Error(
      `CHANGELOG.md has no section for ${version}: run \`node scripts/release.ts cut ${version}\`.`,
    );
  if (sectionOf(changelog, "Unreleased") !== "")
    throw new Error(`CHANGELOG.md has unreleased lines, which the notes of ${version} would not name.`);
  return `${notes.replace(/\]\((?!\w+:|#)/g, `](${page}/`)}\n`;
}

function sectionOf(changelog: string, name: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.split(/\s/, 1)[0] === name) ?? "";
  return section.slice(section.indexOf("\n") + 1).trim();
}

/** Cuts a release in a work tree; what follows from the version, `dist` for one, is built after it. */
async function cutRelease(root: string, version: string): Promise<void> {
  const change = async (path: string, edit: (text: string) => string) => {
    const text = await readFile(join(root, path), "utf8");
    await writeFile(join(root, path), edit(text));
  };
  await change("CHANGELOG.md", (text) => cutChangelog(text, version, new Date().toISOString().slice(0, 10)));
  for (const [path, place] of Object.entries(versionedFiles))
    await change(path, (text) => {
      if (text.search(place) < 0) throw new Error(`${path} names no version.`);
      return text.replace(place, `$1${version}`);
    });
}

/**
 * Makes the files of a release from a commit, never from the work tree; the same commit always gives the same bytes.
 *
 * @throws when the tag is not the version of the commit's package.json.
 */
export function releaseFiles(root: string, tag: string): ReadonlyMap<string, Buffer> {
  const gitIn = (folder: string, ...args: readonly string[]) =>
    execFileSync("git", ["-C", folder, ...args], { maxBuffer: 2 ** 28 });
  const git = gitIn.bind(undefined, root);
  const read = (path: string) => git("show", `HEAD:${path}`).toString("utf8");
  const { version } = JSON.parse(read("package.json")) as { version: string };
  if (newestOfMajor(tag, []) !== `v${version}`)
    throw new Error(`The tag is ${tag}, but package.json says ${version}.`);
  const format = ["-c", "tar.umask=0022", "archive", "--format=tar"];
  const tar = git(...format, `--prefix=docs-automation-action-${version}/`, "HEAD", ...shipped);
  // What `npm pack` would make of `dist`, but always with the same bytes.
  const npm = gitIn(join(root, "dist"), ...format, "--prefix=package/", "HEAD", ".");
  const licenses = read("dist/licenses.txt");
  const bill = renderBillOfMaterials(JSON.parse(read("package-lock.json")), licenses);
  const notes = releaseNotes(read("CHANGELOG.md"), version, `${repositoryPage}/blob/${tag}`);
  return new Map([
    ["docs-automation-action.cdx.json", Buffer.from(bill)],
    ["docs-automation-action.licenses.txt", Buffer.from(licenses)],
    ["docs-automation-action.tar.gz", gzipSync(tar, { level: 9 })],
    ["docs-automation-action.tgz", gzipSync(npm, { level: 9 })],
    ["notes.md", Buffer.from(notes)],
  ]);
}

/**
 * Lists what `dist` contains, as CycloneDX 1.5: the packages that the bundler names in `licenses.txt`, with the versions and
 * digests of the lock file. (`npm sbom --omit dev` leaves out packages that are also needed for development.)
 */
export function renderBillOfMaterials(lock: LockFile, licenses: string): string {
  const names = new Set(licenses.split("\n"));
  const bundled = Object.entries(lock.packages)
    .map(([folder, locked]) => ({
      ...locked,
      name: locked.name ?? folder.split("node_modules/").at(-1) ?? "",
      folder,
    }))
    .filter(({ folder, name, version }) => folder.includes("node_modules/") && version && names.has(name));
  // The bundler also takes what only development asked for, if a package looks for it.
  const needed = new Set(bundled.flatMap(({ name, dev }) => (dev ? [] : name)));
  const components = new Map<string, object>();
  for (const { name, version, integrity, license, dev } of bundled) {
    if (dev && needed.has(name)) continue;
    const id = `${name}@${version}`;
    components.set(id, {
      type: "library",
      "bom-ref": id,
      name,
      version,
      purl: `pkg:npm/${id.replace(/^@/, "%40")}`,
      ...(integrity ? { hashes: integrity.split(/\s+/).map(renderDigest) } : {}),
      ...(license ? { licenses: [{ expression: license }] } : {}),
    });
  }
  const content = {
    metadata: {
      component: {
        type: "application",
        "bom-ref": `${lock.name}@${lock.version}`,
        name: lock.name,
        version: lock.version,
        purl: `pkg:github/docs-automation/${lock.name}@v${lock.version}`,
      },
    },
    components: [...components].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, component]) => component),
  };
  // The number must be the same each time, so it comes from the content.
  const digest = createHash("sha256").update(JSON.stringify(content)).digest("hex");
  const number = digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
  const head = { bomFormat: "CycloneDX", specVersion: "1.5", serialNumber: `urn:uuid:${number}`, version: 1 };
  return `${JSON.stringify({ ...head, ...content }, null, 2)}\n`;
}

function renderDigest(integrity: string): object {
  const [algorithm = "", value = ""] = integrity.split("-", 2);
  return {
    alg: algorithm.toUpperCase().replace(/^SHA/, "SHA-"),
    content: Buffer.from(value, "base64").toString("hex"),
  };
}

/** @throws unless the folder holds exactly these files. */
export async function verifyFolder(folder: string, files: ReadonlyMap<string, Buffer>): Promise<void> {
  const found = (await readdir(folder)).sort();
  const expected = [...files.keys()].sort();
  if (found.join("\n") !== expected.join("\n"))
    throw new Error(`${folder} holds ${found.join(", ")} instead of ${expected.join(", ")}.`);
  for (const [name, bytes] of files) {
    if (!bytes.equals(await readFile(join(folder, name))))
      throw new Error(`${name} is not what the tag gives; nothing of this build may be released.`);
  }
}

/**
 * Points the major tag at a release, unless a newer release of the same major version is tagged.
 *
 * @returns what was done, as a sentence.
 * @throws when the tag has moved since it was built, or when a branch has the name of one of the two tags.
 */
export async function moveMajorTag({ tag, commit, repository, apiUrl, token }: MovedTag): Promise<string> {
  const call = async (path: string, init: RequestInit = {}) => {
    const headers = { accept: "application/vnd.github+json", authorization: `Bearer ${token}` };
    const response = await fetch(`${apiUrl}/repos/${repository}/${path}`, { ...init, headers });
    if (response.ok) return response.json();
    throw new Error(
      `${init.method ?? "GET"} ${path} was answered with ${response.status}: ${await response.text()}`,
    );
  };
  const [major = ""] = tag.split(".");
  const names = async (kind: "heads" | "tags") =>
    ((await call(`git/matching-refs/${kind}/${major}`)) as readonly Reference[]).map(({ ref }) =>
      ref.slice(`refs/${kind}/`.length),
    );

  const tags = await names("tags");
  const newest = newestOfMajor(tag, tags);
  if (newest !== tag) return `${major} stays where it is: ${newest} is newer than ${tag}.`;
  const shadow = (await names("heads")).find((name) => name === major || name === tag);
  // A workflow that names the tag would get the branch or the tag, depending on who resolves it.
  if (shadow !== undefined) throw new Error(`A branch has the name ${shadow}; delete it first.`);
  const { sha } = (await call(`commits/tags/${tag}`)) as { readonly sha: string };
  if (sha !== commit) throw new Error(`${tag} points at ${sha} now, but ${commit} was built.`);

  const write = (path: string, method: string, body: object) =>
    call(path, { method, body: JSON.stringify(body) }).catch((cause: unknown) => {
      // GitHub refuses a workflow's token to point a reference at workflows that no branch has any more.
      const advice = `If a workflow has changed since ${tag}, run: git push --force origin ${commit}:refs/tags/${major}`;
      throw new Error(`${cause instanceof Error ? cause.message : cause}\n${advice}`, { cause });
    });
  if (tags.includes(major)) {
    await write(`git/refs/tags/${major}`, "PATCH", { sha: commit, force: true });
    return `${major} is moved to ${tag}.`;
  }
  await write("git/refs", "POST", { ref: `refs/tags/${major}`, sha: commit });
  return `${major} is created at ${tag}.`;
}

async function main([command, value]: readonly string[]): Promise<string> {
  const variable = (name: string) => {
    const value = process.env[name];
    if (!value) throw new Error(`${name} is not set.`);
    return value;
  };
  if (command === "cut" && value) {
    await cutRelease(process.cwd(), value);
    return `Cut ${value}. Now run \`npm run build && npm run generate\`, and commit.`;
  }
  const tag = variable("GITHUB_REF_NAME");
  if (command === "move-major-tag") {
    return moveMajorTag({
      tag,
      commit: variable("GITHUB_SHA"),
      repository: variable("GITHUB_REPOSITORY"),
      apiUrl: variable("GITHUB_API_URL"),
      token: variable("GH_TOKEN"),
    });
  }
  if ((command !== "pack" && command !== "verify") || !value) {
    throw new Error(
      "Usage: node scripts/release.ts cut VERSION | pack FOLDER | verify FOLDER | move-major-tag",
    );
  }
  const files = releaseFiles(process.cwd(), tag);
  if (command === "verify") {
    await verifyFolder(value, files);
    return `${value} holds what ${tag} gives.`;
  }
  await mkdir(value, { recursive: true });
  for (const [name, bytes] of files) await writeFile(join(value, name), bytes);
  return `Packed: ${[...files.keys()].join(", ")}.`;
}

if (import.meta.main) console.log(await main(process.argv.slice(2)));
