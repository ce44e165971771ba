import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findGitHubRemote } from "../../../src/server/agents/served-repository.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { createRepository, git, startAgentPlatform } from "./agent-platform.ts";

describe("a platform that cannot run agent jobs fails to start", () => {
  test("without a usable repository", async () => {
    await using folder = await createTemporaryFolder();
    await using repository = await createRepository();
    const start = (root: string) => startAgentPlatform({ repository: root }, { docsDir: root });

    await expect(start(folder.path)).rejects.toThrow("is not the working tree of a git repository");
    const withoutGit = { repository: repository.root, environment: { PATH: folder.path } };
    await expect(startAgentPlatform(withoutGit)).rejects.toThrow("git cannot be started");
    await git(folder.path, "init", "--quiet");
    await expect(start(folder.path)).rejects.toThrow("has no commit yet");
    await git(repository.root, "config", "uploadpack.allowFilter", "true");
    const clone = join(repository.path, "clone");
    const source = `file://${repository.root}`;
    await git(repository.path, "clone", "--quiet", "--filter=blob:none", source, clone);
    await expect(start(clone)).rejects.toThrow("is a partial clone");
  });

  test.runIf((process.getuid?.() ?? 0) > 0)("in a repository that it cannot write to", async () => {
    await using repository = await createRepository();
    const objects = join(repository.root, ".git", "objects");
    await chmod(objects, 0o555);

    await expect(startAgentPlatform({ repository: repository.root })).rejects.toThrow(
      "is in a repository that this user cannot write to",
    );
    await chmod(objects, 0o755);
  });

  test.each([
    ["a command that cannot be split", { command: "agent 'open" }, "is not closed"],
    [
      "one of our secrets for the agent",
      { environment: { ...process.env, GITHUB_TOKEN: "t" }, passedVariables: ["GITHUB_TOKEN"] },
      "is not passed to agents",
    ],
  ])("with %s", async (_, settings, message) => {
    await using repository = await createRepository();

    await expect(startAgentPlatform({ ...settings, repository: repository.root })).rejects.toThrow(message);
  });
});

describe("a platform runs agent jobs", () => {
  test("in a repository in the SHA-256 format", async () => {
    await using folder = await createTemporaryFolder();
    const root = join(folder.path, "project");
    await git(folder.path, "init", "--quiet", "--object-format=sha256", root);
    await git(root, "commit", "--quiet", "--allow-empty", "-m", "Begin");
    await using platform = await startAgentPlatform(
      { repository: root, command: ["/bin/sh", "-c", "cat > page.md"] },
      { docsDir: root },
    );

    const job = await platform.runJob("Work");

    expect(job.status).toBe("completed");
    expect(await git(root, "show", `docs-agent/${job.id}:page.md`)).toBe("Work");
  });

  // Until version 2.38, git read `safe.directory` only from the files of the user and the system.
  test("in a repository of another user, with an older git", async () => {
    await using repository = await createRepository();
    const programs = join(repository.path, "programs");
    await mkdir(programs);
    const setup = "export GIT_TEST_ASSUME_DIFFERENT_OWNER=1 GIT_CONFIG_COUNT=0";
    const path = process.env["PATH"] ?? "";
    const script = `#!/bin/sh\n${setup}\nPATH='${path}'\nexec git "$@"\n`;
    await writeFile(join(programs, "git"), script, { mode: 0o755 });
    const environment = { ...process.env, PATH: `${programs}:${path}` };
    await using platform = await startAgentPlatform({ repository: repository.root, environment });

    const job = await platform.runJob("Work");

    expect(job).toMatchObject({ status: "completed", prLink: expect.any(String) });
    const github = { serverUrl: "https://github.com", apiUrl: "", owner: "o", repository: "r", token: "t" };
    await git(repository.root, "remote", "add", "origin", "https://github.com/o/docs.git");
    const signal = new AbortController().signal;
    const found = await findGitHubRemote(join(repository.root, "docs"), github, environment, signal);
    expect(found).toMatchObject({ repository: "docs" });
  });

  test("in a worktree, and on a detached HEAD", async () => {
    await using repository = await createRepository();
    const worktree = join(repository.path, "elsewhere");
    await git(repository.root, "worktree", "add", "--quiet", "--detach", worktree);
    await using platform = await startAgentPlatform({ repository: worktree });

    const job = await platform.runJob("Work");

    expect(job).toMatchObject({
      status: "completed",
      prLink: expect.stringContaining("/elsewhere/pull/aj_"),
    });
    expect(await git(repository.root, "diff", "--name-status", "main", `docs-agent/${job.id}`)).toBe(
      "A\tdocs/written.md",
    );
    const page = await platform.send(new URL(job.prLink ?? "").pathname);
    expect(await page.text()).toContain("+Work");
  });

  test("for the configured base branch", async () => {
    await using repository = await createRepository();
    await git(repository.root, "checkout", "--quiet", "-b", "release");
    await git(repository.root, "commit", "--quiet", "--allow-empty", "-m", "Release");
    await git(repository.root, "checkout", "--quiet", "main");
    await using platform = await startAgentPlatform({ repository: repository.root, base: "release" });

    const job = await platform.runJob("Work");

    expect(await git(repository.root, "log", "-1", "--format=%s", `docs-agent/${job.id}^`)).toBe("Release");
  });
});

const github = {
  serverUrl: "https://github.com",
  apiUrl: "https://api.github.com",
  owner: "octo-org",
  repository: "widgets",
  token: "t",
};

test("a clone's pull requests are opened at its remote", async () => {
  await using repository = await createRepository();
  const { signal } = new AbortController();
  const find = () => findGitHubRemote(repository.root, github, process.env, signal);
  const expected = [
    ["https://github.com/octo-org/widgets", { ...github, gitUrl: "https://github.com/octo-org/widgets" }],
    [
      "https://someone:secret@github.com/octo-org/widgets.git",
      { ...github, gitUrl: "https://github.com/octo-org/widgets.git" },
    ],
    [
      "http://127.0.0.1:8080/octo-org/widgets.git",
      { ...github, gitUrl: "http://127.0.0.1:8080/octo-org/widgets.git" },
    ],
    ["git@github.com:octo-org/widgets.git", github],
    ["git@github.com:octo-org/docs.git", { ...github, repository: "docs" }],
    [
      "https://github.com/acme/docs.js",
      { ...github, owner: "acme", repository: "docs.js", gitUrl: "https://github.com/acme/docs.js" },
    ],
    ["ssh://git@github.com/octo-org/widgets.git", github],
    ["https://gitlab.com/octo-org/widgets.git", undefined],
    ["https://github.com.evil.example/octo-org/widgets.git", undefined],
    ["git@gitlab.com:octo-org/widgets.git", undefined],
    ["../elsewhere", undefined],
  ] as const;

  expect(await find()).toBeUndefined();
  await git(repository.root, "remote", "add", "origin", "placeholder");
  for (const [origin, remote] of expected) {
    await git(repository.root, "remote", "set-url", "origin", origin);
    expect([origin, await find()]).toEqual([origin, remote]);
  }
});
