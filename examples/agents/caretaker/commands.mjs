/** Writes the reference of a project's commands from its `package.json`. */
import { readFile } from "node:fs/promises";

const path = "reference/commands.md";

/**
 * Writes one row for each script of the `package.json` in the folder that the agent was started in.
 *
 * @param {import("./documents.mjs").Documents} documents
 */
export async function writeCommandReference(documents) {
  const { name, scripts = {} } = JSON.parse(await readFile("package.json", "utf8"));
  const rows = Object.entries(scripts)
    // `pretest` and `posttest` run by themselves, with `test`.
    .filter(([script]) => !/^(?:pre|post)/.test(script) || !(script.replace(/^(?:pre|post)/, "") in scripts))
    .map(([script, command]) => `| \`npm run ${script}\` | ${codeOf(command)} |`);
  const page = [
    "---",
    "title: Commands",
    `description: ${JSON.stringify(`The commands of ${name}, from its package.json.`)}`,
    "---",
    "",
    "| Command | Runs |",
    "|---|---|",
    ...rows,
    "",
  ].join("\n");
  if ((await documents.read(path)) === page) return [`${path}: is up to date`];
  await documents.write(path, page);
  return [`${path}: was written, with ${rows.length} commands`];
}

/** Text as code in a cell of a table. */
function codeOf(text) {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const marks = "`".repeat(longest + 1);
  const space = longest > 0 ? " " : "";
  return `${marks}${space}${text.replaceAll("|", "\\|")}${space}${marks}`;
}
