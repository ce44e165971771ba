import { describe, expect, test } from "vitest";
import { verifyPullRequestLink } from "../../../src/commands/agent/verify-pull-request-link.ts";

const expected = {
  serverUrl: new URL("https://github.com"),
  repository: "octo-org/widgets",
  source: undefined,
  localOrigin: undefined,
};

describe("verifyPullRequestLink", () => {
  test.each([
    ["https://github.com/octo-org/widgets/pull/12", undefined],
    ["https://github.com/Octo-Org/Widgets/pull/12/", undefined],
    ["https://github.com/octo-org/widgets/pull/12?x=1#issuecomment-1", undefined],
    ["https://github.com/octo-org/site/pull/12", "https://github.com/octo-org/site"],
    ["https://github.com/octo-org/site/pull/12", "https://github.com/octo-org/site.git"],
    ["https://github.com/octo-org/site/pull/12", "octo-org/site"],
    ["https://github.com/octo-org/site/pull/12", "GitHub.com/octo-org/site/"],
    ["https://github.com/octo-org/site/pull/12", "git@github.com:octo-org/site.git"],
    ["https://github.com/octo-org/site/pull/12", "ssh://git@github.com/octo-org/site.git"],
    ["https://github.com/octo-org/site/pull/12", "https://x-access-token:t@github.com/octo-org/site"],
  ])("accepts %s of a job on %s", (link, source) => {
    expect(verifyPullRequestLink(link, { ...expected, source })).toMatchObject({
      kind: "pull-request",
      number: 12,
    });
  });

  test("drops query and fragment from what is shown", () => {
    expect(
      verifyPullRequestLink("https://github.com/octo-org/widgets/pull/12?x=1#y", expected),
    ).toMatchObject({
      url: "https://github.com/octo-org/widgets/pull/12",
    });
  });

  test.each([
    ["javascript:alert(1)", undefined],
    ["not an address", undefined],
    ["http://github.com/octo-org/widgets/pull/12", undefined],
    ["https://github.com.evil.example/octo-org/widgets/pull/12", undefined],
    ["https://evil.example/octo-org/widgets/pull/12", "https://evil.example/octo-org/widgets"],
    ["https://user:password@github.com/octo-org/widgets/pull/12", undefined],
    ["https://github.com/octo-org/widgets/issues/12", undefined],
    ["https://github.com/octo-org/widgets/pull/12/files", undefined],
    ["https://github.com/octo-org/other/pull/12", undefined],
    ["https://github.com/octo-org/other/pull/12", "https://gitlab.com/octo-org/other"],
    ["https://github.com/octo-org/other/pull/12", "git@evil.example:octo-org/other.git"],
    ["https://github.com/octo-org/other/pull/12", "https://evil.example/github.com/octo-org/other"],
    ["https://github.com/octo-org/other/pull/12", "https://github.com@evil.example/octo-org/other"],
    ["https://github.com/octo-org/widgets/pull/0", undefined],
    ["https://github.com/octo-org/widgets/pull/00", undefined],
    ["http://127.0.0.1:8080/pulls/1", undefined],
  ])("refuses %s of a job on %s", (link, source) => {
    expect(verifyPullRequestLink(link, { ...expected, source })).toMatchObject({ kind: "mismatch" });
  });

  test("accepts a page of a platform on this machine, and of no other", () => {
    const local = { ...expected, localOrigin: "http://127.0.0.1:8080" };

    expect(verifyPullRequestLink("http://127.0.0.1:8080/pulls/1", local)).toMatchObject({
      kind: "local-page",
    });
    expect(verifyPullRequestLink("http://127.0.0.1:9090/pulls/1", local)).toMatchObject({ kind: "mismatch" });
  });
});
