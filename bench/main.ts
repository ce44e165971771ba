/** `npm run bench -- NAME …` runs `bench/NAME.ts` with the remaining arguments. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** What every benchmark exports. */
interface Benchmark {
  run(args: readonly string[]): Promise<void>;
}

const [name, ...args] = process.argv.slice(2);
const files = await readdir(import.meta.dirname, { withFileTypes: true });
const names = files
  .filter((file) => file.isFile() && file.name.endsWith(".ts") && file.name !== "main.ts")
  .map((file) => file.name.slice(0, -".ts".length))
  .sort();
if (name === undefined || !names.includes(name)) {
  console.error(`Usage: npm run bench -- ${names.join("|")} [options]`);
  process.exit(2);
}
const benchmark = (await import(pathToFileURL(join(import.meta.dirname, `${name}.ts`)).href)) as Benchmark;
await benchmark.run(args);
