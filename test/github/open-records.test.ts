import { describe, expect, test } from "vitest";
import type { ClaimRecord } from "../../src/base/claim-record.ts";
import { createCommentClaimStore } from "../../src/github/claims.ts";
import type { ThreadAddress } from "../../src/github/comments.ts";
import { readIdentity } from "../../src/github/gate.ts";
import { listRecords } from "../../src/github/open-records.ts";
import { createRecordSigner } from "../../src/github/record-signer.ts";
import { createStatusClaimStore } from "../../src/github/status-claims.ts";
import { describeStatus } from "../../src/presentation/status-comment.ts";
import { connectRun } from "../support/connect-github.ts";
import { type GitHubStandIn, type Permissions, startGitHubStandIn } from "../support/github-stand-in.ts";

const day = 24 * 60 * 60 * 1000;
const all: Permissions = {
  contents: "read",
  issues: "write",
  "pull-requests": "write",
  statuses: "write",
  discussions: "write",
};

function makeRecord(letter: string, change: Partial<ClaimRecord> = {}): ClaimRecord {
  return {
    command: "agent",
    target: "prj_1",
    trigger: letter.repeat(64),
    state: "working",
    jobId: `job-${letter}`,
    owner: "1.1.abc",
    claimedAt: "2026-01-01T00:00:00.000Z",
    leaseSeconds: 15,
    ...change,
  };
}

async function openScene() {
  let nowMs = Date.parse("2026-06-01T00:00:00Z");
  const github = await startGitHubStandIn({ clock: () => nowMs });
  const connect = async (permissions: Permissions) => {
    const api = connectRun(github, permissions, { attempts: 1 });
    const signer = createRecordSigner("svc_key-one");
    return {
      api,
      signer,
      identity: await readIdentity(api),
      render: () => "A status.",
      describe: describeStatus,
      assistant: { signer, render: () => "An answer." },
    };
  };
  const deps = await connect(all);
  const claimsOn = (thread: ThreadAddress) => createCommentClaimStore({ thread }, deps);
  return {
    github,
    connect,
    passTime(ms: number) {
      nowMs += ms;
    },
    /** Writes a record to a commit status. */
    mark: (sha: string, record: ClaimRecord) => createStatusClaimStore({ sha }, deps).create(record),
    /** Writes a record to a comment. */
    comment: (thread: ThreadAddress, record: ClaimRecord) => claimsOn(thread).create(record),
    async list(permissions: Permissions = all) {
      const since = new Date(nowMs - 30 * day).toISOString();
      return listRecords(since, await connect(permissions));
    },
    [Symbol.asyncDispose]: () => github[Symbol.asyncDispose](),
  };
}

type Scene = Awaited<ReturnType<typeof openScene>>;
type Listing = Awaited<ReturnType<Scene["list"]>>;

const jobsOf = ({ records }: Listing) => records.map(({ claim }) => claim.record.jobId).toSorted();

const tipOf = ({ state }: GitHubStandIn, branch = "main") => state.refs.get(`refs/heads/${branch}`) ?? "";

/** The requests since a time, except for the identity query. */
function requestsOf({ requests }: GitHubStandIn, from: number): string[] {
  return requests
    .slice(from)
    .map(({ operation = "" }) => operation)
    .filter((operation) => operation !== "graphql:viewer");
}

const addIssueThread = ({ github }: Scene): ThreadAddress => {
  const { number } = github.addIssue({ author: "mona" });
  return { kind: "issue", number, nodeId: "" };
};

const addDiscussionThread = ({ github }: Scene): ThreadAddress => {
  const { number, id } = github.addDiscussion({ author: "mona" });
  return { kind: "discussion", number, nodeId: `D_${id}` };
};

