/**
 * Transfer of a bundle, beside what a workflow would use instead.
 *
 *   npm run bench -- transfer [--sizes 50,250,500,2000] [--limit 20] [--connections 8] [--runs 3] [--dir PATH]
 *
 * Sizes in MB; `--limit` in MB/s of each connection. Storage runs in a process of its own. "ours" also computes SHA-256 and
 * verifies the whole archive; "curl + checks" does that with `sha256sum` and `gzip -t`. A tool that is not installed has no row.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build, type Plugin } from "esbuild";
import { measureProcess, type ProcessCost } from "./measure-process.ts";
import type { Report, Table } from "./report.ts";
import { makeBundle } from "./transfer/make-bundle.ts";

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
  /** First line of what a program says of its version. */
  readonly version?: string;
  run(url: string, target: string): Promise<Measured>;
}

export const title = "Transfer";

const action = fileURLToPath(new URL("../dist/index.js", import.meta.url));

/** Every tool on every size, without a limit and with one. */
export async function run(args: readonly string[]): Promise<Report> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sizes: { type: "string", default: "50,250,500,2000" },
      limit: { type: "string", default: "20" },
      connections: { type: "string", default: "8" },
      runs: { type: "string", default: "3" },
      dir: { type: "string", default: tmpdir() },
    },
  });
  const folder = await mkdtemp(join(values.dir, "transfer-bench-"));
  try {
    const scripts = await bundleScripts(folder);
    const clients = await availableClients(values.connections, scripts);
    const tables: Table[] = [];
    for (const megabytes of values.sizes.split(",").map(Number)) {
      const bundle = join(folder, "bundle.tar.gz");
      await makeBundle(bundle, megabytes * 1e6);
      for (const limit of [0, Number(values.limit) * 1e6]) {
        // What one connection takes longer for shows nothing that a smaller bundle does not.
        if (limit > 0 && (megabytes * 1e6) / limit > 15) continue;
        const setting = { bundle, limit, folder, runs: megabytes > 1000 ? 1 : Number(values.runs) };
        const caption = `${megabytes} MB, ${limit === 0 ? "no limit" : `${limit / 1e6} MB/s for each connection`}.`;
        tables.push(describe(caption, await compare(clients, setting)));
      }
    }
    const versions = clients.flatMap(({ version }) => version ?? []).join(", ");
    return {
      intro: `A tar.gz of incompressible files, from a server on the same machine. Medians of ${values.runs} runs in turn (above 1000 MB one run), relative to curl; less is better. "inside" excludes the start of Node, because the action's process already runs. ${versions}.`,
      tables,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Node's clients run as the action does: bundled, with nothing to compile. */
async function bundleScripts(folder: string): Promise<Scripts> {
  const bundle = async (name: string, program: string, withoutChecks = false) => {
    const outfile = join(folder, name, "index.js");
    await build({
      entryPoints: [join(import.meta.dirname, "transfer", program)],
      bundle: true,
      platform: "node",
      format: "esm",
      outfile,
      logLevel: "error",
      plugins: [builtins],
      define: { WITHOUT_CHECKS: String(withoutChecks) },
      banner: {
        js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
      },
    });
    return outfile;
  };
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  return {
    toolCache: await bundle("tool-cache", "tool-cache-client.ts"),
    checked: await bundle("checked", "bundle-client.ts"),
    unchecked: await bundle("unchecked", "bundle-client.ts", true),
  };
}

/** As in the action's bundle, Node's modules are required: an import would load all that `node:http` has for browsers' code. */
const builtins: Plugin = {
  name: "builtins",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: "builtin" }));
    onLoad({ filter: /./, namespace: "builtin" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

/** Programs of Node, by what they are. */
interface Scripts {
  readonly toolCache: string;
  readonly checked: string;
  readonly unchecked: string;
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

async function availableClients(connections: string, scripts: Scripts): Promise<Client[]> {
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
  const tools = optional.flatMap(({ name, program, args }): Client[] => {
    const { status, stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
    const [version = ""] = /^\S+(?: version)? [\d.]+/.exec(stdout ?? "") ?? [];
    const run = (url: string, target: string) => measureProcess(program, args(url, target));
    return status === 0 ? [{ name, version, run }] : [];
  });
  const curl = tools.find(({ name }) => name === "curl");
  return [
    ...tools,
    ...(curl ? [withChecks(curl)] : []),
    nodeClient("tool-cache", scripts.toolCache, []),
    nodeClient("ours, without checks", scripts.unchecked, [connections]),
    nodeClient("ours", scripts.checked, [connections]),
    { name: "the whole action", run: runAction },
  ];
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

/** The built action fetches the bundle of a job that has ended: no wait, and all of its checks. */
async function runAction(url: string, target: string): Promise<Measured> {
  const folder = dirname(target);
  const cost = await measureProcess(process.execPath, [action], {
    INPUT_COMMAND: "export",
    "INPUT_BASE-URL": new URL(url).origin,
    "INPUT_API-KEY": "svc_0123456789",
    "INPUT_JOB-ID": "se_1",
    INPUT_UPLOAD: "none",
    "INPUT_OUTPUT-DIR": "exported",
    "INPUT_ARTIFACT-NAME": "fetched",
    GITHUB_WORKSPACE: folder,
    GITHUB_OUTPUT: join(folder, "output"),
    GITHUB_STATE: join(folder, "state"),
    GITHUB_STEP_SUMMARY: join(folder, "summary"),
    RUNNER_ENVIRONMENT: "github-hosted",
  });
  await rename(join(folder, "exported/fetched.tar.gz"), target);
  return cost;
}

function describe(caption: string, results: ReadonlyMap<string, Measured>): Table {
  const base = results.get("curl");
  if (base === undefined) throw new Error("curl is not installed; every other tool is compared to it.");
  const ratio = (value: number | undefined, to: number) =>
    value === undefined ? "" : (value / to).toFixed(2);
  const rows = [...results].map(([name, { wallMs, cpuMs, peakMegabytes, insideMs, note }]) => [
    name,
    ratio(wallMs, base.wallMs),
    ratio(insideMs, base.wallMs),
    ratio(cpuMs, base.cpuMs),
    Math.round(peakMegabytes),
    note ?? "",
  ]);
  return { caption, columns: ["tool", "time", "inside", "CPU time", "peak MB", ""], rows };
}
