import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { startAssistantPlatform, v1Message } from "./assistant-platform.ts";

describe("the assistant's endpoints", () => {
  test("quote and cite the section that answers", async () => {
    await using platform = await startAssistantPlatform();
    for (const ask of [platform.ask, platform.askV2]) {
      const answer = await ask("How do I rotate an API key?");
      expect(answer.failure).toBeUndefined();
      expect(answer.text).toContain("The old key works for 24 hours.");
      expect(answer.text).toContain("lantern keys rotate --name ci");
      expect(answer.cited[0]).toEqual({
        url: "/security/keys#rotate-a-key",
        title: "API keys › Rotate a key",
      });
      expect(answer.threadId).toMatch(/^thread_/);
    }
  });

  test("quote a parameter from an OpenAPI document", async () => {
    const operation = (summary: string, name: string, description: string) => ({
      get: {
        summary,
        parameters: [{ name, in: "query", schema: { type: "integer", default: 20 }, description }],
        responses: { 200: { description: "Fine." } },
      },
    });
    const api = {
      openapi: "3.1.0",
      paths: {
        "/lamps": operation("List lamps", "pageSize", "How many lamps one answer holds."),
        "/rooms": operation("List rooms", "floor", "Rooms of this floor only."),
      },
    };
    const documents = {
      "docs.json": { navigation: { tabs: [{ tab: "API", openapi: "api.json" }] } },
      "api.json": api,
      ...Object.fromEntries(
        Array.from({ length: 30 }, (_, at) => [`p${at}.md`, `# Page ${at}\n\nWord${at}.\n`]),
      ),
    };
    await using platform = await startAssistantPlatform({ documents });
    const answer = await platform.ask("What does the parameter pageSize of List lamps mean?");
    expect(answer.text).toContain("How many lamps one answer holds.");
    expect(answer.text).toContain("`pageSize` (integer, default: 20)");
    expect(answer.cited[0]).toEqual({
      url: "/api-reference/list-lamps#query-parameters",
      title: "List lamps › Query parameters",
    });
  });

  test("refuse a question that the documentation does not answer", async () => {
    await using platform = await startAssistantPlatform();
    const answer = await platform.ask("Which temperature does the print bed need for nylon filament?");
    expect(answer.text).toMatch(/^No page clearly answers this\./);
    expect(answer.cited).toEqual([]);
    expect(answer.failure).toBeUndefined();
  });

  test("search only the version that the filter names", async () => {
    await using platform = await startAssistantPlatform();
    const question = "Which digest do webhook signatures use?";
    const one = await platform.ask(question, { filter: { version: "v1" }, retrievalPageSize: 1 });
    const two = await platform.ask(question, { filter: { version: "v2" }, retrievalPageSize: 1 });
    expect(one.text).toContain("SHA-1 digest");
    expect(two.text).toContain("SHA-256 digest");
    expect(two.text).not.toContain("SHA-1 digest");
  });

  test("prefer the language that the filter names", async () => {
    const languages = ["en", "de", "fr"];
    const navigation = {
      languages: languages.map((language) => ({ language, pages: [`${language}/limits`] })),
    };
    const pages = languages.map((language) => [`${language}/limits.md`, "# Limits\n\nrequests 100 minute\n"]);
    const documents = { "docs.json": { navigation }, ...Object.fromEntries(pages) };
    await using platform = await startAssistantPlatform({ documents });
    for (const language of languages) {
      const fields = { filter: { language }, retrievalPageSize: 1 };
      const answer = await platform.ask("requests 100 minute", fields);
      expect(answer.cited.map(({ url }) => url)).toEqual([`/${language}/limits`]);
    }
  });

  test("prefer the page that the user has open", async () => {
    await using platform = await startAssistantPlatform();
    const question = "Which digest do webhook signatures use?";
    for (const version of ["v1", "v2"]) {
      const answer = await platform.ask(question, {
        currentPath: `/${version}/webhooks`,
        retrievalPageSize: 1,
      });
      expect(answer.cited.map(({ url }) => url)).toEqual([`/${version}/webhooks`]);
    }
  });

  test("use the snippet in the context as part of the question", async () => {
    await using platform = await startAssistantPlatform();
    const context = [{ type: "code", value: "maxAttempts: 5", path: "lantern.yml" }];
    const answer = await platform.ask("What does this do?", { context });
    expect(answer.cited.map(({ url }) => url)).toContain("/guides/retries#configure-the-number-of-attempts");
  });

  test.each([
    ["```ts", "```"],
    ["~~~~", "~~~~"],
  ])("read code between fences in a question as context: %s", async (start, end) => {
    await using platform = await startAssistantPlatform();
    const code = "const idleSlots = poolOf(env.MAX_SLOTS_MS ?? 3000);\nqueue.drain(worker, idleSlots);";
    const urlsOf = async (text: string) => (await platform.ask(text)).cited.map(({ url }) => url);
    const [keys, retries] = [
      "/security/keys#rotate-a-key",
      "/guides/retries#configure-the-number-of-attempts",
    ];
    expect(await urlsOf(`How do I rotate an API key?\n\n${start}\n${code}\n${end}\n\nThanks!`)).toContain(
      keys,
    );
    expect(await urlsOf(`What does this do?\n${start}\nmaxAttempts: 5\n${end}`)).toContain(retries);
    expect(await urlsOf(`${start}\nmaxAttempts: 5`)).toContain(retries);
  });

  test("search for the first 50 items of the context", async () => {
    await using platform = await startAssistantPlatform();
    const itemsOf = (length: number) => Array.from({ length }, () => ({ type: "code", value: "unknown" }));
    const ask = (others: number) =>
      platform.ask("What does this setting do?", {
        context: [...itemsOf(others), { type: "code", value: "maxAttempts: 5" }],
      });
    expect((await ask(49)).text).toContain("**[Retries › Configure");
    expect((await ask(50)).text).toContain("No page clearly answers this.");
  });

  test.each([
    [1, 1],
    [2, 2],
    [2.5, 2],
    [4, 4],
    [7, 7],
    [101, 9],
    [1e300, 9],
    [undefined, 5],
  ])("quote as many sections as the request's page size, %s: %i", async (retrievalPageSize, sections) => {
    const pages = Array.from({ length: 60 }, (_, index) =>
      index < 9
        ? [`region-${index}.md`, `# Rotate the signing key\n\nIn region ${index}, every ninety days.\n`]
        : [`other-${index}.md`, `# Topic ${index}\n\nNothing but a word: word${index}.\n`],
    );
    const documents = Object.fromEntries(pages);
    await using platform = await startAssistantPlatform({ documents });
    for (const ask of [platform.ask, platform.askV2]) {
      const answer = await ask("How do I rotate the signing key?", { retrievalPageSize });
      expect(answer.cited).toHaveLength(sections);
      expect(answer.text.match(/every ninety days/g)).toHaveLength(sections);
    }
  });

  test("use the data messages of the conversation as context", async () => {
    await using platform = await startAssistantPlatform();
    const messages = [v1Message("maxAttempts: 5", "data"), v1Message("What does this do?")];
    const answer = await platform.ask("", { messages });
    expect(answer.cited.map(({ url }) => url)).toContain("/guides/retries#configure-the-number-of-attempts");
  });

  const setting = "maxAttempts: 5";
  test.each([
    `data:text/plain,${encodeURIComponent(setting)}`,
    `data:,${setting}`,
    `data:application/yaml;charset=utf-8;base64,${btoa(setting)}`,
  ])("use the text of an attachment as context: %s", async (url) => {
    await using platform = await startAssistantPlatform();
    const asked = v1Message("What does this do?");
    const file = { type: "file", mediaType: "text/plain", url, filename: "lantern.yml" };
    const part = { type: "text", text: "What does this do?" };
    const attachments = [{ url, name: "lantern.yml", contentType: "text/plain" }];
    const v1 = { ...asked, experimental_attachments: attachments };
    const v2 = { id: "1", role: "user", parts: [part, file] };
    for (const answer of [
      await platform.ask("", { messages: [v1] }),
      await platform.askV2("", { messages: [v2] }),
    ])
      expect(answer.cited.map(({ url }) => url)).toContain(
        "/guides/retries#configure-the-number-of-attempts",
      );
    const body = await (await platform.post({ fp: "a", messages: [v1] })).text();
    expect(body).not.toContain("notice");
  });

  test("accept other attachments and system messages, and say that they have no effect", async () => {
    await using platform = await startAssistantPlatform();
    const asked = v1Message("How do I rotate an API key?");
    const urls = ["https://example.com/a.txt", "data:image/png;base64,iVBORw0K", "a.txt"];
    const text = { type: "text", text: "How do I rotate an API key?" };
    const system = { id: "1", role: "system", parts: [{ type: "text", text: "Be brief." }] };
    const attachments = "Only attachments with text in a data URL are read.";
    const instructions = "This platform has no model: a system message has no effect.";
    for (const [version, messages, notice] of [
      ["v1", [{ ...asked, experimental_attachments: urls.map((url) => ({ url })) }], attachments],
      ...urls.map((url) => {
        const file = { type: "file", mediaType: "text/plain", url };
        return ["v2", [{ id: "1", role: "user", parts: [text, file] }], attachments] as const;
      }),
      ["v1", [v1Message("Be brief.", "system"), asked], instructions],
      ["v2", [system, { id: "2", role: "user", parts: [text] }], instructions],
    ] as const) {
      const response = await platform.post({ fp: "a", messages }, {}, version);
      expect(response.status).toBe(200);
      const body = await response.text();
      const part = version === "v1" ? { type: "notice", message: notice } : { message: notice };
      expect(body.split(JSON.stringify(part))).toHaveLength(2);
      expect(body).toContain("lantern keys rotate");
    }
  });

  test.each(["v1", "v2"])("name the thread in a header, and are not cached: %s", async (version) => {
    await using platform = await startAssistantPlatform();
    const text = "How do I rotate an API key?";
    const message =
      version === "v1" ? v1Message(text) : { id: "1", role: "user", parts: [{ type: "text", text }] };
    const { headers, body } = await platform.post({ fp: "a", messages: [message] }, {}, version);
    const threadId = headers.get("x-thread-id") ?? "none";
    expect(await new Response(body).text()).toContain(`"threadId":"${threadId}"`);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("deprecation")).toBe(version === "v1" ? "true" : null);
  });

  test("answer the last message of a user, whose text may be in its parts only", async () => {
    await using platform = await startAssistantPlatform();
    const first = v1Message("How are failed deliveries tried again?");
    const last = { ...v1Message("How do I rotate an API key?"), content: "" };
    const messages = [
      first,
      v1Message("With backoff.", "assistant"),
      last,
      v1Message("I look.", "assistant"),
    ];
    const answer = await platform.ask("", { messages });
    expect(answer.cited.map(({ url }) => url)).toEqual(["/security/keys#rotate-a-key"]);
  });

  test("understand a question by the user's earlier messages", async () => {
    await using platform = await startAssistantPlatform();
    const ask = async (...texts: string[]) =>
      (await platform.ask("", { messages: texts.map((text) => v1Message(text)) })).cited;
    const [earlier, question] = ["How do I rotate an API key?", "And how long does it work?"];
    expect(await ask(earlier, question)).toMatchObject([{ url: "/security/keys#rotate-a-key" }]);
    expect(await ask(question)).toEqual([]);
  });

  test("continue a thread, so that a follow-up question is understood", async () => {
    await using platform = await startAssistantPlatform();
    const first = await platform.ask("How do I rotate an API key?");
    const second = await platform.ask("And how long does it work?", { threadId: first.threadId });
    expect(second.threadId).toBe(first.threadId);
    expect(second.cited).toMatchObject([{ url: "/security/keys#rotate-a-key" }]);
  });

  test("search for the first 20,000 characters of a long question", async () => {
    await using platform = await startAssistantPlatform();
    const question = "How do I rotate an API key?".padEnd(20_000);
    const short = await platform.ask(question);
    const long = await platform.ask(question + "webhook signatures digest ".repeat(100_000));
    expect(long.text).toBe(short.text);
    expect(long.text).toContain("The old key works for 24 hours.");
  });

  test("store of a conversation what later answers use", async () => {
    await using platform = await startAssistantPlatform();
    const { threadId = "" } = await platform.ask("How do I rotate an API key?");
    for (let number = 1; number <= 7; number += 1)
      await platform.ask(`And revoke it? ${number} ${"x ".repeat(10_000)}`, { threadId });
    const file = join(platform.dataDir, "assistant", "threads", `${threadId}.json`);
    const { turns } = JSON.parse(await readFile(file, "utf8"));
    const questions = turns.map(({ question }: { question: string }) => question);
    expect(questions.map((question: string) => question.slice(0, 16))).toEqual(
      [2, 3, 4, 5, 6, 7].map((number) => `And revoke it? ${number}`),
    );
    expect(questions.map(({ length }: string) => length)).toEqual(Array(6).fill(2_000));
  });

  test("are complete if their conversation cannot be stored", async () => {
    await using platform = await startAssistantPlatform();
    const folder = join(platform.dataDir, "assistant", "threads");
    await rm(folder, { recursive: true });
    await writeFile(folder, "not a folder");
    const answer = await platform.ask("How do I rotate an API key?");
    expect(answer.failure).toBeUndefined();
    expect(answer.text).toContain("The old key works for 24 hours.");
    expect(platform.warnings.join("\n")).toContain("A conversation could not be stored");
  });

  test("continue a thread regardless of the case of the domain", async () => {
    await using platform = await startAssistantPlatform();
    const { threadId } = await platform.ask("How do I rotate an API key?");
    const response = await platform.send("/discovery/v1/assistant/Docs.Example.COM/message", {
      method: "POST",
      key: platform.assistantKey,
      json: { fp: "anonymous", messages: [v1Message("And revoke it?")], threadId },
    });
    expect(response.status).toBe(200);
    await response.body?.cancel();
  });

  test("continue no thread of another site", async () => {
    const domains = ["docs.example.com", "api.example.com"];
    await using platform = await startAssistantPlatform({ domains });
    const { threadId } = await platform.ask("How do I rotate an API key?");

    const response = await platform.send("/discovery/v1/assistant/api.example.com/message", {
      method: "POST",
      key: platform.assistantKey,
      json: { fp: "anonymous", messages: [v1Message("And revoke it?")], threadId },
    });

    expect(response.status).toBe(404);
  });

  test("keep threads across a restart until they expire", async () => {
    let now = Date.parse("2026-01-01");
    await using data = await createTemporaryFolder();
    const start = () => startAssistantPlatform({ dataDir: data.path }, { now: () => now });
    const first = await start();
    const { threadId } = await first.ask("How do I rotate an API key?");
    await first[Symbol.asyncDispose]();
    await using restarted = await start();
    expect((await restarted.ask("And how do I revoke it?", { threadId })).threadId).toBe(threadId);
    now += 31 * 24 * 3600 * 1000;
    const late = await restarted.post({ fp: "anonymous", messages: [v1Message("And now?")], threadId });
    expect(late.status).toBe(404);
  });

  test("quote pages outside the navigation only if the configuration indexes them", async () => {
    const documents = {
      "docs.json": { navigation: { pages: ["start"] } },
      "start.md": "# Start\n\nInstall the lighthouse with one command.\n",
      "draft.md": "# Draft\n\nThe foghorn is configured in `foghorn.yml`.\n",
    };
    await using platform = await startAssistantPlatform({ documents });
    expect((await platform.ask("Where is the foghorn configured?")).text).toMatch(
      /^No page clearly answers this/,
    );
  });

  test("use documents that changed after the start", async () => {
    let now = 0;
    await using platform = await startAssistantPlatform({}, { now: () => now });
    const question = "How do I enable dark mode after sunset?";
    expect((await platform.ask(question)).text).toMatch(/^No page clearly answers this/);
    await writeFile(
      join(platform.docsDir, "dark.md"),
      "# Dark mode\n\nEnable dark mode after sunset with `theme: dark`.\n",
    );
    now += 60_000;
    expect((await platform.ask(question)).text).toContain("theme: dark");
  });

  test.each([
    [{ messages: [v1Message("x")] }, "fp"],
    [{ fp: "a" }, "messages"],
    [{ fp: "a", messages: [{ role: "user", content: "x", parts: [] }] }, "messages.0.id"],
    [{ fp: "a", messages: [{ id: "1", role: "robot", content: "x", parts: [] }] }, "messages.0.role"],
    [{ fp: "a", messages: [{ id: "1", role: "user", parts: [] }] }, "messages.0.content"],
    [{ fp: "a", messages: [{ id: "1", role: "user", content: "x" }] }, "messages.0.parts"],
    [
      { fp: "a", messages: [{ id: "1", role: "user", content: "x", parts: [{ type: "text" }] }] },
      "messages.0.parts.0.text",
    ],
    [{ fp: "a", messages: [] }, "messages"],
    [{ fp: "a", messages: [v1Message("x")], currentPath: "p".repeat(201) }, "currentPath"],
    [{ fp: "a", messages: [v1Message("x")], retrievalPageSize: 0 }, "retrievalPageSize"],
    [{ fp: "a", messages: [v1Message("x")], context: [{ type: "picture", value: "x" }] }, "context.0.type"],
    [{ fp: "a", messages: [v1Message("x")], filter: { version: 2 } }, "filter.version"],
  ])("refuse %j and name the field", async (body, field) => {
    await using platform = await startAssistantPlatform();
    const response = await platform.post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: expect.stringContaining(`${field}: `) });
  });

  test("accept fields that clients send beyond the specification", async () => {
    await using platform = await startAssistantPlatform();
    const message = {
      ...v1Message("How do I rotate an API key?"),
      revisionId: "r1",
      toolInvocations: [],
      parts: [
        { type: "file", mimeType: "text/plain", data: "aGk=" },
        { type: "text", text: "How do I rotate an API key?" },
        { type: "step-start" },
      ],
    };
    const response = await platform.post({
      id: "chat",
      data: {},
      fp: "a",
      threadId: null,
      filter: null,
      messages: [message],
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("deprecation")).toBe("true");
    // Relative, because a proxy may serve the platform below a path.
    const path = "/discovery/v1/assistant/docs.example.com/message";
    const [, successor = ""] =
      /^<(.+)>; rel="successor-version"$/.exec(response.headers.get("link") ?? "") ?? [];
    expect(new URL(successor, `https://x.test/below${path}`).pathname).toBe(
      `/below${path.replace("v1", "v2")}`,
    );
    await response.body?.cancel();
  });

  test("accept annotations of any depth", async () => {
    await using platform = await startAssistantPlatform();
    const annotations = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const message = JSON.stringify({ ...v1Message("How do I rotate an API key?"), annotations: 0 });
    const response = await platform.send("/discovery/v1/assistant/docs.example.com/message", {
      method: "POST",
      key: platform.assistantKey,
      headers: { "content-type": "application/json" },
      body: `{"fp":"a","messages":[${message.replace('"annotations":0', `"annotations":${annotations}`)}]}`,
    });
    expect(response.status).toBe(200);
    await response.body?.cancel();
  });

  test("allow requests from pages of any origin, also when they refuse", async () => {
    await using platform = await startAssistantPlatform();
    const origin = { origin: "https://docs.example.com" };
    const preflight = await platform.send("/discovery/v1/assistant/docs.example.com/message", {
      method: "OPTIONS",
      key: "",
      headers: {
        ...origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-headers")).toContain("authorization");
    const refused = await platform.post({}, origin);
    expect(refused.status).toBe(400);
    expect(refused.headers.get("access-control-allow-origin")).toBe("*");
    expect(refused.headers.get("access-control-expose-headers")).toContain("x-thread-id");
  });

  test("enforce the organization's hourly limit and the address's daily limit", async () => {
    let now = 0;
    const body = { fp: "a", messages: [v1Message("How do I rotate an API key?")] };
    for (const [limits, windowMs] of [
      [{ requestsPerHour: 2 }, 3_600_000],
      [{ requestsPerAddressAndDay: 2 }, 86_400_000],
    ] as const) {
      await using platform = await startAssistantPlatform({ assistant: limits }, { now: () => now });
      const statuses = [];
      for (let count = 0; count < 3; count += 1) {
        const response = await platform.post(body);
        statuses.push(response.status);
        if (response.status === 429) {
          expect(Number(response.headers.get("retry-after"))).toBe(windowMs / 1000);
        }
        await response.body?.cancel();
      }
      expect(statuses).toEqual([200, 200, 429]);
      now += windowMs + 1;
      const later = await platform.post(body);
      expect(later.status).toBe(200);
      await later.body?.cancel();
    }
  });

  test("refuse a question while the platform cannot write its data", async () => {
    await using platform = await startAssistantPlatform();
    const uses = join(platform.dataDir, "assistant", "uses");
    await rename(uses, `${uses}-away`);
    const body = { fp: "a", messages: [v1Message("How do I rotate an API key?")] };

    const refused = await platform.post(body);
    await rename(`${uses}-away`, uses);
    const answered = await platform.post(body);
    await answered.body?.cancel();

    expect([refused.status, refused.headers.get("retry-after"), answered.status]).toEqual([503, "5", 200]);
    expect(await refused.json()).toEqual({
      error: "The platform's storage is unavailable. Try again later.",
    });
    expect(platform.warnings[0]).toMatch(/^The record .+\.json cannot be written: ENOENT/);
  });

  test.each([
    [["127.0.0.1"], [200, 200, 429]],
    [[], [200, 429, 429]],
  ])("count a client behind the proxies %j by its own address", async (trustedProxies, expected) => {
    const assistant = { requestsPerAddressAndDay: 1 };
    await using platform = await startAssistantPlatform({ assistant, trustedProxies });
    const statuses = [];
    for (const client of ["203.0.113.1", "203.0.113.2", "198.51.100.9, 203.0.113.1"]) {
      const body = { fp: "a", messages: [v1Message("How do I rotate an API key?")] };
      const response = await platform.post(body, { "x-forwarded-for": client });
      statuses.push(response.status);
      await response.body?.cancel();
    }
    expect(statuses).toEqual(expected);
  });

  test("link to the OpenAPI document of a generated page, if they link to files", async () => {
    const get = { summary: "List lamps", description: "All lamps of a house.", responses: {} };
    const documents = {
      "docs.json": { navigation: { tabs: [{ tab: "API", openapi: "api.json" }] } },
      "api.json": { openapi: "3.1.0", paths: { "/lamps": { get } } },
      "houses.md": "# Houses\n\nA house has rooms. [List its chandeliers](/api-reference/list-lamps).\n",
    };
    const links = { kind: "files", baseUrl: "https://github.com/acme/docs/blob/abc/docs" } as const;
    await using platform = await startAssistantPlatform({ documents, assistant: { links } });
    const file = "https://github.com/acme/docs/blob/abc/docs/api.json";
    expect((await platform.ask("List lamps")).cited[0]?.url).toBe(file);
    expect((await platform.ask("How do I list its chandeliers?")).text).toContain(`](${file})`);
  });

  test.each([
    ["files", "keys.md#nodejs-keys"],
    ["pages", "keys#node-js-keys"],
  ] as const)("link to %s with their own anchors", async (kind, expected) => {
    const documents = {
      "docs.json": { navigation: { pages: ["keys"] } },
      "keys.md": "# Keys\n\n## Node.js keys\n\nA lamp has a purple switch.\n",
    };
    const assistant = { links: { kind, baseUrl: "https://example.com" } };
    await using platform = await startAssistantPlatform({ documents, assistant });
    const { cited } = await platform.ask("Which lamp has a purple switch?");
    expect(cited[0]?.url).toBe(`https://example.com/${expected}`);
  });

  test("link to the published site or to the source files, as configured", async () => {
    const question = "How do I rotate an API key?";
    const links = { kind: "files", baseUrl: "https://github.com/acme/docs/blob/abc/docs/" } as const;
    await using platform = await startAssistantPlatform({ assistant: { links } });
    expect((await platform.ask(question)).cited[0]?.url).toBe(
      "https://github.com/acme/docs/blob/abc/docs/security/keys.md#rotate-a-key",
    );
  });
});
