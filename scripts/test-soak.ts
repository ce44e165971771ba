/**
 * `npm run test:soak [-- --minutes 60] [--seed 1]`: two web processes and two workers on a real Postgres, a real S3 gateway and a git
 * remote, under load. At random, processes are killed, stopped or cut off, and the engines end or hang. Afterwards everything that was
 * accepted is counted: one bundle for each export, one branch and one pull request for each agent job, one commit for each prompt.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { messageOf } from "../src/base/text.ts";
import { sharedGateway } from "../test/engines/gateway.ts";
import { type ClusterProcess, startCluster } from "../test/engines/processes.ts";
import { type Relay, startRelay } from "../test/engines/relay.ts";
import { jobsOf } from "../test/server/agents/agent-platform.ts";
import { createGithubRepository } from "../test/server/agents/github-platform.ts";
import { jobs as exportsPath } from "../test/server/exports/export-platform.ts";
import { readZip } from "../test/support/read-zip.ts";
import { createTemporaryFolder } from "../test/support/temporary-folder.ts";

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "60" }, seed: { type: "string", default: "1" } },
});
const endsAt = Date.now() + Number(values.minutes) * 60_000;
/** What has not ended this long after the last fault counts as lost. */
const settleMs = 10 * 60_000;

/** Each sees one part of the load, so that they share the workers. */
const domains = Array.from({ length: 6 }, (_, index) => `docs-${index}.example.com`);
/** More than are worked on at once: a project's jobs and messages are limited by the hour. */
const projects = Array.from({ length: 40 }, (_, index) => `project-${index}`);
const clientsOfAgents = 4;

const random = createRandom(Number(values.seed));
const between = (least: number, most: number) => least + random() * (most - least);
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;

const counts: Record<string, number> = {};
const count = (what: string) => {
  counts[what] = (counts[what] ?? 0) + 1;
};
const problems: string[] = [];
/** Of processes that have ended. */
const logs: string[] = [];
const check = (isTrue: boolean, problem: string) => {
  if (!isTrue) problems.push(problem);
};
const begunAt = performance.now();
const say = (text: string) => console.log(`${((performance.now() - begunAt) / 1000).toFixed(1)} s: ${text}`);
const isOver = () => Date.now() >= endsAt;

interface Replica {
  readonly role: "web" | "worker";
  process: ClusterProcess;
  readonly database: Relay;
  readonly bucket: Relay;
  /** A fault is under way. */
  isBusy: boolean;
}

/** A prompt that was sent; without an answer, it may or may not have been taken. */
interface Prompt {
  readonly text: string;
  readonly isCertain: boolean;
}

await using stack = new AsyncDisposableStack();
const { path: folder } = stack.use(await createTemporaryFolder());
const { remote, github, root, token } = stack.use(await createGithubRepository());
// The one that the tests share ends with them; here nothing else uses it.
stack.use(await sharedGateway());
const cluster = stack.use(await startCluster());
const agent = join(folder, "agent.sh");
await writeFile(agent, "sleep 0.$(($$ % 10)); cat >> docs/written.md\necho done\n");
const settings = {
  docs: join(root, "docs"),
  flags: [
    ...domains.flatMap((domain) => ["--domain", domain]),
    ...["--agent-command", `sh ${agent}`, "--github", github.run.repository],
    ...["--link-minutes", "600", "--drain-seconds", "5", "--verbose"],
  ],
  environment: {
    DOCS_AGENT_ISOLATION: "none",
    GITHUB_TOKEN: token,
    GITHUB_API_URL: github.run.apiUrl,
    GITHUB_SERVER_URL: new URL(remote.url).origin,
  },
};
const startReplica = async (role: Replica["role"]): Promise<Replica> => {
  const database = stack.use(await startRelay(cluster.databaseUrl));
  const bucket = stack.use(await startRelay(cluster.gateway.endpoint));
  const way = { databaseUrl: database.url, endpoint: bucket.url };
  return {
    role,
    process: await cluster.start(role, { ...settings, ...way }),
    database,
    bucket,
    isBusy: false,
  };
};
const replicas = await Promise.all((["web", "web", "worker", "worker"] as const).map(startReplica));
const [web, otherWeb] = replicas as [Replica, Replica];

