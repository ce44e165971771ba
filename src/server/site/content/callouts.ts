/** Callout syntax of other systems: GitHub's `> [!NOTE]`, and containers (`:::tip Title`, …, `:::`). */
import type { Nodes, Paragraph, Root, RootContent } from "mdast";
import { SKIP, visit } from "unist-util-visit";
import type { PageReporter } from "../report.ts";

const alert = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$)/i;

/** Replaces GitHub's alerts by callout components. */
export function readAlerts(tree: Root): void {
  visit(tree, "blockquote", (quote, index, parent) => {
    const [first] = quote.children;
    const [marker, name] = (first && alert.exec(firstText(first))) ?? [];
    if (marker === undefined || name === undefined || parent === undefined || index === undefined)
      return undefined;
    changeText(first as Paragraph, 0, (text) => text.slice(marker.length));
    parent.children[index] = createCallout(name, undefined, quote.children, quote);
    return [SKIP, index];
  });
}

const calloutNames = new Set(
  "note info tip hint success check important warning caution danger error".split(" "),
);
const opening = /^:{3,}[ \t]*([a-z][\w-]*)(?:\[([^\]\n]*)\][ \t]*|([ \t][^\n]*))?(?:\n|$)/i;
const closing = /(?:^|[ \t\n]):{3,}[ \t]*$/;

type Report = (name: string, line: number | undefined) => void;

/** Replaces containers by callout components. Other containers stay text; the first one is reported. */
export function readContainers(tree: Root, onWarning: PageReporter): void {
  let isReported = false;
  replaceContainers(tree, (name, line) => {
    if (!isReported) onWarning(`“:::${name}” is not a callout; such lines stay as written`, "markup", line);
    isReported = true;
  });
}

function replaceContainers(parent: Nodes, report: Report): void {
  if (!("children" in parent) || parent.type === "paragraph") return;
  const nodes = parent.children as RootContent[];
  const replaced: RootContent[] = [];
  const lastEnd = nodes.findLastIndex(isClosing);
  for (let index = 0; index < nodes.length; index += 1) {
    let node = nodes[index] as RootContent;
    const [marker, name = "", label, rest] = opening.exec(firstText(node)) ?? [];
    const isCallout = calloutNames.has(name.toLowerCase());
    if (name !== "" && !isCallout) report(name, node.position?.start.line);
    if (marker !== undefined && isCallout && index <= lastEnd) {
      const start = index;
      while (!isClosing(nodes[index] as RootContent)) index += 1;
      const content = nodes.slice(start, index + 1);
      changeText(content[0] as Paragraph, 0, (text) => text.slice(marker.length));
      changeText(content.at(-1) as Paragraph, -1, (text) => text.replace(closing, ""));
      node = createCallout(name, (label ?? rest)?.trim(), content, node);
    }
    replaced.push(node);
    replaceContainers(node, report);
  }
  parent.children = replaced as typeof parent.children;
}

function firstText(node: RootContent): string {
  const [first] = node.type === "paragraph" ? node.children : [];
  return first?.type === "text" ? first.value : "";
}

function isClosing(node: RootContent): boolean {
  const last = node.type === "paragraph" ? node.children.at(-1) : undefined;
  return last?.type === "text" && closing.test(last.value);
}

/** Changes a paragraph's first (0) or last (-1) text node, and removes it if it becomes blank. */
function changeText({ children }: Paragraph, index: 0 | -1, change: (text: string) => string): void {
  const text = children.at(index);
  if (text?.type !== "text") return;
  text.value = change(text.value);
  if (text.value.trim() === "") children.splice(index, 1);
}

/** Creates `<Tip title="…">` around these nodes, without paragraphs that became empty. */
function createCallout(
  name: string,
  title: string | undefined,
  nodes: readonly RootContent[],
  { position }: Nodes,
): RootContent {
  return {
    type: "mdxJsxFlowElement",
    name: name.charAt(0).toUpperCase() + name.slice(1).toLowerCase(),
    attributes: title ? [{ type: "mdxJsxAttribute", name: "title", value: title }] : [],
    children: nodes.filter((node) => node.type !== "paragraph" || node.children.length > 0),
    position,
  } as RootContent;
}
