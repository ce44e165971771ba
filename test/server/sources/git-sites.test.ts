import { access, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createGit, type Git, GitError } from "../../../src/server/agents/git.ts";
import { openGitMirror } from "../../../src/server/sources/git-mirror.ts";
import { branchId } from "../../../src/server/sources/tracked-branch.ts";
import { startHttpServer } from "../../support/http-server.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { createRepository, git } from "../agents/agent-platform.ts";
import { until } from "../test-platform.ts";
import { createSites, readIndex, secret, signal } from "./sites-fixture.ts";

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

const push = {
  headers: { "x-gitlab-token": secret },
  body: JSON.stringify({ ref: "refs/heads/main" }),
};

describe("a site of a git repository", () => {
  test("shows the folder at the default branch's commit, fetched with the token", async () => {
    await using sites = await createSites();
    await using process = await sites.open();

    expect(await process.documents.readRevision(signal)).toBe(sites.commit);
    expect(await readIndex(process.documents)).toBe("first");
    expect(sites.remote.requests.some(({ status }) => status === 401)).toBe(true);
    expect(sites.log.shown.join()).not.toContain(sites.remote.token);
  });

  test("shows another branch if the file names it", async () => {
    await using sites = await createSites({ branch: "next", folder: "." });
    await sites.remote.commit({ branch: "next", files: { "index.md": "of next" } });
    await using process = await sites.open();

    expect(await readIndex(process.documents)).toBe("of next");
  });

  test("is the same in all processes, and only one of them polls the host", async () => {
    await using sites = await createSites();
    await using one = await sites.open("one");
    await one.documents.readRevision(signal);
    const { length: asked } = await sites.records.list();
    const [{ checks } = { checks: 0 }] = await sites.records.list();
    await using two = await sites.open("two");
    expect(await two.documents.readRevision(signal)).toBe(sites.commit);
    const [{ checks: checksOfBoth } = { checks: 0 }] = await sites.records.list();

    const newer = await sites.remote.commit({ files: { "docs/index.md": "second" } });
    await one.send(push);
    await until(
      () => sites.records.list(),
      ([record]) => record?.commit === newer,
    );

    expect([asked, checksOfBoth]).toEqual([1, checks]);
    expect(await two.documents.readRevision(signal)).toBe(newer);
    expect(await one.documents.readRevision(signal)).toBe(newer);
    expect(await readIndex(two.documents)).toBe("second");
  });

  test("follows the branch by polling", async () => {
    await using sites = await createSites();
    await using process = await sites.open("one", 1000);
    await process.documents.readRevision(signal);
    const newer = await sites.remote.commit({ files: { "docs/index.md": "second" } });
    sites.clock.now += 60_000;

    await until(async () => (await process.documents.readRevision(signal)) === newer);

    expect(await readIndex(process.documents)).toBe("second");
  });

  test("can still open an older commit while its host has it", async () => {
    await using sites = await createSites();
    await sites.remote.commit({ files: { "docs/index.md": "second" } });
    await using process = await sites.open();

    await using older = await process.documents.open(sites.commit, signal);

    expect(await readFile(join(older.docsDir, "index.md"), "utf8")).toBe("first");
    expect(await readIndex(process.documents)).toBe("second");
  });

  test("fails to open a commit that was force-pushed away, and continues after the next push", async () => {
    await using sites = await createSites();
    const gone = await sites.remote.commit({ files: { "docs/index.md": "gone" } });
    await using one = await sites.open("one");
    expect(await readIndex(one.documents)).toBe("gone");
    await sites.remote.git("update-ref", "refs/heads/main", sites.commit);
    await sites.remote.git("reflog", "expire", "--expire=now", "--all");
    await sites.remote.git("gc", "--prune=now", "--quiet");

    await using two = await sites.open("two");
    expect(await two.documents.readRevision(signal)).toBe(gone);
    await expect(two.documents.open(gone, signal)).rejects.toThrow("git fetch failed");
    // One process still has the commit.
    await (await one.documents.open(gone, signal))[Symbol.asyncDispose]();

    await two.send(push);
    await until(
      () => sites.records.list(),
      ([record]) => record?.commit === sites.commit,
    );
    await using again = await sites.open("three");
    expect(await readIndex(again.documents)).toBe("first");
  });

  test("stays unchanged while its host is unavailable, with one warning", async () => {
    await using sites = await createSites();
    await using process = await sites.open();
    await readIndex(process.documents);
    await sites.remote[Symbol.asyncDispose]();
    const askAgain = async (checks: number) => {
      await process.send(push);
      await until(
        () => sites.records.list(),
        ([record]) => (record?.checks ?? 0) >= checks,
      );
    };
    const [{ checks } = { checks: 0 }] = await sites.records.list();
    await askAgain(checks + 1);
    await askAgain(checks + 2);
    await askAgain(checks + 3);

    expect(await readIndex(process.documents)).toBe("first");
    const warnings = sites.log.lines.filter((line) => line.startsWith("warning"));
    expect(warnings).toEqual([expect.stringContaining("the last known commit, if any, is shown")]);
  });

  test("responds with 503 until its host was reached once", async () => {
    await using sites = await createSites();
    await sites.remote[Symbol.asyncDispose]();
    await using process = await sites.open();

    await expect(process.documents.readRevision(signal)).rejects.toMatchObject({ status: 503 });
  });

  test("does not wait for an unresponsive host any longer when aborted", async () => {
    await using host = await startHttpServer(() => new Promise(() => undefined));
    await using sites = await createSites({ repository: `${host.url}/docs.git` });
    await using process = await sites.open();
    const stop = new AbortController();

    const reading = process.documents.readRevision(stop.signal);
    stop.abort(new Error("the platform stops"));

    await expect(reading).rejects.toThrow("the platform stops");
  });

  test("is polled while other sites' hosts do not respond", async () => {
    await using host = await startHttpServer(() => new Promise(() => undefined));
    await using sites = await createSites();
    const [site] = JSON.parse(await readFile(sites.file, "utf8"));
    const unresponsive = ["a", "b", "c", "d"].map((branch) => ({
      domains: [`${branch}.example.com`],
      repository: `${host.url}/docs.git`,
      branch,
    }));
    await writeFile(sites.file, JSON.stringify([...unresponsive, site]));

    await using _process = await sites.open();

    const [record] = await until(
      () => sites.records.list({ where: { commit: sites.commit } }),
      ({ length }) => length === 1,
    );
    expect(record?.repository).toBe(sites.remote.url);
  });

  test("uses no partial files of a killed process", async () => {
    await using sites = await createSites();
    const directory = join(sites.dataDirOf("one"), "mirrors", branchId(sites.remote.url, undefined));
    const partial = join(directory, "folders", `${sites.commit}-1`);
    for (const folder of [partial, join(directory, "mirror.git")]) await mkdir(folder, { recursive: true });
    await writeFile(join(partial, "index.md"), "fir");
    await writeFile(join(directory, "mirror.git", "shallow.lock"), "");

    await using process = await sites.open();

    expect(await readIndex(process.documents)).toBe("first");
  });

  test("does not keep the copies of a site that the file no longer has", async () => {
    await using sites = await createSites();
    const mirrors = join(sites.dataDirOf("one"), "mirrors");
    await mkdir(join(mirrors, "of-another-site"), { recursive: true });

    await using _process = await sites.open();

    expect(await readdir(mirrors)).toEqual([branchId(sites.remote.url, undefined)]);
  });

  test("removes the partial files of a failed fetch", async () => {
    await using folder = await createTemporaryFolder();
    const real = createGit(process.env);
    const mirrorFolder = join(folder.path, "mirror.git");
    const interrupted: Git = async (args, call) => {
      if (args[0] !== "fetch") return real(args, call);
      await writeFile(join(mirrorFolder, "objects", "pack", "tmp_pack_x"), "");
      throw new GitError("fetch", 128, "fatal: early EOF", false);
    };
    const retryBackoff = { baseMs: 0, maxMs: 0 };
    const options = { url: "https://example.com/docs.git", access: undefined, branch: "main", retryBackoff };
    await using mirror = await openGitMirror(folder.path, options, interrupted);

    await expect(mirror.open("1".repeat(40), "", signal)).rejects.toThrow("early EOF");

    expect(await readdir(mirrorFolder)).toEqual([]);
  });

  test("is not checked out for a use that was aborted while it waited", async () => {
    await using repository = await createRepository({ "docs/index.md": "# Welcome\n" });
    await using folder = await createTemporaryFolder();
    const real = createGit(process.env);
    const fetched = Promise.withResolvers<void>();
    const checkedOut: string[] = [];
    const slow: Git = async (args, call) => {
      if (args[0] === "fetch") await fetched.promise;
      if (args[0] === "read-tree") checkedOut.push(call.cwd);
      return real(args, call);
    };
    const options = { url: repository.root, access: undefined, branch: "main" };
    await using mirror = await openGitMirror(folder.path, options, slow);
    const { commit } = await mirror.readTip();
    const abort = new AbortController();

    const used = mirror.open(commit, "docs", signal);
    const aborted = mirror.open(commit, "docs", abort.signal).catch((error: unknown) => error);
    abort.abort(new Error("The client left."));
    fetched.resolve();
    const folders = [(await used).docsDir, (await mirror.open(commit, "docs", signal)).docsDir];

    expect(await aborted).toEqual(new Error("The client left."));
    expect(checkedOut).toEqual(folders);
  });

  test("leaves nothing of a check-out that failed", async () => {
    await using repository = await createRepository({ "docs/index.md": "# Welcome\n" });
    await using folder = await createTemporaryFolder();
    const real = createGit(process.env);
    const full: Git = async (args, call) => {
      const output = await real(args, call);
      if (args[0] === "read-tree")
        throw new GitError("read-tree", 128, "fatal: No space left on device", false);
      return output;
    };
    const options = { url: repository.root, access: undefined, branch: "main" };
    await using mirror = await openGitMirror(folder.path, options, full);
    const { commit } = await mirror.readTip();

    await expect(mirror.open(commit, "docs", signal)).rejects.toThrow("No space left");

    await expect.poll(() => readdir(join(folder.path, "folders"))).toEqual([]);
  });

  test("checks each use out into a folder of its own, which is removed afterwards", async () => {
    await using sites = await createSites();
    await using process = await sites.open();
    const one = await process.documents.open(sites.commit, signal);
    await using other = await process.documents.open(sites.commit, signal);

    await one[Symbol.asyncDispose]();
    await one[Symbol.asyncDispose]();

    expect(await exists(one.docsDir)).toBe(false);
    expect(await readFile(join(other.docsDir, "index.md"), "utf8")).toBe("first");
  });

  test("does not follow a symbolic link in place of its folder, and reports the missing folder", async () => {
    await using repository = await createRepository({ "docs/index.md": "# Welcome\n" });
    await symlink("/etc", join(repository.root, "linked"));
    await git(repository.root, "add", "--all");
    await git(repository.root, "commit", "--quiet", "--message", "Link");
    for (const folder of ["linked", "missing", "linked/ssl"]) {
      await using sites = await createSites({ repository: repository.root, folder, tokenVariable: "" });
      await using process = await sites.open();
      await expect(readIndex(process.documents)).rejects.toThrow(`has no folder ${folder}`);
    }
  });

  test("fetches a commit without its folder once", async () => {
    await using sites = await createSites({ folder: "missing" });
    await using process = await sites.open();
    const open = async () => process.documents.open(sites.commit, signal);
    // Then the first poll has ended.
    await until(
      () => sites.records.list(),
      ([record]) => record?.commit === sites.commit,
    );
    await expect(open()).rejects.toThrow("has no folder missing");
    const { length: before } = sites.remote.requests;

    await expect(open()).rejects.toThrow("has no folder missing");

    expect(sites.remote.requests).toHaveLength(before);
  });

  test("refuses a few objects that describe more than four gigabytes of documents", async () => {
    await using repository = await createRepository();
    const { root } = repository;
    await writeFile(join(root, "zeros"), Buffer.alloc(2 ** 25));
    const blob = await git(root, "hash-object", "-w", "zeros");
    const entries = Array.from({ length: 129 }, (_, index) => `100644,${blob},docs/${index}.md`);
    await git(root, "update-index", "--add", ...entries.flatMap((entry) => ["--cacheinfo", entry]));
    await git(root, "commit", "--quiet", "--message", "Grow");
    await using sites = await createSites({ repository: root, tokenVariable: "" });
    await using process = await sites.open();

    await expect(readIndex(process.documents)).rejects.toThrow("the limit is 4294967296 bytes");
  });

  test("can be in a local repository", async () => {
    await using repository = await createRepository({ "docs/index.md": "# Welcome\n" });
    await using sites = await createSites({ repository: repository.root, tokenVariable: "" });
    await using process = await sites.open();

    expect(await readIndex(process.documents)).toBe("# Welcome\n");
  });
});
