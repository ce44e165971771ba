/**
 * The demo behind `npm start`: exports this project's own documentation through the built action, run as the runner runs
 * it, against the embedded platform. Nothing is left in the working tree.
 */
import { existsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { extractArchive } from "../src/bundle/extract.ts";
import { createActionJob } from "../test/support/run-action.ts";

const given = process.argv[2];
const docsDir = given !== undefined ? resolve(given) : fileURLToPath(new URL("../docs", import.meta.url));
if (!existsSync(new URL("../dist/index.js", import.meta.url))) {
  console.error("There is no dist/index.js: run `npm run build` first.");
  process.exit(1);
}
const workspace = await mkdtemp(join(tmpdir(), "docs-automation-demo-"));

console.log(`Exporting ${docsDir} through dist/index.js …\n`);
await using job = await createActionJob({
  workspace,
  // Real time: only tests let a run's waits pass faster.
  environment: { DOCS_AUTOMATION_TEST_CLOCK_SPEED: "1" },
  inputs: { command: "export", "base-url": "local", "docs-dir": docsDir, upload: "none" },
});
const { log, summary, outputs, exitCode } = await job.main();
console.log(log.trim());
console.log(`\n${"─".repeat(20)} job summary ${"─".repeat(20)}\n\n${summary.trim()}\n`);

const archive = outputs["bundle-path"];
if (exitCode !== 0 || archive === undefined) {
  console.error("The export failed; its log above says why.");
  process.exit(1);
}
const site = join(workspace, "site");
await extractArchive(archive, site, {}, AbortSignal.timeout(60_000));
console.log(`Archive: ${archive}`);
console.log(`Site:    ${pathToFileURL(join(site, "index.html")).href}`);
