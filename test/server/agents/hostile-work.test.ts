import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { openAgentRepository } from "../../../src/server/agents/agent-repository.ts";
import { createGit } from "../../../src/server/agents/git.ts";
import { readServedRepository } from "../../../src/server/agents/served-repository.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { until } from "../test-platform.ts";
import { agentOf, createRepository, git, startAgentPlatform, startAgents } from "./agent-platform.ts";
import { createGithubRepository } from "./github-platform.ts";

/** Writes a program that creates a marker file when it runs. */
async function createTrap(folder: string) {
  const marks = join(folder, "marks");
  const program = join(folder, "trap");
  await mkdir(marks);
  await writeFile(program, `#!/bin/sh\ntouch "${marks}/$(basename "$0")-$$"\ncat\n`);
  await chmod(program, 0o755);
  return { program, sprung: () => readdir(marks) };
}

const makePipe = async (cwd: string) => void (await promisify(execFile)("mkfifo", [".gitignore"], { cwd }));

const branchOf = (job: { id?: string | null | undefined }) => `docs-agent/${job.id}`;

describe("in a repository's content or configuration", () => {
  test("hooks, filters and monitors do not run", async () => {
    await using repository = await createRepository({ ".gitattributes": "* filter=trap\n" });
    const trap = await createTrap(repository.path);
    for (const hook of [
      "post-checkout",
      "pre-commit",
      "commit-msg",
      "reference-transaction",
      "post-index-change",
    ]) {
      const path = join(repository.root, ".git", "hooks", hook);
      await mkdir(join(path, ".."), { recursive: true });
      await writeFile(path, `#!/bin/sh\nexec ${trap.program}\n`);
      await chmod(path, 0o755);
    }
    await git(repository.root, "config", "filter.trap.clean", trap.program);
    await git(repository.root, "config", "filter.trap.smudge", trap.program);
    await git(repository.root, "config", "core.fsmonitor", trap.program);
    await git(repository.root, "config", "commit.gpgSign", "true");
    await git(repository.root, "config", "gpg.program", trap.program);
    await using platform = await startAgentPlatform({ repository: repository.root });

    const job = await platform.runJob("Work");

    expect(job).toMatchObject({ status: "completed", prLink: expect.any(String) });
    expect(await trap.sprung()).toEqual([]);
  });

  test("submodules are neither changed nor fetched", async () => {
    await using repository = await createRepository({
      ".gitmodules": '[submodule "lib"]\n\tpath = lib\n\turl = ext::sh -c "touch gone"\n',
    });
    const commit = await git(repository.root, "rev-parse", "HEAD");
    await git(repository.root, "update-index", "--add", "--cacheinfo", `160000,${commit},lib`);
    await git(repository.root, "commit", "--quiet", "-m", "Add a submodule");
    await using platform = await startAgentPlatform({ repository: repository.root });

    const job = await platform.runJob("Work");

    expect(await git(repository.root, "diff", "--name-status", "main", branchOf(job))).toBe(
      "A\tdocs/written.md",
    );
  });
});

