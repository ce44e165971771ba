import { readdir, readFile, realpath } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { listInputs } from "../../src/commands/read-inputs.ts";
import { startScriptedModel } from "../server/assistant/scripted-model.ts";
import { startHttpServer } from "../support/http-server.ts";
import { nodeBinary } from "../support/run-action.ts";
import { createFolder } from "../support/temporary-folder.ts";
import { startProcess } from "../support/watched-process.ts";

const dist = join(process.env["ACTION_FOLDER"] ?? "", "dist");
const cli = join(dist, "cli.js");
const adminKey = "svc_9aB3xYz8Qw7LmN0pRtUvKjHgFdSaZxCv";

const createDocs = () =>
  createFolder({
    "docs/index.md": "# Widgets\n\nStart with [keys](keys.md).\n",
    "docs/keys.md": "# Keys\n\n## Rotate an API key\n\nPress Rotate; the old key works for a day.\n",
  });

interface Started {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** Starts a program; without a terminal, as a CI job does. */
function start(program: string, args: readonly string[], { env, cwd }: Started) {
  const path = `${dirname(nodeBinary())}${delimiter}${process.env["PATH"]}`;
  const started = startProcess(program, args, {
    cwd,
    env: { PATH: path, DOCS_AUTOMATION_TEST_CLOCK_SPEED: "25", ...env },
  });
  return { ...started, end: started.ended.then((code) => ({ ...started.written, code })) };
}

const startCli = (args: readonly string[], started: Started) => start(nodeBinary(), [cli, ...args], started);
const run = (args: readonly string[], started: Started) => startCli(args, started).end;

/** Runs a command in a folder of documents; `written` lists what is there afterwards. */
async function runInDocs(args: readonly string[], env?: Started["env"]) {
  await using folder = await createDocs();
  const ended = await run(args, { cwd: folder.path, ...(env && { env }) });
  return { ...ended, folder: folder.path, written: (await readdir(folder.path)).sort() };
}

const local = ["--base-url", "local"];
const hosted = { DOCS_PLATFORM_API_KEY: adminKey };
const quick = { DOCS_AUTOMATION_TEST_CLOCK_SPEED: "1000" };

/** What each command needs for a platform. */
const needs = {
  export: ["--domain", "docs.example.com"],
  agent: ["--project-id", "p", "--prompt", "Go."],
  assistant: ["--domain", "docs.example.com", "--prompt", "How?"],
  doctor: ["--project-id", "p1"],
};

/** The arguments of a command for a platform. */
const commandAt = (url: string, command: keyof typeof needs, ...more: readonly string[]) => [
  ...[command, "--base-url", url, ...needs[command]],
  ...more,
];

describe("an export without an account", () => {
  test("says what it does on standard error, its result on standard output, and writes to the output folder only", async () => {
    await using folder = await createDocs();
    await using runner = await createFolder({ output: "", summary: "" });
    const env = {
      GITHUB_ACTIONS: "true",
      GITHUB_OUTPUT: join(runner.path, "output"),
      GITHUB_STEP_SUMMARY: join(runner.path, "summary"),
      GITHUB_WORKSPACE: runner.path,
      INPUT_COMMAND: "doctor",
    };
    const { code, stdout, stderr } = await run(["export", ...local, "--extract"], { cwd: folder.path, env });
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("- Bundle: `docs-export/docs-export.zip`");
    expect(stdout, "the link ended with the platform").not.toContain("Link expires");
    expect(stderr).toContain("The bundle is downloaded and verified");
    expect(`${stdout}${stderr}`).not.toMatch(/^::|\p{Cc}(?<!\n)/mu);
    expect((await readdir(folder.path)).sort()).toEqual(["docs", "docs-export"]);
    expect(await readFile(join(folder.path, "docs-export/site/keys.html"), "utf8")).toContain("Press Rotate");
    expect(await readFile(env.GITHUB_OUTPUT, "utf8")).toBe("");
    expect(await readFile(env.GITHUB_STEP_SUMMARY, "utf8")).toBe("");
  });

  test("prints all outputs as one object with --json", async () => {
    const { code, stdout, folder } = await runInDocs(["export", ...local, "--json"]);
    expect(code).toBe(0);
    const outputs = JSON.parse(stdout);
    expect(Object.keys(outputs), "the link ended with the platform").not.toContain("bundle-url");
    expect(Object.keys(outputs)).not.toContain("expires-at");
    expect(outputs).toMatchObject({
      outcome: "exported",
      "page-count": "2",
      "bundle-path": join(folder, "docs-export/docs-export.zip"),
      "bundle-sha256": expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test("says after `--timeout-minutes` that its job ended, too", async () => {
    const page = (index: number) => [`docs/${index}.mdx`, `# ${index}\n\n{${index} + 1}`] as const;
    const pages = Array.from({ length: 300 }, (_, index) => page(index));
    await using folder = await createFolder(Object.fromEntries(pages));
    const args = ["export", ...local, "--timeout-minutes", "0.002", "--json"];
    const { code, stderr } = await run(args, { cwd: folder.path });
    expect(code).toBe(1);
    expect(stderr).toContain(
      "A job of the embedded platform ends with its run. Start again, or raise `timeout-minutes`.",
    );
    expect(stderr).not.toContain("continues on the platform");
  });

  test("draws its progress in place on a terminal", async () => {
    await using folder = await createDocs();
    let polls = 0;
    await using platform = await startHttpServer((request) => {
      if (request.method === "POST") return Response.json({ jobId: "se_1" });
      polls += 1;
      return Response.json(polls < 3 ? { status: "running", progress: polls * 20 } : { status: "failed" });
    });
    const command = [nodeBinary(), cli, ...commandAt(platform.url, "export")].join(" ");
    const env = { ...hosted, ...quick, TERM: "xterm" };
    const { stdout } = await start("script", ["-qec", command, "/dev/null"], { cwd: folder.path, env }).end;
    expect(stdout).toContain("[####................] Export job se_1: running, 20 %");
    expect(stdout).toContain("\r\u001b[K[########............] Export job se_1: running, 40 %");
  });
});

describe("an output that nothing reads any more", () => {
  /** Runs a command of a shell, as `| head` and a full disk need one. */
  const inShell = async (command: string) => {
    await using folder = await createDocs();
    const { stdout, stderr } = await start("bash", ["-c", command], {
      cwd: folder.path,
      env: { CLI: cli, NODE: nodeBinary() },
    }).end;
    return { stdout, stderr, written: await readdir(folder.path) };
  };

  test("of the result ends the command as its result would", async () => {
    const { stderr } = await inShell(
      '{ "$NODE" "$CLI" export --base-url local; echo "code $?" >&2; } | true',
    );
    expect(stderr).toContain("Exported to ");
    expect(stderr).toMatch(/code 0\n$/);
    expect(stderr).not.toContain("EPIPE");
  });

  test("of the log does not end the work", async () => {
    const { stderr, written } = await inShell(
      '{ "$NODE" "$CLI" export --base-url local --json 2>&1 >result; echo "code $?" >&2; } | true',
    );
    expect({ stderr, written }).toEqual({ stderr: "code 0\n", written: ["docs", "docs-export", "result"] });
  });

  test("because the disk is full is an error", async () => {
    const { stderr } = await inShell('"$NODE" "$CLI" --help >/dev/full; echo "code $?" >&2');
    expect(stderr).toBe(
      "error: The result could not be written: ENOSPC: no space left on device, write\ncode 1\n",
    );
  });
});

describe("a failure", () => {
  test("shows the platform's words unchanged", async () => {
    const reason = "In a workflow, the key must be set first. Set `domain: example` in config.yml.";
    await using platform = await startHttpServer((request) =>
      Response.json(request.method === "POST" ? { jobId: "se_1" } : { status: "failed", error: reason }),
    );
    const { stderr } = await runInDocs(commandAt(platform.url, "export"), { ...hosted, ...quick });
    expect(stderr).toContain(`Export job se_1 failed: ${reason}`);
  });

  test("is reported on standard error and sets the exit code; the key from the environment is sent, and never shown", async () => {
    let sent: string | null = "";
    await using platform = await startHttpServer((request) => {
      sent = request.headers.get("authorization");
      return Response.json({ error: `no access for ${adminKey}` }, { status: 403 });
    });
    const args = commandAt(platform.url, "export");
    const { code, stdout, stderr } = await runInDocs(args, hosted);
    expect(sent).toBe(`Bearer ${adminKey}`);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^error: .*403/m);
    const json = await runInDocs([...args, "--json"], hosted);
    expect(JSON.parse(json.stdout)).toMatchObject({ outcome: "error", "error-code": "forbidden" });
    expect(`${stdout}${stderr}${json.stdout}${json.stderr}`).not.toContain(adminKey.slice(4));
  });

  test.each([
    [["export", "--base-ur", "local"], "`export` has no flag `--base-ur`. Run with `--help` for a list."],
    [["export", ...local, "--quite-another"], "Run with `--help` for a list."],
    [["exprot"], "There is no command `exprot`. Run with `--help` for a list."],
    [["toString"], "There is no command `toString`."],
    [["export", ...local, "--upload", "site"], "`--upload` is only for a step of GitHub Actions"],
    [["export", "--base-url"], "argument missing. Correct what is named above"],
    [["export", ...local, "extra"], "extra"],
    [["export"], "`base-url` is missing"],
    [["agent", ...local, "--agent-command", "true"], "`prompt` is missing"],
    [
      ["agent", ...local, "--prompt", "Go.", "--agent-command", "echo 'more"],
      "`agent-command`: the quote at character 6 is not closed. Correct what",
    ],
    [
      ["agent", ...local, "--agent-command", "true", "--prompt-file", "none.md"],
      "`prompt-file` must be a file inside the workspace.",
    ],
    [
      commandAt("https://api.example.com", "export"),
      "on a command line in the variable DOCS_PLATFORM_API_KEY.",
    ],
    [
      ["export", ...local, "--docs-dir", "none"],
      "none does not exist. Set `docs-dir` (`--docs` of `platform`) to the folder with the documents.",
    ],
  ])("of the arguments %j names what is wrong", async (args, message) => {
    const { stderr, ...ended } = await runInDocs(args);
    expect(ended).toMatchObject({ code: 1, stdout: "", written: ["docs"] });
    expect(stderr).toContain(message);
  });
});

test.each([
  [["-h"], "docs-automation COMMAND"],
  [["help"], "docs-automation COMMAND"],
  [["export", "-h"], "docs-automation export: exports a site"],
])("the arguments %j show the help", async (args, text) => {
  const { code, stdout, stderr } = await run(args, { cwd: dist });
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringContaining(text), stderr: "" });
});

test("a variable that names no folder for temporary files is an error with a next step", async () => {
  await using folder = await createDocs();
  const args = ["agent", ...local, "--prompt", "Go.", "--agent-command", "true"];
  const env = { TMPDIR: join(folder.path, "docs/keys.md") };
  const { code, stderr } = await run(args, { cwd: folder.path, env });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^error: The data directory .*keys\.md cannot be used: ENOTDIR.* TMPDIR \(in a workflow, RUNNER_TEMP\)\./m,
  );
});

test("a key among the arguments is not shown", async () => {
  const { code, stdout, stderr } = await runInDocs(["export", "--domain", "d", adminKey], hosted);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("Unexpected argument '***'");
});

/** Starts a command in a folder of documents, and presses Ctrl-C when it has written something. */
async function interrupt(args: readonly string[], shown: RegExp, env: Started["env"] = hosted) {
  await using folder = await createDocs();
  const process = startCli(args, { cwd: folder.path, env });
  await process.waitFor(shown);
  process.signal("SIGINT");
  return await process.end;
}

test.each([
  ["export", /running, 7 %/],
  ["agent", /: active/],
] as const)(
  "Ctrl-C ends the wait of %s, says that the job goes on, and exits with 130",
  async (command, shown) => {
    const job = command === "agent" ? { id: "job_1", status: "active" } : { status: "running", progress: 7 };
    await using platform = await startHttpServer((request) =>
      Response.json(request.method === "POST" ? { jobId: "job_1", ...job } : job),
    );
    const { code, stdout, stderr } = await interrupt(commandAt(platform.url, command, "--json"), shown);
    expect(code).toBe(130);
    expect(stderr).toContain(`Stopped waiting: ${command} job job_1 continues on the platform.`);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: "cancelled", "job-id": "job_1" });
  },
);

