import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AgentJob } from "../../../src/client/contract.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { type Gate, startGate } from "../gate.ts";
import { isRunning, startPlatformProcess } from "../platform-process.ts";
import { until } from "../test-platform.ts";
import {
  agentOf,
  createRepository,
  git,
  jobsOf,
  quoteCommand,
  startAgentPlatform,
} from "./agent-platform.ts";
import { createGithubRepository } from "./github-platform.ts";

/** An agent that reports its start, and writes when the gate opens. */
const gatedAgent = ({ url }: Gate) =>
  agentOf(
    `await fetch("${url}/agent?" + process.pid); fs.appendFileSync("docs/written.md", prompt + "\\n");`,
  );

describe("a platform that is stopped and started again on the same data", () => {
  test("repeats interrupted work once", async () => {
    await using repository = await createRepository();
    await using gate = await startGate();
    const settings = { repository: repository.root, command: gatedAgent(gate) };
    const dataDir = join(repository.path, "data");
    const before = await startAgentPlatform(settings, { dataDir });
    const { id } = await before.createJob("One");
    await gate.arrival("/agent");
    await before[Symbol.asyncDispose]();
    gate.open();

    await using after = await startAgentPlatform(settings, { dataDir });
    const job = await after.followJob(id);

    expect(job).toMatchObject({ status: "completed", prLink: `${after.url}/local/project/pull/${id}` });
    expect(await git(repository.root, "log", "--format=%s", `main..docs-agent/${id}`)).toBe("docs: One");
    expect(await readdir(join(dataDir, "agents", "worktrees"))).toEqual([]);
  });

  test("resumes an interrupted message", async () => {
    await using repository = await createRepository();
    await using gate = await startGate();
    const command = agentOf(
      `if (prompt === "Two") await fetch("${gate.url}/agent"); fs.appendFileSync("docs/written.md", prompt);`,
    );
    const settings = { repository: repository.root, command };
    const dataDir = join(repository.path, "data");
    const before = await startAgentPlatform(settings, { dataDir });
    const first = await before.runJob("One");
    await before.sendMessage(first.id, "Two");
    await gate.arrival("/agent");
    await before[Symbol.asyncDispose]();
    gate.open();

    await using after = await startAgentPlatform(settings, { dataDir });
    const job = await after.followJob(first.id);

    expect(job).toMatchObject({ status: "completed", prLink: `${after.url}/local/project/pull/${first.id}` });
    expect(await git(repository.root, "log", "--format=%s", `main..docs-agent/${first.id}`)).toBe(
      "docs: Two\ndocs: One",
    );
    expect(await git(repository.root, "show", `docs-agent/${first.id}:docs/written.md`)).toBe("OneTwo");
  });

  test("resumes jobs in the order of their creation, within the concurrency limit", async () => {
    await using repository = await createRepository();
    await using gate = await startGate();
    const command = agentOf(`await fetch("${gate.url}/" + prompt);`);
    const settings = { repository: repository.root, command, concurrency: 1 };
    await using platform = await startAgentPlatform(settings);
    const [first, second] = [await platform.createJob("first"), await platform.createJob("second")];

    await gate.arrival("/first");
    const worktrees = await readdir(join(platform.dataDir, "agents", "worktrees"));
    gate.open();

    expect(worktrees).toEqual([expect.stringContaining(first.id ?? "")]);
    expect((await platform.followJob(second.id)).status).toBe("completed");
  });
});

/** Starts the platform as a process for a repository on GitHub, and creates a job there. */
async function startJob(
  { root, connection, token }: Awaited<ReturnType<typeof createGithubRepository>>,
  { command, data }: { command: readonly string[]; data: string },
) {
  const start = () =>
    startPlatformProcess(
      ["--docs", join(root, "docs"), "--data", data, "--github", "octo-org/widgets"].concat([
        "--agent-command",
        quoteCommand(command),
      ]),
      {
        DOCS_PLATFORM_ADMIN_KEY: "svc_test",
        GITHUB_TOKEN: token,
        GITHUB_API_URL: connection?.apiUrl ?? "",
        GITHUB_SERVER_URL: connection?.serverUrl ?? "",
      },
    );
  const platform = start();
  const send = async (url: string, init: RequestInit = {}) => {
    const headers = { authorization: "Bearer svc_test", "content-type": "application/json" };
    return AgentJob.parse(await (await fetch(url, { ...init, headers })).json());
  };
  const body = JSON.stringify({ prompt: "Work" });
  const { id } = await send(`${await platform.url}${jobsOf("p1")}`, { method: "POST", body });
  return {
    id: id ?? "",
    platform,
    start,
    follow: async (url: string) =>
      until(
        () => send(`${url}${jobsOf("p1")}/${id}`),
        (job) => job.status !== "active",
      ),
  };
}

/** Process ids of a job's agent outside of its namespace. */
async function processesOf(jobId: string): Promise<number[]> {
  const found: number[] = [];
  for (const pid of (await readdir("/proc").catch(() => [])).map(Number).filter(Number.isInteger)) {
    const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
    if (environment.split("\0").includes(`DOCS_AGENT_JOB_ID=${jobId}`)) found.push(pid);
  }
  return found;
}

describe("a platform that is killed", () => {
  // `turn.test.ts` holds where another machine goes on between commit, push and pull request.
  test("after the pull request was created creates one commit and one pull request", async () => {
    await using repository = await createGithubRepository();
    await using data = await createTemporaryFolder();
    await using gate = await startGate();
    gate.open();
    const { github, remote } = repository;
    const killed = Promise.withResolvers<void>();
    let kill = () => Promise.resolve<unknown>(undefined);
    github.faults.add({
      method: "POST",
      path: "/pulls",
      fault: { kind: "reset", when: "after" },
      onMeet: () => void kill().then(() => killed.resolve()),
    });
    const command = agentOf(`await fetch("${gate.url}/agent"); fs.writeFileSync("docs/new.md", prompt);`);
    const job = await startJob(repository, { command, data: data.path });
    kill = () => job.platform.end("SIGKILL");

    await killed.promise;
    await using again = job.start();
    const ended = await job.follow(await again.url);

    expect(ended).toMatchObject({ status: "completed", prLink: expect.stringContaining("/pull/") });
    expect(await remote.git("rev-list", "--count", `main..docs-agent/${job.id}`)).toBe("1");
    expect(github.changes().filter(({ operation }) => operation === "pulls/create")).toHaveLength(1);
    expect(gate.arrivals("/agent")).toHaveLength(1);
  });

  test("while the agent runs kills that agent, starts it again, and publishes once", async () => {
    await using repository = await createGithubRepository();
    await using data = await createTemporaryFolder();
    await using gate = await startGate();
    const { github, remote } = repository;
    const job = await startJob(repository, { command: gatedAgent(gate), data: data.path });
    await gate.arrival("/agent");
    const agent = await processesOf(job.id);
    await job.platform.end("SIGKILL");

    await using again = job.start();
    const url = await again.url;
    const stillRunning = await Promise.all(agent.map(isRunning));
    gate.open();
    const ended = await job.follow(url);

    if (process.platform === "linux") expect(stillRunning).not.toEqual([]);
    expect(stillRunning).not.toContain(true);
    expect(ended.status).toBe("completed");
    expect(await remote.git("show", `docs-agent/${job.id}:docs/written.md`)).toBe("Work");
    expect(github.changes().filter(({ operation }) => operation === "pulls/create")).toHaveLength(1);
  });
});
