import type { Nodes, Root, RootContent } from "mdast";
import { cutText } from "../base/text.ts";

/** The first part of a block that prints within `room` characters; `undefined` where nothing worth showing does. */
export function shortenBlock(
  block: RootContent,
  { room, print }: { readonly room: number; readonly print: (root: Root) => string },
): string | undefined {
  if (room < 200) return undefined;
  const printed = (node: RootContent) => print({ type: "root", children: [node] }).trim();
  let share = Math.min(1, room / printed(block).length);
  for (let tries = 0; tries < 8; tries += 1) {
    const shorter = firstPart(block, share);
    const piece = shorter === undefined ? "" : printed(shorter);
    if (piece === "") return undefined;
    if (piece.length <= room) return piece;
    share *= 0.85;
  }
  return undefined;
}

/** A node with about this share of its content; `undefined` where none is left. */
function firstPart<Node extends Nodes>(node: Node, share: number): Node | undefined {
  if ("value" in node) {
    const value = cutText(node.value, Math.floor(node.value.length * share));
    return value === "" ? undefined : { ...node, value };
  }
  if (!("children" in node)) return share > 0 ? node : undefined;
  const wanted = node.children.length * share;
  const whole = Math.floor(wanted);
  const next = node.children[whole];
  const part = next === undefined ? undefined : firstPart(next, wanted - whole);
  const children = [...node.children.slice(0, whole), ...(part === undefined ? [] : [part])];
  return children.length === 0 ? undefined : ({ ...node, children } as Node);
}
