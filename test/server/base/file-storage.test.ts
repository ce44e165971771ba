import { openFileStorage } from "../../../src/server/base/file-storage.ts";
import type { Storage } from "../../../src/server/base/storage.ts";
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
