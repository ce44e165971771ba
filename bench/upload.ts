/**
 * Upload of a bundle as an artifact, side by side with a bare copy to the same blob store and with the artifact library as
 * it is.
 *
 * `npm run bench -- upload [--sizes 50,300,1000] [--runs 3] [--dir PATH]`
 *
 * Sizes in MB.
 */
import { mkdtemp, rm } from "node:fs/promises";
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

const ways = ["copy", "archive", "zip", "library"] as const;
type Way = (typeof ways)[number];

const names: Readonly<Record<Way, string>> = {
  copy: "bare copy of blocks",
  archive: "`upload: archive`",
  zip: "`upload: zip`",
  library: "`@actions/artifact` as it is, the same file",
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
      runs: { type: "string", default: "3" },
      dir: { type: "string", default: tmpdir() },
    },
  });
  const folder = await mkdtemp(join(values.dir, "upload-bench-"));
  const tables: Table[] = [];
  try {
    const client = await bundleProgram(join(import.meta.dirname, "upload", "upload-client.ts"), "upload");
    for (const megabytes of values.sizes.split(",").map(Number)) {
      const bundle = join(folder, "bundle.tar.gz");
      await makeBundle(bundle, megabytes * 1e6);
      tables.push(describe(megabytes, await compare(client, bundle, Number(values.runs))));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const intro =
    "A bundle is uploaded as an artifact to a real blob store (Azurite) on the same machine, whose work is part of every row. One row uploads only the blocks: eight megabytes each, five at a time. Least time and largest memory of the runs. Memory is that of the whole process, Node included.";
  return { intro, tables };
}

/** Every way in turn, so that a slow moment of the machine meets them all. */
async function compare(client: string, bundle: string, runs: number): Promise<Map<Way, Measured[]>> {
  await using service = await startArtifactService();
  Object.assign(process.env, service.environment, { GITHUB_SERVER_URL: "https://github.localhost" });
  const container = await createBlobContainer();
  const measured = new Map<Way, Measured[]>(ways.map((way) => [way, []]));
  for (let round = 0; round < runs; round += 1) {
    for (const way of ways) {
      const name = `${way}-${round}`;
      const args = [client, way, bundle, name, container.sign(name, "create-write")];
      const { stdout, cpuMs, peakMegabytes } = await measureProcess(nodeBinary(), args);
      measured.get(way)?.push({ uploadMs: Number(stdout.trim().split("\n").at(-1)), cpuMs, peakMegabytes });
    }
  }
  return measured;
}

function describe(megabytes: number, measured: ReadonlyMap<Way, readonly Measured[]>): Table {
  const valuesOf = (way: Way, field: keyof Measured) => (measured.get(way) ?? []).map((each) => each[field]);
  const least = (way: Way, field: keyof Measured) => Math.min(...valuesOf(way, field));
  const ratio = (way: Way, field: keyof Measured) => (least(way, field) / least("copy", field)).toFixed(2);
  return {
    caption: `${megabytes} MB.`,
    columns: ["upload", "time", "CPU time", "peak memory"],
    rows: ways.map((way) => [
      names[way],
      ratio(way, "uploadMs"),
      ratio(way, "cpuMs"),
      `${Math.round(Math.max(...valuesOf(way, "peakMegabytes")))} MB`,
    ]),
  };
}
