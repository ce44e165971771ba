/** Which of the platform's secrets an agent command can read, with each isolation mode that works on this machine. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, type TestContext, test } from "vitest";
import { AgentJob } from "../../../src/client/contract.ts";
import { findIsolation } from "../../../src/server/agents/isolation.ts";
import { listen } from "../../support/listen.ts";
import { createRecordingLog } from "../../support/recording-log.ts";
import { createTemporaryFolder, writeFiles } from "../../support/temporary-folder.ts";
import { startPlatformProcess } from "../platform-process.ts";
import { until } from "../test-platform.ts";
import { createRepository, git, quoteCommand, startAgents } from "./agent-platform.ts";
import { isolationModes, requireIsolation } from "./isolation-modes.ts";
import type { SpyTask } from "./spy.ts";

const spyProgram = fileURLToPath(new URL("spy.ts", import.meta.url));
const spyCommand = (task: SpyTask) => [
  process.execPath,
  spyProgram,
  Buffer.from(JSON.stringify(task)).toString("base64"),
];

const secrets = {
  admin: "svc_4f1c-admin-of-the-operator",
  model: "sk-7b2e-key-of-the-model",
  token: "ghs_93aa-token-of-the-workflow",
  cloud: "cloud-51d0-credential-of-another-step",
  assistant: "svc_dsc_c0de-key-that-the-platform-made",
};

const environment = {
  DOCS_PLATFORM_ADMIN_KEY: secrets.admin,
  DOCS_PLATFORM_MODEL_URL: "http://127.0.0.1:9/v1",
  DOCS_PLATFORM_MODEL: "test",
  DOCS_PLATFORM_MODEL_KEY: secrets.model,
  GITHUB_TOKEN: secrets.token,
  CLOUD_CREDENTIAL: secrets.cloud,
};

/** Runs commands in an isolation mode, with a temporary folder as data directory. */
async function startIsolation(mode: "namespace" | "sudo", context: TestContext) {
  await requireIsolation(mode, context);
  const folder = await createTemporaryFolder();
  const deps = { log: createRecordingLog(), signal: new AbortController().signal };
  const isolation = await findIsolation(folder.path, {}, mode, deps);
  return {
    ...folder,
    /** Runs a command in the first of the folders that it sees, and returns its output. */
    async run(command: readonly [string, ...string[]], folders: readonly string[] = []): Promise<string> {
      const [program, ...argv] = await isolation.wrap(command, folders);
      return (await promisify(execFile)(program, argv, { cwd: folders[0] })).stdout;
    },
  };
}