test.each(["export", "agent"] as const)(
  "Ctrl-C while %s waits for the platform's rate limit does not say that a job may exist",
  async (command) => {
    await using platform = await startHttpServer(
      () => new Response("{}", { status: 429, headers: { "retry-after": "3000" } }),
    );
    const { code, stderr } = await interrupt(commandAt(platform.url, command), /rying again in/);
    expect(code).toBe(130);
    expect(stderr).toContain("The command was cancelled. Run it again to get a result. More:");
    expect(stderr).not.toContain("may have started");
  },
);

test("Ctrl-C on an embedded platform says that its job ended with it", async () => {
  const env = { DOCS_AUTOMATION_TEST_CLOCK_SPEED: "0.01" };
  const { code, stderr } = await interrupt(["export", ...local], /is started/, env);
  expect(code).toBe(130);
  expect(stderr).toContain("A job of the embedded platform ends with its run. Start again. More:");
});

/** Starts a command, and interrupts it while its first request has no response. */
async function interruptFirstRequest(command: keyof typeof needs, key = adminKey) {
  await using folder = await createDocs();
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<Response>();
  await using platform = await startHttpServer(() => {
    asked.resolve();
    return answer.promise;
  });
  const env = { DOCS_PLATFORM_API_KEY: key };
  const process = startCli(commandAt(platform.url, command), { cwd: folder.path, env });
  await Promise.race([asked.promise, process.end]);
  process.signal("SIGINT");
  const result = await process.end;
  answer.resolve(new Response());
  return result;
}

