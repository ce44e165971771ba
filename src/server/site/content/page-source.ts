/** A page's file taken apart: its front matter, its body, and the heading that names it. */
import { decodeNamedCharacterReference } from "decode-named-character-reference";
import { parse } from "yaml";
import { isJsonObject, messageOf } from "../../../base/text.ts";
import { plainSlug, type SlugStyle } from "./heading-slugs.ts";

/** What the site uses of a page's front matter; everything is optional. */
export type FrontMatter = Partial<ReturnType<typeof toFrontMatter>>;

const fence = /^---[ \t]*\r?\n([\s\S]*?)(?:\r?\n)?^---[ \t]*(?:\r?\n|$)/m;
const maxFrontMatter = 64 * 1024;
const maxHeading = 1_000;

/** Takes a page's file apart; `body` is on the lines that it has in the file. */
export function splitFrontMatter(file: string): { readonly yaml: string; readonly body: string } {
  const page = file.startsWith("\uFEFF") ? file.slice(1) : file;
  const match = page.startsWith("---") ? fence.exec(page) : null;
  if (match?.index !== 0) return { yaml: "", body: page };
  const [whole, yaml = ""] = match;
  return { yaml, body: "\n".repeat(whole.split("\n").length - 1) + page.slice(whole.length) };
}

/** A value in quotation marks that goes on without an indent, which other readers of YAML accept. */
const quotedValue = /^[\w-]+:[ \t]*(?:"(?:[^"\\]|\\[\s\S])*"|'(?:[^']|'')*')[ \t]*\r?$/gm;

/** Reads the YAML of a page's front matter; never throws: `problem` says why it could not be read. */
export function readFrontMatter(yaml: string): {
  readonly frontMatter: FrontMatter;
  readonly problem?: string;
} {
  if (yaml.length > maxFrontMatter) return { frontMatter: {}, problem: "the front matter is too long" };
  try {
    const plain = readPlainYaml(yaml);
    if (plain !== undefined) return { frontMatter: toFrontMatter(plain) };
    const indented = yaml.replace(quotedValue, (value) => value.replace(/\n(?=\S)/g, "\n "));
    // Documents whose aliases would expand without bound are refused.
    const data: unknown = parse(indented, { prettyErrors: false, logLevel: "error", maxAliasCount: 20 });
    return { frontMatter: isJsonObject(data) ? toFrontMatter(data) : {} };
  } catch (error) {
    return { frontMatter: {}, problem: `the front matter cannot be read: ${messageOf(error)}` };
  }
}

/** A line that can mean only one thing: a name, and a text in quotation marks or one that starts with a letter. */
const plainLine = /^([a-z][\w-]*): +(?:"([^"\\\r]*)" *|'([^'\r]*)' *|(\p{L}[^:#\r]*))$/iu;

/** Most front matter is so plain that it needs no parser, which takes twenty times as long; `undefined` for any other. */
function readPlainYaml(yaml: string): Readonly<Record<string, string>> | undefined {
  const data: Record<string, string> = {};
  for (const line of yaml.split(/\r?\n/)) {
    if (line === "") continue;
    const [, name = "", double, single, written = ""] = plainLine.exec(line) ?? [];
    if (name === "" || Object.hasOwn(data, name)) return undefined;
    const bare = written.trimEnd();
    // These words are no text.
    if (/^(?:true|false|null)$/i.test(bare)) return undefined;
    data[name] = double ?? single ?? bare;
  }
  return data;
}

/** How much of the site is around a page's text; `wide` has no table of contents, `center` neither this nor the navigation. */
const pageModes = ["wide", "center", "custom", "frame"] as const;

/** Whether a page shows a title and links of its own, in place of the site's. */
export function isBare({ mode }: FrontMatter): boolean {
  return mode === "custom" || mode === "frame";
}

/** What the site uses of front matter, also of that in an OpenAPI document; wrongly typed values are ignored. */
export function toFrontMatter(data: Readonly<Record<string, unknown>>) {
  return {
    title: shownText(data["title"]),
    sidebarTitle: shownText(data["sidebarTitle"], data["sidebar_label"], data["nav_title"]),
    description: shownText(data["description"]),
    order: [data["order"], data["sidebar_position"], data["nav_order"]].find(Number.isFinite) as
      | number
      | undefined,
    tag: shownText(data["tag"]),
    /** An endpoint that the page documents, such as `GET /users`. */
    endpoint: firstText(data["openapi"], data["api"]),
    /** The operation or webhook, and the schema, of an OpenAPI document that the page describes after its own text. */
    openapi: firstText(data["openapi"]),
    openapiSchema: firstText(data["openapi-schema"]),
    /** An endpoint that the page describes by its own fields, and how it authenticates. */
    api: firstText(data["api"]),
    authMethod: firstText(data["authMethod"]),
    deprecated: data["deprecated"] === true,
    mode: pageModes.find((mode) => mode === data["mode"]),
    lang: firstText(data["lang"]),
    icon: firstText(data["icon"]),
    /** Address of another site, which the navigation leads to instead. */
    url: firstText(data["url"]),
    /** A hidden page is rendered, and kept out of navigation and search. */
    hidden: data["hidden"] === true,
    /** A page that search and the assistant are not to find. */
    isUnsearchable: data["noindex"] === true || data["searchable"] === false,
    /** Whether a hosted site shows the page to some groups of readers only. */
    isRestricted: Array.isArray(data["groups"]) && data["groups"].length > 0,
  };
}

/** The method and path that an endpoint such as `GET /users` ends with. */
export function readEndpoint(endpoint = ""): { readonly method: string; readonly path: string } | undefined {
  const [, method = "", path = ""] =
    /\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|QUERY|WEBHOOK)\s+(\S+)\s*$/i.exec(endpoint) ?? [];
  return method === "" ? undefined : { method: method.toUpperCase(), path };
}

function firstText(...values: readonly unknown[]): string | undefined {
  const isText = (value: unknown) =>
    typeof value === "number" || (typeof value === "string" && value.trim() !== "");
  const found = values.find(isText);
  return found === undefined ? undefined : String(found).trim();
}

/** The same as it is shown: with characters for HTML's references such as `&amp;`. */
function shownText(...values: readonly unknown[]): string | undefined {
  const text = firstText(...values);
  return text && decodeReferences(text);
}

/** Replaces character references outside of code. */
function decodeReferences(text: string): string {
  const reference = /(`[^`]+`)|&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,40}));/gi;
  return text.replace(reference, (written, code, decimal, hex, name = "") => {
    if (code !== undefined) return written;
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const isCharacter = point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
    return isCharacter ? String.fromCodePoint(point) : decodeNamedCharacterReference(name) || written;
  });
}

/**
 * Says of a first-level heading that a page starts with whether it is the page's title. Beside a `docs.json`, a title in the
 * front matter is shown above the page's text, and another heading is its first section.
 */
export function titleTest({ title }: FrontMatter, style: SlugStyle): (heading: string) => boolean {
  return (heading) => style === "github" || title === undefined || plainSlug(heading) === plainSlug(title);
}

/** The first heading of a page's Markdown, for pages without a title in their front matter. */
export function firstHeading(body: string): string | undefined {
  const beforeCode = body.split(/^(?:```|~~~)/m, 1)[0] ?? "";
  const line = /^#[ \t]+(.+)$/m.exec(beforeCode)?.[1]?.slice(0, maxHeading).trim() ?? "";
  const heading = line.replace(/(?:^|[ \t])#+$/, "");
  const text = heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/<[^>]*>/g, "");
  return decodeReferences(text).replace(/[`*]/g, "").trim() || undefined;
}
