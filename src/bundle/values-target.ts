/** A values file of the workspace that an export will update: checked before the export starts, written when it has ended. */
import { randomUUID } from "node:crypto";
import { access, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { BundleError } from "./errors.ts";
import { updateValuesFile } from "./values-file.ts";

export interface ValuesTargetOptions {
  readonly workspace: string;
  /** Path of the file, in the workspace. */
  readonly file: string;
  /** Whether the address to be written is a link that expires, and the user has not said that this is meant. */
  readonly isUnintendedLink: boolean;
}

export interface ValuesTarget {
  /** Path in the workspace. */
  readonly file: string;
  /** Writes the file as a whole or not at all; `false` where it says all of it already. */
  write(values: { readonly bundleUrl: string; readonly version: string }): Promise<boolean>;
}

/**
 * Reads the file and makes sure that it can be changed.
 *
 * @throws {BundleError} `invalid-input` for a file outside the workspace, one that cannot be changed safely, and for a
 *   link that would end up in a repository
 */
export async function openValuesTarget({
  workspace,
  file,
  isUnintendedLink,
}: ValuesTargetOptions): Promise<ValuesTarget> {
  const root = await realpath(workspace);
  const path = await realpath(resolve(workspace, file)).catch((error: unknown) => {
    throw new BundleError("invalid-input", `\`values-file\` ${file} cannot be read.`, {
      hint: "Give the path of an existing file in the workspace; check the repository out before this step.",
      cause: error,
    });
  });
  const inner = relative(root, path);
  if (inner.startsWith("..") || isAbsolute(inner)) {
    throw new BundleError("invalid-input", `\`values-file\` ${file} is not in the workspace.`);
  }
  if (isUnintendedLink && (await isInRepository(path, root))) {
    throw new BundleError(
      "invalid-input",
      `\`values-file\` ${file} belongs to a repository, and the bundle's link is a credential that soon expires: it is not written there.`,
      {
        hint: "Mirror the bundle to storage of your own and set `values-bundle-url` to its address; or set `values-bundle-url: presigned` to write the link on purpose.",
      },
    );
  }
  updateValuesFile({
    text: await readText(path, file),
    bundleUrl: "https://example.com/bundle",
    version: "1",
  });
  return {
    file: inner,
    async write(values) {
      const { text, changed } = updateValuesFile({ text: await readText(path, file), ...values });
      if (changed) await replaceFile(path, text);
      return changed;
    },
  };
}

/** The file's text, so that writing it back gives the same bytes. */
async function readText(path: string, file: string): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(path));
  } catch (error) {
    throw new BundleError("invalid-input", `\`values-file\` ${file} is not a text file in UTF-8.`, {
      hint: "Give the path of a Helm values file; convert it to UTF-8 first.",
      cause: error,
    });
  }
}

/** Whether a folder on the way up to the workspace is a git work tree. */
async function isInRepository(path: string, root: string): Promise<boolean> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const isWorkTree = await access(join(folder, ".git")).then(
      () => true,
      () => false,
    );
    if (isWorkTree) return true;
    if (folder === root || folder === dirname(folder)) return false;
  }
}

async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  const { mode } = await stat(path);
  try {
    await writeFile(temporary, text, { mode });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