describe("open records in commit statuses", () => {
  test("are found on the default branch, and below the head of an active branch", async () => {
    await using scene = await openScene();
    const { github, mark } = scene;
    scene.passTime(60 * day);
    const earlier = github.addCommit({ branch: "release/2.x" });
    github.addCommit({ branch: "release/2.x" });
    await mark(earlier, makeRecord("b"));
    await mark(tipOf(github), makeRecord("c"));

    const listing = await scene.list();

    expect(jobsOf(listing)).toStrictEqual(["job-b", "job-c"]);
    expect(listing.notSearched).toStrictEqual([]);
  });

  test("are found once if many branches point to their commit", async () => {
    await using scene = await openScene();
    await scene.mark(tipOf(scene.github), makeRecord("a"));
    for (const branch of ["b1", "b2"])
      scene.github.state.refs.set(`refs/heads/${branch}`, tipOf(scene.github));

    expect(jobsOf(await scene.list())).toStrictEqual(["job-a"]);
  });

  test("that are older are not listed", async () => {
    await using scene = await openScene();
    await scene.mark(scene.github.addCommit(), makeRecord("a"));
    scene.passTime(31 * day);
    const sha = scene.github.addCommit();
    await scene.mark(sha, makeRecord("b"));

    expect(jobsOf(await scene.list())).toStrictEqual(["job-b"]);
  });

  test("are reread in their current state", async () => {
    await using scene = await openScene();
    await scene.mark(tipOf(scene.github), makeRecord("a"));
    const [found] = (await scene.list()).records;
    if (!found) throw new Error("A record is expected.");

    await found.store.update(found.claim, makeRecord("a", { state: "ended", outcome: "failed" }));

    expect((await found.store.reread(found.claim))?.record).toMatchObject({ state: "ended" });
  });

  test("need few requests in a repository with 2,000 branches, most of them inactive", async () => {
    await using scene = await openScene();
    const { github, mark } = scene;
    for (let count = 0; count < 1900; count += 1) github.addCommit({ branch: `stale-${count}` });
    scene.passTime(60 * day);
    for (let count = 0; count < 100; count += 1) github.addCommit({ branch: `active-${count}` });
    await mark(tipOf(github, "active-99"), makeRecord("b"));
    const from = github.requests.length;

    const listing = await scene.list();

    expect(jobsOf(listing)).toStrictEqual(["job-b"]);
    expect(requestsOf(github, from).length).toBeLessThan(20);
  });

  test("beyond the newest 500 branches and 500 commits are reported as not searched", async () => {
    await using scene = await openScene();
    const { github } = scene;
    for (let count = 0; count < 510; count += 1) github.addCommit();
    for (let count = 0; count < 510; count += 1)
      github.state.refs.set(`refs/heads/copy-${count}`, tipOf(github));

    expect((await scene.list()).notSearched).toStrictEqual([
      "Default branch: only its newest 500 commits were searched.",
      "Branches: only the 500 that changed last were searched.",
    ]);
  });
});

