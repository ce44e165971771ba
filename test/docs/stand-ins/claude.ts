/** Stands for Claude Code: `claude mcp add` opens the server at once, as the real one does when it starts. */
import { parseArgs } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { check, startsWith } from "./check.ts";

const args = process.argv.slice(2);
check(startsWith(args, "mcp", "add"), "error: unknown command");
const { values, positionals } = parseArgs({
  args: args.slice(2),
  options: { transport: { type: "string" }, header: { type: "string", multiple: true } },
  allowPositionals: true,
});
const [name = "", url = ""] = positionals;
check(positionals.length === 2 && /^[\w-]+$/.test(name), "error: a name and an address are needed");
check(values.transport === "http", "error: the address needs --transport http");
const headers = Object.fromEntries(
  (values.header ?? []).map((header) => header.split(/: */, 2) as [string, string]),
);
const client = new Client({ name: "claude-code", version: "2.1.330" });
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) as never);
const { tools } = await client.listTools();
process.stdout.write(`${name}: ${tools.map((tool) => tool.name).join(", ")}\n`);
await client.close();
