import { expect, test } from "vitest";
import { createBundleLinks } from "../../../src/server/static-export/bundle-links.ts";

const lifetimeMs = 90_000;
const now = () => Date.parse("2026-01-01T00:00:00.999Z");

test("a link is made below the address that clients use, and ends on a whole second", () => {
  const links = createBundleLinks(
    { secret: Buffer.alloc(32, 1), lifetimeMs },
    { publicUrl: () => "https://platform.example.com/docs", now },
  );

  expect(links.sign("se_1")).toMatchInlineSnapshot(`
    {
      "bundleUrl": "https://platform.example.com/docs/bundles/se_1/bundle.zip?expires=1767225690&signature=jU_9BNzFb-M1vxK1BboZZwn_83BaFtFZckduAR-P5JE",
      "expiresAt": "2026-01-01T00:01:30.000Z",
    }
  `);
});

test("a link of another secret is forged", () => {
  const publicUrl = () => "http://127.0.0.1:1";
  const [ours, theirs] = [1, 2].map((fill) =>
    createBundleLinks({ secret: Buffer.alloc(32, fill), lifetimeMs }, { publicUrl, now }),
  );
  const query = Object.fromEntries(new URL(theirs?.sign("se_1").bundleUrl ?? "").searchParams);

  expect(theirs?.verify("se_1", query)).toBe("valid");
  expect(ours?.verify("se_1", query)).toBe("forged");
});
