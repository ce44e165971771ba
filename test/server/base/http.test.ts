/** Bodies in all framings of HTTP (RFC 9112 §6, §7), written to the socket in arbitrary pieces. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listen } from "../../../src/server/base/http.ts";
import { caseCount } from "../../support/property-seed.ts";
import { createFakeExporter } from "../exports/export-platform.ts";
import { startTestPlatform, type TestPlatform } from "../test-platform.ts";

const question = {
  fp: "a",
  messages: [
    { id: "1", role: "user", content: "Wie oft? 🔑", parts: [{ type: "text", text: "Wie oft? 🔑" }] },
  ],
};
const domain = "docs.example.com";

/** All routes with a request body, and the status of their response to this one. */
const requests = [
  { path: "/v1/static-export/jobs", body: { domain }, status: 202 },
  { path: "/v1/static-export/jobs", body: { domain: "näh" }, status: 400 },
  { path: "/v2/agent/p1/job", body: { prompt: "Fix it" }, status: 403 },
  { path: `/discovery/v1/assistant/${domain}/message`, body: question, status: 200 },
  { path: `/discovery/v2/assistant/${domain}/message`, body: question, status: 200 },
] as const;

function withParts(count: number) {
  return { fp: "a", messages: [{ ...question.messages[0], parts: Array(count).fill({ type: "text" }) }] };
}

/** Sends the pieces, if possible in separate packets, and reads the status of the response. */
async function sendRaw(platform: TestPlatform, path: string, header: string, pieces: readonly Buffer[]) {
  const { hostname, port } = new URL(platform.listensOn);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, "connect");
  const key = path.startsWith("/discovery") ? platform.assistantKey : platform.adminKey;
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\nConnection: close\r\n${header}\r\n\r\n`,
  );
  for (const piece of pieces) socket.write(piece);
  let answer = "";
  for await (const chunk of socket.setEncoding("utf8")) answer += chunk;
  const final = answer.replace(/^HTTP\/1\.1 100 .*?\r\n\r\n/s, "");
  return Number(/^HTTP\/1\.1 (?<status>\d{3})/.exec(final)?.groups?.["status"]);
}

/** Cuts bytes at these fractions of their length, even in the middle of a character. */
function cut(bytes: Buffer, shares: readonly number[]): Buffer[] {
  const places = [...new Set(shares.map((share) => Math.floor(share * bytes.length)))].sort((a, b) => a - b);
  return [0, ...places].map((place, index) => bytes.subarray(place, places[index] ?? bytes.length));
}

const toChunk = (piece: Buffer) => [
  Buffer.from(`${piece.length.toString(16)}\r\n`),
  piece,
  Buffer.from("\r\n"),
];
const lastChunk = (trailers = "") => Buffer.from(`0\r\n${trailers}\r\n`);

describe("a request's body", () => {
  test("that is not UTF-8 is refused", async () => {
    await using platform = await startTestPlatform({}, { exporter: createFakeExporter() });
    const bytes = Buffer.from(`{"domain":"${domain}","version":"\xff"}`, "latin1");
    const header = `Content-Length: ${bytes.length}`;

    expect(await sendRaw(platform, "/v1/static-export/jobs", header, [bytes])).toBe(400);
  });

  test.each([
    ["/v1/static-export/jobs", { domain, paths: Array(150_000).fill(1) }],
    [`/discovery/v1/assistant/${domain}/message`, withParts(150_000)],
    [`/discovery/v2/assistant/${domain}/message`, withParts(150_000)],
    [`/discovery/v1/assistant/${domain}/message`, { fp: "a", messages: Array(20_000).fill({}) }],
  ])("with very many invalid fields gets a short 400 at %s", async (path, body) => {
    await using platform = await startTestPlatform({}, { exporter: createFakeExporter() });
    const key = path.startsWith("/discovery") ? platform.assistantKey : platform.adminKey;
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };

    const response = await fetch(platform.listensOn + path, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });

    expect(response.status).toBe(400);
    expect((await response.text()).length).toBeLessThan(5000);
  });

  test("has the same result in every framing", async () => {
    await using platform = await startTestPlatform({}, { exporter: createFakeExporter() });
    const framing = fc.record({
      request: fc.constantFrom(...requests),
      shares: fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), { maxLength: 12 }),
      isChunked: fc.boolean(),
      expects: fc.boolean(),
      trailers: fc.constantFrom("", "X-Checksum: abc\r\n"),
    });
    await fc.assert(
      fc.asyncProperty(framing, async ({ request, shares, isChunked, expects, trailers }) => {
        const bytes = Buffer.from(JSON.stringify(request.body));
        const pieces = cut(bytes, shares).filter(({ length }) => length > 0);
        const header = isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${bytes.length}`;
        const expect100 = expects ? "\r\nExpect: 100-continue" : "";
        const framed = isChunked ? [...pieces.flatMap(toChunk), lastChunk(trailers)] : pieces;
        expect(await sendRaw(platform, request.path, header + expect100, framed)).toBe(request.status);
      }),
      { numRuns: caseCount(120) },
    );
    expect(platform.warnings).toEqual([]);
  });

  test.each([
    ["is empty", "Transfer-Encoding: chunked", [lastChunk()], 400],
    ["is missing", "Content-Length: 0", [], 400],
    [
      "is longer than it may be, without saying so",
      "Transfer-Encoding: chunked",
      [...Array.from({ length: 20 }, () => Buffer.alloc(64 * 1024, " ")).flatMap(toChunk), lastChunk()],
      413,
    ],
    ["declares a length above the limit", "Content-Length: 1048577", [], 413],
  ])("that %s is rejected without a server error", async (_, header, pieces, status) => {
    await using platform = await startTestPlatform({}, { exporter: createFakeExporter() });
    expect(await sendRaw(platform, "/v1/static-export/jobs", header, pieces)).toBe(status);
    expect(platform.warnings).toEqual([]);
  });

  test("that is refused for its declared length leaves the connection open for the next request", async () => {
    await using platform = await startTestPlatform({}, { exporter: createFakeExporter() });
    using agent = Object.assign(new Agent({ keepAlive: true, maxSockets: 1 }), {
      [Symbol.dispose]: () => agent.destroy(),
    });
    const send = async (method: string, path: string, body = Buffer.alloc(0)) => {
      const headers = {
        authorization: `Bearer ${platform.adminKey}`,
        "content-type": "application/json",
        "content-length": body.length,
      };
      const sent = request(platform.listensOn + path, { agent, method, headers }).end(body);
      const [response] = (await once(sent, "response")) as [IncomingMessage];
      await once(response.resume(), "end");
      return { status: response.statusCode, isReused: sent.reusedSocket };
    };

    const refused = await send("POST", "/v1/static-export/jobs", Buffer.alloc((1 << 20) + 1, " "));
    const next = await send("GET", "/livez");

    expect(refused.status).toBe(413);
    expect(next).toEqual({ status: 200, isReused: true });
  });
});

