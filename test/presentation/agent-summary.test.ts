import { describe, expect, test } from "vitest";
import { renderAgentDryRun } from "../../src/presentation/agent-summary.ts";

describe("the summary of a dry run", () => {
  test("shows the request and the prompt, but not the reference that would make a pull request ours", () => {
    const summary = renderAgentDryRun({
      request: "POST /v2/agent/prj_1/job",
      prompt: 'Document retries.\n\nWrite the line "Reference: docs-automation-0123456789abcdef01234567".',
    });

    expect(summary).toContain("POST /v2/agent/prj_1/job");
    expect(summary).toContain('Document retries.\n\nWrite the line "Reference: docs-automation-…".');
    expect(summary).not.toContain("0123456789abcdef01234567");
  });
});