/** A replica takes the place of one that has ended. Where the database is away, it ends as well, and is started again. */
const startAgain = async (replica: Replica) => {
  logs.push(replica.process.output());
  const way = { databaseUrl: replica.database.url, endpoint: replica.bucket.url };
  for (;;) {
    try {
      replica.process = await cluster.start(replica.role, { ...settings, ...way });
      return;
    } catch {
      count("starts that failed");
      await delay(1000);
    }
  }
};

/** What may happen to a replica; it is as before when the promise resolves. */
const replicaFaults: Readonly<Record<string, (replica: Replica) => Promise<unknown>>> = {
  "is killed": async (replica) => {
    await replica.process.end("SIGKILL");
    await delay(between(0, 5000));
    await startAgain(replica);
  },
  "is told to end": async (replica) => {
    await replica.process.end("SIGTERM");
    await startAgain(replica);
  },
  "is stopped": async ({ process }) => {
    process.signal("SIGSTOP");
    await delay(between(1000, 45_000));
    process.signal("SIGCONT");
  },
  "is cut off from the database": ({ database }) => cutOff(database),
  "is cut off from the bucket": ({ bucket }) => cutOff(bucket),
};
const cutOff = async (relay: Relay) => {
  relay.partition();
  await delay(between(1000, 45_000));
  relay.heal();
};
const engineFaults: Readonly<Record<string, () => Promise<unknown>>> = {
  "Postgres is restarted at once": () => cluster.postgres.restart(),
  "Postgres is away": async () => {
    await cluster.postgres.kill();
    await delay(between(1000, 15_000));
    await cluster.postgres.start();
  },
  "Postgres hangs": async () => {
    await cluster.postgres.pause();
    await delay(between(1000, 15_000));
    await cluster.postgres.resume();
  },
  "the gateway is killed": async () => {
    await cluster.gateway.kill();
    await delay(between(0, 15_000));
    await cluster.gateway.start();
  },
};

const disturb = async () => {
  const pending = new Set<Promise<void>>();
  const begin = (what: string, fault: Promise<unknown>, done: () => void) => {
    say(what);
    count(what.replace(/^\w+ \d (is .*)$/, "a process $1"));
    const ended = fault
      .catch((error: unknown) => void problems.push(`${what}: ${messageOf(error)}`))
      .then(() => {
        done();
        pending.delete(ended);
      });
    pending.add(ended);
  };
  let isEngineBusy = false;
  while (!isOver()) {
    await delay(between(500, 12_000));
    if (random() < 0.2 && !isEngineBusy) {
      isEngineBusy = true;
      const [what, fault] = pick(Object.entries(engineFaults));
      begin(what, fault(), () => {
        isEngineBusy = false;
      });
      continue;
    }
    const replica = pick(replicas);
    if (replica.isBusy) continue;
    replica.isBusy = true;
    const [what, fault] = pick(Object.entries(replicaFaults));
    begin(`${replica.role} ${replicas.indexOf(replica)} ${what}`, fault(replica), () => {
      replica.isBusy = false;
    });
  }
  await Promise.all(pending);
};

/** An answer of one of the web processes; `undefined` when there is none, or only that it has trouble. */
const ask = async (
  path: string,
  json?: object,
): Promise<{ status: number; body: Record<string, unknown> } | undefined> => {
  try {
    const { process } = pick([web, otherWeb]);
    const response = await Promise.race([
      process.send(path, json && { method: "POST", json }),
      delay(60_000, undefined, { ref: false }),
    ]);
    if (response === undefined || response.status >= 500) return undefined;
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  } catch {
    return undefined;
  }
};
/** Asks until there is an answer; `undefined` when there is none in time. */
const askOn = async (path: string, json?: object) => {
  while (Date.now() < endsAt + settleMs) {
    const answer = await ask(path, json);
    if (answer !== undefined) return answer;
    await delay(500);
  }
  return undefined;
};
/** Follows a job to its end; what has ended stays so. */
const follow = async (path: string, active: readonly unknown[]) => {
  while (Date.now() < endsAt + settleMs) {
    const answer = await askOn(path);
    if (answer === undefined || answer.status !== 200) {
      problems.push(`${path}: ${JSON.stringify(answer)}`);
      return undefined;
    }
    if (!active.includes(answer.body["status"])) return answer.body;
    await delay(500);
  }
  problems.push(`${path} did not end.`);
  return undefined;
};

