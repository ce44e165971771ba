import { appendFile, mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openAgentRepository } from "../../../src/server/agents/agent-repository.ts";
import { createGit } from "../../../src/server/agents/git.ts";
import { openBranchHost } from "../../../src/server/agents/git-remote.ts";
import { createGitHubHost } from "../../../src/server/agents/github-host.ts";
import { findIsolation } from "../../../src/server/agents/isolation.ts";
import type { PullRequestHost } from "../../../src/server/agents/published-change.ts";
import { readServedRepository } from "../../../src/server/agents/served-repository.ts";
import { type AgentJobRecord, runTurn } from "../../../src/server/agents/turn.ts";
import { startGitRemote } from "../../support/git-http.ts";
import { createRecordingLog } from "../../support/recording-log.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { startGate } from "../gate.ts";
import { until } from "../test-platform.ts";
import { agentOf, git } from "./agent-platform.ts";
import { createGithubRepository } from "./github-platform.ts";

const id = "aj_0123456789abcdef";
const branch = `docs-agent/${id}`;
const turns = [
  { prompt: "Work", requestedAt: "2026-01-01T00:00:00.000Z" },
  { prompt: "Go on", requestedAt: "2026-01-02T00:00:00.000Z" },
];
/** A job at its first or second prompt. */
const jobAt = (turn: 0 | 1 = 0, attempt = turn + 1): AgentJobRecord => ({
  id,
  projectId: "p1",
  status: "active",
  turns: turns.slice(0, turn + 1),
  repository: "https://example.com/docs.git",
  branch,
  model: "test",
  pullRequest: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  archivedAt: null,
  attempt,
  uncountedAttempts: 0,
});

type OpenHost = (
  repository: Awaited<ReturnType<typeof openAgentRepository>>,
) => Promise<PullRequestHost> | PullRequestHost;

