/** The site's configuration file, `docs.json` (or the older `mint.json`): everything in it is optional. */

import { posix } from "node:path";
import * as z from "zod/mini";
import { isJsonObject, type JsonObject } from "../../base/text.ts";
import { type DocsTree, readPageText, UnusableFileError } from "./content/docs-tree.ts";

const hexColor = z.catch(z.optional(z.string().check(z.regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i))), undefined);

/** What the site uses of `docs.json`; a part of the wrong type is as good as absent. */
const SiteConfig = z.object({
  name: z.catch(z.optional(z.string()), undefined),
  logo: z.catch(
    z.optional(
      z.union([
        z.object({ light: z.string(), dark: z.optional(z.string()) }),
        z.pipe(
          z.string(),
          z.transform((path) => ({ light: path, dark: undefined })),
        ),
      ]),
    ),
    undefined,
  ),
  favicon: z.catch(
    z.optional(
      z.union([
        z.string(),
        z.pipe(
          z.object({ light: z.string() }),
          z.transform(({ light }) => light),
        ),
      ]),
    ),
    undefined,
  ),
  colors: z.catch(z.optional(z.object({ primary: hexColor, light: hexColor })), undefined),
  /** Any shape: `navigation.ts` reads it. */
  navigation: z.optional(z.unknown()),
  navbar: z.catch(
    z.optional(
      z.object({
        links: z.catch(
          z.optional(
            z.array(
              z.object({
                label: z.optional(z.string()),
                name: z.optional(z.string()),
                href: z.optional(z.string()),
                url: z.optional(z.string()),
              }),
            ),
          ),
          undefined,
        ),
      }),
    ),
    undefined,
  ),
  redirects: z.catch(
    z.optional(z.array(z.object({ source: z.string(), destination: z.string() }))),
    undefined,
  ),
});
export type SiteConfig = z.infer<typeof SiteConfig>;

/** The configuration, or why there is none. */
export interface ReadSiteConfig {
  /** Which file it is from; absent without one. */
  readonly file?: string;
  readonly config: SiteConfig;
  readonly problem?: string;
}

/** Reads the configuration file of a documents folder; a malformed one is a problem to warn about, not an error. */
export async function readSiteConfig(
  docs: DocsTree,
  onWarning: (page: string, message: string) => void,
): Promise<ReadSiteConfig> {
  const file = ["docs.json", "mint.json"].find((name) => docs.files.has(name));
  if (file === undefined) return { config: {} };
  try {
    const written: unknown = JSON.parse(await readPageText(docs, file));
    const references = new ReferenceReader(docs, (message) => onWarning(file, message));
    const parsed = SiteConfig.safeParse(await references.resolve(written, [file], 0));
    return parsed.success
      ? { file, config: parsed.data }
      : { file, config: {}, problem: "it is not an object" };
  } catch (error) {
    if (error instanceof UnusableFileError) return { file, config: {}, problem: error.message };
    if (!(error instanceof SyntaxError)) throw error;
    return { file, config: {}, problem: `it is not JSON: ${error.message}` };
  }
}

const maxNesting = 64;

/**
 * Replaces the references of a configuration (`{ "$ref": "./redirects.json" }`) by what those files hold. References
 * multiply, so all of a configuration together are bounded in number and in characters read.
 */
class ReferenceReader {
  readonly #docs: DocsTree;
  readonly #onWarning: (message: string) => void;
  #remaining = 500;
  /** Many times what a site's navigation takes; a file counts each time it is referred to. */
  #remainingCharacters = 8 * 1024 * 1024;

  constructor(docs: DocsTree, onWarning: (message: string) => void) {
    this.#docs = docs;
    this.#onWarning = onWarning;
  }

  /** `files` are the files around the value, innermost last. */
  async resolve(value: unknown, files: readonly string[], depth: number): Promise<unknown> {
    if (depth > maxNesting) return undefined;
    if (isJsonObject(value)) return this.#resolveObject(value, files, depth);
    if (!Array.isArray(value)) return value;
    const items: unknown[] = [];
    for (const item of value) items.push(await this.resolve(item, files, depth + 1));
    return items;
  }

  async #resolveObject(value: JsonObject, files: readonly string[], depth: number): Promise<unknown> {
    const { $ref: reference, ...own } = value;
    const entries: [string, unknown][] = [];
    for (const [key, item] of Object.entries(own))
      entries.push([key, await this.resolve(item, files, depth + 1)]);
    const resolved = Object.fromEntries(entries);
    if (typeof reference !== "string") return resolved;
    const path = posix.join("/", posix.dirname(files.at(-1) ?? ""), reference).slice(1);
    const referred = await this.resolve(await this.#read(path, files), [...files, path], depth + 1);
    // What stands beside the reference counts more than what the file says.
    return isJsonObject(referred) ? { ...referred, ...resolved } : referred;
  }

  async #read(path: string, files: readonly string[]): Promise<unknown> {
    try {
      if (files.includes(path) || this.#remaining <= 0)
        throw new UnusableFileError("it refers to itself, or there are too many");
      this.#remaining -= 1;
      const text = await readPageText(this.#docs, path);
      this.#remainingCharacters -= text.length;
      if (this.#remainingCharacters < 0) throw new UnusableFileError("the files together are too long");
      return JSON.parse(text);
    } catch (error) {
      if (!(error instanceof UnusableFileError) && !(error instanceof SyntaxError)) throw error;
      this.#onWarning(`the reference to ${path} was left out: ${error.message}`);
      return undefined;
    }
  }
}