describe("open records in comments", () => {
  test("need a request for each page of the repository's comments, not for each thread", async () => {
    await using scene = await openScene();
    const { github } = scene;
    for (let count = 0; count < 120; count += 1)
      await scene.comment(addIssueThread(scene), makeRecord("a", { jobId: `job-${count}` }));
    const from = github.requests.length;

    const listing = await scene.list();

    expect(listing.records).toHaveLength(120);
    const asked = requestsOf(github, from);
    expect(asked.filter((operation) => operation.startsWith("issues/"))).toStrictEqual([
      "issues/list-comments-for-repo",
      "issues/list-comments-for-repo",
    ]);
  });

  test("on discussions are found over all pages, and discussions without ours are not read", async () => {
    await using scene = await openScene();
    await scene.comment(addDiscussionThread(scene), makeRecord("a"));
    for (let count = 0; count < 60; count += 1) {
      const { number } = addDiscussionThread(scene);
      scene.github.addDiscussionComment({ discussion: number, author: "mona", body: "Hello" });
    }
    const from = scene.github.requests.length;

    const listing = await scene.list();

    expect(jobsOf(listing)).toStrictEqual(["job-a"]);
    expect(requestsOf(scene.github, from).filter((operation) => operation === "graphql:node")).toHaveLength(
      1,
    );
  });

  test("on discussions need no request for pages with only older ones", async () => {
    const countRequests = async (older: number) => {
      await using scene = await openScene();
      for (let count = 0; count < older; count += 1) addDiscussionThread(scene);
      scene.passTime(31 * day);
      addDiscussionThread(scene);
      const from = scene.github.requests.length;
      await scene.list();
      return requestsOf(scene.github, from).length;
    };

    expect(await countRequests(110)).toBe(await countRequests(0));
  });

  test("on the newest discussions are found if there are too many, which is reported", async () => {
    await using scene = await openScene();
    for (let count = 0; count < 1001; count += 1) addDiscussionThread(scene);

    expect((await scene.list()).notSearched).toStrictEqual([
      "Discussions: only the 1000 that changed last were searched.",
    ]);
  });

  test("in replies on discussions are found, and threads without ours are not read", async () => {
    await using scene = await openScene();
    const discuss = () => {
      const thread = addDiscussionThread(scene);
      const { number: discussion } = thread;
      const top = scene.github.addDiscussionComment({ discussion, author: "mona", body: "/docs explain" });
      return { ...thread, asking: { id: top.id, nodeId: `DC_${top.id}`, topId: top.id } };
    };
    await scene.comment(discuss(), makeRecord("a"));
    const crowded = discuss();
    await scene.comment(crowded, makeRecord("b"));
    const reply = { discussion: crowded.number, author: "mona", body: "Hello", replyTo: crowded.asking.id };
    for (let count = 0; count < 11; count += 1) scene.github.addDiscussionComment(reply);
    const foreign = discuss();
    scene.github.addDiscussionComment({ ...reply, discussion: foreign.number, replyTo: foreign.asking.id });
    const from = scene.github.requests.length;

    const listing = await scene.list();

    expect(jobsOf(listing)).toStrictEqual(["job-a", "job-b"]);
    expect(requestsOf(scene.github, from).filter((operation) => operation === "graphql:node")).toHaveLength(
      2,
    );
  });

  test.each([
    ["an issue", addIssueThread],
    ["a discussion", addDiscussionThread],
  ])("of %s are reread in their current state", async (_name, addThread) => {
    await using scene = await openScene();
    const claim = await scene.comment(addThread(scene), makeRecord("a"));
    const [found] = (await scene.list()).records;

    await found?.store.update(claim, makeRecord("a", { state: "ended", outcome: "failed" }));
    expect((await found?.store.reread(claim))?.record).toMatchObject({ state: "ended", outcome: "failed" });

    scene.github.state.comments.clear();
    scene.github.state.discussionComments.clear();
    expect(await found?.store.reread(claim)).toBeUndefined();
  });
});

describe("open records in review threads", () => {
  /** A review thread. */
  function addReviewThread({ github }: Scene): ThreadAddress {
    const { number } = github.openPullRequest({ author: "agent[bot]", head: "docs/a" });
    const { id } = github.addReviewThread({ pull: number, author: "rev", body: "Why?" });
    const triggerComment = { id, nodeId: `PRRC_${id}`, topId: id };
    return { kind: "pull-request", number, nodeId: "", triggerComment };
  }

  test("are found once, and are updated and reread there", async () => {
    await using scene = await openScene();
    const claim = await scene.comment(addReviewThread(scene), makeRecord("a"));
    const [found, ...others] = (await scene.list()).records;

    await found?.store.update(found.claim, makeRecord("a", { state: "ended", outcome: "failed" }));

    expect(others).toStrictEqual([]);
    expect(found).toMatchObject({ name: "#1", claim: { id: claim.id, isReviewComment: true } });
    expect((await found?.store.reread(claim))?.record).toMatchObject({ state: "ended", outcome: "failed" });
    scene.github.state.reviewComments.clear();
    expect(await found?.store.reread(claim)).toBeUndefined();
  });

  test("need a request for each page of the repository's review comments", async () => {
    await using scene = await openScene();
    const { number: pull } = scene.github.openPullRequest({ author: "alice", head: "x" });
    for (let index = 0; index < 150; index += 1)
      scene.github.addReviewComment({ pull, author: "rev", body: "Why?" });
    const from = scene.github.requests.length;

    await scene.list();

    const listings = requestsOf(scene.github, from).filter((each) => each.startsWith("pulls/list-review"));
    expect(listings).toHaveLength(2);
  });
});

