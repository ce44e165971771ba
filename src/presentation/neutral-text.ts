/** Plain text of an answer in pieces, so that nothing in it becomes a mention, a reference or a link by itself. */
import type { PhrasingContent } from "mdast";
import { type LinkPolicy, resolveLink } from "./link-policy.ts";

/** What GitHub turns into something else, most specific first. */
const active = new RegExp(
  [
    // What looks like a tag, and addresses.
    String.raw`<[a-z/!?][^<>\n]*>?|(?:https?|ftp)://[^\s<>${"`"}]+|(?<![\p{L}\p{N}])www\.[^\s<>${"`"}]+`,
    // Commits: of a repository, or as digits and letters that may be one.
    String.raw`[\w-]{1,40}/[\w.-]{1,100}@[0-9a-f]{7,40}\b`,
    String.raw`(?<![\w.+%/-])(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}(?![\w%])`,
    // Mentions of people and teams.
    String.raw`(?<![\p{L}\p{N}])(?:@[a-z\d][\w-]*(?:/[\w.-]+)?)+`,
    // Issues and pull requests.
    String.raw`(?:[\w.-]{1,40}/[\w.-]{1,100}|\b[\w-]{1,40})?#\d+\b|\bGH-\d+\b`,
  ].join("|"),
  "giu",
);

/** Trailing punctuation belongs to the sentence, not to the address. */
const trailing = /[.,;:!?'"*_~)\]]+$/;

/** The text as nodes: mentions, references and foreign addresses as code, addresses of the documentation as links. */
export function neutralize(text: string, policy: LinkPolicy): PhrasingContent[] {
  const nodes: PhrasingContent[] = [];
  let end = 0;
  const addText = (until: number) => {
    const piece = text.slice(end, until);
    if (piece === text) nodes.push(textNode(piece));
    // Beside code, a text begins or ends anew: what was part of a word before may be a mention now.
    else if (piece !== "") nodes.push(...neutralize(piece, policy));
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
