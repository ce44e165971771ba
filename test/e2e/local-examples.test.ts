/** The examples that need no account, as their steps say: the built action as a process, with the embedded platform. */
import { execFile } from "node:child_process";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { startArtifactService } from "../support/artifact-service.ts";
import { startGitRemote } from "../support/git-http.ts";
import { startGitHubStandIn } from "../support/github-stand-in.ts";
import { takeBlock } from "../support/page-blocks.ts";
import { readZip } from "../support/read-zip.ts";
import { createActionJob } from "../support/run-action.ts";
import { createFolder, createTemporaryFolder } from "../support/temporary-folder.ts";

const run = promisify(execFile);

type Permissions = Record<string, "read" | "write">;

const files = {
  "docs/index.md": "# Widgets\n\nStart with [keys](keys.md).\n",
  "docs/keys.md": "# Keys\n\n## Rotate an API key\n\nPress Rotate; the old key works for a day.\n",
};

/** The job of an example, and its step that uses this action as a test gives it to the runner; or another step instead. */
async function readExample(name: string, block?: string) {
  const workflow = parse(await readFile(new URL(`../../examples/${name}.yml`, import.meta.url), "utf8"));
  const [job] = Object.values<Record<string, unknown>>(workflow.jobs) as [
    { permissions: Permissions; steps: Record<string, unknown>[] },
  ];
  const steps = block === undefined ? job.steps : (parse(block) as typeof job.steps);
  const step = steps.find(({ uses }) => /^docs-automation\//.test(String(uses)));
  const [, action = ""] = /action\/(\w+)@v1$/.exec(String(step?.["uses"])) ?? [];
  const inputs = Object.entries(step?.["with"] ?? {}).map(([input, value]) => [
    input,
    String(value).replace("${{ github.run_attempt }}", "1"),
  ]);
  return { action, inputs: Object.fromEntries(inputs), permissions: job.permissions };
}

interface Written {
  readonly body: string;
  readonly author: string;
  /** Whether the text opens a discussion; otherwise it is a comment on an issue. */
  readonly isDiscussion?: boolean;
}

/** GitHub with a repository that is checked out, and a user's text in it. */
async function createScene({ body, author, isDiscussion }: Written, permissions: Permissions) {
  await using stack = new AsyncDisposableStack();
  const remote = stack.use(await startGitRemote());
  await remote.commit({ files });
  const github = stack.use(await startGitHubStandIn({ remote }));
  github.addPerson("mona", "write");
  github.addPerson("eve", "read");
  const workspace = stack.use(await createTemporaryFolder());
  await run("git", ["clone", "--quiet", "--depth", "1", remote.authenticatedUrl, workspace.path]);
  const { number: issue } = github.addIssue({ author: "alice", title: "Keys", body: "About keys." });
  const event = isDiscussion
    ? github.events.discussionOpened(github.addDiscussion({ author, title: "Keys", body }))
    : github.say(issue, body, author);
  const token = github.runToken(permissions);
  remote.acceptToken(token);
  const owned = stack.move();
  return {
    remote,
    comments: () =>
      [...github.commentsOn(issue), ...github.state.discussionComments.values()].map((one) => one.body),
    use: { workspace: workspace.path, run: { ...github.run, token, ...event } },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The steps of an example's jobs, each with the job's outputs. */
async function listSteps(name: string) {
  const workflow = parse(await readFile(new URL(`../../examples/${name}.yml`, import.meta.url), "utf8"));
  const jobs: Record<
    string,
    { steps: { uses: string; with: Record<string, string> }[]; outputs?: { artifact?: string } }
  > = workflow.jobs;
  return Object.values(jobs).flatMap(({ steps, outputs }) => steps.map((step) => ({ ...step, outputs })));
}

// GitHub keeps the artifacts of all attempts of a run, and deploy-pages looks for its name in all of them.
test.each(["local-pages", "export-pages"])("%s deploys what its own attempt uploaded", async (name) => {
  const steps = await listSteps(name);
  const uploading = steps.find((step) => step.with?.["upload"] === "pages");
  const deploying = steps.find(({ uses }) => uses.startsWith("actions/deploy-pages@"));
  const uploaded = uploading?.with["artifact-name"];
  expect(uploaded).toContain("${{ github.run_attempt }}");
  const given = deploying?.with?.["artifact_name"] ?? "github-pages";
  const passed = { "${{ needs.export.outputs.artifact }}": uploading?.outputs?.artifact }[given] ?? given;
  expect(passed).toBe(uploaded);
});

describe("an example without an account", () => {
  test("local-pages publishes the folder of documents as a site with search", async () => {
    const { permissions, ...use } = await readExample("local-pages");
    expect(permissions).toEqual({ contents: "read", pages: "write", "id-token": "write" });
    await using artifacts = await startArtifactService();
    await using workspace = await createFolder(files);
    await using job = await createActionJob({
      ...use,
      environment: artifacts.environment,
      workspace: workspace.path,
    });
    const { outputs, log } = await job.main();
    expect(outputs["outcome"], log).toBe("exported");
    expect(await readFile(join(outputs["site-path"] ?? "", "keys.html"), "utf8")).toContain("Press Rotate");
    const tar = String(readZip(await artifacts.read("github-pages-1")).get("artifact.tar"));
    for (const name of ["index.html", "keys.html", "404.html", "assets/search/0.js"])
      expect(tar).toContain(name);
  });

  test.each([
    ["comment", false],
    ["discussion", true],
  ])("local-assistant answers a reader's %s from the checked-out documents", async (_text, isDiscussion) => {
    const { permissions, ...use } = await readExample("local-assistant");
    const written = { body: "/ask how do I rotate an API key?", author: "eve", isDiscussion };
    await using scene = await createScene(written, permissions);
    await using job = await createActionJob({ ...use, ...scene.use });
    const { outputs, log } = await job.main();
    expect(outputs["outcome"], log).toBe("answered");
    expect(log).not.toContain("deprecated");
    expect(scene.comments().at(-1)).toContain("the old key works for a day");
    expect(scene.comments().at(-1)).toContain("docs/keys.md#rotate-an-api-key");
  });

  test.runIf(process.platform === "linux").each([
    ["local-agent", undefined, "-p --permission-mode acceptEdits"],
    [
      "local-agent with the step of docs/agent-commands.md",
      takeBlock("docs/agent-commands.md#in-a-workflow"),
      "-p --permission-mode acceptEdits --max-budget-usd 2",
    ],
  ])("%s runs the coding agent, and opens a pull request with what it wrote", async (_name, block, args) => {
    const { permissions, ...use } = await readExample("local-agent", block);
    await using scene = await createScene(
      { body: "/docs say how long the old key works", author: "mona" },
      permissions,
    );
    await using programs = await createTemporaryFolder();
    const claude = join(programs.path, "claude");
    const task = join(programs.path, "task.txt");
    await writeFile(
      claude,
      `#!/bin/sh\necho "$*" > ${task}; cat >> ${task}; echo "A day." >> docs/keys.md\n`,
    );
    await chmod(claude, 0o755);
    const path = `${programs.path}:${dirname(process.execPath)}:${process.env["PATH"]}`;
    await using job = await createActionJob({ ...use, ...scene.use, environment: { PATH: path } });
    const { outputs, log } = await job.main();
    expect(outputs["outcome"], log).toBe("pull-request");
    expect(await readFile(task, "utf8")).toContain(`${args}\nsay how long the old key works`);
    const branch = `docs-agent/${outputs["job-id"]}`;
    expect(await scene.remote.git("diff", "-U0", "main", branch)).toContain("+A day.");
    expect(scene.comments().at(-1)).toContain(outputs["pull-request-url"]);
    // Each run has a platform of its own, whose limit ends with it.
    expect(scene.comments().at(-1)).not.toContain("uses this hour");
  });
});