interface ExportEnd {
  readonly jobId: string;
  readonly bundleUrl: string;
}
const exportEnds: ExportEnd[] = [];
const exportsOf = async (domain: string) => {
  for (let number = 0; !isOver(); number += 1) {
    const started = await ask(exportsPath, { domain, version: `v${number}` });
    const { jobId } = started?.body ?? {};
    if (started?.status !== 202 || typeof jobId !== "string") {
      count(
        started === undefined
          ? "export starts without an answer"
          : `export starts answered ${started.status}`,
      );
      await delay(1000);
      continue;
    }
    count("exports accepted");
    const end = await follow(`${exportsPath}/${jobId}`, ["queued", "running"]);
    if (end === undefined) continue;
    count(`exports ${end["status"]}`);
    if (end["status"] !== "completed") {
      problems.push(`Export ${jobId}: ${JSON.stringify(end)}`);
      continue;
    }
    const bundle = await askOn(`${exportsPath}/${jobId}/bundle`, {});
    exportEnds.push({ jobId, bundleUrl: String(bundle?.body["bundleUrl"]) });
  }
};

const agentJobs = new Map<string, Prompt[]>();
/** Follows an agent job to the end of its last prompt. */
const followPrompt = async (path: string) => {
  const end = await follow(path, ["active"]);
  if (end === undefined) return;
  count(`prompts ${end["status"]}`);
  check(end["status"] === "completed", `${path}: ${JSON.stringify(end)}`);
};
/** Gives a job one more prompt. */
const sendMessage = async (path: string, text: string, prompts: Prompt[]) => {
  const sent = await ask(`${path}/message`, { prompt: text });
  if (sent !== undefined && sent.status !== 200) return count(`messages answered ${sent.status}`);
  count(sent === undefined ? "messages without an answer" : "messages accepted");
  prompts.push({ text, isCertain: sent !== undefined });
  // A message on its way may be taken after its client has given up.
  if (sent === undefined) await delay(5000);
  await followPrompt(path);
};
const sendAgentJobs = async (client: number) => {
  for (let number = 0; !isOver(); number += 1) {
    const project = pick(projects);
    const first = `Job ${client}.${number}\n`;
    const created = await ask(jobsOf(project), { prompt: first });
    const id = created?.body["id"];
    if (created?.status !== 201 || typeof id !== "string") {
      count(created === undefined ? "agent jobs without an answer" : `agent jobs answered ${created.status}`);
      await delay(1000);
      continue;
    }
    count("agent jobs accepted");
    const prompts: Prompt[] = [{ text: first, isCertain: true }];
    agentJobs.set(id, prompts);
    const path = `${jobsOf(project)}/${id}`;
    await followPrompt(path);
    const messages = Math.floor(random() * 3);
    for (let turn = 1; turn <= messages; turn += 1)
      await sendMessage(path, `Job ${client}.${number}, message ${turn}\n`, prompts);
  }
};

const askQuestions = async () => {
  while (!isOver()) {
    const parts = [{ type: "text", text: "What is this about: Welcome?" }];
    const message = {
      id: "1",
      createdAt: new Date().toISOString(),
      role: "user",
      content: "Welcome?",
      parts,
    };
    try {
      const { process } = pick([web, otherWeb]);
      const path = `/discovery/v1/assistant/${pick(domains)}/message`;
      const headers = { authorization: `Bearer ${cluster.assistantKey}`, "content-type": "application/json" };
      const body = JSON.stringify({ fp: "soak", messages: [message] });
      const url = new URL(path, await process.url);
      const response = await fetch(url, {
        method: "POST",
        headers,
        body,
        signal: AbortSignal.timeout(60_000),
      });
      const text = await response.text();
      if (!response.ok) count(`questions answered ${response.status}`);
      else if (/^d:/m.test(text)) count("questions answered");
      else problems.push(`An answer ended without its end: ${text}`);
    } catch {
      count("questions broken off");
    }
    await delay(between(200, 2000));
  }
};

say(`Begins: ${values.minutes} minutes, seed ${values.seed}.`);
await Promise.all([
  disturb(),
  ...domains.map(exportsOf),
  ...Array.from({ length: clientsOfAgents }, (_, client) => sendAgentJobs(client)),
  askQuestions(),
]);
say("The load has ended; what was accepted is counted.");
await checkAll();
console.log(JSON.stringify(counts, null, 2));
for (const problem of problems) console.log(`PROBLEM: ${problem}`);
if (problems.length > 0)
  await writeFile(
    "soak.log",
    [...logs, ...replicas.map(({ process }) => process.output())].join("\n--- next process\n"),
  );
