/** Fetches a file with the runner's tool cache, and prints what it cost. Arguments: URL, path. */
import { stat } from "node:fs/promises";
import { downloadTool } from "@actions/tool-cache";

const [url = "", path = ""] = process.argv.slice(2);
const startedAt = performance.now();
const cpuBefore = process.cpuUsage();
await downloadTool(url, path);
const wallMs = performance.now() - startedAt;
const { user, system } = process.cpuUsage(cpuBefore);
const { size } = await stat(path);
process.stdout.write(`${JSON.stringify({ wallMs, cpuMs: (user + system) / 1000, size })}\n`);
process.exit(0);
