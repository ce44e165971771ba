import type { ElementContent, Root } from "hast";
import { element, isBlank } from "../content/hast.ts";
import { type Component, readPlaceholder } from "../content/placeholder.ts";
import { callouts } from "./callouts.ts";
import { cards } from "./cards.ts";
import type { ComponentContext, ComponentRenderer } from "./component.ts";
import { fields } from "./fields.ts";
import { inline } from "./inline.ts";
import { sections } from "./sections.ts";
import { tabs } from "./tabs.ts";
import { visual } from "./visual.ts";

const renderers: ReadonlyMap<string, ComponentRenderer> = new Map(
  Object.entries({ ...callouts, ...cards, ...fields, ...inline, ...sections, ...tabs, ...visual }),
);

/** Component names by their lower-case spelling, which is all that an HTML parser leaves of them. */
export const componentNamesByLowerCase: ReadonlyMap<string, string> = new Map(
  [...renderers.keys()].map((name) => [name.toLowerCase(), name]),
);

/** Deeper nesting is cut: no page needs it, and recursion has an end. */
const maxDepth = 100;

function renderUnknown(component: Component, context: ComponentContext): ElementContent[] {
  const children = context.expand(component.children);
  if (children.every(isBlank)) return [];
  return [element(component.isInline ? "span" : "div", { className: ["unknown-component"] }, ...children)];
}

function findRenderer(name: string): ComponentRenderer | undefined {
  return renderers.get(name) ?? renderers.get(name.slice(name.lastIndexOf(".") + 1));
}

/** Gives every component of a sanitized tree its markup; unknown ones keep their content and are reported. */
export function expandComponents(
  tree: Root,
  { onUnknown }: { readonly onUnknown: (name: string) => void },
): Root {
  let ids = 0;
  let depth = 0;

  function expandNode(node: ElementContent): ElementContent[] {
    const component = readPlaceholder(node);
    if (component !== undefined) {
      const renderer = findRenderer(component.name);
      if (renderer === undefined) onUnknown(component.name);
      return (renderer ?? renderUnknown)(component, context);
    }
    return [node.type === "element" ? { ...node, children: expand(node.children) } : node];
  }

  function expand(nodes: readonly ElementContent[]): ElementContent[] {
    if (depth >= maxDepth) return [];
    depth += 1;
    const expanded = nodes.flatMap(expandNode);
    depth -= 1;
    return expanded;
  }

  function nextId(kind: string): string {
    ids += 1;
    return `docs-${kind}-${ids}`;
  }

  const context: ComponentContext = { expand, nextId };
  return { type: "root", children: expand(tree.children as ElementContent[]) };
}
