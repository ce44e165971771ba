import { expect, test } from "vitest";
import { openBucket } from "../../../src/server/cluster/bucket.ts";

const keys = {
  region: "eu-central-1",
  accessKeyId: "AKIA",
  secretAccessKey: "secret",
  linkLifetimeMs: 60_000,
};

test.each([
  ["s3://example-docs", "https://example-docs.s3.eu-central-1.amazonaws.com/1.zip"],
  // Amazon's certificate is valid for names with one label.
  ["s3://docs.example.com/site", "https://s3.eu-central-1.amazonaws.com/docs.example.com/site/1.zip"],
])("the bundles of %s have addresses that Amazon's certificate names", async (bucket, address) => {
  const { blobs } = openBucket({ ...keys, bucket }, Date.now);

  const { url } = await blobs.link("1.zip", "docs.zip");

  expect(url.replace(/\?.*/, "")).toBe(address);
});
