/** The scripts inside the reusable workflow, run as the runner runs them: by bash, with their inputs in the environment. */
import { spawnSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod/mini";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const Workflow = z.object({
  jobs: z.record(
    z.string(),
    z.object({
      steps: z.array(
        z.object({ run: z.optional(z.string()), with: z.optional(z.record(z.string(), z.unknown())) }),
      ),
    }),
  ),
});

/** Runner images have jq; a person's machine may not. */
const hasJq = spawnSync("jq", ["--version"]).status === 0;

async function readWorkflow() {
  const path = new URL("../../.github/workflows/export-sites.yml", import.meta.url);
  return Workflow.parse(parse(await readFile(path, "utf8")));
}

async function scriptOf(job: string): Promise<string> {
  const workflow = await readWorkflow();
  const script = workflow.jobs[job]?.steps.map(({ run }) => run).findLast((run) => run !== undefined);
  if (script === undefined) throw new Error(`The job ${job} has no script.`);
  return script;
}

async function runScript(
  job: string,
  environment: Record<string, string>,
  files: Record<string, string> = {},
) {
  const folder = await createTemporaryFolder("workflow-script-");
  const output = join(folder.path, "output");
  await mkdir(join(folder.path, "results"));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, "results", name), text);
  const { status, stderr } = spawnSync(
    "bash",
    ["--noprofile", "--norc", "-eo", "pipefail", "-c", await scriptOf(job)],
    {
      cwd: folder.path,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: output, ...environment },
    },
  );
  const text = await readFile(output, "utf8").catch(() => "");
  await folder[Symbol.asyncDispose]();
  return { status, stderr, text };
}

describe.skipIf(!hasJq)("the workflow that exports many sites", () => {
  test("plans one job per site", async () => {
    const sites = [
      { domain: "a.example.com", fingerprint: "4f2a91c", note: "dropped" },
      { domain: "b.example.com" },
      { domain: "c", fingerprint: 7 },
    ];
    expect(await runScript("plan", { SITES: JSON.stringify(sites), RETENTION_DAYS: "14" })).toMatchObject({
      status: 0,
      text: expect.stringContaining(
        'sites=[{"domain":"a.example.com","fingerprint":"4f2a91c"},{"domain":"b.example.com","fingerprint":""},{"domain":"c","fingerprint":"7"}]\n',
      ),
    });
  });

  test.each([1, 14, 90])(
    "exports again what is kept for %i days, before it is gone",
    async (retentionDays) => {
      const environment = { SITES: '[{"domain":"a"}]', RETENTION_DAYS: String(retentionDays) };
      const { text } = await runScript("plan", environment);
      expect(text).toContain(`\nperiod=${Math.floor(Date.now() / 86_400_000 / retentionDays)}\n`);
      const { jobs } = await readWorkflow();
      const keys = jobs["export"]?.steps.flatMap((step) => step.with?.["key"] ?? []);
      const key =
        "docs-export-${{ matrix.site.domain }}-${{ matrix.site.fingerprint }}-${{ needs.plan.outputs.period }}";
      expect(keys).toEqual([key, key]);
    },
  );

  test.each([
    ["[]", "not empty"],
    ['{"domain":"a"}', "not empty"],
    ['[{"domain":"a/../b"}]', "not a domain"],
    ['[{"domain":"$(id)"}]', "not a domain"],
    ['[{"domain":"a","fingerprint":"x y"}]', "not a fingerprint"],
    ['[{"domain":"a"},{"domain":"a"}]', "listed twice"],
    [JSON.stringify(Array.from({ length: 257 }, (_, index) => ({ domain: `d${index}` }))), "at most 256"],
    ["not json", "error"],
  ])("refuses %.40s", async (sites, message) => {
    const { status, stderr, text } = await runScript("plan", { SITES: sites, RETENTION_DAYS: "14" });
    expect(status).not.toBe(0);
    expect(stderr).toContain(message);
    expect(text).toBe("");
  });

  test("gathers one summary, failures first", async () => {
    const result = (domain: string, outcome: string, more = {}) =>
      JSON.stringify({ domain, outcome, pages: "", size: "", artifact: "", error: "", ...more });
    const { text, status } = await runScript(
      "summarize",
      {},
      {
        "a.json": result("a.example.com", "exported", {
          pages: "12",
          size: "4096",
          artifact: "https://github.com/o/r/actions/runs/1/artifacts/2",
        }),
        "b.json": result("b.example.com", "unchanged"),
        "c.json": result("c.example.com", "failed", { error: "job-failed" }),
      },
    );
    expect(status).toBe(0);
    expect(text).toMatchInlineSnapshot(`
      "### 3 sites: 1 exported, 1 failed, 1 unchanged

      | site | outcome | pages | bytes | artifact |
      |---|---|---|---|---|
      | \`c.example.com\` | failed (\`job-failed\`) |  |  |  |
      | \`b.example.com\` | unchanged |  |  |  |
      | \`a.example.com\` | exported | 12 | 4096 | [artifact](https://github.com/o/r/actions/runs/1/artifacts/2) |
      "
    `);
  });
});
