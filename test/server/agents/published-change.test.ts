import { describe, expect, test } from "vitest";
import { describePullRequest, describeSubject } from "../../../src/server/agents/published-change.ts";

describe("the subject of a commit and the title of a pull request", () => {
  test.each([
    ["Explain the new retry option", "docs: Explain the new retry option"],
    ["Two\nlines\tand   spaces", "docs: Two lines and spaces"],
    ["\n Fix the links\n \nWhat follows is quoted", "docs: Fix the links"],
    ["", "docs: edit by an agent"],
    ["@#$%^", "docs: edit by an agent"],
    ["ping @org/team, fixes #12, closes GH-3", "docs: ping org/team, fixes 12, closes 3"],
    ["fixes https://github.com/o/r/issues/1 now", "docs: fixes now"],
    ["<img src=x onerror=alert(1)> `code` *b* [a](b)", "docs: img src x onerror alert(1) code b a (b)"],
    ["right\u202eleft \u200binvisible\0", "docs: right left invisible"],
    ["Documenta el límite — 日本語", "docs: Documenta el límite 日本語"],
    [
      "a very long request that goes on and on far beyond what fits in one line of a log",
      "docs: a very long request that goes on and on far beyond what fits in…",
    ],
  ])("of %j contain plain words only", (prompt, subject) => {
    expect(describeSubject(prompt)).toBe(subject);
    expect(subject.length).toBeLessThanOrEqual(72);
  });
});

describe("the body of a pull request", () => {
  test("quotes each prompt in a code block that the prompt cannot close", () => {
    const body = describePullRequest("aj_1", ["Use ```` here\n````\n@mona closes #1", "More"]);

    expect(body).toMatchInlineSnapshot(`
      "An agent edited these documents when it was asked to:

      \`\`\`\`\`text
      Use \`\`\`\` here
      \`\`\`\`
      @mona closes #1
      \`\`\`\`\`

      \`\`\`text
      More
      \`\`\`

      Agent job \`aj_1\`.
      "
    `);
  });

  test("stays within GitHub's limit and keeps the beginning and the end of a long prompt", () => {
    const prompts = [`begin ${"x".repeat(100_000)} end`, `start ${"y".repeat(100_000)} stop`];

    const body = describePullRequest("aj_1", prompts);

    expect(body.length).toBeLessThan(65_536);
    for (const word of ["begin ", " end", "start ", " stop", "[… 75010 characters …]"]) {
      expect(body).toContain(word);
    }
  });
});
