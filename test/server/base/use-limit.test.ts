import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { openFileStorage } from "../../../src/server/base/file-storage.ts";
import type { ApiError } from "../../../src/server/base/http.ts";
import { openFileRecords } from "../../../src/server/base/records.ts";
import type { Records, Storage, UseLimit } from "../../../src/server/base/storage.ts";
import { createUseLimit, UseRecord } from "../../../src/server/base/use-limit.ts";
import { createRecordingLog } from "../../support/recording-log.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { createRepository, idleAgent, startAgentPlatform } from "../agents/agent-platform.ts";
import { startTestPlatform } from "../test-platform.ts";

const windowMs = 3_600_000;

/** The seconds of `Retry-After`; `undefined` if the use was allowed. */
const tryUse = (limit: UseLimit, key: string) =>
  limit.use(key, "used up").then(
    () => undefined,
    (error: ApiError) => Number(error.headers["retry-after"]),
  );

/** Records in memory. */
function createRecords(onWrite: (record: UseRecord) => void = () => undefined): Records<UseRecord> {
  const fail = async () => Promise.reject(new Error("A limit does not use this."));
  const records = new Map<string, UseRecord>();
  return {
    list: async () => [],
    async upsert(id, change) {
      const record = change(records.get(id));
      records.set(id, record);
      onWrite(record);
      return record;
    },
    remove: fail,
    get: fail,
    put: fail,
    update: fail,
  };
}

describe("a rate limit", () => {
  test("forgets uses that were counted while the clock was wrong", async () => {
    const realTime = Date.UTC(2026, 0, 1);
    let now = realTime + 1000 * windowMs;
    const limit = createUseLimit(createRecords(), 1, windowMs, () => now);
    await limit.use("a", "used up");

    now = realTime;

    expect([await tryUse(limit, "a"), await tryUse(limit, "a")]).toEqual([undefined, 3600]);
  });

  test("never allows more uses in any window, and allows a use after `Retry-After`", async () => {
    const pauses = fc.array(fc.tuple(fc.integer({ min: 0, max: windowMs / 3 }), fc.constantFrom("a", "b")), {
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 6 }), pauses, async (most, steps) => {
        let now = 0;
        const limit = createUseLimit(createRecords(), most, windowMs, () => now);
        const allowed: Record<string, number[]> = { a: [], b: [] };
        for (const [pause, key] of steps) {
          now += pause;
          const wait = await tryUse(limit, key);
          const allowedWithin = (ms: number) => allowed[key]?.filter((at) => at > now - ms).length;
          if (wait === undefined) expect(allowedWithin(windowMs)).toBeLessThan(most);
          // Uses that are stored as one entry can count slightly longer.
          else expect(allowedWithin(windowMs * (1 + 1 / 500))).toBeGreaterThanOrEqual(most);
          if (wait !== undefined) now += wait * 1000;
          if (wait !== undefined) expect(await tryUse(limit, key)).toBeUndefined();
          allowed[key]?.push(now);
        }
      }),
    );
  });

  test("counts uses from before a restart, removes old ones, and stores no address", async () => {
    await using folder = await createTemporaryFolder();
    let now = Date.parse("2026-01-01");
    const open = () => openFileRecords(folder.path, UseRecord, createRecordingLog(), () => undefined);
    const restart = async () => createUseLimit(await open(), 3, windowMs, () => now);
    const address = "203.0.113.7";

    const before = await restart();
    await before.use(address, "");
    now += 60_000;
    await Promise.all([before.use(address, ""), before.use("198.51.100.1", "")]);
    now += 60_000;
    const after = await restart();
    await after.use(address, "");
    const wait = await tryUse(await restart(), address);
    const files = await readdir(folder.path);
    const texts = await Promise.all(files.map((name) => readFile(join(folder.path, name), "utf8")));
    now += 2 * windowMs;
    const later = await restart();
    await later.use("192.0.2.1", "");

    expect(wait).toBe(windowMs / 1000 - 120);
    expect(files).toHaveLength(2);
    expect(`${files.join()} ${texts.join()}`).not.toMatch(/203\.0|198\.51/);
    expect(await readdir(folder.path)).toHaveLength(1);
  });

  test("stores no more for ten thousand uses than for a few hundred", async () => {
    let now = 0;
    let kept = 0;
    const records = createRecords(({ uses }) => {
      kept = Math.max(kept, uses.length);
    });
    const limit = createUseLimit(records, 10_000, windowMs, () => now);
    for (let use = 0; use < 10_000; use += 1, now += windowMs / 10_001) await limit.use("a", "");
    expect(await tryUse(limit, "a")).toBeGreaterThan(0);
    expect(kept).toBeLessThanOrEqual(501);
  });
});

/** Opens file storage in a folder, whose limits are opened by another function. */
const clusterWith = (path: string, change: (storage: Storage) => Storage["openUseLimit"]) => async () => {
  const links = { lifetimeMs: windowMs, publicUrl: () => "", now: Date.now };
  const storage = await openFileStorage(path, links, createRecordingLog());
  const observer = { request: () => undefined, job: () => undefined, answer: () => undefined };
  return { storage: { ...storage, openUseLimit: change(storage) }, observer, routes: new Hono() };
};

// Specification §8.
test("a platform has the limits of the specification by default", async () => {
  const [hour, day] = [3_600_000, 86_400_000];
  await using folder = await createTemporaryFolder();
  const limits: Record<string, readonly number[]> = {};
  const openCluster = clusterWith(folder.path, (storage) => (name, limit, windowMs) => {
    limits[name] = [limit, windowMs];
    return storage.openUseLimit(name, limit, windowMs);
  });
  await using repository = await createRepository();
  const agent = { repository: repository.root, command: idleAgent };
  await using _platform = await startAgentPlatform(agent, {}, { openCluster });
  expect(limits).toEqual({
    "agent-uses": [100, hour],
    "assistant/uses/organization": [10_000, hour],
    "assistant/uses/address": [10_000, day],
  });
});

test("a response to an unexpected error does not show it; the log does", async () => {
  await using folder = await createTemporaryFolder();
  const use = async () => Promise.reject(new Error("a detail of the inside"));
  const openCluster = clusterWith(folder.path, () => async () => ({ use }));
  await using platform = await startTestPlatform({}, { openCluster });
  const response = await platform.send("/discovery/v1/assistant/docs.example.com/message", {
    method: "POST",
    key: platform.assistantKey,
    json: {},
  });
  expect(response.status).toBe(500);
  const error = "The platform failed to process this request; its log has the reason.";
  expect(await response.json()).toEqual({ error });
  expect(platform.warnings).toEqual([expect.stringContaining("a detail of the inside")]);
});
