import { chmod, mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  readPromptInput,
  requireWritable,
  resolveDocsDir,
  resolveOutputDir,
  workspaceOf,
} from "../../src/commands/workspace.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

test("Without a workspace, or with an empty name of it, it is the current folder", () => {
  for (const environment of [{}, { GITHUB_WORKSPACE: "" }])
    expect(workspaceOf({ environment })).toBe(process.cwd());
});

test("A workspace that does not exist is reported by the name of its variable", () => {
  const environment = { GITHUB_WORKSPACE: "/removed/by/a/step" };
  expect(() => workspaceOf({ environment })).toThrow(
    "`GITHUB_WORKSPACE` names no folder: /removed/by/a/step",
  );
});

describe("resolveOutputDir", () => {
  test.each(["docs-export", "a/b/c", "./x", "..foo"])("accepts %s, which need not exist", async (path) => {
    await using folder = await createTemporaryFolder("workspace-");
    const resolved = resolveOutputDir(path, folder.path);
    expect(resolved).toBe(join(await realpath(folder.path), path));
  });

  test.each(["..", "../x", "a/../../x", "/tmp", "."])("refuses %s", async (path) => {
    await using folder = await createTemporaryFolder("workspace-");
    expect(() => resolveOutputDir(path, folder.path)).toThrow("`output-dir`");
  });

  test("refuses a link that leads out of the workspace, also as a parent", async () => {
    await using outside = await createTemporaryFolder("outside-");
    await using folder = await createTemporaryFolder("workspace-");
    await symlink(outside.path, join(folder.path, "link"));
    for (const path of ["link", "link/deeper"]) {
      expect(() => resolveOutputDir(path, folder.path)).toThrow("inside the workspace");
    }
    await symlink("loop", join(folder.path, "loop"));
    expect(() => resolveOutputDir("loop", folder.path)).toThrow("is a symbolic link that leads to itself");
  });
});

describe("resolveDocsDir", () => {
  test("takes a folder of the workspace, one that is missing, and one elsewhere that the workflow names", async () => {
    await using elsewhere = await createTemporaryFolder("outside-");
    await using folder = await createTemporaryFolder("workspace-");
    await mkdir(join(folder.path, "docs"));
    await symlink("docs", join(folder.path, "link"));
    for (const path of ["docs", "./link/", "missing", "."])
      expect(resolveDocsDir(path, folder.path)).toBe(join(folder.path, path).replace(/\/$/, ""));
    expect(resolveDocsDir(elsewhere.path, folder.path)).toBe(elsewhere.path);
  });

  test("refuses a link of the repository that leads out of it, also as a parent", async () => {
    await using outside = await createTemporaryFolder("outside-");
    await using folder = await createTemporaryFolder("workspace-");
    await mkdir(join(outside.path, "docs"));
    await symlink(outside.path, join(folder.path, "link"));
    for (const path of ["link", "link/docs", "link/missing"])
      expect(() => resolveDocsDir(path, folder.path)).toThrow("leads out of the workspace");
  });
});

describe("requireWritable", () => {
  test("makes the folder", async () => {
    await using folder = await createTemporaryFolder("workspace-");
    requireWritable(join(folder.path, "a/b"));
    expect(await realpath(join(folder.path, "a/b"))).toContain("a/b");
  });

  test("refuses a folder in a file", async () => {
    await using folder = await createTemporaryFolder("workspace-");
    await writeFile(join(folder.path, "file"), "");
    const inFile = resolveOutputDir("file/folder", folder.path);
    expect(() => requireWritable(inFile)).toThrow("`output-dir` is not a writable folder (ENOTDIR).");
  });

  test("refuses a file in its place", async () => {
    await using folder = await createTemporaryFolder("workspace-");
    await writeFile(join(folder.path, "taken"), "x");
    expect(() => requireWritable(join(folder.path, "taken"))).toThrow("is not a writable folder (EEXIST)");
  });

  test.skipIf(process.getuid?.() === 0)("says that a folder cannot be written to", async () => {
    await using folder = await createTemporaryFolder("workspace-");
    await mkdir(join(folder.path, "closed"));
    await chmod(join(folder.path, "closed"), 0o555);
    expect(() => requireWritable(join(folder.path, "closed"))).toThrow("EACCES");
  });
});

describe("a prompt in a file", () => {
  const read = (workspace: string, promptFile: string) =>
    readPromptInput({ promptFile }, { environment: { GITHUB_WORKSPACE: workspace } });

  test("is read from the workspace", async () => {
    await using folder = await createTemporaryFolder("workspace-");
    await writeFile(join(folder.path, "prompt.md"), "do it");
    expect(read(folder.path, "prompt.md")).toBe("do it");
  });

  test.each(["/etc/passwd", "../../etc/passwd", "missing.md", "."])("refuses %s", async (path) => {
    await using folder = await createTemporaryFolder("workspace-");
    expect(() => read(folder.path, path)).toThrow("`prompt-file`");
  });

  test("refuses a link that leads out, as to the process's own environment", async () => {
    await using folder = await createTemporaryFolder("workspace-");
    await symlink("/proc/self/environ", join(folder.path, "prompt.md"));
    expect(() => read(folder.path, "prompt.md")).toThrow("inside the workspace");
  });

  test("refuses a file in UTF-16, as PowerShell writes it, and other files that are no text", async () => {
    await using folder = await createTemporaryFolder("workspace-");
    for (const bytes of [Buffer.from("\ufeffdo it", "utf16le"), Buffer.from([0x89, 0x50, 0x4e, 0x47])]) {
      await writeFile(join(folder.path, "prompt.md"), bytes);
      expect(() => read(folder.path, "prompt.md")).toThrow("`prompt-file` cannot be read as text in UTF-8");
    }
    await writeFile(join(folder.path, "prompt.md"), "\ufeffdo it\r\n");
    expect(read(folder.path, "prompt.md")).toBe("do it");
  });

  test("refuses a file of white space only", async () => {
    await using folder = await createTemporaryFolder("workspace-");
    await writeFile(join(folder.path, "prompt.md"), " \n");
    expect(() => read(folder.path, "prompt.md")).toThrow("`prompt-file` is empty.");
  });
});
