/** Brings pages into the navigation of `docs.json` that are missing there. */
import { posix } from "node:path";
import { findPage } from "./documents.mjs";
import { appendValue, findLists } from "./json-lists.mjs";

/**
 * Adds each page that the navigation lacks next to the pages of its folder, or in a group of its own at the end.
 *
 * @param {import("./documents.mjs").Documents} documents
 */
export async function completeNavigation(documents) {
  const before = await documents.read("docs.json");
  if (before === undefined) return ["There is no docs.json: the navigation follows the folders."];
  const entries = listsOfPages(before).flatMap(({ values }) =>
    values.filter((value) => typeof value === "string"),
  );
  const listed = new Set(entries.map((entry) => findPage(documents.pages, entry)));
  const remarks = entries
    // `GET /users` and addresses are entries that are no pages.
    .filter((entry) => findPage(documents.pages, entry) === undefined && !/\s|^https?:/.test(entry))
    .map((entry) => `docs.json: ${entry} is no page`);

  let after = before;
  for (const page of documents.pages) {
    if (listed.has(page) || isHidden(await documents.read(page))) continue;
    const entry = page.replace(/\.mdx?$/, "");
    after = addEntry(after, entry);
    remarks.push(
      `docs.json: ${entry} ${after.includes(JSON.stringify(entry)) ? "was added" : "has no place"}`,
    );
  }
  if (after !== before) await documents.write("docs.json", after);
  return remarks.length > 0 ? remarks : ["The navigation holds every page."];
}

/** Every list of pages, however deep in tabs, groups, versions and languages. */
function listsOfPages(text) {
  return findLists(text).filter(({ key }) => key === "pages");
}

/** The text with the entry after those of its folder; in a new group where there are none. */
function addEntry(text, entry) {
  const folder = posix.dirname(entry);
  const isNeighbour = (other) => typeof other === "string" && posix.dirname(other) === folder;
  const neighbours = listsOfPages(text).find(({ values }) => values.some(isNeighbour));
  if (neighbours !== undefined) return appendValue(text, neighbours, JSON.stringify(entry));
  const groups = findLists(text).find(
    ({ key, depth }) => (key === "groups" || key === "pages") && depth === 2,
  );
  if (groups === undefined) return text;
  const group = `{ "group": ${JSON.stringify(titleOf(folder))}, "pages": [${JSON.stringify(entry)}] }`;
  return appendValue(text, groups, group);
}

function titleOf(folder) {
  const name = folder === "." ? "More" : posix.basename(folder).replaceAll(/[-_]+/g, " ");
  return name[0].toUpperCase() + name.slice(1);
}

function isHidden(text) {
  const frontMatter = /^---\r?\n(.*?)\r?\n---/s.exec(text)?.[1] ?? "";
  return /^hidden:\s*true\s*$/m.test(frontMatter);
}
