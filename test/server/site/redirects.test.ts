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
    ["a/b/c", "/:name/b/:rest*", "/z/:rest*", undefined],
    ["a/b/c", "/a/:name", "/z/:name", undefined],
    ["a/b/c", "/a/*", "/z/*", "z/b/c"],
    ["a", "/a", "https://example.com/a/", "https://example.com/a/"],
    ["b", "/a", "/z", undefined],
    ["a/b", "/a/:slug", "https://example.com/z/:slug", "https://example.com/z/b"],
    ["a/b/c", "/a/:slug*", "https://example.com:8080/:slug*", "https://example.com:8080/b/c"],
    ["a/b/c", "/a/:slug*", "/z/:slug*#top", "z/b/c#top"],
    ["a/part-1", "/a/part-*", "/z/chapter-*", "z/chapter-1"],
    ["a/other", "/a/part-*", "/z/chapter-*", undefined],
    ["old page", "/old%20page", "/new", "new"],
  ])("%s with %s → %s leads to %s", (address, source, destination, expected) => {
    expect(find(address, [source, destination])).toBe(expected);
  });

  test("an exact path takes precedence over a prefix, and the first of two equal rules applies", () => {
    const rules = [
      ["/a/:x*", "/prefix"],
      ["/a/b", "/whole"],
      ["/a/b", "/later"],
    ] as const;
    expect(find("a/b", ...rules)).toBe("whole");
  });

  test("an address may have many slashes", () => {
    const slashes = `a${"/".repeat(400_000)}b`;
    expect(find(slashes, ["/a", "/b"])).toBeUndefined();
  });
});
