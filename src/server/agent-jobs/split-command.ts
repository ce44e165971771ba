import { InputError } from "../../base/errors.ts";

const token =
  /'(?<single>[^']*)'|"(?<double>(?:[^"\\]|\\.)*)"|\\(?<escaped>.)|(?<plain>[^\s'"\\]+)|(?<space>\s+)/gsuy;

/**
 * Splits a command line into program and arguments as a shell would, without being one: words are separated by white space,
 * `'…'` is taken literally, in `"…"` a backslash escapes `"` and `\`, elsewhere any character. Nothing is expanded: `$`, `*`,
 * `~`, `|`, `;` and `>` mean themselves.
 *
 * @throws {InputError} for an empty command and for a quote that is not closed.
 */
export function splitCommand(command: string): [program: string, ...argv: string[]] {
  const words: string[] = [];
  let word: string | undefined;
  let end = 0;
  for (const match of command.matchAll(token)) {
    end = match.index + match[0].length;
    const { single, double, escaped, plain, space } = match.groups ?? {};
    if (space === undefined) {
      word = (word ?? "") + (single ?? double?.replaceAll(/\\(["\\])/g, "$1") ?? escaped ?? plain ?? "");
    } else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  if (word !== undefined) words.push(word);
  if (end < command.length) {
    throw new InputError([`agent-command: the quote at character ${end + 1} is not closed`]);
  }
  const [program, ...argv] = words;
  if (program === undefined || program === "") throw new InputError(["agent-command: names no program"]);
  return [program, ...argv];
}
