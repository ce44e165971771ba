/** Reads the configuration file `docs.json`, or the older `mint.json`. All parts are optional. */
import { posix } from "node:path";
import * as z from "zod/mini";
import { isJsonObject, type JsonObject } from "../../base/text.ts";
import { type DocsTree, readPageText, UnusableFileError } from "./content/docs-tree.ts";
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

/** Reads the banner, header and footer of a language. */
export function readFrame(language: JsonObject): ConfiguredFrame {
  return SiteFrame.parse(language);
}

/** The supported parts of `docs.json`. */
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
  appearance: lenient(z.object({ default: text, strict: flag })),
  /** Read by `navigation.ts`. */
  navigation: z.optional(z.unknown()),
  /** Read by `openapi/reference-pages.ts`, like `api`. */
  openapi: z.optional(z.unknown()),
  api: z.optional(z.unknown()),
  seo: lenient(
    z.object({
      indexing: text,
      indexHiddenPages: flag,
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
export function siteAddress({ seo }: Pick<SiteConfig, "seo">): string | undefined {
  const { canonical, "og:url": url } = seo?.metatags ?? {};
  return [canonical, url].find((address) => address !== undefined && /^https?:\/\/[^\s/]/i.test(address));
}

/** Reads the configuration file, if there is one. An invalid file is returned as a problem to warn about, not thrown. */
export async function readSiteConfig(
  docs: DocsTree,
  onWarning: WarningReporter,
): Promise<{ readonly file?: string; readonly config: SiteConfig; readonly problem?: string }> {
  const file = ["docs.json", "mint.json"].find((name) => docs.files.has(name));
  if (file === undefined) return { config: {} };
  try {
    const content: unknown = JSON.parse(await readPageText(docs, file, maxBytes));
    const warn = (message: string) => onWarning(file, message, "configuration");
    const resolved = await resolveReferences(content, file, docs, warn);
    const config = file === "mint.json" && isJsonObject(resolved) ? upgradeMintConfig(resolved) : resolved;
    const parsed = SiteConfig.safeParse(config);
    if (!parsed.success) return { file, config: {}, problem: "it is not an object" };
    reportIgnored(config as JsonObject, parsed.data, warn);
    return { file, config: parsed.data };
  } catch (error) {
    if (error instanceof UnusableFileError) return { file, config: {}, problem: error.message };
    if (!(error instanceof SyntaxError)) throw error;
    return { file, config: {}, problem: `it is not JSON: ${error.message}` };
  }
}

/** Keys without effect that are not worth a warning. */
const silentKeys = new Set("$schema theme icons".split(" "));

const maxNamed = 20;

/** Lists the parts of a configuration that were dropped because of their type. */
function* findInvalidParts(written: unknown, read: unknown, path: readonly string[]): Generator<string> {
  if (written === read || written === undefined || written === null) return;
  const isShorter = Array.isArray(written) && Array.isArray(read) && read.length < written.length;
  if (read === undefined || isShorter) yield path.join(".");
  else if (typeof read === "object" && typeof written === "object")
    for (const [key, part] of Object.entries(read ?? {}))
      yield* findInvalidParts((written as JsonObject)[key], part, [...path, key]);
}

/** Warns of the parts of a configuration that have no effect. */
function reportIgnored(written: JsonObject, read: SiteConfig, warn: (message: string) => void): void {
  const { fonts, errors } = read;
  const invalid = [...findInvalidParts(written, read, [])];
  if (invalid.length > 0) warn(`these have an invalid form: ${invalid.slice(0, maxNamed).join(", ")}`);
  if (errors?.[404]?.redirect === true)
    warn("`errors.404.redirect` has no effect: an address without a page shows 404.html");
  const ignored = Object.keys(written).filter((key) => !(key in SiteConfig.shape) && !silentKeys.has(key));
  if (ignored.length > 0) warn(`these are not supported: ${ignored.sort().join(", ")}`);
  const families = new Set([fonts?.family, fonts?.heading?.family, fonts?.body?.family].filter(Boolean));
  if (families.size > 0)
    warn(
      `fonts are not loaded, so only readers who have installed them see them: ${[...families].join(", ")}`,
    );
}

const maxNesting = 64;
const maxReferences = 500;
/** Maximum size of the configuration with its references, each counted every time. Real ones with many languages take megabytes. */
const maxBytes = 32 * 1024 * 1024;

/**
 * Replaces references in a configuration (`{ "$ref": "./redirects.json" }`) by the content of the files. Nested references can multiply
 * exponentially, so their total number and length are limited.
 */
async function resolveReferences(
  configuration: unknown,
  configFile: string,
  docs: DocsTree,
  onWarning: (message: string) => void,
): Promise<unknown> {
  let references = 0;
  let characters = 0;

  async function read(path: string, files: readonly string[]): Promise<unknown> {
    try {
      if (files.includes(path) || references >= maxReferences)
        throw new UnusableFileError("it refers to itself, or there are too many references");
      references += 1;
      const content = await readPageText(docs, path, maxBytes);
      characters += content.length;
      if (characters > maxBytes) throw new UnusableFileError("the files together are too long");
      return JSON.parse(content);
    } catch (error) {
      if (!(error instanceof UnusableFileError) && !(error instanceof SyntaxError)) throw error;
      onWarning(`the reference to ${path} was left out: ${error.message}`);
      return undefined;
    }
  }

  /** @param files the files that contain the value, innermost last */
  async function resolve(value: unknown, files: readonly string[], depth: number): Promise<unknown> {
    if (depth > maxNesting) return undefined;
    if (Array.isArray(value)) return Array.fromAsync(value, (item) => resolve(item, files, depth + 1));
    if (!isJsonObject(value)) return value;
    const { $ref: reference, ...own } = value;
    const entries = await Array.fromAsync(Object.entries(own), async ([key, item]) => {
      // An icon may be an object with its name, library and style.
      const part = key === "icon" && isJsonObject(item) ? item["name"] : item;
      return [key, await resolve(part, files, depth + 1)] as const;
    });
    if (typeof reference !== "string") return Object.fromEntries(entries);
    const path = posix.join("/", posix.dirname(files.at(-1) ?? ""), reference).slice(1);
    const referred = await resolve(await read(path, files), [...files, path], depth + 1);
    // Properties beside the reference override those of the file.
    return isJsonObject(referred) ? { ...referred, ...Object.fromEntries(entries) } : referred;
  }

  return resolve(configuration, [configFile], 0);
}
