/** How much of an agent's output is kept. */
const maxBytes = 1024 * 1024;
const tailBytes = 2000;

/** Passes output on up to a limit, and remembers its end. */
export function capOutput({ write }: { write: (chunk: Uint8Array) => void }) {
  let total = 0;
  let last = Buffer.alloc(0);
  return {
    add: (chunk: Buffer): void => {
      const room = Math.max(0, maxBytes - total);
      if (room > 0) write(chunk.subarray(0, room));
      if (room > 0 && chunk.length > room) {
        write(Buffer.from(`\n[output beyond ${maxBytes} bytes is left out]\n`));
      }
      total += chunk.length;
      last = Buffer.concat([last, chunk]).subarray(-tailBytes);
    },
    /** The last lines, as text in one line. */
    tail: (): string =>
      last
        .toString("utf8")
        .trim()
        .split(/\s*\n\s*/)
        .slice(-5)
        .join(" / "),
  };
}
