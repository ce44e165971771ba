/** The documents for agents: a Model Context Protocol server with two tools, over Streamable HTTP without sessions. */
import type { Context } from "hono";
import * as z from "zod/mini";
import { isLoopback } from "../../base/network.ts";
import { cutText, messageOf } from "../../base/text.ts";
import { userAgent } from "../../base/version.ts";
import { ApiError, parseAs, readJson } from "../base/http.ts";
import type { DocsLibrary } from "./docs-library.ts";
import { linkTo, nameOf, type PageLinks } from "./extractive-answer.ts";
import { wordsOf } from "./sections.ts";

/** What the tools read, and where. */
export interface McpSources {
  readonly library: Pick<DocsLibrary, "current" | "readMarkdown">;
  readonly links: PageLinks;
  readonly publicUrl: () => string;
}

const protocolVersions = ["2025-11-25", "2025-06-18", "2025-03-26"];
const maxBodyBytes = 256 * 1024;
const excerptLength = 700;
/** A longer page is read in parts. */
const pageLength = 60_000;

const text = (maximum: number) => z.string().check(z.minLength(1), z.maxLength(maximum));

export const SearchArguments = z.strictObject({
  query: text(2_000),
  limit: z.optional(z.int().check(z.gte(1), z.lte(20))),
  language: z.optional(text(40)),
  version: z.optional(text(100)),
});

export const PageArguments = z.strictObject({
  path: text(2_000),
  offset: z.optional(z.int().check(z.gte(0))),
});

const annotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

/** What clients are told of the tools. A test compares the schemas with those above: what would derive them is a large module. */
const tools = [
  {
    name: "search_docs",
    title: "Search the documentation",
    description:
      "Finds the sections of the documentation that fit a question best, with their addresses, paths and an excerpt of each.",
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1, maxLength: 2_000 },
        limit: { type: "integer", minimum: 1, maximum: 20 },
        language: { type: "string", minLength: 1, maxLength: 40 },
        version: { type: "string", minLength: 1, maxLength: 100 },
      },
      required: ["query"],
      additionalProperties: false,
    },
    annotations,
  },
  {
    name: "get_page",
    title: "Read a page of the documentation",
    description: `Returns a page as Markdown, by a path from search_docs or a link of another page; ${pageLength} characters at a time.`,
    inputSchema: {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, maxLength: 2_000 },
        offset: { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      },
      required: ["path"],
      additionalProperties: false,
    },
    annotations,
  },
];

const Message = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.optional(z.union([z.string(), z.int()])),
  method: z.string(),
  params: z.optional(z.looseObject({})),
});

const Call = z.object({ name: z.string(), arguments: z.optional(z.unknown()) });

/**
 * Answers one message of a client.
 *
 * @param onToolCall Counts the use; what it throws refuses the call.
 * @throws {ApiError} for a request that is no message of the protocol, or from a page of another site.
 */
export async function answerMcp(
  call: Context,
  sources: McpSources,
  onToolCall: () => Promise<void>,
): Promise<Response> {
  refuseForeignPages(call, sources.publicUrl());
  const spoken = call.req.header("mcp-protocol-version");
  if (spoken !== undefined && !protocolVersions.includes(spoken))
    throw new ApiError(400, `mcp-protocol-version: this server speaks ${protocolVersions.join(", ")}.`);
  const message = await readJson(call.req.raw, Message, maxBodyBytes);
  if (message.id === undefined) return call.body(null, 202);
  const answer = await answerMessage(message, sources, onToolCall, call.req.raw.signal);
  return call.json({ jsonrpc: "2.0", id: message.id, ...answer });
}

/**
 * A web page of another site can make its reader's browser call an address on the reader's machine, under a name that it lets
 * lead there (DNS rebinding): such a request carries that name.
 */
function refuseForeignPages(call: Context, publicUrl: string): void {
  const isOwn = (url: string) => {
    const parsed = URL.parse(url);
    return parsed !== null && (isLoopback(parsed) || parsed.hostname === new URL(publicUrl).hostname);
  };
  const origin = call.req.header("origin");
  if (!isOwn(`http://${call.req.header("host") ?? ""}`) || (origin !== undefined && !isOwn(origin)))
    throw new ApiError(403, "This address answers requests to its public address, not those of other sites.");
}

/** The result, or an error with a code of JSON-RPC. */
async function answerMessage(
  { method, params = {} }: z.infer<typeof Message>,
  sources: McpSources,
  onToolCall: () => Promise<void>,
  signal: AbortSignal,
) {
  switch (method) {
    case "initialize": {
      const { protocolVersion: asked } = params;
      const result = {
        protocolVersion: protocolVersions.find((known) => known === asked) ?? protocolVersions[0],
        capabilities: { tools: {} },
        serverInfo: { name: "docs", title: "Documentation", version: userAgent.replace(/^.*\//, "") },
        instructions: "Search the documentation with search_docs, then read a page with get_page.",
      };
      return { result };
    }
    case "ping":
      return { result: {} };
    case "tools/list":
      return { result: { tools } };
    case "tools/call": {
      const parsed = Call.safeParse(params);
      if (!parsed.success || !tools.some(({ name }) => name === parsed.data.name))
        return { error: { code: -32602, message: "There is no tool of this name." } };
      await onToolCall();
      return { result: await runTool(parsed.data, sources, signal) };
    }
    default:
      return { error: { code: -32601, message: `The method ${method} is not supported.` } };
  }
}

/** What is wrong with a call is its result, so that the model which made it can make a better one. */
async function runTool(
  { name, arguments: given = {} }: z.infer<typeof Call>,
  sources: McpSources,
  signal: AbortSignal,
): Promise<object> {
  try {
    const result =
      name === "search_docs"
        ? await searchDocs(parseAs(SearchArguments, given), sources, signal)
        : await getPage(parseAs(PageArguments, given), sources, signal);
    return { content: [{ type: "text", text: result }] };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { content: [{ type: "text", text: messageOf(error) }], isError: true };
  }
}

async function searchDocs(
  { query: question, limit = 8, language, version }: z.infer<typeof SearchArguments>,
  { library, links }: McpSources,
  signal: AbortSignal,
): Promise<string> {
  const query = { question, earlier: [], context: [], currentPath: undefined, language, version };
  const { passages } = (await library.current(signal)).search(query, limit);
  if (passages.length === 0) return "Nothing was found.";
  return passages
    .map((passage) => {
      const { text: prose, code } = wordsOf([...passage.section.blocks]);
      const excerpt = cutText(`${prose} ${code}`.replace(/\s+/g, " ").trim(), excerptLength);
      return `## ${nameOf(passage)}\n\nAddress: ${linkTo(passage, links)}\nPath: ${passage.page.slug}\n\n${excerpt}`;
    })
    .join("\n\n");
}

async function getPage(
  { path, offset = 0 }: z.infer<typeof PageArguments>,
  { library }: McpSources,
  signal: AbortSignal,
): Promise<string> {
  const markdown = await library.readMarkdown(path, signal);
  if (markdown === undefined)
    throw new ApiError(404, `There is no page at ${path}; search_docs finds pages.`);
  const part = cutText(markdown.slice(offset), pageLength);
  const end = offset + part.length;
  const rest = markdown.length - end;
  return rest > 0 ? `${part}\n\n[${rest} more characters: call get_page with offset ${end}.]` : part;
}
