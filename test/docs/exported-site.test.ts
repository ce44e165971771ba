import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

import { componentNamesByLowerCase } from "../../src/server/site/content/components.ts";

const page = new URL("../../docs/exported-site.md", import.meta.url);

test("the page on the exported site lists every component, and no other", async () => {
  const text = await readFile(page, "utf8");
  const [, table = ""] = /<!-- components -->([\s\S]*?)<!-- end -->/.exec(text) ?? [];
  const listed = [...table.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  const known = [...componentNamesByLowerCase.values()];
  expect(listed.toSorted()).toEqual(known.toSorted());
});
