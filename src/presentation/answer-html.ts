/** What is left of raw HTML in an answer: the words between the tags. */
import type { Html, PhrasingContent } from "mdast";

/** The words between the tags of a block of HTML; a script's or style's are none. */
export function textOfHtml({ value }: Html): PhrasingContent[] {
  const text = value
    .replace(/<!--[\s\S]*?(?:--!?>|$)/g, " ")
    .replace(/<(script|style|svg|iframe|object)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, " ")
    .replace(/<[^>]*(?:>|$)/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return text === "" ? [] : [{ type: "inlineCode", value: text }];
}

const htmlTag =
  /^<\/?(?:a|abbr|b|big|blockquote|body|br|button|center|code|dd|del|details|div|dl|dt|em|embed|figure|font|form|frame|h[1-6]|head|hr|html|i|iframe|img|input|ins|kbd|li|link|math|meta|object|ol|p|picture|pre|q|s|samp|script|section|select|small|source|span|strike|strong|style|sub|summary|sup|svg|table|tbody|td|textarea|tfoot|th|thead|title|tr|tt|u|ul|var|video|audio)\b/i;

/** `Array<string>` was meant as text; `<img …>` and comments were not, and `<br>` parts words. */
export function textOfInlineHtml({ value }: Html): PhrasingContent[] {
  if (/^<br\b/i.test(value)) return [{ type: "text", value: " " }];
  if (/^<[!?]/.test(value) || htmlTag.test(value)) return [];
  return [{ type: "inlineCode", value }];
}