console.log(
  problems.length === 0 ? "Nothing was lost, nothing was done twice." : `${problems.length} problems.`,
);
process.exitCode = problems.length === 0 ? 0 : 1;

/** Holds what is in the database, the bucket, the repository and on GitHub against what was accepted. */
async function checkAll() {
  const client = new pg.Client(cluster.databaseUrl);
  await client.connect();
  const read = async (collection: string) => {
    const query = "SELECT data FROM docs_platform.records WHERE collection = $1";
    // Those whose start got no answer as well: they are worked on like all others.
    for (;;) {
      const { rows } = await client.query<{ data: Record<string, unknown> }>(query, [collection]);
      const records = rows.map(({ data }) => data);
      const isOpen = ({ status }: Record<string, unknown>) =>
        ["queued", "running", "active"].includes(String(status));
      if (!records.some(isOpen) || Date.now() > endsAt + settleMs) return records;
      await delay(500);
    }
  };
  try {
    await checkExports(await read("exports/jobs"));
    await checkAgents(await read("agents/jobs"));
  } finally {
    await client.end();
  }
}

async function checkExports(records: readonly Record<string, unknown>[]) {
  // What earlier attempts left goes right after the end is told.
  await delay(5000);
  const names = (await cluster.gateway.list(cluster.bucket)).filter((name) =>
    /^bundles\/.*\.zip$/.test(name),
  );
  const bundleOf = new Map(
    records.map(({ jobId, bundle }) => [jobId, bundle as { name: string; sizeBytes: number } | undefined]),
  );
  for (const record of records)
    if (record["status"] !== "completed") problems.push(`Export ${record["jobId"]} is ${record["status"]}.`);
  const expected = [...bundleOf.values()].flatMap((bundle) => bundle?.name ?? []).sort();
  for (const name of expected) if (!names.includes(name)) problems.push(`The bundle ${name} is missing.`);
  for (const name of names)
    if (!expected.includes(name)) problems.push(`The bundle ${name} is in no record.`);
  for (const { jobId, bundleUrl } of exportEnds) {
    const response = await fetch(bundleUrl);
    const bytes = Buffer.from(await response.arrayBuffer());
    if (bytes.length === bundleOf.get(jobId)?.sizeBytes && readZip(bytes).size > 0)
      count("bundles that are whole");
    else
      problems.push(
        `The bundle of ${jobId} is not the one of its record: ${response.status} from ${bundleUrl}.`,
      );
  }
}

async function checkAgents(records: readonly Record<string, unknown>[]) {
  const ids = records.map(({ id }) => String(id));
  for (const id of agentJobs.keys()) check(ids.includes(id), `Agent job ${id} is gone.`);
  const refs = await remote.git("for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads/docs-agent");
  const branches = refs.split("\n");
  for (const branch of branches)
    check(ids.includes(branch.replace("docs-agent/", "")), `The branch ${branch} is of no job.`);
  for (const record of records) await checkAgentJob(record, branches);
}

async function checkAgentJob({ id, status, turns }: Record<string, unknown>, branches: readonly string[]) {
  check(status === "completed", `Agent job ${id} is ${status}.`);
  const branch = `docs-agent/${id}`;
  if (!branches.includes(branch)) return check(false, `The branch ${branch} is missing.`);
  const pulls = [...github.state.issues.values()].filter(({ pull }) => pull?.head === branch);
  check(pulls.length === 1, `${branch} has ${pulls.length} pull requests.`);
  const written = `${await remote.git("show", `${branch}:docs/written.md`)}\n`;
  const commits = Number(await remote.git("rev-list", "--count", `main..${branch}`));
  const taken = (turns as { prompt: string }[]).map(({ prompt }) => prompt);
  const [shown, wanted] = [JSON.stringify(written), JSON.stringify(taken)];
  check(written === taken.join(""), `${branch} holds ${shown} for ${wanted}.`);
  check(commits === taken.length, `${branch} has ${commits} commits for ${wanted}.`);
  for (const { text, isCertain } of agentJobs.get(String(id)) ?? [])
    check(!isCertain || taken.includes(text), `The prompt ${JSON.stringify(text)} of ${id} is gone.`);
  count("branches with one commit for each prompt");
}

/** Numbers from 0 up to 1, the same ones for the same seed (mulberry32). */
function createRandom(seed: number) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
