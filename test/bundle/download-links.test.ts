import { describe, expect, it } from "vitest";
import { buildBundle } from "../support/archives.ts";
import { startStorage } from "../support/storage.ts";
import { setUpDownload, sha256 } from "./download-setup.ts";

const megabyte = 1e6;
const body = buildBundle(6 * megabyte);
const object = { body, etag: '"1"' };

describe("links that expire", () => {
  it("replaces a link before it expires", async () => {
    await using setup = await setUpDownload({
      object,
      linkLifeMs: 200,
      bytesPerSecond: 8 * megabyte,
      misbehave: ({ index }) => (index < 3 ? { kind: "cut", afterBytes: 2 * megabyte } : undefined),
    });

    const bundle = await setup.download();

    expect(bundle.sha256).toBe(sha256(body));
    expect(bundle.transfer.links).toBeGreaterThan(1);
    expect(setup.storage.requests.filter(({ status }) => status === 403)).toEqual([]);
  });

  it.each(["longer", "none"] as const)(
    "requests a fresh one if storage refuses it (stated lifetime: %s)",
    async (announcedLife) => {
      await using setup = await setUpDownload({
        object,
        linkLifeMs: 150,
        announcedLife,
        bytesPerSecond: 8 * megabyte,
        misbehave: ({ index }) => (index < 3 ? { kind: "cut", afterBytes: 2 * megabyte } : undefined),
      });

      const bundle = await setup.download();

      expect(bundle.sha256).toBe(sha256(body));
      expect(setup.storage.requests.some(({ status }) => status === 403)).toBe(true);
    },
  );

  it("requests one link for all connections", async () => {
    const large = buildBundle(16 * megabyte);
    await using setup = await setUpDownload({
      object: { body: large, etag: '"1"' },
      linkLifeMs: 300,
      announcedLife: "none",
      bytesPerSecond: 3 * megabyte,
    });
    let pending = 0;
    let most = 0;

    const bundle = await setup.download({ connections: 4 }, async () => {
      pending += 1;
      most = Math.max(most, pending);
      await setup.clock.sleep(30, new AbortController().signal);
      pending -= 1;
      return setup.storage.getLink();
    });

    expect(bundle.sha256).toBe(sha256(large));
    expect(bundle.transfer.connections).toBe(4);
    expect(most).toBe(1);
    const refused = setup.storage.requests.filter(({ status }) => status === 403).length;
    expect(bundle.transfer.links).toBeLessThanOrEqual(refused + 1);
  });

  it.each([
    { status: 401, answer: "" },
    { status: 403, answer: "<Error><Code>AccessDenied</Code></Error>" },
    { status: 410, answer: "" },
    { status: 400, answer: "<Error><Code>ExpiredToken</Code></Error>" },
  ])("treats $status as an expired link", async ({ status, answer }) => {
    await using setup = await setUpDownload({
      object,
      misbehave: ({ index }) => (index === 0 ? { kind: "answer", status, body: answer } : undefined),
    });

    expect(await setup.download()).toMatchObject({ sha256: sha256(body), transfer: { links: 2 } });
  });

  it.each([
    { status: 403, code: "forbidden" },
    { status: 404, code: "not-found" },
  ])("fails if fresh links are refused repeatedly with $status", async ({ status, code }) => {
    await using setup = await setUpDownload({ object, misbehave: () => ({ kind: "answer", status }) });

    await expect(setup.download()).rejects.toMatchObject({ code, status });
    expect(setup.storage.links).toBe(4);
    expect(await setup.files()).toEqual([]);
  });

  it("waits for a link that becomes valid some seconds after the platform has issued it", async () => {
    const validFrom: number[] = [];
    await using setup = await setUpDownload({
      object,
      misbehave: ({ url }) => {
        const issued = Number(/secret-(\d+)/.exec(url)?.[1]);
        const isValid = setup.clock.now() >= (validFrom[issued] ?? 0);
        return isValid ? undefined : { kind: "answer", status: 403 };
      },
    });

    const bundle = await setup.download({}, () => {
      validFrom.push(setup.clock.now() + 8_000);
      return setup.storage.getLink();
    });

    expect(bundle.sha256).toBe(sha256(body));
    expect(setup.waits).toEqual([5_000, 10_000]);
  });

  it("does not treat every 400 as an expired link", async () => {
    await using setup = await setUpDownload({
      object,
      misbehave: () => ({ kind: "answer", status: 400, body: "<Error><Code>InvalidArgument</Code></Error>" }),
    });

    await expect(setup.download()).rejects.toMatchObject({
      code: "unexpected-response",
      message: expect.stringContaining("400 InvalidArgument"),
    });
    expect(setup.storage.links).toBe(1);
  });

  it("fails with the platform's error if it returns no link", async () => {
    await using setup = await setUpDownload({ object });
    const refusal = new Error("the platform is down");

    await expect(setup.download({}, () => Promise.reject(refusal))).rejects.toBe(refusal);
    expect(await setup.files()).toEqual([]);
  });

  it("never shows a link and never sends credentials", async () => {
    await using setup = await setUpDownload({
      object,
      misbehave: ({ index }) => {
        if (index === 0) return { kind: "answer", status: 403 };
        if (index === 1) return { kind: "answer", status: 503, body: "secret-1 is not welcome" };
        return index === 2
          ? { kind: "cut", afterBytes: 100 }
          : { kind: "answer", status: 400, body: "secret-1" };
      },
    });

    const error = await setup.download().catch((reason: unknown) => reason);

    const shown = [String(error), JSON.stringify(error), ...setup.lines].join("\n");
    expect(shown).not.toContain("secret-");
    expect(shown).not.toContain("Signature");
    for (const { headers } of setup.storage.requests) expect(headers).not.toHaveProperty("authorization");
  });
});

