/**
 * The demo behind `npm start`: exports this project's own documentation through the command line in `dist`, against the
 * embedded platform. Nothing has to be installed for it, and nothing is left in the working tree.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const docsDir = resolve(process.argv[2] ?? join(root, "docs"));
const workspace = mkdtempSync(join(tmpdir(), "docs-automation-demo-"));

console.log(`Exporting ${docsDir} through dist/cli.js …\n`);
const args = ["export", "--base-url", "local", "--docs-dir", docsDir, "--extract"];
const { status } = spawnSync(process.execPath, [join(root, "dist/cli.js"), ...args], {
  cwd: workspace,
  stdio: "inherit",
});
if (status !== 0) {
  console.error("The export failed; its log above says why.");
  process.exit(1);
}
console.log(`Archive: ${join(workspace, "docs-export/docs-export.zip")}`);
console.log(`Site:    ${pathToFileURL(join(workspace, "docs-export/site/index.html")).href}`);
