import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPathMatcher, filterByPath } from "../../src/commands/paths-filter.ts";

/** The table of GitHub's workflow syntax ("patterns to match file paths"), and what follows from its rules. */
const table: readonly (readonly [pattern: string, yes: readonly string[], no: readonly string[]])[] = [
  ["*", ["README.md", "server.rb", ".gitignore"], ["docs/README.md"]],
  ["*.jsx?", ["page.js", "page.jsx"], ["page.jsxx", "page.ts", "src/page.js"]],
  ["**", ["all/the/files.md", "README.md", ".github/workflows/ci.yml"], []],
  ["*.js", ["app.js", "index.js"], ["src/app.js", "app.jsx"]],
  ["**.js", ["index.js", "js/index.js", "src/js/app.js"], ["index.ts"]],
  ["docs/*", ["docs/README.md", "docs/file.txt"], ["docs/a/b.md", "docs"]],
  ["docs/**", ["docs/README.md", "docs/mona/octocat.txt"], ["docs", "mydocs/a.md", "a/docs/b.md"]],
  [
    "docs/**/*.md",
    ["docs/README.md", "docs/mona/hello-world.md", "docs/a/markdown/file.md"],
    ["docs/a.txt", "docsx/a.md", "docs.md"],
  ],
  ["**/docs/**", ["docs/hello.md", "dir/docs/my-file.txt", "space/docs/plan/space.doc"], ["mydocs/a.md"]],
  ["**/README.md", ["README.md", "js/README.md"], ["js/MYREADME.md", "README.md/x"]],
  ["**/*src/**", ["a/src/app.js", "my-src/code/js/app.js"], ["srcs/app.js"]],
  ["**/*-post.md", ["my-post.md", "path/their-post.md"], ["post.md"]],
  [
    "**/migrate-*.sql",
    ["migrate-10909.sql", "db/migrate-v1.0.sql", "db/sept/migrate-v1.sql"],
    ["migrate.sql"],
  ],
  ["README*", ["README.md", "README.doc", "README"], ["docs/README.md"]],
  ["v[12].[0-9]+.[0-9]+", ["v1.10.1", "v2.0.0"], ["v3.0.0", "v1..0", "v1x0x0"]],
  ["[CB]at", ["Cat", "Bat"], ["cat", "at", "CBat", "[at"]],
  ["[a-c_-]+", ["a-b_c", "-"], ["d", ""]],
  ["a+.md", ["a.md", "aaa.md"], [".md", "a+.md"]],
  ["x?y", ["xy", "y"], ["xxy", "ay"]],
  ["c\\+\\+/*", ["c++/a.md"], ["c/a.md", "cc/a.md"]],
  ["app/\\[slug\\]/*", ["app/[slug]/page.tsx"], ["app/s/page.tsx"]],
  ["?a", ["?a"], ["a"]],
  ["*?", ["", "ab"], ["a/b"]],
  ["a[b", ["a[b"], ["ab"]],
  ["a\\", ["a\\"], ["a"]],
  ["a[]", ["a[]"], ["a"]],
  ["a.md", ["a.md"], ["aXmd", "A.md"]],
  ["{a,b}.md", ["{a,b}.md"], ["a.md"]],
  ["a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["a/xb", "ab", "a/b/c"]],
  ["a**/b", ["a/b", "axx/y/b"], ["ab"]],
  ["**/*.{md", ["x.{md"], ["x.md"]],
  ["ünï/*", ["ünï/😀.md"], ["uni/a.md"]],
  ["😀+.md", ["😀😀.md"], [".md"]],
];

describe("a path pattern", () => {
  test.each(table)("%j matches %j, and not %j", (pattern, yes, no) => {
    const matches = createPathMatcher(pattern);

    expect(yes.filter((path) => !matches(path))).toStrictEqual([]);
    expect(no.filter(matches)).toStrictEqual([]);
  });

  test("without anything special matches itself alone", () => {
    const plain = fc.string({ unit: fc.constantFrom("a", "B", "0", "/", ".", "-", "_", " ", "!", "(", "$") });

    fc.assert(
      fc.property(plain, plain, (pattern, path) => createPathMatcher(pattern)(path) === (pattern === path)),
    );
  });

  test("matches as the regular expression that its rules describe", () => {
    const letters = ["a", "b", "/", "a?", "b+", "*", "**", "[ab]"];
    const asExpression: Readonly<Record<string, string>> = { "*": "[^/]*", "**": ".*" };
    // Stars side by side are one, and two stars with a slash after them are more than their translation.
    const pieces = fc
      .array(fc.constantFrom(...letters), { maxLength: 8 })
      .filter(
        (chosen) =>
          !chosen.some((piece, index) => piece.startsWith("*") && chosen[index + 1]?.startsWith("*")),
      )
      .filter((chosen) => !chosen.join("").includes("**/"));
    const path = fc.string({ unit: fc.constantFrom("a", "b", "/"), maxLength: 10 });

    fc.assert(
      fc.property(pieces, path, (chosen, text) => {
        const expression = new RegExp(
          `^(?:${chosen.map((piece) => asExpression[piece] ?? piece).join("")})$`,
        );
        return createPathMatcher(chosen.join(""))(text) === expression.test(text);
      }),
    );
  });

  test("with many stars takes no longer than its length asks for", () => {
    const matches = createPathMatcher(`${"*a".repeat(200)}!`);

    // A backtracking matcher would not come back from this.
    expect(matches("a".repeat(2000))).toBe(false);
  });

  test("matches a path that is longer than the stack is deep", () => {
    expect(createPathMatcher("*a*a*")("a".repeat(20_000))).toBe(true);
  });
});

const changed = [
  "src/api/a.ts",
  "src/api/a.test.ts",
  "docs/guide.md",
  ".github/workflows/ci.yml",
  "README.md",
];

test.each([
  [[], [], changed],
  [["src/**"], [], ["src/api/a.ts", "src/api/a.test.ts"]],
  [["src/**", "!**/*.test.ts"], [], ["src/api/a.ts"]],
  [["!**/*.test.ts", "src/**"], [], ["src/api/a.ts", "src/api/a.test.ts"]],
  [["!docs/**"], [], changed.filter((path) => path !== "docs/guide.md")],
  [["**"], ["docs/**", "*.md"], ["src/api/a.ts", "src/api/a.test.ts", ".github/workflows/ci.yml"]],
  [["**/*.yml"], [], [".github/workflows/ci.yml"]],
  [["lib/**"], [], []],
  [["*.md", "!README.md", "README*"], [], ["README.md"]],
  [["**.tsx?"], [], ["src/api/a.ts", "src/api/a.test.ts"]],
  [[], ["**", "!docs/**"], ["docs/guide.md"]],
  [["docs/**"], ["**.md"], []],
])("filterByPath of paths %j and paths-ignore %j", (paths, pathsIgnore, expected) => {
  const files = changed.map((path) => ({ path }));

  const filtered = filterByPath(files, { paths, pathsIgnore });

  expect(filtered.map(({ path }) => path)).toStrictEqual(expected);
});
