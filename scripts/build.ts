/**
 * Builds `dist/` from `src/`: tsc takes the types off, ncc bundles one entry with a chunk for each lazy import, rolldown's
 * minifier drops what no module uses, white space and the names of variables; those of functions and classes stay, for
 * stack traces. The result depends on the sources and the lock file only.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { appendFile, cp, glob, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { characterEntities } from "character-entities";
import { minify } from "rolldown/utils";

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL("..", import.meta.url));

/** The folder to fill; tests build into one of their own. */
const out = process.argv[2] ?? join(root, "dist");

/**
 * Modules that `@actions/tool-cache` and `@actions/core` import and no run reaches, and a module of Node that stands in their place:
 * HTTP clients, identity tokens, job summaries, and what starts programs.
 */
const unreached = {
  undici: "node:module",
  "./oidc-utils.js": "node:module",
  "./summary.js": "node:module",
  "@actions/exec": "node:module",
};

/** The part of ncc's interface that is used here; it has no types of its own. */
type Ncc = (
  entry: string,
  options: { license: string; cache: false; esm: false; externals: Readonly<Record<string, string>> },
) => Promise<{ code: string; assets: Readonly<Record<string, { source: string | Buffer }>> }>;

/** The script engine. Its bytes are packed data, and of its loader's forms the one that looks for no files survives bundling. */
const engine = "node_modules/@jitl/quickjs-wasmfile-release-sync";

/** Packages whose data is packed; ncc does not see them. */
const packedPackages = [
  ..."@iconify-json/lucide @iconify-json/simple-icons @shikijs/langs gemoji mermaid @braintree/sanitize-url".split(
    " ",
  ),
  ..."d3-path d3-selection d3-shape dagre-d3-es dompurify khroma lodash-es roughjs stylis ts-dedent".split(
    " ",
  ),
];

/** Stands in each module that a step may load at its start, so that they can be told from packages and the embedded platform in a chunk. */
const ownModule = "// A module of the action.";
/** Imports that are loaded when they are first used. */
let loadedLater = 0;

await rm(`${root}.build`, { recursive: true, force: true });
await rm(out, { recursive: true, force: true });
await node(`${root}node_modules/typescript/bin/tsc`, ["-p", "tsconfig.build.json"]);
await markOwnModules();
await prepareData();
await prepareParsers();
const ncc = require("@vercel/ncc") as Ncc;
const options = { license: "licenses.txt", cache: false, esm: false, externals: unreached } as const;
const { code, assets } = await ncc(`${root}.build/lib/main.js`, options);
await mkdir(out, { recursive: true });
await writeFile(join(out, "index.js"), code);
for (const [name, { source }] of Object.entries(assets)) await writeFile(join(out, name), source);
await rm(`${root}.build`, { recursive: true, force: true });
// `runs.post` starts the same entry, which tells by this file's name that it is the post step.
await writeFile(join(out, "post.js"), 'require("./index.js");\n');
await writePackage();
for await (const file of glob("*.js", { cwd: out })) await finish(join(out, file));
if (loadedLater === 0)
  throw new Error("ncc writes imports in another way: no module loads them when it first uses them.");
await addPackedLicenses(join(out, "licenses.txt"));
await mergeLicenses(join(out, "licenses.txt"));

