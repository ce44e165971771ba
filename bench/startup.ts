/** What a run costs before its first request, beside bare Node: processor time and peak memory, as ratios from one run. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Report } from "./report.ts";
import { installOtherActions } from "./startup/other-actions.ts";

const entry = fileURLToPath(new URL("../dist/index.js", import.meta.url));
const rounds = 15;

interface Cost {
  readonly cpuMs: number;
  /** Peak resident memory; of processes that are stopped by their first request only. */
  readonly megabytes: number | undefined;
}

interface Subject {
  readonly name: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export const title = "Start-up";

/** For each subject, the least processor time and the least peak memory of fifteen rounds, in turn with bare Node's. */
export async function run(): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), "startup-"));
  await using server = await startServer();
  const subjects = await listSubjects(folder, server.url);
  const costs = new Map<string, Cost[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const subject of subjects) {
      const cost = await measure(subject, server.stopOnRequest);
      costs.set(subject.name, [...(costs.get(subject.name) ?? []), cost]);
    }
  }
  await rm(folder, { recursive: true });
  const least = (name: string, of: (cost: Cost) => number | undefined) =>
    Math.min(...(costs.get(name) ?? []).map(of).filter((value) => value !== undefined));
  const [bare] = subjects;
  const bareMs = least(bare.name, ({ cpuMs }) => cpuMs);
  const bareMegabytes = least(bare.name, ({ megabytes }) => megabytes);
  const rows = subjects.map(({ name }) => {
    const ratio = least(name, ({ cpuMs }) => cpuMs) / bareMs;
    const memory = least(name, ({ megabytes }) => megabytes) / bareMegabytes;
    if (name.endsWith("first request") && !Number.isFinite(memory)) {
      throw new Error(`"${name}" ended without a request: its event or its inputs are refused.`);
    }
    return [name, ratio.toFixed(2), Number.isFinite(memory) ? memory.toFixed(2) : ""];
  });
  return {
    intro: `The cost of a run before its first request: the least of ${rounds} rounds, in turn; ${bare.name} is 1.
\`@cypress/github-action\` is the published bundle of a real action, whose first request looks up a cache. The other two are
minimal actions with GitHub's toolkit, like actions/github-script and actions/upload-artifact (\`bench/startup/other-actions.ts\`),
bundled by ncc without minification.`,
    tables: [{ caption: "Until the first request.", columns: ["run", "CPU time", "peak memory"], rows }],
  };
}

