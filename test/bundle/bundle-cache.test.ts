import { cp, readdir, readFile, rename, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openBundleCache } from "../../src/github/bundle-cache.ts";
import { buildBundle } from "../support/archives.ts";
import { createRecordingLog } from "../support/recording-log.ts";
import type { StorageOptions } from "../support/storage.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { setUpDownload, sha256 } from "./download-setup.ts";

const body = buildBundle(3e6);
const object = { body, etag: '"1"' };
const other = { body: buildBundle(2e6), etag: '"2"' };
const job = ["https://platform.example/", "se_1"];

/** A storage, a folder to download to, and a runner's tool cache. */
async function setUpRunner(options: Omit<StorageOptions, "clock"> = { object }) {
  await using resources = new AsyncDisposableStack();
  const setup = resources.use(await setUpDownload(options));
  const cache = resources.use(await createTemporaryFolder()).path;
  const environment = { RUNNER_TOOL_CACHE: cache, RUNNER_ENVIRONMENT: "self-hosted" };
  const log = createRecordingLog();
  const open = (key: readonly string[] = job, maxBytes?: number, apiKey = "svc_1") =>
    openBundleCache(key, apiKey, { environment, log }, maxBytes);
  const owned = resources.move();
  return {
    setup,
    cache,
    open,
    /** Downloads in a new run; returns the bundle with the number of requests and received bytes. */
    async run(changes: Parameters<typeof setup.download>[0] = {}, key = job, maxBytes?: number) {
      const before = { requests: setup.storage.requests.length, bytes: setup.storage.sentBytes };
      const bundle = await setup.download({ cache: await open(key, maxBytes), ...changes });
      const { requests, sentBytes } = setup.storage;
      return { bundle, requests: requests.length - before.requests, bytes: sentBytes - before.bytes };
    },
    /** The files of the cache, without the library's marker files. */
    async kept() {
      const entries = await readdir(cache, { recursive: true, withFileTypes: true });
      const names = entries.map(({ parentPath, name }) => join(parentPath, name));
      return names.filter((name, index) => !entries[index]?.isDirectory() && !name.endsWith(".complete"));
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

describe("a cached bundle", () => {
  it.each([
    { size: "small", body },
    { size: "large", body: buildBundle(20e6) },
  ])("needs one request and no download, and has the same details: a $size one", async ({ body }) => {
    await using runner = await setUpRunner({ object: { body, etag: '"1"' } });
    const first = await runner.run();
    const second = await runner.run();

    expect(first.bytes).toBe(body.length);
    expect(second).toMatchObject({ requests: 1, bytes: 0, bundle: { isCached: true } });
    const { transfer: _, ...facts } = first.bundle;
    expect(second.bundle).toMatchObject({ ...facts, isCached: true });
    expect(sha256(await runner.setup.readBundle())).toBe(sha256(body));
    expect(await runner.setup.files()).toEqual(["bundle.tar.gz"]);
    expect(runner.setup.storage.requests.at(-1)).toMatchObject({ status: 304 });
  });

  it("is checked again with a fresh link if the first is refused", async () => {
    await using runner = await setUpRunner({
      object,
      misbehave: ({ index }) => (index === 1 ? { kind: "answer", status: 403 } : undefined),
    });
    await runner.run();
    expect(await runner.run()).toMatchObject({ requests: 2, bytes: 0, bundle: { isCached: true } });
  });

  it("is used even if storage ignores the condition", async () => {
    await using runner = await setUpRunner({ object, ignoresConditions: true });
    await runner.run();
    const { requests, bundle } = await runner.run();
    expect({ requests, isCached: bundle.isCached }).toEqual({ requests: 1, isCached: true });
  });

  it("is replaced in the same request if storage has another version", async () => {
    await using runner = await setUpRunner({
      object,
      misbehave: ({ index }) => (index === 1 ? { kind: "replace", object: other } : undefined),
    });
    await runner.run();
    const { requests, bundle } = await runner.run();
    expect({ requests, sha256: bundle.sha256 }).toEqual({ requests: 1, sha256: sha256(other.body) });
    expect(await runner.run()).toMatchObject({ bytes: 0, bundle: { sha256: sha256(other.body) } });
    expect(await runner.kept()).toHaveLength(1);
  });

  it.each<[string, (path: string) => Promise<unknown>]>([
    ["cut", (path) => truncate(path, 1_000_000)],
    ["empty", (path) => truncate(path, 0)],
    ["replaced by another whole bundle", (path) => writeFile(path, other.body)],
    [
      "changed in one bit",
      async (path) => {
        const bytes = await readFile(path);
        bytes[1_500_000] = (bytes[1_500_000] ?? 0) ^ 1;
        await writeFile(path, bytes);
      },
    ],
    [
      "replaced by a link",
      (path) =>
        cp(path, `${path}.x`)
          .then(() => rm(path))
          .then(() => symlink(`${path}.x`, path)),
    ],
    ["removed", (path) => rm(path)],
  ])("is downloaded and cached again if the file was %s", async (_name, change) => {
    await using runner = await setUpRunner();
    await runner.run();
    for (const path of await runner.kept()) await change(path);

    const { bundle, bytes } = await runner.run();

    expect(bundle).toMatchObject({ isCached: false, sha256: sha256(body) });
    expect(bytes).toBeGreaterThanOrEqual(body.length);
    expect(sha256(await runner.setup.readBundle())).toBe(sha256(body));
    expect(await runner.run()).toMatchObject({ bytes: 0 });
  });

  it("is not used if another job replaced it with its own bundle and digest", async () => {
    await using runner = await setUpRunner();
    await runner.run();
    const forged = { body: other.body, name: sha256(other.body) };
    const root = join(runner.cache, "docs-bundle");
    for (const version of await readdir(root)) {
      await rename(join(root, version), join(root, version.replace(/[0-9a-f]{64}$/, forged.name)));
    }
    for (const path of await runner.kept()) await writeFile(path, forged.body);

    expect((await runner.run()).bundle).toMatchObject({ isCached: false, sha256: sha256(body) });
    expect(await runner.run()).toMatchObject({ bytes: 0, bundle: { sha256: sha256(body) } });
  });

  it("is not used with another API key", async () => {
    await using runner = await setUpRunner();
    await runner.run();
    expect((await runner.run({ cache: await runner.open(job, undefined, "svc_2") })).bundle.isCached).toBe(
      false,
    );
  });

  it("is not used if the platform states another length or it exceeds the limit", async () => {
    await using runner = await setUpRunner();
    await runner.run();
    const link = async () => ({ ...(await runner.setup.storage.getLink()), sizeBytes: body.length + 1 });
    const cache = await runner.open();
    await expect(runner.setup.download({ cache }, link)).rejects.toMatchObject({ code: "bundle-corrupt" });
    await runner.run();
    await expect(runner.run({ maxBytes: 1_000_000 })).rejects.toMatchObject({ code: "bundle-too-large" });
    expect(await runner.setup.files()).toEqual(["bundle.tar.gz"]);
  });

  it("belongs to one job of one platform", async () => {
    await using runner = await setUpRunner();
    await runner.run();
    for (const key of [
      ["https://platform.example/", "se_2"],
      ["https://other.example/", "se_1"],
      ["https://platform.example/se_1"],
    ])
      expect(await (await runner.open(key))?.find()).toBeUndefined();
  });

  it("is not found under the name that was signed for another job", async () => {
    await using runner = await setUpRunner();
    await runner.run();
    const [own = ""] = await runner.kept();
    await runner.run({}, ["https://platform.example/", "se_2"]);
    const other = (await runner.kept()).find((path) => path !== own) ?? "";
    await rename(own, join(dirname(own), basename(other)));

    expect(await (await runner.open())?.find()).toBeUndefined();
  });

  it("is complete: the partial file of a killed run is ignored and replaced", async () => {
    await using runner = await setUpRunner();
    await runner.run();
    const [path = ""] = await runner.kept();
    await truncate(path, 1000);
    const marks = await readdir(runner.cache, { recursive: true });
    for (const mark of marks.filter((name) => name.endsWith(".complete"))) await rm(join(runner.cache, mark));

    expect(await (await runner.open())?.find()).toBeUndefined();
    expect(await runner.run()).toMatchObject({ bytes: body.length });
    expect((await stat(path)).size).toBe(body.length);
    expect(await runner.run()).toMatchObject({ bytes: 0 });
  });

  it("can be saved by two runs at once", async () => {
    await using runner = await setUpRunner();
    const path = join(runner.setup.folder, "second", "bundle.tar.gz");
    const both = await Promise.all([runner.run(), runner.run({ path })]);
    expect(both.map(({ bundle }) => bundle.sha256)).toEqual([sha256(body), sha256(body)]);
    await runner.run();
    expect(await runner.run()).toMatchObject({ bytes: 0 });
  });

  it("is stored without any part of a link", async () => {
    await using runner = await setUpRunner();
    await runner.run();
    const [path = ""] = await runner.kept();
    expect(path).toMatch(
      /docs-bundle\/0\.0\.0-job-[0-9a-f]{16}-sha256-[0-9a-f]{64}\/any\/[\w-]+\.[0-9a-f]{8}\.[\w-]{43}$/,
    );
    expect(sha256(await readFile(path))).toBe(sha256(body));
  });
});

describe("the cache of a runner", () => {
  it("has a maximum size: the least recently used bundle is removed first", async () => {
    await using runner = await setUpRunner();
    const key = (id: number) => ["https://platform.example/", `se_${id}`];
    const bound = 2.5 * body.length;
    await runner.run({}, key(1), bound);
    await runner.run({}, key(2), bound);
    expect(await runner.run({}, key(1), bound)).toMatchObject({ bytes: 0 });
    await runner.run({}, key(3), bound);
    expect(await runner.kept()).toHaveLength(2);
    expect(await (await runner.open(key(2)))?.find()).toBeUndefined();
    expect(await (await runner.open(key(1)))?.find()).toBeDefined();
  });

  it.each([
    ["no entity tag", { body }],
    ["a weak one", { body, etag: 'W/"1"' }],
    ["one that is no tag", { body, etag: "1" }],
    ["one that is too long for a file", { body, etag: `"${"x".repeat(300)}"` }],
  ])("saves nothing if storage states %s", async (_name, stored) => {
    await using runner = await setUpRunner({ object: stored });
    await runner.run();
    expect(await runner.kept()).toEqual([]);
    expect(await runner.run()).toMatchObject({ bytes: body.length });
  });

  it("does not fail a download if it cannot be written", async () => {
    await using runner = await setUpRunner();
    await writeFile(join(runner.cache, "docs-bundle"), "a file");
    expect((await runner.run()).bundle.sha256).toBe(sha256(body));
  });

  it("is not used on GitHub-hosted runners and outside of a runner", async () => {
    const log = createRecordingLog();
    const hosted = { RUNNER_TOOL_CACHE: "/nowhere", RUNNER_ENVIRONMENT: "github-hosted" };
    expect(await openBundleCache(job, "svc_1", { environment: hosted, log })).toBeUndefined();
    const environment = { RUNNER_ENVIRONMENT: "self-hosted" };
    expect(await openBundleCache(job, "svc_1", { environment, log })).toBeUndefined();
  });
});
