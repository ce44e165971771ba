/** Plain text of an answer in pieces, so that nothing in it becomes a mention, a reference or a link by itself. */
import type { PhrasingContent } from "mdast";
import { type LinkPolicy, resolveLink } from "./link-policy.ts";

/** What GitHub turns into something else, most specific first: addresses, commits, mentions, issues. */
const active =
  /\b(?:https?|ftp):\/\/[^\s<>`]+|(?<![\w.-])www\.[^\s<>`]+|[\w-]+\/[\w.-]+@[0-9a-f]{7,40}\b|(?<![\p{L}\p{N}])@[a-z\d][\w-]*(?:\/[\w.-]+)?|(?:[\w.-]+\/[\w.-]+|\b[\w-]+)?#\d+\b|\bGH-\d+\b/giu;

/** Trailing punctuation belongs to the sentence, not to the address. */
const trailing = /[.,;:!?'"*_~)\]]+$/;

/** The text as nodes: mentions, references and foreign addresses as code, addresses of the documentation as links. */
export function neutralize(text: string, policy: LinkPolicy): PhrasingContent[] {
  const nodes: PhrasingContent[] = [];
  let end = 0;
  for (const match of text.matchAll(active)) {
    const token = /^(?:\w+:\/\/|www\.)/i.test(match[0]) ? match[0].replace(trailing, "") : match[0];
    if (match.index > end) nodes.push({ type: "text", value: text.slice(end, match.index) });
    nodes.push(...neutralToken(token, policy));
    end = match.index + token.length;
  }
  if (end < text.length) nodes.push({ type: "text", value: text.slice(end) });
  return nodes;
}

function neutralToken(token: string, policy: LinkPolicy): PhrasingContent[] {
  const url = /^https?:\/\//i.test(token) ? resolveLink(token, policy) : undefined;
  if (url === undefined) return [{ type: "inlineCode", value: token }];
  return [{ type: "link", url, children: [{ type: "text", value: token }] }];
}
