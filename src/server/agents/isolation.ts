/** Keeps an agent command away from the other processes of its user, and from the platform's files, where the system can. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { InputError } from "../../base/errors.ts";
import { isInside } from "../../base/paths.ts";
import type { Log } from "../../base/runtime.ts";

type Command = readonly [string, ...string[]];

/** How an agent command is kept apart. */
export interface Isolation {
  /**
   * `namespace`: user, process and mount namespaces of its own. `sudo`: process and mount namespaces, made as root, and none of
   * the user's further groups. `none`: the command can do what its user can.
   */
  readonly kind: "namespace" | "sudo" | "none";
  /** The command line that runs the command in isolation, with the environment that it is started with, for a worktree. */
  wrap(command: Command, worktree: string): Promise<Command>;
}

/** Sockets through which a member of their group acts as root. */
const rootSockets = ["/run/docker.sock", "/run/containerd/containerd.sock", "/run/podman/podman.sock"];

/**
 * The first process of the namespace: covers the paths up to `--`, and runs the rest. It stays, because a first process is not
 * ended by signals that it does not handle; when it ends, everything in the namespace is ended.
 */
const covering = `while [ "$1" != -- ]; do
  if [ -d "$1" ]; then /bin/mount -t tmpfs -o ro none "$1"; else /bin/mount --bind /dev/null "$1"; fi || exit 125
  shift
done
shift
"$@"
exit $?`;

const namespaces = ["--pid", "--fork", "--kill-child", "--mount-proc"];
/** No capability, also not of a program that carries some, such as sudo. */
const unprivileged = ["--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"];

/** Variables that sudo sets by itself; none is a secret. */
const setBySudo = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "MAIL"];
const addedBySudo = ["SUDO_COMMAND", "SUDO_USER", "SUDO_UID", "SUDO_GID"];

/** The variable by which an operator chooses: a kind, or `required` for any but `none`. */
const variable = "DOCS_AGENT_ISOLATION";

/**
 * Finds out by trying how commands can be isolated here.
 *
 * @param dataDir The platform's data; an isolated command sees of it what belongs to its worktree.
 * @param environment What commands are started with.
 * @param choice What the operator chose; unless set, the best that is possible.
 * @throws {InputError} when the choice is not possible.
 */
export async function findIsolation(
  dataDir: string,
  environment: Readonly<Record<string, string>>,
  choice: string | undefined,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<Isolation> {
  if (choice && !["required", "namespace", "sudo", "none"].includes(choice))
    throw new InputError([`${variable} must be \`required\`, \`namespace\`, \`sudo\` or \`none\`.`]);
  for (const isolation of [createNamespace(dataDir), createSudo(dataDir, environment)]) {
    const isWanted = !choice || choice === "required" || choice === isolation.kind;
    if (!isWanted || !(await isPossible(isolation, environment, signal))) continue;
    log.info(`The agent command is isolated from other processes (${isolation.kind}).`);
    return isolation;
  }
  if (choice && choice !== "none")
    throw new InputError([`${variable} is \`${choice}\`, which is not possible here.`]);
  const reason = choice ? `as ${variable} says` : "neither user namespaces nor sudo can be used here";
  log.warning(`The agent command is not isolated from other processes of this user: ${reason}.`);
  return { kind: "none", wrap: async (command) => command };
}

async function isPossible(isolation: Isolation, env: Readonly<Record<string, string>>, signal: AbortSignal) {
  if (process.platform !== "linux") return false;
  const [program, ...argv] = await isolation.wrap(["/bin/true"], "/");
  const running = promisify(execFile)(program, argv, { env, timeout: 10_000, signal });
  const [{ status }] = await Promise.allSettled([running]);
  signal.throwIfAborted();
  return status === "fulfilled";
}

// The programs are named by their whole paths: an earlier command may have put others into a folder of `PATH`.

function createNamespace(dataDir: string): Isolation {
  const user = ["--user", "--map-current-user", "--keep-caps"];
  const drop = ["/usr/bin/setpriv", ...unprivileged, "--ambient-caps=-all", "--"];
  const wrap: Isolation["wrap"] = async (command, worktree) => {
    const entered = await enter(dataDir, worktree, [...drop, ...command]);
    return ["/usr/bin/unshare", ...user, ...entered];
  };
  return { kind: "namespace", wrap };
}

function createSudo(dataDir: string, environment: Readonly<Record<string, string>>): Isolation {
  const ids = [`--reuid=${process.getuid?.()}`, `--regid=${process.getgid?.()}`, "--clear-groups"];
  const own = setBySudo.flatMap((name) => (environment[name] ? [`${name}=${environment[name]}`] : []));
  const unset = [...addedBySudo, ...setBySudo].flatMap((name) => ["-u", name]);
  const drop = ["/usr/bin/setpriv", ...ids, ...unprivileged, "--", "/usr/bin/env", ...unset, ...own];
  const wrap: Isolation["wrap"] = async (command, worktree) => {
    const entered = await enter(dataDir, worktree, [...drop, ...command]);
    return ["/usr/bin/sudo", "--non-interactive", "--preserve-env", "/usr/bin/unshare", ...entered];
  };
  return { kind: "sudo", wrap };
}

/** Arguments of `unshare` that run a command in namespaces, without the platform's data, other projects and the sockets. */
async function enter(dataDir: string, worktree: string, command: readonly string[]): Promise<string[]> {
  // Also what is empty, or made later: otherwise the command could make it.
  for (const name of ["cache", "work", "agents/jobs", "agents/logs", "agents/pull-requests"])
    await mkdir(join(dataDir, name), { recursive: true, mode: 0o700 });
  const names = (await readdir(dataDir)).filter((name) => name !== "agents");
  const projects = join(dataDir, "agents", "projects");
  const others = (await readdir(projects).catch(() => []))
    .map((name) => join("agents", "projects", name))
    .filter((name) => !isInside(join(dataDir, name), worktree));
  const hidden = [...names, "agents/jobs", "agents/logs", "agents/pull-requests", ...others];
  // Git's configuration for all jobs of a repository: it can name programs.
  const repository = join(worktree, "../../repository.git");
  const covered = [...hidden.map((name) => join(dataDir, name)), repository, ...rootSockets].filter((path) =>
    existsSync(path),
  );
  return [...namespaces, "--", "/bin/sh", "-c", covering, "sh", ...covered, "--", ...command];
}
