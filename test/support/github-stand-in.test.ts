import { getOctokit } from "@actions/github";
import { describe, expect, test } from "vitest";
import { startGitRemote } from "./git-http.ts";
import {
  type GitHubStandIn,
  type Permissions,
  secondaryRateLimit,
  startGitHubStandIn,
} from "./github-stand-in.ts";

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
  test("remembers comments and their edits", async () => {
    await using github = await startGitHubStandIn();
    const { rest } = client(github);
    const issue = github.addIssue({ author: "mona", title: "Docs are late" });
    const { data: created } = await rest.issues.createComment({
      ...here,
      issue_number: issue.number,
      body: "one",
    });
    await rest.issues.updateComment({ ...here, comment_id: created.id, body: "two" });
    const { data: listed } = await rest.issues.listComments({ ...here, issue_number: issue.number });
    expect(listed).toHaveLength(1);
    expect(listed[0]).toMatchObject({
      body: "two",
      user: { login: "github-actions[bot]", type: "Bot" },
      performed_via_github_app: { slug: "github-actions" },
    });
    expect(github.commentsOn(issue.number)[0]?.edits).toMatchObject([{ previousBody: "one" }]);
  });

  test("pages through long lists", async () => {
    await using github = await startGitHubStandIn();
    const { rest, paginate } = client(github);
    const issue = github.addIssue({ author: "mona" });
    for (let count = 0; count < 230; count += 1) {
      github.addComment({ issue: issue.number, author: "mona", body: `comment ${count}` });
    }
    const parameters = { ...here, issue_number: issue.number };
    const firstPage = await rest.issues.listComments(parameters);
    const all = await paginate(rest.issues.listComments, { ...parameters, per_page: 100 });
    expect(firstPage.data).toHaveLength(30);
    expect(firstPage.headers.link).toContain('rel="next"');
    expect(all.map(({ body }) => body).at(-1)).toBe("comment 229");
    expect(github.requests).toHaveLength(4);
  });

  test("tells roles apart by booleans, custom roles included", async () => {
    await using github = await startGitHubStandIn();
    const { rest } = client(github, {});
    github.addPerson("reader", "read");
    github.addPerson("lead", { role: "maintain", customRole: "docs lead" });
    github.addPerson("stranger");
    const ask = async (username: string) => {
      const { data } = await rest.repos.getCollaboratorPermissionLevel({ ...here, username });
      return [data.permission, data.role_name, data.user?.permissions?.push];
    };
    expect(await ask("reader")).toEqual(["read", "read", false]);
    expect(await ask("Lead")).toEqual(["write", "docs lead", true]);
    expect(await ask("stranger")).toEqual(["none", "none", false]);
    await expect(ask("unknown")).rejects.toMatchObject({ status: 404 });
    await expect(ask("some-app[bot]")).rejects.toMatchObject({ status: 404 });
  });

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

  test("lets the permission for pull requests reach pull requests only", async () => {
    await using github = await startGitHubStandIn();
    const { rest } = client(github, { "pull-requests": "write" });
    const pull = github.openPullRequest({ author: "mona", head: "change" });
    const { status } = await rest.issues.createComment({ ...here, issue_number: pull.number, body: "x" });
    expect(status).toBe(201);
  });

  test("keeps commit statuses, newest first", async () => {
    await using github = await startGitHubStandIn();
    const { rest } = client(github);
    const sha = github.addCommit();
    const status = { ...here, sha, context: "docs" };
    await rest.repos.createCommitStatus({ ...status, state: "pending", description: "first" });
    await rest.repos.createCommitStatus({ ...status, state: "success", description: "second" });
    const listed = await rest.repos.listCommitStatusesForRef({ ...here, ref: sha });
    expect(listed.data.map(({ description }) => description)).toEqual(["second", "first"]);
    const long = rest.repos.createCommitStatus({ ...status, state: "success", description: "x".repeat(141) });
    await expect(long).rejects.toMatchObject({ status: 422 });
  });

  test("opens one pull request for a branch, labels it and asks for reviews", async () => {
    await using github = await startGitHubStandIn();
    const { rest } = client(github);
    github.addPerson("reviewer", "write");
    github.addCommit({ branch: "docs/job-1" });
    const pull = { ...here, title: "Docs", head: "docs/job-1", base: "main" };
    const { data: opened } = await rest.pulls.create(pull);
    await expect(rest.pulls.create(pull)).rejects.toMatchObject({ status: 422 });
    await expect(rest.pulls.create({ ...pull, head: "nowhere" })).rejects.toMatchObject({ status: 422 });
    await rest.issues.addLabels({ ...here, issue_number: opened.number, labels: ["documentation"] });
    await rest.pulls.requestReviewers({ ...here, pull_number: opened.number, reviewers: ["reviewer"] });
    const { data } = await rest.pulls.get({ ...here, pull_number: opened.number });
    expect(data).toMatchObject({
      html_url: `https://github.localhost/octo-org/widgets/pull/${opened.number}`,
      labels: [{ name: "documentation" }],
      requested_reviewers: [{ login: "reviewer" }],
      merged: false,
    });
  });

  test("sees what is pushed to a git remote", async () => {
    await using remote = await startGitRemote();
    const before = await remote.commit({ files: { "docs/a.md": "a" } });
    await using github = await startGitHubStandIn({ remote });
    const { rest } = client(github);
    await remote.git("branch", "docs/job-1", "main");
    const head = await remote.commit({ branch: "docs/job-1", message: "Write", files: { "docs/b.md": "b" } });
    const { data } = await rest.pulls.create({ ...here, title: "Docs", head: "docs/job-1", base: "main" });
    const files = await rest.pulls.listFiles({ ...here, pull_number: data.number });
    expect(data).toMatchObject({ head: { sha: head }, base: { sha: before } });
    expect(files.data).toMatchObject([
      { filename: "docs/b.md", status: "added", additions: 1, deletions: 0 },
    ]);
  });

  test("knows the rules that only a run's own token meets", async () => {
    await using github = await startGitHubStandIn();
    const { rest } = client(github);
    github.addCommit({ branch: "docs/job-1" });
    github.state.actionsMayOpenPullRequests = false;
    const pull = { ...here, title: "Docs", head: "docs/job-1", base: "main" };
    await expect(rest.pulls.create(pull)).rejects.toThrow("GitHub Actions is not permitted to create");
    const person = clientFor(github, github.tokenOf("mona"));
    expect((await person.rest.pulls.create(pull)).status).toBe(201);
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
});

