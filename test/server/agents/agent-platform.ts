import { execFile } from "node:child_process";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { AgentJob } from "../../../src/client/contract.ts";
import type { AgentOptions } from "../../../src/server/base/context.ts";
import type { PlatformDeps, PlatformOptions } from "../../../src/server/platform.ts";
import { createTemporaryFolder, template, writeFiles } from "../../support/temporary-folder.ts";
import { startTestPlatform, type TestPlatform, until } from "../test-platform.ts";

const run = promisify(execFile);

/** Runs git with the default configuration; returns its output. */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  const identity = [
    "-c",
    "user.name=Test",
    "-c",
    "user.email=test@example.com",
    "-c",
    "init.defaultBranch=main",
  ];
  const { stdout } = await run("git", [...identity, ...args], { cwd, env: { PATH: process.env["PATH"] } });
  return stdout.trimEnd();
}

/** Creates a repository with documents and one commit on `main`. */
export async function createRepository(files: Record<string, string> = {}) {
  const folder = await createTemporaryFolder();
  const root = join(folder.path, "project");
  const all = { "docs/index.md": "# Welcome\n", "README.md": "# Project\n", ...files };
  const begin = async (project: string) => {
    await writeFiles(project, all);
    await git(project, "init", "--quiet", "--template=");
    await git(project, "add", "--all");
    await git(project, "commit", "--quiet", "-m", "Begin");
  };
  await cp(await template(JSON.stringify(all), begin), root, { recursive: true });
  return { ...folder, root };
}

/** An agent command that runs JavaScript in the worktree; the variable `prompt` contains its standard input. */
export function agentOf(script: string): [string, ...string[]] {
  const prelude = `import * as fs from "node:fs";\nconst prompt = fs.readFileSync(0, "utf8");\n`;
  return [process.execPath, "--input-type=module", "--eval", `${prelude}${script}`];
}

/** An agent that writes its prompt to a document; a shell starts in a twentieth of Node's time. */
const writingAgent = ["/bin/sh", "-c", "{ cat; echo; } >> docs/written.md"] as const;

/** An agent that does nothing. */
export const idleAgent = ["true"] as const;

/** Quotes an agent command for a command line. */
export function quoteCommand(command: readonly string[]): string {
  return command.map((word) => `'${word}'`).join(" ");
}

/** `repository` has the documents in its folder `docs`. */
type AgentSettings = Partial<AgentOptions> & { readonly repository: string };

/** Starts a platform with agent jobs for the repository. */
export async function startAgentPlatform(
  { repository, ...agent }: AgentSettings,
  options: Partial<PlatformOptions> = {},
  deps: Partial<PlatformDeps> = {},
) {
  const platform = await startTestPlatform(
    {
      docsDir: join(repository, "docs"),
      ...options,
      agent: {
        command: writingAgent,
        environment: process.env,
        retryBackoff: { baseMs: 0, maxMs: 0 },
        ...agent,
      },
    },
    deps,
  );
  return { ...platform, ...jobsAt(platform) };
}

interface AgentsSettings extends Partial<AgentOptions> {
  /** Files of the repository besides its usual ones. */
  readonly files?: Record<string, string>;
  /** What the agent does, as for `agentOf`, instead of a command. */
  readonly script?: string;
}

/** Starts a platform with agent jobs for a repository of its own, in which `git` runs. */
export async function startAgents(
  { files, script, ...agent }: AgentsSettings = {},
  options: Partial<PlatformOptions> = {},
  deps: Partial<PlatformDeps> = {},
) {
  await using stack = new AsyncDisposableStack();
  const { root } = stack.use(await createRepository(files));
  const settings = { repository: root, ...(script !== undefined && { command: agentOf(script) }), ...agent };
  const platform = stack.use(await startAgentPlatform(settings, options, deps));
  const owned = stack.move();
  return {
    ...platform,
    root,
    git: (...args: string[]) => git(root, ...args),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

export const jobsOf = (project: string) => `/v2/agent/${project}/job`;

/** What tests do with the jobs of the project `p1`. */
function jobsAt({ send }: Pick<TestPlatform, "send">) {
  type Id = string | null | undefined;
  const jobs = jobsOf("p1");
  const read = async (response: Promise<Response>) => AgentJob.parse(await (await response).json());
  const message = (id: Id, prompt: string) =>
    send(`${jobs}/${id}/message`, { method: "POST", json: { prompt } });
  const createJob = (prompt: string) => read(send(jobs, { method: "POST", json: { prompt } }));
  const getJob = (id: Id) => read(send(`${jobs}/${id}`));
  /** Waits until the job has ended. */
  const followJob = (id: Id) =>
    until(
      () => getJob(id),
      ({ status }) => status !== "active",
    );
  return {
    createJob,
    getJob,
    followJob,
    /** Creates a job for the prompt and waits for its end. */
    runJob: async (prompt: string) => followJob((await createJob(prompt)).id),
    sendMessage: (id: Id, prompt: string) => read(message(id, prompt)),
    /** Sends a message that may be refused. */
    async postMessage(id: Id, prompt: string) {
      const response = await message(id, prompt);
      const { error } = (await response.json()) as { error?: string };
      return { status: response.status, error };
    },
  };
}
