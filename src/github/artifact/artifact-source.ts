/** Turns what is to be uploaded into files as the artifact service takes them. */
import { constants } from "node:fs";
import { access, link, mkdtemp, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Log } from "../../base/runtime.ts";
import { GitHubError } from "../errors.ts";
import type { UploadSource } from "./artifact-client.ts";
import { listSite, requirePagesLimits, type SiteFile } from "./artifact-rules.ts";
import { writePagesArchive } from "./pages-archive.ts";

/** How content becomes an artifact; the values of the input `upload`. */
export type ArtifactKind = "archive" | "zip" | "site" | "pages";

interface SourceOptions {
  readonly kind: ArtifactKind;
  readonly path: string;
}

/** A source for each name that is tried, and the folder it may use, removed in the end. */
export interface PreparedSource extends AsyncDisposable {
  /** The artifact's real name for a wanted one: a raw artifact is named like its file. */
  effectiveName(name: string): string;
  /** What to upload under this effective name. */
  sourceFor(effectiveName: string): Promise<UploadSource>;
}

/** HTML packs to a third of its size; an archive within a zip does not pack at all. */
const siteCompressionLevel = 6;

/**
 * Checks and prepares the content.
 *
 * @throws {GitHubError} when it is not something that can be uploaded.
 */
export async function prepareSource(
  { kind, path }: SourceOptions,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<PreparedSource> {
  const folder = await mkdtemp(join(process.env["RUNNER_TEMP"] ?? tmpdir(), "artifact-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const prepared = await prepare({ kind, path }, { folder, log, signal });
    return { ...prepared, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

interface PrepareDeps {
  readonly folder: string;
  readonly log: Log;
  readonly signal: AbortSignal;
}

async function prepare(
  { kind, path }: SourceOptions,
  deps: PrepareDeps,
): Promise<Omit<PreparedSource, typeof Symbol.asyncDispose>> {
  switch (kind) {
    case "archive":
      return prepareRaw(path, deps);
    case "zip": {
      const size = await requireFile(path);
      return inZip({ files: [path], rootFolder: dirname(path), size, compressionLevel: 0 });
    }
    case "site": {
      const files = await listSite(path);
      const sizes = await Promise.all(files.map(async ({ file }) => (await stat(file)).size));
      const size = sizes.reduce((total, bytes) => total + bytes, 0);
      return inZip({
        files: files.map(({ file }) => file),
        rootFolder: path,
        size,
        compressionLevel: siteCompressionLevel,
      });
    }
    case "pages":
      return preparePages(await listSite(path), deps);
  }
}

async function requireFile(path: string): Promise<number> {
  const facts = await stat(path);
  await access(path, constants.R_OK);
  if (facts.isFile() && facts.size > 0) return facts.size;
  throw new GitHubError("rejected", `${path} is not a file with something in it, so it cannot be uploaded.`);
}

async function prepareRaw(path: string, { folder }: PrepareDeps) {
  const size = await requireFile(path);
  const extension = /(\.tar)?\.[A-Za-z0-9]+$/.exec(basename(path))?.[0] ?? "";
  const effectiveName = (name: string) => (name.endsWith(extension) ? name : `${name}${extension}`);
  return {
    effectiveName,
    async sourceFor(name: string): Promise<UploadSource> {
      const file = join(folder, name);
      await linkFile(path, file);
      return { files: [file], rootFolder: folder, size, form: "raw", compressionLevel: 0 };
    },
  };
}

/** Gives a file a second name, by a symbolic link where the two are on different disks. */
async function linkFile(path: string, file: string): Promise<void> {
  await rm(file, { force: true });
  try {
    await link(path, file);
  } catch {
    // The library follows a symbolic link; what is wrong with the file itself shows when it is read.
    await symlink(path, file);
  }
}

async function preparePages(files: readonly SiteFile[], { folder, log, signal }: PrepareDeps) {
  const archive = join(folder, "artifact.tar");
  const archiveBytes = await writePagesArchive({ files, archive }, { signal });
  requirePagesLimits({ archiveBytes, files }, { log });
  return inZip({
    files: [archive],
    rootFolder: folder,
    size: archiveBytes,
    compressionLevel: siteCompressionLevel,
  });
}

function inZip(content: Omit<UploadSource, "form">) {
  return {
    effectiveName: (name: string) => name,
    sourceFor: async (): Promise<UploadSource> => ({ ...content, form: "zip" }),
  };
}
