/**
 * Where the GitHub of the tests is as strict as GitHub: a kinder one would hide a defect of the action. What it gives, the tests of the
 * action would miss.
 */
import { getOctokit } from "@actions/github";
import { describe, expect, test } from "vitest";
import { type GitHubStandIn, type Permissions, startGitHubStandIn } from "./github-stand-in.ts";

const here = { owner: "octo-org", repo: "widgets" };
const everything: Permissions = {
  contents: "write",
  discussions: "write",
  issues: "write",
  "pull-requests": "write",
  statuses: "write",
};

const clientFor = (github: GitHubStandIn, token: string) =>
  getOctokit(token, { baseUrl: github.run.apiUrl }) as ReturnType<typeof getOctokit>;

const client = (github: GitHubStandIn, permissions: Permissions = everything) =>
  clientFor(github, github.runToken(permissions));

describe("the GitHub of the tests", () => {
  test.each<[string, Permissions, string]>([
    ["an issue", { "pull-requests": "write" }, "issues=write"],
    ["a pull request", { contents: "write" }, "issues=write; pull_requests=write"],
  ])("refuses to comment on %s without the permission, and names it", async (thread, permissions, needed) => {
    await using github = await startGitHubStandIn();
    const { rest } = client(github, permissions);
    const { number } =
      thread === "an issue"
        ? github.addIssue({ author: "mona" })
        : github.openPullRequest({ author: "mona", head: "change" });
    const refused = rest.issues.createComment({ ...here, issue_number: number, body: "x" });
    await expect(refused).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining("Resource not accessible by integration"),
      response: { headers: { "x-accepted-github-permissions": needed } },
    });
    expect(github.commentsOn(number)).toEqual([]);
  });

  test("refuses comments that are too long, on locked issues, and on what is not there", async () => {
    await using github = await startGitHubStandIn();
    const { rest } = client(github);
    const issue = github.addIssue({ author: "mona" });
    const comment = (issue_number: number, body: string) =>
      rest.issues.createComment({ ...here, issue_number, body });
    await expect(comment(issue.number, "x".repeat(65_537))).rejects.toMatchObject({ status: 422 });
    await expect(comment(999, "x")).rejects.toMatchObject({ status: 404 });
    issue.locked = true;
    await expect(comment(issue.number, "x")).rejects.toMatchObject({ status: 403 });
  });

  test("refuses long descriptions of statuses, a branch's second pull request, and replies to replies", async () => {
    await using github = await startGitHubStandIn();
    const { rest } = client(github);
    const { number: pull_number } = github.openPullRequest({ author: "mona", head: "change" });
    const sha = github.addCommit();
    const long = { ...here, sha, state: "success", description: "x".repeat(141) } as const;
    await expect(rest.repos.createCommitStatus(long)).rejects.toMatchObject({ status: 422 });
    for (const head of ["change", "nowhere"]) {
      const opened = rest.pulls.create({ ...here, title: "Docs", head, base: "main" });
      await expect(opened).rejects.toMatchObject({ status: 422 });
    }
    const { id: inReplyTo } = github.addReviewThread({ pull: pull_number, author: "mona", body: "Why?" });
    const reply = { pull: pull_number, author: "mona", body: "Because.", inReplyTo };
    const { id: comment_id } = github.addReviewComment(reply);
    const nested = rest.pulls.createReplyForReviewComment({ ...here, pull_number, comment_id, body: "No." });
    await expect(nested).rejects.toMatchObject({ status: 404 });
  });
});

describe("discussions and edits over GraphQL", () => {
  const discussionOf = `query ($id: ID!) { node(id: $id) { ... on Discussion { comments(first: 10) {
    nodes { id body author { __typename login } replies(first: 5) { nodes { body } } } } } } }`;

  test("need their permissions", async () => {
    await using github = await startGitHubStandIn();
    const discussion = github.addDiscussion({ author: "mona" });
    const { graphql } = client(github, { issues: "write", "pull-requests": "write" });
    const read = graphql(discussionOf, { id: `D_${discussion.id}` });
    await expect(read).rejects.toMatchObject({ errors: [{ type: "FORBIDDEN" }] });
    const pull = github.openPullRequest({ author: "mona", head: "change" });
    const convert = `mutation ($id: ID!) { convertPullRequestToDraft(input: { pullRequestId: $id }) { pullRequest { isDraft } } }`;
    await expect(graphql(convert, { id: `PR_${pull.id}` })).rejects.toMatchObject({
      errors: [{ type: "FORBIDDEN", path: ["convertPullRequestToDraft"] }],
    });
    await client(github).graphql(convert, { id: `PR_${pull.id}` });
    expect(pull.pull.draft).toBe(true);
  });

  test("that ask for fields that GitHub does not have are violations", async () => {
    await using github = await startGitHubStandIn();
    const { graphql } = client(github);
    await expect(graphql(`query { viewer { logn } }`)).rejects.toThrow("logn");
    expect(github.takeViolations()).toEqual([expect.stringContaining('Cannot query field "logn"')]);
  });

  test("that resolve a thread need the permission to write contents, too", async () => {
    await using github = await startGitHubStandIn();
    const { graphql } = client(github, { contents: "read", "pull-requests": "write" });
    const pull = github.openPullRequest({ author: "mona", head: "change" });
    const thread = github.addReviewThread({ pull: pull.number, author: "mona", body: "Say why." });
    const resolve = `mutation ($id: ID!) { resolveReviewThread(input: { threadId: $id }) { thread { isResolved } } }`;
    const refused = graphql(resolve, { id: `PRRT_${thread.id}` });
    await expect(refused).rejects.toMatchObject({ errors: [{ type: "FORBIDDEN" }] });
    expect(github.isResolved(thread)).toBe(false);
  });
});

describe("what a test can rely on", () => {
  test.each([
    ["an unknown path", "GET /repos/{owner}/{repo}/isues", {}],
    [
      "an unknown property of a body",
      "POST /repos/{owner}/{repo}/issues/1/comments",
      { text: "x", body: "y" },
    ],
    ["a missing property", "POST /repos/{owner}/{repo}/issues/1/comments", {}],
    ["a wrong type in the path", "GET /repos/{owner}/{repo}/pulls/one", {}],
    ["an unknown parameter", "GET /repos/{owner}/{repo}/issues", { perpage: 5 }],
    ["a wrong word", "POST /repos/{owner}/{repo}/statuses/main", { state: "green" }],
  ])("%s fails the test", async (_, route, parameters) => {
    const github = await startGitHubStandIn();
    github.addIssue({ author: "mona" });
    await expect(client(github).request(route, { ...here, ...parameters })).rejects.toThrow();
    await expect(github[Symbol.asyncDispose]()).rejects.toThrow("GitHub would not understand this");
  });

  test("an unknown token is refused", async () => {
    await using github = await startGitHubStandIn();
    const { rest } = clientFor(github, "ghs_unknown");
    await expect(rest.repos.get(here)).rejects.toMatchObject({ status: 401 });
  });
});
