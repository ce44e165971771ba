/** One request in every state that its status comment can show, with fixed facts: for snapshots and for the pictures of the docs. */
import { parseExportReport } from "../../src/base/export-report.ts";
import { type RequestStatus, renderStatusComment } from "../../src/presentation/status-comment.ts";
import { type ExportSummary, renderExportSummary } from "../../src/presentation/summaries.ts";

const pullRequestUrl = "https://github.com/octo-org/widgets/pull/45";
const before = "3f9a1c07b2d84e5f60718293a4b5c6d7e8f90123";
const after = "b71e0d9245c36a8f1e2d3c4b5a69788796a5b4c3";

const pull = {
  title: "Explain when and how requests are retried",
  state: "open",
  additions: 34,
  deletions: 5,
  fileCount: 2,
  files: [
    {
      path: "docs/guides/retries.mdx",
      additions: 31,
      deletions: 2,
      previewUrl: "https://widgets-pr-45.preview.example/guides/retries",
    },
    {
      path: "docs/reference/client.mdx",
      additions: 3,
      deletions: 3,
      previewUrl: "https://widgets-pr-45.preview.example/reference/client",
    },
  ],
  previewUrl: "https://widgets-pr-45.preview.example/",
} as const;

const asked = {
  command: "agent",
  target: "widgets",
  triggerPhrase: "/docs",
  requester: "mona",
  request: "explain the retry option, with an example for each language",
  runUrl: "https://github.com/octo-org/widgets/actions/runs/1/attempts/1",
  claimedAt: "2026-11-22T09:12:04Z",
} as const;

const started = { ...asked, jobId: "job_7d21", startedAt: "2026-11-22T09:12:06Z", uses: 7 } as const;

const ended = { ...started, state: "ended", endedAt: "2026-11-22T09:18:31Z" } as const;

const followUp = {
  request: "say that uploads are not retried",
  claimedAt: "2026-11-22T10:40:51Z",
  startedAt: "2026-11-22T10:40:53Z",
  uses: 9,
  headBefore: before,
  pullRequestUrl,
  pull,
} as const;

/** Every state; the name says what has happened. */
export const cardStates = {
  claimed: { ...asked, state: "claimed" },
  "queued by the platform's limit": {
    ...asked,
    state: "claimed",
    outcome: "queued until 2026-11-22T09:40:00.000Z",
  },
  "queued behind a request": {
    ...asked,
    state: "claimed",
    outcome: "queued behind https://github.com/octo-org/widgets/issues/12#issuecomment-301",
  },
  "queued behind a busy job": { ...asked, state: "claimed", outcome: "queued behind the job" },
  submitting: { ...asked, state: "submitting" },
  working: { ...started, state: "working" },
  "working on a follow-up": { ...started, ...followUp, state: "working" },
  "cancelled while working": { ...started, state: "working", outcome: "cancelled" },
  "cancelled after the job's end": {
    ...started,
    state: "working",
    outcome: "cancelled",
    endedAt: "2026-11-22T09:45:00.000Z",
  },
  "timed out while working": { ...started, state: "working", outcome: "timed-out" },
  detached: { ...started, state: "working", outcome: "detached" },
  "interrupted while working": { ...started, state: "working", outcome: "interrupted" },
  "failed while waiting": {
    ...started,
    state: "working",
    outcome: "failed",
    message: "The platform did not answer for 10 minutes. Run again later.",
  },
  "stopped with its platform": { ...started, state: "working", outcome: "stopped" },
  "stopped by a user": { ...started, state: "working", outcome: "stopped-by-user" },
  unknown: {
    ...asked,
    state: "unknown",
    message:
      "Could not create the agent job: no response from https://api.platform.example (ECONNRESET, socket hang up). The platform may have processed the request, so it is not sent again. Check the platform's dashboard before you run again, because the job may exist. If it does, set `job-id` to follow it.",
  },
  "not sent: cancelled": { ...asked, state: "released", outcome: "cancelled" },
  "not sent: timed out": { ...asked, state: "released", outcome: "timed-out" },
  "not sent: the platform's limit": { ...asked, state: "released", outcome: "rate-limited" },
  "not sent: the person's limit": {
    ...asked,
    state: "released",
    outcome: "limit-per-user until 2026-11-22T10:05:00.000Z",
  },
  "not sent: withdrawn": {
    ...asked,
    state: "released",
    outcome: "skipped",
    message: "The comment was edited after it asked.",
  },
  "not sent: stopped": { ...asked, state: "released", outcome: "stopped-by-user" },
  "not sent: interrupted": { ...asked, state: "released", outcome: "interrupted" },
  "not sent: refused": {
    ...asked,
    state: "released",
    outcome: "failed",
    message: "The platform refused the key. Check `api-key`.",
  },
  "pull request": { ...ended, outcome: "pull-request", pullRequestUrl, pull },
  "pull request of a hidden repository": { ...ended, outcome: "pull-request", pullRequestUrl },
  "large draft": {
    ...ended,
    outcome: "pull-request",
    pullRequestUrl,
    pull: {
      ...pull,
      state: "draft",
      additions: 1204,
      deletions: 318,
      fileCount: 23,
      files: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((number) => ({
        path: `docs/guides/part-${number}.mdx`,
        additions: number * 10,
        deletions: number,
      })),
    },
    notes: ["Removed from the request, because GitHub does not show it: 1 hidden segment."],
  },
  updated: {
    ...ended,
    ...followUp,
    outcome: "updated",
    headAfter: after,
    endedAt: "2026-11-22T10:44:20Z",
    pull: {
      ...pull,
      commits: [
        { sha: before, title: "Explain when and how requests are retried" },
        { sha: after, title: "Say that uploads are not retried" },
      ],
    },
  },
  "updated by several commits": {
    ...ended,
    ...followUp,
    outcome: "updated",
    headAfter: after,
    pull: {
      ...pull,
      commits: [
        { sha: before, title: "Explain when and how requests are retried" },
        { sha: before.replace("3f", "4a"), title: "Say that uploads are not retried" },
        { sha: after, title: "Name the header that says when to retry" },
      ],
    },
  },
  "updated after a rebase": { ...ended, ...followUp, outcome: "updated", headAfter: after },
  unchanged: {
    ...ended,
    ...followUp,
    outcome: "unchanged",
    headAfter: before,
    endedAt: "2026-11-22T10:42:02Z",
  },
  "no pull request": { ...ended, outcome: "no-pull-request" },
  failed: {
    ...ended,
    outcome: "failed",
    message: "Agent job job_7d21 failed: the repository has no docs.json, so there is no navigation to edit.",
  },
  "failed with a pull request": {
    ...ended,
    outcome: "failed",
    pullRequestUrl,
    pull,
    message: "Agent job job_7d21 failed: out of credits.",
  },
  archived: {
    ...ended,
    outcome: "archived",
    message: "Agent job job_7d21 is archived; the platform gives no reason.",
  },
  merged: { ...ended, outcome: "pull-request", pullRequestUrl, pull: { ...pull, state: "merged" } },
  closed: { ...ended, outcome: "updated", pullRequestUrl, pull: { ...pull, state: "closed" } },
} as const satisfies Readonly<Record<string, RequestStatus>>;

