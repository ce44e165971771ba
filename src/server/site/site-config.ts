/** Reads the configuration file `docs.json`, or the older `mint.json`. All parts are optional. */
import { posix } from "node:path";
import * as z from "zod/mini";
import { isJsonObject, type JsonObject, messageOf } from "../../base/text.ts";
import { type DocsTree, ifUsable, readPageText, UnusableFileError } from "./content/docs-tree.ts";
import { upgradeMintConfig } from "./mint-config.ts";
import type { WarningReporter } from "./report.ts";

/** Makes a schema optional. A value of the wrong type counts as missing. */
function lenient<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.catch(z.optional(schema), undefined);
}

const text = lenient(z.string());
const hexColor = lenient(z.string().check(z.regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i)));
const fontName = lenient(z.string().check(z.regex(/^[\w -]{1,60}$/)));
const flag = lenient(z.boolean());

const ConfiguredLink = z.object({
  ...{ label: text, name: text, href: text, url: text, icon: text },
  /** `github`, `discord`, `button` or the name of a social network. */
  type: text,
});
export type ConfiguredLink = Partial<z.infer<typeof ConfiguredLink>>;

/** An optional list. Invalid members are dropped. */
function listOf<Schema extends z.ZodMiniType>(schema: Schema) {
  const read = (items: unknown[]) =>
    items.map((item) => schema.safeParse(item).data).filter((item) => item !== undefined);
  return lenient(z.pipe(z.array(z.unknown()), z.transform(read)));
}

/** A picture, or separate ones for light and dark colours. */
const Pictures = z.union([z.string(), z.object({ light: text, dark: text, href: text })]);
export type ConfiguredPictures = z.infer<typeof Pictures>;

const links = listOf(ConfiguredLink);

/** Banner, header and footer. A language in the navigation may override them. */
const SiteFrame = z.object({
  banner: lenient(z.object({ content: z.string().check(z.maxLength(5_000)), dismissible: flag })),
  navbar: lenient(z.object({ links, primary: lenient(ConfiguredLink) })),
  footer: lenient(
    z.object({
      socials: lenient(z.record(z.string(), text)),
      links: listOf(z.object({ header: text, items: links })),
    }),
  ),
});
export type ConfiguredFrame = z.infer<typeof SiteFrame>;

/** Configuration keys that a language may override. */
export const frameKeys: readonly string[] = Object.keys(SiteFrame.shape);

/** Reads the banner, header and footer of a language. `invalid` are the parts that were dropped because of their type. */
export function readFrame(language: JsonObject) {
  const frame: ConfiguredFrame = SiteFrame.parse(language);
  return { frame, invalid: [...findInvalidParts(language, frame, [])] };
}

const ExamplesConfig = z.object({ languages: listOf(z.string()), autogenerate: flag });
const ApiConfig = z.object({ openapi: z.optional(z.unknown()), examples: lenient(ExamplesConfig) });

const SiteConfig = z.object({
  ...SiteFrame.shape,
  name: text,
  description: text,
  logo: lenient(Pictures),
  favicon: lenient(Pictures),
  colors: lenient(z.object({ primary: hexColor, light: hexColor, dark: hexColor })),
  fonts: lenient(
    z.object({
      family: fontName,
      heading: lenient(z.object({ family: fontName })),
      body: lenient(z.object({ family: fontName })),
    }),
  ),
  appearance: lenient(z.object({ default: lenient(z.enum(["system", "light", "dark"])), strict: flag })),
  /** Read by `navigation.ts`. */
  navigation: z.optional(z.unknown()),
  /** Read by `openapi/reference-pages.ts`, like `api`. */
  openapi: z.optional(z.unknown()),
  api: lenient(ApiConfig),
  seo: lenient(
    z.object({
      indexing: lenient(z.enum(["navigable", "all"])),
      metatags: lenient(z.object({ canonical: text, "og:url": text })),
    }),
  ),
  redirects: listOf(z.object({ source: z.string(), destination: z.string() })),
  errors: lenient(z.object({ 404: lenient(z.object({ title: text, description: text, redirect: flag })) })),
  /** Replacements for `{{name}}` in pages. */
  variables: lenient(z.record(z.string().check(z.regex(/^[\w-]+$/)), text)),
});
export type SiteConfig = z.infer<typeof SiteConfig>;

/** The URL of the published site. */
export function siteUrlOf({ seo }: Pick<SiteConfig, "seo">): string | undefined {
  const { canonical, "og:url": url } = seo?.metatags ?? {};
  return [canonical, url].find((href) => href !== undefined && /^https?:\/\/[^\s/]/i.test(href));
}

