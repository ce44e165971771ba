import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { visit } from "unist-util-visit";
import { describe, expect, test } from "vitest";
import { parseMarkdown } from "../../src/github/visible-text.ts";
import {
  describeStatus,
  isRetryable,
  type RequestStatus,
  renderAgentSummary,
  renderEndNotice,
  renderStatusComment,
  tryAgainBox,
} from "../../src/presentation/status-comment.ts";
import { cardStates, picturedStates, pictures } from "../support/card-states.ts";
import { renderText } from "../support/rendered-text.ts";

const base: RequestStatus = { command: "agent", state: "claimed", claimedAt: "2026-01-01T12:00:00Z" };
const render = (status: Partial<RequestStatus>) => renderStatusComment({ ...base, ...status });
const states: readonly (readonly [name: string, status: RequestStatus])[] = Object.entries(cardStates);
const pullRequestUrl = "https://github.com/octo-org/widgets/pull/45";

describe("renderStatusComment", () => {
  test("matches the snapshot of each state", async () => {
    const cards = states.map(([name, status]) => `<!-- ${name} -->\n\n${renderStatusComment(status)}\n`);
    await expect(cards.join("\n\n")).toMatchFileSnapshot("status-comments.md");
  });

  test.each(states)("has no empty cell, raw time or repeated sentence: %s", (_, status) => {
    const comment = renderStatusComment(status);
    const sentences = renderText(comment)
      .split(/(?<=[.:])\s+|\n/)
      .map((sentence) => sentence.trim())
      .filter((sentence) => sentence.length > 12);

    expect(comment).not.toMatch(/\| *\||\d{4}-\d{2}-\d{2}T|undefined|NaN/);
    expect(new Set(sentences).size).toBe(sentences.length);
    expect(comment.match(/^### \S+ Docs agent: \S/gm)).toHaveLength(1);
    expect(comment.length).toBeLessThan(2000);
  });

  test.each(states)("offers to try again if no job is working on the request: %s", (_, status) => {
    const comment = renderStatusComment(status);
    const hasCheckbox = comment.split("\n").includes(tryAgainBox);

    expect(hasCheckbox).toBe(isRetryable(status));
    // The `if:` condition of the example workflows looks for it when the box is ticked.
    if (hasCheckbox) expect(comment).toContain("/docs");
    expect(renderAgentSummary(status, undefined)).not.toContain("[ ]");
  });

  test("links the run once if no comment shows the status", () => {
    const runUrl = "https://github.com/octo-org/widgets/actions/runs/1/attempts/1";

    const summary = renderAgentSummary({ ...base, runUrl }, runUrl);

    expect(summary.split(runUrl)).toHaveLength(2);
  });

  test("says when a used-up limit resets, and counts no request that was not sent", () => {
    const outcome = "rate-limited until 2026-01-01T13:05:00.000Z";

    const comment = render({ state: "released", outcome, uses: 3, triggerPhrase: "/docs" });

    expect(comment).toContain("than this run can wait. Try again after 13:05 UTC.");
    expect(comment).toContain("`/docs retry`");
    expect(comment).not.toContain("uses");
    expect(render({ state: "claimed", uses: 3 })).not.toContain("uses");
  });

  test("suggests no comment if the trigger phrase is unknown", () => {
    for (const [, status] of states) {
      expect(renderStatusComment({ ...status, triggerPhrase: undefined })).not.toMatch(/undefined|Comment/);
    }
  });

  test("quotes several lines and names their author once", () => {
    const comment = render({ requester: "mona", request: "explain `retries`\nand @octo-org/all #12" });
    expect(comment).toContain("> **mona:** explain \\`retries\\`\n> and @\u200cocto-org/all \\#\u200c12");
  });

  test("does not report a failed agent if only the pull request of a completed job is wrong", () => {
    const message =
      "Agent job j is completed, but the pull request it reports is not accepted: it is not https.";

    const comment = render({ state: "ended", outcome: "failed", jobId: "j", message });

    expect(comment).toContain("> Agent job j is completed, but");
    expect(comment).not.toContain("The job failed");
  });

  test("shows the platform's reason", () => {
    const message = "Agent job j failed: Out of credits.";
    expect(render({ state: "ended", outcome: "failed", jobId: "j", message })).toContain(
      "> [!CAUTION]\n> **The platform's reason:** Out of credits.",
    );
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
    [{ state: "working", jobId: "j", outcome: "stopped-by-user" }, "stopped waiting"],
    [{ state: "unknown" }, "unknown"],
    [{ state: "released", outcome: "cancelled" }, "not started"],
    [{ state: "released", outcome: "rate-limited" }, "not started"],
    [{ state: "ended", outcome: "pull-request", pullRequestUrl }, "pull request ready"],
    [{ state: "ended", outcome: "updated", pullRequestUrl }, "updated"],
    [{ state: "ended", outcome: "unchanged", pullRequestUrl }, "unchanged"],
    [{ state: "ended", outcome: "no-pull-request" }, "completed, no pull request"],
    [{ state: "ended", outcome: "failed" }, "failed"],
    [{ state: "ended", outcome: "archived" }, "archived"],
  ] as const)("shows %j as %s", (status, title) => {
    expect(render(status)).toMatch(new RegExp(`^### \\S+ Docs agent: ${title}$`, "m"));
  });

  test.each(["failed", "archived"])("links the pull request if the job is %s", (outcome) => {
    const comment = render({ state: "ended", outcome, pullRequestUrl, message: "Out of credits." });
    expect(comment).toContain(`**[Pull request #45](${pullRequestUrl})**`);
    expect(comment).toContain("may be incomplete");
    expect(comment).toContain("Out of credits.");
  });

  test.each(["failed", "archived"])(
    "offers no second job if a pull request is not accepted: %s",
    (outcome) => {
      const comment = render({ state: "ended", outcome, isMismatch: true, message: "It belongs to `a/b`." });
      expect(comment).toContain("> It belongs to `a/b`.");
      expect(comment).toContain("set `docs-repository` to it and re-run the workflow");
      expect(comment).not.toContain("retry");
      expect(comment).not.toContain("[ ]");
    },
  );

  test("compares only commits", () => {
    const [headBefore, headAfter] = ["a".repeat(40), "b".repeat(40)];
    const update = { state: "ended", outcome: "updated", pullRequestUrl, headBefore } as const;

    expect(render({ ...update, headAfter })).toContain(`/widgets/compare/${headBefore}...${headAfter})`);
    expect(render({ ...update, headAfter: "../../evil" })).not.toContain("compare");
    expect(render(update)).not.toContain("compare");
  });

  test("adds the date to times of another day", () => {
    const endedAt = "2026-01-02T00:01:00Z";
    const comment = render({ state: "ended", outcome: "no-pull-request", endedAt });
    expect(comment).toContain("<sub>requested 12:00 · ended 02 Jan 00:01 UTC · took 12 h 1 min");
  });

  test("explains how to resume a job after its run stopped waiting", () => {
    expect(render({ state: "working", jobId: "j", outcome: "cancelled" })).toContain(
      "Re-run the workflow to continue waiting for this job.",
    );
  });

  test("suggests no re-run of a run that does not wait", () => {
    const detached = { state: "working", jobId: "j", outcome: "detached", triggerPhrase: undefined } as const;
    expect(render(detached)).toContain("Set `job-id` to follow this job.");
    expect(describeStatus({ ...detached, command: "agent", claimedAt: "" })).toBe(
      "Docs agent: still running, job j",
    );
  });

  test("neutralizes untrusted text", () => {
    const hostile =
      "@mona #1 GH-2 closes #3 https://evil.example ![x](https://evil.example/x.png) <img src=x> <!-- x --> [a](b) | `c` \n# d\n```";
    const markdown = render({
      state: "ended",
      outcome: hostile,
      jobId: hostile,
      target: hostile,
      triggerPhrase: hostile,
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
        if (["html", "image", "link", "code", "table"].includes(node.type)) {
          found.push(node.type === "html" ? node.value : node.type);
        }
        if (node.type === "text") found.push(...(node.value.match(/@mona|#\d|GH-\d/g) ?? []));
      });
    }

    // The footer is our own.
    expect(found).toStrictEqual(["<sub>", "</sub>"]);
  });

  test("stays far below GitHub's limit for any input", () => {
    const long = (length: number) => "&<@#|`".repeat(length).slice(0, length);
    const file = {
      path: long(300),
      additions: 1,
      deletions: 1,
      previewUrl: `https://a.example/${long(480)}`,
    };
    const markdown = render({
      state: "ended",
      outcome: "failed",
      jobId: long(500),
      target: long(500),
      requester: long(500),
      request: long(700),
      message: long(1000),
      notes: Array.from({ length: 8 }, () => long(300)),
      pullRequestUrl,
      pull: {
        title: long(300),
        state: "open",
        additions: 1,
        deletions: 1,
        fileCount: 10,
        files: Array.from({ length: 10 }, () => file),
      },
    });

    expect(markdown.length).toBeLessThan(50_000);
  });
});

test("The pictures in the docs show the current rendering of each title, light and dark", () => {
  const folder = new URL("../../docs/images/", import.meta.url);
  const hashOf = (markdown: string) => createHash("sha256").update(markdown).digest("hex");
  const rendered = Object.entries(pictures).map(([name, markdown]) => [name, hashOf(markdown)]);
  const taken: unknown = JSON.parse(readFileSync(new URL("pictures.json", folder), "utf8"));
  const sizes = rendered.flatMap(([name]) =>
    ["light", "dark"].map((theme) => statSync(new URL(`${name}-${theme}.png`, folder)).size),
  );
  const titleOf = (status: RequestStatus) => /: (.*)$/m.exec(renderStatusComment(status))?.[1];
  const pictured = new Set(Object.values(picturedStates).map(titleOf));

  // If they differ, run `npm run pictures`.
  expect(taken).toStrictEqual(Object.fromEntries(rendered));
  expect(sizes.reduce((total, size) => total + size) / sizes.length).toBeLessThan(23_000);
  expect(states.map(([, status]) => titleOf(status)).filter((title) => !pictured.has(title))).toStrictEqual([
    "job ended",
    "stopped",
    "pull request merged",
    "pull request closed",
  ]);
});

test.each([
  [{ state: "working", jobId: "job_1" }, "Docs agent: working, job job_1"],
  [
    { state: "working", jobId: "job_1", outcome: "cancelled" },
    "Docs agent: still running, job job_1; re-run to resume",
  ],
  [
    { state: "working", jobId: "job_1", outcome: "stopped-by-user" },
    "Docs agent: stopped waiting, job job_1",
  ],
  [
    {
      state: "ended",
      outcome: "pull-request",
      jobId: "j",
      pullRequestUrl: "https://github.com/o/r/pull/4",
    },
    "Docs agent: pull request ready #4, job j",
  ],
  [{ state: "unknown" }, "Docs agent: unknown"],
] as const)("describeStatus describes %j as %s", (status, sentence) => {
  expect(describeStatus({ ...base, ...status })).toBe(sentence);
});

describe("renderEndNotice", () => {
  const page = "https://github.com/octo-org/widgets/issues/12#issuecomment-301";

  test("mentions the requester and links the pull request", () => {
    expect(renderEndNotice(cardStates["pull request"], page)).toBe(
      `@mona: pull request ready: [Explain when and how requests are retried #45](${pullRequestUrl}) ([status](${page})).`,
    );
  });

  test.each(states.filter(([, { state }]) => state === "ended"))("is one sentence: %s", (_, status) => {
    expect(renderEndNotice(status, page)).toMatch(/^@mona: .+ \(\[status\]\(https:.+\)\)\.$/);
  });

  test("mentions a managed user of an enterprise, whose login contains an underscore", () => {
    const requester = "mona-cat_octo";
    expect(renderEndNotice({ ...base, state: "ended", requester }, page)).toMatch(/^@mona-cat_octo: /);
  });

  test.each(["mona/all", "-mona", "mona @octo-org/all", "x".repeat(40), "mona[bot]", "мона"])(
    "mentions nobody if the name is not a login: %j",
    (requester) => {
      expect(renderEndNotice({ ...base, state: "ended", requester }, page)).not.toContain("@");
    },
  );
});
