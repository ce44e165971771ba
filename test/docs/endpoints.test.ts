/** The requests that `docs/local-platform.md` shows, run as a reader would paste them. */
import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { createRepository, startAgentPlatform } from "../server/agents/agent-platform.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const run = promisify(execFile);
const page = new URL("../../docs/local-platform.md", import.meta.url);

/** The block of commands under “Endpoints”; what stands before it is for the reader to fill in. */
async function readCommands(): Promise<string> {
  const text = await readFile(page, "utf8");
  const section = text.slice(text.indexOf("## Endpoints"));
  const blocks = [...section.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map((match) => match[1] ?? "");
  return blocks.find((block) => block.includes("curl")) ?? "";
}

describe("the documentation of the embedded platform", () => {
  test("shows requests that work when they are copied", async () => {
    await using repository = await createRepository({
      "docs/start.md": "# How to start\n\nStart with npm start.\n",
    });
    await using platform = await startAgentPlatform(
      { repository: repository.root },
      { domains: ["localhost"] },
    );
    await using folder = await createTemporaryFolder();
    const commands = await readCommands();

    const { stdout } = await run("bash", ["-euo", "pipefail", "-c", commands], {
      cwd: folder.path,
      env: {
        PATH: process.env["PATH"],
        PLATFORM: platform.url,
        ADMIN_KEY: platform.adminKey,
        ASSISTANT_KEY: platform.assistantKey,
      },
    });

    expect((await stat(join(folder.path, "bundle.zip"))).size).toBeGreaterThan(1000);
    expect(stdout).toContain('"status":"active"');
    expect(stdout).toContain('"type":"finish"');
    for (const endpoint of ["/jobs/$export_id/bundle", "/job/$agent_id/message", "discovery/v2"]) {
      expect(commands).toContain(endpoint);
    }
  });
});
