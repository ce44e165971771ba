import { expect, test } from "vitest";
import { isPackedDataCurrent } from "../../../scripts/generate-packed-data.ts";
import { isSiteClientCurrent } from "../../../scripts/generate-site-client.ts";

test("the client's bundle is what its sources give", async () => {
  expect(await isSiteClientCurrent()).toBe(true);
});

test("the packed data is what its packages give", async () => {
  expect(await isPackedDataCurrent()).toBe(true);
});
