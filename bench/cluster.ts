/**
 * `npm run bench -- cluster [--exports 200] [--questions 200] [--workers 1,2,4]`: several processes of one platform on a real Postgres
 * and a real S3 gateway, as `npm run test:engines` starts them.
 */
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startGateway } from "../test/engines/gateway.ts";
import { startPostgres } from "../test/engines/postgres.ts";
import { startPlatformProcess } from "../test/server/platform-process.ts";
import { createTemporaryFolder } from "../test/support/temporary-folder.ts";
import { makeDocs } from "./platform/make-docs.ts";
import type { Report } from "./report.ts";

export const title = "Several processes";

const pages = 2;
/** As many sites as there are tenants to share the workers. */
const domains = Array.from({ length: 20 }, (_, index) => `docs-${index}.example.com`);
const [adminKey, assistantKey] = ["svc_0123456789abcdef", "svc_dsc_0123456789abcdef"];

export async function run(args: readonly string[]): Promise<Report> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      exports: { type: "string", default: "200" },
      questions: { type: "string", default: "200" },
      workers: { type: "string", default: "1,2,4" },
    },
  });
  const [exports, questions] = [Number(values.exports), Number(values.questions)];
  const counts = values.workers.split(",").map(Number);
  await using stack = new AsyncDisposableStack();
  const { path: docsDir } = stack.use(await createTemporaryFolder("docs-bench-"));
  await makeDocs(docsDir, pages, "markdown");
  const postgres = stack.use(await startPostgres());
  const gateway = stack.use(await startGateway());
  /** Two web processes and some workers on a database and a bucket of their own. */
  const start = async (workers: number, owner: AsyncDisposableStack) => {
    const bucket = await gateway.createBucket();
    const environment = {
      DOCS_PLATFORM_DATABASE_URL: await postgres.createDatabase(),
      DOCS_PLATFORM_ADMIN_KEY: adminKey,
      DOCS_PLATFORM_ASSISTANT_KEY: assistantKey,
      AWS_ACCESS_KEY_ID: gateway.accessKeyId,
      AWS_SECRET_ACCESS_KEY: gateway.secretAccessKey,
      AWS_REGION: gateway.region,
    };
    const storage = ["--bucket", `s3://${bucket}`, "--bucket-endpoint", gateway.endpoint];
    const flags = ["--docs", docsDir, ...domains.flatMap((domain) => ["--domain", domain]), ...storage];
    const startRole = (role: string) => {
      const args = [...flags, "--role", role];
      const started = startPlatformProcess(args, environment, "src/server/cluster/main.ts");
      owner.defer(async () => void (await started.end("SIGTERM")));
      return started;
    };
    const startAll = async (role: string, count: number) => {
      const started = Array.from({ length: count }, () => startRole(role));
      return { pids: started.map(({ pid }) => pid), urls: await Promise.all(started.map(({ url }) => url)) };
    };
    const { urls, pids } = await startAll("web", 2);
    return { urls, pids, startWorkers: async () => (await startAll("worker", workers)).pids };
  };

  const growth: { workers: number; seconds: number }[] = [];
  for (const workers of counts) {
    await using owner = new AsyncDisposableStack();
    const platform = await start(workers, owner);
    // All of them wait before the first is worked on: what is measured is the workers, not the requests.
    const jobs = await startExports(platform.urls, exports);
    await platform.startWorkers();
    const seconds = await finishExports(platform.urls, jobs);
    growth.push({ workers, seconds });
  }
  await using owner = new AsyncDisposableStack();
  const platform = await start(2, owner);
  const workerPids = await platform.startWorkers();
  // The first questions make the indexes.
  await askAll(platform.urls, questions);
  const idle = await askAll(platform.urls, questions);
  const jobs = await startExports(platform.urls, exports);
  const busy = await askAll(platform.urls, questions);
  await finishExports(platform.urls, jobs);
  const memory = { web: await peakMemory(platform.pids), worker: await peakMemory(workerPids) };

  const [first] = growth;
  const ratio = (value: number, base: number) => (value / base).toFixed(2);
  return {
    intro: [
      `Two web processes with one Postgres and one S3 gateway, all on this machine. ${exports} exports of ${pages} pages for ${domains.length} sites are`,
      `queued before the first worker starts. Then ${questions} questions are sent at once, on an idle platform and while ${exports} exports wait.`,
      "The processes share the machine's cores with the database and the gateway, so more workers than cores help little.",
    ].join(" "),
    tables: [
      {
        caption: `Exports completed in the same time, relative to the first row.`,
        columns: ["workers", "exports", "throughput"],
        rows: growth.map(({ workers, seconds }) => [
          workers,
          exports,
          ratio(first?.seconds ?? seconds, seconds),
        ]),
      },
      {
        caption: `${questions} questions at once.`,
        columns: ["exports that wait", "answered", "slowest answer / idle platform"],
        rows: [
          [0, idle.answered, 1],
          [exports, busy.answered, ratio(busy.seconds, idle.seconds)],
        ],
      },
      {
        caption: "Peak memory of one process, in MB.",
        columns: ["role", "MB"],
        rows: Object.entries(memory),
      },
    ],
  };
}

