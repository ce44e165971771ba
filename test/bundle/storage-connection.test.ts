import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, createServer, getDefaultAutoSelectFamilyAttemptTimeout, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StorageConnection, StorageNetwork } from "../../src/bundle/storage-connection.ts";
import { type ResponseHead, TransientError } from "../../src/bundle/storage-response.ts";
import { listen, readSelfSigned } from "../support/listen.ts";
import { caseCount } from "../support/property-seed.ts";

const direct = new StorageNetwork({}, () => true);

interface Answer {
  readonly head: ResponseHead | undefined;
  readonly body: string;
}

async function get(
  connection: StorageConnection,
  url: string,
  { most = Number.POSITIVE_INFINITY, signal = AbortSignal.timeout(10_000) } = {},
): Promise<Answer> {
  let head: ResponseHead | undefined;
  let body = "";
  await connection.get(new URL(url), { range: "bytes=0-" }, signal, (read) => {
    head = read;
    return (bytes) => {
      body += bytes.toString("latin1");
      return body.length < most;
    };
  });
  return { head, body };
}

/** A server that sends the given chunks as responses, one response per request. */
async function startRaw(answers: readonly (readonly string[])[], { closes = false } = {}) {
  const requests: string[] = [];
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on("error", () => undefined);
    socket.on("data", async (request) => {
      const pieces = answers[Math.min(requests.push(request.toString("latin1")), answers.length) - 1] ?? [];
      for (const piece of pieces) await new Promise((sent) => socket.write(piece, "latin1", sent));
      if (closes) socket.end();
    });
  });
  const listening = await listen(server);
  return { ...listening, url: `${listening.url}/a?b=%20c`, requests };
}

function chunked(body: string, sizes: readonly number[]): string {
  const parts: string[] = [];
  for (let at = 0, turn = 0; at < body.length; turn += 1) {
    const part = body.slice(at, at + (sizes[turn % sizes.length] ?? 1));
    at += part.length;
    parts.push(`${part.length.toString(16)};name=value\r\n${part}\r\n`);
  }
  return `${parts.join("")}0\r\nTrailer: x\r\n\r\n`;
}

/** Splits a text at the given positions. */
function cutAt(text: string, places: readonly number[]): string[] {
  const ends = [...new Set(places.map((place) => place % (text.length + 1)))].sort(
    (one, other) => one - other,
  );
  return [...ends, text.length].map((end, index) => text.slice(ends[index - 1] ?? 0, end));
}

const bodies = fc.string({ unit: "binary-ascii", maxLength: 300 });
const framings = fc.constantFrom("length" as const, "chunks" as const, "close" as const);

test("every address of distant storage gets time for its first round trip", () => {
  expect(getDefaultAutoSelectFamilyAttemptTimeout()).toBeGreaterThanOrEqual(2_500);
});

test("an invalid proxy is named when a connection needs it", async () => {
  const network = new StorageNetwork({ httpsProxy: "socks5://127.0.0.1:9" }, () => true);
  const connecting = network.connect(new URL("https://storage.invalid/"), () => undefined);
  await expect(connecting).rejects.toThrow("HTTPS_PROXY is not the URL of an HTTP proxy.");
});