describe("whatever an agent does in its worktree", () => {
  test.each([
    ["it creates a commit", `run("add", "-A"); run("commit", "--quiet", "-m", "Mine");`],
    ["it stages some changes", `run("add", "docs/new.md"); fs.writeFileSync("docs/new.md", "# New\\n");`],
    [
      "it hides its change from git",
      `run("add", "-N", "docs/new.md"); run("update-index", "--skip-worktree", "README.md");`,
    ],
    ["it removes `.git`", `fs.rmSync(".git", { recursive: true });`],
    [
      "it makes a repository of the worktree",
      `fs.rmSync(".git", { recursive: true }); run("init", "--quiet"); run("config", "core.fsmonitor", trap);`,
    ],
    ["it checks out another branch", `run("checkout", "--quiet", "--orphan", "other");`],
    ["it damages its repository's configuration", `run("config", "core.bare", "maybe");`],
    [
      "it breaks the platform's configuration",
      `run("config", "--file", platform + "/config", "core.bare", "maybe");`,
    ],
    [
      "it configures programs",
      `run("config", "core.fsmonitor", trap); run("config", "filter.trap.clean", trap); run("config", "core.hooksPath", ".");`,
    ],
    [
      "it puts folders in place of the repository's files",
      `for (const name of ["config", "shallow"]) {
        fs.rmSync(platform + "/" + name, { force: true });
        fs.mkdirSync(platform + "/" + name);
      }`,
    ],
    [
      "it puts another repository, with programs, in place of the repository",
      `fs.rmSync(platform + ".other", { recursive: true, force: true });
      fs.cpSync(platform, platform + ".other", { recursive: true });
      run("config", "--file", platform + ".other/config", "filter.trap.clean", trap);
      fs.writeFileSync(platform + "/commondir", platform + ".other\\n");`,
    ],
  ])("one commit contains the resulting files: %s", async (_, script) => {
    await using repository = await createRepository({ ".gitattributes": "*.md filter=trap\n" });
    const trap = await createTrap(repository.path);
    const command = agentOf(`
      import { execFileSync } from "node:child_process";
      import { resolve } from "node:path";
      const trap = ${JSON.stringify(trap.program)};
      const platform = resolve("../../repository.git");
      const identity = ["-c", "user.name=Agent", "-c", "user.email=agent@example.com"];
      const run = (...args) => execFileSync("git", [...identity, ...args]);
      fs.writeFileSync("docs/new.md", "# New\\n");
      ${script}
    `);
    const environment = { ...process.env, DOCS_AGENT_ISOLATION: "none" };
    await using platform = await startAgentPlatform({ repository: repository.root, command, environment });

    const job = await platform.runJob("Work");
    const sprungByUs = (await trap.sprung()).length;
    const again = await platform.runJob("Work again");

    expect(platform.warnings).toEqual([expect.stringContaining("is not isolated")]);
    for (const branch of [branchOf(job), branchOf(again)]) {
      expect(await git(repository.root, "log", "--format=%an %s", `main..${branch}`)).toMatch(
        /^docs-agent docs: Work( again)?$/,
      );
      expect(await git(repository.root, "diff", "--name-status", "main", branch)).toBe("A\tdocs/new.md");
    }
    expect(sprungByUs).toBe(0);
  });

  // Other systems refuse such a name.
  test.runIf(process.platform === "linux")("a file whose name is not in UTF-8 is committed", async () => {
    await using platform = await startAgents({
      script: `fs.writeFileSync(Buffer.from("docs/caf\\u00e9.md", "latin1"), prompt);`,
    });

    const job = await platform.runJob("Work");

    expect(job.status).toBe("completed");
    const names = await platform.git("-c", "core.quotePath=true", "ls-tree", "-r", branchOf(job));
    expect(names).toContain('"docs/caf\\351.md"');
  });

  test.each([
    [
      "more than 2,000 files",
      `fs.mkdirSync("new"); for (let n = 0; n <= 2000; n += 1) fs.writeFileSync("new/" + n, "");`,
      "at most 2,000 files",
    ],
    [
      "so many files that git cannot list them",
      `const name = "n".repeat(240);
      const folder = [name, name, name].join("/");
      fs.mkdirSync(folder, { recursive: true });
      for (let n = 0; n < 9000; n += 1) fs.writeFileSync(folder + "/" + name + n, "");`,
      "at most 2,000 files",
    ],
    [
      "more than 50 MB",
      `for (const letter of "abc") fs.writeFileSync(letter, letter.repeat(18 * 1024 ** 2));`,
      "at most 52,428,800 bytes of new content. Add files",
    ],
  ])("a change of %s fails the job and leaves no objects", async (_, script, words) => {
    await using platform = await startAgents({ script: script });
    const objects = await platform.git("count-objects");

    const job = await platform.runJob("Work");

    expect(job).toMatchObject({ status: "failed", error: expect.stringContaining(words) });
    expect(await platform.git("branch", "--list", "docs-agent/*")).toBe("");
    expect(await readdir(join(platform.dataDir, "agents", "worktrees"))).toEqual([]);
    expect(await platform.git("count-objects")).toBe(objects);
  });

  test("concurrent jobs in a shallow clone all get an intact repository", async () => {
    await using repository = await createGithubRepository();
    const { signal } = new AbortController();
    const run = createGit(process.env);
    const served = await readServedRepository(run, repository.root, signal);
    await using folder = await createTemporaryFolder();
    for (let round = 0; round < 10; round += 1) {
      const agents = await openAgentRepository(join(folder.path, `${round}`), served, run, signal);
      const jobs = Array.from({ length: 8 }, () =>
        agents.run(["rev-parse", "--is-shallow-repository"], signal),
      );
      const found = await Promise.allSettled([...jobs]);
      expect(found.map(({ status }) => status)).toEqual(jobs.map(() => "fulfilled"));
    }
  });

  test("a named pipe, which git would read for ever, fails the job", async () => {
    await using repository = await createRepository();
    const { signal } = new AbortController();
    const run = createGit(process.env);
    const served = await readServedRepository(run, repository.root, signal);
    const agents = await openAgentRepository(join(repository.path, "agents"), served, run, signal);
    const start = await git(repository.root, "rev-parse", "HEAD");
    const options = { author: { name: "A", email: "a@example.com" }, message: "Work", timeoutMs: 500 };

    const committed = agents.commitEdits("job", start, options, makePipe, signal);

    await expect(committed).rejects.toThrow("Git took too long to read");
  });

  test("many moved, removed or ignored files are not a large change", async () => {
    const pages = Array.from({ length: 1500 }, (_, page) => [`docs/old/${page}.md`, `Page ${page}\n`]);
    await using platform = await startAgents({
      files: Object.fromEntries(pages),
      script: `
      fs.renameSync("docs/old", "docs/new");
      fs.writeFileSync(".gitignore", "built\\n");
      fs.mkdirSync("built");
      for (let n = 0; n <= 2000; n += 1) fs.writeFileSync("built/" + n, "");
      fs.writeFileSync("built/large", "x".repeat(60 * 1024 ** 2));
    `,
    });

    const job = await platform.runJob("Work");

    expect(job.status).toBe("completed");
    const changed = await platform.git("diff", "--name-only", "--no-renames", "main", branchOf(job));
    expect(changed.split("\n")).toHaveLength(3001);
    await platform.git("fsck", "--strict", branchOf(job));
  });

  test("the platform starts again after its repository was damaged", async () => {
    await using repository = await createRepository();
    await using data = await createTemporaryFolder();
    const command = agentOf(`
      import { resolve } from "node:path";
      const path = resolve("../../repository.git");
      if (prompt === "Break") {
        fs.rmSync(path, { recursive: true });
        fs.mkdirSync(path + "/config", { recursive: true });
        fs.writeFileSync(path + "/objects", "");
      } else fs.writeFileSync("docs/new.md", "# New\\n");
    `);
    const environment = { ...process.env, DOCS_AGENT_ISOLATION: "none" };
    const settings = { repository: repository.root, command, environment };
    await using before = await startAgentPlatform(settings, { dataDir: data.path });
    const broken = await before.runJob("Break");
    await before[Symbol.asyncDispose]();

    await using platform = await startAgentPlatform(settings, { dataDir: data.path });
    const job = await platform.runJob("Work");

    expect([broken.status, job.status]).toEqual(["failed", "completed"]);
  });

  test("another job can still fetch its commits", async () => {
    await using repository = await createGithubRepository();
    const [broken, done] = [join(repository.root, "broken"), join(repository.root, "done")];
    const command = agentOf(`
      import { execFileSync } from "node:child_process";
      import { setTimeout } from "node:timers/promises";
      fs.writeFileSync("docs/new.md", prompt);
      if (prompt === "Break") {
        const folder = execFileSync("git", ["rev-parse", "--absolute-git-dir"]).toString().trim();
        fs.writeFileSync(folder + "/HEAD", "1".repeat(40));
        fs.writeFileSync(${JSON.stringify(broken)}, "");
        while (!fs.existsSync(${JSON.stringify(done)})) await setTimeout(20);
      }
    `);
    await using platform = await repository.startPlatform({ command });

    const { id } = await platform.createJob("Break");
    await until(async () => (await readdir(repository.root)).includes("broken"));
    const other = await platform.runJob("Work");
    await writeFile(done, "");

    expect(other).toMatchObject({ status: "completed", prLink: expect.any(String) });
    expect(await platform.followJob(id)).toMatchObject({ status: "completed", prLink: expect.any(String) });
    expect(platform.warnings).toEqual([]);
  });

  test("a repository that it created inside the worktree is not committed", async () => {
    await using platform = await startAgents({
      script: `
      import { execFileSync } from "node:child_process";
      const run = (...args) => execFileSync("git", ["-C", "nested", ...args], { stdio: "ignore" });
      fs.mkdirSync("nested");
      run("init");
      fs.writeFileSync("nested/file", "");
      run("add", "-A");
      run("-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-m", "nested");
      fs.writeFileSync("docs/new.md", "# New\\n");
    `,
    });

    const job = await platform.runJob("Work");

    expect(await platform.git("diff", "--name-status", "main", branchOf(job))).toBe("A\tdocs/new.md");
  });

  test("a symbolic link to an outside file stays a link", async () => {
    await using platform = await startAgents({ script: `fs.symlinkSync("/etc/hostname", "docs/host.md");` });

    const job = await platform.runJob("Work");

    expect(await platform.git("ls-tree", branchOf(job), "docs/host.md")).toMatch(/^120000 blob/);
  });

  test("a worktree that was replaced by a symbolic link fails the job", async () => {
    // In namespaces, the worktree cannot be removed.
    const environment = { ...process.env, DOCS_AGENT_ISOLATION: "none" };
    await using platform = await startAgents({
      script: `
      const here = process.cwd();
      fs.rmSync(here, { recursive: true });
      fs.symlinkSync("/etc", here);
    `,
      environment,
    });

    const job = await platform.runJob("Work");

    expect(job.status).toBe("failed");
    expect(platform.warnings.at(-1)).toContain("removed its worktree");
  });

  test("the worktree is removed, including read-only folders", async () => {
    await using platform = await startAgents({
      script: `fs.mkdirSync("cache/deep", { recursive: true }); fs.writeFileSync("cache/deep/f", "");
      fs.chmodSync("cache/deep", 0o500);`,
    });

    const job = await platform.runJob("Work");

    expect(job.status).toBe("completed");
    expect(await readdir(join(platform.dataDir, "agents", "worktrees"))).toEqual([]);
  });
});