describe.runIf(process.platform === "linux")("an agent command that searches for secrets", () => {
  test.for(isolationModes)(
    "finds none of the platform's secrets with isolation: %s",
    async (mode, context) => {
      await requireIsolation(mode, context);
      await using repository = await createRepository();
      const data = join(repository.path, "data");
      // The platform stores generated keys in its data directory.
      await mkdir(data);
      await writeFile(join(data, "keys.json"), JSON.stringify({ assistant: secrets.assistant }));
      // The spy reads the process id from a file, because it is not known yet when the command line is written.
      const pidFile = join(repository.path, "pid");
      const quoted = quoteCommand(spyCommand({ secrets, folders: [data] }));
      const command = `sh -c ${quoteCommand([`SPY_PID=$(cat ${pidFile}) exec ${quoted.replaceAll("'", "")}`])}`;
      const args = ["--docs", join(repository.root, "docs"), "--data", data];
      await using platform = startPlatformProcess([...args, "--agent-command", command], {
        ...environment,
        DOCS_AGENT_ISOLATION: mode,
      });
      await writeFile(pidFile, String(platform.pid));
      const request = {
        headers: { authorization: `Bearer ${secrets.admin}`, "content-type": "application/json" },
      };
      const jobsUrl = `${await platform.url}/v2/agent/p1/job`;

      const created = await fetch(jobsUrl, { ...request, method: "POST", body: '{"prompt":"Work"}' });
      const { id } = AgentJob.parse(await created.json());
      const job = await until(
        async () => AgentJob.parse(await (await fetch(`${jobsUrl}/${id}`, request)).json()),
        ({ status }) => status !== "active",
      );

      expect(job.status, platform.output()).toBe("completed");
      const found = (await git(repository.root, "show", `docs-agent/${id}:docs/found.md`)).split("\n");
      // Without isolation, memory and files of the same user can be readable (see docs/security.md).
      const readable = /^(?:memory: |data: assistant$|escape by (?:sh|unshare): assistant$|$)/;
      expect(found.filter((line) => (mode === "none" ? !readable.test(line) : line !== ""))).toEqual([]);
    },
  );

  test("would find secrets in the environment of a process", async () => {
    await using repository = await createRepository();
    // A debugger at Node's own port would be found by the spies of other test files.
    const debuggerPort = await findFreePort();
    const program = ["--eval", "console.log(1); setInterval(() => {}, 1000)"];
    const victim = spawn(process.execPath, [`--inspect-port=${debuggerPort}`, ...program], {
      env: { ...environment, PATH: process.env["PATH"] },
      stdio: ["ignore", "pipe", "ignore"],
    });
    await once(victim.stdout, "data");
    await writeFile(join(repository.path, "note"), secrets.cloud);

    const task = { secrets, folders: [repository.path], pid: victim.pid, debuggerPort };
    const [node = "", ...argv] = spyCommand(task);
    const spy = spawn(node, argv, { cwd: repository.root, stdio: "inherit" });
    await once(spy, "exit");
    victim.kill("SIGKILL");

    const found = (await readFile(join(repository.root, "docs", "found.md"), "utf8")).split("\n");
    for (const name of ["admin", "model", "token", "cloud"]) expect(found).toContain(`environ: ${name}`);
    expect(found).toContain("data: cloud");
    expect(found).toContain("debugger");
  });

  test.for(["namespace", "sudo"] as const)(
    "sees of the data directory only its folders: %s",
    async (mode, context) => {
      await using isolated = await startIsolation(mode, context);
      const project = "agents/projects/own";
      const shown = ["worktrees/job/file", "objects/file"].map((name) => `${project}/${name}`);
      const hidden = ["worktrees/other/file", "repository.git/config"].map((name) => `${project}/${name}`);
      const files = [...shown, ...hidden, "agents/projects/other/file", "keys.json", "work/file"].sort();
      await writeFiles(isolated.path, Object.fromEntries(files.map((file) => [file, "content"])));
      await using server = createServer().listen(join(isolated.path, "socket"));
      await once(server, "listening");

      const folders = shown.map((path) => dirname(join(isolated.path, path)));
      const list = 'cd -P "$0"; find . ! -type d | sort';
      // By their path, and from the worktree upwards.
      const listings = await Promise.all(
        [isolated.path, "../../../../..", "../.."].map((place) =>
          isolated.run(["sh", "-c", list, place], folders),
        ),
      );
      const outside = await promisify(execFile)("sh", ["-c", list, isolated.path]);

      const lines = (paths: readonly string[]) => paths.map((path) => `./${path}\n`).join("");
      const expected = lines(shown.toSorted());
      expect(listings).toEqual([expected, expected, expected.replaceAll(`./${project}`, ".")]);
      expect(outside.stdout).toBe(lines([...files, "socket"].sort()));
    },
  );

  test.for(["namespace", "sudo"] as const)(
    "writes in its folders, and its files belong to the platform's user: %s",
    async (mode, context) => {
      await using isolated = await startIsolation(mode, context);
      const worktree = join(isolated.path, "agents/worktree");
      await mkdir(worktree, { recursive: true });

      await isolated.run(["sh", "-c", 'echo text > file; test "$(pwd)" = "$0"', worktree], [worktree]);

      expect(await readFile(join(worktree, "file"), "utf8")).toBe("text\n");
      expect((await stat(join(worktree, "file"))).uid).toBe(process.getuid?.());
    },
  );

  test.for(["namespace", "sudo"] as const)(
    "writes nothing where later exports read or work: %s",
    async (mode, context) => {
      await using isolated = await startIsolation(mode, context);

      const script = 'cd "$0" && for name; do mkdir -p "$name/pages" && echo "$name"; done; true';
      const command = ["sh", "-c", script, isolated.path, "cache", "work", "agents/jobs"] as const;
      const stdout = await isolated.run(command);

      expect(stdout).toBe("");
    },
  );

  test.for(["namespace", "sudo"] as const)(
    "has no capability, and no program can give it one: %s",
    async (mode, context) => {
      await using isolated = await startIsolation(mode, context);

      const command = ["grep", "-E", "^(Cap|NoNewPrivs)", "/proc/self/status"] as const;
      const stdout = await isolated.run(command);

      const fields = stdout.split("\n").map((line) => line.split(/:\s*/));
      expect(Object.fromEntries(fields.filter(([name]) => name !== ""))).toEqual({
        ...Object.fromEntries(
          ["Inh", "Prm", "Eff", "Bnd", "Amb"].map((set) => [`Cap${set}`, "0".repeat(16)]),
        ),
        NoNewPrivs: "1",
      });
    },
  );

  // For example, `actions/setup-python` sets the variable.
  test.for(isolationModes)("finds its shared libraries with isolation: %s", async (mode, context) => {
    await requireIsolation(mode, context);
    const command = ["sh", "-c", 'printf %s "$LD_LIBRARY_PATH" > docs/new.md'] as const;
    const variables = { LD_LIBRARY_PATH: "/opt/python/lib", DOCS_AGENT_ISOLATION: mode };
    const environment = { ...process.env, ...variables };
    await using platform = await startAgents({ command, environment });

    const job = await platform.runJob("Work");

    expect(await platform.git("show", `docs-agent/${job.id}:docs/new.md`)).toBe("/opt/python/lib");
  });

  test.for(isolationModes)("leaves no process running with isolation: %s", async (mode, context) => {
    await requireIsolation(mode, context);
    const mark = `straggler-${process.pid}-${mode}`;
    const environment = { ...process.env, DOCS_AGENT_ISOLATION: mode };
    await using platform = await startAgents({
      script: `
      import { spawn } from "node:child_process";
      const stay = "setInterval(() => {}, 1000);";
      const child = spawn(process.execPath, ["--eval", stay, ${JSON.stringify(mark)}], { detached: true, stdio: "ignore" });
      child.unref();
      fs.writeFileSync("docs/new.md", "");
    `,
      environment,
    });

    const job = await platform.runJob("Work");

    expect(job.status).toBe("completed");
    const isLeft = async () => (await commandLines()).some((line) => line.split("\0").includes(mark));
    expect(await until(isLeft, (left) => !left)).toBe(false);
  });
});

