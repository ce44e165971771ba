/**
 * Emphasis in Chinese, Japanese and Korean. These have no spaces around words, and CommonMark takes `**` for a sign, or for the
 * wrong end, where a letter is on one side and punctuation on the other: `これは**「語」**です`.
 */
import type { Data, Processor } from "unified";

type Syntax = NonNullable<Data["micromarkExtensions"]>[number];
type Construct = Exclude<NonNullable<NonNullable<Syntax["text"]>[number]>, readonly unknown[]>;
type Effects = Parameters<Construct["tokenize"]>[0];
type Code = Parameters<NonNullable<Construct["previous"]>>[0];

const asterisk = 42;
/** Letters and punctuation of these scripts; none is outside of Unicode's first plane here, as the parser reads UTF-16. */
const cjkCharacter = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3001-\u303F\uFF01-\uFFEF]/u;

function isCjk(code: Code): boolean {
  return code !== null && code > 0x1100 && cjkCharacter.test(String.fromCharCode(code));
}

function isPunctuation(code: Code): boolean {
  return code !== null && code > 0 && /[\p{P}\p{S}]/u.test(String.fromCharCode(code));
}

/** CommonMark's own construct, but that asterisks between such a character and punctuation may begin emphasis after it, and end it before it. */
const tokenize: Construct["tokenize"] = function (effects, ok, nok) {
  const { previous, currentConstruct } = this;
  const known = [this.parser.constructs.text[asterisk] ?? []].flat();
  const original = known.find((other) => other.name === "attention" && other.tokenize !== tokenize);
  if (original === undefined || currentConstruct === undefined) return nok;
  // Processors copy their constructs: only the parser knows the one that it uses.
  currentConstruct.resolveAll = original.resolveAll;
  let sequence: ReturnType<Effects["exit"]> | undefined;
  const exit: Effects["exit"] = (type) => {
    sequence = effects.exit(type);
    return sequence;
  };
  const end = (code: Code) => {
    if (sequence !== undefined && isCjk(previous) && isPunctuation(code)) sequence._open = true;
    if (sequence !== undefined && isCjk(code) && isPunctuation(previous)) sequence._close = true;
    return ok(code);
  };
  return original.tokenize.call(this, { ...effects, exit }, end, nok);
};

/** Lets bold and italic words stand between letters of Chinese, Japanese and Korean. */
export function cjkEmphasis(this: Processor): void {
  const data = this.data();
  data.micromarkExtensions = [
    ...(data.micromarkExtensions ?? []),
    { text: { [asterisk]: { name: "attention", tokenize } } },
  ];
}
