/** Files of the workspace. Synchronous, because loading `node:fs/promises` would slow down the start. */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { InputError } from "../base/errors.ts";
import { isInside } from "../base/paths.ts";
import { codeOf } from "../base/text.ts";
import type { Run } from "./run.ts";

/**
 * The folder into which the repository is checked out.
 *
 * @throws {InputError} if a step removed it
 */
export function workspaceOf({ environment }: Pick<Run, "environment">): string {
  const folder = environment["GITHUB_WORKSPACE"];
  if (!folder) return process.cwd();
  if (existsSync(folder)) return folder;
  throw new InputError([`The variable \`GITHUB_WORKSPACE\` names no folder: ${folder}.`]);
}

/**
 * The real path of `output-dir`, which must be inside the workspace and does not have to exist. Symbolic links that lead out of the
 * workspace are refused.
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
 * The path of `docs-dir`. The workflow may name any folder, but a symbolic link of the repository must not lead to other folders of the
 * machine.
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
    const code = codeOf(error) ?? "";
    if (code === "ELOOP") throw new InputError([`${path} is a symbolic link that leads to itself.`]);
    // ENOTDIR: a part of the path is a file.
    if (!["ENOENT", "ENOTDIR"].includes(code) || dirname(path) === path) throw error;
    return join(realpathAllowingMissing(dirname(path)), basename(path));
  }
}

/**
 * Creates `output-dir` before anything is started, to detect a folder that is not writable.
 *
 * @throws {InputError}
 */
export function requireWritable(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new InputError([`\`output-dir\` is not a writable folder (${codeOf(error)}).`]);
  }
}

/** Beside a folder that a run made: a later run may replace it. */
const markerOf = (folder: string) => join(dirname(folder), `.${basename(folder)}-exported`);

/** Records that a later run may replace this folder. */
export function markReplaceable(folder: string): void {
  writeFileSync(markerOf(folder), "");
}

/**
 * Requires that a folder does not exist, is empty, or was made by an earlier run, because it will be replaced. A file with the report of
 * an export shows that as well as the marker.
 *
 * @throws {InputError}
 */
export function requireReplaceable(folder: string): void {
  const isOurs = existsSync(markerOf(folder)) || existsSync(join(folder, "export-report.json"));
  if (isOurs || !existsSync(folder)) return;
  if (statSync(folder).isDirectory() && readdirSync(folder).length === 0) return;
  throw new InputError([
    `\`output-dir\` already contains \`${basename(folder)}\`, which is no exported site and would be replaced: move ${folder} away, or name another folder.`,
  ]);
}

/**
 * The prompt of the workflow: `prompt`, or the content of `prompt-file` in the workspace. A symbolic link that leads out of the
 * workspace is refused, so that a repository cannot choose which other files of the machine are read.
 *
 * @throws {InputError} when the file cannot be read or is empty.
 */
export function readPromptInput(
  { prompt, promptFile }: { readonly prompt?: string | undefined; readonly promptFile?: string | undefined },
  run: Pick<Run, "environment">,
): string | undefined {
  if (promptFile === undefined) return prompt;
  const root = realpathSync.native(workspaceOf(run));
  const file = realpathAllowingMissing(resolve(root, promptFile));
  if (!isInside(root, file) || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
    throw new InputError([
      "`prompt-file` must be a file inside the workspace. In a workflow, check the repository out before this step.",
    ]);
  }
  try {
    const content = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file)).trim();
    if (content !== "") return content;
  } catch (error) {
    // It may be in UTF-16, as PowerShell writes it, or longer than a text can be.
    throw new InputError([`\`prompt-file\` cannot be read as text in UTF-8 (${codeOf(error)}).`]);
  }
  throw new InputError(["`prompt-file` is empty."]);
}
