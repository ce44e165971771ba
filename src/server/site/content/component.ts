/**
 * Components travel through the sanitizer as one harmless element that carries their name and properties; only afterwards
 * are they given their real markup. So nothing that a document wrote reaches a page without having been sanitized.
 */
import type { Element, ElementContent } from "hast";
import { h } from "hastscript";
import { isJsonObject, parseJson } from "../../../base/text.ts";
import { isElement, stringProperty } from "./hast.ts";

/** Element name of a placeholder. */
export const placeholderTag = "docs-component";

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

  constructor(values: unknown) {
    this.values = isJsonObject(values) ? values : {};
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
    return Array.isArray(value) ? value.map(String) : [];
  }

  /** The objects of the first of these that is there. */
  rows(...names: readonly string[]): readonly Props[] {
    const value = names.map((name) => this.values[name]).find((found) => found !== undefined);
    return Array.isArray(value) ? value.map((row) => new Props(row)) : [];
  }
}

/** Gives the placeholders among these nodes and below their markup. */
type Expand = (nodes: readonly ElementContent[]) => ElementContent[];

/** A component as it was written, read from its placeholder. */
export class Component extends Props {
  readonly name: string;
  readonly children: readonly ElementContent[];
  /** Whether it stands in a line of text. */
  readonly isInline: boolean;
  /** Tells it from the other components of its page, in identifiers. */
  readonly number: number;
  readonly #expand: Expand;

  constructor(placeholder: Element, expand: Expand, number = 0) {
    // Documents can write the placeholder's tag themselves, with anything in it.
    super(parseJson(stringProperty(placeholder, "dataProps") ?? ""));
    this.name = stringProperty(placeholder, "dataName") ?? "";
    this.children = placeholder.children;
    this.isInline = stringProperty(placeholder, "dataInline") === "true";
    this.number = number;
    this.#expand = expand;
  }

  /** Its children with the markup of the components among them. */
  content(): ElementContent[] {
    return this.#expand(this.children);
  }

  /** The components of these names directly in it, through paragraphs that hold nothing else. */
  parts(...names: readonly string[]): readonly Component[] {
    const componentsAmong = (nodes: readonly ElementContent[]): Component[] =>
      nodes.flatMap((node) => {
        if (isElement(node, placeholderTag)) return [new Component(node, this.#expand)];
        return isElement(node, "p") ? componentsAmong(node.children) : [];
      });
    return componentsAmong(this.children).filter(({ name }) => names.includes(name));
  }
}

/** Text with `code` between back-ticks, as descriptions in properties are written. */
export function inlineText(text: string): ElementContent[] {
  return text
    .split(/(`[^`]+`)/)
    .filter((part) => part !== "")
    .map((part) => (/^`[^`]+`$/.test(part) ? h("code", [part.slice(1, -1)]) : { type: "text", value: part }));
}
