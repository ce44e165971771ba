import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { startPlatformProcess } from "./platform-process.ts";
import { startTestPlatform } from "./test-platform.ts";

async function createDocuments() {
  const folder = await createTemporaryFolder();
  await writeFile(join(folder.path, "index.md"), "# Welcome\n");
  return folder;
}

describe("the platform's command line", () => {
  test("prints keys that it made once, and keeps them", async () => {
    await using docs = await createDocuments();
    await using data = await createTemporaryFolder();
    const args = ["--docs", docs.path, "--data", data.path];

    const first = startPlatformProcess(args);
    await first.url;
    const firstEnd = await first.end("SIGTERM");
    await using second = startPlatformProcess(args);
    const url = await second.url;

    const key = /svc_[0-9a-f]{48}/.exec(first.output())?.[0] ?? "";
    const response = await fetch(`${url}/v1/static-export/jobs/se_none`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(firstEnd).toBe(0);
    expect(response.status).toBe(404);
    expect(second.output()).not.toContain("svc_");
    expect((await stat(join(data.path, "keys.json"))).mode & 0o777).toBe(0o600);
  });

  test("takes keys from the environment, and does not print them or write them down", async () => {
    await using docs = await createDocuments();
    await using data = await createTemporaryFolder();
    const environment = { DOCS_PLATFORM_ADMIN_KEY: "svc_mine", DOCS_PLATFORM_ASSISTANT_KEY: "svc_dsc_mine" };

    await using platform = startPlatformProcess(["--docs", docs.path, "--data", data.path], environment);
    const response = await fetch(`${await platform.url}/v1/static-export/jobs/se_none`, {
      headers: { authorization: "Bearer svc_mine" },
    });

    expect(response.status).toBe(404);
    expect(platform.output()).not.toContain("mine");
    await expect(readFile(join(data.path, "keys.json"))).rejects.toThrow("ENOENT");
  });

  test("refuses a data directory that another platform is using, until that one is gone, killed or not", async () => {
    await using docs = await createDocuments();
    await using data = await createTemporaryFolder();
    const args = ["--docs", docs.path, "--data", data.path];
    await using first = startPlatformProcess(args);
    await first.url;

    await using second = startPlatformProcess(args);
    const refusal = await second.ended;
    await first.end("SIGKILL");
    await using third = startPlatformProcess(args);

    expect(refusal).toBe(1);
    expect(second.output()).toContain("Another local platform is using the data directory");
    await expect(third.url).resolves.toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  test.each([
    [["--docs", ".", "--plan", "free"], "--plan: "],
    [["--docs", "nowhere"], "nowhere does not exist"],
  ])("says what is wrong with %j and ends with 1", async (args, message) => {
    await using platform = startPlatformProcess(args);

    expect(await platform.ended).toBe(1);
    expect(platform.output()).toContain(message);
  });

  test("refuses a key whose prefix is another kind's", async () => {
    await using docs = await createDocuments();
    const keys = { admin: "svc_dsc_public" };

    await expect(startTestPlatform({ docsDir: docs.path, keys })).rejects.toThrow(
      "admin key must start with svc_.",
    );
  });

  test("shows its options and ends with 0 when asked for help", async () => {
    await using platform = startPlatformProcess(["--help"]);

    expect(await platform.ended).toBe(0);
    expect(platform.output()).toContain("--docs DIR");
  });
});