describe("redirects of storage", () => {
  it.each([301, 302, 303, 307, 308])("are followed to another host: status %i", async (status) => {
    await using elsewhere = await startStorage({ object });
    const { url } = await elsewhere.getLink();
    await using setup = await setUpDownload({
      object,
      misbehave: () => ({ kind: "answer", status, headers: { location: url } }),
    });

    expect((await setup.download()).sha256).toBe(sha256(body));
    expect(elsewhere.requests).toHaveLength(1);
    // Debug logging has a line for each request.
    expect(setup.lines.filter((line) => line.startsWith("GET "))).toEqual([
      expect.stringContaining(`GET ${setup.storage.origin}/exports/bundle.tar.gz: ${status}`),
      expect.stringContaining(`GET ${elsewhere.origin}/exports/bundle.tar.gz: 200`),
    ]);
  });

  it.each([
    [302, {}],
    [300, { location: "/other" }],
  ])("are no redirects with status %i and %j", async (status, headers) => {
    await using setup = await setUpDownload({
      object,
      misbehave: () => ({ kind: "answer", status, headers }),
    });

    await expect(setup.download()).rejects.toMatchObject({ message: `Storage returned ${status}.` });
    expect(setup.storage.requests).toHaveLength(1);
  });

  it("are limited in number", async () => {
    await using setup = await setUpDownload({
      object,
      misbehave: ({ url }) => ({ kind: "answer", status: 302, headers: { location: url } }),
    });

    await expect(setup.download()).rejects.toMatchObject({ code: "unexpected-response" });
    expect(setup.storage.requests.length).toBeLessThan(10);
  });

  it.each(["http://storage.example/bundle", "file:///etc/passwd", "ftp://storage.example/"])(
    "are not followed to %s",
    async (location) => {
      await using setup = await setUpDownload({
        object,
        misbehave: () => ({ kind: "answer", status: 302, headers: { location } }),
      });

      await expect(setup.download()).rejects.toMatchObject({
        code: "unexpected-response",
        message: expect.stringContaining(`(${location})`),
        hint: expect.not.stringContaining("`base-url`"),
      });
      expect(setup.storage.requests).toHaveLength(1);
    },
  );

  it("are not needed to reject a link that is not https", async () => {
    await using setup = await setUpDownload({ object });
    const getLink = async () => ({ url: "http://storage.example/bundle?sig=secret" });

    await expect(setup.download({}, getLink)).rejects.toMatchObject({
      code: "unexpected-response",
      message: expect.not.stringContaining("secret"),
    });
  });
});
