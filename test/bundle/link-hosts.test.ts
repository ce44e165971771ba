import { describe, expect, test } from "vitest";
import { createLinkPolicy, type NetworkScope } from "../../src/base/network.ts";
import { parseStorageUrl } from "../../src/bundle/presigned-link.ts";
import { createLookup, StorageConnection, StorageNetwork } from "../../src/bundle/storage-connection.ts";
import { startHttpServer } from "../support/http-server.ts";
import { setUpDownload } from "./download-setup.ts";

const policyOf = (platform: NetworkScope, ...allowed: string[]) => createLinkPolicy(() => platform, allowed);

describe("a link to a bundle", () => {
  test.each([
    "http://127.0.0.1:8080/x",
    "http://localhost/x",
    "https://localhost./x",
    "https://[::1]/x",
    "https://0x7f.1/x",
    "https://[::ffff:10.0.0.1]/x",
    "https://10.0.0.1/x",
    "https://169.254.169.254/latest/meta-data",
    "https://[fd00:ec2::254]/x",
    "https://168.63.129.16/x",
    "https://100.100.100.200/x",
    "https://metadata.google.internal/x",
  ])("of a public platform is rejected: %s", (link) => {
    expect(() => parseStorageUrl(link, policyOf("public"))).toThrow(
      /on this machine or in a private network/,
    );
    const { hostname } = new URL(link);
    expect(parseStorageUrl(link, () => true).hostname).toBe(hostname);
  });

  test("may lead to this machine if the platform is on it, and to an allowed host", () => {
    expect(parseStorageUrl("http://127.0.0.1:1/x", policyOf("loopback")).port).toBe("1");
    expect(parseStorageUrl("https://10.0.0.1/x", policyOf("public", "10.0.0.1")).hostname).toBe("10.0.0.1");
    expect(() => parseStorageUrl("https://169.254.169.254/x", policyOf("loopback"))).toThrow("leads to");
  });

  test.each(["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "fe80::1", "::ffff:192.168.0.1"])(
    "is rejected if its name resolves to %s only, and uses the public address if there is one",
    async (address) => {
      const family = address.includes(":") ? 6 : 4;
      const found = [{ address, family }];
      await expect(lookUp("public", found)).rejects.toMatchObject({ code: "unexpected-response" });
      expect(await lookUp("public", [...found, { address: "8.8.8.8", family: 4 }])).toEqual([
        { address: "8.8.8.8", family: 4 },
      ]);
    },
  );

  test("is rejected by the connection itself, which resolves the name only once", async () => {
    await using server = await startHttpServer(() => new Response("<title>secret page</title>"));
    const { port } = new URL(server.url);
    using connection = new StorageConnection(new StorageNetwork({}, policyOf("public")));
    const url = new URL(`http://localhost:${port}/`);
    const request = connection.get(url, {}, AbortSignal.timeout(10_000), () => () => true);
    await expect(request).rejects.toMatchObject({ code: "unexpected-response" });
    expect(server.requests).toEqual([]);
  });
});

describe("the response of another host", () => {
  test.each([302, 307, 308])("is not requested if storage redirects (%i) to it", async (status) => {
    await using inner = await startHttpServer(() => new Response("<title>inner page</title>"));
    const location = inner.url.replace("127.0.0.1", "127.0.0.2");
    await using setup = await setUpDownload({
      object: { body: Buffer.from("x") },
      misbehave: () => ({ kind: "answer", status, body: "", headers: { location } }),
    });
    const linkPolicy = (_network: NetworkScope, host: string) => host === "127.0.0.1";

    const error: unknown = await setup.download({ linkPolicy }).catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({
      code: "unexpected-response",
      message: expect.stringContaining("127.0.0.2"),
    });
    expect(inner.requests).toEqual([]);
  });

  test.each([
    ["a page", "<!doctype html><title>INNER secret</title><body>INNER text"],
    ["an XML error", "<?xml version='1.0'?><Error><Code>INNER</Code><Message>INNER</Message></Error>"],
    ["a text", "INNER text of a page"],
    ["JSON", '{"error":"INNER"}'],
  ])("is not shown: %s", async (_name, body) => {
    for (const status of [200, 400, 403, 404, 500]) {
      await using setup = await setUpDownload({
        object: { body: Buffer.from("x") },
        misbehave: () => ({
          kind: "answer",
          status,
          body,
          headers: { "content-type": "text/INNER", etag: '"INNER"', "x-request-id": "INNER" },
        }),
      });
      const error = await setup.download().catch((thrown: unknown) => thrown as Error);
      expect(error).toBeInstanceOf(Error);
      expect([String(error), ...setup.lines].join()).not.toMatch(/INNER/);
    }
  });
});

function lookUp(platform: NetworkScope, addresses: { address: string; family: number }[]): Promise<unknown> {
  type Resolve = NonNullable<Parameters<typeof createLookup>[1]>;
  const resolve = ((_name: string, _options: object, answer: (error: null, found: object) => void) =>
    answer(null, addresses)) as unknown as Resolve;
  return new Promise((done, fail) => {
    createLookup(policyOf(platform), resolve)("storage.example", { all: true }, (error, found) =>
      error ? fail(error) : done(found),
    );
  });
}
