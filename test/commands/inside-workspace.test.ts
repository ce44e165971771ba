import { chmod, mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  readWorkspaceFile,
  requireWritable,
  resolveInsideWorkspace,
} from "../../src/commands/inside-workspace.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const input = "output-dir";

describe("resolveInsideWorkspace", () => {
  test.each(["docs-export", "a/b/c", "./x", "..foo"])("accepts %s, which need not exist", async (path) => {
    await using folder = await createTemporaryFolder("workspace-");
    const resolved = await resolveInsideWorkspace(path, { workspace: folder.path, input });
    expect(resolved).toBe(join(await realpath(folder.path), path));
  });

  test.each(["..", "../x", "a/../../x", "/tmp", "."])("refuses %s", async (path) => {
    await using folder = await createTemporaryFolder("workspace-");
    await expect(resolveInsideWorkspace(path, { workspace: folder.path, input })).rejects.toThrow(
      "`output-dir`",
    );
  });

  test("refuses a link that leads out of the workspace, also as a parent", async () => {
    await using outside = await createTemporaryFolder("outside-");
    await using folder = await createTemporaryFolder("workspace-");
    await symlink(outside.path, join(folder.path, "link"));
    for (const path of ["link", "link/deeper"]) {
      await expect(resolveInsideWorkspace(path, { workspace: folder.path, input })).rejects.toThrow(
        "inside the workspace",
      );
    }
  });
});

describe("requireWritable", () => {
  test("makes the folder", async () => {
    await using folder = await createTemporaryFolder("workspace-");
    await requireWritable(join(folder.path, "a/b"), { input });
    expect(await realpath(join(folder.path, "a/b"))).toContain("a/b");
  });

  test("says that a file is no folder", async () => {
    await using folder = await createTemporaryFolder("workspace-");
    await writeFile(join(folder.path, "taken"), "x");
    await expect(requireWritable(join(folder.path, "taken"), { input })).rejects.toThrow(
      "cannot be used as a folder to write to (EEXIST)",
    );
  });

  test.skipIf(process.getuid?.() === 0)("says that a folder cannot be written to", async () => {
    await using folder = await createTemporaryFolder("workspace-");
    await mkdir(join(folder.path, "closed"));
    await chmod(join(folder.path, "closed"), 0o555);
    await expect(requireWritable(join(folder.path, "closed"), { input })).rejects.toThrow("EACCES");
  });
});

describe("readWorkspaceFile", () => {
  const read = (workspace: string, path: string) =>
    readWorkspaceFile(path, { workspace, input: "prompt-file", maxBytes: 100 });

  test("reads a file of the workspace", async () => {
    await using folder = await createTemporaryFolder("workspace-");
    await writeFile(join(folder.path, "prompt.md"), "do it");
    expect(await read(folder.path, "prompt.md")).toBe("do it");
  });

  test.each(["/etc/passwd", "../../etc/passwd", "missing.md", "."])("refuses %s", async (path) => {
    await using folder = await createTemporaryFolder("workspace-");
    await expect(read(folder.path, path)).rejects.toThrow("`prompt-file`");
  });

  test("refuses a link that leads out, as to the process's own environment", async () => {
    await using folder = await createTemporaryFolder("workspace-");
    await symlink("/proc/self/environ", join(folder.path, "prompt.md"));
    await expect(read(folder.path, "prompt.md")).rejects.toThrow("inside the workspace");
  });

  test("refuses a file that is far too large", async () => {
    await using folder = await createTemporaryFolder("workspace-");
    await writeFile(join(folder.path, "prompt.md"), "x".repeat(101));
    await expect(read(folder.path, "prompt.md")).rejects.toThrow("larger than 100 bytes");
  });
});
