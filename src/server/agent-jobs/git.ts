import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { devNull } from "node:os";
import { text } from "node:stream/consumers";
import { ActionError } from "../../base/errors.ts";

/** How git is called. */
export interface GitCall {
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Variables besides the fixed ones: `GIT_DIR`, `GIT_INDEX_FILE`, identities. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Settings for this call; they reach git through its environment, so that a token is in no argument and no file. */
  readonly settings?: readonly (readonly [name: string, value: string])[];
}

/** Runs git and gives what it printed. @throws {GitError} when it fails. */
export type Git = (args: readonly string[], call: GitCall) => Promise<string>;

/** Runs git on the platform's own repository. */
export type RunGit = (
  args: readonly string[],
  call: Omit<GitCall, "cwd"> & { readonly cwd?: string },
) => Promise<string>;

/** Git did not do what it was asked; `message` holds the end of what it said. */
export class GitError extends ActionError {
  override readonly name = "GitError";
  readonly exitCode: number | null;

  constructor(args: readonly string[], exitCode: number | null, output: string) {
    const said = output
      .trim()
      .split(/\s*\n\s*/)
      .slice(-4)
      .join(" / ");
    super("conflict", `git ${args[0]} failed: ${said || `it ended with ${exitCode}`}`, { retryable: false });
    this.exitCode = exitCode;
  }
}

/** Git printed more than is taken from it. */
export class GitOutputError extends ActionError {
  override readonly name = "GitOutputError";

  constructor() {
    super("conflict", `git printed more than ${maxOutputBytes} bytes.`, { retryable: false });
  }
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
  // A remote that says nothing for minutes has gone; a job must not wait for it for ever.
  ["http.lowSpeedLimit", "1"],
  ["http.lowSpeedTime", "300"],
  // The operator named the repository: whoever owns its files, it is the one to serve.
  ["safe.directory", "*"],
] as const;

const passedOn = /^(?:PATH|HOME|TMPDIR|TEMP|TMP|SystemRoot|(?:https?|no|all)_proxy|SSL_CERT_\w+)$/i;

/** Makes a git that takes nothing from its surroundings but the path to programs and the way to the network. */
export function createGit(environment: Readonly<Record<string, string | undefined>>): Git {
  const inherited = Object.fromEntries(Object.entries(environment).filter(([name]) => passedOn.test(name)));
  return async (args, { cwd, signal, variables = {}, settings = [] }) => {
    const child = spawn("git", [...args], {
      cwd,
      signal,
      env: {
        ...inherited,
        ...fixedVariables,
        ...settingVariables([...fixedSettings, ...settings]),
        ...variables,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [exitCode, output, errors] = await Promise.all([
      waitForEnd(child, cwd),
      readCapped(child.stdout),
      text(child.stderr),
    ]);
    if (exitCode !== 0) throw new GitError(args, exitCode, errors);
    return output.trimEnd();
  };
}

async function waitForEnd(child: ChildProcess, cwd: string): Promise<number | null> {
  try {
    const [exitCode] = (await once(child, "close")) as [number | null];
    return exitCode;
  } catch (error) {
    if (!(error instanceof Error) || error.name === "AbortError") throw error;
    throw new ActionError("invalid-input", `git cannot be started in ${cwd}: ${error.message}`, {
      cause: error,
    });
  }
}

const fixedVariables = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: devNull,
  GIT_ATTR_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_LFS_SKIP_SMUDGE: "1",
  LC_ALL: "C",
};

function settingVariables(settings: readonly (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries([
    ["GIT_CONFIG_COUNT", String(settings.length)],
    ...settings.flatMap(([name, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, name],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ]);
}

async function readCapped(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of stream) {
    total += chunk.length;
    if (total > maxOutputBytes) throw new GitOutputError();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
