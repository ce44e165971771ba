// A carriage return at the end of a chunk may be the first half of `\r\n`: it waits for the next one.
const LINE_END = /\r(?=[\s\S])|\n/;

/** Cuts a stream of text into lines as .NET's `ReadLine` does: `\n`, `\r\n` and a lone `\r` end a line. */
export function createLineReader(onLine: (line: string) => void) {
  let pending = "";
  return {
    push(chunk: string) {
      pending += chunk;
      for (let end = pending.search(LINE_END); end >= 0; end = pending.search(LINE_END)) {
        const length = pending.startsWith("\r\n", end) ? 2 : 1;
        onLine(pending.slice(0, end));
        pending = pending.slice(end + length);
      }
    },
    end() {
      if (pending !== "") onLine(pending.replace(/\r$/, ""));
      pending = "";
    },
  };
}