/** The most memory that one of the processes has taken, in MB. */
async function peakMemory(pids: readonly number[]): Promise<number> {
  const statuses = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/status`, "utf8")));
  const peaks = statuses.map((status) => Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]));
  return Math.round(Math.max(...peaks) / 1000);
}

const pick = (urls: readonly string[], index: number) => urls[index % urls.length] ?? "";

/** Starts exports, each with a version of its own, so that none is merged with another; their ids. */
async function startExports(urls: readonly string[], count: number): Promise<string[]> {
  const headers = { authorization: `Bearer ${adminKey}`, "content-type": "application/json" };
  return inBatches(count, 20, async (index) => {
    const body = JSON.stringify({ domain: domains[index % domains.length], version: `v${index}` });
    const url = `${pick(urls, index)}/v1/static-export/jobs`;
    const response = await fetch(url, { method: "POST", headers, body });
    if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
    const { jobId } = (await response.json()) as { jobId: string };
    return jobId;
  });
}

/** Seconds until all of them have completed. @throws {Error} when one failed. */
async function finishExports(urls: readonly string[], jobs: readonly string[]): Promise<number> {
  const begun = performance.now();
  const headers = { authorization: `Bearer ${adminKey}` };
  let open = [...jobs];
  while (open.length > 0) {
    // The oldest ones tell how far it is; all of them are asked at the end.
    const asked = open.slice(0, 20);
    const states = await inBatches(asked.length, 20, async (index) => {
      const response = await fetch(`${pick(urls, index)}/v1/static-export/jobs/${asked[index]}`, { headers });
      return ((await response.json()) as { status: string }).status;
    });
    if (states.includes("failed")) throw new Error("An export failed.");
    open = open.filter((_, index) => states[index] !== "completed");
    if (states.some((state) => state !== "completed")) await delay(100);
  }
  return (performance.now() - begun) / 1000;
}

/** Asks all at once; how many got an answer, and the seconds of the slowest. */
async function askAll(urls: readonly string[], count: number) {
  const headers = { authorization: `Bearer ${assistantKey}`, "content-type": "application/json" };
  const begun = performance.now();
  const answers = await inBatches(count, count, async (index) => {
    const domain = domains[index % domains.length];
    const content = `How is step ${index} configured?`;
    const parts = [{ type: "text", text: content }];
    const message = { id: String(index), createdAt: new Date().toISOString(), role: "user", content, parts };
    const body = JSON.stringify({ fp: "anonymous", messages: [message] });
    const url = `${pick(urls, index)}/discovery/v1/assistant/${domain}/message`;
    const response = await fetch(url, { method: "POST", headers, body });
    return response.ok && /^d:/m.test(await response.text());
  });
  return { answered: answers.filter(Boolean).length, seconds: (performance.now() - begun) / 1000 };
}

async function inBatches<Result>(
  count: number,
  size: number,
  work: (index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let first = 0; first < count; first += size) {
    const batch = Array.from({ length: Math.min(size, count - first) }, (_, index) => work(first + index));
    results.push(...(await Promise.all(batch)));
  }
  return results;
}
