/** Isolates agent commands from the user's other processes and from the platform's files, if the system supports it. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { InputError } from "../../base/errors.ts";
import { isInside } from "../../base/paths.ts";
import type { Log } from "../../base/runtime.ts";

type Command = readonly [string, ...string[]];

export interface Isolation {
  /**
   * `namespace`: new user, process and mount namespaces. `sudo`: process and mount namespaces created as root, without the user's
   * supplementary groups. `none`: the command can do everything that its user can.
   */
  readonly mode: "namespace" | "sudo" | "none";
  /**
   * Returns the command line that runs the command isolated. Start it in one of the folders, with the agent's environment.
   *
   * @param folders all that the command sees of the platform's data directory; those outside of it are ignored
   */
  wrap(command: Command, folders: readonly string[]): Promise<Command>;
}

/** Runs commands as they are. */
export const noIsolation: Isolation = { mode: "none", wrap: async (command) => command };

/** Sockets that give members of their group the rights of root. */
const rootSockets = ["/run/docker.sock", "/run/containerd/containerd.sock", "/run/podman/podman.sock"];

/**
 * Shell script of the namespace's init process. Its arguments are the data directory, folders in it, `--`, sockets, `--`, and the command.
 *
 * It replaces the data directory by an empty one that contains only these folders, covers the sockets, and runs the command. It does not
 * `exec`, because init ignores signals that it does not handle. When init ends, all processes in the namespace end.
 */
const initScript = `set -e
data=$1
staging=$1/work
/bin/mount -t tmpfs none "$staging"
while shift; [ "$1" != -- ]; do
  (umask 022; /bin/mkdir -p "$staging/$1")
  /bin/mount --bind "$data/$1" "$staging/$1"
done
/bin/mount -o remount,ro "$staging"
/bin/mount --rbind "$staging" "$data"
# Otherwise \`..\` of the working directory would lead to the replaced directory.
cd "$PWD"
while shift; [ "$1" != -- ]; do /bin/mount --bind /dev/null "$1"; done
shift
"$@"
exit`;

const namespaces = ["--pid", "--fork", "--kill-child", "--mount-proc"];
/** No capabilities, not even from programs with file capabilities or setuid, such as sudo. */
const noCapabilities = ["--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"];

/** Variables that sudo sets or removes. None is secret, so they may be arguments. */
const setBySudo = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "MAIL", "LD_LIBRARY_PATH"];
const addedBySudo = ["SUDO_COMMAND", "SUDO_USER", "SUDO_UID", "SUDO_GID"];

/** The operator's choice: a mode, or `required` for any mode except `none`. */
const variable = "DOCS_AGENT_ISOLATION";

/**
 * Finds a working isolation mode by trying each.
 *
 * @param dataDir The platform's data directory. An isolated command sees only the folders in it that it needs.
 * @param environment The agents' environment.
 * @param choice The operator's choice; defaults to the first mode that works.
 * @throws {InputError} if the choice does not work here.
 */
export async function findIsolation(
  dataDir: string,
  environment: Readonly<Record<string, string>>,
  choice: string | undefined,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<Isolation> {
  if (choice && !["required", "namespace", "sudo", "none"].includes(choice))
    throw new InputError([`${variable} must be \`required\`, \`namespace\`, \`sudo\` or \`none\`.`]);
  for (const isolation of createIsolations(dataDir, environment)) {
    const isAllowed = !choice || choice === "required" || choice === isolation.mode;
    if (!isAllowed || !(await isPossible(isolation, environment, signal))) continue;
    log.info(`The agent command is isolated from other processes (${isolation.mode}).`);
    return isolation;
  }
  if (choice && choice !== "none")
    throw new InputError([`${variable} is \`${choice}\`, which does not work on this machine.`]);
  const reason = choice ? `${variable} is \`none\`` : "neither user namespaces nor sudo work here";
  log.warning(`The agent command is not isolated from other processes of this user: ${reason}.`);
  return noIsolation;
}

async function isPossible(isolation: Isolation, env: Readonly<Record<string, string>>, signal: AbortSignal) {
  if (process.platform !== "linux") return false;
  const [program, ...argv] = await isolation.wrap(["/bin/true"], []);
  const running = promisify(execFile)(program, argv, { env, timeout: 10_000, signal });
  const [{ status }] = await Promise.allSettled([running]);
  signal.throwIfAborted();
  return status === "fulfilled";
}

/** The isolation modes. They have absolute paths, because an earlier agent command may have put other programs into a folder of `PATH`. */
function createIsolations(dataDir: string, environment: Readonly<Record<string, string>>): Isolation[] {
  const create = (mode: Isolation["mode"], unshare: Command, setpriv: readonly string[]): Isolation => ({
    mode,
    async wrap(command, folders) {
      await mkdir(join(dataDir, "work"), { recursive: true, mode: 0o700 });
      const inside = folders.filter((folder) => isInside(dataDir, folder));
      const visible = inside.map((folder) => relative(dataDir, folder));
      const sockets = rootSockets.filter((path) => existsSync(path));
      const init = ["/bin/sh", "-c", initScript, "sh", dataDir, ...visible, "--", ...sockets, "--"];
      return [...unshare, ...namespaces, "--", ...init, "/usr/bin/setpriv", ...setpriv, ...command];
    },
  });
  const user = ["--user", "--map-current-user", "--keep-caps"];
  const ids = [`--reuid=${process.getuid?.()}`, `--regid=${process.getgid?.()}`, "--clear-groups"];
  const unset = [...addedBySudo, ...setBySudo].flatMap((name) => ["-u", name]);
  const own = setBySudo.flatMap((name) => (environment[name] ? [`${name}=${environment[name]}`] : []));
  return [
    create("namespace", ["/usr/bin/unshare", ...user], [...noCapabilities, "--ambient-caps=-all", "--"]),
    create(
      "sudo",
      ["/usr/bin/sudo", "--non-interactive", "--preserve-env", "/usr/bin/unshare"],
      [...ids, ...noCapabilities, "--", "/usr/bin/env", ...unset, ...own],
    ),
  ];
}
