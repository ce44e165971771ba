import { expect, test } from "vitest";
import { isPackedDataCurrent } from "../../../scripts/generate-packed-data.ts";
import { isSiteClientCurrent } from "../../../scripts/generate-site-client.ts";

test("the generated client is up to date", async () => {
  expect(await isSiteClientCurrent()).toBe(true);
});

test("the packed data is up to date", async () => {
  expect(await isPackedDataCurrent()).toBe(true);
});
