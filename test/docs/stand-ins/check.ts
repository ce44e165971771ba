import { isDeepStrictEqual } from "node:util";

/** Ends the program as the real one does when it does not know what it is asked for. */
export function refuse(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

/** Ends the program unless a statement about its arguments is true. */
export function check(isTrue: boolean, message: string): asserts isTrue {
  if (!isTrue) refuse(`${message}: ${process.argv.slice(2).join(" ")}`);
}

/** Whether words begin as they must. */
export function startsWith(words: readonly string[], ...first: readonly string[]): boolean {
  return isDeepStrictEqual(words.slice(0, first.length), [...first]);
}
