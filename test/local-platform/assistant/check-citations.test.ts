import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCitations } from "../../../src/local-platform/assistant/check-citations.ts";

function check(pieces: readonly string[]) {
  const citations = createCitations(["/a#one", "/b"]);
  const text = pieces.map((piece) => citations.feed(piece)).join("") + citations.end();
  return { text, cited: citations.cited };
}

describe("citations", () => {
  test("become links to their passages, in the order of their first mention", () => {
    expect(check(["x [2][1] y [2]"])).toEqual({
      text: "x [\\[2\\]](/b)[\\[1\\]](/a#one) y [\\[2\\]](/b)",
      cited: [2, 1],
    });
  });

  test("are the same wherever the stream is split", () => {
    const text = "See [1], [3], [here](/b), [there](https://evil.example) ![p](x.png) and array[0] [open";
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
