import { expect, test } from "vitest";
import {
  renderDoctorSummary,
  renderDryRun,
  renderReconcileSummary,
} from "../../src/presentation/summaries.ts";

test("The summary of a diagnosis quotes other people's words as text, and keeps our own Markdown", () => {
  const detail = "It said: <img src=x> | @mona\n[a](b)";
  const summary = renderDoctorSummary("unhealthy", [
    { subject: "Platform", result: "problem", detail, isQuoted: true },
    { subject: "Token", result: "ok", detail: "It reads `a | b`." },
  ]);

  expect(summary).toMatchInlineSnapshot(`
    "### Set-up: unhealthy

    | Result | What | Finding | Next step |
    |---|---|---|---|
    | ❌ problem | Platform | It said: &lt;img src=x&gt; \\| @‌mona \\[a\\]\\(b\\) |  |
    | ✅ ok | Token | It reads \`a \\| b\`. |  |
    "
  `);
});

test("The summary of a dry run shows the prompt, but not the reference that would make a pull request ours", () => {
  const summary = renderDryRun(
    "agent",
    "POST /v2/agent/prj_1/job",
    'Document retries.\n\nWrite the line "Reference: docs-automation-0123456789abcdef01234567".',
  );
  expect(summary).toContain("POST /v2/agent/prj_1/job");
  expect(summary).toContain('Document retries.\n\nWrite the line "Reference: docs-automation-…".');
  expect(summary).not.toContain("0123456789abcdef01234567");
});

test("The summary of a reconcile shows each request, and what was not checked, without untrusted Markdown", () => {
  const row = {
    where: "#12",
    url: "https://github.localhost/octo-org/widgets/issues/12#issuecomment-1",
    jobId: "job|1",
    kind: "failed-to-check",
    detail: "<img src=x> @mona",
  };

  const summary = renderReconcileSummary(
    [row, { ...row, url: undefined, jobId: undefined, kind: "finished", detail: "archived" }],
    ["Discussions were not looked at: add `discussions: write`."],
  );

  expect(summary).toMatchInlineSnapshot(`
    "### Docs reconcile

    | Request | Job | Result | Detail |
    |---|---|---|---|
    | [\\#‌12](https://github.localhost/octo-org/widgets/issues/12#issuecomment-1) | \`job\\|1\` | failed-to-check | &lt;img src=x&gt; @‌mona |
    | \\#‌12 |  | finished | archived |

    - Discussions were not looked at: add \\\`discussions: write\\\`.
    "
  `);
});

test("The summary of a reconcile that found nothing says so, and what it did not check", () => {
  expect(renderReconcileSummary([], [])).toBe("### Docs reconcile\n\nNo open request was found.\n");
  expect(renderReconcileSummary([], ["Tags: 3 of 9 were not looked at."])).toBe(
    "### Docs reconcile\n\nNo open request was found.\n\n- Tags: 3 of 9 were not looked at.\n",
  );
});
