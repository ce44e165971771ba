/** The requests that `docs/local-platform.md` shows, run as a reader would paste them. */
import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { startAgents } from "../server/agents/agent-platform.ts";
import { takeBlock } from "../support/page-blocks.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const run = promisify(execFile);
test("the documentation of the embedded platform shows requests that work when they are copied", async () => {
  await using platform = await startAgents(
    { files: { "docs/start.md": "# How to start\n\nStart with npm start.\n" } },
    { domains: ["localhost"] },
  );
  await using folder = await createTemporaryFolder();
  const values = { "http://127.0.0.1:4870": platform.url, "svc_…": platform.adminKey };
  const filledIn = Object.entries({ ...values, "svc_dsc_…": platform.assistantKey }).reduce(
    (text, [shown, value]) => text.replace(`=${shown}`, `=${value}`),
    takeBlock("docs/local-platform.md#endpoints/1"),
  );
  const commands = takeBlock("docs/local-platform.md#endpoints/2");

  const { stdout } = await run("bash", ["--norc", "-euo", "pipefail", "-c", filledIn + commands], {
    cwd: folder.path,
    env: { PATH: process.env["PATH"] },
  });

  expect((await stat(join(folder.path, "bundle.zip"))).size).toBeGreaterThan(1000);
  expect(stdout).toContain('"status":"active"');
  expect(stdout).toContain('"type":"finish"');
  for (const endpoint of ["/jobs/$export_id/bundle", "/job/$agent_id/message", "discovery/v2"]) {
    expect(commands).toContain(endpoint);
  }
});
