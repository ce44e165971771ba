import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { verifyArriving } from "../../src/bundle/verify.ts";
import { buildBundle, buildTar, buildTarGz, buildZip } from "../support/archives.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { setUpArchive } from "./archive-setup.ts";

describe("readArchive", () => {
  it.each([
    { content: "", named: "empty (0 bytes)" },
    {
      content: "  <!DOCTYPE html><html><head><title>Sign in to Proxy</title>",
      named: "an HTML page",
    },
    { content: "<html>502</html>", named: "an HTML page" },
    {
      content: '\uFEFF<?xml version="1.0"?><Error><Code>AccessDenied</Code>',
      named: "an XML document (AccessDenied)",
    },
    { content: '{"error":"not found"}', named: "a JSON document" },
    { content: "upstream connect error", named: "plain text" },
    { content: buildTar([{ name: "a", body: "b" }]), named: "an uncompressed tar archive" },
    { content: Buffer.from([0, 1, 2, 3]), named: "unknown data" },
  ])("names what is no archive: $named", async ({ content, named }) => {
    await using setup = await setUpArchive(Buffer.from(content));

    await expect(setup.verify()).rejects.toMatchObject({
      code: "bundle-corrupt",
      message: `The bundle is ${named}, not a zip or tar.gz archive.`,
    });
  });

  it.each([
    { format: "zip", archive: buildZip([]) },
    { format: "tar.gz", archive: buildTarGz([]) },
  ])("says that an empty $format has no files, rather than that it is damaged", async ({ archive }) => {
    await using setup = await setUpArchive(archive);

    await expect(setup.verify()).rejects.toThrow("The archive holds no files.");
  });

  it("stops when aborted", async () => {
    const reason = new Error("cancelled");
    await using setup = await setUpArchive(buildBundle(1000), AbortSignal.abort(reason));

    await expect(setup.verify()).rejects.toBe(reason);
  });
});

/** A bundle that is large enough for a worker thread, and of which no byte arrives. */
async function startVerification(signal: AbortSignal) {
  const folder = await createTemporaryFolder();
  const path = join(folder.path, "bundle");
  await writeFile(path, "");
  const total = 1024 ** 3;
  const asked = Promise.withResolvers<void>();
  const available = async () => {
    asked.resolve();
    await once(signal, "abort");
    throw signal.reason;
  };
  const started = once(process, "worker");
  const task = { path, total, checksums: [], sizeBytes: undefined, maxBytes: total };
  const verification = verifyArriving(task, { size: async () => total, available }, signal);
  verification.catch(() => undefined);
  const [thread] = (await started) as [Worker];
  await asked.promise;
  return { thread, verification, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe("verifyArriving", () => {
  it("does not end the process if its thread fails while it is being terminated", async () => {
    const [controller, reason] = [new AbortController(), new Error("cancelled")];
    await using setup = await startVerification(controller.signal);
    const { thread, verification } = setup;
    const lateErrors: boolean[] = [];
    thread.once("exit", () => lateErrors.push(thread.emit("error", new Error("out of memory"))));
    const exit = new Promise((resolve) => thread.once("exit", resolve));

    controller.abort(reason);

    await expect(verification).rejects.toBe(reason);
    expect(lateErrors).toEqual([true]);
    // A terminated thread has the exit code 1, and could end the process while it creates a decompressor.
    expect(await exit).toBe(0);
  });
});
