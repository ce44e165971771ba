/** The documentation for agents: an MCP server with two tools, over Streamable HTTP without sessions. */
import type { Context } from "hono";
import * as z from "zod/mini";
import { isLoopback } from "../../base/network.ts";
import { cutText, messageOf } from "../../base/text.ts";
import { version } from "../../base/version.ts";
import { ApiError, parseAs, readJson } from "../base/http.ts";
import type { DocsLibrary } from "./docs-library.ts";
import { nameOf, type PageLinkBase, passageUrl } from "./extractive-answer.ts";

/** The data that the tools read. */
export interface McpSources {
  readonly library: Pick<DocsLibrary, "current" | "readMarkdown">;
  readonly links: PageLinkBase;
  readonly publicUrl: () => string;
}

const protocolVersions = ["2025-11-25", "2025-06-18", "2025-03-26"];
const maxBodyBytes = 256 * 1024;
const maxExcerptLength = 700;
/** Maximum characters of one `get_page` result. */
const maxPageLength = 60_000;

const text = (maximum: number) => z.string().check(z.minLength(1), z.maxLength(maximum));

const SearchArguments = z.strictObject({
  query: text(2_000),
  limit: z.optional(z.int().check(z.gte(1), z.lte(20))),
  language: z.optional(text(40)),
  version: z.optional(text(100)),
});

const PageArguments = z.strictObject({
  path: text(2_000),
  offset: z.optional(z.int().check(z.gte(0))),
});

const annotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

const describeTools = () => [
  {
    name: "search_docs",
    title: "Search the documentation",
    description:
      "Finds the sections of the documentation that fit a question best, with their addresses, paths and an excerpt of each.",
    inputSchema: z.toJSONSchema(SearchArguments),
    annotations,
  },
  {
    name: "get_page",
    title: "Read a page of the documentation",
    description: `Returns a page as Markdown, by a path or an address from search_docs, or a link of another page; ${maxPageLength} characters at a time.`,
    inputSchema: z.toJSONSchema(PageArguments),
    annotations,
  },
];

const Message = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.optional(z.union([z.string(), z.int()])),
  method: z.string(),
  params: z.optional(z.looseObject({})),
});

const Call = z.object({ name: z.enum(["search_docs", "get_page"]), arguments: z.optional(z.unknown()) });

/**
 * Answers one message of a client.
 *
 * @param onToolCall counts the call against the rate limits, and throws to refuse it
 * @throws {ApiError} if the request is not an MCP message, or comes from a page of another site
 */
export async function answerMcp(
  call: Context,
  sources: McpSources,
  onToolCall: () => Promise<void>,
): Promise<Response> {
  refuseOtherOrigins(call, sources.publicUrl());
  const version = call.req.header("mcp-protocol-version");
  if (version !== undefined && !protocolVersions.includes(version))
    throw new ApiError(400, `mcp-protocol-version: this server supports ${protocolVersions.join(", ")}.`);
  const message = await readJson(call.req.raw, Message, maxBodyBytes);
  if (message.id === undefined) return call.body(null, 202);
  const answer = await answerMessage(message, sources, onToolCall, call.req.raw.signal);
  return call.json({ jsonrpc: "2.0", id: message.id, ...answer });
}

/**
 * Refuses requests with a foreign `Host` or `Origin`. DNS rebinding lets a web page send requests to a server on the user's machine under
 * the page's own host name.
 */
function refuseOtherOrigins(call: Context, publicUrl: string): void {
  const isOwn = (url: string) => {
    const parsed = URL.parse(url);
    return parsed !== null && (isLoopback(parsed) || parsed.hostname === new URL(publicUrl).hostname);
  };
  const origin = call.req.header("origin");
  if (!isOwn(`http://${call.req.header("host") ?? ""}`) || (origin !== undefined && !isOwn(origin)))
    throw new ApiError(
      403,
      "This server accepts requests to its public address only, and none from pages of other sites.",
    );
}

/** Returns the `result` or `error` member of the JSON-RPC response. */
async function answerMessage(
  { method, params = {} }: z.infer<typeof Message>,
  sources: McpSources,
  onToolCall: () => Promise<void>,
  signal: AbortSignal,
) {
  switch (method) {
    case "initialize": {
      const { protocolVersion: requested } = params;
      const result = {
        protocolVersion: protocolVersions.find((supported) => supported === requested) ?? protocolVersions[0],
        capabilities: { tools: {} },
        serverInfo: { name: "docs", title: "Documentation", version },
        instructions: "Search the documentation with search_docs, then read a page with get_page.",
      };
      return { result };
    }
    case "ping":
      return { result: {} };
    case "tools/list":
      return { result: { tools: describeTools() } };
    case "tools/call": {
      const parsed = Call.safeParse(params);
      if (!parsed.success) return { error: { code: -32602, message: "No tool has this name." } };
      await onToolCall();
      return { result: await runTool(parsed.data, sources, signal) };
    }
    default:
      return { error: { code: -32601, message: `The method ${method} is not supported.` } };
  }
}

/** Runs a tool. An invalid call is reported as its result, so that the model can correct it. */
async function runTool(
  { name, arguments: input = {} }: z.infer<typeof Call>,
  sources: McpSources,
  signal: AbortSignal,
): Promise<object> {
  try {
    const result =
      name === "search_docs"
        ? await searchDocs(parseAs(SearchArguments, input), sources, signal)
        : await getPage(parseAs(PageArguments, input), sources, signal);
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
      const { text: prose, code } = passage.section;
      const excerpt = cutText(`${prose} ${code}`.replace(/\s+/g, " ").trim(), maxExcerptLength);
      return `## ${nameOf(passage)}\n\nAddress: ${passageUrl(passage, links)}\nPath: ${passage.page.slug}\n\n${excerpt}`;
    })
    .join("\n\n");
}

async function getPage(
  { path, offset = 0 }: z.infer<typeof PageArguments>,
  { library, links: { baseUrl } }: McpSources,
  signal: AbortSignal,
): Promise<string> {
  const address = path.startsWith(baseUrl) ? path.slice(baseUrl.length) : path;
  const markdown = await library.readMarkdown(address, signal);
  if (markdown === undefined)
    throw new ApiError(404, `There is no page at ${path}. Use search_docs to find pages.`);
  const part = cutText(markdown.slice(offset), maxPageLength);
  const end = offset + part.length;
  const rest = markdown.length - end;
  return rest > 0 ? `${part}\n\n[${rest} more characters: call get_page with offset ${end}.]` : part;
}
