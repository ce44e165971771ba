import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BundleError } from "../../src/bundle/errors.ts";
import { buildBundle, buildZipBundle } from "../support/archives.ts";
import { caseCount } from "../support/property-seed.ts";
import type { StorageOptions } from "../support/storage.ts";
import { setUpDownload, sha256 } from "./download-setup.ts";

type Misbehaviour = ReturnType<NonNullable<StorageOptions["misbehave"]>>;

const bodies = { tar: buildBundle(400_000), zip: buildZipBundle(400_000) };

const misbehaviour: fc.Arbitrary<Misbehaviour> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  fc.record({ kind: fc.constant("cut" as const), afterBytes: fc.nat(500_000) }),
  fc.record({ kind: fc.constant("stall" as const), afterBytes: fc.nat(500_000) }),
  fc.record({ kind: fc.constant("shift" as const), by: fc.integer({ min: 1, max: 1000 }) }),
  fc.record({
    kind: fc.constant("answer" as const),
    status: fc.constantFrom(200, 204, 206, 301, 400, 401, 403, 404, 408, 410, 412, 416, 418, 429, 500, 503),
    body: fc.constantFrom("", "<html>", "{}", "<Error><Code>ExpiredToken</Code></Error>"),
  }),
  fc.record({
    kind: fc.constant("headers" as const),
    headers: fc.constantFrom<Record<string, string>>(
      { etag: '"other"' },
      { etag: 'W/"1"' },
      { "content-range": "bytes 0-1/2" },
      { "content-range": "nonsense" },
      { "content-encoding": "gzip" },
      { "content-md5": "AAAA" },
    ),
  }),
  fc
    .constantFrom(bodies.tar, bodies.zip)
    .map((body) => ({ kind: "replace" as const, object: { body, etag: '"new"' } })),
);

const storage = fc.record({
  ignoresRanges: fc.boolean(),
  ignoresConditions: fc.boolean(),
  hidesLength: fc.boolean(),
  linkLifeMs: fc.constantFrom(Number.POSITIVE_INFINITY, 40, 400),
  announcedLife: fc.constantFrom("true" as const, "none" as const, "longer" as const),
  misbehaviours: fc.array(misbehaviour, { maxLength: 8 }),
  format: fc.constantFrom("tar" as const, "zip" as const),
  connections: fc.constantFrom(1, 8),
});

describe("any storage", () => {
  it("results in a complete bundle or a BundleError, and leaves no other file", {
    timeout: 240_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(storage, async ({ misbehaviours, format, connections, ...options }) => {
        const body = bodies[format];
        await using setup = await setUpDownload({
          ...options,
          object: { body, etag: '"1"' },
          misbehave: ({ index }) => misbehaviours[index],
        });

        const outcome = await setup.download({ connections }).catch((error: unknown) => error);

        if (outcome instanceof Error) {
          expect(outcome).toBeInstanceOf(BundleError);
          expect(await setup.files()).toEqual([]);
          return;
        }
        expect([sha256(bodies.tar), sha256(bodies.zip)]).toContain(sha256(await setup.readBundle()));
        expect(outcome).toMatchObject({ sha256: sha256(await setup.readBundle()) });
        expect(await setup.files()).toEqual(["bundle.tar.gz"]);
      }),
      { numRuns: caseCount(80) },
    );
  });

  it("that cuts, stalls, refuses and expires links still delivers over four connections", async () => {
    const body = buildBundle(16_000_000);
    await using setup = await setUpDownload({
      object: { body, etag: '"1"' },
      linkLifeMs: 300,
      announcedLife: "longer",
      bytesPerSecond: 5_000_000,
      misbehave: ({ index }): Misbehaviour => {
        if (index % 7 === 3) return { kind: "cut", afterBytes: 700_000 };
        if (index % 11 === 5) return { kind: "answer", status: 503 };
        return index % 13 === 6 ? { kind: "stall", afterBytes: 400_000 } : undefined;
      },
    });

    const bundle = await setup.download({ connections: 4 });

    expect(bundle.sha256).toBe(sha256(body));
    expect(bundle.transfer.connections).toBe(4);
  });
});