describe("discussions and edits over GraphQL", () => {
  const discussionOf = `query ($id: ID!) { node(id: $id) { ... on Discussion { comments(first: 10) {
    nodes { id body author { __typename login } replies(first: 5) { nodes { body } } } } } } }`;

  test("are read, answered and edited", async () => {
    await using github = await startGitHubStandIn();
    const { graphql } = client(github);
    const { number, id } = github.addDiscussion({ author: "mona" });
    const asked = github.addDiscussionComment({ discussion: number, author: "mona", body: "/ask why" });
    const add = `mutation ($input: AddDiscussionCommentInput!) { addDiscussionComment(input: $input) { comment { id } } }`;
    const input = { discussionId: `D_${id}`, replyToId: `DC_${asked.id}`, body: "looking" };
    const added = await graphql<{ addDiscussionComment: { comment: { id: string } } }>(add, { input });
    await graphql(
      `mutation ($id: ID!) { updateDiscussionComment(input: { commentId: $id, body: "because" }) { comment { id } } }`,
      { id: added.addDiscussionComment.comment.id },
    );
    const author = { __typename: "User", login: "mona" };
    const comment = {
      id: `DC_${asked.id}`,
      body: "/ask why",
      author,
      replies: { nodes: [{ body: "because" }] },
    };
    expect(await graphql(discussionOf, { id: `D_${id}` })).toEqual({
      node: { comments: { nodes: [comment] } },
    });
  });

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
    ["a wrong type in the path", "GET /repos/{owner}/{repo}/issues/one", {}],
    ["an unknown parameter", "GET /repos/{owner}/{repo}/issues", { perpage: 5 }],
    ["a wrong word", "POST /repos/{owner}/{repo}/statuses/main", { state: "green" }],
  ])("%s fails the test", async (_, route, parameters) => {
    const github = await startGitHubStandIn();
    github.addIssue({ author: "mona" });
    await expect(client(github).request(route, { ...here, ...parameters })).rejects.toThrow();
    await expect(github[Symbol.asyncDispose]()).rejects.toThrow("GitHub would not understand this");
  });

  test("faults meet the requests they are ordered for, once, and tell the test so", async () => {
    await using github = await startGitHubStandIn();
    const { rest } = client(github);
    const issue = github.addIssue({ author: "mona" });
    const met: string[] = [];
    github.faults.add({
      method: "POST",
      path: "/comments",
      fault: { kind: "reset", when: "after" },
      onMeet: () => met.push("reset"),
    });
    github.faults.add({ method: "POST", path: "/comments", fault: secondaryRateLimit(7) });
    const comment = () => rest.issues.createComment({ ...here, issue_number: issue.number, body: "x" });
    await expect(comment()).rejects.toThrow();
    await expect(comment()).rejects.toMatchObject({ response: { headers: { "retry-after": "7" } } });
    expect((await comment()).status).toBe(201);
    expect(met).toEqual(["reset"]);
    expect(github.commentsOn(issue.number)).toHaveLength(2);
    expect(github.changes()).toHaveLength(2);
  });

  test("an answer can be held back after the request was carried out", async () => {
    await using github = await startGitHubStandIn();
    const { rest } = client(github);
    const issue = github.addIssue({ author: "mona" });
    const [handled, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    github.faults.add({
      method: "POST",
      fault: { kind: "hold", when: "after", until: released.promise },
      onMeet: handled.resolve,
    });
    const commenting = rest.issues.createComment({ ...here, issue_number: issue.number, body: "x" });
    await handled.promise;
    const open = github.requests.at(-1);
    expect(github.commentsOn(issue.number)).toHaveLength(1);
    expect(open).toMatchObject({ handled: true });
    expect(open).not.toHaveProperty("status");
    released.resolve();
    expect((await commenting).status).toBe(201);
  });

  test("an unknown token is refused", async () => {
    await using github = await startGitHubStandIn();
    const { rest } = clientFor(github, "ghs_unknown");
    await expect(rest.repos.get(here)).rejects.toMatchObject({ status: 401 });
  });
});

