/**
 * Transfer of a bundle, side by side with other tools.
 *
 * `npm run bench -- transfer [--sizes 50,500] [--limit 20] [--connections 4] [--runs 3] [--dir PATH]`
 *
 * Sizes in MB; `--limit` in MB/s of each connection. Storage runs in a process of its own. "ours" also computes
 * SHA-256 and verifies the whole archive; "curl + checks" does the same work with `sha256sum` and `gzip -t`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { makeBundle } from "./transfer/make-bundle.ts";
import { measureProcess, type ProcessCost } from "./transfer/measure-process.ts";

interface Measured {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMegabytes: number;
  /** Time between call and result inside a process that already runs; whole processes have none. */
  readonly insideMs?: number;
  readonly note?: string;
}

interface Client {
  readonly name: string;
  run(url: string, target: string): Promise<Measured>;
}

/** Runs the benchmark and prints one table for each size and limit. */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sizes: { type: "string", default: "50,500" },
      limit: { type: "string", default: "20" },
      connections: { type: "string", default: "4" },
      runs: { type: "string", default: "3" },
      dir: { type: "string", default: tmpdir() },
    },
  });
  const folder = await mkdtemp(join(values.dir, "transfer-bench-"));
  try {
    const scripts = await bundleScripts(folder);
    const clients = await availableClients(values.connections, scripts);
    for (const megabytes of values.sizes.split(",").map(Number)) {
      const bundle = join(folder, "bundle.tar.gz");
      await makeBundle(bundle, megabytes * 1e6);
      for (const limit of [0, Number(values.limit) * 1e6]) {
        console.log(
          `\n${megabytes} MB, ${limit === 0 ? "unlimited" : `${limit / 1e6} MB/s for each connection`}`,
        );
        printTable(await compare(clients, { bundle, limit, folder, runs: Number(values.runs) }));
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Both of Node's clients run as the action does: bundled, with nothing to compile. */
async function bundleScripts(folder: string): Promise<string> {
  const outdir = join(folder, "clients");
  await build({
    entryPoints: ["bundle-client.ts", "tool-cache-client.ts"].map((name) =>
      join(import.meta.dirname, "transfer", name),
    ),
    bundle: true,
    platform: "node",
    format: "esm",
    outdir,
    logLevel: "error",
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
  await writeFile(join(outdir, "package.json"), '{"type":"module"}');
  return outdir;
}

interface Setting {
  readonly bundle: string;
  readonly limit: number;
  readonly folder: string;
  readonly runs: number;
}

/** The median run of each client; the clients take turns, so that a slow moment of the machine meets all. */
async function compare(clients: readonly Client[], setting: Setting): Promise<Map<string, Measured>> {
  const { bundle, limit, folder, runs } = setting;
  const { size } = await stat(bundle);
  await using storage = await startStorage(bundle, limit);
  const results = new Map<string, Measured[]>(clients.map(({ name }) => [name, []]));
  for (let turn = 0; turn < runs; turn += 1) {
    for (const client of clients) {
      const target = join(folder, "target.tar.gz");
      results.get(client.name)?.push(await client.run(storage.url, target));
      if ((await stat(target)).size !== size)
        throw new Error(`${client.name} fetched another number of bytes.`);
      await rm(target);
    }
  }
  return new Map([...results].map(([name, all]) => [name, median(all)]));
}

function median(all: readonly Measured[]): Measured {
  const sorted = all.toSorted((a, b) => a.wallMs - b.wallMs);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (!middle) throw new Error("Nothing was measured.");
  return { ...middle, peakMegabytes: Math.max(...all.map(({ peakMegabytes }) => peakMegabytes)) };
}

async function startStorage(
  path: string,
  limit: number,
): Promise<AsyncDisposable & { readonly url: string }> {
  const script = join(import.meta.dirname, "transfer", "storage-server.ts");
  const server: ChildProcess = spawn(process.execPath, [script, path, String(limit)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [port] = (await once(server.stdout ?? server, "data")) as [Buffer];
  return {
    url: `http://127.0.0.1:${port.toString().trim()}/bundle.tar.gz`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.kill();
      await closed;
    },
  };
}

async function availableClients(connections: string, scripts: string): Promise<Client[]> {
  const parts = ["--allow-overwrite=true", "--quiet=true", "--file-allocation=none", "--min-split-size=1M"];
  const spread = [`--split=${connections}`, `--max-connection-per-server=${connections}`];
  const optional = [
    { name: "curl", program: "curl", args: (url: string, target: string) => ["-sS", "-o", target, url] },
    {
      name: "aria2c",
      program: "aria2c",
      args: (url: string, target: string) => [...parts, ...spread, "-d", "/", "-o", target.slice(1), url],
    },
  ];
  const installed = await Promise.all(
    optional.map(async (tool) => ((await isInstalled(tool.program)) ? [tool] : [])),
  );
  const tools = installed.flat().map(
    ({ name, program, args }): Client => ({
      name,
      run: (url, target) => measureProcess(program, args(url, target)),
    }),
  );
  const curl = tools.find(({ name }) => name === "curl");
  return [
    ...tools,
    ...(curl ? [withChecks(curl)] : []),
    nodeClient("tool-cache", join(scripts, "tool-cache-client.js"), []),
    nodeClient("ours", join(scripts, "bundle-client.js"), [connections]),
  ];
}

async function isInstalled(program: string): Promise<boolean> {
  const child = spawn(program, ["--version"], { stdio: "ignore" });
  return new Promise((resolve) => {
    child.once("error", () => resolve(false)).once("close", (code) => resolve(code === 0));
  });
}

/** What a careful script does: fetch, then read the file twice more. */
function withChecks(client: Client): Client {
  return {
    name: `${client.name} + checks`,
    async run(url, target) {
      const steps: Measured[] = [
        await client.run(url, target),
        await measureProcess("sha256sum", [target]),
        await measureProcess("gzip", ["-t", target]),
      ];
      return {
        wallMs: sum(steps.map(({ wallMs }) => wallMs)),
        cpuMs: sum(steps.map(({ cpuMs }) => cpuMs)),
        peakMegabytes: Math.max(...steps.map(({ peakMegabytes }) => peakMegabytes)),
      };
    },
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function nodeClient(name: string, script: string, more: readonly string[]): Client {
  return {
    name,
    async run(url, target) {
      const cost: ProcessCost = await measureProcess(process.execPath, [script, url, target, ...more]);
      const { wallMs, transfer } = JSON.parse(cost.stdout.trim().split("\n").at(-1) ?? "") as {
        wallMs: number;
        transfer?: { connections: number; requests: number };
      };
      const note = transfer && `${transfer.connections} connections, ${transfer.requests} requests`;
      return { ...cost, insideMs: wallMs, ...(note ? { note } : {}) };
    },
  };
}

function printTable(results: ReadonlyMap<string, Measured>): void {
  const base = results.get("curl");
  console.log("client          |  wall s | inside s |  CPU s | peak MB | times as fast as curl (inside)");
  for (const [name, { wallMs, cpuMs, peakMegabytes, insideMs, note }] of results) {
    const ratio = base ? (base.wallMs / wallMs).toFixed(2) : "";
    const inside = base && insideMs ? ` (${(base.wallMs / insideMs).toFixed(2)})` : "";
    const cells = [
      name.padEnd(15),
      (wallMs / 1000).toFixed(2).padStart(7),
      (insideMs ? (insideMs / 1000).toFixed(2) : "").padStart(8),
      (cpuMs / 1000).toFixed(2).padStart(6),
      peakMegabytes.toFixed(0).padStart(7),
      `${ratio}${inside}${note ? ` · ${note}` : ""}`,
    ];
    console.log(cells.join(" | "));
  }
}
