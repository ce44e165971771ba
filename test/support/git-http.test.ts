import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { startGitRemote } from "./git-http.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

const run = promisify(execFile);

const environment = {
  PATH: process.env["PATH"] ?? "",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_TERMINAL_PROMPT: "0",
};

const git = async (folder: string, ...args: readonly string[]) => {
  const identity = ["-c", "user.name=Hubot", "-c", "user.email=hubot@example.com"];
  const { stdout } = await run("git", ["-C", folder, ...identity, ...args], { env: environment });
  return stdout.trim();
};

describe("the git remote of the tests", () => {
  test("is cloned, and takes pushes of new branches", async () => {
    await using remote = await startGitRemote();
    await remote.commit({ files: { "docs/index.md": "# Home\n" } });
    await using clone = await createTemporaryFolder();
    await git(clone.path, "clone", "--quiet", remote.authenticatedUrl, ".");
    expect(await readFile(join(clone.path, "docs/index.md"), "utf8")).toBe("# Home\n");
    await git(clone.path, "switch", "--quiet", "--create", "docs/job-1");
    await writeFile(join(clone.path, "docs/index.md"), "# Start\n");
    await git(clone.path, "commit", "--quiet", "--all", "--message", "Rename");
    await git(clone.path, "push", "--quiet", "origin", "docs/job-1");
    expect(await remote.git("show", "docs/job-1:docs/index.md")).toBe("# Start");
    expect(remote.requests.at(-1)).toEqual({ service: "git-receive-pack", status: 200 });
  });

  test("takes pushes that are larger than one packet", async () => {
    await using remote = await startGitRemote();
    await using clone = await createTemporaryFolder();
    await git(clone.path, "clone", "--quiet", remote.authenticatedUrl, ".");
    const words = Array.from({ length: 400_000 }, (_, index) => (index * 2_654_435_761) % 4_294_967_296);
    await writeFile(join(clone.path, "large.txt"), words.join(" "));
    await git(clone.path, "add", ".");
    await git(clone.path, "commit", "--quiet", "--message", "Large");
    await git(clone.path, "push", "--quiet", "origin", "main");
    expect(await remote.git("cat-file", "-s", "main:large.txt")).toBe(String(words.join(" ").length));
  });

  test.each([
    ["no token", (url: string) => url],
    ["a wrong token", (url: string) => url.replace("//", "//x-access-token:ghs_wrong@")],
  ])("refuses %s", async (_, address) => {
    await using remote = await startGitRemote();
    await using clone = await createTemporaryFolder();
    await expect(git(clone.path, "clone", address(remote.url), ".")).rejects.toMatchObject({ code: 128 });
    expect(remote.requests.every(({ status }) => status === 401)).toBe(true);
  });

  test("can refuse pushes while it still gives", async () => {
    await using remote = await startGitRemote();
    remote.refusePushes();
    await using clone = await createTemporaryFolder();
    await git(clone.path, "clone", "--quiet", remote.authenticatedUrl, ".");
    await expect(git(clone.path, "push", "origin", "HEAD:refs/heads/x")).rejects.toThrow("403");
  });

  test("keeps what a branch had when a commit adds to it", async () => {
    await using remote = await startGitRemote();
    await remote.commit({ files: { "one.md": "1" } });
    await remote.commit({ files: { "deep/two.md": "2" } });
    expect(await remote.git("ls-tree", "-r", "--name-only", "main")).toBe("deep/two.md\none.md");
  });
});
