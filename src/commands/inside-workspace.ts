/** What the action reads and writes in the workspace. */
import { access, constants, mkdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { InputError } from "../base/errors.ts";
import type { Run } from "./run.ts";

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
 * The text of a file in the workspace. A link that leads out of it counts as outside: a checked-out repository must not
 * choose what else of the machine is read.
 *
 * @throws {InputError} naming the input
 */
export async function readWorkspaceFile(
  path: string,
  {
    workspace,
    input,
    maxBytes,
  }: { readonly workspace: string; readonly input: string; readonly maxBytes: number },
): Promise<string> {
  const root = await realpath(workspace);
  const file = await realpath(resolve(root, path)).catch(() => undefined);
  if (file === undefined || !file.startsWith(root + sep)) {
    throw new InputError([`\`${input}\` must be the path of a file inside the workspace.`]);
  }
  const facts = await stat(file);
  if (!facts.isFile()) throw new InputError([`\`${input}\` is not a file.`]);
  if (facts.size > maxBytes) throw new InputError([`\`${input}\` is larger than ${maxBytes} bytes.`]);
  return readFile(file, "utf8");
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

/** The folder that the repository is checked out to. */
export function workspaceOf({ environment }: Pick<Run, "environment">): string {
  return environment["GITHUB_WORKSPACE"] ?? process.cwd();
}

/** More than any prompt has; a file that is larger is the wrong file. */
const maxPromptBytes = 1_000_000;

/**
 * The prompt that the workflow gives: `prompt`, or the content of `prompt-file` in the workspace.
 *
 * @throws {InputError} when the file cannot be read or is empty.
 */
export async function readGivenPrompt(
  { prompt, promptFile }: { readonly prompt?: string | undefined; readonly promptFile?: string | undefined },
  run: Pick<Run, "environment">,
): Promise<string | undefined> {
  if (promptFile === undefined) return prompt;
  const content = await readWorkspaceFile(promptFile, {
    workspace: workspaceOf(run),
    input: "prompt-file",
    maxBytes: maxPromptBytes,
  });
  if (content.trim() === "") throw new InputError(["`prompt-file` is empty."]);
  return content.trim();
}
