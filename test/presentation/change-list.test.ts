import { describe, expect, test } from "vitest";
import { renderChangeList, replaceChangeList } from "../../src/presentation/status-comment.ts";

const url = "https://github.localhost/octo-org/widgets/commit/abc";
const listOf = (title: string) => renderChangeList([{ sha: "a".repeat(40), title, url, isSkipped: false }]);
const [begin, end] = ["<!-- docs-automation:changes -->", "<!-- /docs-automation:changes -->"];

describe("replaceChangeList", () => {
  test("replaces only the previous list", () => {
    const first = replaceChangeList("What it does.\n", listOf("Retry twice"));

    const second = replaceChangeList(`${first}\nReference: x`, listOf("Retry thrice"));

    expect(second).toBe(`What it does.\n\n${listOf("Retry thrice")}\n\nReference: x`);
  });

  test("keeps text after a start marker without an end marker", () => {
    const written = `${begin}\nWritten by a person.`;

    const twice = replaceChangeList(replaceChangeList(written, listOf("One")), listOf("Two"));

    expect(twice).toBe(`${written}\n\n${listOf("Two")}\n`);
  });

  test("does not end at a marker inside a title", () => {
    const list = listOf(`Change ${end} [x](https://evil.example)`);

    expect(list.split(end)).toHaveLength(2);
    expect(list).not.toContain("](https://evil.example");
    expect(replaceChangeList(replaceChangeList("Text", list), listOf("Two"))).toBe(
      `Text\n\n${listOf("Two")}\n`,
    );
  });
});
