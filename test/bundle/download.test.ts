import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdir, readdir, readFile, readlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeProgress } from "../../src/bundle/download-attempt.ts";
import { buildBundle, buildTarGz, buildZipBundle } from "../support/archives.ts";
import { createRecordingLog } from "../support/recording-log.ts";
import { type DownloadSetup, setUpDownload, sha256 } from "./download-setup.ts";

const megabyte = 1e6;
const body = buildBundle(3 * megabyte);
const object = { body, etag: '"1"' };
/** Long enough to be verified in a thread. */
const [large, largeZip] = [buildBundle(20 * megabyte), buildZipBundle(20 * megabyte)];

describe("downloadBundle", () => {
  it("saves a bundle and reports its digest and content", async () => {
    await using setup = await setUpDownload({ object });

    const bundle = await setup.download();

    expect(bundle).toMatchObject({ size: body.length, sha256: sha256(body), format: "tar.gz" });
    expect(bundle.files).toBe(2);
    expect(body.equals(await setup.readBundle())).toBe(true);
    expect(await setup.files()).toEqual(["bundle.tar.gz"]);
    expect(setup.storage.requests).toHaveLength(1);
  });

  it("continues after the last byte after every cut", async () => {
    await using setup = await setUpDownload({
      object,
      misbehave: ({ index }) => (index < 4 ? { kind: "cut", afterBytes: 600_000 } : undefined),
    });

    const bundle = await setup.download();

    expect(bundle.sha256).toBe(sha256(body));
    expect(setup.storage.requests[1]?.headers["if-match"]).toBe('"1"');
    const starts = setup.storage.requests.map(({ start }) => start);
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
    expect(starts.at(-1)).toBeGreaterThan(0);
  });

  it("uses several connections if each of them is limited", async () => {
    await using setup = await setUpDownload({
      object: { body: large, etag: '"1"' },
      bytesPerSecond: 4 * megabyte,
    });

    const bundle = await setup.download({ connections: 4 });

    expect(bundle.sha256).toBe(sha256(large));
    expect(bundle.transfer.connections).toBe(4);
  });

  it.each([2, 4])("replaces a connection of %i that is much slower than the others", async (connections) => {
    await using setup = await setUpDownload({
      object: { body: large, etag: '"1"' },
      bytesPerSecond: 2 * megabyte,
      misbehave: ({ index }) => (index === 1 ? { kind: "slow", bytesPerSecond: 1000 } : undefined),
    });

    const bundle = await setup.download({ connections });

    expect(bundle.sha256).toBe(sha256(large));
    const [, slow, ...others] = setup.storage.requests;
    // That it is slow shows after two seconds.
    expect(slow?.sent).toBeGreaterThan(1900);
    expect(slow?.sent).toBeLessThan(0.1 * megabyte);
    expect(
      setup.storage.requests.filter(
        ({ start }) => start > (slow?.start ?? 0) && start < (slow?.start ?? 0) + 100_000,
      ),
    ).toHaveLength(1);
    const isCut = ({ sent, headers }: (typeof others)[number]) => {
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
      return sent <= Number(last) - Number(first);
    };
    expect(others.filter(isCut)).toEqual([]);
    expect(setup.waits).toEqual([]);
  });

  it("replaces the last connection if it is much slower than the transfer was", async () => {
    await using setup = await setUpDownload({
      object: { body: large, etag: '"1"' },
      bytesPerSecond: 8 * megabyte,
      misbehave: ({ index }) => (index === 1 ? { kind: "slow", bytesPerSecond: 100 } : undefined),
    });

    const { transfer } = await setup.download({ connections: 4 });

    expect(transfer).toMatchObject({ retries: 0, connections: 4 });
    expect(setup.storage.requests[1]?.sent).toBeLessThan(1_000);
  });

  it("replaces the last connection ever more rarely if all of storage has become slow", async () => {
    const tail = 0.9 * large.length;
    await using setup = await setUpDownload({
      object: { body: large, etag: '"1"' },
      bytesPerSecond: 8 * megabyte,
      misbehave: ({ start }) => (start > tail ? { kind: "slow", bytesPerSecond: 20_000 } : undefined),
    });

    await setup.download({ connections: 4 });

    expect(setup.storage.requests.filter(({ start }) => start > tail).length).toBeLessThan(10);
  });

  it("replaces a connection that stops while another one continues", async () => {
    await using setup = await setUpDownload({
      object: { body: large, etag: '"1"' },
      bytesPerSecond: 2 * megabyte,
      misbehave: ({ index }) => (index === 1 ? { kind: "stall", afterBytes: 900_000 } : undefined),
    });

    const { transfer } = await setup.download({ connections: 2 });

    expect(transfer).toMatchObject({ retries: 0, connections: 2 });
    const { requests } = setup.storage;
    // A few seconds later, and not only when its average over its whole life is low.
    const continuation = requests.find(({ start }) => start === (requests[1]?.start ?? 0) + 900_000);
    expect(continuation?.index).toBeLessThan(12);
  });

  it.each([
    [3 * megabyte, 1],
    [6 * megabyte, 2],
    [20 * megabyte, 5],
  ])("downloads %i bytes over %i connections", async (bytes, connections) => {
    await using setup = await setUpDownload({ object: { body: buildBundle(bytes), etag: '"1"' } });

    expect((await setup.download({ connections: 8 })).transfer).toMatchObject({ connections });
  });

  it("uses one connection if only one is allowed", async () => {
    await using setup = await setUpDownload({ object, bytesPerSecond: 4 * megabyte });

    const { transfer } = await setup.download({ connections: 1 });
    expect(transfer).toEqual({ requests: 1, retries: 0, restarts: 0, connections: 1, links: 1 });
    expect(setup.lines.at(-1)).toBe(`Downloaded: ${JSON.stringify(transfer)}.`);
  });

  it("continues over the only connection, also after one byte", async () => {
    await using setup = await setUpDownload({
      object,
      misbehave: ({ index }) => (index === 0 ? { kind: "cut", afterBytes: 1 } : undefined),
    });

    expect((await setup.download({ connections: 1 })).transfer).toMatchObject({ requests: 2, restarts: 0 });
    expect(setup.storage.requests.map(({ start }) => start)).toEqual([0, 1]);
  });

  it("returns to one connection if storage refuses the others", async () => {
    const large = buildBundle(6 * megabyte);
    const setup: DownloadSetup = await setUpDownload({
      object: { body: large, etag: '"1"' },
      bytesPerSecond: 4 * megabyte,
      misbehave: () => (openRequests(setup) > 1 ? { kind: "answer", status: 503 } : undefined),
    });
    await using _ = setup;

    expect(await setup.download({ connections: 8 })).toMatchObject({ sha256: sha256(large) });
    expect(setup.storage.requests.map(({ status }) => status)).toContain(503);
  });

  it("waits for an additional connection whose request failed, and keeps it", async () => {
    const large = buildBundle(6 * megabyte);
    await using setup = await setUpDownload({
      object: { body: large, etag: '"1"' },
      bytesPerSecond: 4 * megabyte,
      misbehave: ({ index }) => (index === 1 ? { kind: "answer", status: 503 } : undefined),
    });

    expect(await setup.download({ connections: 2 })).toMatchObject({ sha256: sha256(large) });
    expect(setup.waits).toHaveLength(1);
  });

  it.each([
    { name: "tar.gz", body: large },
    { name: "zip", body: largeZip },
  ])("verifies a large $name in a worker thread", async ({ body }) => {
    await using setup = await setUpDownload({ object: { body, etag: '"1"' } });

    const bundle = await setup.download();

    expect(bundle).toMatchObject({ size: body.length, sha256: sha256(body) });
    expect(bundle.files).toBeGreaterThan(0);
  });

  it("reports the problem of a large bundle, too", async () => {
    const damaged = Buffer.from(large).fill(0xff, 10 * megabyte, 10 * megabyte + 100);
    await using setup = await setUpDownload({ object: { body: damaged, etag: '"1"' } });

    await expect(setup.download()).rejects.toMatchObject({
      name: "BundleError",
      code: "bundle-corrupt",
      hint: expect.stringContaining("job-id"),
    });
    expect(await setup.files()).toEqual([]);
  });

  it("downloads zip bundles, too", async () => {
    const zip = buildZipBundle(2 * megabyte);
    await using setup = await setUpDownload({ object: { body: zip, etag: '"1"' } });

    expect(await setup.download()).toMatchObject({ format: "zip", sha256: sha256(zip) });
  });

  it("closes a stalled connection and continues", async () => {
    await using setup = await setUpDownload({
      object,
      misbehave: ({ index }) => (index === 0 ? { kind: "stall", afterBytes: 1_000_000 } : undefined),
    });

    const bundle = await setup.download({});

    expect(bundle.sha256).toBe(sha256(body));
    expect(setup.storage.requests[1]?.start).toBeGreaterThan(0);
  });

  it("waits for Retry-After of storage", async () => {
    await using setup = await setUpDownload({
      object,
      misbehave: ({ index }) =>
        index === 0 ? { kind: "answer", status: 503, headers: { "retry-after": "4" } } : undefined,
    });

    await setup.download();

    expect(setup.waits).toEqual([expect.closeTo(4000, 0)]);
  });

  it("waits for random times, which grow with each failure", async () => {
    await using setup = await setUpDownload({ object, misbehave: () => ({ kind: "answer", status: 503 }) });

    await expect(setup.download({ random: () => 1 })).rejects.toMatchObject({ code: "unavailable" });
    expect(setup.waits).toEqual([400, 800, 1600, 3200, 6400, 10_000, 10_000]);
  });

  it("never waits for more than five minutes", async () => {
    const headers = { "retry-after": "3600" };
    await using setup = await setUpDownload({
      object,
      misbehave: () => ({ kind: "answer", status: 503, headers }),
    });
    const abort = new AbortController();
    const stop = () => abort.abort(new Error("enough seen"));

    const download = setup.download({
      log: { ...createRecordingLog(), info: (line) => line.includes("trying again in 5 min") && stop() },
      signal: abort.signal,
    });

    await expect(download).rejects.toThrow("enough seen");
    expect(setup.waits).toEqual([300_000]);
  });

  it("reports each new reason of a pause once, with its length, and no progress without a byte", async () => {
    const headers = { "retry-after": "12" };
    await using setup = await setUpDownload({
      object,
      misbehave: ({ index }) => {
        if (index < 3) return { kind: "answer", status: 503, headers };
        return index < 5 ? { kind: "answer", status: 429 } : undefined;
      },
    });
    const log = createRecordingLog();

    await setup.download({ log });

    expect(log.shown).toEqual([
      "info: Download: storage returned 503; trying again in 12 s.",
      "info: Download: storage returned 429; trying again in 2 s.",
    ]);
  });

  it("names the silence of storage that cannot continue after it", async () => {
    await using setup = await setUpDownload({
      object,
      ignoresRanges: true,
      misbehave: ({ start, isRanged }) =>
        isRanged && start > 0 ? undefined : { kind: "stall", afterBytes: 1_000_000 },
    });

    await expect(setup.download()).rejects.toMatchObject({
      code: "unreachable",
      message:
        "The bundle could not be downloaded: no data arrived for 30 s, and storage cannot continue from there, because it does not serve ranges.",
    });
    expect(setup.lines.filter((line) => line.includes("Starting again"))).toHaveLength(4);
  });

  it("fails after eight attempts without a byte, and reports the reason", async () => {
    await using setup = await setUpDownload({
      object,
      misbehave: () => ({ kind: "answer", status: 500, body: "<Error><Code>InternalError</Code></Error>" }),
    });

    await expect(setup.download()).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("500 InternalError"),
    });
    expect(setup.storage.requests).toHaveLength(8);
    expect(await setup.files()).toEqual([]);
  });

  it.runIf(process.platform === "linux")("names the file that it cannot create", async () => {
    await using setup = await setUpDownload({ object });
    const path = join("/proc", "bundle");

    await expect(setup.download({ path })).rejects.toMatchObject({
      code: "disk-full",
      message: expect.stringContaining(`Writing ${path} failed`),
    });
  });

  it("adds no extension to a name that has it", async () => {
    await using setup = await setUpDownload({ object });
    const paths = ["docs", "other.tar.gz", "a.zip"].map((name) => join(setup.folder, name));
    for (const path of paths) await setup.download({ path, withExtension: true });
    expect(await setup.files()).toEqual(["a.zip.tar.gz", "docs.tar.gz", "other.tar.gz"]);
  });

  it("names a folder that has the name of the bundle, and leaves no file", async () => {
    await using setup = await setUpDownload({ object });
    const path = join(setup.folder, "docs");
    await mkdir(`${path}.tar.gz/inner`, { recursive: true });

    await expect(setup.download({ path, withExtension: true })).rejects.toMatchObject({
      code: "disk-full",
      message: expect.stringContaining(`Writing ${path}.tar.gz failed`),
    });
    expect(await setup.files()).toEqual(["docs.tar.gz"]);
  });

  it.each(["a file", "removed during the download"])("names a folder that is %s", async (state) => {
    let folder = "";
    const misbehave = () => {
      if (state !== "a file") rmSync(folder, { recursive: true });
      return undefined;
    };
    await using setup = await setUpDownload({ object, misbehave });
    folder = join(setup.folder, "docs");
    if (state === "a file") await writeFile(folder, "");

    const path = join(folder, "bundle");
    await expect(setup.download({ path })).rejects.toMatchObject({
      code: "disk-full",
      message: expect.stringContaining(`Writing ${path}`),
    });
  });

  it.runIf(process.platform === "linux")("closes the file of a download that failed", async () => {
    await using setup = await setUpDownload({ object, misbehave: () => ({ kind: "answer", status: 403 }) });

    await expect(setup.download()).rejects.toBeInstanceOf(Error);

    const open = (await readdir("/proc/self/fd")).map((name) =>
      readlink(`/proc/self/fd/${name}`).catch(() => ""),
    );
    expect((await Promise.all(open)).filter((path) => path.includes(setup.folder))).toEqual([]);
  });

  it("resets the number of attempts after every byte", async () => {
    const length = body.length;
    await using setup = await setUpDownload({
      object,
      misbehave: ({ index }) =>
        index % 5 === 4
          ? { kind: "cut", afterBytes: Math.ceil(length / 4) }
          : { kind: "answer", status: 503 },
    });

    expect((await setup.download()).sha256).toBe(sha256(body));
    expect(setup.storage.requests.length).toBeGreaterThan(8);
  });

  it.each([
    { name: "without ranges", options: { ignoresRanges: true } },
    { name: "without a length", options: { ignoresRanges: true, hidesLength: true } },
  ])("downloads a single stream from storage $name", async ({ options }) => {
    await using setup = await setUpDownload({ object, ...options });

    expect(await setup.download()).toMatchObject({ sha256: sha256(body), transfer: { requests: 1 } });
  });

  it("opens no second connection to slow storage without ranges", async () => {
    await using setup = await setUpDownload({ object, ignoresRanges: true, bytesPerSecond: 2 * megabyte });

    expect(await setup.download({ connections: 4 })).toMatchObject({
      transfer: { requests: 1, restarts: 0 },
    });
  });

  it("starts again after a cut if storage has no ranges", async () => {
    await using setup = await setUpDownload({
      object,
      ignoresRanges: true,
      misbehave: ({ index }) => (index === 0 ? { kind: "cut", afterBytes: 1_000_000 } : undefined),
    });

    expect(await setup.download()).toMatchObject({ sha256: sha256(body), transfer: { restarts: 1 } });
  });

  it("uses no ranges if storage sends other ranges than requested", async () => {
    await using setup = await setUpDownload({
      object,
      misbehave: ({ isRanged }) => (isRanged ? { kind: "shift", by: 7 } : undefined),
    });

    expect(await setup.download({ connections: 4 })).toMatchObject({ sha256: sha256(body) });
    expect(setup.storage.requests.map(({ isRanged }) => isRanged)).toStrictEqual([true, false]);
  });

  it("reports a length that storage never delivers", async () => {
    await using setup = await setUpDownload({
      object,
      misbehave: ({ start }) => ({
        kind: "headers",
        headers: {
          "content-length": String(body.length + 100 - start),
          "content-range": `bytes ${start}-${body.length + 99}/${body.length + 100}`,
        },
      }),
    });

    await expect(setup.download()).rejects.toMatchObject({
      code: expect.stringMatching(/corrupt|unreachable/),
    });
    expect(await setup.files()).toEqual([]);
  });

  it("rejects a bundle of another length than the platform stated", async () => {
    await using setup = await setUpDownload({ object, sizeBytes: 12 });

    await expect(setup.download()).rejects.toMatchObject({ code: "bundle-corrupt" });
    expect(setup.storage.links).toBeGreaterThan(1);
    expect(await setup.files()).toEqual([]);
  });

  it("rejects a bundle of another length than stated even if storage states no length", async () => {
    const options = { ignoresRanges: true, hidesLength: true, sizeBytes: body.length + 1 };
    await using setup = await setUpDownload({ object, ...options });

    await expect(setup.download()).rejects.toMatchObject({ code: "bundle-corrupt" });
  });

  it("rejects a truncated bundle if storage states no length", async () => {
    await using setup = await setUpDownload({
      object: { body: body.subarray(0, 1_000_000) },
      ignoresRanges: true,
      hidesLength: true,
    });

    await expect(setup.download()).rejects.toMatchObject({ code: "bundle-corrupt" });
    expect(await setup.files()).toEqual([]);
  });

  it.each([
    { name: "Content-MD5", headers: { "content-md5": "AAAA" } },
    {
      name: "x-amz-checksum-sha256",
      headers: { "x-amz-checksum-sha256": "AAAA", "x-amz-checksum-type": "FULL_OBJECT" },
    },
    { name: "x-goog-hash", headers: { "x-goog-hash": "crc32c=AAAA,md5=AAAA" } },
    { name: "Repr-Digest", headers: { "repr-digest": "sha-256=:AAAA:" } },
    { name: "Content-Digest", headers: { "content-digest": "sha-256=:AAAA:" } },
    { name: "Digest", headers: { digest: "SHA-256=AAAA" } },
  ])("rejects a bundle with a wrong $name", async ({ headers }) => {
    await using setup = await setUpDownload({ object: { ...object, headers } });

    // With several connections allowed, the whole object arrives as a range.
    for (const connections of [1, 8])
      await expect(setup.download({ connections })).rejects.toMatchObject({ code: "bundle-corrupt" });
    expect(await setup.files()).toEqual([]);
  });

  it("accepts a bundle with correct checksums, and one with a checksum of its parts", async () => {
    const md5 = createHash("md5").update(body).digest("base64");
    const headers = {
      "content-md5": md5,
      "x-goog-hash": `crc32c=AAAA,md5=${md5}`,
      "x-amz-checksum-sha256": "AAAA-7",
      "repr-digest": `sha-256=:${createHash("sha256").update(body).digest("base64")}:`,
    };
    await using setup = await setUpDownload({ object: { ...object, headers } });

    expect((await setup.download()).sha256).toBe(sha256(body));
  });

  const decompressed = {
    kind: "answer",
    status: 200,
    headers: { "x-goog-stored-content-encoding": "gzip", "x-goog-hash": "md5=AAAA" },
    body: "the tar archive in the bundle",
  } as const;

  it.each([1, 8])(
    "gets the stored bytes of a bundle that Google decompresses (%i connections)",
    async (connections) => {
      const headers = { "content-encoding": "gzip", "x-goog-stored-content-encoding": "gzip" };
      await using setup = await setUpDownload({
        object: { ...object, headers },
        misbehave: (request) => (request.headers["accept-encoding"] === "gzip" ? undefined : decompressed),
      });

      expect((await setup.download({ connections })).sha256).toBe(sha256(body));
      expect(setup.storage.requests.filter(({ sent }) => sent === 0)).toHaveLength(1);
    },
  );

  it("rejects a decompressed bundle if its stored bytes cannot be had", async () => {
    await using setup = await setUpDownload({ object, misbehave: () => decompressed });

    await expect(setup.download()).rejects.toMatchObject({ code: "bundle-corrupt" });
    expect(setup.storage.requests).toHaveLength(2);
  });

  it.each([
    { name: "a longer", newer: buildBundle(2 * megabyte) },
    { name: "a shorter", newer: buildBundle(megabyte / 4) },
  ])("starts again if the bundle is replaced by $name one during the download", async ({ newer }) => {
    await using setup = await setUpDownload({
      object,
      misbehave: ({ index }) => {
        if (index === 0) return { kind: "cut", afterBytes: 2_900_000 };
        return index === 1 ? { kind: "replace", object: { body: newer, etag: '"2"' } } : undefined;
      },
    });

    const { path, sha256: digest, transfer } = await setup.download();

    expect([digest, transfer.restarts]).toStrictEqual([sha256(newer), 1]);
    expect(await readFile(path)).toStrictEqual(newer);
  });

  it.each([
    { name: "entity tag", change: { etag: '"2"' }, header: "if-match" },
    { name: "modification time", change: { lastModified: "b" }, header: "if-unmodified-since" },
    { name: "length", change: { body: buildBundle(2 * megabyte) }, header: "range" },
  ])("starts again if storage ignores conditions and only the $name changes", async ({ change, header }) => {
    const first = {
      body,
      ...("etag" in change && { etag: '"1"' }),
      ...("lastModified" in change && { lastModified: "a" }),
    };
    await using setup = await setUpDownload({
      object: first,
      ignoresConditions: true,
      misbehave: ({ index }) => {
        if (index === 0) return { kind: "cut", afterBytes: 1_000_000 };
        return index === 1 ? { kind: "replace", object: { body, ...change } } : undefined;
      },
    });

    expect(await setup.download()).toMatchObject({ transfer: { restarts: 1 } });
    expect(setup.storage.requests[1]?.headers).toHaveProperty(header);
    expect(setup.lines.some((line) => line.includes("changed during the download"))).toBe(true);
  });

  it("does not send a weak entity tag, which may match other bytes", async () => {
    await using setup = await setUpDownload({
      object: { body, etag: 'W/"1"' },
      misbehave: ({ index }) => (index === 0 ? { kind: "cut", afterBytes: 600_000 } : undefined),
    });

    expect((await setup.download()).sha256).toBe(sha256(body));
    expect(setup.storage.requests[1]?.headers).not.toHaveProperty("if-match");
  });

  it("notices the replacement even if storage ignores conditions and states no version", async () => {
    const newer = Buffer.from(body);
    newer.fill(0x55, 2_000_000, 2_000_100);
    await using setup = await setUpDownload({
      object: { body },
      ignoresConditions: true,
      misbehave: ({ index }) => {
        if (index === 0) return { kind: "replace", object: { body: newer } };
        return undefined;
      },
    });

    await expect(setup.download()).rejects.toMatchObject({ code: "bundle-corrupt" });
    expect(await setup.files()).toEqual([]);
  });

  it("does not accept a mixture of two versions", async () => {
    const other = buildBundle(3 * megabyte).subarray(0, body.length);
    await using setup = await setUpDownload({
      object: { body: Buffer.concat([other, Buffer.alloc(body.length - other.length)]) },
      misbehave: ({ index }) => {
        if (index === 0) return { kind: "cut", afterBytes: 1_000_000 };
        return index === 1 ? { kind: "replace", object: { body } } : undefined;
      },
    });

    await expect(setup.download()).rejects.toMatchObject({ code: "bundle-corrupt" });
    expect(await setup.files()).toEqual([]);
  });

  it("fails if the bundle keeps changing", async () => {
    await using setup = await setUpDownload({
      object,
      misbehave: ({ index }) =>
        index % 2 === 0
          ? { kind: "cut", afterBytes: 500_000 }
          : { kind: "replace", object: { body, etag: `"v${index}"` } },
    });

    await expect(setup.download()).rejects.toMatchObject({ code: "bundle-corrupt" });
    expect(await setup.files()).toEqual([]);
  });

  it.each([
    { name: "the platform's size", options: { sizeBytes: body.length }, requests: 0 },
    { name: "storage's size", options: {}, requests: 1 },
    {
      name: "its bytes if its length is unknown",
      options: { object: { body: large }, ignoresRanges: true, hidesLength: true },
      requests: 1,
    },
    {
      name: "its bytes even if it is a zip, which is read from its end",
      options: { object: { body: largeZip }, ignoresRanges: true, hidesLength: true },
      requests: 1,
    },
  ])("rejects a bundle that is too large according to $name", async ({ options, requests }) => {
    await using setup = await setUpDownload({ object, bytesPerSecond: 2 * megabyte, ...options });

    await expect(setup.download({ maxBytes: 1_000_000 })).rejects.toMatchObject({ code: "bundle-too-large" });
    expect(setup.storage.requests).toHaveLength(requests);
    expect(setup.storage.sentBytes).toBeLessThan(12 * megabyte);
    expect(await setup.files()).toEqual([]);
  });

  it("checks the disk before it sends a request to storage", async () => {
    await using setup = await setUpDownload({ object, sizeBytes: 1e15 });

    await expect(setup.download({ maxBytes: 1e16 })).rejects.toMatchObject({ code: "disk-full" });
    expect(setup.storage.requests).toHaveLength(0);
    expect(await setup.files()).toEqual([]);
  });

  it.each([
    { name: "an HTML page", content: "<!doctype html><title>Sign in</title>" },
    { name: "an XML document", content: "<?xml version='1.0'?><Error><Code>NoSuchKey</Code></Error>" },
    { name: "empty", content: "" },
  ])("reports $name instead of a bundle", async ({ name, content }) => {
    await using setup = await setUpDownload({ object: { body: Buffer.from(content) } });

    await expect(setup.download()).rejects.toMatchObject({
      code: "bundle-corrupt",
      message: expect.stringContaining(name),
    });
    expect(await setup.files()).toEqual([]);
  });

  it("refuses an archive that is made to escape as soon as it is seen", async () => {
    const evil = buildTarGz([{ name: "../evil", body: "x" }]);
    await using setup = await setUpDownload({ object: { body: evil, etag: '"1"' } });

    await expect(setup.download()).rejects.toMatchObject({ code: "unsafe-archive" });
    expect(await setup.files()).toEqual([]);
  });

  it("stops immediately when aborted, and leaves no file", async () => {
    const abort = new AbortController();
    const reason = new Error("cancelled");
    await using setup = await setUpDownload({
      object,
      bytesPerSecond: 1000,
      misbehave: () => {
        setImmediate(() => abort.abort(reason));
        return undefined;
      },
    });

    await expect(setup.download({ signal: abort.signal })).rejects.toBe(reason);
    expect(await setup.files()).toEqual([]);
  });

  it("removes the file of a killed run, but not that of a running one", async () => {
    await using setup = await setUpDownload({ object });
    const ended = spawn(process.execPath, ["--version"], { stdio: "ignore" });
    await once(ended, "exit");
    const others = [
      `bundle.tar.gz.${process.ppid}.part`,
      "bundle.tar.gz.part",
      `bundleXtar.gz.${ended.pid}.part`,
    ];
    for (const name of [...others, `bundle.tar.gz.${ended.pid}.part`, `bundle.tar.gz.${process.pid}.part`])
      await writeFile(join(setup.folder, name), "old");

    await setup.download();

    expect((await setup.files()).sort()).toEqual(["bundle.tar.gz", ...others].sort());
  });

  it.each([
    { hidesLength: false, line: /^Download: \d+ % of 3\.0 MB · 500 kB\/s · \d s left$/ },
    { hidesLength: true, line: /^Download: \d\.\d MB · 500 kB\/s$/ },
  ])(
    "logs its progress every three seconds, without a length: $hidesLength",
    async ({ line, ...storage }) => {
      await using setup = await setUpDownload({
        object,
        ignoresRanges: true,
        bytesPerSecond: 500_000,
        ...storage,
      });

      await setup.download();

      const logged = setup.lines.filter((message) => message.startsWith("Download: "));
      expect(logged).toEqual(logged.map(() => expect.stringMatching(line)));
      expect(logged.length).toBeGreaterThan(0);
      expect(logged.join()).not.toContain("100 %");
    },
  );
});

describe("describeProgress", () => {
  it.each([
    [210e6, 500e6, 52.5e6, "42 % of 500 MB · 52.5 MB/s · 6 s left"],
    [3e6, undefined, 1e6, "3.0 MB · 1.0 MB/s"],
    [0, 125e6, 1e6, "0 % of 125 MB · 1.0 MB/s · 2 min 5 s left"],
  ])("describes %i of %s bytes at %i bytes a second", (bytes, total, bytesPerSecond, line) => {
    expect(describeProgress(bytes, total, bytesPerSecond)).toBe(line);
  });
});

function openRequests({ storage }: DownloadSetup): number {
  return storage.requests.filter(({ status }) => status === undefined).length;
}
