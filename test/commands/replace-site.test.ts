import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { replaceSite } from "../../src/commands/replace-site.ts";
import { buildZip } from "../support/archives.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const uuid = "0b8f4b2e-6a0c-4c77-9f0a-0d5c7b1f2e3d";

async function setUp(names: readonly string[]) {
  const folder = await createTemporaryFolder();
  const archive = join(folder.path, "docs-export.zip");
  await writeFile(archive, buildZip([{ name: "index.html", body: "new" }]));
  for (const name of names) {
    await mkdir(join(folder.path, name), { recursive: true });
    await writeFile(join(folder.path, name, "index.html"), "old");
  }
  return {
    replace: () =>
      replaceSite({ archive, outputDir: folder.path, limits: {} }, { signal: new AbortController().signal }),
    names: async () => (await readdir(folder.path)).toSorted(),
    read: (path: string) => readFile(join(folder.path, path), "utf8"),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** The number of a process that has ended. */
async function endedProcess(): Promise<number> {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(child, "exit");
  return child.pid ?? 0;
}

describe("replaceSite", () => {
  test("puts the new site in the place of the old one", async () => {
    await using setup = await setUp(["site"]);

    await setup.replace();

    expect(await setup.read("site/index.html")).toBe("new");
    expect(await setup.names()).toEqual(["docs-export.zip", "site"]);
  });

  test("removes what a killed run left behind", async () => {
    const pid = await endedProcess();
    await using setup = await setUp([
      `.site-${pid}-${uuid}`,
      `.site-${pid}-${uuid}.partial-${uuid}`,
      `.site-${process.pid}-${uuid}`,
    ]);

    await setup.replace();

    expect(await setup.names()).toEqual(["docs-export.zip", "site"]);
  });

  test("leaves a run that goes on, and what is not its own, alone", async () => {
    const others = [`.site-${process.ppid}-${uuid}`, ".site-backup", `.site-${uuid}`, "site-1"];
    await using setup = await setUp(others);

    await setup.replace();

    expect(await setup.names()).toEqual([...others, "docs-export.zip", "site"].toSorted());
  });
});