/** Makes `dist` a package that installs nothing else, with the command line as its program. */
async function writePackage(): Promise<void> {
  const { version, description, license } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const manifest = {
    ...{ name: "docs-automation-action", version, description, license, type: "commonjs" },
    ...{ engines: { node: ">=24" }, bin: { "docs-automation": "cli.js" } },
  };
  await writeFile(join(out, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  // An older Node would fail at a word of the language that it does not know.
  const program = `#!/usr/bin/env node
if (parseInt(process.versions.node) >= 24) require("./index.js");
else {
  console.error("docs-automation needs Node 24 or newer.");
  process.exitCode = 1;
}
`;
  await writeFile(join(out, "cli.js"), program, { mode: 0o755 });
}

/** Lays the packed data where the compiled modules look for it, and the engine's loader where ncc finds it first. */
async function prepareData(): Promise<void> {
  await cp(join(root, "packed"), join(root, ".build/packed"), { recursive: true });
  const copy = join(root, ".build", engine);
  await cp(join(root, engine), copy, { recursive: true });
  const manifest = JSON.parse(await readFile(join(copy, "package.json"), "utf8"));
  manifest.exports["./emscripten-module"] = manifest.exports["./emscripten-module"].workerd;
  await writeFile(join(copy, "package.json"), JSON.stringify(manifest));
}

/**
 * Lays the parsers of JavaScript and Markdown, and what uses them, where ncc finds them first: of acorn one of its two forms, as both
 * would be bundled, and with HTML's names of characters as the HTML parser has them, so that there is one list of these.
 */
async function prepareParsers(): Promise<void> {
  const users = /^(?:acorn(?:-jsx)?|remark-.*|mdast-util-.*|micromark.*|parse-entities|decode-named-.*)$/;
  const folder = join(root, ".build/node_modules");
  for (const name of (await readdir(join(root, "node_modules"))).filter((name) => users.test(name)))
    await cp(join(root, "node_modules", name), join(folder, name), { recursive: true });
  const file = join(folder, "acorn/package.json");
  const manifest = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify({ ...manifest, exports: { ".": "./dist/acorn.mjs" } }));
  const decoder = `import { decodeHTMLStrict } from "entities/decode";
export function decodeNamedCharacterReference(name) {
  const written = "&" + name + ";";
  const text = decodeHTMLStrict(written);
  return text === written ? false : text;
}
`;
  const path = join(folder, "decode-named-character-reference/index.js");
  await writeFile(path, decoder);
  const { decodeNamedCharacterReference: decode } = await import(path);
  const other = Object.entries(characterEntities).find(([name, text]) => decode(name) !== text);
  if (other !== undefined) throw new Error(`The HTML parser has another character for ${other[0]}.`);
}

/** Adds the licenses of what is packed, and our own, to those that ncc has listed. */
async function addPackedLicenses(path: string): Promise<void> {
  for (const name of packedPackages) {
    const folder = join(root, "node_modules", name);
    const { license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const text = existsSync(join(folder, "LICENSE")) ? await readFile(join(folder, "LICENSE"), "utf8") : "";
    await appendFile(path, `\n${[name, license, text].join("\n")}`);
  }
  const own = await readFile(join(root, "LICENSE"), "utf8");
  await appendFile(path, `\n${["docs-automation-action", "MIT", own].join("\n")}`);
}

/** Makes a chunk small; what ncc could not find would be an `eval` that fails when it is reached. */
async function finish(path: string): Promise<void> {
  const bundled = await readFile(path, "utf8");
  const missing = /eval\("require"\)\("([^"]+)"\)/.exec(bundled)?.[1];
  if (missing !== undefined) throw new Error(`${path} needs ${missing}, which could not be found.`);
  const commonJs = loadWhenUsed(bundled).replace(/\bimport\.meta\.(dir|file)name\b/g, "__$1name");
  const { code, errors } = await minify(path, commonJs, {
    module: false,
    compress: { target: "node24", keepNames: { function: true, class: true } },
    mangle: { keepNames: true },
  });
  if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join("; ")}`);
  await writeFile(path, code);
}

async function markOwnModules(): Promise<void> {
  const folders = "action,base,bundle,client,commands,github,presentation";
  for await (const file of glob(`.build/lib/{${folders}}/**/*.js`, { cwd: root }))
    await appendFile(join(root, file), `\n${ownModule}\n`);
}

/**
 * Has each module of the action load what it imports when it first uses it, so that a command loads for its first request what that
 * request needs. None of our modules may count on when another one is loaded: loading one does nothing.
 */
function loadWhenUsed(bundled: string): string {
  const imported =
    /(?<=^\/\* harmony import \*\/ |^\/\/ EXTERNAL MODULE: .*\n)var (\w+) = (__(?:webpack|nccwpck)_require__\(\d+\));$/gm;
  const modules = bundled.split(/^(?=\/\*{3}\/ \d+:$)/m).map((module) => {
    if (!module.includes(ownModule)) return module;
    return [...module.matchAll(imported)].reduce((text, [line, name = "", load]) => {
      // Webpack writes a use as `name/* export */.e`, or as `name.export` behind some names that are like no word.
      const isUnlikeWords = /^external_|__WEBPACK_/.test(name);
      const use = new RegExp(`\\b${name}(?=/\\*${isUnlikeWords ? "|\\." : ""})`, "g");
      const [before = "", after = ""] = text.split(line);
      const later = after.replaceAll(use, `(${name} ??= ${load})`);
      // Another use, as of the whole module, needs it at once.
      const otherUse = isUnlikeWords ? `${name}\\b(?! \\?\\?=)` : `(?<![.\\w$/])${name}\\s*[.,;)\\]}]`;
      if (new RegExp(otherUse).test(later)) return text;
      loadedLater += 1;
      return `${before}var ${name};${later}`;
    }, module);
  });
  return modules.join("");
}

/** Writes each license text once, below the names of all packages that it belongs to. */
async function mergeLicenses(path: string): Promise<void> {
  const lines = (await readFile(path, "utf8")).split("\n");
  // An entry begins with the package's name, the license's name and the text.
  const starts = lines.flatMap((line, index) =>
    lines[index + 1] && (index === 0 || lines[index - 1] === "") && isPackage(line) ? [index] : [],
  );
  const names = new Map<string, string[]>();
  for (const [entry, start] of starts.entries()) {
    const text = lines
      .slice(start + 1, starts[entry + 1])
      .join("\n")
      .trim();
    names.set(text, [...(names.get(text) ?? []), lines[start] ?? ""]);
  }
  // Texts of one license differ in a few words: next to each other they compress to these.
  const wordsOf = (text: string) => text.replace(/copyright.*|\s+/gi, " ").trim();
  const alike = [...names].sort(([one], [other]) => (wordsOf(one) < wordsOf(other) ? -1 : 1));
  const merged = alike.map(([text, packages]) => `${packages.join("\n")}\n${text}\n`);
  await writeFile(path, merged.join("\n"));
}

function isPackage(name: string): boolean {
  return (
    name === "docs-automation-action" ||
    (/^(?:@[\w.-]+\/)?[\w.-]+$/.test(name) && existsSync(join(root, "node_modules", name, "package.json")))
  );
}

/** Runs a tool and shows what it says; ends the build with its exit code when it fails. */
async function node(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [program, ...args], { cwd: root, stdio: "inherit" });
  const [code] = await once(child, "close");
  if (code !== 0) process.exit(1);
}
