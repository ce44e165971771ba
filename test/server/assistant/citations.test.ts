import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCitations } from "../../../src/server/assistant/model-answer.ts";

function check(pieces: readonly string[]) {
  const citations = createCitations(["/a#one", "/b"]);
  const text = pieces.map((piece) => citations.feed(piece)).join("") + citations.end();
  return { text, cited: [...citations.cited] };
}

describe("citations", () => {
  test("become links to their passages, numbered in the order of their first mention", () => {
    expect(check(["x [2][1] y [2]"])).toEqual({
      text: "x [\\[2\\]](/b)[\\[1\\]](/a#one) y [\\[2\\]](/b)",
      cited: [2, 1],
    });
  });

  test.each([
    "Take `items[1]` and ``a ` [2]``.",
    "```js\nlet a = items[1];\n[x](https://evil.example)\n```\n",
    "1. First:\n\n   ~~~sh\n   echo ${a[1]}\n   ~~~\n",
    "> ````\n> ```\n> a[2]\n> ````\n",
    "array[0]",
  ])("are not recognized in code: %j", (text) => {
    expect(check([text])).toEqual({ text, cited: [] });
    expect(check([...text])).toEqual({ text, cited: [] });
  });

  test("are recognized again after code", () => {
    expect(check(["```\na[1]\n```\nSee `b[1]`, [1]."]).text).toBe(
      "```\na[1]\n```\nSee `b[1]`, [\\[1\\]](/a#one).",
    );
  });

  test.each(["`", "["])("do not hold an answer back after an open %s", (opening) => {
    const { feed } = createCitations(["/a"]);
    const text = `${opening}${"word ".repeat(300)}`;
    expect(feed(text)).toBe(text);
    expect(feed("[1] [x](https://evil.example) and")).toBe("[\\[1\\]](/a) x and");
  });

  test("do not depend on where the stream is split", () => {
    const text =
      "See [1], [3], [here](/b), [there](https://evil.example) ![p](x.png) `a[1]` and array[0]\n\n```js\nb[1]\n```\n- `` c[2] `` [2]\n\n[open";
    const whole = check([text]);
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 10 }), (cuts) => {
        const borders = [0, ...cuts.toSorted((a, b) => a - b), text.length];
        expect(check(borders.slice(1).map((end, index) => text.slice(borders[index], end)))).toEqual(whole);
      }),
    );
    expect(whole.text).not.toContain("evil");
  });
});
