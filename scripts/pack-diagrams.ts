/**
 * Builds the script that draws diagrams, from Mermaid and `client/diagrams.ts`. Of Mermaid's kinds of diagrams those stay
 * that documentation uses most; the whole would be four times as large.
 */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";
import { bundleAsset } from "./generate-site-client.ts";

/** Modules of the kinds that are drawn, and of their layout. */
const usedModules = /\/(?:flowDiagram|sequenceDiagram|classDiagram|stateDiagram-v2|erDiagram|dagre)-/;

const resolveDir = fileURLToPath(new URL("..", import.meta.url));

/** What stands in for packages that diagrams hardly need. */
const substitutes: Readonly<Record<string, string>> = {
  // Of a label's Markdown, bold and italic words are drawn; a label is never a list, as `1. Start` would be.
  marked: `
    const text = (value) => ({ type: "text", text: value, raw: value });
    const inline = (source) => source.split(/(\\*\\*[^*]+\\*\\*|\\*[^*]+\\*|\\b_[^_]+_\\b)/).filter(Boolean).map((part) => {
      const [, mark, value] = /^(\\*\\*|\\*|_)([^*]+)\\1$/.exec(part) ?? [];
      return mark ? { type: mark === "**" ? "strong" : "em", tokens: [text(value)] } : text(part);
    });
    export const marked = { lexer: (source) => [{ type: "paragraph", raw: source, tokens: inline(source) }] };`,
  // A diagram's front matter, and the properties in \`node@{ … }\`: a line or a part for each.
  "js-yaml": `
    export const JSON_SCHEMA = undefined;
    const value = (text) => /^(?:true|false|-?\\d+(?:\\.\\d+)?)$/.test(text) ? JSON.parse(text) : text.replace(/^(["'])(.*)\\1$/s, "$2");
    export const load = (text) => Object.fromEntries(
      text.replace(/^\\s*\\{|\\}\\s*$/g, "").split(/[\\n,](?=\\s*[\\w-]+\\s*:)/).flatMap((part) => {
        const [, name, written] = /^\\s*([\\w-]+)\\s*:\\s*(.*?)\\s*$/s.exec(part) ?? [];
        return name && name !== "__proto__" ? [[name, value(written)]] : [];
      }));`,
  "@iconify/utils": `
    const none = () => null;
    export { none as getIconData, none as iconToHTML, none as iconToSVG, none as replaceIDs, none as stringToIcon };`,
  // Its bundle cannot be taken apart.
  d3: `export { select, selectAll } from "d3-selection"; export * from "d3-shape";`,
  dayjs: `export default () => ({ format: () => "" });`,
  unused: `export default {};`,
};

const trimMermaid: Plugin = {
  name: "trim-mermaid",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:d3|marked|dayjs|@iconify\/utils)$/ }, ({ path }) => ({
      path,
      namespace: "substitute",
    }));
    onResolve({ filter: /.*/ }, ({ path, kind }) =>
      kind === "dynamic-import" && !usedModules.test(path)
        ? { path: "unused", namespace: "substitute" }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: "substitute" }, ({ path }) => ({
      contents: substitutes[path] ?? "",
      resolveDir,
    }));
    onLoad({ filter: /mermaid\/dist\/.*\.mjs$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      if (text.includes("js-yaml/dist/js-yaml.mjs")) return { contents: substitutes["js-yaml"] ?? "" };
      return { contents: adaptMermaid(text) };
    });
  },
};

/** What Mermaid does by itself where a page's policy allows styles, and what the site's own script does instead. */
const adaptations = [
  [
    /const style1 = document\.createElement\("style"\);[\s\S]*?svg\.insertBefore\(style1, firstChild\);/,
    "globalThis.docsDiagrams.adoptStyle(rules);",
  ],
  [
    /let svgCode = root\.select[\s\S]*?attachFunctions\(\);/,
    'const svgCode = globalThis.docsDiagrams.serialize(element.querySelector("svg"));',
  ],
] as const;

/** Mermaid's code without the names of its functions. */
function adaptMermaid(text: string): string {
  const unnamed = text.replace(/^\s*__name\([\w$]+, "[^"]*"\);$/gm, "");
  if (!text.includes("svg.insertBefore(style1")) return unnamed;
  return adaptations.reduce((adapted, [part, by]) => replace(adapted, part, by), unnamed);
}

/** Replaces what must be there: another version of the package may have it elsewhere. */
function replace(text: string, part: RegExp, by: string): string {
  const replaced = text.replace(part, () => by);
  if (replaced === text) throw new Error(`Mermaid has changed: ${part} was not found.`);
  return replaced;
}

/** Builds the script. */
export function buildDiagrams(): Promise<string> {
  return bundleAsset("diagrams.ts", { plugins: [trimMermaid], logLevel: "error" });
}