/** Reads the configuration file, if there is one. `problem` is why the file cannot be read; it is then ignored. */
export async function readSiteConfig(
  docs: DocsTree,
  onWarning: WarningReporter,
): Promise<{ readonly file?: string; readonly config: SiteConfig; readonly problem?: string }> {
  const file = ["docs.json", "mint.json"].find((name) => docs.files.has(name));
  if (file === undefined) return { config: {} };
  const warn = (message: string) => onWarning(file, message, "configuration");
  try {
    const content = await resolveReferences(file, docs, warn);
    if (!isJsonObject(content)) throw new UnusableFileError("it is not an object");
    const config = file === "mint.json" ? upgradeMintConfig(content) : content;
    const read = SiteConfig.parse(config);
    reportIgnored(config, read, warn);
    return { file, config: read };
  } catch (error) {
    if (!(error instanceof UnusableFileError)) throw error;
    return { file, config: {}, problem: error.message };
  }
}

/** Keys without effect that are not worth a warning. */
const silentKeys = new Set("$schema theme icons".split(" "));

/** Lists the parts of a configuration that were dropped because of their type. */
function* findInvalidParts(original: unknown, read: unknown, path: readonly string[]): Generator<string> {
  if (original === read || original === undefined || original === null) return;
  const isShorter = Array.isArray(original) && Array.isArray(read) && read.length < original.length;
  if (read === undefined || isShorter) yield path.join(".");
  else if (typeof read === "object" && typeof original === "object")
    for (const [key, part] of Object.entries(read ?? {}))
      yield* findInvalidParts((original as JsonObject)[key], part, [...path, key]);
}

/** Lists the keys of a configuration and of the objects in it that are not read. */
function* findUnknownKeys(original: unknown, read: unknown, path = ""): Generator<string> {
  if (original === read || !isJsonObject(original) || !isJsonObject(read)) return;
  for (const [key, part] of Object.entries(original))
    if (key in read) yield* findUnknownKeys(part, read[key], `${path}${key}.`);
    else if (!silentKeys.has(key)) yield path + key;
}

/** Warns of the parts of a configuration that have no effect. */
function reportIgnored(original: JsonObject, read: SiteConfig, warn: (message: string) => void): void {
  const invalid = [...findInvalidParts(original, read, [])];
  if (invalid.length > 0) warn(`these have an invalid form: ${invalid.join(", ")}`);
  const unknown = [...findUnknownKeys(original, read)];
  if (unknown.length > 0) warn(`these are not supported: ${unknown.sort().join(", ")}`);
  const { family, heading, body } = read.fonts ?? {};
  const families = new Set([family, heading?.family, body?.family].filter(Boolean));
  if (families.size > 0)
    warn(
      `fonts are not loaded, so only readers who have installed them see them: ${[...families].join(", ")}`,
    );
}

const maxNesting = 64;
const maxFiles = 500;
/** Maximum size of the configuration with its references, each counted every time. Real ones with many languages take megabytes. */
const maxBytes = 32 * 1024 * 1024;

/**
 * Reads a configuration, and replaces its references (`{ "$ref": "./redirects.json" }`) by the content of the files. Nested references
 * can multiply exponentially, so their total number and length are limited.
 *
 * @throws {UnusableFileError} if the configuration itself cannot be read
 */
async function resolveReferences(configFile: string, docs: DocsTree, warn: (message: string) => void) {
  let files = 0;
  let characters = 0;

  /** @param parents the files that lead to the file, outermost first */
  async function read(path: string, parents: readonly string[], depth: number): Promise<unknown> {
    files += 1;
    if (parents.includes(path) || files > maxFiles)
      throw new UnusableFileError("it refers to itself, or there are too many references");
    const text = await readPageText(docs, path, maxBytes);
    characters += text.length;
    if (characters > maxBytes) throw new UnusableFileError("the files together are too long");
    return resolve(parseFile(text), [...parents, path], depth);
  }

  async function resolve(value: unknown, parents: readonly string[], depth: number): Promise<unknown> {
    if (depth > maxNesting) throw new UnusableFileError(`it is nested deeper than ${maxNesting} levels`);
    if (Array.isArray(value)) return Array.fromAsync(value, (item) => resolve(item, parents, depth + 1));
    if (!isJsonObject(value)) return value;
    const { $ref: reference, ...own } = value;
    const entries = await Array.fromAsync(Object.entries(own), async ([key, item]) => {
      // An icon may be an object with its name, library and style.
      const part = key === "icon" && isJsonObject(item) ? item["name"] : item;
      return [key, await resolve(part, parents, depth + 1)] as const;
    });
    if (typeof reference !== "string") return Object.fromEntries(entries);
    const path = posix.join("/", posix.dirname(parents.at(-1) ?? ""), reference).slice(1);
    const leaveOut = (problem: string) => warn(`the reference to ${path} was left out: ${problem}`);
    const referred = await ifUsable(read(path, parents, depth + 1), leaveOut);
    // Properties beside the reference override those of the file.
    return isJsonObject(referred) ? { ...referred, ...Object.fromEntries(entries) } : referred;
  }

  return read(configFile, [], 0);
}

function parseFile(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnusableFileError(`it is not JSON: ${messageOf(cause)}`, { cause });
  }
}
