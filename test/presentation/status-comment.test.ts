import { visit } from "unist-util-visit";
import { describe, expect, test } from "vitest";
import { parseMarkdown } from "../../src/github/markdown.ts";
import {
  describeStatus,
  type RequestStatus,
  renderAgentDryRun,
  renderStatusComment,
} from "../../src/presentation/status-comment.ts";

const nowMs = Date.UTC(2026, 0, 1, 12, 3, 5);
const base: RequestStatus = { command: "agent", state: "claimed", claimedAt: "2026-01-01T12:00:00Z" };
const render = (status: Partial<RequestStatus>) => renderStatusComment({ ...base, ...status }, nowMs);

describe("renderStatusComment", () => {
  test("shows a finished request whole", () => {
    expect(
      render({
        state: "ended",
        outcome: "pull-request",
        jobId: "job_1",
        pullRequestUrl: "https://github.com/octo-org/widgets/pull/45",
        requester: "mona",
        request: "explain `retries`\nand @octo-org/all #12",
        runUrl: "https://github.com/octo-org/widgets/actions/runs/1/attempts/1",
        notes: ["Removed from the request, because GitHub does not show it: 1 hidden segment."],
      }),
    ).toMatchInlineSnapshot(`
      "### Docs agent: pull request

      The agent opened [pull request 45](https://github.com/octo-org/widgets/pull/45).

      Requested by mona:

      > explain \\\`retries\\\`
      > and @‌octo-org/all \\#‌12

      | | |
      |---|---|
      | Job | \`job_1\` |
      | Took | 3 min 5 s |
      | Run | [log](https://github.com/octo-org/widgets/actions/runs/1/attempts/1) |

      - Removed from the request, because GitHub does not show it: 1 hidden segment."
    `);
  });

  test("does not say of a completed job that the agent gave up, whatever is wrong with its pull request", () => {
    const message =
      "Agent job j is completed, but the pull request it reports is not accepted: it is not https.";

    const comment = render({ state: "ended", outcome: "failed", jobId: "j", message });

    expect(comment).toContain("is completed, but");
    expect(comment).not.toContain("gave up");
  });

  test.each([
    [{ state: "claimed" }, "starting"],
    [{ state: "claimed", outcome: "queued until 2026-01-01T13:00:00Z" }, "queued"],
    [{ state: "submitting" }, "starting"],
    [{ state: "working", jobId: "j" }, "working"],
    [{ state: "working", jobId: "j", outcome: "cancelled" }, "still running"],
    [{ state: "working", jobId: "j", outcome: "timed-out" }, "still running"],
    [{ state: "working", jobId: "j", outcome: "detached" }, "still running"],
    [{ state: "working", jobId: "j", outcome: "stopped" }, "stopped"],
    [{ state: "unknown" }, "unknown"],
    [{ state: "released", outcome: "cancelled" }, "not started"],
    [{ state: "released", outcome: "rate-limited" }, "not started"],
    [{ state: "ended", outcome: "no-pull-request" }, "completed, no pull request"],
    [{ state: "ended", outcome: "failed" }, "failed"],
    [{ state: "ended", outcome: "archived" }, "archived"],
  ] as const)("of %j says %s", (status, title) => {
    expect(render(status)).toMatch(new RegExp(`^### Docs agent: ${title}$`, "m"));
  });

  test.each(["failed", "archived"])("links the pull request of a job that is %s", (outcome) => {
    const pullRequestUrl = "https://github.com/octo-org/widgets/pull/12";
    const comment = render({ state: "ended", outcome, pullRequestUrl, message: "Out of credits." });
    expect(comment).toMatch(new RegExp(`^### Docs agent: ${outcome}$`, "m"));
    expect(comment).toContain(`The agent opened [pull request 12](${pullRequestUrl}).`);
    expect(comment).toContain("Out of credits.");
  });

  test("tells how to resume a job after its run stopped waiting", () => {
    expect(render({ state: "working", jobId: "j", outcome: "cancelled" })).toContain(
      "the same job is resumed",
    );
  });

  test("lets no untrusted text act", () => {
    const hostile =
      "@mona #1 GH-2 closes #3 https://evil.example ![x](https://evil.example/x.png) <img src=x> <!-- x --> [a](b) | `c` \n# d\n```";
    const markdown = render({
      state: "ended",
      outcome: hostile,
      jobId: hostile,
      pullRequestUrl: "javascript:alert(1)",
      requester: hostile,
      request: hostile,
      runUrl: "not a url",
      message: hostile,
      notes: [hostile],
    });
    const tree = parseMarkdown(markdown);
    const found: string[] = [];
    if (tree) {
      visit(tree, (node) => {
        if (["html", "image", "link", "code", "table"].includes(node.type)) found.push(node.type);
        if (node.type === "text") found.push(...(node.value.match(/@mona|#\d|GH-\d/g) ?? []));
      });
    }

    // The table is our own.
    expect(found).toStrictEqual(["table"]);
  });

  test("stays far below GitHub's limit, whatever it is told", () => {
    const long = (length: number) => "&<@#|`".repeat(length).slice(0, length);
    const markdown = render({
      state: "ended",
      outcome: "failed",
      jobId: long(500),
      requester: long(500),
      request: long(700),
      message: long(1000),
      notes: Array.from({ length: 8 }, () => long(300)),
    });

    expect(markdown.length).toBeLessThan(50_000);
  });
});

describe("describeStatus", () => {
  test.each([
    [{ state: "working", jobId: "job_1" }, "Docs agent: working, job job_1"],
    [
      { state: "working", jobId: "job_1", outcome: "cancelled" },
      "Docs agent: still running, job job_1; re-run to resume",
    ],
    [
      {
        state: "ended",
        outcome: "pull-request",
        jobId: "j",
        pullRequestUrl: "https://github.com/o/r/pull/4",
      },
      "Docs agent: pull request #4, job j",
    ],
    [{ state: "unknown" }, "Docs agent: unknown"],
  ] as const)("of %j is %s", (status, sentence) => {
    expect(describeStatus({ ...base, ...status })).toBe(sentence);
  });
});

test("The summary of a dry run shows the prompt, but not the reference that would make a pull request ours", () => {
  const summary = renderAgentDryRun(
    "POST /v2/agent/prj_1/job",
    'Document retries.\n\nWrite the line "Reference: docs-automation-0123456789abcdef01234567".',
  );
  expect(summary).toContain("POST /v2/agent/prj_1/job");
  expect(summary).toContain('Document retries.\n\nWrite the line "Reference: docs-automation-…".');
  expect(summary).not.toContain("0123456789abcdef01234567");
});
