import { spawn } from "node:child_process";
import { once } from "node:events";
import { devNull } from "node:os";
import type { Readable, Writable } from "node:stream";
import { ActionError } from "../../base/errors.ts";
import { readAtMost } from "../../base/http.ts";
import type { Environment } from "../../base/runtime.ts";
import { messageOf } from "../../base/text.ts";

/** How git is called. */
export interface GitCall {
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Variables besides the fixed ones: `GIT_DIR`, `GIT_INDEX_FILE`, identities. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Where git may send a token; no other host gets it. */
  readonly access?: GitAccess | undefined;
}

/** A token for the repositories of one server. */
export interface GitAccess {
  /** `https://github.com` */
  readonly origin: string;
  readonly token: string;
  /** `x-access-token` unless set; most hosts take any. */
  readonly username?: string | undefined;
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

  constructor(command: string | undefined, code: number | null, stderr: string, isOutputTooLong: boolean) {
    const lines = stderr.trim().split(/\s*\n\s*/);
    const said = isOutputTooLong
      ? `it printed more than ${maxOutputBytes} bytes`
      : lines.slice(-4).join(" / ");
    super("conflict", `git ${command} failed: ${said || `it ended with ${code}`}`, { retryable: false });
    this.exitCode = code ?? undefined;
    this.isOutputTooLong = isOutputTooLong;
  }
}

/** More than any list of changed paths; beyond what a page can show of a diff. */
const maxOutputBytes = 8 * 1024 * 1024;

/** Nothing that a repository or a person configured runs: no hooks, monitors, signing, credential helpers or housekeeping. */
const fixedSettings = {
  "core.hooksPath": devNull,
  "core.fsmonitor": "false",
  "core.attributesFile": devNull,
  "core.excludesFile": devNull,
  "core.quotePath": "false",
  "commit.gpgSign": "false",
  "credential.helper": "",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "submodule.recurse": "false",
  "protocol.ext.allow": "never",
  // Keys of the user's agent or folder and known hosts only: ssh must not wait for a person, nor for a server that is silent.
  "core.sshCommand": "ssh -oBatchMode=yes -oConnectTimeout=60 -oServerAliveInterval=100",
  // A redirect could carry the token to another host.
  "http.followRedirects": "false",
  // A remote that is silent for minutes does not come back; a job must not wait for it for ever.
  "http.lowSpeedLimit": "1",
  "http.lowSpeedTime": "300",
  // The operator named the repository: it is the one to serve, whatever user owns its files.
  "safe.directory": "*",
};

const fixedVariables = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: devNull,
  GIT_ATTR_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_LFS_SKIP_SMUDGE: "1",
  // An agent could replace a commit by one of its own.
  GIT_NO_REPLACE_OBJECTS: "1",
  LC_ALL: "C",
};

const defaultUsername = "x-access-token";

/**
 * Tells git the token when the server asks for one, from a pipe: other processes of the user read arguments and environments.
 * On Windows git's helpers inherit no pipe; there the token is in git's environment.
 */
function accessSettings({ origin, token, username = defaultUsername }: GitAccess): Record<string, string> {
  if (process.platform !== "win32")
    return { [`credential.${origin}.helper`]: '!f() { test "$1" = get && cat <&3; }; f' };
  const credentials = Buffer.from(`${username}:${token}`).toString("base64");
  return { [`http.${origin}/.extraheader`]: `AUTHORIZATION: basic ${credentials}` };
}

const passedOn =
  /^(?:PATH|HOME|TMPDIR|TEMP|TMP|SystemRoot|(?:https?|no|all)_proxy|SSL_CERT_\w+|SSH_AUTH_SOCK)$/i;

/** Makes a git that takes nothing from its surroundings but the path to programs and the way to the network. */
export function createGit(environment: Environment): Git {
  const inherited = Object.fromEntries(Object.entries(environment).filter(([name]) => passedOn.test(name)));
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

/** What git printed. @throws {GitError} when it fails; an error of the system's when it cannot be started. */
async function execute(
  args: readonly string[],
  options: { readonly cwd: string; readonly signal: AbortSignal; readonly env: Record<string, string> },
  access: GitAccess | undefined,
): Promise<string> {
  const child = spawn("git", args, { ...options, stdio: ["ignore", "pipe", "pipe", "pipe"] });
  const secret = child.stdio[3] as Writable;
  // Git does not ask for the token where it needs none.
  secret.on("error", () => undefined);
  secret.end(access && `username=${access.username ?? defaultUsername}\npassword=${access.token}\n`);
  const read = async (stream: Readable) => {
    const output = await readAtMost(stream, maxOutputBytes);
    if (output === undefined) child.kill();
    return output?.toString("utf8");
  };
  const outputs = Promise.all([child.stdout, child.stderr].map((stream) => read(stream as Readable)));
  const [closed, [stdout, stderr]] = await Promise.all([once(child, "close"), outputs]);
  const [code] = closed as [number | null];
  if (code === 0 && stdout !== undefined) return stdout;
  throw new GitError(args[0], code, stderr ?? "", stdout === undefined || stderr === undefined);
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
