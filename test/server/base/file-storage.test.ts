import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { openFileStorage } from "../../../src/server/base/file-storage.ts";
import { type Storage, StorageUnavailableError } from "../../../src/server/base/storage.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { startHttpServer } from "../../support/http-server.ts";
import { createRecordingLog } from "../../support/recording-log.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { describeStorage } from "./storage-contract.ts";

describeStorage("files", async () => {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTemporaryFolder());
  const [clock, log] = [{ now: Date.now() }, createRecordingLog()];
  let storage: Storage;
  const server = stack.use(
    await startHttpServer(
      async (request) => (await storage.blobs.routes?.fetch(request)) ?? new Response(null, { status: 501 }),
    ),
  );
  const links = { lifetimeMs: 60_000, publicUrl: () => server.url, now: () => clock.now };
  const open = async () => {
    storage = await openFileStorage(folder.path, links, log);
  };
  await open();
  stack.defer(() => storage[Symbol.asyncDispose]());
  const owned = stack.move();
  return {
    storages: () => [storage, storage] as const,
    async restart() {
      await storage[Symbol.asyncDispose]();
      await open();
    },
    clock,
    warnings: () => log.lines.filter((line) => line.startsWith("warning: ")),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
});

test("work whose record cannot be written is done again when there is space", async () => {
  await using folder = await createTemporaryFolder();
  const clock = createFakeClock();
  const links = { lifetimeMs: 60_000, publicUrl: () => "http://localhost", now: clock.now };
  await using storage = await openFileStorage(folder.path, links, createRecordingLog(), clock);
  const work = { id: "job", queue: "exports", key: "job", group: "site" };
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const failures = [new StorageUnavailableError("full"), new StorageUnavailableError("full")];
  const run = async () => {
    const failure = failures.pop();
    if (failure) throw failure;
    resolve();
  };

  await storage.startWork({ queue: "exports", concurrency: 1, findUnfinished: async () => [work] }, run);
  await done;

  expect(clock.waits).toEqual([30_000, 30_000]);
});

test("two works on one record run one after the other", async () => {
  await using folder = await createTemporaryFolder();
  const links = { lifetimeMs: 60_000, publicUrl: () => "http://localhost", now: Date.now };
  await using storage = await openFileStorage(folder.path, links, createRecordingLog());
  const works = ["one", "other"].map((key) => ({ id: "job", queue: "agents", key, group: "project" }));
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const seen: string[] = [];
  const run = async () => {
    seen.push("start");
    await nextTurn();
    if (seen.push("end") === 4) resolve();
  };

  await storage.startWork({ queue: "agents", concurrency: 2, findUnfinished: async () => works }, run);
  await done;

  expect(seen).toStrictEqual(["start", "end", "start", "end"]);
});
