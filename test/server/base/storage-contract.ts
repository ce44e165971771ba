/** Contract tests of storage. They run with files (`npm test`) and with Postgres and a bucket (`npm run test:engines`). */
import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import type { ApiError } from "../../../src/server/base/http.ts";
import type { Storage, Work } from "../../../src/server/base/storage.ts";
import { openUseLimit, type UseLimit } from "../../../src/server/base/use-limit.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

/** Several storages with the same state. */
export interface StorageFixture extends AsyncDisposable {
  /** The storages of two processes. With files, both are the same, because one process owns them. */
  readonly storages: () => readonly [Storage, Storage];
  /** Closes both and opens their state again. */
  restart(): Promise<void>;
  /** Clock of the limits; starts at the real time. */
  readonly clock: { now: number };
  /** Warnings of the storages. */
  readonly warnings: () => readonly string[];
}

const Note = z.object({
  createdAt: z.string(),
  updatedAt: z.optional(z.string()),
  status: z.string(),
  count: z.number(),
});
type Note = z.infer<typeof Note>;

const minute = (number: number) => new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString();
const noteOf = (fields: Partial<Note> = {}): Note => ({
  createdAt: minute(0),
  status: "queued",
  count: 0,
  ...fields,
});

/** A unique name. */
const fresh = (prefix: string) => `${prefix}/${randomUUID().replaceAll("-", "")}`;

/** Records the work that a worker started, in order. Each job runs until it is released or aborted. */
function createWork() {
  const begun: string[] = [];
  const watchers = new Set<() => void>();
  const releases = new Map<string, () => void>();
  let running = 0;
  let mostRunning = 0;
  const waitFor = (isReached: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!isReached()) return;
        watchers.delete(check);
        resolve();
      };
      watchers.add(check);
      check();
    });
  const notify = () => {
    for (const watcher of watchers) watcher();
  };
  return {
    begun,
    mostRunning: () => mostRunning,
    /** Resolves when this many jobs have started, and when all started jobs have ended. */
    reached: (count: number) => waitFor(() => begun.length >= count),
    idle: () => waitFor(() => running === 0),
    release: (id: string) => releases.get(id)?.(),
    run: async (id: string, signal: AbortSignal) => {
      running += 1;
      mostRunning = Math.max(mostRunning, running);
      begun.push(id);
      await new Promise<void>((resolve) => {
        releases.set(id, resolve);
        signal.addEventListener("abort", () => resolve(), { once: true });
        notify();
      });
      running -= 1;
      notify();
    },
  };
}

