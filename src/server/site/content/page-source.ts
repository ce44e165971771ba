/** A page's file taken apart: its front matter, its body, and the heading that names it. */
import { parseDocument } from "yaml";
import { isJsonObject, messageOf } from "../../../base/text.ts";

/** What the site uses of a page's front matter; everything is optional and wrongly typed values are ignored. */
export interface FrontMatter {
  readonly title?: string | undefined;
  readonly sidebarTitle?: string | undefined;
  readonly description?: string | undefined;
  readonly order?: number | undefined;
  readonly icon?: string | undefined;
  readonly tag?: string | undefined;
  /** An endpoint that the page documents, such as `GET /users`. */
  readonly endpoint?: string | undefined;
  readonly slug?: string | undefined;
  readonly lang?: string | undefined;
  /** A hidden page is rendered, and kept out of navigation and search. */
  readonly hidden?: boolean;
}

/** A page's text, taken apart. */
export interface SplitPage {
  readonly frontMatter: FrontMatter;
  /** The text after the front matter, on the lines that it has in the file. */
  readonly body: string;
  /** Why the front matter could not be read, if it could not. */
  readonly problem?: string;
}

const fence = /^---[ \t]*\r?\n([\s\S]*?)(?:\r?\n)?^---[ \t]*(?:\r?\n|$)/m;
const maxFrontMatter = 64 * 1024;

/** Takes the YAML front matter off a page; never throws. */
export function splitFrontMatter(file: string): SplitPage {
  const page = file.startsWith("\uFEFF") ? file.slice(1) : file;
  const match = page.startsWith("---") ? fence.exec(page) : null;
  if (match?.index !== 0) return { frontMatter: {}, body: page };
  const [whole, yaml = ""] = match;
  const body = "\n".repeat(whole.split("\n").length - 1) + page.slice(whole.length);
  if (yaml.length > maxFrontMatter) return { frontMatter: {}, body, problem: "the front matter is too long" };
  const document = parseDocument(yaml, { prettyErrors: false, logLevel: "silent" });
  const [error] = document.errors;
  if (error !== undefined) {
    return { frontMatter: {}, body, problem: `the front matter is not YAML: ${error.message}` };
  }
  try {
    const data: unknown = document.toJS({ maxAliasCount: 20 });
    return { frontMatter: isJsonObject(data) ? readFields(data) : {}, body };
  } catch (error) {
    // `yaml` refuses documents whose aliases would expand without bound.
    return { frontMatter: {}, body, problem: `the front matter is not usable: ${messageOf(error)}` };
  }
}

function readFields(data: Readonly<Record<string, unknown>>): FrontMatter {
  return {
    title: firstText(data["title"]),
    sidebarTitle: firstText(data["sidebarTitle"], data["sidebar_label"], data["nav_title"]),
    description: firstText(data["description"]),
    order: [data["order"], data["sidebar_position"], data["nav_order"]].find(isFiniteNumber),
    icon: firstText(data["icon"]),
    tag: firstText(data["tag"]),
    endpoint: firstText(data["openapi"], data["api"]),
    slug: firstText(data["slug"]),
    lang: firstText(data["lang"]),
    hidden: data["hidden"] === true,
  };
}

function firstText(...values: readonly unknown[]): string | undefined {
  const isText = (value: unknown) =>
    typeof value === "number" || (typeof value === "string" && value.trim() !== "");
  const found = values.find(isText);
  return found === undefined ? undefined : String(found).trim();
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** The first heading of a page's Markdown, for pages without a title in their front matter. */
export function firstHeading(body: string): string | undefined {
  const beforeCode = body.split(/^(?:```|~~~)/m, 1)[0] ?? "";
  const heading = /^#[ \t]+(.+?)[ \t]*#*[ \t]*$/m.exec(beforeCode)?.[1] ?? "";
  const text = heading.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]|<[^>]*>/g, "");
  return text.trim() || undefined;
}
