import { readdir } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { domain, followExport, generateBundle, startExport } from "../server/exports/export-platform.ts";
import { until } from "../server/test-platform.ts";
import { type Cluster, type ClusterProcess, startCluster } from "./processes.ts";
import { startRelay } from "./relay.ts";
import { firstHeld, heal, recordsEnd, startWorker, type Worker } from "./replicas.ts";

/** The phase in which a worker is killed, and how it is held there. */
const phases: readonly (readonly [string, (worker: Worker) => Promise<unknown>])[] = [
  ["claimed", ({ database }) => database.holdRequests('"status":"running"')],
  [
    "rendering",
    ({ bucket, process }) => {
      // The worker is held at its upload.
      void bucket.holdRequests("PUT /");
      const listWork = () => readdir(join(process.dataDir, "work")).catch(() => []);
      return until(listWork, (names) => names.length > 0);
    },
  ],
  ["uploading", ({ bucket }) => bucket.holdRequests("PUT /")],
  ["published, not recorded", ({ database }) => database.holdRequests(recordsEnd)],
  ["recorded", ({ database }) => database.holdAnswers(recordsEnd)],
];

/** One domain per export, so that all of them run at the same time. */
/** Name of the bundle of a job's second attempt. */
const secondBundleOf = (jobId: string) =>
  expect.stringMatching(new RegExp(`^bundles/${jobId}/2-\\w+\\.zip$`));
const domains = [domain, ...phases.slice(1).map((_, index) => `docs-${index}.example.com`)];
const flags = domains.slice(1).flatMap((name) => ["--domain", name]);

// A worker is taken for dead when it was not heard of for twenty seconds.
describe("exports on two web replicas and several workers", { timeout: 180_000 }, () => {
  const engines = new AsyncDisposableStack();
  let cluster: Cluster;
  let web: ClusterProcess;
  let otherWeb: ClusterProcess;
  beforeAll(async () => {
    cluster = engines.use(await startCluster());
    [web, otherWeb] = await Promise.all([cluster.start("web", { flags }), cluster.start("web", { flags })]);
  }, 600_000);
  afterAll(() => engines.disposeAsync());

  const startWorkers = (count: number, stack: AsyncDisposableStack, more: readonly string[] = []) =>
    Promise.all(
      Array.from({ length: count }, () => startWorker(cluster, stack, { flags: [...flags, ...more] })),
    );
  /** Starts an export of each domain. */
  const startExports = () => Promise.all(domains.map((name) => startExport(web, { domain: name })));
  /** Waits for the final statuses. Each export must then have exactly one bundle, which its link returns. */
  const followAll = async (jobIds: readonly string[]) => {
    const ends: unknown[] = [];
    for (const jobId of jobIds) {
      ends.push((await followExport(otherWeb, jobId)).status);
      const { bundleUrl } = await generateBundle(web, jobId);
      const response = await fetch(bundleUrl);
      await response.body?.cancel();
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/zip"]);
      // Blobs of earlier attempts are removed right after the job is recorded as ended.
      await until(async () => (await listBundles(jobId)).length === 1);
    }
    return ends;
  };
  const listBundles = async (jobId: string) =>
    (await cluster.gateway.list(cluster.bucket)).filter((name) => name.startsWith(`bundles/${jobId}/`));

  test(`are finished by other workers if workers are killed: ${phases.map(([name]) => name).join("; ")}`, async () => {
    await using stack = new AsyncDisposableStack();
    const workers = await startWorkers(phases.length, stack);

    const held = workers.map((worker, index) => phases[index]?.[1](worker));
    const jobIds = await startExports();
    await Promise.all(held);
    await Promise.all(workers.map(({ process }) => process.end("SIGKILL")));
    await startWorkers(2, stack);
    const ends = await followAll(jobIds);

    expect(ends).toEqual(jobIds.map(() => "completed"));
  });

  test.each([
    {
      what: "is cut off from the database while it records the end",
      hold: ({ database }: Worker) => database.holdRequests(recordsEnd),
      leave: ({ database }: Worker) => database.partition(),
      comeBack: ({ database }: Worker) => database.heal(),
    },
    {
      what: "is stopped while it records the end",
      hold: ({ database }: Worker) => database.holdRequests(recordsEnd),
      leave: ({ process }: Worker) => process.signal("SIGSTOP"),
      comeBack: ({ process, database }: Worker) => {
        process.signal("SIGCONT");
        database.heal();
      },
    },
  ])("are not changed any more by a worker that $what", async ({ hold, leave, comeBack }) => {
    await using stack = new AsyncDisposableStack();
    const workers = await startWorkers(2, stack);

    const held = firstHeld(workers, hold);
    const jobId = await startExport(web);
    const zombie = await held;
    leave(zombie);
    const ends = await followAll([jobId]);
    const bundles = await listBundles(jobId);
    comeBack(zombie);
    await Promise.all(
      workers.filter((worker) => worker !== zombie).map(({ process }) => process.end("SIGTERM")),
    );
    // Only the resumed worker is left. It fetches the next job after the first one.
    const next = await startExport(web);
    await followExport(web, next, "running", "completed");
    heal(zombie);

    expect([...ends, ...(await followAll([next, jobId]))]).toEqual(["completed", "completed", "completed"]);
    expect(bundles).toEqual([secondBundleOf(jobId)]);
    expect(await listBundles(jobId)).toEqual(bundles);
  });

  test("are continued by another worker if one exceeds its shutdown deadline", async () => {
    await using stack = new AsyncDisposableStack();
    const workers = await startWorkers(2, stack, ["--drain-seconds", "1"]);

    const held = firstHeld(workers, ({ bucket }) => bucket.holdRequests("PUT /"));
    const jobId = await startExport(web);
    const code = await (await held).process.end("SIGTERM");
    const isBack = await isHandedBack(cluster, jobId);
    const ends = await followAll([jobId]);

    expect({ code, isBack, ends }).toEqual({ code: 0, isBack: true, ends: ["completed"] });
    expect(await listBundles(jobId)).toEqual([secondBundleOf(jobId)]);
  });

  test.each(["web", "worker"] as const)(
    "are no reason for a %s process to stay when the database does not respond",
    { timeout: 40_000 },
    async (role) => {
      await using stack = new AsyncDisposableStack();
      const relay = stack.use(await startRelay(cluster.databaseUrl));
      const drained = [...flags, "--drain-seconds", "0"];
      const stopping = stack.use(await cluster.start(role, { databaseUrl: relay.url, flags: drained }));

      relay.partition();

      expect(await stopping.end("SIGTERM")).toBe(0);
    },
  );

  test("all complete despite outages of the database and the gateway", async () => {
    await using stack = new AsyncDisposableStack();
    const { postgres, gateway } = cluster;
    const workers = await startWorkers(2, stack);

    const held = Promise.all(workers.map(({ bucket }) => bucket.holdRequests("PUT /")));
    const jobIds = await startExports();
    await held;
    await postgres.restart();
    await gateway.kill();
    workers.forEach(heal);
    await gateway.start();
    const ends = await followAll(jobIds);

    expect(ends).toEqual(jobIds.map(() => "completed"));
  });
});

/** Whether the work was handed back to the queue. */
async function isHandedBack({ databaseUrl }: Cluster, jobId: string): Promise<boolean | undefined> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const query =
      "SELECT state = 'retry' OR retry_count > 0 AS is_back FROM docs_platform_jobs.job WHERE data->>'id' = $1";
    const { rows } = await client.query<{ is_back: boolean }>(query, [jobId]);
    return rows[0]?.is_back;
  } finally {
    await client.end();
  }
}
