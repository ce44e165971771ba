/** What the action reads and writes in the workspace; at once, since Node's promises for files are one more thing to load at the start. */
import { accessSync, constants, existsSync, mkdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { InputError } from "../base/errors.ts";
import { isInside } from "../base/paths.ts";
import { codeOf } from "../base/text.ts";
import type { Run } from "./run.ts";

/** The folder that the repository is checked out to. */
export function workspaceOf({ environment }: Pick<Run, "environment">): string {
  return environment["GITHUB_WORKSPACE"] ?? process.cwd();
}

/**
 * The real path of `output-dir`, a folder inside the workspace that need not exist yet; a link that leads out of the
 * workspace counts as outside.
 *
 * @throws {InputError}
 */
export function resolveOutputDir(path: string, workspace: string): string {
  const root = realpathSync.native(workspace);
  const resolved = realpathAllowingMissing(resolve(root, path));
  if (resolved !== root && isInside(root, resolved)) return resolved;
  throw new InputError(["`output-dir` must be a folder inside the workspace."]);
}

/**
 * The path of `docs-dir`, which the workflow may set to any folder; but a checked-out repository must not choose by a link what else
 * of the machine is read.
 *
 * @throws {InputError} for a folder of the workspace that leads out of it.
 */
export function resolveDocsDir(folder: string, workspace: string): string {
  const path = resolve(workspace, folder);
  if (!isInside(workspace, path)) return path;
  if (isInside(realpathAllowingMissing(workspace), realpathAllowingMissing(path))) return path;
  throw new InputError([
    "`docs-dir` leads out of the workspace through a symbolic link; name the folder itself.",
  ]);
}

function realpathAllowingMissing(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || dirname(path) === path) throw error;
    return join(realpathAllowingMissing(dirname(path)), basename(path));
  }
}

/**
 * Makes `output-dir`, so that a folder that cannot be written to is found before anything is started.
 *
 * @throws {InputError}
 */
export function requireWritable(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new InputError([`\`output-dir\` cannot be used as a folder to write to (${codeOf(error)}).`]);
  }
}

/** More than any prompt has; a file that is larger is the wrong file. */
const maxPromptBytes = 1_000_000;

/**
 * The prompt that the workflow gives: `prompt`, or the content of `prompt-file` in the workspace. A link that leads out of
 * it counts as outside: a checked-out repository must not choose what else of the machine is read.
 *
 * @throws {InputError} when the file cannot be read or is empty.
 */
export function readPromptInput(
  { prompt, promptFile }: { readonly prompt?: string | undefined; readonly promptFile?: string | undefined },
  run: Pick<Run, "environment">,
): string | undefined {
  if (promptFile === undefined) return prompt;
  const root = realpathSync.native(workspaceOf(run));
  const path = resolve(root, promptFile);
  const file = existsSync(path) ? realpathSync.native(path) : undefined;
  if (file === undefined || !isInside(root, file)) {
    throw new InputError([
      "`prompt-file` must be a file inside the workspace. In a workflow, check the repository out before this step.",
    ]);
  }
  const facts = statSync(file);
  if (!facts.isFile()) throw new InputError(["`prompt-file` is not a file."]);
  if (facts.size > maxPromptBytes) {
    throw new InputError([`\`prompt-file\` is larger than ${maxPromptBytes} bytes.`]);
  }
  const content = readFileSync(file, "utf8").trim();
  if (content === "") throw new InputError(["`prompt-file` is empty."]);
  return content;
}