describe("a connection to storage", () => {
  test("reads a response with any framing, split at any position", async () => {
    await fc.assert(
      fc.asyncProperty(
        bodies,
        framings,
        fc.array(fc.nat(1000), { maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }),
        async (body, framing, places, sizes) => {
          const fields = {
            length: `content-length: ${body.length}`,
            chunks: "Transfer-Encoding: chunked",
            close: "x: y",
          };
          const content = framing === "chunks" ? chunked(body, sizes) : body;
          const text = `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 206 Some words\r\nETag:  "1" \r\n${fields[framing]}\r\n\r\n${content}`;
          await using server = await startRaw([cutAt(text, places)], { closes: framing === "close" });
          using connection = new StorageConnection(direct);

          const answer = await get(connection, server.url);

          expect(answer.body).toBe(body);
          expect(answer.head).toMatchObject({ status: 206 });
          expect(answer.head?.headers.get("etag")).toBe('"1"');
        },
      ),
      { numRuns: caseCount(60) },
    );
  });

  test("is reused for the next request to the same origin, and sends the requested path", async () => {
    await using server = await startRaw([["HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nab"]]);
    using connection = new StorageConnection(direct);

    for (let turn = 0; turn < 3; turn += 1) expect((await get(connection, server.url)).body).toBe("ab");

    expect(server.connections()).toBe(1);
    const { host } = new URL(server.url);
    expect(server.requests[0]).toBe(`GET /a?b=%20c HTTP/1.1\r\nhost: ${host}\r\nrange: bytes=0-\r\n\r\n`);
  });

  test("is closed by bytes that belong to no response, and replaced for the next request", async () => {
    const sockets: Socket[] = [];
    await using server = await listen(
      createServer((socket) => {
        sockets.push(socket);
        socket.on("data", () => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nab"));
      }),
    );
    using connection = new StorageConnection(direct);
    await get(connection, server.url);
    const [first] = sockets;
    if (first === undefined) throw new Error("The server got no connection.");

    const closed = once(first, "close");
    first.on("error", () => undefined).write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\ncd");
    await closed;

    expect((await get(connection, server.url)).body).toBe("ab");
    expect(sockets).toHaveLength(2);
  });

  test("is replaced for another origin; that the earlier one is closed does not end the request", async () => {
    class SlowNetwork extends StorageNetwork {
      override async connect(...request: Parameters<StorageNetwork["connect"]>) {
        for (let turn = 0; turn < 5; turn += 1) await nextTurn();
        return super.connect(...request);
      }
    }
    await using server = await startRaw([["HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nab"]]);
    await using other = await startRaw([["HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\ncd"]]);
    using connection = new StorageConnection(new SlowNetwork({}, () => true));

    expect((await get(connection, server.url)).body).toBe("ab");
    expect((await get(connection, other.url)).body).toBe("cd");
  });

  test.each([204, 304])("reads no body of a response without one (%i)", async (status) => {
    await using server = await startRaw([[`HTTP/1.1 ${status} X\r\ncontent-length: 5\r\n\r\n`]]);
    using connection = new StorageConnection(direct);

    for (let turn = 0; turn < 2; turn += 1)
      expect((await get(connection, server.url)).head?.status).toBe(status);

    expect(server.connections()).toBe(1);
  });

  test.each([
    ["storage closes it", "HTTP/1.1 200 OK\r\nConnection: close\r\ncontent-length: 2\r\n\r\nab"],
    ["storage is of HTTP/1.0", "HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nab"],
    ["something follows the answer", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nabHTTP/1.1 200 OK\r\n"],
  ])("is not reused if %s", async (_case, answer) => {
    await using server = await startRaw([[answer]]);
    using connection = new StorageConnection(direct);

    for (let turn = 0; turn < 2; turn += 1) expect((await get(connection, server.url)).body).toBe("ab");

    expect(server.connections()).toBe(2);
  });

  test.each([4, 1_000_000])("stops as soon as no more of %i bytes is needed", async (length) => {
    await using server = await startRaw([[`HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\nabc`]]);
    using connection = new StorageConnection(direct);

    expect((await get(connection, server.url, { most: 2 })).body).toBe("abc");
    expect((await get(connection, server.url, { most: 2 })).body).toBe("abc");
    expect(server.connections()).toBe(2);
  });

  test.each([
    ["no HTTP", "SSH-2.0-server\r\n"],
    ["another version", "HTTP/2 200\r\n\r\n"],
    ["a field without a name", "HTTP/1.1 200 OK\r\n: x\r\n\r\n"],
    ["a folded field", "HTTP/1.1 200 OK\r\na: b\r\n c\r\n\r\n"],
    ["a line feed within a field", "HTTP/1.1 200 OK\r\netag: a\rb\r\n\r\n"],
    ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"],
    ["a length with a vertical tab", "HTTP/1.1 200 OK\r\ncontent-length: 2\v\r\n\r\nab"],
    ["a negative length", "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n"],
    ["an unknown encoding", "HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\n\r\n"],
    ["a chunk without a size", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nx\r\n"],
    [
      "a chunk that is longer than stated",
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nabc\r\n",
    ],
    ["a head without an end", `HTTP/1.1 200 OK\r\n${"a: b\r\n".repeat(20_000)}`],
    ["a line without an end", "x".repeat(100_000)],
  ])("rejects %s", async (_case, answer) => {
    await using server = await startRaw([[answer]]);
    using connection = new StorageConnection(direct);

    await expect(get(connection, server.url)).rejects.toMatchObject({ code: "unexpected-response" });
  });

  test("rejects an invalid field of many tabs", async () => {
    await using server = await startRaw([[`HTTP/1.1 200 OK\r\nx:${"\t".repeat(8_000)}\0\r\n\r\n`]]);
    using connection = new StorageConnection(direct);

    await expect(get(connection, server.url)).rejects.toMatchObject({ code: "unexpected-response" });
  });

  test("fails if it is closed before the end of the body", async () => {
    await using server = await startRaw([["HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nab"]], {
      closes: true,
    });
    using connection = new StorageConnection(direct);

    await expect(get(connection, server.url)).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  test("throws the signal's reason", async () => {
    await using server = await startRaw([["HTTP/1.1 200 OK\r\n"]]);
    using connection = new StorageConnection(direct);
    const abort = new AbortController();
    const reason = new Error("cancelled");
    const answer = get(connection, server.url, { signal: abort.signal });
    setImmediate(() => abort.abort(reason));

    await expect(answer).rejects.toBe(reason);
  });
});

describe("storage behind TLS", () => {
  const defaults = getCACertificates("default");
  beforeAll(() => setDefaultCACertificates([...defaults, readSelfSigned().cert]));
  afterAll(() => setDefaultCACertificates(defaults));

  const startStorage = () =>
    listen(
      createTlsServer(readSelfSigned(), (request, response) =>
        response.end(`${request.url} ${"x".repeat(100_000)}`),
      ),
    );

  test.each(["localhost", "127.0.0.1"])("is reached at %s over one connection", async (host) => {
    await using storage = await startStorage();
    using connection = new StorageConnection(direct);
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => void warnings.push(warning);
    process.on("warning", onWarning);
    for (const path of ["/1", "/2"])
      expect((await get(connection, `https://${host}:${storage.port}${path}`)).body).toMatch(`${path} x`);
    process.off("warning", onWarning);
    expect(storage.connections()).toBe(1);
    expect(warnings).toEqual([]);
  });

  const startProxy = async (protocol: "http" | "https", target: number) => {
    const tunnels: string[] = [];
    const server = protocol === "http" ? createHttpServer() : createTlsServer(readSelfSigned());
    const proxy = await listen(
      server.on("connect", (request, socket: Socket) => {
        tunnels.push(`${request.url} ${request.headers["proxy-authorization"]}`);
        const upstream = connect(target, "127.0.0.1", () => {
          socket.write("HTTP/1.1 200 Connected\r\n\r\n");
          upstream.pipe(socket).pipe(upstream);
        });
        upstream.on("error", () => socket.destroy());
        socket.on("error", () => upstream.destroy());
        socket.on("close", () => upstream.destroy());
      }),
    );
    return { ...proxy, tunnels };
  };

  test.each(["http", "https"] as const)(
    "is reached through a proxy of %s, which is not used for this machine",
    async (protocol) => {
      await using storage = await startStorage();
      await using proxy = await startProxy(protocol, storage.port);
      const network = new StorageNetwork(
        { httpsProxy: `${protocol}://u:p@localhost:${proxy.port}` },
        () => true,
      );
      using proxied = new StorageConnection(network);
      using local = new StorageConnection(network);

      for (const path of ["/1", "/2"])
        expect((await get(proxied, `https://storage.test:${storage.port}${path}`)).body).toMatch(`${path} x`);
      expect((await get(local, `https://localhost:${storage.port}/3`)).body).toMatch("/3 x");

      expect(proxy.tunnels).toEqual([`storage.test:${storage.port} Basic dTpw`]);
    },
  );

  test.each([
    ["*", true],
    ["other.invalid, STORAGE.invalid", true],
    [".invalid", true],
    ["*.invalid:443", true],
    ["storage.invalid:8443", false],
    ["age.invalid", false],
    ["", false],
  ])("is reached without the proxy if NO_PROXY is %j: %j", async (noProxy, isExcluded) => {
    const asked: string[] = [];
    await using proxy = await listen(
      createHttpServer().on("connect", (request, socket) => {
        asked.push(request.url ?? "");
        socket.end("HTTP/1.1 502 No\r\n\r\n");
      }),
    );
    const network = new StorageNetwork({ httpsProxy: `127.0.0.1:${proxy.port}`, noProxy }, () => true);
    using connection = new StorageConnection(network);

    await expect(get(connection, "https://storage.invalid/")).rejects.toThrow();

    expect(asked).toEqual(isExcluded ? [] : ["storage.invalid:443"]);
  });

  test("fails if the proxy opens no tunnel", async () => {
    await using proxy = await listen(
      createHttpServer().on("connect", (_request, socket) => socket.end("HTTP/1.1 407 Who are you\r\n\r\n")),
    );
    const network = new StorageNetwork({ httpsProxy: `127.0.0.1:${proxy.port}` }, () => true);
    using connection = new StorageConnection(network);

    const failure = await get(connection, "https://storage.test/").catch((error: unknown) => error);
    const via = `; the request went through the proxy http://127.0.0.1:${proxy.port}`;

    expect(failure).toMatchObject({ code: "ERR_PROXY_TUNNEL", message: expect.stringContaining(via) });
    expect(TransientError.fromConnection(failure).message).toBe(
      `the connection failed (ERR_PROXY_TUNNEL, status 407${via})`,
    );
  });

  test.each([true, false])("names the proxy if one was used: %s", async (isProxied) => {
    const network = new StorageNetwork({ httpsProxy: "http://user:word@127.0.0.1:9" }, () => true);
    using connection = new StorageConnection(network);
    const address = isProxied ? "https://storage.test/" : "https://localhost:9/";
    const failure = await get(connection, address).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "ECONNREFUSED" });
    expect(String(failure).includes("; the request went through the proxy http://127.0.0.1:9")).toBe(
      isProxied,
    );
    expect(String(failure)).not.toMatch(/user|word/);
  });

  test("is rejected if its certificate is not trusted", async () => {
    setDefaultCACertificates(defaults);
    await using storage = await startStorage();
    using connection = new StorageConnection(direct);

    const answer = get(connection, `https://localhost:${storage.port}/`);

    await expect(answer).rejects.toMatchObject({ code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
  });
});
