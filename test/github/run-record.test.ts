import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openRunRecord } from "../../src/github/run-record.ts";
import { type CacheService, startCacheService } from "../support/cache-service.ts";
import { createRecordingRun } from "../support/recording-run.ts";

interface Use {
  readonly subject?: string;
  readonly apiKey?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly graceMs?: number;
}

/** The record as one attempt of run 7001 sees it. */
function open({ environment }: CacheService, attempt: number, use: Use = {}) {
  const variables = {
    GITHUB_REPOSITORY_ID: "101",
    GITHUB_RUN_ID: "7001",
    GITHUB_RUN_ATTEMPT: String(attempt),
    ...environment,
    ...use.environment,
  };
  const run = createRecordingRun({ environment: variables, ...(use.signal && { signal: use.signal }) });
  const record = openRunRecord(use.subject ?? "export", use.apiKey ?? "svc_key-one", run, use.graceMs);
  if (record === undefined) throw new Error("There is no record.");
  return { ...record, log: run.log };
}

describe("the record of a workflow run", () => {
  test("is read by later attempts, the newest word first", async () => {
    await using cache = await startCacheService();
    await open(cache, 1).write("se_1");
    expect(await open(cache, 2).read()).toBe("se_1");
    await open(cache, 2).write("se_2");
    expect(await open(cache, 3).read()).toBe("se_2");
  });

  test("takes every word of a job", async () => {
    await using cache = await startCacheService();
    const word = fc.string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
      minLength: 1,
      maxLength: 200,
    });
    let attempt = 1;
    await fc.assert(
      fc.asyncProperty(word, async (written) => {
        await open(cache, attempt).write(written);
        attempt += 1;
        expect(await open(cache, attempt).read()).toBe(written);
      }),
      { numRuns: 30 },
    );
  });

  test("is not asked for in the first attempt", async () => {
    await using cache = await startCacheService();
    await open(cache, 1).write("se_1");
    const { length } = cache.requests;
    expect(await open(cache, 1).read()).toBeUndefined();
    expect(cache.requests).toHaveLength(length);
  });

  test.each<[string, Use]>([
    ["another run", { environment: { GITHUB_RUN_ID: "7002" } }],
    ["a run whose number begins alike", { environment: { GITHUB_RUN_ID: "700" } }],
    ["another subject", { subject: "export of another site" }],
    ["another key", { apiKey: "svc_key-two" }],
  ])("is not that of %s", async (_name, use) => {
    await using cache = await startCacheService();
    await open(cache, 1).write("se_1");
    expect(await open(cache, 2, use).read()).toBeUndefined();
  });

  test("is not believed where another job of the repository wrote or copied it", async () => {
    await using cache = await startCacheService();
    await open(cache, 1).write("se_1");
    await open(cache, 1, { environment: { GITHUB_RUN_ID: "7002" } }).write("se_2");
    await open(cache, 1, { subject: "export of another site" }).write("se_3");
    await open(cache, 1, { apiKey: "svc_key-two" }).write("se_4");
    const [own = "", ...others] = [...cache.keys];
    const prefix = own.slice(0, own.indexOf("-1-") + 3);
    const copied = others.map((key) => prefix + key.slice(key.indexOf("-1-") + 3));
    const payload = Buffer.from(JSON.stringify("se_5")).toString("base64url");
    const changed = own.replace(/-1-[^.]+/, `-1-${payload}`);
    for (const forged of [...copied, changed, `${prefix}se_6`, prefix, `${own}x`]) {
      cache.keys.push(forged);
      expect(await open(cache, 2).read(), forged).toBeUndefined();
    }
  });

  test.each([
    ["CreateCacheEntry", "info"],
    ["/blob", "info"],
    ["FinalizeCacheEntryUpload", "info"],
    ["GetCacheEntryDownloadURL", "warning"],
  ])("stops no run when %s fails, and says so as %s", async (path, level) => {
    await using cache = await startCacheService();
    cache.faults.add({ path, times: Number.POSITIVE_INFINITY, fault: { kind: "answer", status: 503 } });
    const first = open(cache, 1);
    await first.write("se_1");
    const second = open(cache, 2);
    expect(await second.read()).toBeUndefined();
    const lines = [...first.log.lines, ...second.log.lines].filter((line) => line.includes("response 503."));
    const ends = lines.filter((line) => !line.includes("Trying again"));
    expect(ends).toStrictEqual([expect.stringMatching(level === "info" ? /^info: A re-run/ : /^warning: /)]);
  });

  test("is written to the debug log, with each attempt and without the link's signature", async () => {
    await using cache = await startCacheService();
    cache.faults.add({ path: "CreateCacheEntry", fault: { kind: "answer", status: 503 } });
    const { write, log } = open(cache, 1);
    await write("se_1");
    const lines = log.lines.map((line) => line.replace(/ http:\S+\/(?=\w)/, " ").replace(/\d+ ms/, "n ms"));
    expect(lines.filter((line) => line.startsWith("debug: "))).toEqual([
      "debug: POST CreateCacheEntry: 503, n ms, attempt 1",
      "debug: POST CreateCacheEntry: 200, n ms, attempt 2",
      expect.stringMatching(/^debug: PUT [\w-]+: 201, n ms, attempt 1$/),
      "debug: POST FinalizeCacheEntryUpload: 200, n ms, attempt 1",
    ]);
    expect(log.lines.join("\n")).not.toContain("?");
  });

  const methods = ["CreateCacheEntry", "/blob", "FinalizeCacheEntryUpload", "GetCacheEntryDownloadURL"];

  test.each(methods.flatMap((path) => [["before", path] as const, ["after", path] as const]))(
    "is there although the connection was cut %s %s",
    async (when, path) => {
      await using cache = await startCacheService();
      cache.faults.add({ path, fault: { kind: "reset", when } });
      await open(cache, 1).write("se_1");
      expect(await open(cache, 2).read()).toBe("se_1");
    },
  );

  test("says so where GitHub lets the run only read the cache, after one request", async () => {
    await using cache = await startCacheService();
    const body = '{"ok":false,"message":"cache write denied: token has no writable scopes"}';
    const fault = { kind: "answer", status: 200, body } as const;
    cache.faults.add({ path: "CreateCacheEntry", times: Number.POSITIVE_INFINITY, fault });
    const { write, log } = open(cache, 1);
    expect(await write("se_1")).toBe(false);
    expect(log.shown).toEqual([
      expect.stringContaining("saving it failed: cache write denied: token has no writable scopes."),
    ]);
    expect(cache.requests).toHaveLength(1);
  });

  test.each([
    ["accepts no entry", "CreateCacheEntry", '{"ok":false}', "returned no upload link"],
    ["returns no link", "CreateCacheEntry", '{"signed_upload_url":"here"}', "returned no upload link"],
    ["does not complete it", "FinalizeCacheEntryUpload", '{"ok":false}', "did not complete the entry"],
  ])("says so where the cache service %s", async (_name, path, body, said) => {
    await using cache = await startCacheService();
    const fault = { kind: "answer", status: 200, body } as const;
    cache.faults.add({ path, times: 2, fault });
    const { write, log } = open(cache, 1);
    await write("se_1");
    expect(log.shown).toEqual([expect.stringContaining(`the cache service ${said}`)]);
  });

  test.each([
    [2, "se_1"],
    [3, undefined],
  ])("is written in at most three attempts, of which %i fail", async (times, value) => {
    await using cache = await startCacheService();
    cache.faults.add({ path: "CreateCacheEntry", times, fault: { kind: "answer", status: 503, body: "{}" } });
    const { write } = open(cache, 1);
    await write("se_1");
    expect(await open(cache, 2).read()).toBe(value);
  });

  test("is written by a run that is cancelled, because its job continues", async () => {
    await using cache = await startCacheService();
    const cancelled = new Error("cancelled");
    const record = open(cache, 1, { signal: AbortSignal.abort(cancelled) });
    await record.write("se_1");
    const again = open(cache, 2, { signal: AbortSignal.abort(cancelled) });
    await expect(again.read()).rejects.toBe(cancelled);
    expect(await open(cache, 2).read()).toBe("se_1");
  });

  test("is given up where the service does not respond to a cancelled run", async () => {
    await using cache = await startCacheService();
    const controller = new AbortController();
    const until = new Promise(() => undefined);
    const onMeet = () => controller.abort(new Error("The workflow was cancelled."));
    cache.faults.add({ path: "/blob", fault: { kind: "hold", until }, onMeet });
    const { write, log } = open(cache, 1, { signal: controller.signal, graceMs: 20 });
    await write("se_1");
    expect(log.shown).toEqual([expect.stringMatching(/saving it failed: The workflow was cancelled\.$/)]);
  });

  test.each(["ACTIONS_CACHE_SERVICE_V2", "ACTIONS_RESULTS_URL", "ACTIONS_RUNTIME_TOKEN", "GITHUB_RUN_ID"])(
    "is not there without %s",
    async (name) => {
      await using cache = await startCacheService();
      expect(() => open(cache, 2, { environment: { [name]: "" } })).toThrow("There is no record.");
    },
  );
});
