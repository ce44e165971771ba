/** The renderer's large data files. `npm run generate` packs them from npm packages. */
import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";

/** Decompresses a file of the folder `packed`. Each URL is a literal, so that the bundler finds the file. */
export function readPacked(
  name: "diagrams" | "emoji" | "grammars" | "icons" | "quickjs",
): Buffer<ArrayBuffer> {
  const files = {
    diagrams: () => readFileSync(new URL("../../../../packed/diagrams.br", import.meta.url)),
    /** The emoji that GitHub has names for, by name. */
    emoji: () => readFileSync(new URL("../../../../packed/emoji.br", import.meta.url)),
    /** Syntax highlighting grammars, one line each: the name, a space and the JSON. */
    grammars: () => readFileSync(new URL("../../../../packed/grammars.br", import.meta.url)),
    /** Lucide's icons, and alternative names for them. */
    icons: () => readFileSync(new URL("../../../../packed/icons.br", import.meta.url)),
    quickjs: () => readFileSync(new URL("../../../../packed/quickjs.br", import.meta.url)),
  };
  return brotliDecompressSync(files[name]());
}
