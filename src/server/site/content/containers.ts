/** Callouts as other documentation systems write them, between lines of colons: `:::tip Title`, …, `:::`. */
import type { Nodes, Paragraph, Root, RootContent } from "mdast";
import type { PageReporter } from "../report.ts";

const calloutNames = new Set(
  "note info tip hint success check important warning caution danger error".split(" "),
);
const opening = /^:{3,}[ \t]*([a-z][\w-]*)(?:\[([^\]\n]*)\][ \t]*|([ \t][^\n]*))?(?:\n|$)/i;
const closing = /(?:^|[ \t\n]):{3,}[ \t]*$/;

type Report = (name: string, line: number | undefined) => void;

/** Gives a page's callouts their component; lines of colons that mean something else stay, and are reported once. */
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
      const content = takeMarks(nodes.slice(start, at + 1), mark.length);
      node = toCallout(name.toLowerCase(), (label ?? rest)?.trim(), content, node);
    }
    gathered.push(node);
    gather(node, report);
  }
  parent.children = gathered as typeof parent.children;
}

/** What is between the marks at the beginning of the first and at the end of the last of these nodes. */
function takeMarks(nodes: RootContent[], length: number): RootContent[] {
  trim(nodes[0] as Paragraph, 0, (text) => text.slice(length));
  trim(nodes.at(-1) as Paragraph, -1, (text) => text.replace(closing, ""));
  return nodes.filter((node) => node.type !== "paragraph" || node.children.length > 0);
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

function toCallout(
  type: string,
  title: string | undefined,
  children: RootContent[],
  { position }: Nodes,
): RootContent {
  const attributes = Object.entries({ type, title })
    .filter(([, value]) => value)
    .map(([name, value]) => ({ type: "mdxJsxAttribute", name, value }));
  return {
    type: "mdxJsxFlowElement",
    name: "Callout",
    attributes,
    children,
    position,
  } as unknown as RootContent;
}
