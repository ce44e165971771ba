/**
 * Upload of a bundle as an artifact, side by side with a bare copy to the same blob store and with the artifact library's
 * default.
 *
 * `npm run bench -- upload [--sizes 50,300] [--runs 3] [--dir PATH]`
 *
 * Sizes in MB. The blob store is Azurite on the same machine, so its work counts in every row; "× copy" is what is left to
 * compare. "peak" is the client's memory alone.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startArtifactService } from "../test/support/artifact-service.ts";
import { createBlobContainer } from "../test/support/azurite.ts";
import { nodeBinary } from "../test/support/run-action.ts";
import { makeBundle } from "./transfer/make-bundle.ts";
import { measureProcess } from "./transfer/measure-process.ts";

const ways = ["copy", "archive", "zip", "zip level 6"] as const;
type Way = (typeof ways)[number];

interface Measured {
  readonly uploadMs: number;
  readonly cpuMs: number;
  readonly peakMegabytes: number;
}

const client = fileURLToPath(new URL("upload/upload-client.ts", import.meta.url));

/** Runs the benchmark and prints one table for each size. */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sizes: { type: "string", default: "50,300" },
      runs: { type: "string", default: "3" },
      dir: { type: "string", default: tmpdir() },
    },
  });
  const folder = await mkdtemp(join(values.dir, "upload-bench-"));
  try {
    for (const megabytes of values.sizes.split(",").map(Number)) {
      const bundle = join(folder, "bundle.tar.gz");
      await makeBundle(bundle, megabytes * 1e6);
      console.log(`\n${megabytes} MB`);
      printTable(await compare(bundle, Number(values.runs)));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Every way in turn, so that a slow moment of the machine meets them all. */
async function compare(bundle: string, runs: number): Promise<Map<Way, Measured[]>> {
  await using service = await startArtifactService();
  Object.assign(process.env, service.environment, { GITHUB_SERVER_URL: "https://github.localhost" });
  const container = await createBlobContainer();
  const measured = new Map<Way, Measured[]>(ways.map((way) => [way, []]));
  for (let round = 0; round < runs; round += 1) {
    for (const way of ways) {
      const name = `${way.replaceAll(" ", "-")}-${round}`;
      const link = container.sign(name, "create-write");
      const { stdout, cpuMs, peakMegabytes } = await measureProcess(nodeBinary(), [
        client,
        way,
        bundle,
        name,
        link,
      ]);
      measured.get(way)?.push({ uploadMs: Number(stdout.trim().split("\n").at(-1)), cpuMs, peakMegabytes });
    }
  }
  return measured;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

function printTable(measured: ReadonlyMap<Way, readonly Measured[]>): void {
  const medianOf = (way: Way, field: keyof Measured) =>
    median((measured.get(way) ?? []).map((run) => run[field]));
  console.table(
    Object.fromEntries(
      ways.map((way) => [
        way,
        {
          "upload ms": Math.round(medianOf(way, "uploadMs")),
          "× copy": Number((medianOf(way, "uploadMs") / medianOf("copy", "uploadMs")).toFixed(2)),
          "CPU ms": Math.round(medianOf(way, "cpuMs")),
          "peak MB": Math.round(medianOf(way, "peakMegabytes")),
        },
      ]),
    ),
  );
}
