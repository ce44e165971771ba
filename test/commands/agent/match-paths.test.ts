import { describe, expect, test } from "vitest";
import { matchPaths } from "../../../src/commands/agent/match-paths.ts";

const changed = [
  "src/api/a.ts",
  "src/api/a.test.ts",
  "docs/guide.md",
  ".github/workflows/ci.yml",
  "README.md",
];

describe("matchPaths", () => {
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
  ])("of paths %j and paths-ignore %j", (paths, pathsIgnore, expected) => {
    expect(matchPaths(changed, { paths, pathsIgnore })).toStrictEqual(expected);
  });
});
