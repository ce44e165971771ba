import { spawn } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startHttpServer } from "../../support/http-server.ts";
import { createGithubRepository } from "../agents/github-platform.ts";
import { startPlatformProcess } from "../platform-process.ts";
import { type TestPlatform, until } from "../test-platform.ts";
import { createSites, domain, secret } from "./sites-fixture.ts";

interface AgentJob {
  readonly status: string;
}

/** Waits for the end of a job in the project `handbook`. */
const followJob = async (platform: TestPlatform, id: string) =>
  until(
    async () => (await (await platform.send(`/v2/agent/handbook/job/${id}`)).json()) as AgentJob,
    ({ status }) => status !== "active",
  );

const createJob = (platform: TestPlatform, project: string) =>
  platform.send(`/v2/agent/${project}/job`, { method: "POST", json: { prompt: "Add a word." } });

interface ExportJob {
  readonly jobId: string;
  readonly status: string;
  readonly pageCount: number;
}

describe("a platform of sites from git repositories", () => {
  test("exports the pushed commit, and answers questions from it", async () => {
    await using sites = await createSites();
    const { clock } = sites;
    await using platform = await sites.startPlatform({}, { now: () => clock.now });
    const exportSite = async () => {
      const start = { method: "POST", json: { domain } };
      const { jobId } = (await (await platform.send("/v1/static-export/jobs", start)).json()) as ExportJob;
      return until(
        async () => (await (await platform.send(`/v1/static-export/jobs/${jobId}`)).json()) as ExportJob,
        ({ status }) => status === "completed" || status === "failed",
      );
    };
    const ask = async () => {
      const messages = [
        { id: "1", role: "user", parts: [{ type: "text", text: "How are tokens rotated?" }] },
      ];
      const question = { method: "POST", json: { fp: "a", messages }, key: platform.assistantKey };
      return (await platform.send(`/discovery/v2/assistant/${domain}/message`, question)).text();
    };
    const before = await exportSite();
    await sites.remote.commit({
      files: { "docs/index.md": "first", "docs/tokens.md": "# Tokens\n\nRotate tokens every 90 days.\n" },
    });

    const pushed = await platform.send(`/webhooks/push/${domain}`, {
      method: "POST",
      key: "",
      headers: { "x-gitlab-token": secret },
      json: { ref: "refs/heads/main" },
    });
    const after = await until(
      async () => {
        clock.now += 2000;
        return exportSite();
      },
      ({ pageCount }) => pageCount === 2,
    );

    expect(before).toMatchObject({ status: "completed", pageCount: 1 });
    expect(pushed.status).toBe(202);
    expect(after.status).toBe("completed");
    expect(await ask()).toContain("90 days");
    expect(platform.domains).toEqual([domain]);
    expect(platform.warnings).toEqual([]);
  });

  test("runs agents in the repositories of its projects, and pushes their branches there", async () => {
    await using sites = await createSites({ project: "handbook" });
    const { remote } = sites;
    await remote.commit({ branch: "elsewhere", files: { "docs/index.md": "of another branch" } });
    const script = `
      const { appendFileSync } = require("node:fs");
      appendFileSync(process.env.DOCS_AGENT_DOCS_DIR + "/index.md", " and " + process.env.DOCS_AGENT_DOCS_DIR);`;
    await using platform = await sites.startPlatform({
      agent: { command: [process.execPath, "--eval", script], environment: process.env },
    });

    const unknown = await createJob(platform, "other");
    const { id } = (await (await createJob(platform, "handbook")).json()) as { id: string };
    const job = await followJob(platform, id);

    expect(unknown.status).toBe(404);
    const branch = `docs-agent/${id}`;
    expect(job).toMatchObject({ status: "completed", source: { repository: remote.url, ref: branch } });
    expect(await remote.git("show", `${branch}:docs/index.md`)).toBe("first and docs");
    expect(await remote.git("rev-parse", `${branch}^`)).toBe(sites.commit);
  });

  test("opens at its start only the projects whose agents a killed platform left, and ends these", async () => {
    await using sites = await createSites({ project: "handbook" });
    const { file } = sites;
    const [site] = JSON.parse(await readFile(file, "utf8"));
    await writeFile(file, JSON.stringify([site, { ...site, domains: ["b.example.com"], project: "other" }]));
    const dataDir = sites.dataDirOf("two");
    const folders = join(dataDir, "agents", "projects");
    const handbook = hash("sha256", "handbook").slice(0, 32);
    const worktree = "aj_0123456789abcdef-00000000";
    await mkdir(join(folders, handbook, "worktrees", worktree), { recursive: true });
    await writeFile(join(dataDir, "lock"), "");
    const agent = spawn(process.execPath, ["--eval", "setInterval(() => undefined, 1000)"], {
      env: { DOCS_AGENT_WORKTREE: worktree },
    });
    const ended = once(agent, "exit");

    await using _platform = await sites.startPlatform({
      dataDir,
      agent: { command: "true", environment: process.env },
    });
    // Only Linux shows the environment of a process.
    if (process.platform !== "linux") agent.kill("SIGKILL");

    expect(await ended).toEqual([null, "SIGKILL"]);
    expect(await readdir(folders)).toEqual([handbook]);
  });

  test("starts an export in time for its client while the site's host does not respond", async () => {
    await using host = await startHttpServer(() => new Promise(() => undefined));
    await using sites = await createSites();
    await writeFile(sites.file, JSON.stringify([{ domains: [domain], repository: `${host.url}/docs.git` }]));
    await using platform = await sites.startPlatform({ startWaitMs: 50 });
    const start = (json: object) => platform.send("/v1/static-export/jobs", { method: "POST", json });

    const started = await Promise.all([start({ domain }), start({ domain, paths: ["guide"] })]);

    expect(started.map(({ status }) => status)).toEqual([202, 202]);
  });

  test("responds with 503 to a question until the site's host was reached once", async () => {
    await using sites = await createSites();
    await using platform = await sites.startPlatform({}, {}, "wrong");
    const messages = [{ id: "1", role: "user", content: "How?", parts: [] }];

    const response = await platform.send(`/discovery/v1/assistant/${domain}/message`, {
      method: "POST",
      json: { fp: "a", messages },
      key: platform.assistantKey,
    });

    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "10"]);
    expect(await response.json()).toEqual({ error: expect.stringContaining("not available yet") });
  });

  test("looks for jobs of a project while the host of another one does not respond", async () => {
    await using host = await startHttpServer(() => new Promise(() => undefined));
    await using sites = await createSites({ project: "handbook" });
    const { file } = sites;
    const [site] = JSON.parse(await readFile(file, "utf8"));
    const other = { domains: ["b.example.com"], repository: `${host.url}/docs.git`, project: "other" };
    await writeFile(file, JSON.stringify([site, other]));
    await using platform = await sites.startPlatform({
      agent: { command: "true", environment: process.env },
    });
    const stop = new AbortController();
    const url = new URL("/v2/agent/other/job/aj_0123456789abcdef", platform.listensOn);
    const headers = { authorization: `Bearer ${platform.adminKey}` };
    const waiting = fetch(url, { headers, signal: stop.signal }).catch(() => "aborted");
    // One request of the poll, and one for the job.
    await until(() => host.requests.length >= 2);

    const found = await platform.send("/v2/agent/handbook/job/aj_0123456789abcdef");
    stop.abort();

    expect(found.status).toBe(404);
    expect(await waiting).toBe("aborted");
  });

  test("opens a pull request if a project's repository is on GitHub", async () => {
    await using repository = await createGithubRepository();
    const { remote, github, connection, token } = repository;
    await using sites = await createSites({ project: "handbook", repository: remote.url });
    const script = `require("node:fs").appendFileSync("docs/index.md", "more");`;
    const server = { GITHUB_SERVER_URL: connection?.serverUrl, GITHUB_API_URL: connection?.apiUrl };
    const environment = { ...process.env, ...server };
    await using platform = await sites.startPlatform(
      { agent: { command: [process.execPath, "--eval", script], environment } },
      {},
      token,
    );

    const { id } = (await (await createJob(platform, "handbook")).json()) as { id: string };
    const job = await followJob(platform, id);

    expect(job).toMatchObject({ status: "completed", prLink: expect.stringMatching(/\/pull\/\d+$/) });
    const opened = github.changes().filter(({ operation }) => operation === "pulls/create");
    expect(opened).toMatchObject([{ body: { head: `docs-agent/${id}` } }]);
  });

  test("runs like in the container image, and prints its domains", async () => {
    await using sites = await createSites();
    const { DOCS_TOKEN, DOCS_HOOK } = sites.environment;
    const entry = "src/server/cluster/main.ts";
    await using platform = startPlatformProcess(["--sites", sites.file], { DOCS_TOKEN, DOCS_HOOK }, entry);
    await platform.url;

    await until(() => platform.output().includes(`is at commit ${sites.commit}`));

    expect(platform.output()).toContain(`Domain identifier:      ${domain}`);
    expect(await platform.end("SIGTERM")).toBe(0);
  });
});
