import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { startGitRemote } from "./git-http.ts";

const run = promisify(execFile);

test("the git remote of the tests gives nothing without its token", async () => {
  await using remote = await startGitRemote();
  const env = { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_TERMINAL_PROMPT: "0" };
  for (const url of [remote.url, remote.url.replace("//", "//x-access-token:ghs_wrong@")])
    await expect(run("git", ["ls-remote", url], { env })).rejects.toMatchObject({ code: 128 });
  expect(remote.requests.every(({ status }) => status === 401)).toBe(true);
});
