const pieces = {
  gap: /[\s/]*/y,
  name: /[^\s/>][^\s/>=]*/y,
  equals: /\s*=\s*/y,
  value: /"[^"]*"|'[^']*'|(?!["'])[^\s>]*/y,
} as const;

/**
 * Where a tag ends whose name ends at `offset`, behind its `>`; `undefined` if it never does.
 *
 * Attributes are read as browsers read them (WHATWG HTML §13.2.5): a quote holds a `>` only as the beginning of a value.
 */
export function endOfTag(source: string, offset: number): number | undefined {
  let at = offset;
  const take = (piece: RegExp): boolean => {
    piece.lastIndex = at;
    const isThere = piece.test(source);
    if (isThere) at = piece.lastIndex;
    return isThere;
  };
  while (at < source.length) {
    take(pieces.gap);
    if (source[at] === ">") return at + 1;
    if (!take(pieces.name)) return undefined;
    if (take(pieces.equals) && !take(pieces.value)) return undefined;
  }
  return undefined;
}
