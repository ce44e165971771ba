/** The beginning of a text: at most `length` UTF-16 units, and never half a character. */
export function cutText(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}

/** Like `cutText`; an ellipsis, which counts, says that more followed. */
export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${cutText(text, length - 1)}…`;
}
