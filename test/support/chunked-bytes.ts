/** Cuts a body into chunks, for tests that must not depend on where the network cuts it. */
import { setImmediate as turn } from "node:timers/promises";

/** The bytes of a text, cut at the given offsets. */
export async function* chunksCutAt(text: string, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const borders = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
  for (const [index, start] of borders.slice(0, -1).entries()) {
    yield bytes.subarray(start, borders[index + 1]);
    await turn();
  }
}

/** One chunk per byte. */
export function singleBytes(text: string): AsyncGenerator<Uint8Array> {
  const { length } = new TextEncoder().encode(text);
  return chunksCutAt(
    text,
    Array.from({ length: Math.max(0, length - 1) }, (_, index) => index + 1),
  );
}