async function listSubjects(folder: string, url: string): Promise<[Subject, ...Subject[]]> {
  const event = join(folder, "event.json");
  const comment = {
    body: "/docs explain the retries",
    id: 1,
    node_id: "IC_1",
    user: { login: "a", id: 1, type: "User" },
  };
  const payload = (body: string) => ({
    action: "created",
    comment: {
      ...comment,
      body,
      created_at: "2026-01-01T00:00:00Z",
      updated_at: "2026-01-01T00:00:00Z",
      html_url: "https://github.com/o/r/issues/1#c",
    },
    issue: {
      id: 1,
      number: 1,
      node_id: "I_1",
      title: "t",
      body: "b",
      state: "open",
      html_url: "https://github.com/o/r/issues/1",
      created_at: "2026-01-01T00:00:00Z",
      user: comment.user,
    },
    repository: { id: 1, name: "r", full_name: "o/r", owner: { login: "o", id: 2 }, default_branch: "main" },
    sender: comment.user,
  });
  await writeFile(event, JSON.stringify(payload("looks good to me")));
  const called = { agent: join(folder, "docs.json"), assistant: join(folder, "ask.json") };
  await writeFile(called.agent, JSON.stringify(payload("/docs explain the retries")));
  await writeFile(called.assistant, JSON.stringify(payload("/ask how do retries work?")));
  const runner = {
    PATH: process.env["PATH"] ?? "",
    GITHUB_OUTPUT: join(folder, "output"),
    GITHUB_STATE: join(folder, "state"),
    GITHUB_STEP_SUMMARY: join(folder, "summary"),
    GITHUB_WORKSPACE: folder,
    GITHUB_REPOSITORY: "o/r",
    GITHUB_REPOSITORY_ID: "1",
    GITHUB_RUN_ID: "1",
    GITHUB_ACTOR: "a",
    GITHUB_EVENT_NAME: "issue_comment",
    GITHUB_API_URL: url,
    "INPUT_GITHUB-TOKEN": "ghs_0123456789",
    "INPUT_BASE-URL": url,
    "INPUT_PROJECT-ID": "p",
    INPUT_DOMAIN: "d",
    INPUT_UPLOAD: "none",
  };
  const of = (command: string, key: string, eventPath: string): Subject["environment"] => ({
    ...runner,
    INPUT_COMMAND: command,
    "INPUT_API-KEY": key,
    GITHUB_EVENT_PATH: eventPath,
  });
  const others = await installOtherActions(join(folder, "others"));
  // What the runner gives to actions that use its artifact or cache service; the token names a run and a job.
  const service = {
    ACTIONS_RESULTS_URL: `${url}/`,
    ACTIONS_RUNTIME_TOKEN: `e30.${Buffer.from('{"scp":"Actions.Results:run:job"}').toString("base64url")}.x`,
    ACTIONS_CACHE_SERVICE_V2: "true",
    RUNNER_TEMP: folder,
  };
  const [admin, assistant] = ["svc_0123456789abcdef", "svc_dsc_0123456789abcdef"];
  return [
    { name: "bare Node (node -e 0)", args: ["-e", "0"], environment: { PATH: runner.PATH } },
    { name: "a comment without the phrase", args: [entry], environment: of("agent", admin, event) },
    { name: "export, first request", args: [entry], environment: of("export", admin, event) },
    { name: "agent, first request", args: [entry], environment: of("agent", admin, called.agent) },
    {
      name: "assistant, first request",
      args: [entry],
      environment: of("assistant", assistant, called.assistant),
    },
    { name: "reconcile, first request", args: [entry], environment: of("reconcile", admin, event) },
    { name: "doctor, first request", args: [entry], environment: of("doctor", admin, event) },
    ...others.map(({ name, entry: bundle, folder: cwd }) => ({
      name,
      args: [bundle],
      environment: { ...of("export", admin, called.agent), ...service, GITHUB_WORKSPACE: cwd },
      cwd,
    })),
  ];
}

/** A server that answers nothing: what it is asked ends the measurement. */
async function startServer() {
  let onRequest: () => void = () => undefined;
  const server = createServer(() => onRequest());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stopOnRequest(stop: () => void) {
      onRequest = stop;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Runs a subject to its end or its first request; a shell's `times` says in milliseconds what its child used. */
async function measure(
  { args, environment, cwd }: Subject,
  stopOnRequest: (stop: () => void) => void,
): Promise<Cost> {
  const shell = spawn("bash", ["-c", '"$@" >/dev/null 2>&1; times', "bash", process.execPath, ...args], {
    env: environment,
    cwd,
    stdio: ["ignore", "pipe", "ignore"],
  });
  let megabytes: number | undefined;
  const ended = once(shell, "close");
  let isStopped = false;
  stopOnRequest(() => {
    // A second request may be under way already.
    if (!isStopped) void stopChild(shell.pid).then((peak) => (megabytes = peak));
    isStopped = true;
  });
  let text = "";
  for await (const chunk of shell.stdout.setEncoding("utf8")) text += chunk;
  await ended;
  const [, children = ""] = text.trim().split("\n");
  const seconds = children.split(" ").map((time) => {
    const [minutes = "0", rest = "0s"] = time.split("m");
    return Number(minutes) * 60 + Number.parseFloat(rest);
  });
  return {
    cpuMs: seconds.reduce((sum, part) => sum + part, 0) * 1000,
    megabytes: megabytes ?? (await peakOfBare(args)),
  };
}

/** Reads the peak memory of a shell's child and ends it. */
async function stopChild(shell: number | undefined): Promise<number> {
  const children = await readFile(`/proc/${shell}/task/${shell}/children`, "utf8");
  const pid = Number(children.trim().split(" ")[0]);
  const megabytes = await peakOf(pid);
  process.kill(pid, "SIGKILL");
  return megabytes;
}

async function peakOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** The peak memory of Node with nothing to do. */
async function peakOfBare(args: readonly string[]): Promise<number | undefined> {
  if (args[0] !== "-e") return undefined;
  const child = spawn(process.execPath, ["-e", "console.log(); setInterval(() => {}, 1000)"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  await once(child.stdout, "data");
  const megabytes = await peakOf(child.pid ?? 0);
  child.kill("SIGKILL");
  return megabytes;
}
