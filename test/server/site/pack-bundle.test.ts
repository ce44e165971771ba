import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { packBundle } from "../../../src/server/site/pack-bundle.ts";
import { createFolder } from "./docs-folder.ts";

const run = promisify(execFile);
const script = fileURLToPath(new URL("render-and-pack.ts", import.meta.url));
const docsDir = fileURLToPath(new URL("../../fixtures/docs-site", import.meta.url));

const { signal } = new AbortController();

async function renderAndPack(timeZone: string): Promise<string> {
  await using work = await createFolder();
  const { stdout } = await run(process.execPath, [script, docsDir, work.path], {
    env: { ...process.env, TZ: timeZone, NODE_OPTIONS: "" },
  });
  return stdout;
}

describe("packBundle", () => {
  test("the same documents give the same bytes in every time zone", async () => {
    const zones = ["UTC", "Asia/Kathmandu", "America/Los_Angeles"];
    const bundles = await Promise.all(zones.map(renderAndPack));
    expect(bundles[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(bundles).size).toBe(1);
  });

  test("the bundle is described as it lies on disk, and its entries are sorted", async () => {
    await using site = await createFolder({ "z.txt": "z", "b/c.txt": "c", "a.txt": "a", "b.txt": "b" });
    await using out = await createFolder();
    const path = join(out.path, "site.zip");
    const bundle = await packBundle(site.path, path, signal);
    const bytes = await readFile(path);
    expect(bundle.bytes).toBe(bytes.length);
    expect(bundle.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
    const text = bytes.toString("latin1");
    const positions = ["a.txt", "b.txt", "b/c.txt", "z.txt"].map((name) => text.lastIndexOf(name));
    expect(positions).toEqual(positions.toSorted((left, right) => left - right));
    expect(Math.min(...positions)).toBeGreaterThan(0);
    expect(await readdir(out.path)).toEqual(["site.zip"]);
  });

  test("an aborted packing leaves nothing behind", async () => {
    await using site = await createFolder({ "a.txt": "a".repeat(1_000_000) });
    await using out = await createFolder();
    const reason = new Error("enough");
    const failure = packBundle(site.path, join(out.path, "site.zip"), AbortSignal.abort(reason));
    await expect(failure).rejects.toThrow();
    expect(await readdir(out.path)).toEqual([]);
  });

  test("a folder that cannot be written to is an error and not a wait", async () => {
    await using site = await createFolder({ "a.txt": "a" });
    await expect(packBundle(site.path, join(site.path, "none", "site.zip"), signal)).rejects.toMatchObject({
      code: "ENOENT",
    });
  });
});