/** The states whose pictures are in the docs. */
export const picturedStates = {
  starting: cardStates.claimed,
  queued: cardStates["queued behind a request"],
  working: cardStates.working,
  "still-running": cardStates["cancelled while working"],
  "stopped-waiting": cardStates["stopped by a user"],
  "pull-request": cardStates["pull request"],
  updated: cardStates.updated,
  unchanged: cardStates.unchanged,
  "no-pull-request": cardStates["no pull request"],
  failed: cardStates.failed,
  archived: cardStates.archived,
  unknown: cardStates.unknown,
  "not-started": cardStates["not sent: the person's limit"],
} as const satisfies Readonly<Record<string, RequestStatus>>;

const picturedExport: ExportSummary = {
  subject: "docs.widgets.example",
  jobId: "exp_5c90",
  pageCount: 214,
  bundle: {
    path: "docs-export/docs-export.tar.gz",
    size: 18_734_592,
    sha256: "9f2c4b1e7a6d3058c1f4e2b7a90d6c35e8417f0b2d6a9c3e5f7081b4d2c6a9e1",
    files: 1_037,
    isCached: false,
  },
  report: parseExportReport(
    JSON.stringify({
      pageCount: 214,
      warningCount: 2,
      warningsByKind: { link: 2 },
      warnings: [
        {
          kind: "link",
          page: "guides/retries.mdx",
          line: 41,
          message: "the link /limits is broken: there is no such page",
        },
        {
          kind: "link",
          page: "reference/client.mdx",
          line: 12,
          message: "the link /guides/retry is broken: there is no such page",
        },
      ],
    }),
  ),
  isFailure: false,
  isExpired: false,
  expiresAt: new Date("2026-11-22T16:12:00Z"),
  sitePath: undefined,
  artifact: {
    name: "docs-export.tar.gz",
    url: "https://github.com/octo-org/widgets/actions/runs/1/artifacts/7",
    digest: "9f2c4b1e7a6d3058c1f4e2b7a90d6c35e8417f0b2d6a9c3e5f7081b4d2c6a9e1",
  },
  valuesFile: { path: "deploy/values.yaml", isChanged: true },
  tookMs: 74_000,
};

/** What the pictures of the docs show, as Markdown by the pictures' names. */
export const pictures: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(picturedStates).map(([name, status]) => [`status-${name}`, renderStatusComment(status)]),
  ),
  "export-summary": renderExportSummary(picturedExport),
};
