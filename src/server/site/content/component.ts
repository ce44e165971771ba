/**
 * Components travel through the sanitizer as one harmless element that carries their name and properties; only afterwards
 * are they given their real markup. So nothing that a document wrote reaches a page without having been sanitized.
 */
import type { Element, ElementContent } from "hast";
import { h } from "hastscript";
import { toString as textOf } from "mdast-util-to-string";
import { isJsonObject, parseJson } from "../../../base/text.ts";
import type { Words } from "../interface-words.ts";
import type { PageReporter } from "../report.ts";
import { isElement, stringProperty } from "./hast.ts";
import { iconElement } from "./icons.ts";
import { placeholderTag, readDrawing } from "./sanitize.ts";

/** Gives a component its markup. */
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

/** The properties of a component, or the fields of an object in one of them. */
export class Props {
  readonly values: Readonly<Record<string, unknown>>;
  /** Says that it is not shown as it was meant. */
  readonly warn: PageReporter;

  constructor(values: unknown, warn: PageReporter) {
    this.values = isJsonObject(values) ? values : {};
    this.warn = warn;
  }

  /** The first of these that has a text to show. */
  text(...names: readonly string[]): string | undefined {
    for (const name of names) {
      const value = this.values[name];
      if (typeof value === "string" && value.trim() !== "") return value;
      if (typeof value === "number") return String(value);
    }
    return undefined;
  }

  /** Whether one is set, as JSX and as HTML write it. */
  flag(name: string): boolean {
    const value = this.values[name];
    return value === true || value === "true" || value === "";
  }

  /** The items of a list, as text. */
  list(name: string): readonly string[] {
    const value = this.values[name];
    return Array.isArray(value) ? value.map((item) => (typeof item === "object" ? "" : String(item))) : [];
  }

  /** The objects of the first of these that is there. */
  rows(...names: readonly string[]): readonly Props[] {
    const value = names.map((name) => this.values[name]).find((found) => found !== undefined);
    return Array.isArray(value) ? value.map((row) => new Props(row, this.warn)) : [];
  }

  /** The icon that it names, in its colour and size; a picture where it names a file of the documents, or holds a drawing. */
  icon(name = this.text("icon"), written = this.text("color") ?? ""): Element | undefined {
    const { icon: own } = this.values;
    const drawing = isJsonObject(own) ? readDrawing(own["drawing"]) : undefined;
    if (drawing !== undefined) {
      drawing.properties["className"] = ["icon-image"];
      return drawing;
    }
    if (name === undefined) return undefined;
    if (/^(?:[./]|https?:)/.test(name)) return h("img.icon-image", { src: name, alt: "" });
    const size = Number(this.text("size"));
    const colour = cssColour.test(written) ? written : undefined;
    const icon = iconElement(name, colour, size > 0 && size <= 512 ? size : undefined);
    if (icon === undefined) this.warn(`there is no icon like “${name}”`, "icon");
    return icon;
  }
}

/** A colour as CSS writes it, with nothing in it that could load something. */
export const cssColour =
  /^(?:#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\([\d\s.,%/a-z+-]*\)|[a-z]{3,20})$/i;

/** What components need of the page that they are in. */
export interface PageContext {
  /** Gives the placeholders among these nodes and below their markup. */
  expand(nodes: readonly ElementContent[]): ElementContent[];
  readonly onWarning: PageReporter;
  /** The interface's words in the page's language. */
  readonly words: Words;
}

/** A component as it was written, read from its placeholder. */
export class Component extends Props {
  readonly name: string;
  readonly children: readonly ElementContent[];
  /** Whether it stands in a line of text. */
  readonly isInline: boolean;
  /** Tells it from the other components of its page, in identifiers. */
  readonly number: number;
  /** The interface's words in the page's language. */
  readonly words: Words;
  readonly #page: PageContext;

  constructor(placeholder: Element, page: PageContext, number = 0) {
    // Documents can write the placeholder's tag themselves, with anything in it.
    super(parseJson(stringProperty(placeholder, "dataProps") ?? ""), page.onWarning);
    this.name = stringProperty(placeholder, "dataName") ?? "";
    this.children = placeholder.children;
    this.isInline = stringProperty(placeholder, "dataInline") === "true";
    this.number = number;
    this.#page = page;
    this.words = page.words;
  }

  /** Its children, or some of them, with the markup of the components among them. */
  content(children = this.children): ElementContent[] {
    return this.#page.expand(children);
  }

  /** The components of these names directly in it, through paragraphs that hold nothing else. */
  parts(...names: readonly string[]): readonly Component[] {
    return this.children.flatMap((child) => this.#partsIn(child, names));
  }

  #partsIn(node: ElementContent, names: readonly string[]): readonly Component[] {
    if (isElement(node, "p")) return node.children.flatMap((child) => this.#partsIn(child, names));
    const part = isElement(node, placeholderTag) ? new Component(node, this.#page) : undefined;
    return part !== undefined && names.includes(part.name) ? [part] : [];
  }

  /** What is made of its parts, after what stands before the first of them, and before what else it holds. */
  withOthers(
    made: Element,
    isPart: readonly string[] | ((node: ElementContent) => boolean),
  ): ElementContent[] {
    const isOwn =
      typeof isPart === "function"
        ? isPart
        : (node: ElementContent) => this.#partsIn(node, isPart).length > 0;
    const isOther = (node: ElementContent) =>
      !isOwn(node) && (node.type !== "text" || node.value.trim() !== "");
    const first = this.children.findIndex(isOwn);
    return [
      ...this.#page.expand(this.children.slice(0, first).filter(isOther)),
      made,
      ...this.#page.expand(this.children.slice(first).filter(isOther)),
    ];
  }
}

/** The words of such a text. */
export function plainText(text: string): string {
  return textOf({ type: "root", children: inlineMarkdown(text) });
}

/** Text with `code` between back-ticks, as descriptions in properties are written. */
export function inlineText(text: string): ElementContent[] {
  return text
    .split(/(`[^`]+`)/)
    .filter((part) => part !== "")
    .map((part) => (/^`[^`]+`$/.test(part) ? h("code", [part.slice(1, -1)]) : { type: "text", value: part }));
}

/** Every second part of a text that is split by it is no plain text. */
export const inlinePart =
  /(`[^`]+`|\*\*[^*]+\*\*|(?<![\w*/])\*(?!\s)[^*]+(?<!\s)\*(?![\w*/])|\[[^[\]]+\]\([^()\s]+\))/;

/** Text with code, bold and italic words and links, as captions are written; its links are resolved with the page's. */
export function inlineMarkdown(text: string): ElementContent[] {
  return text.split(inlinePart).flatMap((part) => {
    const [, label, href] = /^\[(.+)\]\((.+)\)$/s.exec(part) ?? [];
    if (label !== undefined) return h("a", { href }, inlineText(label));
    const stars = /^(\*{1,2})(.+)\1$/s.exec(part);
    return stars === null
      ? inlineText(part)
      : h(stars[1] === "*" ? "em" : "strong", inlineText(stars[2] ?? ""));
  });
}
