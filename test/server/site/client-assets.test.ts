import { expect, test } from "vitest";
import { isSiteClientCurrent } from "../../../scripts/generate-site-client.ts";

test("the client's bundle is what its sources give", async () => {
  expect(await isSiteClientCurrent()).toBe(true);
});