test.each([
  ["export", "the platform may have started the export"],
  ["agent", "the platform may have started an agent job"],
] as const)("Ctrl-C while %s sends its request says that a job may exist", async (command, fact) => {
  const { code, stderr } = await interruptFirstRequest(command);
  expect(code).toBe(130);
  expect(stderr).toContain(`${fact}. Check the platform's dashboard before you run again`);
});

test.each([
  ["assistant", "svc_dsc_9aB3xYz8Qw7LmN0pRtUv"],
  ["doctor", adminKey],
] as const)("Ctrl-C in %s speaks of the command, not of a workflow", async (command, key) => {
  const { code, stderr } = await interruptFirstRequest(command, key);
  expect({ code, stderr }).toEqual({
    code: 130,
    stderr: expect.stringContaining("The command was cancelled. Run it again to get a result. More:"),
  });
  expect(stderr).not.toContain("workflow");
});

describe("a question", () => {
  test("is answered from a folder of documents", async () => {
    await using folder = await createDocs();
    const args = ["assistant", ...local, "--prompt", "How do I rotate an API key?", "--api-version", "v2"];
    const { code, stdout, stderr } = await run(args, { cwd: folder.path });
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("Press Rotate; the old key works for a day.");
    const file = `${pathToFileURL(await realpath(folder.path)).href}/docs/keys.md#rotate-an-api-key`;
    expect(stdout).toContain(`](${file})`);
    const json = await run([...args, "--json"], { cwd: folder.path });
    expect(JSON.parse(JSON.parse(json.stdout).sources)).toContainEqual({
      url: file,
      title: expect.any(String),
    });
  });

  test("is answered by a model where one is named", async () => {
    await using model = await startScriptedModel(["Turn the key [1]."]);
    const env = { DOCS_PLATFORM_MODEL_URL: model.baseUrl, DOCS_PLATFORM_MODEL: "small" };
    const { code, stdout, stderr } = await runInDocs(["assistant", ...local, "--prompt", "Rotate?"], env);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("Turn the key");
  });

  test("is shown as it would be sent in a dry run", async () => {
    const args = ["assistant", ...local, "--prompt", "How?", "--dry-run"];
    expect((await runInDocs(args)).stdout).toContain('"content": "How?"');
    const json = await runInDocs([...args, "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ outcome: "skipped", "skip-reason": "dry-run" });
  });
});

describe("an agent's job", () => {
  const prLink = "https://github.com/octo-org/docs/pull/7";
  const completed = { status: "completed", prLink };
  const mismatch = { code: 1, outcome: "failed", "error-code": "pull-request-mismatch" };

  test.each<[string, object, readonly string[], object]>([
    [
      "is followed to its pull request",
      completed,
      [],
      { code: 0, outcome: "pull-request", "pull-request-url": prLink, "pull-request-number": "7" },
    ],
    [
      "that failed has its error",
      { status: "failed" },
      [],
      { code: 1, outcome: "failed", "error-code": "job-failed" },
    ],
    [
      "has no pull request of another repository than the one that is named",
      completed,
      ["--docs-repository", "octo-org/other"],
      { ...mismatch, "pull-request-url": undefined },
    ],
    ["is left to run with --no-wait", {}, ["--no-wait"], { code: 0, outcome: "detached" }],
  ])("%s", async (_name, job, flags, expected) => {
    await using platform = await startHttpServer(({ method }) =>
      Response.json({ id: "job_1", ...(method === "POST" ? { status: "active" } : job) }),
    );
    const args = commandAt(platform.url, "agent", "--json", ...flags);
    const { code, stdout } = await runInDocs(args, { ...hosted, ...quick });
    const outputs = { code, "pull-request-url": undefined, ...JSON.parse(stdout) };
    expect(outputs).toMatchObject({ "job-id": "job_1", ...expected });
  });

  test.each([
    ["job", [], /`POST \/v2\/agent\/p\/job`.*\n\n```text\nGo\.\n/],
    ["message", ["--job-id", "job_1"], /`POST \/v2\/agent\/p\/job\/job_1\/message`.*\n\n.*\nGo\./],
    ["poll", ["--job-id", "job-1", "--prompt", ""], /job job-1 would be followed/],
  ])("is shown in a dry run: %s", async (_, flags, shown) => {
    const args = commandAt("https://api.example.com", "agent", "--dry-run", ...flags);
    expect((await runInDocs(args, hosted)).stdout).toMatch(shown);
  });

  test("is created once the platform's rate limit allows it", async () => {
    await using platform = await startHttpServer(({ method }) =>
      Response.json(method === "POST" ? { id: "job_1" } : completed),
    );
    const limit = { kind: "answer", status: 429, headers: { "retry-after": "30" }, body: "{}" } as const;
    const args = commandAt(platform.url, "agent", "--json");

    platform.faults.add({ method: "POST", fault: limit });
    const { stdout, stderr } = await runInDocs(args, { ...hosted, ...quick });
    platform.faults.add({ method: "POST", fault: limit });
    const late = await runInDocs([...args, "--timeout-minutes", "0.4"], { ...hosted, ...quick });

    expect(JSON.parse(stdout), stderr).toMatchObject({ outcome: "pull-request", "job-id": "job_1" });
    expect(stderr).toContain("Could not create the agent job: the platform returned 429");
    expect(JSON.parse(late.stdout)).toMatchObject({ outcome: "rate-limited" });
    expect(platform.requests.filter(({ method }) => method === "POST")).toHaveLength(3);
  });

  test("is done by a program in a worktree of the embedded platform", async () => {
    await using folder = await createDocs();
    const git = (...args: readonly string[]) =>
      start("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: folder.path })
        .end;
    for (const args of [
      ["init", "-q"],
      ["add", "."],
      ["commit", "-qm", "docs"],
    ])
      await git(...args);
    const edit = "bash -c 'echo More. >> docs/keys.md'";
    const args = ["agent", ...local, "--prompt", "Say more.", "--agent-command", edit, "--json"];
    const { stdout, stderr } = await run(args, { cwd: folder.path });
    const { outcome, "job-id": id, ...outputs } = JSON.parse(stdout);
    expect({ outcome, url: outputs["pull-request-url"] }, stderr).toEqual({ outcome: "no-pull-request" });
    // The page of its pull request has ended with the platform.
    const branch = `docs-agent/${id}`;
    expect(stderr).toContain(
      `The change is on the branch \`${branch}\`; \`git diff HEAD...${branch}\` shows it.`,
    );
    expect((await git("diff", `HEAD...${branch}`)).stdout).toContain("+More.");
  });
});

test("the doctor says nothing of events and artifacts, which only a workflow has", async () => {
  const { code, stdout, stderr } = await runInDocs(["doctor", ...local]);
  expect(code, stderr).toBe(0);
  expect(stdout).toContain("### Setup: healthy");
  expect(stdout).toContain("It starts on `docs-dir`; it needs no key, no `project-id`");
  expect(stdout).not.toMatch(/Event|Artifacts|token/);
});

test.each([[[]], [["--json"]]])(
  "an answer contains no commands for a workflow's runner, with %j",
  async (args) => {
    const text = "Run it:\n\n```\n::error::forged\n##[error]forged\n```\n";
    await using platform = await startHttpServer(
      () => new Response(`0:${JSON.stringify(text)}\nd:{"finishReason":"stop"}\n`),
    );
    const env = { DOCS_PLATFORM_API_KEY: "svc_dsc_2bC4yZa9Rx8MnO1qSuVwLkIhGeTbAyDw" };
    const { stdout, stderr } = await runInDocs(commandAt(platform.url, "assistant", ...args), env);

    expect(stdout).toContain("forged");
    expect(stdout + stderr).not.toMatch(/^\s*::|##\[/m);
    if (args.length > 0) expect(JSON.parse(stdout)["answer"]).toContain("##[error]forged");
  },
);

test("`platform` serves until a signal ends it", async () => {
  await using folder = await createDocs();
  const process = startCli(["platform", "--docs", "docs", "--port", "0"], { cwd: folder.path });
  const [, url = ""] = await process.waitFor(/^Documentation platform: (\S+)$/m);
  const [, key = ""] = await process.waitFor(/^Admin API key: +(\S+)$/m);
  const headers = { authorization: `Bearer ${key}` };
  expect((await fetch(`${url}/v1/static-export/jobs/none`, { headers })).status).toBe(404);
  process.signal("SIGTERM");
  expect((await process.end).code).toBe(0);
});

describe("the help", () => {
  test("names every command", async () => {
    const { code, stdout } = await run([], { cwd: dist });
    expect(code).toBe(0);
    for (const name of ["export", "agent", "assistant", "doctor", "platform"])
      expect(stdout).toContain(`  ${name} `);
    expect(stdout).toContain("docs-automation export --base-url local --docs-dir docs --extract\n");
    expect((await run(["--version"], { cwd: dist })).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test("of a command has every input of it, but for what only a workflow has", async () => {
    const { stdout } = await run(["export", "--help"], { cwd: dist });
    const flags = [...stdout.matchAll(/^ {2}--(?:no-)?([\w-]+)/gm)].map(([, name]) => name);
    const inputs = listInputs().flatMap(({ name, commands }) => (commands.includes("export") ? name : []));
    const onlySteps = ["command", "upload", "retention-days"];
    expect(flags).toEqual([...inputs.filter((name) => !onlySteps.includes(name)), "json", "verbose", "help"]);
    expect(stdout).toContain("--api-key VALUE (or the variable DOCS_PLATFORM_API_KEY)");
  });
});

test("the example for GitLab publishes the folder of documents", async () => {
  await using folder = await createDocs();
  const example = await readFile(new URL("../../examples/gitlab/.gitlab-ci.yml", import.meta.url), "utf8");
  const { pages } = parse(example);
  const script = pages.script
    .join("\n")
    .replace('npx --yes "$DOCS_AUTOMATION"', `"${nodeBinary()}" "${cli}"`);
  const { code, stderr } = await start("bash", ["--norc", "-ec", script], { cwd: folder.path }).end;
  expect(code, stderr).toBe(0);
  expect(pages.artifacts.paths).toEqual(["public"]);
  expect(await readFile(join(folder.path, "public/keys.html"), "utf8")).toContain("Press Rotate");
});
