/** Other generators of documentation sites, installed at fixed versions and set up as their own guides say. */
import { execFile } from "node:child_process";
import { access, cp, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ProcessCost } from "../measure-process.ts";
import { measureTree } from "../measure-tree.ts";

export interface Generator {
  readonly name: string;
  readonly packages: readonly string[];
  /** Folder of its documents in its project. */
  readonly docs: string;
  readonly files: Readonly<Record<string, string>>;
  readonly build: readonly string[];
  readonly output: string;
}

/** A sidebar of the area that a page is in, and a search index, as this project's export has them. */
const vitepressConfig = `import { readdirSync } from "node:fs";
const root = new URL("..", import.meta.url);
const foldersOf = (path) =>
  readdirSync(new URL(path, root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => name);
const sectionOf = (area, section) => ({
  text: section,
  collapsed: true,
  items: readdirSync(new URL(area + "/" + section + "/", root)).map((file) => ({
    text: file.replace(".md", ""),
    link: "/" + area + "/" + section + "/" + file.replace(".md", ""),
  })),
});
const sidebar = Object.fromEntries(
  foldersOf(".").map((area) => ["/" + area + "/", foldersOf(area + "/").map((section) => sectionOf(area, section))]),
);
export default { title: "Docs", themeConfig: { sidebar, search: { provider: "local" } } };
`;

export const generators: readonly Generator[] = [
  {
    name: "VitePress 1.6.4",
    packages: ["vitepress@1.6.4"],
    docs: "docs",
    files: { "docs/.vitepress/config.mjs": vitepressConfig },
    build: ["node_modules/vitepress/bin/vitepress.js", "build", "docs"],
    output: "docs/.vitepress/dist",
  },
  {
    name: "Starlight 0.42.4",
    packages: ["@astrojs/starlight@0.42.4", "astro@7.3.5", "@astrojs/markdown-remark@7.3.1"],
    docs: "src/content/docs",
    files: {
      "src/content.config.ts": `import { docsLoader } from "@astrojs/starlight/loaders";
import { docsSchema } from "@astrojs/starlight/schema";
import { defineCollection } from "astro:content";
export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };
`,
      "astro.config.mjs": `import starlight from "@astrojs/starlight";
export default { integrations: [starlight({ title: "Docs" })] };
`,
    },
    build: ["node_modules/astro/bin/astro.mjs", "build"],
    output: "dist",
  },
];

const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "docs-automation-bench");

/** Builds a site of these documents, from nothing but what is installed. */
export async function buildSite(
  generator: Generator,
  docsDir: string,
): Promise<ProcessCost & { bytes: number }> {
  const project = join(cache, generator.packages[0]?.replaceAll("/", "+") ?? "");
  await install(project, generator.packages);
  for (const name of await readdir(project))
    if (!["node_modules", "package.json", "package-lock.json"].includes(name))
      await rm(join(project, name), { recursive: true });
  // Astro keeps what it rendered before.
  await rm(join(project, "node_modules/.astro"), { recursive: true, force: true });
  await cp(docsDir, join(project, generator.docs), { recursive: true });
  for (const [path, content] of Object.entries(generator.files)) {
    await mkdir(join(project, path, ".."), { recursive: true });
    await writeFile(join(project, path), content);
  }
  const { PATH, HOME, TMPDIR, NODE_OPTIONS } = process.env;
  const cost = await measureTree(generator.build, {
    cwd: project,
    env: { PATH, HOME, TMPDIR, NODE_OPTIONS, ASTRO_TELEMETRY_DISABLED: "1" },
  });
  return { ...cost, bytes: await bytesBelow(join(project, generator.output)) };
}

async function install(project: string, packages: readonly string[]): Promise<void> {
  const isInstalled = await access(join(project, "node_modules/.package-lock.json")).then(
    () => true,
    () => false,
  );
  if (isInstalled) return;
  await mkdir(project, { recursive: true });
  await writeFile(join(project, "package.json"), `{"private":true,"type":"module"}\n`);
  const args = ["install", "--no-audit", "--no-fund", "--silent", ...packages];
  await promisify(execFile)("npm", args, { cwd: project, maxBuffer: 1 << 24 });
}

export async function bytesBelow(folder: string): Promise<number> {
  const { stdout } = await promisify(execFile)("du", ["--bytes", "--summarize", folder]);
  return Number.parseInt(stdout, 10);
}
