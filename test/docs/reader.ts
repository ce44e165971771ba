/** A reader of the documentation at a shell: runs a page's blocks as they are, and has what the pages assume. */
import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startInterceptingProxy } from "../support/intercepting-proxy.ts";
import { nodeBinary } from "../support/run-action.ts";
import { createTemporaryFolder, writeFiles } from "../support/temporary-folder.ts";
import { startProcess, type WatchedProcess } from "../support/watched-process.ts";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Address of this repository, as the pages write it. */
const repositoryUrl = "https://github.com/docs-automation/docs-automation-action.git";

/** Programs that a test cannot have: each stands for the real one, and refuses arguments that the real one would not take. */
type StandIn = "aws" | "claude" | "gh" | "helm" | "kubectl" | "npm" | "podman";

interface ReaderOptions {
  /** Which programs are stand-ins; the others are real. */
  readonly standIns?: readonly StandIn[];
  /** Further variables of the shell. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Where `https` addresses of hosts lead: a name such as `api.example.com`, and the address of a server that runs. */
  readonly hosts?: ReadonlyMap<string, string>;
}

export interface Reader extends AsyncDisposable {
  /** The home folder. */
  readonly home: string;
  /** Where the commands run; the home folder at first. */
  folder: string;
  /** Further variables of the shell. */
  readonly variables: Record<string, string>;
  /** Writes files below the folder. */
  write(files: Readonly<Record<string, string>>): Promise<void>;
  /** Clones this repository, with the files as they are now and `dist` as built from them, and goes there. */
  enterClone(): Promise<void>;
  /** Runs commands to their end; what they printed. @throws {Error} with it when one fails. */
  run(commands: string): Promise<string>;
  /** Starts commands the last of which runs until it is stopped; `end("SIGINT")` is Ctrl+C. */
  start(commands: string): WatchedProcess;
}

/** Opens a shell with an empty home folder; everything that runs in it ends with it. */
export async function createReader({
  standIns = [],
  variables = {},
  hosts,
}: ReaderOptions = {}): Promise<Reader> {
  await using stack = new AsyncDisposableStack();
  const temporary = stack.use(await createTemporaryFolder("reader-"));
  const home = join(temporary.path, "home");
  const [programs, real, scratch] = ["stand-ins", "node", "tmp"].map((name) =>
    join(temporary.path, name),
  ) as [string, string, string];
  for (const path of [home, programs, real, scratch]) await mkdir(path);
  await symlink(nodeBinary(), join(real, "node"));
  for (const name of standIns) {
    const script = `#!/bin/sh\nexec node "${pathOf(`stand-ins/${name}.ts`)}" "$@"\n`;
    await writeFile(join(programs, name), script);
    await chmod(join(programs, name), 0o755);
  }
  const realPath = [real, join(home, ".npm-global/bin"), process.env["PATH"]].join(delimiter);
  const origin = await makeOrigin();
  await writeFile(
    join(home, ".gitconfig"),
    `[user]\n\tname = Mona\n\temail = mona@example.com\n[init]\n\tdefaultBranch = main\n` +
      `[url "file://${origin}"]\n\tinsteadOf = ${repositoryUrl}\n`,
  );
  const shellVariables: Record<string, string> = { ...variables };
  if (hosts !== undefined) {
    const folder = join(temporary.path, "proxy");
    const proxy = stack.use(await startInterceptingProxy({ port: 0, folder, targets: hosts }));
    const url = `http://127.0.0.1:${proxy.port}`;
    const trusted = { NODE_EXTRA_CA_CERTS: proxy.certificate, CURL_CA_BUNDLE: proxy.certificate };
    Object.assign(shellVariables, { HTTPS_PROXY: url, NO_PROXY: "127.0.0.1,localhost", ...trusted });
  }
  const environment = () => ({
    PATH: [programs, realPath].join(delimiter),
    HOME: home,
    TMPDIR: scratch,
    LANG: process.env["LANG"],
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
    // No reader waits for a poll.
    DOCS_AUTOMATION_TEST_CLOCK_SPEED: "25",
    NODE_OPTIONS: `--import=${pathOf("free-ports.ts")}`,
    // Nothing here may ask a registry, unless a test names one.
    npm_config_registry: "http://127.0.0.1:9",
    npm_config_update_notifier: "false",
    npm_config_prefix: join(home, ".npm-global"),
    REAL_PATH: realPath,
    REPOSITORY: root,
    ...shellVariables,
  });
  const start = (commands: string) => {
    const options = { cwd: reader.folder, env: environment(), withChildren: true };
    return started.use(startProcess("bash", ["--norc", "-euo", "pipefail", "-c", commands], options));
  };
  const started = stack.use(new AsyncDisposableStack());
  const owned = stack.move();
  const reader: Reader = {
    home,
    folder: home,
    variables: shellVariables,
    write: (files) => writeFiles(reader.folder, files),
    async enterClone() {
      await execute("git", ["clone", "--quiet", origin, join(reader.folder, "docs-automation-action")]);
      reader.folder = join(reader.folder, "docs-automation-action");
    },
    async run(commands) {
      const process = start(commands);
      const code = await process.ended;
      if (code !== 0) throw new Error(`${commands}\nended with ${code}:\n${process.output()}`);
      return process.output();
    },
    start,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
  return reader;
}

let origin: Promise<string> | undefined;

/** A repository with one commit: the files as they are now, and the `dist` that was built for the tests. */
function makeOrigin(): Promise<string> {
  origin ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), "origin-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    const git = (cwd: string, ...args: readonly string[]) =>
      execute("git", args, { cwd, maxBuffer: 1 << 24 });
    const { stdout } = await git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard");
    const built = process.env["ACTION_FOLDER"] ?? root;
    for (const path of new Set(stdout.split("\0"))) {
      if (path === "" || path.startsWith("dist/")) continue;
      await cp(join(root, path), join(folder, path)).catch((error: NodeJS.ErrnoException) => {
        // Deleted, and not yet committed.
        if (error.code !== "ENOENT") throw error;
      });
    }
    await cp(join(built, "dist"), join(folder, "dist"), { recursive: true });
    const identity = ["-c", "user.name=Mona", "-c", "user.email=mona@example.com"];
    await git(folder, "init", "--quiet", "--initial-branch=main");
    await git(folder, "add", "--all", "--force");
    await git(folder, ...identity, "commit", "--quiet", "--message", "The repository");
    return folder;
  })();
  return origin;
}