/** Creates a record in each type of location. */
async function scatterRecords(scene: Scene): Promise<void> {
  await scene.comment(addIssueThread(scene), makeRecord("a"));
  await scene.comment(addDiscussionThread(scene), makeRecord("b"));
  await scene.mark(scene.github.addCommit({ branch: "release/1.x" }), makeRecord("c"));
}

const { discussions: _d, ...noDiscussions } = all;
const { statuses: _s, ...noStatuses } = all;
const { contents: _c, ...noContents } = all;
const { "pull-requests": _p, ...noPulls } = all;
const { issues: _i, ...noComments } = noPulls;

test("Records are found if GitHub finds queries of whole pages too large", async () => {
  await using scene = await openScene();
  for (let count = 0; count < 70; count += 1) {
    const { number } = addDiscussionThread(scene);
    scene.github.addDiscussionComment({ discussion: number, author: "mona", body: "Hello" });
  }
  for (let count = 0; count < 90; count += 1) scene.github.addCommit({ branch: "main" });
  await scatterRecords(scene);
  scene.github.state.nodesPerQuery = 60;

  const listing = await scene.list();

  expect(jobsOf(listing)).toStrictEqual(["job-a", "job-b", "job-c"]);
  expect(listing).toMatchObject({ failures: [], notSearched: [] });
});

describe("without a permission", () => {
  test.each([
    ["discussions: write", noDiscussions, ["job-a", "job-c"], 1],
    ["statuses: write", noStatuses, ["job-a", "job-b"], 1],
    ["contents: read", noContents, ["job-a", "job-b"], 1],
    ["pull-requests: write", noPulls, ["job-a", "job-b", "job-c"], 1],
    ["issues: write", { ...noComments }, ["job-b", "job-c"], 1],
  ])(
    "`%s`, the other records are found and the missing line is reported",
    async (line, permissions, jobs, places) => {
      await using scene = await openScene();
      await scatterRecords(scene);

      const listing = await scene.list(permissions);

      expect(jobsOf(listing)).toStrictEqual(jobs);
      expect(listing.notSearched.filter((sentence) => sentence.includes(`\`${line}\``))).toHaveLength(places);
      expect(listing.failures).toStrictEqual([]);
    },
  );

  test("for comments and statuses, it fails", async () => {
    await using scene = await openScene();

    await expect(scene.list({ contents: "read" })).rejects.toMatchObject({
      code: "missing-permission",
      hint: expect.stringContaining("`issues: write`"),
    });
    await expect(scene.list({ contents: "read", discussions: "write" })).rejects.toMatchObject({
      code: "missing-permission",
    });
  });
});

test("A failed search is distinguished from a refused one", async () => {
  await using scene = await openScene();
  await scatterRecords(scene);
  scene.github.faults.add({
    path: "/issues/comments",
    fault: { kind: "answer", status: 502, headers: { "content-type": "application/json" }, body: "{}" },
  });

  const listing = await scene.list();

  expect(jobsOf(listing)).toStrictEqual(["job-b", "job-c"]);
  expect(listing.failures).toMatchObject([{ code: "unavailable" }]);
});
