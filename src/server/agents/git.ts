import { execFile } from "node:child_process";
import { devNull } from "node:os";
import { promisify } from "node:util";
import { ActionError } from "../../base/errors.ts";
import { messageOf } from "../../base/text.ts";

/** How git is called. */
export interface GitCall {
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Variables besides the fixed ones: `GIT_DIR`, `GIT_INDEX_FILE`, identities. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Settings for this call; they reach git through its environment, so that a token is in no argument and no file. */
  readonly settings?: readonly (readonly [name: string, value: string])[];
}

/** Runs git and gives what it printed, without the last line's end. @throws {GitError} when it fails. */
export type Git = (args: readonly string[], call: GitCall) => Promise<string>;

/** Git did not do what it was asked; `message` holds the end of what it said. */
export class GitError extends ActionError {
  override readonly name = "GitError";
  /** The exit code; `undefined` where a signal ended git. */
  readonly exitCode: number | undefined;
  /** Whether git was stopped because it printed too much. */
  readonly isOutputTooLong: boolean;

  constructor(command: string | undefined, { code, stderr = "" }: ExecFailure) {
    const isOutputTooLong = code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";
    const lines = stderr.trim().split(/\s*\n\s*/);
    const said = isOutputTooLong
      ? `it printed more than ${maxOutputBytes} bytes`
      : lines.slice(-4).join(" / ");
    super("conflict", `git ${command} failed: ${said || `it ended with ${code}`}`, { retryable: false });
    this.exitCode = typeof code === "number" ? code : undefined;
    this.isOutputTooLong = isOutputTooLong;
  }
}

interface ExecFailure {
  readonly code?: unknown;
  readonly stderr?: string;
}

/** More than any list of changed paths; beyond what a page can show of a diff. */
const maxOutputBytes = 8 * 1024 * 1024;

/** Nothing that a repository or a person configured runs: no hooks, monitors, signing, credential helpers or housekeeping. */
const fixedSettings = [
  ["core.hooksPath", devNull],
  ["core.fsmonitor", "false"],
  ["core.attributesFile", devNull],
  ["core.excludesFile", devNull],
  ["core.quotePath", "false"],
  ["commit.gpgSign", "false"],
  ["credential.helper", ""],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["submodule.recurse", "false"],
  ["protocol.ext.allow", "never"],
  // A redirect could carry the token to another host.
  ["http.followRedirects", "false"],
  // A remote that is silent for minutes does not come back; a job must not wait for it for ever.
  ["http.lowSpeedLimit", "1"],
  ["http.lowSpeedTime", "300"],
  // The operator named the repository: it is the one to serve, whatever user owns its files.
  ["safe.directory", "*"],
] as const;

const fixedVariables = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: devNull,
  GIT_ATTR_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_LFS_SKIP_SMUDGE: "1",
  LC_ALL: "C",
};

const passedOn = /^(?:PATH|HOME|TMPDIR|TEMP|TMP|SystemRoot|(?:https?|no|all)_proxy|SSL_CERT_\w+)$/i;

const run = promisify(execFile);

/** Makes a git that takes nothing from its surroundings but the path to programs and the way to the network. */
export function createGit(environment: Readonly<Record<string, string | undefined>>): Git {
  const inherited = Object.fromEntries(Object.entries(environment).filter(([name]) => passedOn.test(name)));
  return async (args, { cwd, signal, variables, settings = [] }) => {
    const configured = settingVariables([...fixedSettings, ...settings]);
    const env = { ...inherited, ...fixedVariables, ...configured, ...variables };
    try {
      const running = run("git", [...args], { cwd, signal, env, maxBuffer: maxOutputBytes });
      running.child.stdin?.end();
      return (await running).stdout.trimEnd();
    } catch (error) {
      signal.throwIfAborted();
      const failure = error as ExecFailure;
      const isStarted = failure.code !== "ENOENT" && failure.code !== "EACCES";
      if (isStarted) throw new GitError(args[0], failure);
      const message = `git cannot be started in ${cwd}: ${messageOf(error)}`;
      throw new ActionError("invalid-input", message, { cause: error });
    }
  };
}

/** Git's answer; `undefined` where it says with exit code 1 that there is none. */
export async function orUndefined(answer: Promise<string>): Promise<string | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof GitError && error.exitCode === 1) return undefined;
    throw error;
  }
}

function settingVariables(settings: readonly (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries([
    ["GIT_CONFIG_COUNT", String(settings.length)],
    ...settings.flatMap(([name, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, name],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ]);
}
