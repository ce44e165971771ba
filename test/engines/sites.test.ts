import { describe, expect, test } from "vitest";
import type { Storage } from "../../src/server/base/storage.ts";
import { openClusterStorage } from "../../src/server/cluster/cluster-storage.ts";
import { createSites, readIndex, secret, signal } from "../server/sources/sites-fixture.ts";
import { until } from "../server/test-platform.ts";
import { createRecordingLog } from "../support/recording-log.ts";
import { sharedGateway } from "./gateway.ts";
import { startPostgres } from "./postgres.ts";

describe("sites of git repositories, on Postgres", () => {
  test("concurrently started processes agree on the commit, even after a push", async () => {
    await using stack = new AsyncDisposableStack();
    const postgres = stack.use(await startPostgres());
    const gateway = await sharedGateway();
    const { endpoint, region, accessKeyId, secretAccessKey } = gateway;
    const place = { bucket: `s3://${await gateway.createBucket()}/platform`, endpoint, region };
    const bucket = { ...place, accessKeyId, secretAccessKey, linkLifetimeMs: 60_000 };
    const [databaseUrl, log] = [await postgres.createDatabase(), createRecordingLog()];
    const openStorage = async (): Promise<Storage> => {
      const options = { databaseUrl, bucket, drainMs: 0 };
      return stack.use(await openClusterStorage(options, { now: Date.now, log }));
    };
    const sites = stack.use(await createSites({}, openStorage));
    const processes = await Promise.all(["one", "two", "three"].map((name) => sites.open(name)));
    for (const process of processes) stack.use(process);
    const readAll = () => Promise.all(processes.map(({ documents }) => documents.readRevision(signal)));

    const before = await readAll();
    const newer = await sites.remote.commit({ files: { "docs/index.md": "second" } });
    const body = JSON.stringify({ ref: "refs/heads/main" });
    const pushed = await processes[0]?.send({ headers: { "x-gitlab-token": secret }, body });
    const after = await until(
      () => {
        sites.clock.now += 2000;
        return readAll();
      },
      (commits) => commits.every((commit) => commit === newer),
    );

    expect(before).toEqual(processes.map(() => sites.commit));
    expect(pushed?.status).toBe(202);
    expect(after).toEqual(processes.map(() => newer));
    for (const { documents } of processes) expect(await readIndex(documents)).toBe("second");
    expect(await sites.records.list()).toHaveLength(1);
    expect([...log.lines, ...sites.log.lines].filter((line) => line.startsWith("warning"))).toEqual([]);
  }, 600_000);
});
