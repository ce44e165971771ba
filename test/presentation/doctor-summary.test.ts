import { expect, test } from "vitest";
import { renderDoctorSummary } from "../../src/presentation/doctor-summary.ts";

test("quotes other people's words as text, and keeps our own Markdown", () => {
  const summary = renderDoctorSummary({
    outcome: "unhealthy",
    findings: [
      {
        subject: "Platform",
        verdict: "problem",
        detail: "It said: <img src=x> | @mona\n[a](b)",
        isQuoted: true,
      },
      { subject: "Token", verdict: "ok", detail: "It reads `a | b`." },
    ],
  });

  expect(summary).toMatchInlineSnapshot(`
    "### Set-up: unhealthy

    | | what | finding | next step |
    |---|---|---|---|
    | ❌ problem | Platform | It said: &lt;img src=x&gt; \\| @‌mona \\[a\\]\\(b\\) |  |
    | ✅ ok | Token | It reads \`a \\| b\`. |  |
    "
  `);
});
