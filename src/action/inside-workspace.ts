/** Folders of the workspace that the action writes to. */
import { access, constants, mkdir, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { InputError } from "../errors.ts";

/**
 * The real path of a folder inside the workspace, which need not exist yet; a link that leads out of the workspace counts
 * as outside.
 *
 * @throws {InputError} naming the input
 */
export async function resolveInsideWorkspace(
  path: string,
  { workspace, input }: { readonly workspace: string; readonly input: string },
): Promise<string> {
  const root = await realpath(workspace);
  const resolved = await realpathOfFuture(resolve(root, path));
  const inner = relative(root, resolved);
  const isOutside = inner === ".." || inner.startsWith(`..${sep}`) || isAbsolute(inner);
  if (inner !== "" && !isOutside) return resolved;
  throw new InputError([`\`${input}\` must be a folder inside the workspace.`]);
}

/**
 * Makes the folder, so that a folder that cannot be written to is found before anything is started.
 *
 * @throws {InputError} naming the input
 */
export async function requireWritable(folder: string, { input }: { readonly input: string }): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new InputError([`\`${input}\` cannot be used as a folder to write to${reason}.`]);
  }
}

async function realpathOfFuture(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (!isMissing || dirname(path) === path) throw error;
    return join(await realpathOfFuture(dirname(path)), basename(path));
  }
}
