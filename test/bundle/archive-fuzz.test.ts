import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildTar, buildZip, paxRecords, type TarEntry, type ZipEntry } from "../support/archives.ts";
import { caseCount } from "../support/property-seed.ts";
import { codeOf, setUpArchive } from "./archive-setup.ts";

const refusals = ["bundle-corrupt", "bundle-too-large", "unsafe-archive"];
const limits = { maxTotalBytes: 4 * 1024 * 1024, maxEntries: 200 };

/**
 * Whatever an archive is, it is unpacked whole and verified, or refused; either way nothing is left but the site. The
 * site is two folders below the one that is looked at, so what climbs out of it is seen.
 */
async function expectContained(bytes: Buffer): Promise<void> {
  await using setup = await setUpArchive(bytes);

  const verified = await codeOf(setup.verify(limits));
  const extracted = await codeOf(setup.extract(limits));

  expect(extracted).toBe(verified);
  const strangers = (await setup.paths()).filter((path) => !path.startsWith("work/site/"));
  expect(strangers).toEqual([]);
  if (verified === "accepted") return;
  expect(refusals).toContain(verified);
  expect(await setup.paths()).toEqual([]);
}

const segment = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("a", "b", "A", "page.html", "é", "e\u0301", "") },
  {
    weight: 1,
    arbitrary: fc.constantFrom("..", ".", "...", "aux", "c:", "a\\b", "..\\..", "x\0y", " ", "~", "\u202e"),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 12, unit: "binary" }) },
);
const path = fc
  .tuple(
    fc.constantFrom("", "", "", "/", "./", "../"),
    fc.array(segment, { minLength: 1, maxLength: 5 }),
    fc.constantFrom("", "", "/"),
  )
  .map(([start, segments, end]) => start + segments.join("/") + end);
const body = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.constantFrom("x".repeat(511), "y".repeat(512), "z".repeat(2000)),
);

const tarEntry: fc.Arbitrary<TarEntry> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ name: path.map(fitting), body }) },
  {
    weight: 2,
    arbitrary: fc.record({
      name: path.map(fitting),
      body,
      type: fc.constantFrom("0", "1", "2", "3", "5", "6", "7", "S", "g", "x", "L", "K", "V", "\0"),
      linkName: path.map(fitting),
    }),
  },
  {
    weight: 1,
    arbitrary: path.map((name) => ({ name: "pax", type: "x", body: paxRecords({ path: name }) })),
  },
  { weight: 1, arbitrary: path.map((name) => ({ name: "long", type: "L", body: `${name}\0` })) },
);

const zipEntry: fc.Arbitrary<ZipEntry> = fc.record(
  {
    name: path,
    body,
    method: fc.constantFrom(0, 8, 8, 8, 12),
    mode: fc.constantFrom(0, 0o100644, 0o040755, 0o120777, 0o010644),
    descriptor: fc.constantFrom("signed" as const, "plain" as const, "wide" as const),
    zip64: fc.boolean(),
  },
  { requiredKeys: ["name", "body"] },
);

interface Mutation {
  readonly at: number;
  readonly kind: "flip" | "set" | "insert" | "remove" | "copy";
  readonly value: number;
}
const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  kind: fc.constantFrom("flip", "flip", "set", "set", "insert", "remove", "copy"),
  value: fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.integer({ min: 0, max: 255 })),
});

describe("any archive", () => {
  it("of tar entries is unpacked inside its folder or rejected", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(tarEntry, { maxLength: 8 }), (entries) =>
        expectContained(gzipSync(buildTar(entries))),
      ),
      { numRuns: caseCount(80) },
    );
  });

  it("of zip entries is unpacked inside its folder or rejected", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(zipEntry, { maxLength: 8 }), fc.boolean(), (entries, zip64) =>
        expectContained(buildZip(entries, { zip64 })),
      ),
      { numRuns: caseCount(80) },
    );
  });

  it("that was damaged is unpacked inside its folder or rejected", { timeout: 120_000 }, async () => {
    const tar = buildTar([
      { name: "pax", type: "x", body: paxRecords({ path: "a/long.html" }) },
      { name: "a/long.html", body: "1".repeat(600) },
      { name: "b/", type: "5" },
      { name: "b/page.html", body: "2" },
    ]);
    const zip = buildZip(
      [
        { name: "a/", method: 0 },
        { name: "a/one.html", body: "1".repeat(600), zip64: true },
        { name: "b.html", body: "2", descriptor: "signed" },
        { name: "c.bin", body: "3".repeat(30), method: 0 },
      ],
      { zip64: true, comment: Buffer.from("comment") },
    );
    const damaged = fc
      .tuple(fc.constantFrom("tar", "gzip", "zip"), fc.array(mutation, { minLength: 1, maxLength: 6 }))
      .map(([target, mutations]) => {
        if (target === "zip") return mutate(zip, mutations);
        return target === "tar" ? gzipSync(mutate(tar, mutations)) : mutate(gzipSync(tar), mutations);
      });
    await fc.assert(fc.asyncProperty(damaged, expectContained), { numRuns: caseCount(150) });
  });
});

function fitting(name: string): string {
  let fitted = name;
  while (Buffer.byteLength(fitted) > 100) fitted = fitted.slice(0, -1);
  return fitted;
}

function mutate(bytes: Buffer, mutations: readonly Mutation[]): Buffer {
  return mutations.reduce((current, { at, kind, value }) => {
    const position = Math.floor(at * current.length);
    const [before, after] = [current.subarray(0, position), current.subarray(position)];
    if (kind === "insert") return Buffer.concat([before, Buffer.alloc(1 + (value % 7), value), after]);
    if (kind === "remove") return Buffer.concat([before, after.subarray(1 + value)]);
    if (kind === "copy") return Buffer.concat([current, before.subarray(-value * 4)]);
    const changed = Buffer.from(current);
    changed[position] = kind === "set" ? value : (current[position] ?? 0) ^ (1 << (value % 8));
    return changed;
  }, bytes);
}
