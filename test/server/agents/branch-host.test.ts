import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { connect, createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { presentAgentJob } from "../../../src/server/agents/agent-routes.ts";
import { readRemoteAddress } from "../../../src/server/agents/git-remote.ts";
import type { AgentJobRecord } from "../../../src/server/agents/turn.ts";
import type { AgentOptions, PlatformContext } from "../../../src/server/base/context.ts";
import { startGitRemote } from "../../support/git-http.ts";
import { startHttpServer } from "../../support/http-server.ts";
import { listen } from "../../support/listen.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { agentOf, createRepository, git, idleAgent, startAgentPlatform } from "./agent-platform.ts";

/** A repository at a host that supports git only, and a clone of it. */
async function createClone() {
  await using stack = new AsyncDisposableStack();
  const remote = stack.use(await startGitRemote({ repository: "octo-org/widgets" }));
  await remote.commit({ files: { "docs/index.md": "# Welcome\n" } });
  const folder = stack.use(await createTemporaryFolder());
  const root = join(folder.path, "clone");
  await git(folder.path, "clone", "--quiet", remote.authenticatedUrl, root);
  const resources = stack.move();
  return {
    remote,
    root,
    folder: folder.path,
    startPlatform: (agent: Partial<AgentOptions> = {}, dataDir = join(folder.path, "data")) =>
      startAgentPlatform(
        { repository: root, push: { remote: "origin", token: remote.token }, ...agent },
        { dataDir },
      ),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

const branchOf = ({ id }: { id?: string | null | undefined }) => `docs-agent/${id}`;

describe("an agent job whose branch is pushed to any host", () => {
  test("starts from the remote's commit, pushes its branch, and reports no pull request", async () => {
    await using clone = await createClone();
    const { remote } = clone;
    const newer = await remote.commit({ files: { "docs/newer.md": "# Newer\n" } });
    await using platform = await clone.startPlatform();

    const job = await platform.runJob("Explain retries");

    expect(platform.warnings).toEqual([]);
    expect(job).toMatchObject({
      status: "completed",
      source: { repository: remote.url, ref: branchOf(job) },
      prLink: null,
      compareLink: null,
    });
    expect(await remote.git("rev-parse", `${branchOf(job)}^`)).toBe(newer);
    expect(await remote.git("diff", "--name-status", "main", branchOf(job))).toBe("A\tdocs/written.md");
  });

  test("reports the compare page of a known host", () => {
    const branch = "docs-agent/aj_1";
    const job = { branch, pullRequest: branch, base: "main", status: "completed" } as AgentJobRecord;
    const platform = { publicUrl: () => "http://localhost" } as PlatformContext;

    const presented = presentAgentJob(
      { ...job, repository: "https://github.com/octo-org/widgets" },
      platform,
    );

    const compareLink = `https://github.com/octo-org/widgets/compare/main...${branch}?expand=1`;
    expect(presented).toMatchObject({ prLink: null, compareLink });
  });

  test("without changes pushes nothing", async () => {
    await using clone = await createClone();
    await using platform = await clone.startPlatform({ command: idleAgent });

    const job = await platform.runJob("Look");

    expect(job).toMatchObject({ status: "completed", prLink: null });
    expect(job).not.toHaveProperty("compareLink");
    expect(clone.remote.requests.map(({ service }) => service)).not.toContain("git-receive-pack");
  });

  test("continues from its branch on a platform without its record", async () => {
    await using clone = await createClone();
    const { remote } = clone;
    const before = await clone.startPlatform({ base: "main" });
    const first = await before.runJob("One");
    await before[Symbol.asyncDispose]();
    await remote.commit({ branch: branchOf(first), message: "By a person", files: { "docs/p.md": "" } });

    await using platform = await clone.startPlatform({}, join(clone.folder, "after"));
    const found = await platform.getJob(first.id);
    await platform.sendMessage(first.id, "Two");
    const ended = await platform.followJob(first.id);

    expect(found).toMatchObject({ status: "completed", prLink: null, source: first.source });
    expect(ended).toMatchObject({ status: "completed", prLink: null });
    expect(await remote.git("log", "--format=%s", `main..${branchOf(first)}`)).toBe(
      "docs: Two\nBy a person\ndocs: One",
    );
  });

  test.each([
    ["merged", "merged", (branch: string) => ["update-ref", "refs/heads/main", `refs/heads/${branch}`]],
    ["deleted", "closed", (branch: string) => ["update-ref", "-d", `refs/heads/${branch}`]],
  ] as const)("accepts no message once its branch is %s", async (_, state, command) => {
    await using clone = await createClone();
    await using platform = await clone.startPlatform();
    const job = await platform.runJob("One");
    await clone.remote.git(...command(branchOf(job)));

    expect(await platform.postMessage(job.id, "Two")).toEqual({
      status: 409,
      error: expect.stringContaining(` is ${state}: create a new job`),
    });
  });
});

describe("a host that cannot be reached", () => {
  /** A proxy in front of the remote that cuts this many connections before it forwards one. */
  async function startFaultyProxy(remote: string, cuts: number) {
    let left = cuts;
    const proxy = createTcpServer((socket) => {
      left -= 1;
      if (left >= 0) return void socket.destroy();
      const upstream = connect(Number(new URL(remote).port), "127.0.0.1");
      upstream.on("error", () => socket.destroy());
      socket.on("error", () => undefined).on("close", () => upstream.destroy());
      socket.pipe(upstream).pipe(socket);
    });
    const listening = await listen(proxy);
    return { ...listening, url: Object.assign(new URL(remote), { port: String(listening.port) }).href };
  }

  test.each([
    ["for a moment does not fail a job", 3, "completed"],
    ["fails the job with git's message", Number.POSITIVE_INFINITY, "failed"],
  ])("%s", async (_, cuts, status) => {
    await using clone = await createClone();
    await using proxy = await startFaultyProxy(clone.remote.url, cuts);
    await using platform = await clone.startPlatform({
      push: { remote: proxy.url, token: clone.remote.token },
    });

    const job = await platform.runJob("Work");

    expect(job.status).toBe(status);
    expect(platform.warnings).toEqual(
      status === "failed" ? [expect.stringContaining("git ls-remote failed")] : [],
    );
  });
});

describe("the token of a push", () => {
  test("is sent to the remote, and appears in no file, process or message of the platform", async () => {
    await using clone = await createClone();
    const command = agentOf(`
      import { execFileSync } from "node:child_process";
      const config = execFileSync("git", ["config", "--list"], { encoding: "utf8" });
      fs.writeFileSync("docs/seen.md", config + JSON.stringify(process.env));
    `);
    // The clone's configuration has another token, which is not used.
    await git(clone.root, "remote", "set-url", "origin", clone.remote.url.replace("//", "//mona:ghs_old@"));
    await using platform = await clone.startPlatform({ command });

    const job = await platform.runJob("Look around");

    const seen = await clone.remote.git("show", `${branchOf(job)}:docs/seen.md`);
    const config = await readFile(join(platform.dataDir, "agents", "repository.git", "config"), "utf8");
    for (const text of [seen, config, JSON.stringify(job), platform.warnings.join()]) {
      expect(text).not.toContain(clone.remote.token);
      expect(text).not.toContain("ghs_old");
    }
  });

  test.each([
    ["that is wrong", "ghs_wrong"],
    ["that is not set", undefined],
  ])("%s fails the job with the name of the variable", async (_, token) => {
    await using clone = await createClone();
    await using platform = await clone.startPlatform({ push: { remote: "origin", token } });

    const job = await platform.runJob("Work");

    expect(job).toMatchObject({
      status: "failed",
      prLink: null,
      error: expect.stringContaining("Set DOCS_PLATFORM_GIT_TOKEN"),
    });
    expect(platform.warnings.join()).not.toContain("ghs_wrong");
  });

  test("that may not push fails the job with the name of the variable", async () => {
    await using clone = await createClone();
    clone.remote.refusePushes();
    await using platform = await clone.startPlatform();

    const job = await platform.runJob("Work");

    expect(job).toMatchObject({ status: "failed", error: expect.stringContaining("403") });
    expect(job).toMatchObject({ error: expect.stringContaining("DOCS_PLATFORM_GIT_TOKEN") });
  });

  test("is not sent to the target of a redirect", async () => {
    await using clone = await createClone();
    const { origin } = new URL(clone.remote.url);
    await using server = await startHttpServer(({ url }) =>
      Response.redirect(url.replace(server.url, origin), 302),
    );
    const remote = clone.remote.url.replace(origin, server.url);
    await using platform = await clone.startPlatform({ push: { remote, token: clone.remote.token } });
    const before = clone.remote.requests.length;

    const job = await platform.runJob("Work");

    expect(job.status).toBe("failed");
    expect(clone.remote.requests).toHaveLength(before);
  });
});

describe("a branch is pushed", () => {
  /** A repository whose `origin` is the relative path of a bare repository. */
  async function createPair() {
    const repository = await createRepository();
    const bare = join(repository.path, "remote.git");
    await git(repository.path, "clone", "--quiet", "--bare", repository.root, bare);
    await git(repository.root, "remote", "add", "origin", "../remote.git");
    return { ...repository, bare };
  }

  test.each([
    ["a remote with a relative path", () => "origin"],
    ["a path", (bare: string) => bare],
    ["a file URL", (bare: string) => `file://${bare}`],
  ])("to %s", async (_, remote) => {
    await using pair = await createPair();
    await using platform = await startAgentPlatform({
      repository: pair.root,
      push: { remote: remote(pair.bare) },
    });

    const job = await platform.runJob("Work");

    expect(platform.warnings).toEqual([]);
    expect(job.source?.repository).toBe(`file://${pair.bare}`);
    expect(await git(pair.bare, "show", `${branchOf(job)}:docs/written.md`)).toBe("Work");
    expect(await git(pair.root, "branch", "--list", "docs-agent/*")).toBe("");
  });

  test("over ssh, with the user's ssh-agent and without prompts", async () => {
    await using pair = await createPair();
    const folder = join(pair.path, "programs");
    const calls = join(pair.path, "calls");
    await mkdir(folder);
    // Replaces ssh: records its arguments, and runs the command on this machine.
    const script = `#!/bin/sh\necho "$SSH_AUTH_SOCK $*" >> "${calls}"\nfor last; do :; done\nexec sh -c "$last"\n`;
    await writeFile(join(folder, "ssh"), script);
    await chmod(join(folder, "ssh"), 0o755);
    const environment = {
      ...process.env,
      PATH: `${folder}:${process.env["PATH"]}`,
      SSH_AUTH_SOCK: "/run/agent",
    };
    await using platform = await startAgentPlatform({
      repository: pair.root,
      environment,
      push: { remote: `git@git.example.com:${pair.bare}` },
    });

    const job = await platform.runJob("Work");

    expect(platform.warnings).toEqual([]);
    expect(await git(pair.bare, "show", `${branchOf(job)}:docs/written.md`)).toBe("Work");
    for (const call of (await readFile(calls, "utf8")).trim().split("\n"))
      expect(call).toMatch(
        /^\/run\/agent -oBatchMode=yes .*git@git\.example\.com git-(?:upload|receive)-pack /,
      );
  });
});

describe("a remote address", () => {
  test.each([
    ["https://git.example.com/docs.git", "https://git.example.com/docs.git", undefined],
    ["https://x-token-auth@git.example.com/docs.git", "https://git.example.com/docs.git", "x-token-auth"],
    [
      "https://mona:secret@git.example.com:8443/docs.git?a#b",
      "https://git.example.com:8443/docs.git",
      "mona",
    ],
    ["https://a%0Ab@git.example.com/docs.git", "https://git.example.com/docs.git", undefined],
  ])("has a token for its server only: %s", (address, url, username) => {
    const { origin } = new URL(url);

    expect(readRemoteAddress(address, "t", "/clone")).toMatchObject({
      url,
      access: { origin, token: "t", username },
    });
    expect(readRemoteAddress(address, undefined, "/clone").access).toBeUndefined();
  });

  test.each([
    ["git@git.example.com:a/docs.git", "git@git.example.com:a/docs.git"],
    ["ssh://git:secret@git.example.com:2222/docs.git", "ssh://git@git.example.com:2222/docs.git"],
    ["../docs.git", "/docs.git"],
  ])("has no token: %s", (address, url) => {
    expect(readRemoteAddress(address, "t", "/clone")).toMatchObject({ url });
    expect(readRemoteAddress(address, "t", "/clone").access).toBeUndefined();
  });

  test.each([
    "upstream",
    "",
    "ext::sh -c id",
    "git://a:secret@git.example.com/docs.git",
    "--exec=id",
    "-oa=b:c",
  ])("is rejected if git cannot push to it: %j", (address) => {
    const read = () => readRemoteAddress(address, "t", "/clone");

    expect(read).toThrow("has no remote");
    expect(read).not.toThrow("secret");
  });

  test("gets no token over a connection that is not encrypted", () => {
    const read = (address: string, token?: string) => () => readRemoteAddress(address, token, "/clone");

    expect(read("http://mona@git.example.com/docs.git", "t")).toThrow("not sent to http://git.example.com");
    expect(read("http://git.example.com/docs.git")).not.toThrow();
    expect(read("http://127.0.0.1:8080/docs.git", "t")).not.toThrow();
  });

  test("is checked when the platform starts", async () => {
    await using repository = await createRepository();

    await expect(
      startAgentPlatform({ repository: repository.root, push: { remote: "origin" } }),
    ).rejects.toThrow("has no remote origin");
  });
});
