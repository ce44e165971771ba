import { statSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { startGate } from "../gate.ts";
import { startTestPlatform, until } from "../test-platform.ts";
import {
  agentOf,
  createRepository,
  idleAgent,
  jobsOf,
  startAgentPlatform,
  startAgents,
} from "./agent-platform.ts";

/** A folder on another file system than the repositories of the tests, if this machine has one. */
const otherFileSystem = ["/dev/shm", "/tmp", "/var/tmp"].find((path) => {
  const folder = statSync(path, { throwIfNoEntry: false });
  return folder !== undefined && folder.dev !== statSync(tmpdir()).dev;
});

const hourMs = 60 * 60 * 1000;
const anyDate = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

describe("an agent job", () => {
  test.runIf(otherFileSystem)(
    "commits to a repository on another file system than the platform's data",
    async () => {
      await using stack = new AsyncDisposableStack();
      const dataDir = await mkdtemp(join(otherFileSystem ?? "", "docs-data-"));
      stack.defer(() => rm(dataDir, { recursive: true, force: true }));
      await using platform = await startAgents({}, { dataDir });

      const job = await platform.runJob("Explain retries");

      expect(job.status, String(job.error)).toBe("completed");
      expect(await platform.git("show", `docs-agent/${job.id}:docs/written.md`)).toBe("Explain retries");
      const objects = await readdir(join(platform.root, ".git/objects"));
      expect(objects.filter((name) => name.startsWith("tmp"))).toEqual([]);
    },
  );

  test("starts as active and completes with a pull request of the agent's changes", async () => {
    await using platform = await startAgents();

    const response = await platform.send(jobsOf("p1"), {
      method: "POST",
      json: { prompt: "Explain retries" },
    });
    const created = (await response.json()) as { id: string };
    const completed = await platform.followJob(created.id);

    const branch = `docs-agent/${created.id}`;
    expect(response.status).toBe(201);
    expect(created).toEqual({
      id: expect.stringMatching(/^aj_[0-9a-f]{16}$/),
      status: "active",
      source: { repository: `${platform.url}/local/project`, ref: branch },
      model: "agent-command/sh",
      prLink: null,
      createdAt: anyDate,
      archivedAt: null,
    });
    expect(completed).toMatchObject({
      status: "completed",
      prLink: `${platform.url}/local/project/pull/${created.id}`,
    });
    expect(await platform.git("show", `${branch}:docs/written.md`)).toBe("Explain retries");
    expect(await platform.git("log", "-1", "--format=%an <%ae>%n%B", branch)).toMatch(
      new RegExp(
        `^docs-agent <docs-agent@localhost>\ndocs: Explain retries\n\nDocs-Agent-Job: ${created.id}\nDocs-Agent-Turn: ${created.id}/0-\\d+$`,
      ),
    );
    expect(await platform.git("status", "--porcelain")).toBe("");
  });

  test("without changes completes without a pull request", async () => {
    await using platform = await startAgents({ command: idleAgent });

    const job = await platform.runJob("Look, do not touch");

    expect(job).toMatchObject({ status: "completed", prLink: null });
    expect(await platform.git("branch", "--list")).toBe("* main");
  });

  test("fails with the reason if its command fails", async () => {
    await using platform = await startAgents({
      script: `fs.writeFileSync("docs/half.md", ""); console.error("no model"); process.exit(3);`,
    });

    const job = await platform.runJob("Fail");

    expect(job).toMatchObject({
      status: "failed",
      prLink: null,
      error: "The agent command ended with 3. no model",
    });
    expect(platform.warnings).toEqual([expect.stringContaining("The agent command ended with 3. no model")]);
    expect(await platform.git("branch", "--list")).toBe("* main");
  });

  test("continues with a message on the same branch and pull request", async () => {
    await using platform = await startAgents();
    const first = await platform.runJob("One");

    const active = await platform.sendMessage(first.id, "Two");
    const second = await platform.followJob(first.id);

    expect(active).toMatchObject({ id: first.id, status: "active", prLink: null });
    expect(second).toMatchObject({ status: "completed", prLink: first.prLink });
    expect(await platform.git("show", `docs-agent/${first.id}:docs/written.md`)).toBe("One\nTwo");
    expect(await platform.git("rev-list", "--count", `main..docs-agent/${first.id}`)).toBe("2");
  });

  test("keeps its base while that branch exists, whatever is checked out", async () => {
    await using platform = await startAgents();
    const { id, prLink } = await platform.runJob("One");
    const readPage = async () => (await platform.send(new URL(prLink ?? "").pathname)).text();
    await platform.git("checkout", "--quiet", "-b", "other");

    await platform.sendMessage(id, "Two");
    await platform.followJob(id);
    const kept = await readPage();
    await platform.git("branch", "--quiet", "-D", "main");
    const replaced = await readPage();
    await platform.sendMessage(id, "Three");
    const last = await platform.followJob(id);

    expect(kept).toContain("into <code>main</code>");
    expect(replaced).toContain("Open");
    expect(last.status).toBe("completed");
    expect(await readPage()).toContain("into <code>other</code>");
    expect(platform.warnings).toEqual([`The branch main no longer exists: agent job ${id} works on other.`]);
  });

  test("has the end of its error, where programs state the reason, as one line without secrets, until the next message", async () => {
    const environment = { ...process.env, DOCS_AGENT_ENV_MODEL_KEY: "sk-model-0a33-92b1-key" };
    await using platform = await startAgents({
      script: `
      if (prompt !== "again") {
        const key = process.env.MODEL_KEY.replace("-0a33", "\\u001b[1m-0a33\\u001b[0m");
        console.error("x".repeat(400) + " \\u202e\\nno answer\\nfor key " + key);
        process.exit(1);
      }
    `,
      environment,
    });

    const failed = await platform.runJob("first");
    await platform.sendMessage(failed.id, "again");
    const ended = await platform.followJob(failed.id);

    const { error = "" } = failed as { error?: string };
    expect(error).toMatch(/^The agent command ended with 1\. x+ … x+ \/ no answer \/ for key \*\*\*$/);
    expect(error).toHaveLength(300);
    expect(platform.warnings.join()).not.toContain("sk-model");
    expect(ended).toMatchObject({ status: "completed" });
    expect(ended).not.toHaveProperty("error");
  });

  test("has the last paragraph of its agent's output, without colours and secrets", async () => {
    const outputs: string[] = [];
    const environment = { ...process.env, DOCS_AGENT_ENV_MODEL_KEY: "sk-model-0a33-92b1-key" };
    await using platform = await startAgents({
      script: `const key = process.env.MODEL_KEY.replace("-0a33", "\\u001b[32m-0a33");
      console.log("Read it.\\n\\n\\u001b[1mAll\\nis right\\u001b[0m for " + key);`,
      environment,
      onOutput: (output) => outputs.push(output),
    });

    const job = await platform.runJob("Check");

    expect(job).toMatchObject({ status: "completed", prLink: null, lastOutput: "All is right for ***" });
    expect(outputs).toEqual(["Read it.\n\nAll\nis right for ***\n"]);
  });

  test("hands over what its agent printed when the platform stops", async () => {
    await using gate = await startGate();
    const outputs: string[] = [];
    await using platform = await startAgents({
      script: `console.log("At work."); await fetch("${gate.url}/agent");`,
      onOutput: (output) => outputs.push(output),
    });
    await platform.createJob("One");
    await gate.arrival("/agent");

    await platform[Symbol.asyncDispose]();

    expect(outputs).toEqual([expect.stringMatching(/^At work\.\n/)]);
  });

  test("can be cancelled while its agent runs, changes nothing, and continues with the next message", async () => {
    // An attempt looks every two seconds whether it was cancelled.
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    await using gate = await startGate();
    await using platform = await startAgents({
      script: `if (prompt === "One") await fetch("${gate.url}/agent"); fs.appendFileSync("docs/new.md", prompt);`,
    });
    const { id = "" } = (await platform.createJob("One")) as { id: string };
    await gate.arrival("/agent");

    const cancel = () => platform.send(`${jobsOf("p1")}/${id}`, { method: "DELETE" });
    const statuses = [(await cancel()).status, (await cancel()).status];
    const cancelled = await platform.getJob(id);
    await platform.postMessage(id, "Two");
    vi.advanceTimersByTime(2_000);
    const ended = await platform.followJob(id);

    expect(statuses).toEqual([200, 409]);
    expect(cancelled).toMatchObject({ status: "failed", error: "The job was cancelled.", prLink: null });
    expect(ended).toMatchObject({ status: "completed" });
    expect(await platform.git("show", `docs-agent/${id}:docs/new.md`)).toBe("Two");
    expect(platform.warnings).toEqual([]);
  });

  test("accepts no message while it is active, and one after its end", async () => {
    await using gate = await startGate();
    await using platform = await startAgents({
      script: `await fetch("${gate.url}/agent"); fs.appendFileSync("docs/new.md", prompt);`,
      usesPerHour: 2,
    });
    const { id = "" } = (await platform.createJob("One")) as { id: string };
    await gate.arrival("/agent");

    const refused = await platform.postMessage(id, "Too early");
    gate.open();
    await platform.followJob(id);
    const both = await Promise.all([platform.postMessage(id, "Two"), platform.postMessage(id, "Two")]);
    await platform.followJob(id);

    expect(refused).toEqual({ status: 409, error: "The job is still working on its last prompt." });
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await platform.git("show", `docs-agent/${id}:docs/new.md`)).toBe("OneTwo");
  });

  test.each([
    ["merged", ["merge", "--quiet"], "merged"],
    ["whose branch was deleted", ["branch", "--quiet", "-D"], "closed"],
  ])("with a pull request that was %s accepts no message", async (_, command, state) => {
    await using platform = await startAgents();
    const { id } = await platform.runJob("One");
    await platform.git(...command, `docs-agent/${id}`);

    const refused = await platform.postMessage(id, "Two");

    expect(refused).toEqual({
      status: 409,
      error: `The job's pull request is ${state}: create a new job.`,
    });
    expect(await platform.getJob(id)).toMatchObject({ status: "completed" });
  });

  test("fails after ten interruptions of one prompt, also after other prompts", async () => {
    await using gate = await startGate();
    await using repository = await createRepository();
    await using data = await createTemporaryFolder();
    const start = () =>
      startAgentPlatform(
        {
          repository: repository.root,
          command: agentOf(`if (prompt === "Two") await fetch("${gate.url}/two");`),
        },
        { dataDir: data.path },
      );
    const before = await start();
    const { id = "" } = (await before.runJob("One")) as { id: string };
    await before.sendMessage(id, "Two");
    await gate.arrival("/two");
    await before[Symbol.asyncDispose]();
    // As if ten processes were killed meanwhile.
    const file = join(data.path, "agents", "jobs", `${id}.json`);
    const record = JSON.parse(await readFile(file, "utf8"));
    await writeFile(file, JSON.stringify({ ...record, attempt: record.attempt + 10 }));

    await using platform = await start();
    gate.open();
    const job = await platform.followJob(id);

    expect(job).toMatchObject({
      status: "failed",
      error: "The job was interrupted 10 times and is not retried again.",
    });
  });

  test("is archived after a month, accepts no message then, and is removed after another month, without other jobs", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    let now = Date.parse("2026-01-01T00:00:00Z");
    await using platform = await startAgents({}, {}, { now: () => now });
    const job = await platform.runJob("Old");
    const passMonth = () => {
      now += 31 * 24 * hourMs;
      vi.advanceTimersByTime(hourMs);
    };

    passMonth();
    const archived = await until(
      () => platform.getJob(job.id),
      ({ status }) => status === "archived",
    );
    const refused = await platform.postMessage(job.id, "More");
    passMonth();

    expect(archived).toMatchObject({ status: "archived", archivedAt: "2026-02-01T00:00:00.000Z" });
    expect(refused.status).toBe(409);
    await expect.poll(async () => (await platform.send(`${jobsOf("p1")}/${job.id}`)).status).toBe(404);
    await expect(stat(join(platform.dataDir, "blobs/agent-output", job.id ?? ""))).rejects.toThrow("ENOENT");
  });
});

