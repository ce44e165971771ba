/** Bytes to text to lines, whatever the chunks' borders. */
import { createStage, StreamFault } from "./stream-fault.ts";

type Stage<In, Out> = TransformStream<In | StreamFault, Out | StreamFault>;

/** Decodes UTF-8, also where a chunk ends inside a character; bytes that are not UTF-8 become U+FFFD. */
export function decodeText(): Stage<Uint8Array, string> {
  const decoder = new TextDecoder();
  return createStage<Uint8Array, string>({
    transform(chunk, emit) {
      const text = decoder.decode(chunk, { stream: true });
      if (text !== "") emit(text);
    },
    flush(emit) {
      const text = decoder.decode();
      if (text !== "") emit(text);
    },
  });
}

/** A line without its line end; `ended` is false for a last line that had none, and so may be cut off. */
export interface Line {
  readonly text: string;
  readonly ended: boolean;
}

/**
 * Splits text into lines at LF or CRLF, without them. Each character is looked at once, so lines of megabytes cost what
 * their length costs; a line longer than `maxLength` characters ends the stream.
 */
export function splitLines({ maxLength }: { maxLength: number }): Stage<string, Line> {
  let pieces: string[] = [];
  let length = 0;

  function take(piece: string): string {
    const line = pieces.length === 0 ? piece : pieces.join("") + piece;
    pieces = [];
    length = 0;
    return line.endsWith("\r") ? line.slice(0, -1) : line;
  }

  return createStage<string, Line>({
    transform(text, emit) {
      let start = 0;
      for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
        emit({ text: take(text.slice(start, end)), ended: true });
        start = end + 1;
      }
      const rest = text.slice(start);
      if (rest === "") return;
      pieces.push(rest);
      length += rest.length;
      if (length > maxLength)
        emit(new StreamFault("too-long", `a line is longer than ${maxLength} characters`));
    },
    flush(emit) {
      if (pieces.length > 0) emit({ text: take(""), ended: false });
    },
  });
}
