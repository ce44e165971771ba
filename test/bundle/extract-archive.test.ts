import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildBundle, buildTarGz, buildZip, buildZipBundle } from "../support/archives.ts";
import { codeOf, setUpArchive } from "./archive-setup.ts";

describe("extractArchive", () => {
  it("unpacks every kind of archive to the same tree", async () => {
    const files = { "a/b/deep.html": "deep", "a/p.html": "p", "é.html": "é", "empty.txt": "" };
    const entries = Object.entries(files).map(([name, body]) => ({ name, body }));
    await using tar = await setUpArchive(buildTarGz(entries));
    await using zip = await setUpArchive(buildZip(entries));

    await tar.extract();
    await zip.extract();

    expect(await zip.paths()).toEqual(await tar.paths());
    for (const [name, body] of Object.entries(files)) expect(await zip.read(name)).toBe(body);
  });

  it("fills a folder that is empty", async () => {
    await using setup = await setUpArchive(buildBundle(1000));
    await mkdir(setup.site);

    expect(await setup.extract()).toMatchObject({ files: 2 });
    expect(await setup.read("site/index.html")).toContain("<title>Docs</title>");
  });

  it.each(["file", "folder"])("does not touch a %s that is in its place", async (kind) => {
    await using setup = await setUpArchive(buildBundle(1000));
    if (kind === "folder") await mkdir(setup.site);
    await writeFile(kind === "folder" ? join(setup.site, "mine.txt") : setup.site, "mine");
    const before = await setup.paths();

    expect(await codeOf(setup.extract())).toBe("invalid-input");
    expect(await setup.paths()).toEqual(before);
  });

  it("ignores the modes of the archive", async () => {
    await using setup = await setUpArchive(buildZip([{ name: "run.sh", body: "#!/bin/sh", mode: 0o104777 }]));

    await setup.extract();

    expect((await stat(join(setup.site, "run.sh"))).mode & 0o7111).toBe(0);
  });

  it("leaves nothing when it is aborted on the way", async () => {
    const abort = new AbortController();
    await using setup = await setUpArchive(buildZipBundle(20_000_000), abort.signal);
    const reason = new Error("cancelled");

    const extraction = setup.extract();
    setImmediate(() => abort.abort(reason));

    await expect(extraction).rejects.toBe(reason);
    expect(await setup.paths()).toEqual([]);
  });
});
