/**
 * `npm run bench` runs every benchmark and writes `docs/benchmarks.md`; `npm run bench -- NAME …` runs `bench/NAME.ts` with
 * the remaining arguments and prints its section, and with `--write` renews it on the page.
 */
import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { type Benchmark, benchmarks, describeMachine, renderReport, replaceSection } from "./report.ts";

const page = new URL("../docs/benchmarks.md", import.meta.url);
const [name, ...options] = process.argv.slice(2);

if (name === undefined) {
  // One process each: what one leaves in memory is not in the next one's figures.
  const failed = benchmarks.filter(
    (benchmark) =>
      spawnSync(process.execPath, [import.meta.filename, benchmark, "--write"], { stdio: "inherit" })
        .status !== 0,
  );
  if (failed.length > 0) throw new Error(`Failed: ${failed.join(", ")}.`);
} else if (benchmarks.some((benchmark) => benchmark === name)) {
  const args = options.filter((option) => option !== "--write");
  const { title, run } = (await import(`./${name}.ts`)) as Benchmark;
  const report = await run(args);
  const section = renderReport(report, ["npm run bench --", name, ...args].join(" "), describeMachine());
  console.log(`\n## ${title}\n\n${section}\n`);
  if (options.includes("--write"))
    await writeFile(page, replaceSection(await readFile(page, "utf8"), title, section));
} else {
  console.error(`Usage: npm run bench [-- ${benchmarks.join("|")} [--write] [options]]`);
  process.exitCode = 2;
}