describe("a request for agent jobs", () => {
  test("is rejected with 400 and the name of the invalid field", async () => {
    await using platform = await startAgents();
    const expected = [
      [{}, "prompt: "],
      [{ prompt: "" }, "prompt: "],
      [{ prompt: "x".repeat(1_100_001) }, "prompt: "],
      [{ prompt: "x", model: "large" }, "unknown field model"],
    ] as const;

    for (const [json, message] of expected) {
      const response = await platform.send(jobsOf("p1"), { method: "POST", json });
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({ error: expect.stringContaining(message) });
    }
  });

  test("can contain the longest prompt file and the longest thread", async () => {
    await using platform = await startAgents({
      script: `fs.writeFileSync("docs/length.md", String(prompt.length));`,
    });

    const job = await platform.runJob("“".repeat(1_080_000));

    expect(job).toMatchObject({ status: "completed" });
    const content = await platform.git("show", `docs-agent/${job.id}:docs/length.md`);
    expect(content).toBe("1080000");
  });

  test("needs an admin key, or a read key to read a job", async () => {
    const keys = { read: "svc_only_reads" };
    await using platform = await startAgents({}, { keys });
    const { id } = await platform.runJob("One");
    const post = async (key: string) =>
      (await platform.send(jobsOf("p1"), { method: "POST", key, json: { prompt: "Two" } })).status;

    expect(await post("")).toBe(401);
    expect(await post(platform.assistantKey)).toBe(403);
    expect(await post("svc_only_reads")).toBe(403);
    expect((await platform.send(`${jobsOf("p1")}/${id}`, { key: "svc_only_reads" })).status).toBe(200);
  });

  test("finds a job in its own project only", async () => {
    const projects = ["p1", "p2"];
    await using platform = await startAgents({}, { projects });
    const { id } = await platform.createJob("One");
    const json = { prompt: "Two" };

    const responses = await Promise.all([
      platform.send(`${jobsOf("p1")}/${id}`),
      platform.send(`${jobsOf("p2")}/${id}`),
      platform.send(`${jobsOf("p2")}/${id}/message`, { method: "POST", json }),
      platform.send(jobsOf("p3"), { method: "POST", json }),
      platform.send(`${jobsOf("p1")}/aj_none`),
    ]);

    expect(responses.map((response) => response.status)).toEqual([200, 404, 404, 404, 404]);
  });

  test("is in a project whose identifier is short text, which a queue in a database can index", async () => {
    await using platform = await startAgents();
    const post = async (project: string) =>
      (await platform.send(jobsOf(project), { method: "POST", json: { prompt: "One" } })).status;

    const statuses = await Promise.all(["p".repeat(200), "p".repeat(201), "p%00"].map(post));

    expect(statuses).toEqual([201, 404, 404]);
  });

  test("is rejected with 403 without an agent command", async () => {
    await using platform = await startTestPlatform();

    const response = await platform.send(jobsOf("p1"), { method: "POST", json: { prompt: "One" } });

    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ error: expect.stringContaining("not enabled") });
  });
});

