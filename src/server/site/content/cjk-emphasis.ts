/**
 * Emphasis in Chinese, Japanese and Korean. These scripts have no spaces around words. If a letter is on one side of `**`
 * and punctuation on the other, CommonMark reads `**` as text or as the wrong end of the emphasis: `これは**「語」**です`.
 */
import type { Data, Processor } from "unified";

type Syntax = NonNullable<Data["micromarkExtensions"]>[number];
type Construct = Exclude<NonNullable<NonNullable<Syntax["text"]>[number]>, readonly unknown[]>;
type Effects = Parameters<Construct["tokenize"]>[0];
type Code = Parameters<NonNullable<Construct["previous"]>>[0];

const asterisk = 42;
/** Letters and punctuation of these scripts in Unicode's first plane; the parser reads UTF-16 code units. */
const cjkCharacter = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3001-\u303F\uFF01-\uFFEF]/u;

function isCjk(code: Code): boolean {
  return code !== null && code > 0x1100 && cjkCharacter.test(String.fromCharCode(code));
}

function isPunctuation(code: Code): boolean {
  return code !== null && code > 0 && /[\p{P}\p{S}]/u.test(String.fromCharCode(code));
}

/** CommonMark's construct, except that asterisks between a CJK character and punctuation can open or close emphasis. */
const tokenize: Construct["tokenize"] = function (effects, ok, nok) {
  const { previous, currentConstruct } = this;
  const constructs = [this.parser.constructs.text[asterisk] ?? []].flat();
  const original = constructs.find((other) => other.name === "attention" && other.tokenize !== tokenize);
  if (original === undefined || currentConstruct === undefined) return nok;
  // Each processor copies its constructs, so this must be set on the parser's current copy.
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

/** A remark plugin that recognizes bold and italic words between Chinese, Japanese and Korean letters. */
export function cjkEmphasis(this: Processor): void {
  const data = this.data();
  data.micromarkExtensions = [
    ...(data.micromarkExtensions ?? []),
    { text: { [asterisk]: { name: "attention", tokenize } } },
  ];
}
