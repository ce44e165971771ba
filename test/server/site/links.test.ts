import { describe, expect, test } from "vitest";
import { Redirects } from "../../../src/server/site/links.ts";

function find(address: string, ...rules: readonly (readonly [string, string])[]): string | undefined {
  return new Redirects(rules.map(([source, destination]) => ({ source, destination }))).find(address);
}

describe("redirects", () => {
  test.each([
    ["old", "/old", "/new", "new"],
    ["old/", "old/", "/new/", "new"],
    ["a/b/c", "/a/:rest*", "/z/:rest*", "z/b/c"],
    ["a", "/a/:rest*", "/z/:rest*", "z"],
    ["a/b", "/a/:name", "/z/:name/end", "z/b/end"],
    ["a/b/c", "/a/:name", "/z/:name", undefined],
    ["a/b/c", "/a/*", "/z/*", "z/b/c"],
    ["a", "/a", "https://example.com/a/", "https://example.com/a/"],
    ["b", "/a", "/z", undefined],
  ])("%s with %s → %s leads to %s", (address, source, destination, expected) => {
    expect(find(address, [source, destination])).toBe(expected);
  });

  test("a whole address comes before a pattern, and the first of two alike counts", () => {
    const rules = [
      ["/a/:x*", "/pattern"],
      ["/a/b", "/whole"],
      ["/a/b", "/later"],
    ] as const;
    expect(find("a/b", ...rules)).toBe("whole");
  });
});
