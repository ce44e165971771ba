/** Fetches a bundle as the action does, and prints what it cost. Arguments: URL, path, most connections. */
import { systemClock } from "../../src/base/runtime.ts";
import { downloadBundle } from "../../src/bundle/download.ts";

const [url = "", path = "", connections = "8"] = process.argv.slice(2);
const ignore = () => undefined;
const startedAt = performance.now();
const cpuBefore = process.cpuUsage();
const bundle = await downloadBundle(async () => ({ url }), {
  path,
  maxBytes: 1e12,
  connections: Number(connections),
  proxies: {},
  linkPolicy: () => true,
  clock: systemClock,
  random: Math.random,
  log: { debug: ignore, info: ignore, notice: ignore, warning: ignore },
  signal: new AbortController().signal,
});
const wallMs = performance.now() - startedAt;
const { user, system } = process.cpuUsage(cpuBefore);
process.stdout.write(
  `${JSON.stringify({ wallMs, cpuMs: (user + system) / 1000, size: bundle.size, transfer: bundle.transfer })}\n`,
);
process.exit(0);
