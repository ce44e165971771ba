/**
 * A component passes the sanitizer as a placeholder: a harmless element with the component's name and properties. It is
 * replaced by its markup only afterwards, so that no content of a document reaches a page unsanitized.
 */
import type { Element, ElementContent } from "hast";
import { h } from "hastscript";
import { toString as textOf } from "mdast-util-to-string";
import { type JsonObject, parseJson } from "../../../base/text.ts";
import type { Words } from "../interface-words.ts";
import { listOf, objectOf, textIn } from "../json-values.ts";
import type { PageReporter } from "../report.ts";
import { isElement, stringProperty } from "./hast.ts";
import { iconElement } from "./icons.ts";
import { placeholderTag, readDrawing } from "./sanitize.ts";

/** Creates the markup of a component. */
export type ComponentRenderer = (component: Component) => ElementContent | ElementContent[];

/** Creates the placeholder of a component. */
export function createPlaceholder(
  name: string,
  props: Readonly<Record<string, unknown>>,
  children: ElementContent[],
  isInline = false,
): Element {
  const dataInline = isInline ? "true" : undefined;
  return h(placeholderTag, { dataName: name, dataProps: JSON.stringify(props), dataInline }, children);
}

/** A CSS colour without functions that could load a resource. */
export const cssColor =
  /^(?:#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\([\d\s.,%/a-z+-]*\)|[a-z]{3,20})$/i;

/** The page around a component. */
export interface PageContext {
  /** Replaces the placeholders among these nodes and their descendants by their markup. */
  expand(nodes: readonly ElementContent[]): ElementContent[];
  readonly onWarning: PageReporter;
  readonly words: Words;
}

/** A component of a page, read from its placeholder. */
export class Component {
  readonly name: string;
  readonly values: JsonObject;
  readonly children: readonly ElementContent[];
  /** Whether the component is part of a line of text. */
  readonly isInline: boolean;
  /** Unique on the page; part of the component's ids. */
  readonly number: number;
  readonly words: Words;
  readonly warn: PageReporter;
  readonly #page: PageContext;

  constructor(placeholder: Element, page: PageContext, number = 0) {
    // Documents can contain the placeholder's tag with arbitrary attributes.
    this.values = objectOf(parseJson(stringProperty(placeholder, "dataProps") ?? ""));
    this.name = stringProperty(placeholder, "dataName") ?? "";
    this.children = placeholder.children;
    this.isInline = stringProperty(placeholder, "dataInline") === "true";
    this.number = number;
    this.#page = page;
    this.words = page.words;
    this.warn = page.onWarning;
  }

  /** The first of these properties that is a number or a text that is not blank. */
  text(...names: readonly string[]): string | undefined {
    return textIn(this.values, ...names);
  }

  /** Whether a boolean property is set, in JSX or in HTML syntax. */
  flag(name: string): boolean {
    const value = this.values[name];
    return value === true || value === "true" || value === "";
  }

  list(name: string): readonly string[] {
    return listOf(this.values[name]).map((item) => (typeof item === "object" ? "" : String(item)));
  }

  /** The element of the property `icon`: a named icon in its colour and size, an image file, or an inline drawing. */
  icon(name = this.text("icon"), color = this.text("color") ?? ""): Element | undefined {
    const drawing = readDrawing(objectOf(this.values["icon"])["drawing"]);
    if (drawing !== undefined) {
      drawing.properties["className"] = ["icon-image"];
      return drawing;
    }
    if (name === undefined) return undefined;
    if (/^(?:[./]|https?:)/.test(name)) return h("img.icon-image", { src: name, alt: "" });
    const size = Number(this.text("size"));
    const safeColor = cssColor.test(color) ? color : undefined;
    const icon = iconElement(name, safeColor, size > 0 && size <= 512 ? size : undefined);
    if (icon === undefined) this.warn(`there is no icon like “${name}”`, "icon");
    // For `polishTree`.
    else icon.properties["dataName"] = name;
    return icon;
  }

  /** Its children, with the markup of the components among them. */
  content(): ElementContent[] {
    return this.#page.expand(this.children);
  }

  /** The components with these names, also as `Tabs.Tab`, in a child: itself, or those in its paragraph. */
  partsIn(child: ElementContent, ...names: readonly string[]): readonly Component[] {
    if (isElement(child, "p")) return child.children.flatMap((inner) => this.partsIn(inner, ...names));
    const part = isElement(child, placeholderTag) ? new Component(child, this.#page) : undefined;
    return part !== undefined && names.includes(part.name.replace(/^.*\./, "")) ? [part] : [];
  }

  /** Its content, with one element for all parts of its children in place of the first one. Without parts, all of its content. */
  withParts<Part>(
    partsOf: (child: ElementContent) => readonly Part[],
    render: (parts: readonly Part[]) => Element,
  ): ElementContent[] {
    const parts = this.children.map(partsOf);
    const first = parts.findIndex(({ length }) => length > 0);
    if (first < 0) return this.content();
    const element = render(parts.flat());
    return this.children.flatMap((node, index) => {
      if (index === first) return [element];
      const isBlank = node.type === "text" && node.value.trim() === "";
      return isBlank || parts[index]?.length !== 0 ? [] : this.#page.expand([node]);
    });
  }
}

/** The plain text of inline Markdown. */
export function plainText(text: string): string {
  return textOf({ type: "root", children: inlineMarkdown(text) });
}

/** Code, bold and italic text, and links. In the parts of a text that is split by it, every second part is one of them. */
const inlinePart =
  /(``[^`]+``|`[^`]+`|\*\*[^*]+\*\*|(?<![\w*/])\*(?!\s)[^*]+(?<!\s)\*(?![\w*/])|\[[^[\]]+\]\([^()\s]+\))/;

/** Converts a text with code, bold and italic text, and links. The links are resolved with those of the page. */
export function inlineMarkdown(text: string): ElementContent[] {
  return text.split(inlinePart).flatMap((part, index): ElementContent | ElementContent[] => {
    if (index % 2 === 0) return part === "" ? [] : { type: "text", value: part };
    if (part.startsWith("`")) return h("code", [part.replace(/^`+|`+$/g, "")]);
    const [, label = "", href] = /^\[(.+)\]\((.+)\)$/s.exec(part) ?? [];
    if (href !== undefined) return h("a", { href }, inlineMarkdown(label));
    const [, stars, words = ""] = /^(\*{1,2})(.+)\1$/s.exec(part) ?? [];
    return h(stars === "*" ? "em" : "strong", inlineMarkdown(words));
  });
}
