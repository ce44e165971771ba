import { request } from "node:http";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { answerMcp } from "../../../src/server/assistant/mcp.ts";
import { startAssistantPlatform } from "./assistant-platform.ts";

type Platform = Awaited<ReturnType<typeof startAssistantPlatform>>;

/** Connects the official client of the protocol. */
async function connect(platform: Platform) {
  const client = new Client({ name: "test", version: "1.0.0" });
  const headers = { authorization: `Bearer ${platform.assistantKey}` };
  const url = new URL(`${platform.url}/mcp`);
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
  // The package's types do not support `exactOptionalPropertyTypes`.
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return {
    client,
    async call(name: string, given: Record<string, unknown>) {
      const result = await client.callTool({ name, arguments: given });
      const [{ text = "" } = {}] = result.content as { text?: string }[];
      return { text, isError: result.isError === true };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

function post(platform: Platform, body: unknown, headers: Record<string, string> = {}) {
  return fetch(`${platform.url}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${platform.assistantKey}`,
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

describe("the MCP server", () => {
  test("lists two read-only tools with the schemas of their arguments", async () => {
    await using platform = await startAssistantPlatform();
    await using connected = await connect(platform);
    expect(connected.client.getServerVersion()).toMatchObject({ name: "docs" });
    const { tools } = await connected.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["search_docs", "get_page"]);
    expect(tools[0]?.inputSchema).toMatchObject({
      type: "object",
      properties: { query: { type: "string" }, limit: { type: "integer", minimum: 1, maximum: 20 } },
      required: ["query"],
      additionalProperties: false,
    });
    for (const { annotations } of tools) expect(annotations).toMatchObject({ readOnlyHint: true });
  });

  test("finds sections, and returns a page as Markdown", async () => {
    await using platform = await startAssistantPlatform();
    await using connected = await connect(platform);
    const found = await connected.call("search_docs", { query: "How do I rotate a key?", limit: 2 });
    expect(found.text).toContain(
      "## API keys › Rotate a key\n\nAddress: /security/keys#rotate-a-key\nPath: security/keys\n",
    );
    expect(found.text).toContain("lantern keys rotate");
    const page = await connected.call("get_page", { path: "guides/retries" });
    expect(page.text).toMatch(/^# Retries\n\n> How failed deliveries are tried again\.\n\n> \*\*Note\*\*\n/);
    expect((await connected.call("get_page", { path: "/guides/retries.md#x", offset: 2 })).text).toMatch(
      /^Retries\n/,
    );
  });

  test("quotes a section as a reader sees it: without spaces around marked words", async () => {
    const text = "Select *Rotate*. See [keys](keys.md),\\\nand re**try**.\n\n- `one`\n- two\n\n$$\nx\n$$\n";
    await using platform = await startAssistantPlatform({ documents: { "index.md": `# Keys\n\n${text}` } });
    await using connected = await connect(platform);
    const found = await connected.call("search_docs", { query: "rotate", limit: 1 });
    expect(found.text).toMatch(/\n\nSelect Rotate\. See keys, and retry\. one two x$/);
  });

  test("returns a page by the address that a search gave", async () => {
    const baseUrl = "https://docs.lantern.example/help";
    await using platform = await startAssistantPlatform({
      documents: { "index.md": "# Lantern\n", "ガイド/鍵.md": "# API keys\n\n## Rotate\n\nPress Rotate.\n" },
      assistant: { links: { kind: "pages", baseUrl } },
    });
    await using connected = await connect(platform);
    const found = await connected.call("search_docs", { query: "rotate", limit: 1 });
    const [address = ""] = /https:\S+/.exec(found.text) ?? [];
    expect(address).toBe(`${baseUrl}/${encodeURI("ガイド/鍵")}#rotate`);
    expect((await connected.call("get_page", { path: address })).text).toMatch(/^# API keys\n/);
  });

  test("returns a long page in parts that do not split a character", async () => {
    const page = `a${"🌱".repeat(40_000)}`;
    const app = new Hono().post("/mcp", (call) => {
      const links = { kind: "pages", baseUrl: "" } as const;
      const library = { current: () => Promise.reject(new Error("unused")), readMarkdown: async () => page };
      const sources = { library, links, publicUrl: () => "http://localhost" };
      return answerMcp(call, sources, async () => undefined);
    });
    const read = async (offset: number) => {
      const params = { name: "get_page", arguments: { path: "long", offset } };
      const body = JSON.stringify({ ...ping, method: "tools/call", params });
      const headers = { "content-type": "application/json", host: "localhost" };
      const answer = await app.request("/mcp", { method: "POST", headers, body });
      const { result } = (await answer.json()) as { result: { content: [{ text: string }] } };
      return result.content[0].text;
    };
    const [first = ""] = (await read(0)).split("\n\n[");
    expect(first).toBe(page.slice(0, 59_999));
    expect(await read(first.length)).toBe(page.slice(59_999));
  });

  test("searches only the requested version", async () => {
    await using platform = await startAssistantPlatform();
    await using connected = await connect(platform);
    const { text } = await connected.call("search_docs", { query: "webhook signatures", version: "v1" });
    expect(text).toContain("v1/webhooks");
    expect(text).not.toContain("v2/webhooks");
  });

  test.each([
    ["search_docs", {}, "query"],
    ["search_docs", { query: "" }, "query"],
    ["search_docs", { query: "x", limit: 1000 }, "limit"],
    ["search_docs", { query: "x", more: 1 }, "unknown field more"],
    ["get_page", { path: "none" }, "There is no page at none"],
    ["get_page", { path: "../../etc/passwd" }, "There is no page"],
  ])("reports to the model why a call of %s with %j is invalid", async (name, given, problem) => {
    await using platform = await startAssistantPlatform();
    await using connected = await connect(platform);
    const { text, isError } = await connected.call(name, given);
    expect(isError).toBe(true);
    expect(text).toContain(problem);
  });

  test("responds to an unknown tool or method with a protocol error", async () => {
    await using platform = await startAssistantPlatform();
    await using connected = await connect(platform);
    await expect(connected.call("remove_docs", {})).rejects.toThrow("-32602");
    const answer = await (await post(platform, { ...ping, method: "resources/list" })).json();
    expect(answer).toMatchObject({ id: 1, error: { code: -32_601 } });
  });

  test("counts tool calls against the rate limits of questions", async () => {
    await using platform = await startAssistantPlatform({ assistant: { requestsPerHour: 1 } });
    await using connected = await connect(platform);
    await connected.call("get_page", { path: "index" });
    await expect(connected.call("get_page", { path: "index" })).rejects.toThrow("hourly limit");
    expect((await post(platform, ping)).status).toBe(200);
  });

  test.each([
    ["no key", { authorization: "" }, 401],
    ["another kind of key", { authorization: "admin" }, 403],
    ["a page of another site", { origin: "https://evil.example" }, 403],
    ["a page without an origin", { origin: "null" }, 403],
    ["another media type", { "content-type": "text/plain" }, 415],
    ["a version of the protocol that it does not speak", { "mcp-protocol-version": "1999-01-01" }, 400],
    ["a page of this machine", { origin: "http://localhost:3000" }, 200],
  ])("responds to a request with %s with the expected status", async (_what, headers, status) => {
    await using platform = await startAssistantPlatform();
    const given: Record<string, string> = { ...headers };
    if (given["authorization"] === "admin") given["authorization"] = `Bearer ${platform.adminKey}`;
    expect((await post(platform, ping, given)).status).toBe(status);
  });

  test("refuses a request with a foreign host name (DNS rebinding)", async () => {
    await using platform = await startAssistantPlatform();
    const status = await new Promise((resolve, reject) => {
      const headers = {
        host: "rebound.example",
        "content-type": "application/json",
        authorization: `Bearer ${platform.assistantKey}`,
      };
      const sent = request(`${platform.url}/mcp`, { method: "POST", headers }, ({ statusCode }) =>
        resolve(statusCode),
      );
      sent.on("error", reject).end(JSON.stringify(ping));
    });
    expect(status).toBe(403);
  });

  test.each([[[ping]], [{ method: "ping" }], ["x"], [null]])(
    "refuses %j, which is not a message",
    async (body) => {
      await using platform = await startAssistantPlatform();
      expect((await post(platform, body)).status).toBe(400);
    },
  );

  test("accepts notifications, and offers no event stream", async () => {
    await using platform = await startAssistantPlatform();
    expect((await post(platform, { jsonrpc: "2.0", method: "notifications/initialized" })).status).toBe(202);
    expect((await fetch(`${platform.url}/mcp`)).status).toBe(405);
  });
});
