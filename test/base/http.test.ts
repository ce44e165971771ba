import { createServer } from "node:http";
import { getDefaultAutoSelectFamilyAttemptTimeout } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { certificateErrorDetails, HttpClient, readProxySettings, readResponse } from "../../src/base/http.ts";
import { codeOf } from "../../src/base/text.ts";
import { listen } from "../support/listen.ts";

const neverAborted = new AbortController().signal;
const get = { method: "GET", headers: {}, signal: neverAborted };

describe("HttpClient", () => {
  test("gives every address of a distant host time for its first round trip", () => {
    new HttpClient().close();
    expect(getDefaultAutoSelectFamilyAttemptTimeout()).toBeGreaterThanOrEqual(2_500);
  });

  test("sends a body with its length, accepts no compression, and returns the response's headers and body", async () => {
    const seen: string[] = [];
    await using server = await listen(
      createServer(async (request, response) => {
        seen.push(
          `${request.method} ${request.url} ${request.headers["content-length"]} ${request.headers["accept-encoding"]} ${await text(request)}`,
        );
        response.writeHead(201, { "x-word": "yes" }).end("né");
      }),
    );
    const client = new HttpClient();
    const url = new URL(`http://127.0.0.1:${server.port}/a?b=c`);
    const response = await client.send(url, { ...get, method: "POST", body: "né" });
    expect([response.statusCode, response.headers["x-word"], await text(response)]).toEqual([
      201,
      "yes",
      "né",
    ]);
    expect(seen).toEqual(["POST /a?b=c 3 identity né"]);
    client.close();
  });

  test("times out when the response headers do not arrive in time", async () => {
    await using server = await listen(createServer(() => undefined));
    const sent = new HttpClient().send(new URL(`http://127.0.0.1:${server.port}/`), {
      ...get,
      headersTimeoutMs: 20,
    });
    await expect(sent).rejects.toMatchObject({
      code: "HEADERS_TIMEOUT",
      message: "no response within 0.02 s",
    });
  });

  test("closes a response that sends nothing for a minute", async () => {
    const closed = Promise.withResolvers<void>();
    await using server = await listen(
      createServer((_, response) => {
        response.on("close", closed.resolve).write("begun");
      }),
    );
    const response = await new HttpClient().send(new URL(`http://127.0.0.1:${server.port}/`), get);
    expect(response.socket.timeout).toBe(60_000);
    response.socket.emit("timeout");
    await expect(text(response)).rejects.toMatchObject({
      code: "BODY_TIMEOUT",
      message: "the response sent no data for 60 s",
    });
    await closed.promise;
  });

  test("closes a response that is read into memory, but never ends", async () => {
    const closed = Promise.withResolvers<void>();
    await using server = await listen(
      createServer((_, response) => {
        const sendMore = () => void (response.destroyed || response.write(" ", () => setImmediate(sendMore)));
        response.on("close", closed.resolve);
        sendMore();
      }),
    );
    const response = await new HttpClient().send(new URL(`http://127.0.0.1:${server.port}/`), get);
    await expect(readResponse(response, 1e9, 20)).rejects.toMatchObject({
      code: "BODY_TIMEOUT",
      message: "the response did not end within 0.02 s",
    });
    await closed.promise;
  });

  test("throws the signal's reason", async () => {
    await using server = await listen(createServer(() => undefined));
    const controller = new AbortController();
    const url = new URL(`http://127.0.0.1:${server.port}/`);
    const sent = new HttpClient().send(url, { ...get, signal: controller.signal });
    const reason = new Error("cancelled");
    controller.abort(reason);
    await expect(sent).rejects.toBe(reason);
  });

  test("uses the proxy of the environment, except for this machine and for excluded hosts", async () => {
    const proxied: (string | undefined)[] = [];
    await using proxy = await listen(
      createServer((request, response) => {
        proxied.push(request.url);
        response.end("from the proxy");
      }),
    );
    await using server = await listen(createServer((_request, response) => response.end("direct")));
    const client = new HttpClient(
      readProxySettings({ HTTP_PROXY: `127.0.0.1:${proxy.port}`, no_proxy: "excluded.invalid" }),
    );
    const bodyOf = async (url: string) => text(await client.send(new URL(url), get));
    expect(await bodyOf("http://platform.invalid/jobs")).toBe("from the proxy");
    expect(await bodyOf(`http://127.0.0.1:${server.port}/`)).toBe("direct");
    for (const host of ["excluded.invalid", "api.excluded.invalid"])
      await expect(bodyOf(`http://${host}/`)).rejects.toThrow(`ENOTFOUND ${host}`);
    expect(proxied).toEqual(["http://platform.invalid/jobs"]);
    client.close();
  });

  test.each([
    ["https://platform.example", true],
    ["https://docs.corp.example", false],
    ["https://localhost", false],
    ["http://platform.example", false],
  ])("knows whose address a connection to %s has: the proxy's: %s", (url, isProxied) => {
    const client = new HttpClient({ httpsProxy: "http://127.0.0.1:9", noProxy: "corp.example" });
    expect(client.isProxied(new URL(url))).toBe(isProxied);
  });

  test("logs each request without its query, headers and body", async () => {
    const lines: string[] = [];
    const log = { debug: (line: string) => void lines.push(line.replace(/\d+ ms/, "12 ms")) };
    await using server = await listen(
      createServer((_request, response) => response.writeHead(429, { "x-request-id": "req-1" }).end("body")),
    );
    const origin = `http://127.0.0.1:${server.port}`;
    const client = new HttpClient();
    const request = { ...get, headers: { authorization: "Bearer secret" }, log, attempt: 2 };
    (await client.send(new URL(`${origin}/jobs?signature=secret`), request)).resume();
    await expect(client.send(new URL("http://127.0.0.1:1/jobs"), { ...get, log })).rejects.toThrow();
    client.close();
    expect(lines).toEqual([
      `GET ${origin}/jobs: 429, request req-1, 12 ms, attempt 2`,
      "GET http://127.0.0.1:1/jobs: ECONNREFUSED, 12 ms, attempt 1",
    ]);
  });

  test("distinguishes a proxy that opens no tunnel from a response of the platform", async () => {
    const proxy = createServer();
    proxy.on("connect", (_request, socket) =>
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"),
    );
    await using started = await listen(proxy);
    const client = new HttpClient({ httpsProxy: `http://user:password@127.0.0.1:${started.port}` });
    const sent = client.send(new URL("https://platform.invalid/"), get);
    await expect(sent).rejects.toMatchObject({
      code: "ERR_PROXY_TUNNEL",
      message: expect.stringContaining(`went through the proxy http://127.0.0.1:${started.port}`),
    });
    await expect(sent).rejects.not.toThrow("password");
  });

  test.each([
    ["user:100%", "user:100%"],
    ["us%40er:50%25%", "us@er:50%%"],
  ])(
    "sends a proxy the credentials %s, also with a percent sign that is not encoded",
    async (written, sent) => {
      const received: (string | undefined)[] = [];
      const proxy = createServer().on("connect", (request, socket) => {
        received.push(request.headers["proxy-authorization"]);
        socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
      });
      await using started = await listen(proxy);
      const client = new HttpClient({ httpsProxy: `http://${written}@127.0.0.1:${started.port}` });
      const failure = await client.send(new URL("https://platform.invalid/"), get).catch(codeOf);
      client.close();

      expect(failure).toBe("ERR_PROXY_TUNNEL");
      expect(received).toEqual([`Basic ${Buffer.from(sent).toString("base64")}`]);
    },
  );

  // Node would ignore a proxy of another kind, and send requests past it.
  test.each(["http://[", "socks5://proxy.example:1080"])("rejects the proxy %s", (httpsProxy) => {
    expect(() => new HttpClient({ httpsProxy })).toThrow("HTTPS_PROXY is not the URL of an HTTP proxy.");
  });
});

test.each([
  ["SELF_SIGNED_CERT_IN_CHAIN", "NODE_EXTRA_CA_CERTS"],
  ["CERT_HAS_EXPIRED", "correct the address, the certificate or the runner's clock"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "correct the address, the certificate or the runner's clock"],
])("the hint for %s names what helps", (code, help) => {
  expect(certificateErrorDetails(code).hint).toContain(help);
});
