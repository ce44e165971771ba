/** Programs of this project as its users run them: bundled, with nothing to compile. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

/**
 * Bundles a program, and names the file to run. Threads of the project start it again, with the argument `thread`.
 *
 * @param name a folder of its own, as deep as the modules that name packed data by a relative address
 */
export async function bundleProgram(entry: string, name: string): Promise<string> {
  const folder = join(import.meta.dirname, "../node_modules/.cache/bench", name);
  const js =
    'import { createRequire } from "node:module"; const require = createRequire(import.meta.url); const __dirname = import.meta.dirname; const __filename = import.meta.filename;';
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: { index: entry },
    outdir: folder,
    bundle: true,
    splitting: true,
    minify: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
    banner: { js },
  });
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  return join(folder, "index.js");
}
