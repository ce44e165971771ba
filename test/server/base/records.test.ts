import { chmod, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { openDataDirectory } from "../../../src/server/base/records.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

describe("a data directory", () => {
  test("can be used by one platform at a time, even within a process", async () => {
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "made", "data");
    const first = await openDataDirectory(path);

    await expect(openDataDirectory(path)).rejects.toMatchObject({
      code: "conflict",
      message: `Another local platform is using the data directory ${path}.`,
    });
    await first[Symbol.asyncDispose]();
    await using second = await openDataDirectory(path);

    expect(second.path).toBe(path);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
  });

  test("that is a file is named", async () => {
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "data");
    await writeFile(path, "");

    await expect(openDataDirectory(path)).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringContaining(`The data directory ${path} cannot be used: EEXIST`),
    });
    await expect(openDataDirectory(undefined, path)).rejects.toMatchObject({ code: "invalid-input" });
  });

  test("is not a folder with folders of others, which the platform could remove", async () => {
    await using folder = await createTemporaryFolder();
    await mkdir(join(folder.path, "work"));

    await expect(openDataDirectory(folder.path)).rejects.toMatchObject({
      code: "invalid-input",
      message: `The folder ${folder.path} cannot be the data directory: it has a folder work that is not of a platform.`,
    });
    expect(await readdir(folder.path)).toEqual(["work"]);
  });

  test("can be a new volume, with a folder of its file system", async () => {
    await using folder = await createTemporaryFolder();
    for (const name of ["lost+found", ".snapshots"]) await mkdir(join(folder.path, name));

    await (await openDataDirectory(folder.path))[Symbol.asyncDispose]();
    await writeFile(join(folder.path, "record.json"), "");

    await using again = await openDataDirectory(folder.path);
    expect(again.path).toBe(folder.path);
  });

  // Root may write everywhere, and Windows has no such permission.
  test.runIf((process.getuid?.() ?? 0) > 0)("that cannot be written to is named", async () => {
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "data");
    await mkdir(path);
    await writeFile(join(path, "lock"), "");
    await chmod(path, 0o555);

    await expect(openDataDirectory(path)).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringContaining(`The data directory ${path} cannot be used: EACCES`),
    });
    await chmod(path, 0o755);
  });

  test("that is temporary is in the given folder, and is removed with its platform", async () => {
    await using folder = await createTemporaryFolder();
    const directory = await openDataDirectory(undefined, folder.path);
    await writeFile(join(directory.path, "file"), "");
    expect(dirname(directory.path)).toBe(folder.path);

    await directory[Symbol.asyncDispose]();

    await expect(stat(directory.path)).rejects.toThrow("ENOENT");
  });
});
