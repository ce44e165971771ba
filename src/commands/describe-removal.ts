import type { RemovedContent } from "../github/visible-text.ts";
import { formatCount } from "../presentation/markdown.ts";

/** The receipt of what was taken out, as a sentence; `undefined` where nothing was. */
export function describeRemoval(
  { hiddenSegments, invisibleCharacters }: RemovedContent,
  where: string,
): string | undefined {
  const parts = [
    ...(hiddenSegments === 0 ? [] : [formatCount(hiddenSegments, "hidden segment")]),
    ...(invisibleCharacters === 0 ? [] : [formatCount(invisibleCharacters, "invisible character")]),
  ];
  return parts.length === 0
    ? undefined
    : `Removed from ${where}, because GitHub does not show it: ${parts.join(" and ")}.`;
}
