import { stat, writeFile } from "node:fs/promises";
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

  test("that is temporary is in the given folder, and is removed with its platform", async () => {
    await using folder = await createTemporaryFolder();
    const directory = await openDataDirectory(undefined, folder.path);
    await writeFile(join(directory.path, "file"), "");
    expect(dirname(directory.path)).toBe(folder.path);

    await directory[Symbol.asyncDispose]();

    await expect(stat(directory.path)).rejects.toThrow("ENOENT");
  });
});
