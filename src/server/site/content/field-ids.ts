import type { Element, Root } from "hast";
import { visit } from "unist-util-visit";

function toKebabCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
}

/** Gives fields of a reference an identifier, `onFinish` the identifier `on-finish`, where no heading or earlier field has it. */
export function identifyFields(tree: Root, taken: ReadonlySet<string>): void {
  const used = new Set(taken);
  visit(tree, "element", (node: Element) => {
    const { dataField } = node.properties;
    if (typeof dataField !== "string") return;
    delete node.properties["dataField"];
    const id = toKebabCase(dataField);
    if (id === "" || used.has(id)) return;
    used.add(id);
    node.properties["id"] = id;
  });
}
