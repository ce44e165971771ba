/** Callouts as other systems write them: GitHub's `> [!NOTE]`, and lines of colons, `:::tip Title`, …, `:::`. */
import type { Nodes, Paragraph, Root, RootContent } from "mdast";
import { SKIP, visit } from "unist-util-visit";
import type { PageReporter } from "../report.ts";

const alert = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$)/i;

/** Gives GitHub's alerts their component. */
export function readAlerts(tree: Root): void {
  visit(tree, "blockquote", (quote, index, parent) => {
    const [first] = quote.children;
    const [mark, name] = (first && alert.exec(firstText(first))) ?? [];
    if (mark === undefined || name === undefined || parent === undefined || index === undefined)
      return undefined;
    trim(first as Paragraph, 0, (text) => text.slice(mark.length));
    parent.children[index] = callout(name, undefined, quote.children, quote);
    return [SKIP, index];
  });
}

const calloutNames = new Set(
  "note info tip hint success check important warning caution danger error".split(" "),
);
const opening = /^:{3,}[ \t]*([a-z][\w-]*)(?:\[([^\]\n]*)\][ \t]*|([ \t][^\n]*))?(?:\n|$)/i;
const closing = /(?:^|[ \t\n]):{3,}[ \t]*$/;

type Report = (name: string, line: number | undefined) => void;

/** Gives callouts between lines of colons their component; such lines that mean something else stay, and are reported once. */
export function readContainers(tree: Root, onWarning: PageReporter): void {
  let isReported = false;
  gather(tree, (name, line) => {
    if (!isReported)
      onWarning(`“:::${name}” is no callout; such lines stay as they are written`, "markup", line);
    isReported = true;
  });
}

function gather(parent: Nodes, report: Report): void {
  if (!("children" in parent) || parent.type === "paragraph") return;
  const nodes = parent.children as RootContent[];
  const gathered: RootContent[] = [];
  const lastEnd = nodes.findLastIndex(closes);
  for (let at = 0; at < nodes.length; at += 1) {
    let node = nodes[at] as RootContent;
    const [mark, name = "", label, rest] = opening.exec(firstText(node)) ?? [];
    const isCallout = calloutNames.has(name.toLowerCase());
    if (name !== "" && !isCallout) report(name, node.position?.start.line);
    if (mark !== undefined && isCallout && at <= lastEnd) {
      const start = at;
      while (!closes(nodes[at] as RootContent)) at += 1;
      const content = nodes.slice(start, at + 1);
      trim(content[0] as Paragraph, 0, (text) => text.slice(mark.length));
      trim(content.at(-1) as Paragraph, -1, (text) => text.replace(closing, ""));
      node = callout(name, (label ?? rest)?.trim(), content, node);
    }
    gathered.push(node);
    gather(node, report);
  }
  parent.children = gathered as typeof parent.children;
}

function firstText(node: RootContent): string {
  const [first] = node.type === "paragraph" ? node.children : [];
  return first?.type === "text" ? first.value : "";
}

function closes(node: RootContent): boolean {
  const last = node.type === "paragraph" ? node.children.at(-1) : undefined;
  return last?.type === "text" && closing.test(last.value);
}

/** Changes the text at one end of a paragraph, and drops it where nothing of it is left. */
function trim({ children }: Paragraph, at: 0 | -1, change: (text: string) => string): void {
  const text = children.at(at);
  if (text?.type !== "text") return;
  text.value = change(text.value);
  if (text.value.trim() === "") children.splice(at, 1);
}

/** `<Tip title="…">` of some nodes, but for paragraphs of which nothing is left. */
function callout(
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
