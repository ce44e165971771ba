import { rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { GitHubStandIn } from "../../support/github-stand-in.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { startGate } from "../gate.ts";
import { agentOf, git, idleAgent, jobsOf } from "./agent-platform.ts";
import { createGithubRepository } from "./github-platform.ts";

const texts = { title: "Retries", describe: (id: string, output: string) => `Job ${id}: ${output}` };

const creations = (github: GitHubStandIn) =>
  github.changes().filter(({ operation }) => operation === "pulls/create");

describe("an agent job of a repository on GitHub", () => {
  test("pushes its branch and opens a pull request into the default branch", async () => {
    await using repository = await createGithubRepository();
    const { remote, github } = repository;
    await using platform = await repository.startPlatform();

    const job = await platform.runJob("Explain retries, see @mona and fixes #1");

    const branch = `docs-agent/${job.id}`;
    expect(platform.warnings).toEqual([]);
    expect(job).toMatchObject({
      status: "completed",
      source: { repository: expect.stringMatching(/\/octo-org\/widgets$/), ref: branch },
      prLink: expect.stringMatching(/\/octo-org\/widgets\/pull\/\d+$/),
    });
    expect(await remote.git("diff", "--name-status", "main", branch)).toBe("A\tdocs/written.md");
    expect(creations(github)).toEqual([
      {
        operation: "pulls/create",
        body: {
          title: "docs: Explain retries, see mona and fixes 1",
          head: branch,
          base: "main",
          body: expect.stringContaining("```text\nExplain retries, see @mona and fixes #1\n```"),
        },
      },
    ]);
  });

  test("starts from the commit on GitHub, not from the checked-out one", async () => {
    await using repository = await createGithubRepository();
    const newer = await repository.remote.commit({ files: { "docs/newer.md": "# Newer\n" } });
    await using platform = await repository.startPlatform();

    const job = await platform.runJob("Work");

    expect(await repository.remote.git("rev-parse", `docs-agent/${job.id}^`)).toBe(newer);
    expect(
      await git(
        repository.root,
        "for-each-ref",
        "--format=%(refname)",
        "refs/docs-agent",
        "refs/heads/docs-agent",
      ),
    ).toBe("");
  });

  test.each([
    ["the branch of the request", "develop", "develop"],
    ["the default branch if that branch is deleted", "gone", "main"],
  ])("starts from and targets %s, also on a platform without its record", async (_, requested, base) => {
    await using repository = await createGithubRepository();
    await using folder = await createTemporaryFolder();
    const { remote, github } = repository;
    await remote.commit({ branch: "develop", files: { "docs/index.md": "# Welcome\n", "src/new.ts": "" } });
    const before = await repository.startPlatform(
      { request: { ...texts, base: requested } },
      join(folder.path, "before"),
    );
    const job = await before.runJob("One");
    await before[Symbol.asyncDispose]();

    const later = {
      request: { ...texts, base: `docs-agent/${job.id}` },
      command: agentOf("fs.rmSync('docs/written.md')"),
    };
    await using platform = await repository.startPlatform(later, join(folder.path, "after"));
    await platform.getJob(job.id);
    for (const { pull } of github.state.issues.values()) Object.assign(pull ?? {}, { head: "renamed" });
    await platform.sendMessage(job.id, "Two");
    await platform.followJob(job.id);

    expect(creations(github)).toMatchObject([{ body: { base } }, { body: { base } }]);
    expect(await remote.git("diff", "--name-only", base, `docs-agent/${job.id}^`)).toBe("docs/written.md");
    const gone = "The branch gone no longer exists: agent job";
    expect(before.warnings).toEqual(base === "main" ? [expect.stringContaining(gone)] : []);
  });

  test("names its commit and pull request after the request, with the end of the agent's output", async () => {
    await using repository = await createGithubRepository();
    const command = agentOf(
      `fs.writeFileSync("docs/new.md", prompt); console.log("x".repeat(3000) + "\\n\\u001b[1mDone.\\u001b[0m key-5f1d");`,
    );
    const environment = { ...process.env, DOCS_AGENT_ENV_MODEL_KEY: "key-5f1d" };
    const request = { ...texts, base: undefined };
    await using platform = await repository.startPlatform({ command, environment, request });

    const job = await platform.runJob("The machinery of a prompt");

    expect(platform.warnings).toEqual([]);
    expect(await repository.remote.git("log", "-1", "--format=%s", `docs-agent/${job.id}`)).toBe(
      "docs: Retries",
    );
    expect(creations(repository.github)).toMatchObject([
      { body: { title: "docs: Retries", body: `Job ${job.id}: Done. ***` } },
    ]);
  });

  test("continues from commits that users pushed to its branch, in the same pull request", async () => {
    await using repository = await createGithubRepository();
    const { remote, github } = repository;
    await using platform = await repository.startPlatform();
    const first = await platform.runJob("One");
    const branch = `docs-agent/${first.id}`;
    await remote.commit({ branch, message: "By a person", files: { "docs/person.md": "# Hi\n" } });

    await platform.sendMessage(first.id, "Two");
    const second = await platform.followJob(first.id);

    expect(second).toMatchObject({ status: "completed", prLink: first.prLink });
    expect(await remote.git("log", "--format=%s", `main..${branch}`)).toBe(
      "docs: Two\nBy a person\ndocs: One",
    );
    expect(creations(github)).toHaveLength(1);
  });

  test.each([
    ["merged", "merged"],
    ["closed", "closed"],
  ] as const)("accepts no message once its pull request is %s", async (_, state) => {
    await using repository = await createGithubRepository();
    const { github } = repository;
    await using platform = await repository.startPlatform();
    const job = await platform.runJob("One");
    const pull = [...github.state.issues.values()].find(({ pull }) => pull !== undefined);
    if (pull?.pull === undefined) throw new Error("There is no pull request");
    pull.state = "closed";
    if (state === "merged") pull.pull.mergedAt = github.state.now();
    github.countRequests();

    expect(await platform.postMessage(job.id, "Two")).toEqual({
      status: 409,
      error: `The job's pull request is ${state}: create a new job.`,
    });
    expect(github.countRequests()).toEqual({ "pulls/get": 1 });
  });

  test("accepts a message if GitHub does not return the state of the pull request", async () => {
    await using repository = await createGithubRepository();
    const { github } = repository;
    await using platform = await repository.startPlatform();
    const first = await platform.runJob("One");
    github.faults.add({ path: /\/pulls\/\d+$/, fault: { kind: "answer", status: 502 } });

    await platform.sendMessage(first.id, "Two");

    expect(await platform.followJob(first.id)).toMatchObject({ status: "completed", prLink: first.prLink });
    expect(platform.warnings).toEqual([expect.stringMatching(/^The state of .* is unknown: /)]);
  });

  test("continues from its open pull request on a platform without its record", async () => {
    await using repository = await createGithubRepository();
    await using folder = await createTemporaryFolder();
    const { remote, github } = repository;
    const before = await repository.startPlatform({}, join(folder.path, "before"));
    const first = await before.runJob("One");
    const unpublished = await before.runJob("Two");
    await before[Symbol.asyncDispose]();
    const pulls = [...github.state.issues.values()];
    for (const pull of pulls.slice(1)) pull.state = "closed";

    await using platform = await repository.startPlatform({}, join(folder.path, "after"));
    const found = await platform.getJob(first.id);
    const closed = await platform.send(`${jobsOf("p1")}/${unpublished.id}`);
    const unknown = await platform.send(`${jobsOf("p1")}/..%2f..%2fjob`);
    await platform.sendMessage(first.id, "Three");
    const ended = await platform.followJob(first.id);

    expect(found).toMatchObject({ status: "completed", prLink: first.prLink, source: first.source });
    expect([closed.status, unknown.status]).toEqual([404, 404]);
    expect(ended).toMatchObject({ status: "completed", prLink: first.prLink });
    expect(await remote.git("show", `docs-agent/${first.id}:docs/written.md`)).toBe("One\nThree");
    expect(creations(github)).toHaveLength(2);
  });

  test("without changes neither pushes nor opens anything", async () => {
    await using repository = await createGithubRepository();
    await using platform = await repository.startPlatform({ command: idleAgent });

    const job = await platform.runJob("Look");

    expect(job).toMatchObject({ status: "completed", prLink: null });
    expect(repository.remote.requests.map(({ service }) => service)).not.toContain("git-receive-pack");
    expect(creations(repository.github)).toEqual([]);
  });

  test("reveals its token to neither the agent nor any file", async () => {
    await using repository = await createGithubRepository();
    const command = agentOf(`
      import { execFileSync } from "node:child_process";
      const config = execFileSync("git", ["config", "--list"], { encoding: "utf8" });
      fs.writeFileSync("docs/seen.md", config + JSON.stringify(process.env));
    `);
    await using platform = await repository.startPlatform({ command });

    const job = await platform.runJob("Look around");

    const seen = await repository.remote.git("show", `docs-agent/${job.id}:docs/seen.md`);
    const config = await readFile(join(platform.dataDir, "agents", "repository.git", "config"), "utf8");
    for (const text of [seen, config, platform.warnings.join()]) {
      expect(text).not.toContain(repository.token);
      expect(text).not.toContain(Buffer.from(`x-access-token:${repository.token}`).toString("base64"));
    }
  });
});

describe("when GitHub fails", () => {
  test.each([
    ["the connection is cut before the pull request is created", { kind: "reset", when: "before" }],
    ["the response is lost after the pull request was created", { kind: "reset", when: "after" }],
    ["it responds with 502 in HTML", { kind: "answer", status: 502, body: "<html>" }],
    [
      "it responds with 502 although the pull request was created",
      { kind: "answer", status: 502, when: "after" },
    ],
  ] as const)("one pull request is opened: %s", async (_, fault) => {
    await using repository = await createGithubRepository();
    const { github } = repository;
    github.faults.add({ method: "POST", path: "/pulls", fault });
    await using platform = await repository.startPlatform();

    const job = await platform.runJob("Work");

    expect(job).toMatchObject({ status: "completed", prLink: expect.stringContaining("/pull/") });
    expect(creations(github)).toHaveLength(1);
  });

  test("a base branch that is deleted meanwhile fails the job with the name of the branch that has the change", async () => {
    await using repository = await createGithubRepository();
    const { remote } = repository;
    await remote.commit({ branch: "feature", files: { "docs/new.md": "# New\n" } });
    const request = {
      ...{ title: "Retries", base: "feature" },
      // Called between the agent's end and the push.
      describe: () => {
        rmSync(join(remote.folder, "refs/heads/feature"));
        return "";
      },
    };
    await using platform = await repository.startPlatform({ request });

    const job = await platform.runJob("Work");

    const branch = `docs-agent/${job.id}`;
    expect(job).toMatchObject({
      status: "failed",
      error: `GitHub responded with 422 to the request to open a pull request for ${branch}: Validation Failed: base invalid.`,
    });
    expect(await remote.git("diff", "--name-only", "main", branch)).toContain("docs/written.md");
  });

  test("a rejected request fails the job with the names of the permissions", async () => {
    await using repository = await createGithubRepository();
    const token = repository.github.runToken({ contents: "write", "pull-requests": "read" });
    repository.remote.acceptToken(token);
    await using platform = await repository.startPlatform({ github: { ...repository.connection, token } });

    const job = await platform.runJob("Work");

    expect(job).toMatchObject({ status: "failed", prLink: null });
    expect(platform.warnings).toEqual([expect.stringMatching(/responded with 403.*pull-requests: write/)]);
    expect(job).toMatchObject({ error: expect.stringMatching(/create pull requests\.$/) });
  });

  test("no response fails the job with a message and without a stack trace", async () => {
    await using repository = await createGithubRepository();
    await using platform = await repository.startPlatform();
    repository.github.faults.add({
      path: "/pulls",
      times: Number.POSITIVE_INFINITY,
      fault: { kind: "reset", when: "before" },
    });

    const job = await platform.runJob("Work");

    expect(job).toMatchObject({ status: "failed", prLink: null });
    expect(platform.warnings).toEqual([
      expect.stringMatching(
        /failed: No response from GitHub; could not open a pull request for docs-agent\/aj_\w+: .*\.$/,
      ),
    ]);
  });

  test("a rejected token fails the job, and is not logged", async () => {
    await using repository = await createGithubRepository();
    await using platform = await repository.startPlatform({
      github: { ...repository.connection, token: "ghs_wrong" },
    });

    const job = await platform.runJob("Work");

    expect(job.status).toBe("failed");
    expect(platform.warnings[0]).toMatch(/Agent job \S+ failed: /);
    expect(platform.warnings[0]).not.toContain("ghs_wrong");
  });

  test("a branch with other commits is not overwritten", async () => {
    await using repository = await createGithubRepository();
    const { remote } = repository;
    await using gate = await startGate();
    await using platform = await repository.startPlatform({
      command: agentOf(`await fetch("${gate.url}/agent"); fs.writeFileSync("docs/new.md", "# New\\n");`),
    });
    const { id } = await platform.createJob("Work");
    await gate.arrival("/agent");
    await remote.commit({ branch: `docs-agent/${id}`, files: { "docs/other.md": "# Other\n" } });
    gate.open();

    const job = await platform.followJob(id);

    expect(job.status).toBe("failed");
    expect(platform.warnings[0]).toContain("could not be pushed");
    expect(await remote.git("log", "-1", "--format=%s", `docs-agent/${id}`)).toBe("Change something");
  });
});
