/** Writes everything that follows from the schemas (each `action.yml`, `docs/reference/`, the README's example), the exported site's client, and the renderer's data. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import * as z from "zod/mini";
import { writePackedData } from "./generate-packed-data.ts";
import { writeSiteClient } from "./generate-site-client.ts";
import { renderActionMetadata } from "./render-action-metadata.ts";
import { renderErrorReference, renderInputTable, renderOutputTable } from "./render-tables.ts";

const root = new URL("..", import.meta.url);

const pages = {
  "docs/reference/inputs.md": page(
    "Inputs",
    "Every input of the action, with its commands and its default.",
    `Lists are separated by commas or line breaks. An empty input has its default.\n\n${renderInputTable()}`,
  ),
  "docs/reference/outputs.md": page(
    "Outputs",
    "Every output of the action, with its commands.",
    renderOutputTable(),
  ),
  "docs/reference/errors.md": page(
    "Errors",
    "Every value of `error-code`: what the log shows, the cause, whether running again may help, and the next step.",
    renderErrorReference(await readJson("test/fixtures/error-lines.json", z.record(z.string(), z.string()))),
  ),
};

const { version } = await readJson("package.json", z.object({ version: z.string() }));
await writeFile(
  new URL("src/base/version.ts", root),
  [
    "/** Generated from package.json. */",
    `export const version = "${version}";`,
    "/** The User-Agent of every request. */",
    "export const userAgent = `docs-automation-action/${version}`;\n",
  ].join("\n"),
);
for (const [path, text] of Object.entries(renderActionMetadata())) {
  await mkdir(new URL(".", new URL(path, root)), { recursive: true });
  await writeFile(new URL(path, root), text);
}
await mkdir(new URL("docs/reference/", root), { recursive: true });
for (const [path, text] of Object.entries(pages)) await writeFile(new URL(path, root), text);
await writeSiteClient();
await writePackedData();
await showExample("README.md", "local-pages.yml");

async function readJson<Schema extends z.ZodMiniType>(
  path: string,
  schema: Schema,
): Promise<z.output<Schema>> {
  return schema.parse(JSON.parse(await readFile(new URL(path, root), "utf8")));
}

function page(title: string, description: string, table: string): string {
  return `---\ntitle: ${title}\ndescription: ${JSON.stringify(description)}\n---\n\n${table}\n`;
}

/** Puts an example, without its leading comment, between `<!-- example: NAME -->` and `<!-- end -->`. */
async function showExample(path: string, name: string): Promise<void> {
  const text = await readFile(new URL(path, root), "utf8");
  const example = await readFile(new URL(`examples/${name}`, root), "utf8");
  const [before, rest = ""] = text.split(`<!-- example: ${name} -->`);
  const end = rest.indexOf("<!-- end -->");
  if (end < 0) throw new Error(`${path} lacks <!-- example: ${name} --> … <!-- end -->`);
  const block = `\`\`\`yaml\n${example.replace(/^(?:#.*\n)+/, "")}\`\`\``;
  await writeFile(
    new URL(path, root),
    `${before}<!-- example: ${name} -->\n\n${block}\n\n${rest.slice(end)}`,
  );
}
