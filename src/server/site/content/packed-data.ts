/** Data of the renderer that is too large to be code; `npm run generate` packs it from the packages that it comes from. */
import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";

/** Unpacks one of the files of the folder `packed`. The bundler follows each of these addresses. */
export function readPacked(name: "diagrams" | "grammars" | "icons" | "quickjs"): Buffer<ArrayBuffer> {
  const files = {
    /** The script that draws diagrams. */
    diagrams: () => readFileSync(new URL("../../../../packed/diagrams.br", import.meta.url)),
    /** Grammars of code: a line of JSON for each, those that it embeds included. */
    grammars: () => readFileSync(new URL("../../../../packed/grammars.br", import.meta.url)),
    /** Lucide's drawings and former names. */
    icons: () => readFileSync(new URL("../../../../packed/icons.br", import.meta.url)),
    /** The script engine. */
    quickjs: () => readFileSync(new URL("../../../../packed/quickjs.br", import.meta.url)),
  };
  return brotliDecompressSync(files[name]());
}
