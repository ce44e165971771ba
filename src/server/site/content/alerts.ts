import type { Blockquote, Paragraph, Root } from "mdast";
import { visit } from "unist-util-visit";
import { placeholderTag } from "./placeholder.ts";

const marker = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$)/i;
const componentByMarker: Record<string, string> = {
  NOTE: "Note",
  TIP: "Tip",
  IMPORTANT: "Info",
  WARNING: "Warning",
  CAUTION: "Danger",
};

function takeMarker(paragraph: Paragraph): string | undefined {
  const [first] = paragraph.children;
  if (first?.type !== "text") return undefined;
  const match = marker.exec(first.value);
  // "[!NOTE]" followed by a hard break is the marker too: the break is a node of its own.
  if (match === null) return undefined;
  first.value = first.value.slice(match[0].length);
  return componentByMarker[match[1]?.toUpperCase() ?? ""];
}

function markAlert(quote: Blockquote): void {
  const [first] = quote.children;
  if (first?.type !== "paragraph") return;
  const name = takeMarker(first);
  if (name === undefined) return;
  if (first.children.every((child) => child.type === "text" && child.value === "")) quote.children.shift();
  quote.data = { ...quote.data, hName: placeholderTag, hProperties: { dataName: name, dataProps: "{}" } };
}

/** Turns GitHub's alerts (a quote that starts with `[!NOTE]`) into the component of the same meaning. */
export function markAlerts(tree: Root): void {
  visit(tree, "blockquote", markAlert);
}