/** A machine with its own clone; it shares only the clone's remote with other machines. */
async function createMachine(name: string, origin: string, openHost: OpenHost, script = "") {
  const { path, ...folder } = await createTemporaryFolder();
  const { signal } = new AbortController();
  const run = createGit(process.env);
  const root = join(path, "clone");
  await git(path, "clone", "--quiet", origin, root);
  await mkdir(join(root, "docs"), { recursive: true });
  const served = await readServedRepository(run, join(root, "docs"), signal);
  const repository = await openAgentRepository(path, served, run, signal);
  const host = await openHost(repository);
  const runs = join(path, "runs");
  await appendFile(runs, "");
  const setup = {
    // Each run of an agent writes different content.
    command: agentOf(
      `${script}fs.appendFileSync("docs/${name}.md", prompt); fs.appendFileSync(${JSON.stringify(runs)}, prompt + ";");`,
    ),
    isolation: await findIsolation(path, {}, "none", { log: createRecordingLog(), signal }),
    environment: { PATH: process.env["PATH"] ?? "" },
    timeLimitMs: 60_000,
    author: { name: "a", email: "a@example.com" },
    repository,
    redact: (text: string) => text,
  };
  return {
    host,
    /** Runs the job's last prompt. */
    run: (job: AgentJobRecord, publish: PullRequestHost["publish"] = host.publish, stop = signal) =>
      runTurn(job, { ...setup, host: { ...host, publish } }, async () => undefined, stop),
    /** The prompts that the agent received. */
    agentRuns: () => readFile(runs, "utf8"),
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}
type Machine = Awaited<ReturnType<typeof createMachine>>;

/** Two machines that push to one remote. */
async function createMachines(script?: string) {
  await using stack = new AsyncDisposableStack();
  const remote = stack.use(await startGitRemote());
  await remote.commit({ files: { "docs/index.md": "# Welcome\n" } });
  const { signal } = new AbortController();
  const open: OpenHost = (repository) => {
    const push = { remote: remote.url, token: remote.token };
    return openBranchHost(push, {}, repository, { log: createRecordingLog(), signal });
  };
  const one = stack.use(await createMachine("one", remote.authenticatedUrl, open, script));
  const two = stack.use(await createMachine("two", remote.authenticatedUrl, open, script));
  const resources = stack.move();
  return {
    remote,
    one,
    two,
    /** Subjects of the branch's commits, newest first. */
    commits: () => remote.git("log", "--format=%s", `main..${branch}`),
    files: () => remote.git("diff", "--name-only", "main", branch),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

const killed = async (): Promise<never> => {
  throw new Error("killed");
};
const killedAfterPush =
  ({ host }: Machine): PullRequestHost["publish"] =>
  async (...change) => {
    await host.publish(...change);
    return killed();
  };

test("a repository loses the objects that a killed process was writing", async () => {
  await using folder = await createTemporaryFolder();
  const objects = join(folder.path, "objects");
  await mkdir(join(objects, "tmp_objdir-agent-x1y2z3", "0a"), { recursive: true });
  const served = {
    root: folder.path,
    gitDir: undefined,
    objectFormat: "sha1",
    head: undefined,
    docsPath: "",
  };

  await openAgentRepository(folder.path, served, createGit(process.env), new AbortController().signal);

  expect(await readdir(objects)).toEqual(["info"]);
});

describe("a turn that was killed", () => {
  test("between commit and push is completed by another machine, whose commit the first machine uses", async () => {
    await using machines = await createMachines();
    const { one, two } = machines;

    await expect(one.run(jobAt(), killed)).rejects.toThrow("killed");
    await two.run(jobAt(0, 2));
    const published = await one.run(jobAt(0, 3));

    expect(published).toBe(branch);
    expect(await machines.commits()).toBe("docs: Work");
    expect(await machines.files()).toBe("docs/two.md");
  });

  test("between push and pull request is completed by another machine without running the agent", async () => {
    await using machines = await createMachines();
    const { one, two, remote } = machines;

    await expect(one.run(jobAt(), killedAfterPush(one))).rejects.toThrow("killed");
    await remote.commit({ branch, message: "By a person", files: { "docs/person.md": "# Hi\n" } });
    const published = await two.run(jobAt(0, 2));

    expect(published).toBe(branch);
    expect(await two.agentRuns()).toBe("");
    expect(await machines.commits()).toBe("By a person\ndocs: Work");
    expect(await machines.files()).toBe("docs/one.md\ndocs/person.md");
  });

  test("and whose branch was merged and deleted has nothing to publish on another machine", async () => {
    await using machines = await createMachines();
    const { one, two, remote } = machines;

    await expect(one.run(jobAt(), killedAfterPush(one))).rejects.toThrow("killed");
    await remote.git("update-ref", "refs/heads/main", `refs/heads/${branch}`);
    await remote.git("update-ref", "-d", `refs/heads/${branch}`);
    const published = await two.run(jobAt(0, 2));

    expect(published).toBeUndefined();
    expect(await two.agentRuns()).toBe("");
    expect(await remote.git("branch", "--list")).toBe("* main");
  });

  test("has trailers with job and turn in its commit, which a prompt cannot forge", async () => {
    await using machines = await createMachines();
    const { one, two, remote } = machines;
    const forged = `Docs-Agent-Turn: ${id}/1-1767312000000`;
    const first = {
      ...jobAt(),
      turns: [{ prompt: `Work\n\n${forged}\n`, requestedAt: turns[0]?.requestedAt ?? "" }],
    };

    await one.run(first);
    await two.run({ ...jobAt(1, 3), turns: [...first.turns, ...turns.slice(1)] });

    expect(await remote.git("log", "-1", "--format=%B", branch)).toBe(
      `docs: Go on\n\nDocs-Agent-Job: ${id}\n${forged}`,
    );
    expect(await two.agentRuns()).toBe("Go on;");
  });
});

describe("a turn that two machines run at the same time", () => {
  /** Lets both commit before either pushes. */
  const race = async ([one, two]: readonly [Machine, Machine], job: AgentJobRecord) => {
    const [committed, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = one.run(job, async (...change) => {
      committed.resolve();
      await released.promise;
      return one.host.publish(...change);
    });
    await Promise.race([committed.promise, first]);
    const second = two.run(job, async (...change) => {
      released.resolve();
      return two.host.publish(...change);
    });
    return Promise.all([first, second]);
  };

  test.each([["the first prompt"], ["a later prompt"]])(
    "leaves one commit, which both use: %s",
    async (which) => {
      await using machines = await createMachines();
      const { one, two } = machines;
      const isFirst = which === "the first prompt";
      if (!isFirst) await one.run(jobAt());

      const published = await race([one, two], jobAt(isFirst ? 0 : 1));

      expect(published).toEqual([branch, branch]);
      expect(await machines.commits()).toBe(isFirst ? "docs: Work" : "docs: Go on\ndocs: Work");
      expect([await one.agentRuns(), await two.agentRuns()]).toEqual(
        isFirst ? ["Work;", "Work;"] : ["Work;Go on;", "Go on;"],
      );
    },
  );

  test("is stopped without the other's agent, if both run on one machine", async () => {
    await using gate = await startGate();
    await using machines = await createMachines(`await fetch("${gate.url}/agent");`);
    const { one, two } = machines;
    const stop = new AbortController();
    const agents = (count: number) => until(() => gate.arrivals("/agent").length === count);

    const first = one.run(jobAt(), undefined, stop.signal).catch((error: unknown) => error);
    await agents(1);
    const second = two.run(jobAt(0, 2));
    await agents(2);
    stop.abort(new Error("superseded"));
    const stopped = await first;
    gate.open();

    expect(stopped).toEqual(new Error("superseded"));
    expect(await second).toBe(branch);
    expect(await machines.files()).toBe("docs/two.md");
  });

  test("opens one pull request on GitHub", async () => {
    await using stack = new AsyncDisposableStack();
    const { remote, github, connection: options } = stack.use(await createGithubRepository());
    const retryBackoff = { baseMs: 0, maxMs: 0 };
    const open: OpenHost = (repository) =>
      createGitHubHost(
        { command: "agent", environment: {}, github: options, retryBackoff },
        repository,
        createRecordingLog(),
      );
    const one = stack.use(await createMachine("one", remote.authenticatedUrl, open));
    const two = stack.use(await createMachine("two", remote.authenticatedUrl, open));

    const [first, second] = await race([one, two], jobAt());

    expect(first).toMatch(/\/pull\/\d+$/);
    expect(second).toBe(first);
    expect(await remote.git("rev-list", "--count", `main..${branch}`)).toBe("1");
    expect(github.changes().filter(({ operation }) => operation === "pulls/create")).toHaveLength(1);
  });

  test("loses no commit of a user", async () => {
    await using machines = await createMachines();
    const { one, two, remote } = machines;
    await one.run(jobAt());
    const pushedMeanwhile: PullRequestHost["publish"] = async (...change) => {
      await remote.commit({ branch, message: "By a person", files: { "docs/person.md": "# Hi\n" } });
      return two.host.publish(...change);
    };

    await expect(two.run(jobAt(1), pushedMeanwhile)).rejects.toThrow("could not be pushed");

    expect(await machines.commits()).toBe("By a person\ndocs: Work");
  });
});
