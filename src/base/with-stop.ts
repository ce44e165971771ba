/** Somebody else's words as a sentence: with a full stop where they end without a mark. */
export function withStop(text: string): string {
  const words = text.trim();
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}
