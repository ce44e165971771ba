import { writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { messageOf } from "../../src/base/text.ts";
import { type Storage, StorageUnavailableError } from "../../src/server/base/storage.ts";
import { openBucket } from "../../src/server/cluster/bucket.ts";
import { openClusterStorage } from "../../src/server/cluster/cluster-storage.ts";
import { inTransaction, migrate, openPool, whileAvailable } from "../../src/server/cluster/database.ts";
import { createMetrics } from "../../src/server/cluster/metrics.ts";
import { describeStorage } from "../server/base/storage-contract.ts";
import { until } from "../server/test-platform.ts";
import { startHttpServer } from "../support/http-server.ts";
import { listen } from "../support/listen.ts";
import { createRecordingLog } from "../support/recording-log.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { sharedGateway } from "./gateway.ts";
import { type Postgres, startPostgres } from "./postgres.ts";
import { startRelay } from "./relay.ts";

/** A new database and bucket, which any number of storages can open. */
async function createState(postgres: Postgres) {
  const gateway = await sharedGateway();
  const { endpoint, region, accessKeyId, secretAccessKey } = gateway;
  const place = { bucket: `s3://${await gateway.createBucket()}/platform`, endpoint, region };
  const bucket = { ...place, accessKeyId, secretAccessKey, linkLifetimeMs: 60_000 };
  const databaseUrl = await postgres.createDatabase();
  const [clock, log] = [{ now: Date.now() }, createRecordingLog()];
  const open = (url = databaseUrl) =>
    openClusterStorage({ databaseUrl: url, bucket, drainMs: 0 }, { now: () => clock.now, log });
  return { databaseUrl, gateway, clock, log, open };
}

describeStorage("Postgres and a bucket", async () => {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(await startPostgres());
  const { clock, log, open } = await createState(postgres);
  // At the same time, like replicas: both migrate the tables.
  let storages = await Promise.all([open(), open()]);
  const close = async () => {
    for (const storage of storages) await storage[Symbol.asyncDispose]();
  };
  stack.defer(close);
  const owned = stack.move();
  return {
    storages: () => storages,
    async restart() {
      await close();
      storages = await Promise.all([open(), open()]);
    },
    clock,
    warnings: () => log.lines.filter((line) => line.startsWith("warning: ")),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
});

const bucketKeys = {
  bucket: "s3://docs",
  region: "us-east-1",
  accessKeyId: "TESTS",
  secretAccessKey: "secret",
  linkLifetimeMs: 60_000,
};

const Counter = z.object({ createdAt: z.string(), count: z.number() });
const zero = { createdAt: "2026-01-01T00:00:00Z", count: 0 };

describe("storage in Postgres and a bucket during failures", () => {
  beforeAll(() => sharedGateway(), 600_000);

  test("fails to start without the bucket, with a hint", async () => {
    await using postgres = await startPostgres();
    const bucket = { ...bucketKeys, endpoint: "http://127.0.0.1:9" };
    const options = { databaseUrl: postgres.url, bucket, drainMs: 0 };
    await expect(
      openClusterStorage(options, { now: Date.now, log: createRecordingLog() }),
    ).rejects.toMatchObject({
      code: "unavailable",
      hint: expect.stringMatching(/^Check --bucket, --bucket-endpoint, .*clock\.$/),
    });
  });

  async function start() {
    await using stack = new AsyncDisposableStack();
    const postgres = stack.use(await startPostgres());
    const state = await createState(postgres);
    const storage = stack.use(await state.open());
    const owned = stack.move();
    return { ...state, postgres, storage, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  }

  test.each([
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "unable to verify the first certificate", /NODE_EXTRA_CA_CERTS/],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "Hostname/IP does not match", /must name the host/],
    ["28000", 'pg_hba.conf rejects user "docs", no encryption', /sslmode=verify-full/],
    [undefined, "The server does not support SSL connections", /sslmode=disable/],
    ["42501", "permission denied for database docs", /permission to create schemas/],
  ])("fails to start with a hint: %s", async (code, message, hint) => {
    const connect = () => Promise.reject(Object.assign(new Error(message), { code }));
    await expect(migrate({ connect } as unknown as pg.Pool)).rejects.toMatchObject({
      message: `The database cannot be used: ${message}`,
      hint: expect.stringMatching(hint),
    });
  });

  test("applies each change once and runs its work across restarts of the database", async () => {
    await using state = await start();
    const records = await state.storage.records("counters", Counter);
    const worked = new Set<string>();
    const worker = { queue: "counters", concurrency: 2, findUnfinished: async () => [] };
    await using _working = await state.storage.startWork(worker, async (id) => void worked.add(id));

    let isOver = false;
    const made: string[] = [];
    const changeUntilOver = async (lane: number) => {
      for (let index = 0; !isOver; index += 1) {
        const id = `record-${lane}-${index}`;
        await records.put(id, zero, { queue: "counters", key: id, group: `group-${lane}` });
        await records.update(id, ({ count, ...rest }) => ({ ...rest, count: count + 1 }));
        made.push(id);
      }
    };
    const changes = Promise.all([0, 1, 2, 3].map(changeUntilOver));
    for (let restarts = 0; restarts < 5; restarts += 1) {
      const before = made.length;
      await state.postgres.restart();
      await until(() => made.length > before);
    }
    isOver = true;
    await changes;

    const counts = (await records.list()).map(({ count }) => count);
    expect(counts).toEqual(made.map(() => 1));
    await until(() => made.filter((id) => !worked.has(id)).length === 0);
  });

  test("applies a change once if its response is lost", async () => {
    await using state = await start();
    await using relay = await startRelay(state.databaseUrl);
    await using storage: Storage = await state.open(relay.url);
    const records = await storage.records("counters", Counter);
    await records.put("one", zero);
    const addOne = ({ count, ...rest }: z.infer<typeof Counter>) => ({ ...rest, count: count + 1 });
    const work = { queue: "counters", key: "one", group: "all" };

    relay.loseAnswerTo("UPDATE docs_platform.records");
    const rolledBack = await records.update("one", addOne);
    relay.loseAnswerTo("COMMIT");
    const alone = await records.update("one", addOne);
    relay.loseAnswerTo("COMMIT");
    const withWork = await records.update("one", addOne, work);

    expect([rolledBack.count, alone.count, withWork.count]).toEqual([1, 2, 3]);
    expect(await records.get("one")).toEqual({ ...zero, count: 3 });
  });

  test("applies a change once if its response is lost and the record changes meanwhile", async () => {
    await using state = await start();
    await using relay = await startRelay(state.databaseUrl);
    await using storage: Storage = await state.open(relay.url);
    const [records, others] = [
      await storage.records("counters", Counter),
      await state.storage.records("counters", Counter),
    ];
    await records.put("one", zero);
    const addOne = ({ count, ...rest }: z.infer<typeof Counter>) => ({ ...rest, count: count + 1 });

    relay.loseAnswerTo("COMMIT");
    const committed = relay.holdAnswers("COMMIT");
    const changed = records.update("one", addOne);
    await committed;
    await others.update("one", addOne);
    relay.heal();

    expect((await changed).count).toBe(1);
    expect(await others.get("one")).toEqual({ ...zero, count: 2 });
  });

  test("retries a change while the database is read-only, as during a failover", async () => {
    await using state = await start();
    const records = await state.storage.records("counters", Counter);
    await records.put("one", zero);
    const client = new pg.Client(state.databaseUrl);
    await client.connect();
    const name = new URL(state.databaseUrl).pathname.slice(1);
    const setting = `ALTER DATABASE ${name} SET default_transaction_read_only`;
    const others = "datname = current_database() AND pid <> pg_backend_pid()";

    await client.query(`${setting} = on`);
    await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${others}`);
    const changed = [
      records.update("one", ({ count, ...rest }) => ({ ...rest, count: count + 1 })),
      records.put("two", zero, { queue: "counters", key: "two", group: "all" }),
    ];
    const statistics = "SELECT xact_rollback::int AS refused FROM pg_stat_database WHERE datname = $1";
    await until(
      async () => (await client.query<{ refused: number }>(statistics, [name])).rows,
      ([row]) => (row?.refused ?? 0) >= changed.length,
    );
    await client.query("SET default_transaction_read_only = off");
    await client.query(`${setting} = off`);
    await client.end();

    expect((await Promise.all(changed)).map(({ count }) => count)).toEqual([1, 0]);
  });

  test("is unavailable while the database refuses its user, as during a change of the password", async () => {
    await using state = await start();
    const records = await state.storage.records("counters", Counter);
    await records.put("one", zero);
    const client = new pg.Client(state.databaseUrl);
    await client.connect();

    await client.query("ALTER ROLE postgres NOLOGIN");
    await client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()",
    );
    await expect(records.get("one")).rejects.toThrow(StorageUnavailableError);
    await client.query("ALTER ROLE postgres LOGIN");
    await client.end();

    expect(await records.get("one")).toEqual(zero);
  });

  test("reports an unresponsive database within seconds, and recovers", async () => {
    await using state = await start();

    await state.postgres.pause();
    const problem = await state.storage.findProblem();
    const measured = await state.storage.measureWork().catch(messageOf);
    await state.postgres.resume();

    expect(measured).toBe("no response in 3000 ms");
    expect(problem).toBe("The database cannot be used.");
    expect(await state.storage.findProblem()).toBeUndefined();
  });

  test("warns once of a database that is away", async () => {
    await using state = await start();
    const worker = { queue: "counters", concurrency: 2, findUnfinished: async () => [] };
    await using _working = await state.storage.startWork(worker, async () => undefined);

    await state.postgres.kill();
    const problems = await until(
      async () => state.log.lines.filter((line) => line.includes("Job queue: ")),
      ({ length }) => length > 10,
    );

    expect(problems.filter((line) => !line.startsWith("debug: "))).toEqual([
      expect.stringMatching(/^warning: /),
    ]);
    await state.postgres.start();
  });

  test("measures no age of the queues while the database is unavailable", async () => {
    const read = async (measureWork: () => Promise<never[]>) => {
      const response = await createMetrics(measureWork).routes.request("/metrics");
      return (await response.text()).match(/^docs_platform_queue_age_seconds.*/gm)?.length ?? 0;
    };

    expect(await read(async () => [])).toBe(2);
    expect(await read(() => Promise.reject(new Error("away")))).toBe(0);
  });

  test("shares one health check among concurrent requests", async () => {
    await using state = await start();
    await using bucket = await startHttpServer(() => new Response("<ListBucketResult/>"));
    await using storage = await openClusterStorage(
      {
        databaseUrl: state.databaseUrl,
        bucket: { ...bucketKeys, endpoint: bucket.url },
        drainMs: 0,
      },
      { now: Date.now, log: state.log },
    );
    const before = bucket.requests.length;

    const problems = await Promise.all(Array.from({ length: 100 }, () => storage.findProblem()));

    expect(problems.every((problem) => problem === undefined)).toBe(true);
    expect(bucket.requests.length - before).toBe(1);
  });

  test("takes jobs again after its connections stopped responding", async () => {
    await using state = await start();
    await using relay = await startRelay(state.databaseUrl);
    // A parameter of the address has precedence over the program's own timeout.
    await using storage: Storage = await state.open(`${relay.url}?query_timeout=2000`);
    const records = await state.storage.records("counters", Counter);
    const worked = Promise.withResolvers<string>();
    const worker = { queue: "counters", concurrency: 1, findUnfinished: async () => [] };
    await using _working = await storage.startWork(worker, async (id) => worked.resolve(id));

    relay.hang();
    await records.put("one", zero, { queue: "counters", key: "one", group: "all" });

    expect(await worked.promise).toBe("one");
    relay.heal();
  });

  test("survives a connection that ends in the moment in which it is ready", async () => {
    const message = (type: string, body: string) =>
      Buffer.concat([Buffer.from([type.charCodeAt(0), 0, 0, 0, body.length + 4]), Buffer.from(body)]);
    const ready = message("Z", "I");
    const ended = message("E", "SFATAL\0C57P01\0Mterminating connection\0\0");
    let connections = 0;
    const engine = createServer((socket) => {
      connections += 1;
      const isFirst = connections === 1;
      const accepted = Buffer.concat([message("R", "\0\0\0\0"), ready, ...(isFirst ? [ended] : [])]);
      socket.once("data", () => {
        socket.write(accepted);
        if (isFirst) socket.end();
        socket.on("data", () => socket.write(Buffer.concat([message("C", "DONE\0"), ready])));
      });
    });
    await using server = await listen(engine);
    const log = createRecordingLog();
    const pool = openPool(`postgres://docs@127.0.0.1:${server.port}/docs`, 1, log);

    const result = await whileAvailable(log, () => inTransaction(pool, async () => "done"));
    await pool.end();

    expect([result, connections]).toEqual(["done", 2]);
  });

  test("does not wait for the rollback of a connection that does not respond", async () => {
    const statements: string[] = [];
    const client = {
      on: () => undefined,
      off: () => undefined,
      query: async (statement: string) => void statements.push(statement),
      release: (error?: Error) => void statements.push(`release: ${error?.message}`),
    };
    const pool = { connect: async () => client } as unknown as pg.Pool;
    const timeout = new Error("Query read timeout");

    await expect(inTransaction(pool, () => Promise.reject(timeout))).rejects.toBe(timeout);

    expect(statements).toEqual(["BEGIN", "release: Query read timeout"]);
  });

  test.each([
    ["a stalled upload", 400, "RequestTimeout"],
    ["another upload at the same time", 409, "OperationAborted"],
    ["a wrong clock", 403, "RequestTimeTooSkewed"],
  ])("repeats a request to the bucket after %s", async (_reason, status, code) => {
    await using server = await startHttpServer(() => {
      if (server.requests.length > 1) return new Response("the text");
      return new Response(`<Error><Code>${code}</Code></Error>`, { status });
    });
    const { blobs } = openBucket({ ...bucketKeys, endpoint: server.url }, Date.now);

    expect(await blobs.read("report.json")).toBe("the text");
  });

  test("fails if the bucket's storage does not support what the platform needs", async () => {
    const error = "<Error><Code>NotImplemented</Code></Error>";
    await using server = await startHttpServer(() => new Response(error, { status: 501 }));
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "bundle.zip");
    await writeFile(path, "some bytes");
    const { blobs } = openBucket({ ...bucketKeys, endpoint: server.url }, Date.now);

    const published = blobs.publish("bundle.zip", path, new AbortController().signal);

    await expect(published).rejects.toMatchObject({
      code: "rejected",
      message: "Object storage responded with 501 NotImplemented",
    });
    expect(server.requests).toHaveLength(1);
  });

  test("repeats a request to the bucket after a response that is cut off", async () => {
    let requests = 0;
    const bucket = createHttpServer((_request, response) => {
      requests += 1;
      if (requests > 1) return response.end("the text");
      response.writeHead(200, { "content-length": "8" });
      return response.write("the", () => response.destroy());
    });
    await using server = await listen(bucket);
    const { blobs } = openBucket({ ...bucketKeys, endpoint: server.url }, Date.now);

    const text = await blobs.read("report.json");

    expect(text).toBe("the text");
  });

  test("publishes a blob after an outage of the bucket", async () => {
    await using state = await start();
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "bundle.zip");
    await writeFile(path, "some bytes");

    await state.gateway.kill();
    const problem = await state.storage.findProblem();
    const published = state.storage.blobs.publish("bundle.zip", path, new AbortController().signal);
    await state.gateway.start();
    await published;

    expect(problem).toBe("The bucket cannot be used.");
    expect(String(await state.storage.blobs.read("bundle.zip"))).toBe("some bytes");
    expect(await state.storage.findProblem()).toBeUndefined();
  });
});
