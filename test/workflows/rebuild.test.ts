/** The rebuild of Dependabot's branches and the cut of a release: their script against a real git remote, and which job may do what. */
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { chmod, copyFile, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod/mini";
import { builtFiles, collectBuiltFiles } from "../../scripts/generated-files.ts";
import { versionedFiles } from "../../scripts/release.ts";
import { startGitRemote } from "../support/git-http.ts";
import { createTemporaryFolder, writeFiles } from "../support/temporary-folder.ts";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const script = join(root, "scripts/generated-files.ts");

const committed = {
  "dist/index.js": "old();\n",
  "dist/licenses.txt": "MIT\n",
  "dist/1.index.js": "chunk();\n",
  "packed/icons.br": "icons",
  "package.json": "{}",
  "src/main.ts": "main();\n",
};
const built = { "dist/index.js": "new();\n", "dist/licenses.txt": "MIT\n", "dist/2.index.js": "chunk();\n" };

/** A branch of Dependabot's at a remote, its checkout as the job has it, and the artifact. */
async function startBranch(artifact: Readonly<Record<string, string>>) {
  await using resources = new AsyncDisposableStack();
  const remote = resources.use(await startGitRemote({ repository: "octo-org/widgets" }));
  await remote.commit({ branch: "dependabot/npm/all", files: committed });
  const folder = resources.use(await createTemporaryFolder("rebuild-"));
  const checkout = join(folder.path, "checkout");
  const args = ["--quiet", "--depth", "1", "--branch", "dependabot/npm/all"];
  await execute("git", ["clone", ...args, remote.authenticatedUrl, checkout]);
  execFileSync("git", ["-C", checkout, "remote", "remove", "origin"]);
  await writeFiles(join(checkout, "rebuilt"), artifact);
  const output = join(folder.path, "output");
  await writeFile(output, "");
  const url = new URL(remote.url);
  const environment = {
    PATH: process.env["PATH"],
    GIT_CONFIG_GLOBAL: "/dev/null",
    GITHUB_SERVER_URL: url.origin,
    GITHUB_REPOSITORY: url.pathname.slice(1),
    GITHUB_OUTPUT: output,
    GH_TOKEN: remote.token,
  };
  const commit = (token = remote.token) =>
    execute(process.execPath, [script, "commit", "rebuilt", "dependabot/npm/all"], {
      cwd: checkout,
      env: { ...environment, GH_TOKEN: token },
    }).catch((error: unknown) => error);
  const kept = resources.move();
  return { remote, checkout, commit, output, environment, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

const branch = "refs/heads/dependabot/npm/all";

describe("the built files of Dependabot's branch", () => {
  test("are one commit of what the build gave, which Dependabot may replace", async () => {
    await using scene = await startBranch(built);
    const before = await scene.remote.git("rev-parse", branch);

    expect(await scene.commit()).toEqual({ stdout: "Committed to dependabot/npm/all.\n", stderr: "" });
    expect(await readFile(scene.output, "utf8")).toBe("committed=true\n");
    expect(await scene.remote.git("rev-parse", `${branch}^`)).toBe(before);
    const changes = await scene.remote.git("diff", "--no-renames", "--name-status", before, branch);
    expect(changes.split("\n")).toEqual([
      "D\tdist/1.index.js",
      "A\tdist/2.index.js",
      "M\tdist/index.js",
      "D\tpacked/icons.br",
    ]);
    const message = await scene.remote.git("log", "-1", "--format=%an%n%B", branch);
    expect(message).toMatch(/^github-actions\[bot\]\nbuild: commit the bundle\n[\s\S]*\[dependabot skip\]$/);
  });

  test("stay executable where they were", async () => {
    await using scene = await startBranch(built);
    execFileSync("git", ["-C", scene.checkout, "update-index", "--chmod=+x", "dist/index.js"]);
    const person = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
    execFileSync("git", ["-C", scene.checkout, ...person, "commit", "--quiet", "-m", "x"]);

    expect(await scene.commit()).toMatchObject({ stderr: "" });
    expect(await scene.remote.git("ls-tree", branch, "dist/index.js")).toMatch(/^100755/);
  });

  test("are one commit with what the cut of a release changed, on a branch of its own", async () => {
    await using scene = await startBranch(built);
    await mkdir(join(scene.checkout, "scripts"));
    for (const name of ["release.ts", "generated-files.ts"])
      await copyFile(join(root, "scripts", name), join(scene.checkout, "scripts", name));
    const versioned = await Promise.all(
      Object.keys(versionedFiles).map(async (name) => [name, await readFile(join(root, name), "utf8")]),
    );
    const unreleased = {
      ...Object.fromEntries(versioned),
      "package.json": '{\n  "version": "1.2.3",\n  "type": "module"\n}\n',
      "package-lock.json": '{\n  "version": "1.2.3"\n}\n',
      "deploy/chart/Chart.yaml": "version: 1.2.3\n",
      "src/base/version.ts": 'export const version = "1.2.3";\n',
      "CHANGELOG.md": "# Changelog\n\n## Unreleased\n\n- New.\n",
    };
    await writeFiles(scene.checkout, unreleased);
    const git = ["-C", scene.checkout, "-c", "user.name=t", "-c", "user.email=t@example.com"];
    execFileSync("git", [...git, "add", ...Object.keys(unreleased)]);
    execFileSync("git", [...git, "commit", "--quiet", "-m", "x"]);
    const { jobs } = await readWorkflow("cut-release.yml");
    const lines = jobs["commit"]?.steps.flatMap(({ run }) => run ?? []) ?? [];
    const summary = join(scene.checkout, "../summary");

    for (const line of lines)
      await execute("bash", ["--norc", "-e", "-c", line], {
        cwd: scene.checkout,
        env: { ...scene.environment, VERSION: "1.3.0", GITHUB_STEP_SUMMARY: summary },
      });

    const released = "refs/heads/release-1.3.0";
    expect(await scene.remote.git("log", "-1", "--format=%s", released)).toBe("release: 1.3.0");
    const changes = await scene.remote.git("diff", "--no-renames", "--name-status", `${released}^`, released);
    expect(changes.split("\n").map((line) => line.replace("\t", " "))).toEqual([
      "M CHANGELOG.md",
      "M deploy/chart/Chart.yaml",
      "D dist/1.index.js",
      "A dist/2.index.js",
      "M dist/index.js",
      "M docs/command-line.md",
      "M docs/self-hosting.md",
      "M examples/export-values.yml",
      "M examples/gitlab/.gitlab-ci.yml",
      "M package-lock.json",
      "M package.json",
      "D packed/icons.br",
      "M src/base/version.ts",
    ]);
    expect(await scene.remote.git("show", `${released}:CHANGELOG.md`)).toMatch(/## 1\.3\.0 - \d{4}-/);
    expect(await readFile(summary, "utf8")).toContain("/compare/release-1.3.0?expand=1");
  });

  test("are left alone where the build gives the same", async () => {
    const { "package.json": _, "src/main.ts": __, ...same } = committed;
    await using scene = await startBranch(same);
    const before = await scene.remote.git("rev-parse", branch);

    expect(await scene.commit()).toMatchObject({
      stdout: expect.stringContaining("what the build gives"),
    });
    expect(await readFile(scene.output, "utf8")).toBe("committed=false\n");
    expect(await scene.remote.git("rev-parse", branch)).toBe(before);
  });

  test.each([
    ["a workflow", { ".github/workflows/ci.yml": "on: push" }, "which it must not change"],
    ["a source", { "src/main.ts": "steal();" }, "which it must not change"],
    ["a folder that begins like dist", { "dist2/index.js": "" }, "which it must not change"],
    ["git's folder", { ".git/config": "" }, "which it must not change"],
  ])("are refused with %s among them", async (_, more, message) => {
    await using scene = await startBranch({ ...built, ...more });
    const before = await scene.remote.git("rev-parse", branch);

    expect(await scene.commit()).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
    expect(await scene.remote.git("rev-parse", branch)).toBe(before);
  });

  test.each(["dist/index.js", "dist/licenses.txt"])("are refused without %s", async (name) => {
    await using scene = await startBranch(built);
    await rm(join(scene.checkout, "rebuilt", name));
    expect(await scene.commit()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`gave no ${name}`),
    });
  });

  test("are refused with a link, which could lead to the job's own files", async () => {
    await using scene = await startBranch(built);
    await symlink("/proc/self/environ", join(scene.checkout, "rebuilt/dist/link.js"));
    expect(await scene.commit()).toMatchObject({ code: 1, stderr: expect.stringContaining("is not a file") });
  });

  test("are not pushed over what came meanwhile, nor without the right to", async () => {
    await using scene = await startBranch(built);
    expect(await scene.commit("wrong")).toMatchObject({ code: 1 });
    const newest = await scene.remote.commit({
      branch: "dependabot/npm/all",
      files: { "package.json": "{1}" },
    });

    expect(await scene.commit()).toMatchObject({ code: 1 });
    expect(await scene.remote.git("rev-parse", branch)).toBe(newest);
  });

  test("are collected from where the build and the generators write them", async () => {
    await using folder = await createTemporaryFolder("rebuilt-");
    await collectBuiltFiles(root, folder.path);
    const listed = execFileSync("git", ["-C", root, "ls-files", "--", ...builtFiles], { encoding: "utf8" });
    for (const name of listed.trim().split("\n"))
      expect(await readFile(join(folder.path, name))).toEqual(await readFile(join(root, name)));
    expect(listed.trim().split("\n").length).toBeGreaterThan(builtFiles.length);
  });
});

const Workflow = z.object({
  on: z.record(z.string(), z.unknown()),
  jobs: z.record(
    z.string(),
    z.object({
      needs: z.optional(z.string()),
      if: z.optional(z.string()),
      permissions: z.record(z.string(), z.string()),
      steps: z.array(z.object({ run: z.optional(z.string()), uses: z.optional(z.string()) })),
    }),
  ),
});

async function readWorkflow(name: string) {
  return Workflow.parse(parse(await readFile(join(root, ".github/workflows", name), "utf8")));
}

describe("the workflow", () => {
  test("that cuts a release builds without rights, and runs no package where it may push", async () => {
    const { on, jobs } = await readWorkflow("cut-release.yml");
    expect(Object.keys(on)).toEqual(["workflow_dispatch"]);
    expect(Object.values(jobs).map(({ permissions }) => permissions)).toEqual([
      { contents: "read" },
      { contents: "write" },
    ]);
    const scripts = jobs["commit"]?.steps.flatMap(({ run }) => run ?? []).join("\n") ?? "";
    expect(scripts).not.toMatch(/\.ci\/|\b(?:npm|npx|yarn|pnpm)\b/);
  });

  test("builds without rights, for Dependabot's own branches only, and runs no package where it may push", async () => {
    const { on, jobs } = await readWorkflow("rebuild.yml");
    expect(Object.keys(on)).toEqual(["pull_request"]);
    expect(
      Object.entries(jobs).map(([name, { needs, permissions }]) => ({ name, needs, permissions })),
    ).toEqual([
      { name: "build", needs: undefined, permissions: { contents: "read" } },
      { name: "commit", needs: "build", permissions: { contents: "write", actions: "write" } },
    ]);
    expect(jobs["build"]?.if).toBe(
      "github.event.pull_request.user.login == 'dependabot[bot]' && github.event.pull_request.head.repo.full_name == github.repository",
    );
    const scripts = jobs["commit"]?.steps.flatMap(({ run }) => run ?? []).join("\n") ?? "";
    expect(scripts).not.toMatch(/\.ci\/|\b(?:npm|npx|yarn|pnpm)\b/);
  });

  test("runs a script that imports nothing but Node where it may push", async () => {
    const text = await readFile(script, "utf8");
    const imported = [...text.matchAll(/^import .* from "([^"]+)"/gm)].map(([, name = ""]) => name);
    expect(imported.length).toBeGreaterThan(2);
    expect(imported.filter((name) => !name.startsWith("node:"))).toEqual([]);
  });

  test("starts workflows that can be started, on the branch of the commit", async () => {
    await using folder = await createTemporaryFolder();
    const program = join(folder.path, "gh");
    await writeFile(program, '#!/bin/sh\necho "$@" >> gh.log\n');
    await chmod(program, 0o755);
    const { jobs } = await readWorkflow("rebuild.yml");
    const last = jobs["commit"]?.steps.at(-1)?.run ?? "";
    const env = {
      PATH: `${folder.path}${delimiter}${process.env["PATH"]}`,
      GITHUB_REPOSITORY: "o/r",
      BRANCH: "dependabot/npm/all",
    };

    expect(spawnSync("bash", ["--norc", "-e", "-c", last], { cwd: folder.path, env }).status).toBe(0);
    const started = (await readFile(join(folder.path, "gh.log"), "utf8")).trim().split("\n");
    expect(started).toEqual(
      ["ci.yml", "runners.yml"].map((name) => `workflow run ${name} --repo o/r --ref dependabot/npm/all`),
    );
    for (const line of started)
      expect(Object.keys((await readWorkflow(line.split(" ")[2] ?? "")).on)).toContain("workflow_dispatch");
  });
});