describe("the limit of 100 uses per project and hour", () => {
  test("counts jobs and messages but not rejected requests, and responds with Retry-After", async () => {
    let now = Date.parse("2026-01-01T00:00:00Z");
    const command = idleAgent;
    await using platform = await startAgents({ command }, {}, { now: () => now });
    const post = (project: string, prompt: string) =>
      platform.send(jobsOf(project), { method: "POST", json: { prompt } });
    const { id } = await platform.runJob("One");
    now += 600_000;
    await platform.sendMessage(id, "More");
    const jobs = Array.from({ length: 98 }, (_, index) => platform.createJob(`More ${index}`));
    await Promise.all(jobs);
    await post("p1", "");

    const refused = await post("p1", "One too many");
    const elsewhere = await post("p2", "Another project");
    now += 50 * 60_000 - 1;
    const tooEarly = await post("p1", "A moment too early");
    now += 1;
    const allowed = await post("p1", "Room again");

    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("3000");
    expect([elsewhere.status, tooEarly.status, allowed.status]).toEqual([201, 429, 201]);
    expect(tooEarly.headers.get("retry-after")).toBe("1");
  });

  test("counts no invalid request, and none without access", async () => {
    await using repository = await createRepository();
    const settings = { repository: repository.root, command: idleAgent, usesPerHour: 1 };
    await using platform = await startAgentPlatform(settings);
    const post = async (json: object, key = platform.adminKey) =>
      (await platform.send(jobsOf("p1"), { method: "POST", json, key })).status;

    const refused = [await post({ prompt: "" }), await post({}), await post({ prompt: "x" }, "svc_other")];
    const accepted = [await post({ prompt: "x" }), await post({ prompt: "x" })];

    expect([...refused, ...accepted]).toEqual([400, 400, 401, 201, 429]);
  });
});
