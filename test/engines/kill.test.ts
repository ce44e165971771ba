import { beforeAll, describe, expect, test } from "vitest";
import { followExport, generateBundle, startExport } from "../server/exports/export-platform.ts";
import { sharedGateway } from "./gateway.ts";
import { type Cluster, type ClusterProcess, startCluster } from "./processes.ts";
import { type Relay, startRelay } from "./relay.ts";

interface Worker {
  readonly process: ClusterProcess;
  readonly relay: Relay;
}

/** Two replicas of each role; workers reach the bucket by a relay each. */
async function startReplicas(cluster: Cluster, stack: AsyncDisposableStack) {
  const startWorker = async (): Promise<Worker> => {
    const relay = stack.use(await startRelay(cluster.gateway.endpoint));
    return { relay, process: await cluster.start("worker", { endpoint: relay.url }) };
  };
  const [web, otherWeb, ...workers] = await Promise.all([
    cluster.start("web"),
    cluster.start("web"),
    startWorker(),
    startWorker(),
  ]);
  return { web, otherWeb, workers };
}

/** The worker whose upload has begun and does not get on; the other one's will. */
async function holdUpload(workers: readonly Worker[]): Promise<Worker> {
  const held = await Promise.race(
    workers.map(async (worker) => {
      await worker.relay.holdRequest("PUT /");
      return worker;
    }),
  );
  for (const { relay } of workers.filter((worker) => worker !== held)) relay.heal();
  return held;
}

async function expectOneBundle({ gateway, bucket }: Cluster, web: ClusterProcess, jobId: string) {
  const { bundleUrl } = await generateBundle(web, jobId);
  const response = await fetch(bundleUrl);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/zip"]);
  await response.body?.cancel();
  expect(await gateway.list(bucket)).toEqual([`bundles/${jobId}/2.zip`]);
}

// A worker is taken for dead when it was not heard of for ten seconds.
describe("an export on two web replicas and two workers", { timeout: 120_000 }, () => {
  beforeAll(() => sharedGateway(), 600_000);

  test("is finished by the other worker when one is killed in its upload", async () => {
    await using stack = new AsyncDisposableStack();
    const cluster = stack.use(await startCluster());
    const { web, otherWeb, workers } = await startReplicas(cluster, stack);

    const held = holdUpload(workers);
    const jobId = await startExport(web);
    await (await held).process.end("SIGKILL");
    const { status } = await followExport(otherWeb, jobId);

    expect(status).toBe("completed");
    await expectOneBundle(cluster, otherWeb, jobId);
  });

  test("keeps its bundle when a worker that was stopped past its lease goes on", async () => {
    await using stack = new AsyncDisposableStack();
    const cluster = stack.use(await startCluster());
    const { web, otherWeb, workers } = await startReplicas(cluster, stack);

    const upload = holdUpload(workers);
    const jobId = await startExport(web);
    const zombie = await upload;
    zombie.process.signal("SIGSTOP");
    const { status } = await followExport(otherWeb, jobId);
    zombie.process.signal("SIGCONT");
    zombie.relay.heal();
    await zombie.process.waitFor(/is not worked on any further here/);

    expect(status).toBe("completed");
    expect((await followExport(web, jobId)).status).toBe("completed");
    await expectOneBundle(cluster, otherWeb, jobId);
  });
});
