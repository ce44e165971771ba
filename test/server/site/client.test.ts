import MiniSearch from "minisearch";
import { describe, expect, test } from "vitest";
import { isPackedDataCurrent } from "../../../scripts/generate-packed-data.ts";
import { isSiteClientCurrent } from "../../../scripts/generate-site-client.ts";
import { findMatches, indexOptions } from "../../../src/server/site/client/find-matches.ts";

function createIndex(): MiniSearch {
  const index = new MiniSearch(indexOptions);
  const page = { title: "Transports", headings: "", location: "", summary: "", text: "", sections: [] };
  index.addAll([
    { ...page, path: "v1.html", part: "version 1" },
    { ...page, path: "v2.html", part: "version 2" },
    { ...page, path: "all.html", part: "", title: "About transports" },
  ]);
  return index;
}

describe("the search of an exported site", () => {
  test.each([
    ["version 1", "v1.html"],
    ["version 2", "v2.html"],
  ])("puts the pages of the reader's %s first, and keeps the others", (part, first) => {
    const paths = findMatches(createIndex(), "transprots", part).map(({ path }) => path);
    expect(paths).toHaveLength(3);
    expect(paths[0]).toBe(first);
    expect(paths[1]).toBe("all.html");
  });
});

test("the client's bundle is what its sources give", async () => {
  expect(await isSiteClientCurrent()).toBe(true);
});

test("the packed data is what its packages give", async () => {
  expect(await isPackedDataCurrent()).toBe(true);
});
