import { hash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { openFileStorage } from "../../../src/server/base/file-storage.ts";
import type { ApiError } from "../../../src/server/base/http.ts";
import type { Dated, Records, Storage } from "../../../src/server/base/storage.ts";
import { openUseLimit, type UseLimit } from "../../../src/server/base/use-limit.ts";
import { createRecordingLog } from "../../support/recording-log.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { createRepository, idleAgent, startAgentPlatform } from "../agents/agent-platform.ts";
import { startTestPlatform } from "../test-platform.ts";

const windowMs = 3_600_000;
const links = { lifetimeMs: windowMs, publicUrl: () => "", now: Date.now };

const runOnce = (work: () => Promise<void>) => work();

/** The seconds of `Retry-After`; `undefined` if the use was allowed. */
const tryUse = (limit: UseLimit, key: string) =>
  limit.use(key, "used up").then(
    () => undefined,
    (error: ApiError) => Number(error.headers["retry-after"]),
  );

interface UseRecord {
  readonly uses: readonly unknown[];
}

/** Opens a limit whose records are in memory. */
function openLimit(
  limit: number,
  now: () => number,
  onWrite: (record: UseRecord) => void = () => undefined,
): Promise<UseLimit> {
  const stored = new Map<string, Dated>();
  const records = async <Value extends Dated>() => {
    const upsert: Records<Value>["upsert"] = async (id, change) => {
      const record = change(stored.get(id) as Value | undefined);
      stored.set(id, record);
      onWrite(record as unknown as UseRecord);
      return record;
    };
    return { list: async () => [], upsert } as Partial<Records<Value>> as Records<Value>;
  };
  return openUseLimit(
    { storage: { records } as Partial<Storage> as Storage, now, everyHour: runOnce },
    "uses",
    limit,
    windowMs,
  );
}

describe("a rate limit", () => {
  test("forgets uses that were counted while the clock was wrong", async () => {
    const realTime = Date.UTC(2026, 0, 1);
    let now = realTime + 1000 * windowMs;
    const limit = await openLimit(1, () => now);
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
        const limit = await openLimit(most, () => now);
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
    const restart = async () => {
      const storage = await openFileStorage(folder.path, links, createRecordingLog());
      return openUseLimit({ storage, now: () => now, everyHour: runOnce }, "uses", 3, windowMs);
    };
    const uses = join(folder.path, "uses");
    const address = "203.0.113.7";

    const before = await restart();
    await before.use(address, "");
    now += 60_000;
    await Promise.all([before.use(address, ""), before.use("198.51.100.1", "")]);
    now += 60_000;
    const after = await restart();
    await after.use(address, "");
    const wait = await tryUse(await restart(), address);
    const files = await readdir(uses);
    const texts = await Promise.all(files.map((name) => readFile(join(uses, name), "utf8")));
    now += 2 * windowMs;
    await restart();

    expect(wait).toBe(windowMs / 1000 - 120);
    expect(files).toHaveLength(2);
    expect(`${files.join()} ${texts.join()}`).not.toMatch(/203\.0|198\.51/);
    expect(await readdir(uses)).toEqual([]);
  });

  test("removes old uses every hour, also those of addresses that never return", async () => {
    await using folder = await createTemporaryFolder();
    let now = Date.UTC(2026, 0, 1);
    const storage = await openFileStorage(folder.path, links, createRecordingLog());
    const hourly: (() => Promise<void>)[] = [];
    const everyHour = async (work: () => Promise<void>) => void hourly.push(work);
    const limit = await openUseLimit({ storage, now: () => now, everyHour }, "uses", 3, windowMs);
    await limit.use("old", "");
    now += windowMs / 2;
    await limit.use("new", "");
    now += windowMs / 2 + 1;

    for (const work of hourly) await work();

    const kept = `${hash("sha256", "new", "base64url")}.json`;
    expect(await readdir(join(folder.path, "uses"))).toEqual([kept]);
  });

  test("stores no more for ten thousand uses than for a few hundred", async () => {
    let now = 0;
    let kept = 0;
    const onWrite = ({ uses }: UseRecord) => {
      kept = Math.max(kept, uses.length);
    };
    const limit = await openLimit(10_000, () => now, onWrite);
    for (let use = 0; use < 10_000; use += 1, now += windowMs / 10_001) await limit.use("a", "");
    expect(await tryUse(limit, "a")).toBeGreaterThan(0);
    expect(kept).toBeLessThanOrEqual(501);
  });
});

// Specification §8.
test("a platform has the limits of the specification by default", async () => {
  const [hour, day] = [3_600_000, 86_400_000];
  await using data = await createTemporaryFolder();
  await writeFile(join(data.path, "lock"), "");
  /** Writes uses that leave the window after some minutes. */
  const writeUses = async (name: string, key: string, count: number, endsAfter: number, limitMs: number) => {
    const id = hash("sha256", key, "base64url");
    await mkdir(join(data.path, name), { recursive: true });
    const uses = [[Date.now() - limitMs + endsAfter * 60_000, count]];
    const record = { id, createdAt: new Date().toISOString(), uses };
    await writeFile(join(data.path, name, `${id}.json`), JSON.stringify(record));
  };
  await writeUses("agent-uses", "docs", 99, 5, hour);
  await writeUses("assistant/uses/organization", "organization", 9_999, 5, hour);
  await writeUses("assistant/uses/address", "127.0.0.1", 9_998, 30, day);
  await using repository = await createRepository();
  const agent = { repository: repository.root, command: idleAgent };
  await using platform = await startAgentPlatform(agent, { dataDir: data.path });
  const agentJobs = "/v2/agent/docs/job";
  const messages = "/discovery/v1/assistant/docs.example.com/message";
  const { adminKey, assistantKey } = platform;
  /** The status, and the minutes of `Retry-After`. */
  const post = async (path: string, key: string, json: unknown) => {
    const { status, headers } = await platform.send(path, { method: "POST", key, json });
    return [status, Math.round(Number(headers.get("retry-after")) / 60)];
  };

  expect(await post(agentJobs, adminKey, { prompt: "Work" })).toEqual([201, 0]);
  expect(await post(agentJobs, adminKey, { prompt: "Work" })).toEqual([429, 5]);
  expect(await post(messages, assistantKey, {})).toEqual([400, 0]);
  expect(await post(messages, assistantKey, {})).toEqual([429, 5]);
  expect(await post(messages, assistantKey, {})).toEqual([429, 30]);
});

test("a response to an unexpected error does not show it; the log does", async () => {
  await using folder = await createTemporaryFolder();
  const openCluster = async () => {
    const storage = await openFileStorage(folder.path, links, createRecordingLog());
    const upsert = async () => Promise.reject(new Error("a detail of the inside"));
    const records: Storage["records"] = async (...collection) => ({
      ...(await storage.records(...collection)),
      upsert,
    });
    const observer = { request: () => undefined, job: () => undefined, answer: () => undefined };
    return { storage: { ...storage, records }, observer, routes: new Hono() };
  };
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
