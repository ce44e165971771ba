import { describe, expect, test } from "vitest";
import {
  describePullRequest,
  describeSubject,
  findCompareLink,
} from "../../../src/server/agents/published-change.ts";

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
    ["right\u202eleft \u200binvisible\0", "docs: rightleft invisible"],
    ["ज़्यादा उदाहरण दो، می\u200cخواهم", "docs: ज़्यादा उदाहरण दो می\u200cخواهم"],
    ["Documenta el límite — 日本語", "docs: Documenta el límite 日本語"],
    [
      "a very long request that goes on and on far beyond what fits in one line of a log",
      "docs: a very long request that goes on and on far beyond what fits in…",
    ],
    // Without spaces between the words.
    ["ドキュメント".repeat(12), `docs: ${"ドキュメント".repeat(12).slice(0, 65)}…`],
    [`Fix ${"文档".repeat(40)}`, `docs: Fix ${"文档".repeat(40).slice(0, 61)}…`],
    ["𝒜".repeat(40), `docs: ${"𝒜".repeat(32)}…`],
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

  test("stays within GitHub's limit and keeps the beginning of a long prompt", () => {
    const prompts = [`begin ${"x".repeat(100_000)} end`, `start ${"y".repeat(100_000)} stop`];

    const body = describePullRequest("aj_1", prompts);

    expect(body.length).toBeLessThan(65_536);
    for (const word of ["begin ", "start ", "x…", "y…"]) {
      expect(body).toContain(word);
    }
  });
});

const gitLab = (page: string) =>
  `${page}/-/merge_requests/new?merge_request%5Bsource_branch%5D=docs-agent/aj_1&merge_request%5Btarget_branch%5D=v1/%23next`;
const compare = (page: string) => `${page}/compare/v1/%23next...docs-agent/aj_1?expand=1`;
const azure = (page: string) => `${page}/pullrequestcreate?sourceRef=docs-agent/aj_1&targetRef=v1/%23next`;

test.each([
  ["https://github.com/octo-org/widgets.git", compare("https://github.com/octo-org/widgets")],
  ["git@github.com:octo-org/widgets.git", compare("https://github.com/octo-org/widgets")],
  ["https://github.example.com/octo-org/widgets/", compare("https://github.example.com/octo-org/widgets")],
  ["https://gitlab.com/a/b/c/widgets.git", gitLab("https://gitlab.com/a/b/c/widgets")],
  ["ssh://git@gitlab.example.com:2222/a/widgets.git", gitLab("https://gitlab.example.com/a/widgets")],
  ["http://gitlab.internal:8080/a/widgets", gitLab("http://gitlab.internal:8080/a/widgets")],
  ["https://codeberg.org/a/widgets.git", compare("https://codeberg.org/a/widgets")],
  ["gitea@my-gitea.example.com:a/widgets.git", compare("https://my-gitea.example.com/a/widgets")],
  ["https://forgejo.example.com/a/widgets.git", compare("https://forgejo.example.com/a/widgets")],
  [
    "git@bitbucket.org:a/widgets.git",
    "https://bitbucket.org/a/widgets/pull-requests/new?source=docs-agent/aj_1&dest=v1/%23next",
  ],
  ["https://git.example.com/scm/docs/widgets.git", undefined],
  [
    "https://dev.azure.com/org/My%20Docs/_git/widgets",
    azure("https://dev.azure.com/org/My%20Docs/_git/widgets"),
  ],
  ["git@ssh.dev.azure.com:v3/org/docs/widgets", azure("https://dev.azure.com/org/docs/_git/widgets")],
  ["https://git.example.com/a/widgets.git", undefined],
  ["git@git.example.com:a/widgets.git", undefined],
  ["/srv/gitlab/widgets.git", undefined],
  ["file:///srv/gitlab.example.com/widgets.git", undefined],
])("the compare page of %s", (repository, link) => {
  expect(findCompareLink(repository, "v1/#next", "docs-agent/aj_1")).toBe(link);
});
