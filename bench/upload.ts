/**
 * Upload of a bundle and of a site as an artifact, side by side with a bare copy to the same blob store and with the artifact
 * library as it is.
 *
 * `npm run bench -- upload [--sizes 50,300,1000] [--pages 20000] [--runs 3] [--dir PATH]`
 *
 * Sizes in MB.
 */
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startArtifactService } from "../test/support/artifact-service.ts";
import { createBlobContainer } from "../test/support/azurite.ts";
import { nodeBinary } from "../test/support/run-action.ts";
import { bundleProgram } from "./bundle-program.ts";
import { measureProcess } from "./measure-process.ts";
import type { Report, Table } from "./report.ts";
import { makeBundle } from "./transfer/make-bundle.ts";

export const title = "Upload";

/** The first way of a table is 1 in it. */
const bundleWays = {
  copy: "bare copy of blocks",
  archive: "`upload: archive`",
  zip: "`upload: zip`",
  library: "`@actions/artifact` as it is, the same file",
};
const siteWays = {
  "library-site": "`@actions/artifact` as it is, the same folder",
  site: "`upload: site`",
  pages: "`upload: pages`",
};

interface Measured {
  readonly uploadMs: number;
  readonly cpuMs: number;
  readonly peakMegabytes: number;
}

export async function run(args: readonly string[]): Promise<Report> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sizes: { type: "string", default: "50,300,1000" },
      pages: { type: "string", default: "20000" },
      runs: { type: "string", default: "3" },
      dir: { type: "string", default: tmpdir() },
    },
  });
  const folder = await mkdtemp(join(values.dir, "upload-bench-"));
  const tables: Table[] = [];
  try {
    const client = await bundleProgram(join(import.meta.dirname, "upload", "upload-client.ts"), "upload");
    const runs = Number(values.runs);
    for (const megabytes of values.sizes.split(",").map(Number)) {
      const bundle = join(folder, "bundle.tar.gz");
      await makeBundle(bundle, megabytes * 1e6);
      tables.push(await compare(`${megabytes} MB.`, bundleWays, { client, path: bundle, runs }));
    }
    const site = join(folder, "site");
    const pages = Number(values.pages);
    await makeSite(site, pages);
    tables.push(await compare(`A site of ${pages} pages.`, siteWays, { client, path: site, runs }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const intro =
    "A bundle, or the files of a site, are uploaded as an artifact to a real blob store (Azurite) on the same machine, whose work is part of every row. One row uploads only the blocks: eight megabytes each, five at a time. Least time and largest memory of the runs. Memory is that of the whole process, Node included.";
  return { intro, tables };
}

/** Pages of about 5 KB, each in a folder of its own, that compress to a fifth. */
async function makeSite(folder: string, pages: number): Promise<void> {
  for (let page = 0; page < pages; page += 1) {
    const path = join(folder, `section-${page % 200}`, `page-${page}`);
    await mkdir(path, { recursive: true });
    const words = createHash("shake128", { outputLength: 500 }).update(String(page)).digest("hex");
    const body = words.replaceAll(/.{8}/g, "<p>The option <code>$&</code> sets a limit.</p>\n");
    await writeFile(join(path, "index.html"), body);
  }
}

interface Upload {
  /** The program that uploads. */
  readonly client: string;
  readonly path: string;
  readonly runs: number;
}

/** Every way in turn, so that a slow moment of the machine meets them all. */
async function compare(
  caption: string,
  ways: Readonly<Record<string, string>>,
  { client, path, runs }: Upload,
): Promise<Table> {
  await using service = await startArtifactService();
  Object.assign(process.env, service.environment, { GITHUB_SERVER_URL: "https://github.localhost" });
  const container = await createBlobContainer();
  const measured = new Map<string, Measured[]>(Object.keys(ways).map((way) => [way, []]));
  for (let round = 0; round < runs; round += 1) {
    for (const [way, results] of measured) {
      const name = `${way}-${round}`;
      const args = [client, way, path, name, container.sign(name, "create-write")];
      const { stdout, cpuMs, peakMegabytes } = await measureProcess(nodeBinary(), args);
      results.push({ uploadMs: Number(stdout.trim().split("\n").at(-1)), cpuMs, peakMegabytes });
    }
  }
  const [reference] = measured.values();
  const ratio = (results: readonly Measured[] = [], field: keyof Measured) => {
    const least = (each: readonly Measured[]) => Math.min(...each.map((result) => result[field]));
    return (least(results) / least(reference ?? [])).toFixed(2);
  };
  const rows = [...measured].map(([way, results]) => [
    ways[way] ?? way,
    ratio(results, "uploadMs"),
    ratio(results, "cpuMs"),
    `${Math.round(Math.max(...results.map(({ peakMegabytes }) => peakMegabytes)))} MB`,
  ]);
  return { caption, columns: ["upload", "time", "CPU time", "peak memory"], rows };
}
