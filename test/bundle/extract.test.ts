import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { extractArchive } from "../../src/bundle/verify.ts";
import { buildBundle, buildTarGz, buildZip, buildZipBundle } from "../support/archives.ts";
import { nodeBinary } from "../support/run-action.ts";
import { createFolder } from "../support/temporary-folder.ts";
import { codeOf, setUpArchive } from "./archive-setup.ts";

describe("extractArchive", () => {
  it("unpacks both archive formats to the same tree", async () => {
    const files = { "a/b/deep.html": "deep", "a/p.html": "p", "é.html": "é", "empty.txt": "" };
    const entries = Object.entries(files).map(([name, body]) => ({ name, body }));
    await using tar = await setUpArchive(buildTarGz(entries));
    await using zip = await setUpArchive(buildZip(entries));

    await tar.extract();
    await zip.extract();

    expect(await zip.paths()).toEqual(await tar.paths());
    for (const [name, body] of Object.entries(files)) expect(await zip.read(name)).toBe(body);
  });

  it("replaces an empty folder", async () => {
    await using setup = await setUpArchive(buildBundle(1000));
    await mkdir(setup.site);

    expect(await setup.extract()).toMatchObject({ files: 2 });
    expect(await setup.read("site/index.html")).toContain("<title>Docs</title>");
  });

  it("does not change the destination if the archive is damaged", async () => {
    await using setup = await setUpArchive(buildBundle(1000).subarray(0, -1));
    await mkdir(setup.site);
    await writeFile(join(setup.site, "mine.txt"), "mine");
    const before = await setup.paths();

    expect(await codeOf(setup.extract())).toBe("bundle-corrupt");
    expect(await setup.paths()).toEqual(before);
  });

  it("reports a path that is too long in its folder as one that cannot be written", async () => {
    const name = Array.from({ length: 16 }, () => "a".repeat(255)).join("/");
    await using setup = await setUpArchive(buildZip([{ name, body: "" }]));

    await expect(setup.extract()).rejects.toMatchObject({
      code: "disk-full",
      message: expect.stringContaining("ENAMETOOLONG"),
      hint: expect.stringContaining("cannot write to this path"),
    });
    expect(await setup.paths()).toEqual([]);
  });

  it("waits on Windows until a virus scanner has read the new files", async () => {
    await using setup = await setUpArchive(buildBundle(1000));
    const module = new URL("../../src/bundle/prepare-part.ts", import.meta.url);
    const script = `import fs from "node:fs/promises";
      import { syncBuiltinESMExports } from "node:module";
      Object.defineProperty(process, "platform", { value: "win32" });
      const { rename } = fs;
      const errors = ["EPERM", "EBUSY"];
      fs.rename = async (from, to) => {
        const code = errors.shift();
        if (code === undefined) return rename(from, to);
        throw Object.assign(new Error(code), { code });
      };
      syncBuiltinESMExports();
      const { preparePart } = await import("${module}");
      await using part = await preparePart(${JSON.stringify(setup.site)});
      await fs.mkdir(part.path);
      await part.publish();`;

    await promisify(execFile)(nodeBinary(), ["--input-type=module", "--eval", script]);

    expect((await stat(setup.site)).isDirectory()).toBe(true);
  });

  it("ignores the modes of the archive", async () => {
    await using setup = await setUpArchive(buildZip([{ name: "run.sh", body: "#!/bin/sh", mode: 0o104777 }]));

    await setup.extract();

    expect((await stat(join(setup.site, "run.sh"))).mode & 0o7111).toBe(0);
    // Later steps may run as another user, for example in a container.
    expect((await stat(setup.site)).mode & 0o777).toBe(0o755 & ~process.umask());
  });

  it("leaves no file when aborted", async () => {
    const abort = new AbortController();
    await using setup = await setUpArchive(buildZipBundle(20_000_000), abort.signal);
    const reason = new Error("cancelled");

    const extraction = setup.extract();
    setImmediate(() => abort.abort(reason));

    await expect(extraction).rejects.toBe(reason);
    expect(await setup.paths()).toEqual([]);
  });
});

async function setUp(names: readonly string[]) {
  const folder = await createFolder({
    "docs-export.zip": buildZip([{ name: "index.html", body: "new" }]),
    ...Object.fromEntries(names.map((name) => [`${name}/index.html`, "old"])),
  });
  const archive = join(folder.path, "docs-export.zip");
  return {
    archive,
    replace: () => extractArchive(archive, join(folder.path, "site"), {}, new AbortController().signal),
    names: async () => (await readdir(folder.path)).toSorted(),
    read: (path: string) => readFile(join(folder.path, path), "utf8"),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** The id of a process that has ended. */
async function endedProcess(): Promise<number> {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(child, "exit");
  return child.pid ?? 0;
}

describe("a replaced site", () => {
  it("has only the new files", async () => {
    await using setup = await setUp(["site"]);

    await setup.replace();

    expect(await setup.read("site/index.html")).toBe("new");
    expect(await setup.names()).toEqual(["docs-export.zip", "site"]);
  });

  it("names the folder if it cannot be written", async () => {
    await using setup = await setUp([]);
    const folder = join(setup.archive, "site");
    const replacing = extractArchive(setup.archive, folder, {}, new AbortController().signal);
    await expect(replacing).rejects.toMatchObject({
      code: "disk-full",
      message: expect.stringContaining(`Writing ${folder} failed`),
    });
  });

  it("removes the folder of a killed run", async () => {
    const pid = await endedProcess();
    await using setup = await setUp([`site.${pid}.part`, `site.${process.pid}.part`]);

    await setup.replace();

    expect(await setup.names()).toEqual(["docs-export.zip", "site"]);
  });

  it("does not remove the folder of a running process or other folders", async () => {
    const others = [`site.${process.ppid}.part`, "site.part", `a.site.${process.pid}.part`, "site-1"];
    await using setup = await setUp(others);

    await setup.replace();

    expect(await setup.names()).toEqual([...others, "docs-export.zip", "site"].toSorted());
  });
});
