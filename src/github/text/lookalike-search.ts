/** Text that is shown as it stands, but is an HTML comment, and so invisible, wherever it is decoded once more. */
import type { SourceRange } from "./markdown.ts";
import type { Unseen } from "./unseen.ts";

const lessThan = "(?:<|&lt;?|&LT;?|&#0*60;?|&#[xX]0*3[cC];?)";
const bang = "(?:!|&excl;|&#0*33;?|&#[xX]0*21;?)";
const dash = "(?:-|&hyphen;|&dash;|&#0*45;?|&#[xX]0*2[dD];?)";
const greaterThan = "(?:>|&gt;?|&GT;?|&#0*62;?|&#[xX]0*3[eE];?)";
const backslash = "\\\\?";
/** Its beginning, in any spelling. */
const lookalikeStart = new RegExp(
  `${backslash}${lessThan}${backslash}${bang}${backslash}${dash}${backslash}${dash}`,
);
/** Its end, in any spelling. */
const lookalikeEnd = new RegExp(`${dash}${backslash}${dash}${backslash}${bang}?${backslash}${greaterThan}`);

/** Searches the texts of a document, in their order, for such comments. */
export class LookalikeSearch {
  readonly #source: string;
  #isInside = false;

  constructor(source: string) {
    this.#source = source;
  }

  /** Whether a comment has begun and not ended in this block. */
  get isInside(): boolean {
    return this.#isInside;
  }

  /** Begins a block; what a block leaves open ends with it. */
  enterBlock(): void {
    this.#isInside = false;
  }

  /** The parts of the next text that belong to such comments. */
  find({ start, end }: SourceRange): Unseen[] {
    const found: Unseen[] = [];
    for (let offset = start; offset < end; ) {
      const rest = this.#source.slice(offset, end);
      if (this.#isInside) {
        const closing = lookalikeEnd.exec(rest);
        this.#isInside = closing === null;
        const cutEnd = closing ? offset + closing.index + closing[0].length : end;
        found.push({ start: offset, end: cutEnd, hidesText: true, replacement: "" });
        offset = cutEnd;
      } else {
        const opening = lookalikeStart.exec(rest);
        this.#isInside = opening !== null;
        offset = opening ? offset + opening.index : end;
      }
    }
    return found;
  }
}
