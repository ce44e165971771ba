import { access, glob, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { AgentJob } from "../../src/client/contract.ts";
import { jobsOf } from "../server/agents/agent-platform.ts";
import { createGithubRepository } from "../server/agents/github-platform.ts";
import { until } from "../server/test-platform.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { sharedGateway } from "./gateway.ts";
import { type ClusterProcess, startCluster } from "./processes.ts";
import { type Relay, startRelay } from "./relay.ts";
import { recordsEnd, startWorker, type Worker } from "./replicas.ts";

interface Stop extends Worker {
  readonly git: Relay;
  readonly api: Relay;
  /** The worker's agents create this file, and continue when it is deleted. */
  readonly agentFile: string;
}

type Phase = readonly [name: string, hold: (stop: Stop) => Promise<unknown>];

/** The phase in which a worker is killed, and how it is held there. */
const running: Phase = ["its agent runs", ({ agentFile }) => waitForFile(agentFile)];
const committed: Phase = ["the commit is created", ({ git }) => git.holdRequests("git-receive-pack")];
const pushed: Phase = ["the branch is pushed", ({ database }) => database.holdRequests(recordsEnd)];
const opening: Phase = ["the pull request is asked for", ({ api }) => api.holdRequests("POST /repos/")];
const opened: Phase = ["the pull request is opened", ({ api }) => api.holdAnswers("POST /repos/")];

/** Number of jobs that a worker runs at the same time. */
const concurrency = 2;

const script = `cat >> docs/written.md
[ -n "$AGENT_FILE" ] || exit 0
: > "$AGENT_FILE"
while [ -e "$AGENT_FILE" ]; do sleep 0.1; done
`;

describe("agent jobs on two web replicas and several workers", { timeout: 180_000 }, () => {
  beforeAll(() => sharedGateway(), 600_000);

  test.each([
    { remote: "any git host", isOnGitHub: false, phases: [running, committed, pushed] },
    { remote: "GitHub", isOnGitHub: true, phases: [opening, opened, pushed] },
  ])("are finished once by others when workers are killed: $remote", async ({ isOnGitHub, phases }) => {
    await using stack = new AsyncDisposableStack();
    const { path: folder } = stack.use(await createTemporaryFolder());
    const { remote, github, root, token } = stack.use(await createGithubRepository());
    const cluster = stack.use(await startCluster());
    const agent = join(folder, "agent.sh");
    await writeFile(agent, script);
    const settingsOf = (gitUrl: string, apiUrl: string, agentFile = "") => ({
      docs: join(root, "docs"),
      flags: [
        ...["--agent-command", `sh ${agent}`, "--agent-env", "AGENT_FILE"],
        ...(isOnGitHub ? ["--github", github.run.repository] : ["--push", gitUrl]),
      ],
      environment: {
        AGENT_FILE: agentFile,
        DOCS_AGENT_ISOLATION: "none",
        DOCS_PLATFORM_GIT_TOKEN: remote.token,
        GITHUB_TOKEN: token,
        GITHUB_API_URL: apiUrl,
        GITHUB_SERVER_URL: new URL(gitUrl).origin,
      },
    });
    const direct = settingsOf(remote.url, github.run.apiUrl);
    const startStopped = async (phase: Phase, index: number) => {
      const agentFile = join(folder, `agent-${index}`);
      const git = stack.use(await startRelay(remote.url));
      const api = stack.use(await startRelay(github.run.apiUrl));
      const settings = settingsOf(git.url, api.url, phase === running ? agentFile : "");
      const worker = await startWorker(cluster, stack, settings);
      const held = phase[1]({ ...worker, git, api, agentFile });
      return { held, agentFile, process: worker.process };
    };
    const [web, otherWeb, ...stopped] = await Promise.all([
      cluster.start("web", direct),
      cluster.start("web", direct),
      ...phases.map(startStopped),
    ]);

    // As many jobs as all workers can run, so that each worker has at least one.
    const projects = Array.from({ length: phases.length * concurrency }, (_, index) => `p${index}`);
    const jobs = await Promise.all(projects.map((project) => create(web, project)));
    await Promise.all(stopped.map(({ held }) => held));
    await Promise.all(stopped.map(({ process }) => process.end("SIGKILL")));
    // An agent that outlives its worker has no effect.
    for (const { agentFile } of stopped) await rm(agentFile, { force: true });
    const successors = await Promise.all([1, 2].map(() => startWorker(cluster, stack, direct)));
    const ends = await Promise.all(jobs.map((id, index) => follow(otherWeb, `p${index}`, id)));

    expect(ends.map(({ status }) => status)).toEqual(jobs.map(() => "completed"));
    const branches = await remote.git("for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads");
    expect(branches.split("\n").sort()).toEqual([...jobs.map(branchOf), "main"].sort());
    for (const [index, id] of jobs.entries()) {
      expect(await remote.git("rev-list", "--count", `main..${branchOf(id)}`)).toBe("1");
      expect(await remote.git("show", `${branchOf(id)}:docs/written.md`)).toBe(`Prompt of p${index}`);
    }
    // The agents' output is in the bucket only.
    for (const { process } of successors)
      expect(await Array.fromAsync(glob("work/*", { cwd: process.dataDir }))).toEqual([]);
    const heads = [...github.state.issues.values()].flatMap(({ pull }) => pull?.head ?? []);
    expect(heads.sort()).toEqual(isOnGitHub ? jobs.map(branchOf).sort() : []);
  });
});

const branchOf = (id: string) => `docs-agent/${id}`;

async function create(web: ClusterProcess, project: string): Promise<string> {
  const response = await web.send(jobsOf(project), {
    method: "POST",
    json: { prompt: `Prompt of ${project}` },
  });
  return AgentJob.parse(await response.json()).id ?? "";
}

function follow(web: ClusterProcess, project: string, id: string): Promise<AgentJob> {
  const get = async () => AgentJob.parse(await (await web.send(`${jobsOf(project)}/${id}`)).json());
  return until(get, ({ status }) => status !== "active");
}

function waitForFile(path: string): Promise<boolean> {
  const isThere = () =>
    access(path).then(
      () => true,
      () => false,
    );
  return until(isThere, Boolean);
}
