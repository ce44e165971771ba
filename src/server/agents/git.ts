import { spawn } from "node:child_process";
import { addAbortListener, once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { ActionError } from "../../base/errors.ts";
import { readAtMost } from "../../base/http.ts";
import type { Environment } from "../../base/runtime.ts";
import { joinLastLines, messageOf } from "../../base/text.ts";
import { endGroup } from "./run-command.ts";

export interface GitCall {
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Additional variables: `GIT_DIR`, `GIT_INDEX_FILE`, author and committer. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Token, and the only server that git may send it to. */
  readonly access?: GitAccess | undefined;
}

/** A token for the repositories of one server. */
export interface GitAccess {
  readonly origin: string;
  readonly token: string;
  /** Defaults to `x-access-token`; most hosts accept any name. */
  readonly username?: string | undefined;
}

/** Runs git and returns its output without the trailing newline. @throws {GitError} if git fails. */
export type Git = (args: readonly string[], call: GitCall) => Promise<string>;

/** A git command failed; `message` contains the last lines of its error output. */
export class GitError extends ActionError {
  override readonly name = "GitError";
  /** Exit code; `undefined` if a signal ended git. */
  readonly exitCode: number | undefined;
  /** Whether git was stopped because its output was too long. */
  readonly isOutputTooLong: boolean;

  constructor(command: string | undefined, code: number | null, stderr: string, isOutputTooLong: boolean) {
    // Without the time, the same problem always has the same message.
    const printed = joinLastLines(stderr.replaceAll(/ after \d+ ms\b/g, ""), 4);
    const reason = isOutputTooLong ? `its output exceeds ${maxOutputBytes} bytes` : printed;
    super("conflict", `git ${command} failed: ${reason || `exit code ${code}`}`, { retryable: false });
    this.exitCode = code ?? undefined;
    this.isOutputTooLong = isOutputTooLong;
  }
}

/** More than any list of changed paths needs, and more than a page can show of a diff. */
const maxOutputBytes = 8 * 1024 * 1024;

/** Disables everything that a repository or user could configure to run: hooks, monitors, signing, credential helpers, maintenance. */
const fixedSettings = {
  // Git for Windows knows this name, and cannot read Node's `devNull`.
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.attributesFile": "/dev/null",
  "core.excludesFile": "/dev/null",
  // Windows: a worktree is deep in the runner's temporary folder.
  "core.longPaths": "true",
  "core.quotePath": "false",
  "commit.gpgSign": "false",
  "credential.helper": "",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "submodule.recurse": "false",
  "protocol.ext.allow": "never",
  // Ssh must not prompt, and must not wait for an unresponsive server.
  "core.sshCommand": "ssh -oBatchMode=yes -oConnectTimeout=60 -oServerAliveInterval=100",
  // A redirect could send the token to another host.
  "http.followRedirects": "false",
  // Give up on a server that sends nothing for five minutes.
  "http.lowSpeedLimit": "1",
  "http.lowSpeedTime": "300",
};

const fixedVariables = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_LFS_SKIP_SMUDGE: "1",
  // An agent could create replacement refs.
  GIT_NO_REPLACE_OBJECTS: "1",
  LC_ALL: "C",
};

const defaultUsername = "x-access-token";

/**
 * Passes the token to git's credential helper through a pipe, because other processes of the user can read arguments and environments.
 * On Windows, the helper does not inherit the pipe; there the token is in git's environment.
 */
function accessSettings({ origin, token, username = defaultUsername }: GitAccess): Record<string, string> {
  if (process.platform !== "win32")
    return { [`credential.${origin}.helper`]: '!f() { test "$1" = get && cat <&3; }; f' };
  const credentials = Buffer.from(`${username}:${token}`).toString("base64");
  return { [`http.${origin}/.extraheader`]: `AUTHORIZATION: basic ${credentials}` };
}

const inheritedVariables =
  /^(?:PATH|HOME|TMPDIR|TEMP|TMP|SystemRoot|LD_LIBRARY_PATH|(?:https?|no|all)_proxy|GIT_SSL_CA(?:INFO|PATH)|SSL_CERT_\w+|SSH_AUTH_SOCK)$/i;

/** Creates a function that runs git. Of the environment, git gets only what it needs for programs and the network. */
export function createGit(environment: Environment): Git {
  const inherited = Object.fromEntries(
    Object.entries(environment).filter(([name]) => inheritedVariables.test(name)),
  );
  return async (args, { cwd, signal, variables, access }) => {
    const settings = Object.entries({ ...fixedSettings, ...(access && accessSettings(access)) });
    const env: Record<string, string> = {
      ...inherited,
      ...fixedVariables,
      ...variables,
      GIT_CONFIG_COUNT: String(settings.length),
    };
    for (const [index, [name, value]] of settings.entries()) {
      env[`GIT_CONFIG_KEY_${index}`] = name;
      env[`GIT_CONFIG_VALUE_${index}`] = value;
    }
    try {
      return (await execute(args, { cwd, signal, env }, access)).trimEnd();
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof GitError) throw error;
      const message = `git cannot be started in ${cwd}: ${messageOf(error)}`;
      throw new ActionError("invalid-input", message, { cause: error });
    }
  };
}

/** @throws {GitError} if git fails; a system error if it cannot be started. */
async function execute(
  args: readonly string[],
  { signal, ...options }: Pick<GitCall, "cwd" | "signal"> & { readonly env: Record<string, string> },
  access: GitAccess | undefined,
): Promise<string> {
  signal.throwIfAborted();
  const child = spawn("git", args, {
    ...options,
    // A process group, because git's helpers outlive it: they would wait for an unresponsive server for minutes.
    detached: process.platform !== "win32",
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  using _listening = addAbortListener(signal, () => endGroup(child, "SIGTERM"));
  // It may not even have started when it is aborted.
  child.on("error", () => undefined);
  const secret = child.stdio[3] as Writable;
  // Ignore EPIPE: git closes the pipe unread if it needs no token.
  secret.on("error", () => undefined);
  secret.end(access && `username=${access.username ?? defaultUsername}\npassword=${access.token}\n`);
  const read = async (stream: Readable) => {
    const output = await readAtMost(stream, maxOutputBytes);
    if (output === undefined) child.kill();
    return output?.toString("utf8");
  };
  const outputs = Promise.all([child.stdout, child.stderr].map((stream) => read(stream as Readable)));
  const [closed, [stdout, stderr]] = await Promise.all([once(child, "close", { signal }), outputs]);
  const [code] = closed as [number | null];
  if (code === 0 && stdout !== undefined) return stdout;
  throw new GitError(args[0], code, stderr ?? "", stdout === undefined || stderr === undefined);
}

/** The output of a git command; `undefined` for an exit code that means "none" or "no" for the command. */
export async function optionalOutput(output: Promise<string>, exitCodes = [1]): Promise<string | undefined> {
  try {
    return await output;
  } catch (error) {
    if (error instanceof GitError && exitCodes.includes(error.exitCode ?? 0)) return undefined;
    throw error;
  }
}