async function findFreePort(): Promise<number> {
  await using server = await listen(createServer());
  return server.port;
}

async function commandLines(): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  return Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
}

describe("the choice of an isolation", () => {
  const deps = () => ({ log: createRecordingLog(), signal: new AbortController().signal });

  test("is rejected if it is invalid", async () => {
    await using folder = await createTemporaryFolder();
    await expect(findIsolation(folder.path, {}, "best", deps())).rejects.toThrow(
      "DOCS_AGENT_ISOLATION must be",
    );
  });

  test.each(["required", "namespace", "sudo"])("%s is rejected where no mode works", async (choice) => {
    await using folder = await createTemporaryFolder();
    // Its replacement is prepared in `work`, and would cover the data directory itself.
    await symlink("..", join(folder.path, "work"));

    await expect(findIsolation(folder.path, {}, choice, deps())).rejects.toThrow(
      `DOCS_AGENT_ISOLATION is \`${choice}\`, which does not work on this machine.`,
    );
  });

  test("is not required of a web replica, which runs no agent", async () => {
    const environment = { ...process.env, DOCS_AGENT_ISOLATION: "none" };

    await using platform = await startAgents(
      { files: { "docs/index.md": "# Welcome\n" }, environment },
      { role: "web" },
    );

    expect(platform.warnings).toEqual([]);
  });

  test("`none` causes a warning", async () => {
    await using folder = await createTemporaryFolder();
    const { log, signal } = deps();
    const isolation = await findIsolation(folder.path, {}, "none", { log, signal });
    expect(await isolation.wrap(["agent", "--fast"], [])).toEqual(["agent", "--fast"]);
    expect(log.lines).toEqual([expect.stringMatching(/^warning.*not isolated/)]);
  });
});
