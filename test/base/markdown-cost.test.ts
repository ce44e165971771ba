import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runWithTimeLimit } from "../../src/base/markdown-cost.ts";
import { findTrigger } from "../../src/github/trigger.ts";
import { keepVisibleText, readVisibleText } from "../../src/github/visible-text.ts";
import { sanitizeAnswer } from "../../src/presentation/sanitize-answer.ts";

/** Work that never ends, and does what it can to go on. */
function runForever(): never {
  for (;;) {
    try {
      for (;;);
    } finally {
      runForever();
    }
  }
}

const links = { baseUrl: undefined, allowed: [] };

describe("runWithTimeLimit", () => {
  test("returns what the work returns, and throws what it throws", () => {
    const broken = new TypeError("A defect.");

    expect(runWithTimeLimit("a", (text) => ({ text }))).toStrictEqual({ text: "a" });
    expect(() =>
      runWithTimeLimit("b", () => {
        throw broken;
      }),
    ).toThrow(broken);
  });

  test("stops endless work and does not start it again", () => {
    let begun = 0;
    const work = () => {
      begun += 1;
      return runForever();
    };

    expect(runWithTimeLimit("endless", work, 20)).toBeUndefined();
    const tries = begun;
    expect(runWithTimeLimit("endless", work, 20)).toBeUndefined();
    expect(begun).toBe(tries);
    expect(runWithTimeLimit("another", () => "read", 1000)).toBe("read");
  });

  test("stops the search of a regular expression", () => {
    expect(runWithTimeLimit("pattern", () => /^(?:a+)+$/.test(`${"a".repeat(60)}b`), 20)).toBeUndefined();
  });

  test("stops nested work without stopping the outer work", () => {
    const outer = () => [runWithTimeLimit("inner", runForever, 20), "after"];

    expect(runWithTimeLimit("outer", outer, 60_000)).toStrictEqual([undefined, "after"]);
  });

  test("does work on a text of 8,000 lines, blank ones not counted, and no more", () => {
    const lines = "a\n\n".repeat(8000);

    expect(runWithTimeLimit(lines, () => "read")).toBe("read");
    expect(runWithTimeLimit(`${lines}a\n`, runForever)).toBeUndefined();
  });

  test("does no work on a text that is longer than any text of GitHub's", () => {
    expect(runWithTimeLimit("a".repeat(150_001), runForever)).toBeUndefined();
  });
});

describe("everything that reads untrusted text", () => {
  test("has a time limit, and continues without the text", () => {
    const source = "/docs explain *this*\n\nand **that**";
    runWithTimeLimit(source, runForever, 20);

    expect(findTrigger(source, ["/docs"])).toMatchObject({ kind: "near-miss", reason: "unreadable" });
    expect(readVisibleText(source)).toBeUndefined();
    expect(keepVisibleText(source)).toMatchObject({ text: "", hiddenSegments: 1 });
    expect(sanitizeAnswer(source, links, 1000).markdown).toBe(`\`\`\`text\n${source}\n\`\`\``);
  });

  /** What the parser, the search for hidden text or the printer does again and again for each. */
  const piece = fc.constantFrom(
    ..."&lt;!-- &amp; &#x200b; <!-- --> <? <![CDATA[ * ** _ ~~ [ ] ]( ![ [^1] ` `` \\ www. http://e.x a@b.c @ $ <b> </b> <rp> <x <a_b=' |a |-| -|- | > - 1. # --- = ( ) 1 é".split(
      " ",
    ),
    ..."\n|\n\n|    |\t| |[^1]: |[a]: |-|-\n|<x\n".split("|"),
  );
  const slow = fc
    .array(piece, { minLength: 1, maxLength: 3 })
    .map((pieces) => pieces.join("").replaceAll("_", " "))
    .map((pattern) => pattern.repeat(Math.floor(65_536 / pattern.length)));

  test.each<[string, (text: string) => unknown]>([
    ["quoted", readVisibleText],
    ["shown", (text) => sanitizeAnswer(text, links, 50_000)],
  ])("spends seconds at most on a text that is built to be slow, before it is %s", (_name, read) => {
    fc.assert(
      fc.property(slow, (text) => {
        // Time of this thread, which a busy machine does not change; a third and last try may have four times the limit.
        const before = process.threadCpuUsage();
        read(text);
        const { user, system } = process.threadCpuUsage(before);
        expect((user + system) / 1_000_000).toBeLessThan(2 * 6);
      }),
      { numRuns: 12, endOnFailure: true },
    );
  });
});
