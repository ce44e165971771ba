import { parseDocument } from "yaml";
import { isJsonObject } from "../../json-object.ts";

/** What the site uses of a page's front matter; everything is optional and wrongly typed values are ignored. */
export interface FrontMatter {
  readonly title?: string;
  readonly sidebarTitle?: string;
  readonly description?: string;
  readonly order?: number;
  readonly icon?: string;
  readonly tag?: string;
  /** An endpoint that the page documents, such as `GET /users`. */
  readonly endpoint?: string;
  readonly slug?: string;
  readonly lang?: string;
  /** A hidden page is rendered, and kept out of navigation and search. */
  readonly hidden?: boolean;
}

/** A page's text, taken apart. */
export interface SplitPage {
  readonly frontMatter: FrontMatter;
  readonly body: string;
  /** Why the front matter could not be read, if it could not. */
  readonly problem?: string;
}

const fence = /^---[ \t]*\r?\n([\s\S]*?)(?:\r?\n)?^---[ \t]*(?:\r?\n|$)/m;
const maxFrontMatter = 64 * 1024;

function text(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function firstNumber(...values: readonly unknown[]): number | undefined {
  return values.find((value): value is number => typeof value === "number" && Number.isFinite(value));
}

function present<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

function readFields(data: Readonly<Record<string, unknown>>): FrontMatter {
  return present<Required<FrontMatter>>({
    title: text(data["title"]),
    sidebarTitle: text(data["sidebarTitle"]) ?? text(data["sidebar_label"]) ?? text(data["nav_title"]),
    description: text(data["description"]),
    order: firstNumber(data["order"], data["sidebar_position"], data["nav_order"]),
    icon: text(data["icon"]),
    tag: text(data["tag"]),
    endpoint: text(data["openapi"]) ?? text(data["api"]),
    slug: text(data["slug"]),
    lang: text(data["lang"]),
    hidden: data["hidden"] === true ? true : undefined,
  });
}

/** Takes the YAML front matter off a page; never throws. */
export function splitFrontMatter(source: string): SplitPage {
  const page = source.startsWith("\uFEFF") ? source.slice(1) : source;
  const match = page.startsWith("---") ? fence.exec(page) : null;
  if (match === null || match.index !== 0) return { frontMatter: {}, body: page };
  const yaml = match[1] ?? "";
  const body = page.slice(match[0].length);
  if (yaml.length > maxFrontMatter) return { frontMatter: {}, body, problem: "the front matter is too long" };
  const document = parseDocument(yaml, { prettyErrors: false, logLevel: "silent" });
  const [error] = document.errors;
  if (error !== undefined)
    return { frontMatter: {}, body, problem: `the front matter is not YAML: ${error.message}` };
  return readDocument(() => document.toJS({ maxAliasCount: 20 }), body);
}

function readDocument(toJS: () => unknown, body: string): SplitPage {
  try {
    const data = toJS();
    return { frontMatter: isJsonObject(data) ? readFields(data) : {}, body };
  } catch (error) {
    // `yaml` refuses documents whose aliases would expand without bound.
    return { frontMatter: {}, body, problem: `the front matter is not usable: ${String(error)}` };
  }
}