/** Declares the tests; all of them use the fixture. */
export function describeStorage(name: string, start: () => Promise<StorageFixture>): void {
  let fixture: StorageFixture;
  beforeAll(async () => {
    fixture = await start();
  }, 600_000);
  afterAll(() => fixture[Symbol.asyncDispose]());
  const openNotes = (storage: Storage, collection = fresh("notes")) => storage.records(collection, Note);
  /** Opens a part of the state in both processes, or once if they are the same process. */
  const openInBoth = async <Part>(open: (storage: Storage) => Promise<Part>): Promise<[Part, Part]> => {
    const [one, other] = fixture.storages();
    const part = await open(one);
    return [part, one === other ? part : await open(other)];
  };

  describe(`records in ${name}`, () => {
    test("can be read after `put`, until they are removed", async () => {
      const records = await openNotes(fixture.storages()[0]);
      expect(await records.get("one")).toBeUndefined();

      await records.put("one", noteOf());
      await records.put("two", noteOf());
      await records.put("one", noteOf({ status: "replaced" }));
      await records.remove("two");
      await records.remove("unknown");

      expect(await records.get("one")).toEqual(noteOf({ status: "replaced" }));
      expect(await records.list()).toEqual([noteOf({ status: "replaced" })]);
    });

    test("are not found by an invalid id", async () => {
      const records = await openNotes(fixture.storages()[0]);

      const found = ["a\0b", "../one", "\uD800", "x".repeat(10_000)].map(records.get);

      expect(await Promise.all(found)).toEqual([undefined, undefined, undefined, undefined]);
    });

    test("can be read by every process, and after a restart", async () => {
      const collection = fresh("notes");
      const records = await openNotes(fixture.storages()[0], collection);
      await records.put("one", noteOf({ count: 7 }));

      const [, other] = fixture.storages();
      expect(await (await openNotes(other, collection)).get("one")).toEqual(noteOf({ count: 7 }));
      await fixture.restart();

      const [again] = fixture.storages();
      expect(await (await openNotes(again, collection)).get("one")).toEqual(noteOf({ count: 7 }));
      expect(await (await openNotes(again)).list()).toEqual([]);
    });

    test("are listed newest first, filtered by fields, last change and a limit", async () => {
      const records = await openNotes(fixture.storages()[0]);
      await records.put("middle", noteOf({ createdAt: minute(1), count: 1, status: "done" }));
      await records.put("oldest", noteOf({ createdAt: minute(0), count: 0, updatedAt: minute(9) }));
      await records.put("newest", noteOf({ createdAt: minute(2), count: 2 }));
      const countsOf = async (query: Parameters<typeof records.list>[0]) =>
        (await records.list(query)).map(({ count }) => count);

      expect(await countsOf({})).toEqual([2, 1, 0]);
      expect(await countsOf({ limit: 2 })).toEqual([2, 1]);
      expect(await countsOf({ where: { status: "queued" } })).toEqual([2, 0]);
      expect(await countsOf({ where: { status: "queued" }, limit: 1 })).toEqual([2]);
      expect(await countsOf({ where: { status: "queued", createdAt: minute(0) } })).toEqual([0]);
      expect(await countsOf({ where: { status: "unknown" } })).toEqual([]);
      expect(await countsOf({ where: { status: ["queued", "done"], createdAt: undefined } })).toEqual([
        2, 1, 0,
      ]);
      expect(await countsOf({ where: { status: [] } })).toEqual([]);
      expect(await countsOf({ updatedBefore: minute(2) })).toEqual([1]);
      expect(await countsOf({ updatedBefore: minute(5) })).toEqual([2, 1]);
    });

    test("lose no concurrent changes", async () => {
      const collection = fresh("notes");
      const all = await openInBoth((storage) => openNotes(storage, collection));
      await all[0].put("one", noteOf());

      const change = (note: Note) => ({ ...note, count: note.count + 1 });
      const changes = Array.from({ length: 10 }, () => all.map((records) => records.update("one", change)));
      const results = await Promise.all(changes.flat());

      expect(await all[0].get("one")).toEqual(noteOf({ count: 20 }));
      expect(results.map(({ count }) => count).sort((one, other) => one - other)).toEqual(
        Array.from({ length: 20 }, (_, index) => index + 1),
      );
    });

    test("are created or changed by `upsert`, also by several processes at once", async () => {
      const collection = fresh("notes");
      const all = await openInBoth((storage) => openNotes(storage, collection));

      const change = (note = noteOf()) => ({ ...note, count: note.count + 1 });
      const changes = Array.from({ length: 5 }, () => all.map((records) => records.upsert("one", change)));
      await Promise.all(changes.flat());

      expect(await all[0].list()).toEqual([noteOf({ count: 10 })]);
    });

    test("stay unchanged if a change throws or the id is unknown", async () => {
      const records = await openNotes(fixture.storages()[0]);
      await records.put("one", noteOf());
      const fail = () => {
        throw new Error("not allowed");
      };

      await expect(records.update("one", fail)).rejects.toThrow("not allowed");
      await expect(records.update("two", (note) => note)).rejects.toThrow(RangeError);

      expect(await records.list()).toEqual([noteOf()]);
    });

    test("can contain any text", async () => {
      const records = await openNotes(fixture.storages()[0]);
      const status = "\"quotes\" \\ 'single' %s $1 \u{1F600} \u2028 line\nline";
      await records.put("one", noteOf({ status }));
      await records.put("two", noteOf({ status: "half \uD800 and \0 nothing" }));

      expect((await records.get("one"))?.status).toBe(status);
      expect((await records.get("two"))?.status).toMatch(/^half . and . nothing$/s);
      expect(await records.list({ where: { status } })).toHaveLength(1);
    });
  });

  describe(`work in ${name}`, () => {
    const workOf = (queue: string, key: string, work: Partial<Work> = {}): Work => ({
      queue,
      key,
      group: "all",
      ...work,
    });
    const startWork = (
      queue: string,
      { run }: { readonly run: (id: string, signal: AbortSignal) => Promise<void> },
      concurrency = 1,
      unfinished: readonly (Work & { readonly id: string })[] = [],
    ) => fixture.storages()[0].startWork({ queue, concurrency, findUnfinished: async () => unfinished }, run);

    test("runs for each record that queues it, and for none whose change fails", async () => {
      const [queue, work] = [fresh("queue").replace("/", "-"), createWork()];
      const records = await openNotes(fixture.storages()[1]);
      await records.put("later", noteOf());
      await records.put("failing", noteOf());
      await using _working = await startWork(queue, work, 5);

      await records.put("now", noteOf(), workOf(queue, "now"));
      const fail = () => {
        throw new Error("not allowed");
      };
      await expect(records.update("failing", fail, workOf(queue, "failing"))).rejects.toThrow("not allowed");
      await records.update("later", (note) => note, workOf(queue, "later"));
      await work.reached(2);

      expect(work.begun.toSorted()).toEqual(["later", "now"]);
    });

    test("runs once for each waiting key", async () => {
      const [queue, work] = [fresh("queue").replace("/", "-"), createWork()];
      const records = await openNotes(fixture.storages()[1]);
      await using _working = await startWork(queue, work);
      await records.put("first", noteOf(), workOf(queue, "first"));
      await work.reached(1);

      for (const status of ["queued", "changed"])
        await records.put("second", noteOf({ status }), workOf(queue, "second"));
      await records.put("last", noteOf(), workOf(queue, "last"));
      for (const [index, id] of ["first", "second", "last"].entries()) {
        await work.reached(index + 1);
        work.release(id);
      }
      await work.idle();

      expect(work.begun).toEqual(["first", "second", "last"]);
    });

    test("runs within the concurrency limit", async () => {
      const [queue, work] = [fresh("queue").replace("/", "-"), createWork()];
      const records = await openNotes(fixture.storages()[1]);
      await using _working = await startWork(queue, work, 2);
      const ids = ["one", "two", "three", "four"];
      for (const id of ids) await records.put(id, noteOf(), workOf(queue, id));
      for (const count of [2, 3, 4]) {
        await work.reached(count);
        work.release(work.begun.at(count - 2) ?? "");
      }

      expect(work.begun.toSorted()).toEqual(ids.toSorted());
      expect(work.mostRunning()).toBe(2);
    });

    test("runs for each group in turn, even if one group has many jobs", async () => {
      const [queue, work] = [fresh("queue").replace("/", "-"), createWork()];
      const records = await openNotes(fixture.storages()[1]);
      await using _working = await startWork(queue, work);
      for (const id of ["first", "a1", "a2", "a3", "b1", "c1"]) {
        await records.put(id, noteOf(), workOf(queue, id, { group: id.slice(0, 1) }));
        await work.reached(1);
      }
      for (let count = 1; count < 6; count += 1) {
        work.release(work.begun.at(-1) ?? "");
        await work.reached(count + 1);
      }

      expect(work.begun).toEqual(["first", "a1", "b1", "c1", "a2", "a3"]);
    });

    test("of a group is not overtaken for ever by a group that always queues more", async () => {
      const [queue, work] = [fresh("queue").replace("/", "-"), createWork()];
      const records = await openNotes(fixture.storages()[1]);
      const add = (id: string) => records.put(id, noteOf(), workOf(queue, id, { group: id.slice(0, 1) }));
      await using _working = await startWork(queue, work);
      await add("first");
      await work.reached(1);
      for (const id of ["a1", "a2", "a3", "b1"]) await add(id);
      for (let count = 1; count < 7; count += 1) {
        const running = work.begun.at(-1) ?? "";
        if (running.startsWith("b")) await add(`b${Number(running.slice(1)) + 1}`);
        work.release(running);
        await work.reached(count + 1);
      }

      expect(work.begun).toEqual(["first", "a1", "b1", "a2", "b2", "a3", "b3"]);
    });

    test("runs again in the next process if it was aborted", async () => {
      const queue = fresh("queue").replace("/", "-");
      const [before, after] = [createWork(), createWork()];
      const records = await openNotes(fixture.storages()[1]);
      const working = await startWork(queue, before);
      await records.put("one", noteOf(), workOf(queue, "one"));
      await before.reached(1);

      await working[Symbol.asyncDispose]();
      await before.idle();
      await fixture.restart();
      await using _again = await startWork(queue, after, 1, [{ id: "one", ...workOf(queue, "one") }]);
      await after.reached(1);

      expect(after.begun).toEqual(["one"]);
    });

    test("that fails with a bug causes a warning, and other work continues", async () => {
      const [queue, work] = [fresh("queue").replace("/", "-"), createWork()];
      const records = await openNotes(fixture.storages()[1]);
      const run = async (id: string, signal: AbortSignal) => {
        if (id === "broken") throw new TypeError("a defect");
        await work.run(id, signal);
      };
      await using _working = await startWork(queue, { run });

      await records.put("broken", noteOf(), workOf(queue, "broken"));
      await records.put("fine", noteOf(), workOf(queue, "fine"));
      await work.reached(1);

      expect(work.begun).toEqual(["fine"]);
      expect(fixture.warnings().join("\n")).toContain(
        "Job broken stopped because of a bug: TypeError: a defect",
      );
    });
  });

  describe(`blobs in ${name}`, () => {
    const publish = async (storage: Storage, blob: string, content: string) => {
      await using folder = await createTemporaryFolder();
      const path = join(folder.path, "file");
      await writeFile(path, content);
      await storage.blobs.publish(blob, path, new AbortController().signal);
    };

    test("can be read by name in every process, and by a link without a key", async () => {
      const [one, other] = fixture.storages();
      const blob = `${fresh("bundles")}/1.zip`;
      await publish(one, blob, "some bytes");

      const { url, expiresAt } = await other.blobs.link(blob, "docs.zip");
      const response = await fetch(url);
      const part = await fetch(url, { headers: { range: "bytes=5-" } });

      expect(String(await other.blobs.read(blob))).toBe("some bytes");
      expect(await response.text()).toBe("some bytes");
      expect(response.headers.get("content-disposition")).toBe('attachment; filename="docs.zip"');
      expect(response.headers.get("content-type")).toBe("application/zip");
      expect([part.status, await part.text()]).toEqual([206, "bytes"]);
      expect(Date.parse(expiresAt)).toBeGreaterThan(fixture.clock.now);
    });

    test("that do not exist are reported as missing", async () => {
      const [storage] = fixture.storages();
      const blob = `${fresh("bundles")}/1.zip`;
      const { url } = await storage.blobs.link(blob, "docs.zip");

      expect(await storage.blobs.read(blob)).toBeUndefined();
      expect((await fetch(url)).status).toBe(404);
    });

    test("are not served for an altered link", async () => {
      const [storage] = fixture.storages();
      const folder = fresh("bundles");
      await publish(storage, `${folder}/1.zip`, "one");
      await publish(storage, `${folder}/2.zip`, "two");
      const { url } = await storage.blobs.link(`${folder}/1.zip`, "docs.zip");

      expect((await fetch(url.replace("/1.zip", "/2.zip"))).status).toBe(403);
      expect((await fetch(url.replace("docs.zip", "other.zip"))).status).toBe(403);
      expect((await fetch(url.split("?")[0] ?? "")).status).toBe(403);
    });

    test("can be published again, as after a lost response", async () => {
      const [one, other] = fixture.storages();
      const blob = `${fresh("bundles")}/1.zip`;
      await publish(one, blob, "some bytes");
      await publish(other, blob, "some bytes");

      expect(String(await one.blobs.read(blob))).toBe("some bytes");
    });

    test("are removed by prefix, except one", async () => {
      const [storage] = fixture.storages();
      const folder = fresh("bundles");
      const names = ["a/1.zip", "a/2.zip", "a/3.zip", "ab/1.zip"].map((name) => `${folder}/${name}`);
      for (const name of names) await publish(storage, name, "bytes");
      const left = async () => {
        const all = await Promise.all(names.map((name) => storage.blobs.read(name)));
        return names.filter((_, index) => all[index] !== undefined).map((name) => name.slice(folder.length));
      };

      await storage.blobs.removeAll(`${folder}/a/`, `${folder}/a/2.zip`);
      expect(await left()).toEqual(["/a/2.zip", "/ab/1.zip"]);
      await storage.blobs.removeAll(`${folder}/a`);
      expect(await left()).toEqual([]);
      await storage.blobs.removeAll(`${folder}/a`);
    });
  });

  describe(`limits in ${name}`, () => {
    const windowMs = 3_600_000;
    const openLimit = (storage: Storage, name: string, limit: number) =>
      openUseLimit(
        { storage, now: () => fixture.clock.now, everyHour: (work) => work() },
        name,
        limit,
        windowMs,
      );
    /** The seconds of `Retry-After`; `undefined` if the use was allowed. */
    const tryUse = (limit: UseLimit, key: string) =>
      limit.use(key, "Used up.").then(
        () => undefined,
        (error: ApiError) => [error.status, error.message, Number(error.headers["retry-after"])],
      );

    test("allow a number of uses per key and window, even across a restart", async () => {
      const limitName = fresh("limits");
      const open = () => openLimit(fixture.storages()[0], limitName, 2);
      const before = await open();
      await before.use("one", "");
      fixture.clock.now += 60_000;
      await before.use("one", "");
      await fixture.restart();
      const after = await open();

      expect(await tryUse(after, "one")).toEqual([429, "Used up.", windowMs / 1000 - 60]);
      expect(await tryUse(after, "two")).toBeUndefined();
      fixture.clock.now += windowMs - 60_000;
      expect(await tryUse(after, "one")).toBeUndefined();
      expect(await tryUse(after, "one")).toEqual([429, "Used up.", 60]);
    });

    test("allow no more uses if they are concurrent, in all processes together", async () => {
      const limitName = fresh("limits");
      const limits = await openInBoth((storage) => openLimit(storage, limitName, 5));

      const uses = Array.from({ length: 8 }, () => limits.map((limit) => tryUse(limit, "one")));
      const results = await Promise.all(uses.flat());

      expect(results.filter((result) => result === undefined)).toHaveLength(5);
    });
  });

  describe(`exclusive work in ${name}`, () => {
    test("runs one at a time in all processes, even after a failure", async () => {
      const key = fresh("key");
      let inside = 0;
      const overlaps: number[] = [];
      const work = async (shouldFail: boolean) => {
        inside += 1;
        overlaps.push(inside);
        await new Promise((resolve) => setImmediate(resolve));
        inside -= 1;
        if (shouldFail) throw new Error("failed");
        return "done";
      };

      const all = [false, true, false].flatMap((shouldFail) =>
        fixture.storages().map((storage) => storage.exclusively(key, () => work(shouldFail))),
      );
      const results = (await Promise.allSettled(all)).map(({ status }) => status);

      expect(overlaps).toEqual([1, 1, 1, 1, 1, 1]);
      expect(results.filter((status) => status === "rejected")).toHaveLength(2);
    });

    test("does not block other keys", async () => {
      const [one, other] = fixture.storages();
      const [first, second] = [fresh("key"), fresh("key")];

      const result = await one.exclusively(first, () => other.exclusively(second, async () => "done"));

      expect(result).toBe("done");
    });
  });

  test(`${name} reports no problem`, async () => {
    expect(await fixture.storages()[0].findProblem()).toBeUndefined();
  });
}
