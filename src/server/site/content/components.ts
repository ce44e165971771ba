/** Every component that pages may use, and the pass that gives them their markup. */
import type { ElementContent, Root } from "hast";
import { h } from "hastscript";
import { Component, type ComponentRenderer, type Expansion, placeholderTag } from "./component.ts";
import { blockComponents } from "./component-blocks.ts";
import { cardComponents } from "./component-cards.ts";
import { fieldComponents } from "./component-fields.ts";
import { mediaComponents } from "./component-media.ts";
import { tabComponents } from "./component-tabs.ts";
import { isElement } from "./hast.ts";

const renderers: ReadonlyMap<string, ComponentRenderer> = new Map(
  Object.entries({
    ...blockComponents,
    ...cardComponents,
    ...fieldComponents,
    ...mediaComponents,
    ...tabComponents,
  }),
);

/** Component names by their lower-case spelling, which is all that an HTML parser leaves of them. */
export const componentNamesByLowerCase: ReadonlyMap<string, string> = new Map(
  [...renderers.keys()].map((name) => [name.toLowerCase(), name]),
);

/** Deeper nesting is cut: no page needs it, and recursion has an end. */
const maxDepth = 100;

/** Gives every component of a sanitized tree its markup; unknown ones keep their content and are reported. */
export function expandComponents(tree: Root, onUnknown: (name: string) => void): Root {
  let ids = 0;
  let depth = 0;

  function nextId(kind: string): string {
    ids += 1;
    return `docs-${kind}-${ids}`;
  }

  function expand(nodes: readonly ElementContent[]): ElementContent[] {
    if (depth >= maxDepth) return [];
    depth += 1;
    const expanded = nodes.flatMap(expandNode);
    depth -= 1;
    return expanded;
  }

  function expandNode(node: ElementContent): ElementContent | ElementContent[] {
    if (node.type !== "element") return node;
    if (!isElement(node, placeholderTag)) return { ...node, children: expand(node.children) };
    const component = new Component(node, expansion);
    // `Tabs.Tab` and the like are found by their last word.
    const renderer = renderers.get(component.name) ?? renderers.get(component.name.replace(/^.*\./, ""));
    if (renderer !== undefined) return renderer(component);
    onUnknown(component.name);
    return renderUnknown(component);
  }

  const expansion: Expansion = { expand, nextId };
  return { type: "root", children: expand(tree.children as ElementContent[]) };
}

function renderUnknown(component: Component): ElementContent[] {
  const content = component.content();
  if (content.every((node) => node.type === "text" && node.value.trim() === "")) return [];
  return [h(component.isInline ? "span.unknown-component" : "div.unknown-component", content)];
}
