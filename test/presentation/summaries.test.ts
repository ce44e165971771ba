import { expect, test } from "vitest";
import {
  renderDoctorSummary,
  renderDryRun,
  renderFailureSummary,
  renderReconcileSummary,
} from "../../src/presentation/summaries.ts";

test("The summary of `doctor` escapes quoted text and keeps our own Markdown", () => {
  const detail = "It said: <img src=x> | @mona\n[a](b)";
  const summary = renderDoctorSummary("unhealthy", [
    { subject: "Platform", result: "problem", detail, isQuoted: true, hint: "" },
    { subject: "Token", result: "ok", detail: "It reads `a | b`.", hint: "Read a | b." },
  ]);

  expect(summary).toMatchInlineSnapshot(`
    "### Setup: unhealthy

    | Result | Check | Finding | Next step |
    |---|---|---|---|
    | ❌ problem | Platform | It said: &lt;img src=x&gt; \\| @‌mona \\[a\\]\\(b\\) |  |
    | ✅ ok | Token | It reads \`a \\| b\`. | Read a \\| b. |
    "
  `);
});

test("The summary of a failure shows code as code, and a list of several problems", () => {
  const render = (problems: readonly string[]) =>
    renderFailureSummary({
      command: "export",
      outcome: "error",
      problems,
      report: {
        code: "invalid-input",
        hint: "Correct what is named above.",
        docsUrl: "https://docs.example/",
      },
      outputs: [{ name: "job-id", value: "aj_b20e582a48c4e62a" }],
      versions: "1.0.0",
    });

  expect(render(["`api-key` is missing."])).toContain("**`api-key` is missing.**\n");
  expect(render(["`api-key` is missing.", "`domain` is *missing*."])).toContain(
    "- `api-key` is missing.\n- `domain` is \\*missing\\*.\n",
  );
});

test("The summary of a dry run shows the prompt without the reference that identifies our pull request", () => {
  const summary = renderDryRun(
    "agent",
    "POST /v2/agent/prj_1/job",
    'Document retries.\n\nWrite the line "Reference: docs-automation-0123456789abcdef01234567".',
  );
  expect(summary).toContain("POST /v2/agent/prj_1/job");
  expect(summary).toContain('Document retries.\n\nWrite the line "Reference: docs-automation-…".');
  expect(summary).not.toContain("0123456789abcdef01234567");
});

test("The summary of `reconcile` lists requests and unchecked places with escaped text", () => {
  const row = {
    name: "#12",
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
    | [\\#‌12](https://github.localhost/octo-org/widgets/issues/12#issuecomment-1) | job\\|1 | failed-to-check | &lt;img src=x&gt; @‌mona |
    | \\#‌12 |  | finished | archived |

    - Discussions were not looked at: add \`discussions: write\`.
    "
  `);
});

test("The summary of `reconcile` reports that nothing was found, and unchecked places", () => {
  expect(renderReconcileSummary([], [])).toBe("### Docs reconcile\n\nNo open requests found.\n");
  expect(renderReconcileSummary([], ["Tags: 3 of 9 were not looked at."])).toBe(
    "### Docs reconcile\n\nNo open requests found.\n\n- Tags: 3 of 9 were not looked at.\n",
  );
});
