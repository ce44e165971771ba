/** Plain text of an answer in pieces, so that nothing in it becomes a mention, a reference or a link by itself. */
import type { PhrasingContent } from "mdast";
import { type LinkPolicy, resolveLink } from "./link-policy.ts";

/** What GitHub turns into something else, most specific first: what looks like a tag, addresses, commits, mentions, issues. */
const active =
  /<[a-z/!?][^<>\n]*>?|(?:https?|ftp):\/\/[^\s<>`]+|(?<![\p{L}\p{N}])www\.[^\s<>`]+|[\w-]+\/[\w.-]+@[0-9a-f]{7,40}\b|(?<![\p{L}\p{N}])(?:@[a-z\d][\w-]*(?:\/[\w.-]+)?)+|(?:[\w.-]+\/[\w.-]+|\b[\w-]+)?#\d+\b|\bGH-\d+\b/giu;

/** Trailing punctuation belongs to the sentence, not to the address. */
const trailing = /[.,;:!?'"*_~)\]]+$/;

/** The text as nodes: mentions, references and foreign addresses as code, addresses of the documentation as links. */
export function neutralize(text: string, policy: LinkPolicy): PhrasingContent[] {
  const nodes: PhrasingContent[] = [];
  let end = 0;
  const addText = (until: number) => {
    const piece = text.slice(end, until);
    // Behind code, a text begins anew: what was part of a word before may be a mention now.
    if (piece !== "") nodes.push(...(end > 0 ? neutralize(piece, policy) : [textNode(piece)]));
  };
  for (const match of text.matchAll(active)) {
    const token = /^(?:\w+:\/\/|www\.)/i.test(match[0]) ? match[0].replace(trailing, "") : match[0];
    addText(match.index);
    nodes.push(...neutralToken(token, policy));
    end = match.index + token.length;
  }
  addText(text.length);
  return nodes;
}

function textNode(value: string): PhrasingContent {
  return { type: "text", value };
}

function neutralToken(token: string, policy: LinkPolicy): PhrasingContent[] {
  const url = /^https?:\/\//i.test(token) ? resolveLink(token, policy) : undefined;
  if (url === undefined) return [{ type: "inlineCode", value: token }];
  return [{ type: "link", url, children: [{ type: "text", value: token }] }];
}
