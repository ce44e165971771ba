/** What a component is given and what it returns; one function of this shape per component. */
import type { ElementContent } from "hast";
import { element } from "../content/hast.ts";
import { type Component, readPlaceholder } from "../content/placeholder.ts";
import type { StaticValue } from "../content/static-value.ts";

/** What a component may ask of the page it is on. */
export interface ComponentContext {
  /** Gives placeholders among these nodes and below their markup. */
  expand(nodes: readonly ElementContent[]): ElementContent[];
  /** An identifier that is used once on the page. */
  nextId(kind: string): string;
}

/** Gives a component its markup. */
export type ComponentRenderer = (component: Component, context: ComponentContext) => ElementContent[];

/** The first of these properties that has a text to show. */
export function textProp(
  { props }: Pick<Component, "props">,
  ...names: readonly string[]
): string | undefined {
  for (const name of names) {
    const value = props[name];
    if (typeof value === "string" && value.trim() !== "") return value;
    if (typeof value === "number") return String(value);
  }
  return undefined;
}

/** Whether a property is set, as JSX and as HTML write it. */
export function flagProp({ props }: Pick<Component, "props">, name: string): boolean {
  const value = props[name];
  return value === true || value === "true" || value === "";
}

/** The properties of an object among a component's literals. */
export function asRecord(value: StaticValue | undefined): Readonly<Record<string, StaticValue>> {
  const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
  return isRecord ? (value as Readonly<Record<string, StaticValue>>) : {};
}

/** The objects of a list among a component's literals. */
export function recordsOf(value: StaticValue | undefined): readonly Readonly<Record<string, StaticValue>>[] {
  return Array.isArray(value) ? value.map(asRecord) : [];
}

/** The components directly among these nodes, through paragraphs that hold nothing else. */
export function childComponents(nodes: readonly ElementContent[]): readonly Component[] {
  return nodes.flatMap((node) => {
    const component = readPlaceholder(node);
    if (component !== undefined) return [component];
    return node.type === "element" && node.tagName === "p" ? childComponents(node.children) : [];
  });
}

/** Text with `code` between back-ticks, as descriptions in properties are written. */
export function inlineText(text: string): ElementContent[] {
  return text
    .split(/(`[^`]+`)/)
    .filter((part) => part !== "")
    .map((part) =>
      part.length > 2 && part.startsWith("`") && part.endsWith("`")
        ? element("code", {}, part.slice(1, -1))
        : { type: "text", value: part },
    );
}
