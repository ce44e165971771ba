/** Would colour, overwrite or reorder what stands in the log: control characters but tab and line ends, and bidirectional ones. */
const controls = /(?![\t\n\r\u0085])\p{Cc}|\p{Bidi_Control}/gu;

/** Text without characters that steer a terminal or the direction of writing. */
export function withoutControls(text: string): string {
  return text.replace(controls, "");
}

/**
 * Makes text safe for the job's log: the runner obeys a line that starts with `::` (after white space) and a
 * `##[command]` anywhere in one, whoever wrote it. A zero-width space in the middle takes the meaning, not the look.
 */
export function neutralizeCommands(text: string): string {
  return withoutControls(text)
    .split(/\r\n|[\r\n\u0085\u2028\u2029]/)
    .map((line) => line.replace(/^(\s*):(?=:)/, "$1:\u200b").replace(/##(?=\[)/g, "#\u200b#"))
    .join("\n");
}
