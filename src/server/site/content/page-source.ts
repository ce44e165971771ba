/** Reads the parts of a page's file: its front matter, its body and its first heading. */
import { toString as textOf } from "mdast-util-to-string";
import { parse } from "yaml";
import { isJsonObject, type JsonObject, messageOf } from "../../../base/text.ts";
import { listOf, textIn } from "../json-values.ts";
import { plainSlug, type SlugStyle } from "./heading-slugs.ts";
import { parseMarkdown } from "./parse-page.ts";

/** The fields of a page's front matter that the site uses; all are optional. */
export type FrontMatter = Partial<ReturnType<typeof toFrontMatter>>;

const fence = /^---[ \t]*\n([\s\S]*?)\n?^---[ \t]*(?:\n|$)/m;
const maxFrontMatter = 64 * 1024;
const maxHeading = 1_000;

/** More blank lines in a row than a page needs. The parser takes 10 µs and a kilobyte for each. */
const maxBlank = 10_000;
const blankLines = new RegExp(`(?<!\\s)\\s{${maxBlank},}`, "g");

/** Splits a page's file. Blank lines replace the front matter in `body`, so that its line numbers are those of the file. */
export function splitFrontMatter(file: string): { readonly yaml: string; readonly body: string } {
  const page = file.length < maxBlank ? file : file.replace(blankLines, "\n\n");
  const match = page.startsWith("---") ? fence.exec(page) : null;
  if (match?.index !== 0) return { yaml: "", body: page };
  const [whole, yaml = ""] = match;
  return { yaml, body: "\n".repeat(whole.split("\n").length - 1) + page.slice(whole.length) };
}

/** A quoted value. Other YAML parsers accept it if it continues on lines without indentation. */
const quotedValue = /^[\w-]+:[ \t]*(?:"(?:[^"\\]|\\[\s\S])*"|'(?:[^']|'')*')[ \t]*$/gm;

/** Reads a page's front matter. It does not throw: `problem` states why the YAML could not be read. */
export function readFrontMatter(yaml: string): {
  readonly frontMatter: FrontMatter;
  readonly problem?: string;
} {
  if (yaml.length > maxFrontMatter) return { frontMatter: {}, problem: "the front matter is too long" };
  try {
    const indented = yaml.replace(quotedValue, (value) => value.replace(/\n(?=\S)/g, "\n "));
    // The alias limit rejects documents whose aliases expand exponentially.
    const data: unknown = parse(indented, { prettyErrors: false, logLevel: "error", maxAliasCount: 20 });
    return { frontMatter: isJsonObject(data) ? toFrontMatter(data) : {} };
  } catch (error) {
    return { frontMatter: {}, problem: `the front matter cannot be read: ${messageOf(error)}` };
  }
}

/** Page layouts: `wide` hides the table of contents, `center` also the navigation. */
const pageModes = ["wide", "center", "custom", "frame"] as const;

/** Whether a page has its own title and links instead of the site's. */
export function isBare({ mode }: FrontMatter): boolean {
  return mode === "custom" || mode === "frame";
}

/** Picks the fields that the site uses from front matter or an OpenAPI extension. Values of a wrong type are ignored. */
export function toFrontMatter(data: JsonObject) {
  return {
    title: textIn(data, "title"),
    sidebarTitle: textIn(data, "sidebarTitle", "sidebar_label", "nav_title", "linkTitle"),
    description: textIn(data, "description"),
    order: ["order", "sidebar_position", "nav_order", "weight"]
      .map((name) => data[name])
      .find((value): value is number => Number.isFinite(value)),
    tag: textIn(data, "tag"),
    /** Further words that the search finds the page by. */
    keywords: [data["keywords"]]
      .flat()
      .filter((word) => typeof word === "string")
      .join("\n"),
    /** The endpoint that the page documents, such as `GET /users`. */
    endpoint: textIn(data, "openapi", "api"),
    /** An operation, webhook or schema of an OpenAPI document; its reference is appended to the page. */
    openapi: textIn(data, "openapi") ?? textIn(data, "openapi-schema")?.replace(/\S+$/, "SCHEMA $&"),
    deprecated: data["deprecated"] === true,
    mode: pageModes.find((mode) => mode === data["mode"]),
    lang: textIn(data, "lang"),
    icon: textIn(data, "icon"),
    /** An external URL that the navigation links to instead of the page. */
    url: textIn(data, "url"),
    /** Whether other documentation systems leave the page out. */
    isDraft: data["draft"] === true || data["published"] === false,
    /** A hidden page is rendered, but excluded from the navigation and the search. */
    hidden: data["hidden"] === true,
    /** Whether search and the assistant skip the page. */
    isUnsearchable: data["noindex"] === true || data["searchable"] === false,
    /** Warnings about fields that have an effect only in other systems. */
    warnings: [
      listOf(data["groups"]).length > 0 &&
        "its `groups` have no effect: everyone with access to the export can read the page",
      data["rss"] === true && "its `rss` has no effect: the site has no feeds",
      (data["hero"] ?? data["features"]) !== undefined && "its `hero` and `features` have no effect",
    ].filter((warning) => warning !== false),
  };
}

/** A page with its title, which may be that of its first heading or its file. */
export interface TitledPage {
  readonly title: string;
  readonly frontMatter: FrontMatter;
}

/** Whether the first first-level heading of a page is its title. `isLeading`: nothing precedes it. */
export type TitleTest = (heading: string, isLeading: boolean) => boolean;

/**
 * Creates the test for a page's title. On sites with a `docs.json`, the front matter's title is shown above the page, so that
 * a different heading is the page's first section. Below a picture or a note, a heading is the title if the page has no other.
 */
export function titleTest({ title, frontMatter }: TitledPage, style: SlugStyle): TitleTest {
  const isUntitled = frontMatter.title === undefined;
  return (heading, isLeading) => {
    const isEqual = plainSlug(heading) === plainSlug(title);
    return isLeading ? style === "github" || isUntitled || isEqual : isUntitled && isEqual;
  };
}

/** A first-level heading, marked by `#` or underlined. */
const headingLine = /^(?:#[ \t]+(.+)|(?!>|(?:[-+*]|\d+[.)]) )(\S.*)\n=+[ \t]*)$/m;

/** The first first-level heading of a page: its title if the front matter has none. */
export function firstHeading(body: string): string | undefined {
  const beforeCode = body.split(/^(?:```|~~~)/m, 1)[0] ?? "";
  const [, marked, underlined = ""] = headingLine.exec(beforeCode) ?? [];
  const heading = parseMarkdown(`# ${(marked ?? underlined).slice(0, maxHeading)}`);
  return textOf(heading, { includeHtml: false }).trim() || undefined;
}
