import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { undefinedIfGone } from "../../src/github/errors.ts";
import { eachPage, type GitHubApi } from "../../src/github/github-api.ts";
import { connectTo } from "../support/connect-github.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { startHttpServer } from "../support/http-server.ts";
import { createRecordingLog } from "../support/recording-log.ts";

const purpose = { doing: "read the repository", permission: "contents: read" };
const read = (api: GitHubApi) => api.request(purpose, "GET /repos/{owner}/{repo}");
const comment = (api: GitHubApi) =>
  api.request(purpose, "POST /repos/{owner}/{repo}/issues/{issue_number}/comments", {
    issue_number: 1,
    body: "Hello",
  });
const Pull = z.object({ number: z.number() });
const listPulls = (api: GitHubApi) =>
  api.list(purpose, "GET /repos/{owner}/{repo}/pulls", { state: "all" }, Pull);
const json = (body: unknown, init?: ResponseInit) => () => Response.json(body, init);

/** A server that accepts a request and does not respond until it is disposed. */
async function startSilentGitHub() {
  const held = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const server = await startHttpServer(async () => {
    arrived.resolve();
    await held.promise;
    return Response.json({});
  });
  return {
    url: server.url,
    arrived: arrived.promise,
    async [Symbol.asyncDispose]() {
      held.resolve();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe("a request without a response", () => {
  test("ends with the signal's reason, not with a GitHub error", async () => {
    await using github = await startSilentGitHub();
    const controller = new AbortController();
    const answer = read(
      connectTo(github.url, { timeoutMs: 600_000, attempts: 1, signal: controller.signal }),
    );
    await github.arrived;
    const reason = new Error("the workflow was cancelled");
    controller.abort(reason);
    await expect(answer).rejects.toBe(reason);
  });

  test("is `unreachable` after the time limit", async () => {
    await using github = await startSilentGitHub();
    await expect(read(connectTo(github.url, { timeoutMs: 50, attempts: 1 }))).rejects.toMatchObject({
      code: "unreachable",
      message: expect.stringContaining("did not respond in time"),
    });
  });
});

describe("a request that fails", () => {
  test.each([
    ["is cut", { kind: "reset", when: "before" } as const],
    ["meets a failing server", { kind: "answer", status: 502, body: "<html>Bad gateway</html>" } as const],
    ["is refused by a proxy", { kind: "answer", status: 403, body: "<html>Blocked</html>" } as const],
    ["meets a login page", { kind: "answer", status: 200, body: "<html>Sign in</html>" } as const],
  ])("is sent again if it only reads and %s; a request that creates something is not", async (_, fault) => {
    await using server = await startHttpServer(json({ id: 1 }));
    const api = connectTo(server.url);
    server.faults.add({ fault });
    expect(await read(api)).toStrictEqual({ id: 1 });

    server.faults.add({ fault });
    await expect(comment(api)).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:unavailable|unreachable)$/),
      hint: expect.stringContaining("proxy"),
    });
    expect(server.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  test("with status 200, as GraphQL reports a time-out, is sent again if it creates nothing", async () => {
    const errors = [{ message: "Something went wrong while executing your query. This may be a timeout." }];
    let requests = 0;
    await using server = await startHttpServer(() => {
      requests += 1;
      return Response.json(requests % 2 === 1 ? { data: null, errors } : { data: { viewer: {} } });
    });
    const send = (query: string) => connectTo(server.url).graphql(purpose, query, {}, z.unknown());

    expect(await send("query { viewer }")).toStrictEqual({ viewer: {} });
    await expect(send("mutation { addDiscussionComment }")).rejects.toMatchObject({ code: "unavailable" });
    expect(requests).toBe(3);
  });

  test.each([
    [429, { "retry-after": "7" }],
    [403, { "retry-after": "7" }],
  ])(
    "with %i is sent again after the wait that GitHub asks for, whatever it does",
    async (status, headers) => {
      await using server = await startHttpServer(json({ id: 1 }));
      server.faults.add({ fault: { kind: "answer", status, headers, body: "{}" } });
      const api = connectTo(server.url);

      expect(await comment(api)).toStrictEqual({ id: 1 });
      expect(server.requests).toHaveLength(2);
    },
  );

  test("is sent four times, and its body only with its type", async () => {
    const types: (string | null)[] = [];
    await using server = await startHttpServer(({ headers }) => {
      types.push(headers.get("content-type"));
      return Response.json({ message: "down" }, { status: 500 });
    });
    const api = connectTo(server.url);

    await expect(read(api)).rejects.toMatchObject({ code: "unavailable", status: 500 });
    await expect(comment(api)).rejects.toMatchObject({ code: "unavailable" });
    expect(types).toStrictEqual([null, null, null, null, "application/json; charset=utf-8"]);
  });

  test.each([
    [204, undefined, undefined],
    [205, undefined, "unavailable"],
    [300, {}, "not-found"],
    [300, undefined, "unavailable"],
    [399, {}, "not-found"],
    [400, {}, "unavailable"],
    [404, {}, "not-found"],
    [410, {}, "not-found"],
    [411, {}, "unavailable"],
    [499, {}, "unavailable"],
  ])("with status %i and the body %j is %s", async (status, body, code) => {
    const respond = () => (body ? Response.json(body, { status }) : new Response(null, { status }));
    await using server = await startHttpServer(respond);
    const end = comment(connectTo(server.url));

    await (code === undefined
      ? expect(end).resolves.toBeUndefined()
      : expect(end).rejects.toMatchObject({ code }));
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    [429, {}, 2],
    [429, { "retry-after": "60" }, 2],
    [429, { "retry-after": "61" }, 1],
    [403, { "retry-after": "60" }, 2],
    [403, {}, 1],
  ])("with %i %j is sent %i times", async (status, headers, requests) => {
    await using server = await startHttpServer(json({ id: 1 }));
    server.faults.add({ fault: { kind: "answer", status, headers, body: "{}" } });
    await comment(connectTo(server.url)).catch(() => undefined);

    expect(server.requests).toHaveLength(requests);
  });

  test("is not sent again if the wait would be too long", async () => {
    await using server = await startHttpServer(json({ id: 1 }));
    const headers = { "retry-after": "3600" };
    server.faults.add({ fault: { kind: "answer", status: 429, headers, body: "{}" } });

    await expect(read(connectTo(server.url))).rejects.toMatchObject({ code: "rate-limited" });
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ["rejects the token", 401, {}, "unauthorized", "auth", "github-token"],
    [
      "does not allow it",
      403,
      { message: "Resource not accessible by integration" },
      "missing-permission",
      "github",
      "permissions:",
    ],
    ["reached its rate limit", 403, { message: "API rate limit exceeded" }, "rate-limited", "quota", "later"],
    [
      "locked the conversation",
      403,
      { message: "Unable to create comment: issue is locked" },
      "conflict",
      "github",
      "Unlock it",
    ],
    ["does not find it", 404, { message: "Not Found" }, "not-found", "config", "permissions:"],
    [
      "rejects the content",
      422,
      { message: "Validation Failed", errors: [{ message: "body is too long" }] },
      "rejected",
      "github",
      "Change what",
    ],
    ["fails", 500, {}, "unavailable", "github", "Run again later"],
  ])("because GitHub %s has a specific message", async (_, status, body, code, errorClass, hint) => {
    await using server = await startHttpServer(json(body, { status }));
    const failure = await comment(connectTo(server.url)).catch((error: unknown) => error);

    expect(failure).toMatchObject({ code, status, message: expect.stringContaining("read the repository") });
    expect(failure).toMatchObject({ class: errorClass, hint: expect.stringContaining(hint) });
    if (code === "missing-permission")
      expect(failure).toMatchObject({ hint: expect.stringContaining("contents: read") });
    if (status === 422)
      expect(failure).toMatchObject({ message: expect.stringContaining("body is too long") });
  });

  test.each([
    "Repository was archived so is read-only.",
    "Resource protected by organization SAML enforcement",
  ])("because of more than a permission shows GitHub's reason: %s", async (message) => {
    await using server = await startHttpServer(json({ message }, { status: 403 }));
    await expect(comment(connectTo(server.url))).rejects.toMatchObject({
      code: "missing-permission",
      message: `The run's token may not read the repository: ${message.replace(/\.$/, "")}.`,
    });
  });

  test("because the issue or the repository has moved is not sent again, and says so", async () => {
    await using server = await startHttpServer(json({ message: "Moved Permanently" }, { status: 301 }));
    await expect(read(connectTo(server.url))).rejects.toMatchObject({
      code: "not-found",
      message:
        "GitHub could not read the repository: the repository was renamed, or the issue was transferred.",
    });
    expect(server.requests).toHaveLength(1);
  });

  test("has no hint about the platform's URL", async () => {
    await using server = await startHttpServer(json({ data: { viewer: {} } }));
    const schema = z.object({ viewer: z.object({ login: z.string() }) });
    const shape = connectTo(server.url).graphql(purpose, "query { viewer { login } }", {}, schema);
    const silence = read(connectTo("http://127.0.0.1:1"));

    await expect(shape).rejects.toMatchObject({
      code: "unexpected-response",
      hint: expect.not.stringContaining("base-url"),
    });
    await expect(silence).rejects.toMatchObject({
      code: "unreachable",
      hint: expect.not.stringContaining("base-url"),
    });
  });

  test.each([
    ["NOT_FOUND", "Could not resolve to a node", "not-found", 404],
    ["RATE_LIMITED", "API rate limit exceeded for installation ID 1.", "rate-limited", 429],
    ["RATE_LIMIT", "API rate limit already exceeded for user ID 1.", "rate-limited", 429],
  ])("in GraphQL has the equivalent status of the REST API: %s", async (type, message, code, status) => {
    await using server = await startHttpServer(json({ errors: [{ type, message }] }));
    const query = connectTo(server.url).graphql(purpose, "query { viewer { login } }", {}, z.unknown());

    await expect(query).rejects.toMatchObject({ code, status });
  });

  test("is permanent if a server does not know a field, which has no type", async () => {
    const message = "Field 'viewerCanReact' doesn't exist on type 'Issue'";
    const errors = [{ message, path: ["query", "viewerCanReact"], extensions: { code: "undefinedField" } }];
    await using server = await startHttpServer(json({ errors }));
    const query = connectTo(server.url).graphql(purpose, "query { viewer { login } }", {}, z.unknown());

    await expect(query).rejects.toMatchObject({
      code: "rejected",
      retryable: false,
      message: expect.stringContaining(message),
    });
  });
});

describe("GitHub's secondary rate limit", () => {
  const minute = 60_000;
  const message = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
  const limits = (status: number, headers = {}) =>
    ({ kind: "answer", status, headers, body: JSON.stringify({ message }) }) as const;

  /** Sends a request, with a deadline in some minutes, to a server that refuses it several times. */
  async function meet(fault: ReturnType<typeof limits>, times: number, minutes: number | undefined) {
    await using server = await startHttpServer(json({ id: 1 }));
    server.faults.add({ fault, times });
    const [clock, log] = [createFakeClock(), createRecordingLog()];
    const deadlineMs = minutes === undefined ? {} : { deadlineMs: clock.now() + minutes * minute };
    const end = await comment(connectTo(server.url, { clock, log, ...deadlineMs })).catch((error) => error);
    return { end, log: log.shown, waits: clock.waits, requests: server.requests.length };
  }

  test.each([403, 429])(
    "with %i and no time waits a minute, and longer each time, as long as the run may",
    async (status) => {
      const patient = await meet(limits(status), 3, 60);
      expect(patient).toMatchObject({ end: { id: 1 }, waits: [minute, 2 * minute, 4 * minute] });

      const hurried = await meet(limits(status), 3, 2);
      const end = { code: "rate-limited", class: "quota", message: expect.stringContaining("secondary") };
      expect(hurried).toMatchObject({ end, waits: [minute] });
    },
  );

  test("with `Retry-After` waits that long, also for minutes", async () => {
    const { end, log, waits } = await meet(limits(403, { "retry-after": "300" }), 1, 60);
    expect({ end, waits }).toStrictEqual({ end: { id: 1 }, waits: [5 * minute] });
    expect(log).toStrictEqual([expect.stringMatching(/^notice: GitHub: POST .*; waiting for 300 s\.$/)]);
  });

  // So GitHub refuses a reply to a review comment.
  test("also waits if GitHub calls it an invalid request", async () => {
    const errors = [{ resource: "PullRequestReview", code: "abuse", field: "base" }];
    const body = JSON.stringify({ message: "Validation Failed", errors });
    const { end, waits } = await meet({ ...limits(422), body }, 1, 60);
    expect({ end, waits }).toStrictEqual({ end: { id: 1 }, waits: [minute] });
  });

  test("fails immediately if the deadline is less than a minute away", async () => {
    expect(await meet(limits(429), 1, undefined)).toMatchObject({
      end: { code: "rate-limited" },
      requests: 1,
    });
  });

  test.each([
    { type: "RATE_LIMITED", message },
    { type: "UNPROCESSABLE", message: "was submitted too quickly" },
  ])("also waits in GraphQL, which reports it with status 200: $type", async (error) => {
    const errors = [error];
    let answers = 0;
    await using server = await startHttpServer(() => {
      answers += 1;
      return Response.json(answers === 1 ? { data: null, errors } : { data: { viewer: {} } });
    });
    const clock = createFakeClock();
    const api = connectTo(server.url, { clock, deadlineMs: clock.now() + 5 * minute });

    expect(await api.graphql(purpose, "mutation { x }", {}, z.unknown())).toStrictEqual({ viewer: {} });
    expect(clock.waits).toStrictEqual([minute]);
  });
});

test("Requests use the proxy from the runner's variables", async () => {
  await using proxy = await startHttpServer(json({ id: 1 }));
  process.env["http_proxy"] = proxy.url;
  try {
    expect(await read(connectTo("http://api.github.test"))).toStrictEqual({ id: 1 });
  } finally {
    delete process.env["http_proxy"];
  }
  expect(proxy.requests).toMatchObject([{ method: "GET" }]);
});

test("All pages of a list are read, with the same parameters", async () => {
  await using server = await startHttpServer(({ url }) => {
    const page = Number(new URL(url).searchParams.get("page"));
    const link = `<${url}>; rel="${page < 3 ? "next" : "prev"}"`;
    return Response.json([{ number: page }], { headers: { link } });
  });
  const pulls = await listPulls(connectTo(server.url));

  expect(pulls.map(({ number }) => number)).toStrictEqual([1, 2, 3]);
  for (const { path } of server.requests) expect(path).toContain("state=all");
});

test("A list ends with an empty page, whatever its link says", async () => {
  await using server = await startHttpServer(({ url }) =>
    Response.json([], { headers: { link: `<${url}>; rel="next"` } }),
  );

  expect(await listPulls(connectTo(server.url))).toStrictEqual([]);
  expect(server.requests).toHaveLength(1);
});

test.each([
  ["another page without a cursor", () => null],
  ["the page that was read", () => "A"],
  ["a page that was read before", (cursor: string | null) => (cursor === "A" ? "B" : "A")],
])("A GraphQL list that continues with %s is `unexpected-response`", async (_name, next) => {
  const read: (string | null)[] = [];
  const pages = eachPage(async (cursor) => {
    read.push(cursor);
    return { pageInfo: { hasMore: true, cursor: next(cursor) } };
  });

  await expect(Array.fromAsync(pages)).rejects.toMatchObject({ code: "unexpected-response" });
  expect(read).toStrictEqual([...new Set(read)]);
});

test("A list that repeats a page is `unexpected-response`", async () => {
  await using server = await startHttpServer(({ url }) =>
    Response.json([{ number: 1 }], { headers: { link: `<${url}>; rel="next"` } }),
  );

  await expect(listPulls(connectTo(server.url))).rejects.toMatchObject({ code: "unexpected-response" });
  expect(server.requests).toHaveLength(2);
});

describe("a response that GitHub's API does not send", () => {
  test.each([{}, { errors: ["no"] }, [null], [{}], [{ number: "1" }]])(
    "is `unexpected-response` where a list is expected: %j",
    async (body) => {
      await using server = await startHttpServer(json(body));

      await expect(listPulls(connectTo(server.url))).rejects.toMatchObject({
        code: "unexpected-response",
        message: expect.stringContaining("read the repository"),
      });
    },
  );

  test.each([
    ...[{}, [], { data: null }, { errors: "no" }, { errors: {} }, { data: {}, errors: [] }],
    ...[{ errors: [null] }, { errors: ["no"], data: 7 }, { errors: [{ message: {}, path: 7 }] }],
  ])("is an error of GitHub where GraphQL is expected: %j", async (body) => {
    await using server = await startHttpServer(json(body));
    const schema = z.object({ viewer: z.object({}) });

    const response = connectTo(server.url).graphql(purpose, "query { viewer }", {}, schema);

    await expect(response).rejects.toMatchObject({
      name: "GitHubError",
      code: expect.stringMatching(/^un(?:expected-response|available)$/),
    });
  });

  test.each([[null], ["no"], [{ errors: [null, 1, {}] }], [{ message: {}, errors: "no" }]])(
    "is reported with its status where an error is expected: %j",
    async (body) => {
      await using server = await startHttpServer(json(body, { status: 422 }));

      await expect(read(connectTo(server.url))).rejects.toMatchObject({
        code: "rejected",
        message: "GitHub refused to read the repository: HTTP status 422.",
      });
    },
  );
});

test("A server without GraphQL is named, and is not taken for one without the node", async () => {
  await using server = await startHttpServer(json({ message: "Not Found" }, { status: 404 }));
  const response = connectTo(server.url).graphql(purpose, "query { viewer }", {}, z.unknown());

  await expect(undefinedIfGone(response)).rejects.toMatchObject({
    code: "unexpected-response",
    message: `There is no GraphQL API at ${server.url}/graphql; could not read the repository.`,
    hint: expect.stringContaining("Forgejo and Gitea"),
  });
});
