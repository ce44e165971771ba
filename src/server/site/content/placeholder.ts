/**
 * Components travel through the sanitizer as one harmless element that carries their name and properties; only afterwards
 * are they given their real markup. So nothing that a document wrote reaches a page without having been sanitized.
 */
import type { Element, ElementContent } from "hast";
import { element, stringProperty } from "./hast.ts";
import type { StaticValue } from "./static-value.ts";

/** Element name of a placeholder. */
export const placeholderTag = "docs-component";

/** Name under which a fenced code block becomes a component. */
export const codeFenceName = "code-fence";

/** Properties of a component, as far as they are literals. */
type ComponentProps = Readonly<Record<string, StaticValue>>;

/** A component as it was written. */
export interface Component {
  readonly name: string;
  readonly props: ComponentProps;
  readonly children: readonly ElementContent[];
  /** Whether it stands in a line of text. */
  readonly isInline: boolean;
}

/** Creates the placeholder of a component. */
export function createPlaceholder({ name, props, children, isInline }: Component): Element {
  const properties = {
    dataName: name,
    dataProps: JSON.stringify(props),
    ...(isInline ? { dataInline: "true" } : {}),
  };
  return element(placeholderTag, properties, ...children);
}

function parseProps(json: string): ComponentProps {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? (value as ComponentProps) : {};
  } catch (error) {
    // Documents can write the placeholder's tag themselves, with anything in it.
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** Reads a placeholder back; `undefined` for any other node. */
export function readPlaceholder(node: ElementContent): Component | undefined {
  if (node.type !== "element" || node.tagName !== placeholderTag) return undefined;
  return {
    name: stringProperty(node, "dataName") ?? "",
    props: parseProps(stringProperty(node, "dataProps") ?? "{}"),
    children: node.children,
    isInline: stringProperty(node, "dataInline") === "true",
  };
}