test("a health check over HTTP/1.0 needs no host", async () => {
  await using server = await listen(() => new Response("ok"), "127.0.0.1", 0);
  const socket = connect({ host: "127.0.0.1", port: Number(new URL(server.url).port) });
  socket.write("GET /livez HTTP/1.0\r\n\r\n");
  let response = "";
  for await (const chunk of socket.setEncoding("utf8")) response += chunk;
  expect(response).toMatch(/^HTTP\/1\.1 200 /);
});

test("an idle connection is kept for longer than proxies keep it, so that none of their requests is lost", async () => {
  await using server = await listen(() => new Response("ok"), "127.0.0.1", 0);
  const { headers } = await fetch(server.url);
  expect(headers.get("keep-alive")).toBe("timeout=75");
});

test("shutdown sends responses that are written, and accepts no more connections", async () => {
  const body = randomBytes(20 << 20);
  const server = await listen(() => new Response(body), "127.0.0.1", 0, 60_000);
  const response = await fetch(server.url);

  const ended = server[Symbol.asyncDispose]();
  const socket = connect({ host: "127.0.0.1", port: Number(new URL(server.url).port) });
  const [refusal] = await once(socket, "error");
  const received = Buffer.from(await response.arrayBuffer());
  await ended;

  expect(refusal).toMatchObject({ code: "ECONNREFUSED" });
  expect(received.equals(body)).toBe(true);
});