describe("pull requests over GraphQL", () => {
  const factsOf = `query ($number: Int!) { repository(owner: "octo-org", name: "widgets") {
    pullRequest(number: $number) { number title state isDraft isCrossRepository merged mergedAt
      headRefName headRefOid baseRefName additions deletions changedFiles author { login url }
      files(first: 10) { nodes { path additions deletions } }
      comments(last: 5) { nodes { body url } }
      commits(last: 1) { nodes { commit { oid deployments(last: 5) { nodes {
        latestStatus { state environmentUrl } } } } } } } } }`;

  const threadsOf = `query ($number: Int!) { repository(owner: "octo-org", name: "widgets") {
    pullRequest(number: $number) { reviewThreads(first: 10) { nodes { id isResolved isOutdated path line originalLine
      comments(first: 10) { nodes { id fullDatabaseId body diffHunk lastEditedAt
        pullRequestReview { databaseId body } } } } } } } }`;

  test("tell their state, their head, their size and where they can be looked at", async () => {
    await using github = await startGitHubStandIn();
    const { graphql } = client(github, { ...everything, deployments: "read" });
    const file = { filename: "docs/a.md", status: "modified", additions: 12, deletions: 3 } as const;
    const pull = github.openPullRequest({ author: "mona", head: "change", title: "Docs", files: [file] });
    github.addComment({ issue: pull.number, author: "mona", body: "looks good" });
    const head = github.pushToPullRequest(pull, { files: ["docs/b.md"] });
    github.addDeployment({ sha: head, environmentUrl: "https://preview.example.com/" });

    const { repository } = await graphql<{ repository: unknown }>(factsOf, { number: pull.number });
    expect(repository).toMatchObject({
      pullRequest: {
        state: "OPEN",
        isCrossRepository: false,
        headRefName: "change",
        headRefOid: head,
        baseRefName: "main",
        additions: 13,
        deletions: 3,
        changedFiles: 2,
        files: { nodes: [{ path: "docs/a.md", additions: 12, deletions: 3 }, { path: "docs/b.md" }] },
        comments: { nodes: [{ body: "looks good" }] },
        commits: {
          nodes: [
            {
              commit: {
                oid: head,
                deployments: {
                  nodes: [
                    { latestStatus: { state: "SUCCESS", environmentUrl: "https://preview.example.com/" } },
                  ],
                },
              },
            },
          ],
        },
      },
    });

    github.mergePullRequest(pull);
    expect(await graphql(factsOf, { number: pull.number })).toMatchObject({
      repository: { pullRequest: { state: "MERGED", merged: true, headRefOid: head, changedFiles: 2 } },
    });
    expect(github.countRequests()).toEqual({ "graphql:repository": 2 });
    expect(github.countRequests()).toEqual({});
  });

  test("are listed by their state, page by page", async () => {
    await using github = await startGitHubStandIn();
    const { graphql } = client(github);
    const pulls = Array.from({ length: 5 }, (_, index) =>
      github.openPullRequest({ author: "mona", head: `change-${index}` }),
    );
    const [first, second] = pulls;
    if (first === undefined || second === undefined) throw new Error("no pull requests");
    github.closeThread(first);
    github.mergePullRequest(second);
    const query = `query ($states: [PullRequestState!], $after: String) {
      repository(owner: "octo-org", name: "widgets") { pullRequests(states: $states, first: 2, after: $after) {
        pageInfo { hasNextPage endCursor } nodes { number state } } } }`;
    type Page = {
      repository: {
        pullRequests: { pageInfo: { hasNextPage: boolean; endCursor: string }; nodes: { number: number }[] };
      };
    };
    const read = async (states: string[], after?: string) =>
      (await graphql<Page>(query, { states, after })).repository.pullRequests;
    const open = await read(["OPEN"]);
    const rest = await read(["OPEN"], open.pageInfo.endCursor);
    expect([open, rest].map(({ nodes }) => nodes.map(({ number }) => number))).toEqual([[3, 4], [5]]);
    expect([open.pageInfo.hasNextPage, rest.pageInfo.hasNextPage]).toEqual([true, false]);
    expect((await read(["CLOSED"])).nodes).toEqual([{ number: 1, state: "CLOSED" }]);
    expect((await read(["MERGED"])).nodes).toEqual([{ number: 2, state: "MERGED" }]);
  });

  test("have review threads, which are answered, resolved, and outdated by later commits", async () => {
    await using github = await startGitHubStandIn();
    const { rest, graphql } = client(github);
    const pull = github.openPullRequest({ author: "mona", head: "change", files: ["docs/a.md"] });
    const first = github.addReviewThread({
      pull: pull.number,
      author: "mona",
      body: "Say why.",
      path: "docs/a.md",
      line: 7,
      diffHunk: "@@ -1 +7 @@\n+Retries",
      replies: [{ author: "hubot", body: "Because." }],
    });
    const other = github.addReviewThread({ pull: pull.number, author: "mona", body: "And this?" });
    github.resolveThread(other);
    const at = { ...here, pull_number: pull.number };
    const answer = await rest.pulls.createReplyForReviewComment({
      ...at,
      comment_id: first.id,
      body: "Done.",
    });
    const nested = { ...at, comment_id: answer.data.id, body: "No." };
    await expect(rest.pulls.createReplyForReviewComment(nested)).rejects.toMatchObject({ status: 404 });
    const edited = { ...here, comment_id: answer.data.id, body: "Done: it says why." };
    await rest.pulls.updateReviewComment(edited);
    const listed = await rest.pulls.listReviewComments(at);
    expect(listed.data).toMatchObject([
      { body: "Say why.", line: 7, diff_hunk: "@@ -1 +7 @@\n+Retries" },
      { body: "Because.", in_reply_to_id: first.id },
      { body: "And this?", path: "README.md" },
      { body: "Done: it says why.", in_reply_to_id: first.id, user: { login: "github-actions[bot]" } },
    ]);

    github.pushToPullRequest(pull, { files: ["docs/a.md"] });
    const both = `mutation ($thread: ID!, $body: String!) {
      reply: addPullRequestReviewThreadReply(input: { pullRequestReviewThreadId: $thread, body: $body }) {
        comment { url } }
      resolve: resolveReviewThread(input: { threadId: $thread }) { thread { isResolved resolvedBy { login } } } }`;
    await graphql(both, { thread: `PRRT_${first.id}`, body: "Addressed." });
    expect(github.isResolved(first)).toBe(true);
    expect(await graphql(threadsOf, { number: pull.number })).toMatchObject({
      repository: {
        pullRequest: {
          reviewThreads: {
            nodes: [
              {
                id: `PRRT_${first.id}`,
                isResolved: true,
                isOutdated: true,
                path: "docs/a.md",
                line: null,
                originalLine: 7,
                comments: {
                  nodes: [
                    { fullDatabaseId: String(first.id), diffHunk: "@@ -1 +7 @@\n+Retries" },
                    { body: "Because." },
                    { body: "Done: it says why." },
                    { body: "Addressed.", pullRequestReview: { body: "" } },
                  ],
                },
              },
              { isResolved: true, isOutdated: false, comments: { nodes: [{ id: `PRRC_${other.id}` }] } },
            ],
          },
        },
      },
    });
    await rest.pulls.deleteReviewComment({ ...here, comment_id: answer.data.id });
    expect((await rest.pulls.get(at)).data.state).toBe("open");
  });

  test("let a thread be resolved only by who may write contents too", async () => {
    await using github = await startGitHubStandIn();
    const { graphql } = client(github, { contents: "read", "pull-requests": "write" });
    const pull = github.openPullRequest({ author: "mona", head: "change" });
    const thread = github.addReviewThread({ pull: pull.number, author: "mona", body: "Say why." });
    const resolve = `mutation ($id: ID!) { resolveReviewThread(input: { threadId: $id }) { thread { isResolved } } }`;
    const refused = graphql(resolve, { id: `PRRT_${thread.id}` });
    await expect(refused).rejects.toMatchObject({ errors: [{ type: "FORBIDDEN" }] });
    expect(github.isResolved(thread)).toBe(false);
  });

  test("take reactions on reviews and comments in one request, and tell what many nodes are", async () => {
    await using github = await startGitHubStandIn();
    const { graphql } = client(github);
    const pull = github.openPullRequest({ author: "mona", head: "change" });
    const review = github.addReview({ pull: pull.number, author: "mona", body: "/docs" });
    const comment = github.addReviewComment({ pull: pull.number, author: "mona", body: "Why?" });
    const react = `mutation ($review: ID!, $comment: ID!) {
      a: addReaction(input: { subjectId: $review, content: EYES }) { reaction { content } }
      b: addReaction(input: { subjectId: $comment, content: THUMBS_UP }) { reaction { content } } }`;
    await graphql(react, { review: `PRR_${review.id}`, comment: `PRRC_${comment.id}` });
    expect([review, comment].map(({ reactions }) => reactions[0]?.content)).toEqual(["eyes", "+1"]);
    const nodes = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on PullRequestReviewComment { body path } } }`;
    const asked = graphql(nodes, { ids: [`PRRC_${comment.id}`, "PRRC_1"] });
    await expect(asked).rejects.toMatchObject({
      data: { nodes: [{ body: "Why?", path: "README.md" }, null] },
      errors: [{ type: "NOT_FOUND", path: ["nodes", 1] }],
    });
    expect(github.changes()).toMatchObject([{ operation: "graphql:addReaction,addReaction" }]);
  });

  test("are closed, opened and renamed", async () => {
    await using github = await startGitHubStandIn();
    const { rest } = client(github);
    const pull = github.openPullRequest({ author: "mona", head: "change" });
    const at = { ...here, pull_number: pull.number };
    await rest.pulls.update({ ...at, title: "Better docs", body: "Covers two pushes.", state: "closed" });
    expect(pull).toMatchObject({ title: "Better docs", body: "Covers two pushes.", state: "closed" });
    github.mergePullRequest(pull);
    await expect(rest.pulls.update({ ...at, state: "open" })).rejects.toMatchObject({ status: 422 });
  });
});
