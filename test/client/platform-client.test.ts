import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:https";
import { createServer as createTcpServer, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { HttpClient } from "../../src/base/http.ts";
import { SecretRedactor } from "../../src/base/secrets.ts";
import { assistantPath } from "../../src/client/assistant-contract.ts";
import { openAssistantStream } from "../../src/client/assistant-stream.ts";
import { collectAnswer } from "../../src/client/collect-answer.ts";
import { classifyConnectionError } from "../../src/client/errors.ts";
import { PlatformClient, type PlatformRequest } from "../../src/client/platform-client.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { startHttpServer } from "../support/http-server.ts";
import { listen, readSelfSigned } from "../support/listen.ts";
import { createRecordingLog } from "../support/recording-log.ts";

const Answer = async () => z.object({ ok: z.boolean() });
const read: PlatformRequest = { name: "read it", method: "GET", path: "/thing", retry: "freely" };
const create: PlatformRequest = {
  name: "create it",
  method: "POST",
  path: "/things",
  body: { a: 1 },
  retry: "unless-sent",
};
const apiKey = "svc_secret-of-this-test";

function connectTo(url: string, { deadlineInMs = 600_000, prefix = "", timeLimitMs = 10_000 } = {}) {
  const [clock, log] = [createFakeClock(), createRecordingLog()];
  const controller = new AbortController();
  const platform = new PlatformClient(
    { baseUrl: new URL(url + prefix), apiKey, http: new HttpClient(), minTimeLimitMs: timeLimitMs },
    { clock, log, random: () => 0.5, signal: controller.signal, deadlineMs: clock.now() + deadlineInMs },
  );
  return { platform, clock, log, controller };
}

const json = (value: unknown, init?: ResponseInit) => Response.json(value, init);

/** A server, and a client of it. */
async function serve(
  answer: Parameters<typeof startHttpServer>[0] = () => json({ ok: true }),
  options?: Parameters<typeof connectTo>[1],
) {
  const server = await startHttpServer(answer);
  const connected = connectTo(server.url, options);
  return { ...server, ...connected, read: () => connected.platform.request(read, Answer) };
}

describe("a request to the platform", () => {
  test.each([
    ["reads", read],
    ["creates", create],
  ])(
    "that %s something fails at once if the certificate is not trusted, and names the settings",
    async (_verb, request) => {
      await using server = await listen(createServer(readSelfSigned()));
      const { platform } = connectTo(`https://127.0.0.1:${server.port}`);
      await expect(platform.request(request, Answer)).rejects.toMatchObject({
        code: "unreachable",
        retryable: false,
        maybeSubmitted: false,
        hint: expect.stringContaining("NODE_EXTRA_CA_CERTS"),
      });
      expect(server.connections()).toBe(1);
    },
  );

  test("leaves a rate limit to a caller that handles it, and still creates nothing twice", async () => {
    const answers = [
      json({ error: "limit" }, { status: 429, headers: { "retry-after": "7" } }),
      json({}, { status: 500 }),
    ];
    await using served = await serve(() => answers.shift() ?? json({ ok: true }));
    const request: PlatformRequest = { ...create, retry: "unless-arrived" };

    await expect(served.platform.request(request, Answer)).rejects.toMatchObject({
      code: "rate-limited",
      retryAfterMs: 7000,
      maybeSubmitted: false,
    });
    await expect(served.platform.request(request, Answer)).rejects.toMatchObject({ maybeSubmitted: true });
    expect(served.requests).toHaveLength(2);
  });

  test("sends the key, the user agent and a JSON body to a path below the base address", async () => {
    let seen: { url: string; headers: Record<string, string>; body: unknown } | undefined;
    await using served = await serve(
      async (request) => {
        seen = { url: request.url, headers: Object.fromEntries(request.headers), body: await request.json() };
        return json({ ok: true, unknown: 1 });
      },
      { prefix: "/api/" },
    );
    expect(await served.platform.request(create, Answer)).toEqual({ ok: true });
    expect(seen?.url).toBe(`${served.url}/api/things`);
    expect(seen?.headers).toMatchObject({
      authorization: `Bearer ${apiKey}`,
      "user-agent": expect.stringMatching(/^docs-automation-action\/\d+\./),
      "content-type": "application/json",
    });
    expect(seen?.body).toEqual({ a: 1 });
  });

  test.each([408, 425, 500, 502, 503])("is repeated after %i if it is a read", async (status) => {
    await using served = await serve();
    served.faults.add({ times: 2, fault: { kind: "answer", status, body: "<html>bad</html>" } });
    expect(await served.read()).toEqual({ ok: true });
    expect(served.requests).toHaveLength(3);
    expect(served.clock.waits).toEqual([1000, 2000]);
  });

  test("is repeated after a reset connection if it is a read", async () => {
    await using served = await serve();
    served.faults.add({ fault: { kind: "reset", when: "after" } });
    expect(await served.read()).toEqual({ ok: true });
  });

  test.each([
    ["seconds", { "retry-after": "12" }, 12_000],
    [
      "a date",
      { "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT", date: "Thu, 01 Jan 2026 00:00:00 GMT" },
      30_000,
    ],
    [
      "a date of a clock that is one day ahead",
      { "retry-after": "Fri, 02 Jan 2026 00:00:30 GMT", date: "Fri, 02 Jan 2026 00:00:00 GMT" },
      30_000,
    ],
  ])("waits for Retry-After in %s", async (_name, headers, waitMs) => {
    await using served = await serve();
    served.faults.add({ fault: { kind: "answer", status: 503, headers } });
    await served.read();
    expect(served.clock.waits).toEqual([waitMs]);
  });

  test("has the method and body of the specification", async () => {
    const sent: [method: string, mediaType: string | null, body: string][] = [];
    await using served = await serve(async (request) => {
      sent.push([request.method, request.headers.get("content-type"), await request.text()]);
      return json({ jobId: "x", id: "x", bundleUrl: "https://x.example" });
    });

    await served.platform.startExport({ domain: "docs.example.com" });
    await served.platform.getExportJob("x");
    await served.platform.generateBundle("x");
    await served.platform.createAgentJob("p", { prompt: "é" });
    await served.platform.getAgentJob("p", "x");

    expect(sent).toEqual([
      ["POST", "application/json", '{"domain":"docs.example.com"}'],
      ["GET", null, ""],
      ["POST", null, ""],
      ["POST", "application/json", '{"prompt":"é"}'],
      ["GET", null, ""],
    ]);
  });

  test("accepts no response about another job", async () => {
    const bundleUrl = "https://x.example";
    let jobId = "SE_1";
    await using served = await serve(() =>
      json({ jobId, job: { id: jobId, status: "completed" }, bundleUrl }),
    );
    const { platform } = served;
    await expect(platform.getExportJob("se_1")).resolves.toMatchObject({ jobId });
    await expect(platform.generateBundle("se_1")).resolves.toMatchObject({ bundleUrl });
    await expect(platform.getAgentJob("p", "se_1")).resolves.toMatchObject({ id: jobId });
    jobId = "se_2";
    for (const read of [
      () => platform.getExportJob("se_1"),
      () => platform.generateBundle("se_1"),
      () => platform.getAgentJob("p", "se_1"),
    ])
      await expect(read()).rejects.toThrow("se_1: the platform's response is about job se_2.");
  });

  test("leads to the path of its identifiers, whatever characters they have", async () => {
    await using served = await serve(() => json({ bundleUrl: "https://x.example" }));
    const odd = "a/../b?c#d";

    await served.platform.getExportJob(odd);
    await served.platform.generateBundle(odd);
    await served.platform.createAgentJob(odd, { prompt: "x" });
    await served.platform.getAgentJob(odd, odd);
    await served.platform.messageAgentJob(odd, odd, { prompt: "x" });

    const part = encodeURIComponent(odd);
    expect(served.requests.map(({ path }) => path)).toStrictEqual([
      `/v1/static-export/jobs/${part}`,
      `/v1/static-export/jobs/${part}/bundle`,
      `/v2/agent/${part}/job`,
      `/v2/agent/${part}/job/${part}`,
      `/v2/agent/${part}/job/${part}/message`,
    ]);
    expect(assistantPath("v2", odd)).toBe(`/discovery/v2/assistant/${part}/message`);
  });

  test("is not repeated past the deadline", async () => {
    await using served = await serve(() => json({ ok: true }), { deadlineInMs: 59_000 });
    served.faults.add({ fault: { kind: "answer", status: 503, headers: { "retry-after": "60" } } });
    await expect(served.read()).rejects.toMatchObject({
      code: "unavailable",
      retryAfterMs: 60_000,
    });
    expect(served.requests).toHaveLength(1);
  });

  test.each([
    ["that says for how long", { "retry-after": "100" }, [100_000, 100_000, 100_000, 100_000, 100_000]],
    ["that does not", {}, [60_000, 120_000, 240_000]],
  ])("waits for a rate limit %s until the deadline", async (_name, headers, waits) => {
    await using served = await serve();
    served.faults.add({ times: 50, fault: { kind: "answer", status: 429, headers } });
    await expect(served.read()).rejects.toMatchObject({ code: "rate-limited" });
    expect(served.clock.waits).toEqual(waits);
  });

  test("fails after five attempts with the last error", async () => {
    await using served = await serve(() => json({ error: "down" }, { status: 500 }));
    await expect(served.read()).rejects.toMatchObject({
      code: "unavailable",
      message: "Could not read it: the platform returned 500: down.",
    });
    expect(served.requests).toHaveLength(5);
  });

  test("with a question is sent five times at most", async () => {
    await using served = await serve(() => json({ error: "down" }, { status: 500 }));
    const request = { fp: "anonymous", messages: [] };
    await expect(
      openAssistantStream({ version: "v1", domain: "d", request }, served.platform),
    ).rejects.toMatchObject({
      code: "unavailable",
    });
    expect(served.requests).toHaveLength(5);
  });

  test.each([
    [400, "rejected", "rejected"],
    [401, "unauthorized", "API keys page"],
    [402, "forbidden", "plan"],
    // All three causes.
    [403, "forbidden", /scope.*allow-list.*plan/],
    [404, "not-found", "`base-url`"],
    [422, "rejected", "rejected"],
  ])("with response %i is not repeated, fails as %s and says what to do", async (status, code, hint) => {
    await using served = await serve(() =>
      json({ error: "no" }, { status, headers: { "x-request-id": "req-7" } }),
    );
    await expect(served.read()).rejects.toMatchObject({
      code,
      status,
      requestId: "req-7",
      hint: expect.stringMatching(hint),
      maybeSubmitted: false,
    });
    expect(served.requests).toHaveLength(1);
  });

  test.each([
    ["freely", 404, 2],
    ["freely", 403, 2],
    ["unless-limited", 404, 1],
    ["unless-limited", 403, 1],
  ] as const)(
    "that a proxy refuses is repeated only if the platform has responded before: %s, %i",
    async (retry, status, sent) => {
      await using served = await serve();
      served.faults.add({ fault: { kind: "answer", status, body: "<html>no such page</html>" } });
      const result = served.platform.request({ ...read, retry }, Answer);
      if (sent === 2) expect(await result).toEqual({ ok: true });
      else await expect(result).rejects.toMatchObject({ status });
      expect(served.requests).toHaveLength(sent);
    },
  );

  test("reads a response of at most 4 MiB", async () => {
    await using served = await serve(() => new Response(`{"ok":true,"x":"${"y".repeat(5_000_000)}"}`));
    await expect(served.read()).rejects.toMatchObject({
      code: "unexpected-response",
    });
  });

  test("reads JSON after a byte order mark", async () => {
    await using served = await serve(() => new Response('\uFEFF{"ok":true}'));
    expect(await served.read()).toEqual({ ok: true });
  });

  test("describes a response that is not the API's JSON", async () => {
    await using served = await serve(() => new Response("<html><title>Sign in</title></html>"));
    await expect(served.read()).rejects.toMatchObject({
      code: "unexpected-response",
      message:
        "Could not read it: the platform returned 200, but not the API's JSON: an HTML page titled “Sign in”.",
    });
  });

  test("names the missing fields of the API's JSON, but no values", async () => {
    await using served = await serve(() => json({ ok: "https://s.example/b?sig=SECRET" }));
    await expect(served.platform.request({ ...read, retry: "never" }, Answer)).rejects.toMatchObject({
      message:
        "Could not read it: the platform returned 200, but not the API's JSON: JSON without a usable ok.",
    });
  });

  test.each([
    String.raw`{"bundleUrl":"https:\/\/s.example\/SECRET?a=b\u0026X-Amz-Signature=SECRET`,
    '[ ["https://s.example/SECRET',
  ])("shows nothing of JSON that was cut off: %s", async (body) => {
    await using served = await serve(() => new Response(body));
    await expect(served.platform.request({ ...read, retry: "never" }, Answer)).rejects.toMatchObject({
      message: "Could not read it: the platform returned 200, but not the API's JSON: damaged JSON.",
    });
  });

  test("is aborted at the deadline, and may have been processed if it creates something", async () => {
    await using served = await serve(() => json({ ok: true }), { deadlineInMs: -600_000, timeLimitMs: 50 });
    const { promise, resolve } = Promise.withResolvers<void>();
    served.faults.add({ fault: { kind: "hold", until: promise } });
    await expect(served.platform.request(create, Answer)).rejects.toMatchObject({
      code: "unreachable",
      maybeSubmitted: true,
    });
    resolve();
  });

  test("is `timed-out` if it reads, and the deadline passes before the response", async () => {
    await using served = await serve(() => json({ ok: true }), { deadlineInMs: 0, timeLimitMs: 50 });
    const { promise, resolve } = Promise.withResolvers<void>();
    served.faults.add({ fault: { kind: "hold", until: promise } });
    await expect(served.read()).rejects.toMatchObject({
      name: "InterruptedError",
      code: "timed-out",
      message: `Could not read it: \`timeout-minutes\` passed before ${served.url} responded.`,
    });
    resolve();
  });

  test("speaks of no job if the deadline passes before a request to create one arrives", async () => {
    const { url } = await startHttpServer(() => json({ ok: true })).then(async (server) => {
      await server[Symbol.asyncDispose]();
      return server;
    });
    const { platform } = connectTo(url, { deadlineInMs: 0 });
    await expect(platform.request(create, Answer)).rejects.toMatchObject({
      code: "timed-out",
      hint: expect.stringMatching(/^Check `base-url`.* Or raise `timeout-minutes`\.$/),
    });
  });

  test("throws the signal's reason when aborted", async () => {
    await using served = await serve();
    const { promise, resolve } = Promise.withResolvers<void>();
    served.faults.add({ fault: { kind: "hold", until: promise } });
    const answer = served.read();
    const reason = new Error("enough");
    served.controller.abort(reason);
    await expect(answer).rejects.toBe(reason);
    resolve();
  });
});

describe("a creating request", () => {
  test.each([
    ["a reset before it was handled", { kind: "reset", when: "before" }],
    ["a reset after it was handled", { kind: "reset", when: "after" }],
    ["500", { kind: "answer", when: "after", status: 500 }],
    ["502 with HTML", { kind: "answer", status: 502, body: "<html><title>Bad gateway</title></html>" }],
    ["503", { kind: "answer", status: 503, headers: { "retry-after": "1" } }],
    ["200 with garbage", { kind: "answer", when: "after", status: 200, body: "garbage" }],
    ["200 with other JSON", { kind: "answer", when: "after", status: 200, body: '{"ok":"maybe"}' }],
    ["a redirect", { kind: "answer", status: 307, headers: { location: "/elsewhere" } }],
  ] as const)(
    "is sent once if the response is %s, and reports that it may have been processed",
    async (_name, fault) => {
      await using served = await serve();
      served.faults.add({ times: Number.POSITIVE_INFINITY, fault });
      await expect(served.platform.request(create, Answer)).rejects.toMatchObject({
        maybeSubmitted: true,
        message: expect.stringContaining("not sent again"),
      });
      expect(served.requests).toHaveLength(1);
    },
  );

  test.each(
    (["unless-sent", "unless-arrived"] as const).flatMap((retry) =>
      [409, 425].map((status) => ({ retry, status })),
    ),
  )("with the policy $retry is sent once if the response is $status", async ({ retry, status }) => {
    await using served = await serve(() => json({ error: "not now" }, { status }));
    await expect(served.platform.request({ ...create, retry }, Answer)).rejects.toMatchObject({
      status,
      maybeSubmitted: false,
    });
    expect(served.requests).toHaveLength(1);
  });

  test.each([
    [false, "before its response: it did not arrive"],
    [true, "during its response: it may have been processed"],
  ])("may have been processed: %s, if TLS fails %s", (isSent) => {
    const error = Object.assign(new Error("bad record"), { code: "EPROTO" });
    const classified = classifyConnectionError(create, error, { origin: "https://x.example", isSent });
    expect(classified.maybeSubmitted).toBe(isSent);
  });

  test.each(["unless-sent", "unless-arrived"] as const)(
    "is sent on a new connection, because the server may be closing an idle one: %s",
    async (retry) => {
      const connections = new Map<Socket, number>();
      const http = createHttpServer((request, response) => {
        const earlier = connections.get(request.socket) ?? 0;
        connections.set(request.socket, earlier + 1);
        if (earlier > 0 && request.method === "POST") return void request.socket.destroy();
        response.setHeader("content-type", "application/json").end('{"ok":true}');
      });
      await using server = await listen(http);
      const { platform } = connectTo(server.url);

      for (const request of [read, { ...create, retry }, read, { ...create, retry }])
        expect(await platform.request(request, Answer)).toEqual({ ok: true });
      // The requests that read share one.
      expect([...connections.values()]).toEqual([2, 1, 1]);
    },
  );

  test("is repeated if the connection was refused", async () => {
    let url: string;
    {
      await using closed = await startHttpServer(() => json({ ok: true }));
      url = closed.url;
    }
    const { platform, clock } = connectTo(url);
    await expect(platform.request(create, Answer)).rejects.toMatchObject({
      code: "unreachable",
      maybeSubmitted: false,
    });
    expect(clock.waits).toHaveLength(4);
  });

  // A firewall that reads the host's name in the handshake.
  test.each(["resetAndDestroy", "end"] as const)(
    "is repeated if the TLS handshake is cut: %s",
    async (cut) => {
      await using firewall = await listen(
        createTcpServer((socket) => {
          socket.on("error", () => undefined).once("data", () => socket[cut]());
        }),
      );
      const { platform, clock } = connectTo(`https://127.0.0.1:${firewall.port}`);
      await expect(platform.request(create, Answer)).rejects.toMatchObject({
        code: "unreachable",
        maybeSubmitted: false,
        message: expect.stringContaining("reset before the request was sent"),
      });
      expect(clock.waits).toHaveLength(4);
    },
  );

  test("that a page of another site responds to names the address and the dashboard", async () => {
    await using served = await serve(() => new Response("<title>Sign in</title>"));
    await expect(served.platform.request(create, Answer)).rejects.toMatchObject({
      maybeSubmitted: true,
      hint: expect.stringMatching(/`base-url`.+dashboard/),
    });
  });

  test("is repeated after a 429", async () => {
    await using served = await serve();
    served.faults.add({ fault: { kind: "answer", status: 429, headers: { "retry-after": "30" } } });
    expect(await served.platform.request(create, Answer)).toEqual({ ok: true });
    expect(served.clock.waits).toEqual([30_000]);
    expect(served.log.shown).toEqual([
      "info: Could not create it: the platform returned 429. Trying again in 30 s (attempt 2).",
    ]);
  });
});

describe("the key", () => {
  /** A text as the sinks write it. */
  const shown = (value: unknown) => {
    const secrets = new SecretRedactor();
    secrets.addCredential(apiKey);
    return secrets.redact(String(value));
  };

  test("is sent to the base address's host for any path", async () => {
    await using thief = await startHttpServer(() => json({ ok: true }));
    await using server = await startHttpServer(() => json({ ok: true }));
    await connectTo(server.url, { prefix: `//${new URL(thief.url).host}` }).platform.request(read, Answer);
    expect(thief.requests).toEqual([]);
  });

  test("does not follow a redirect to another origin", async () => {
    await using thief = await startHttpServer(() => json({ ok: true }));
    await using server = await startHttpServer(() => Response.redirect(`${thief.url}/thing`, 302));
    await expect(connectTo(server.url).platform.request(read, Answer)).rejects.toMatchObject({
      code: "unexpected-response",
      message: expect.stringContaining(`redirects to ${thief.url}`),
    });
    expect(thief.requests).toEqual([]);
  });

  test("is in no error message, even if the platform quotes it", async () => {
    await using served = await serve((request) =>
      json({ error: `bad ${request.headers.get("authorization")}` }, { status: 422 }),
    );
    const error = await served.read().catch((thrown: unknown) => thrown);
    expect(shown(error)).toContain("bad Bearer ***");
    expect(shown(JSON.stringify([error, String(error)]))).not.toContain(apiKey);
  });

  test("is in no error message, even if the platform's JSON encodes it differently", async () => {
    const spelled = [...apiKey].map((character) => `\\u00${character.charCodeAt(0).toString(16)}`).join("");
    await using served = await serve(() => new Response(`{"error":"bad key ${spelled}"}`, { status: 422 }));
    const error = await served.read().catch((thrown: unknown) => thrown);
    expect(shown(error)).toContain("bad key ***");
  });

  test("is in no error message", async () => {
    await using served = await serve(() => json({ error: "bad key" }, { status: 401 }));
    const error = await served.read().catch((thrown: unknown) => thrown);
    expect(JSON.stringify([error, String(error)])).not.toContain(apiKey);
  });
});

describe("the assistant's stream", () => {
  test("is not ended by the time limit of its request", async () => {
    // A busy machine responds within this time.
    const timeLimitMs = 200;
    const body = ReadableStream.from(
      (async function* () {
        yield '0:"first"\n';
        await setTimeout(2 * timeLimitMs);
        yield 'd:{"finishReason":"stop"}\n';
      })(),
    ).pipeThrough(new TextEncoderStream());
    await using served = await serve(() => new Response(body), { deadlineInMs: 0, timeLimitMs });
    const request = { fp: "anonymous", messages: [] };
    const stream = await openAssistantStream(
      { version: "v1", domain: "docs.example.com", request },
      served.platform,
    );

    const answer = await collectAnswer(stream, { onText: () => undefined, signal: served.controller.signal });

    expect(answer).toMatchObject({ text: "first", failure: undefined });
  });

  test("closes its connection when the reader stops while the platform is idle", async () => {
    const closed = Promise.withResolvers<void>();
    await using served = await serve(() => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new TextEncoder().encode('0:"first"\n')),
        cancel: () => closed.resolve(),
      });
      return new Response(body, { headers: { "x-thread-id": "t-1", "x-thread-key": "key-1" } });
    });
    const request = { fp: "anonymous", messages: [] };
    const stream = await openAssistantStream(
      { version: "v1", domain: "docs.example.com", request },
      served.platform,
    );
    expect(stream).toMatchObject({ threadId: "t-1", threadKey: "key-1" });
    const stop = new AbortController();

    const answer = await collectAnswer(stream, {
      onText: () => void setImmediate(() => stop.abort()),
      signal: stop.signal,
    });

    expect(answer).toMatchObject({ text: "first", failure: { code: "stream-cut" } });
    await closed.promise;
  });
});
