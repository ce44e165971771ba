import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findSimilarWords, openSearchIndex } from "../../../src/server/site/client/find-matches.ts";
import { indexPage, SearchIndex } from "../../../src/server/site/search-index.ts";
import { renderFiles } from "./render-files.ts";
import { searchSite } from "./search-site.ts";

const page = (title: string, body: string, description = "") =>
  `---\ntitle: ${title}\ndescription: ${description}\n---\n\n${body}\n`;

describe("the search of an exported site", () => {
  test("ranks a title above a heading, and a heading above text", async () => {
    await using site = await renderFiles({
      "a.md": page("Ports", "We speak of pilots here, of pilots and of more pilots."),
      "b.md": page("Quays", "## Pilots\n\nThey come aboard."),
      "c.md": page("Pilots", "They know the way."),
    });
    expect((await searchSite(site.path, "pilots")).paths).toEqual(["c.html", "b.html", "a.html"]);
  });

  test("finds a page by the keywords of its front matter", async () => {
    await using site = await renderFiles({
      "a.md": "---\ntitle: Ports\nkeywords: [harbour, 7, 'safe haven']\n---\n\nText.",
      "b.md": "---\ntitle: Quays\nkeywords: harbour, dock\n---\n\nText.",
      "c.md": page("Piers", "Text."),
    });
    expect((await searchSite(site.path, "harbour")).paths).toEqual(["a.html", "b.html"]);
    expect((await searchSite(site.path, "haven")).paths).toEqual(["a.html"]);
    expect(await site.read("a.html")).not.toContain("haven");
  });

  test("finds a page by its file's name, which may join words", async () => {
    await using site = await renderFiles({
      "editors/vscode.md": page("VS Code", "Install the extension."),
      "editors/zed.md": page("Zed", "Install the extension."),
    });
    expect((await searchSite(site.path, "vscode")).paths).toEqual(["editors/vscode.html"]);
    expect((await searchSite(site.path, "html")).paths).toEqual([]);
  });

  test("finds words in code below words in text", async () => {
    await using site = await renderFiles({
      "docs.json": { navigation: { pages: ["a", "b", "c", "d"] } },
      "a.md": page("Archive", "Verify it:\n\n```sh\nsha256sum archive.zip # 0a1b2c3d4e5f\n```"),
      "b.md": page("Events", "```js\nawait client.getStaticEvents(list);\n```\n\nThe stream."),
      "c.md": page("List events", "Get static files, or the events."),
      "d.md": page("Checksums", "The tool sha256sum prints the archive's sum."),
    });
    const find = async (query: string) => (await searchSite(site.path, query)).paths;
    expect(await find("sha256sum")).toEqual(["d.html", "a.html"]);
    expect(await find("0a1b2c3d4e5f")).toEqual([]);
    expect(await find("getStaticEvents")).toEqual(["b.html"]);
    expect(await find("getStaticEv")).toEqual(["b.html"]);
    expect(await find("list events")).toEqual(["c.html", "b.html"]);
    const [match] = (await searchSite(site.path, "getStaticEvents")).matches;
    expect(match?.snippet).toEqual([{ text: "The stream.", isFound: false }]);
  });

  test("finds a version as a whole, or else by its numbers", async () => {
    await using site = await renderFiles({
      "a.md": page("Migrate to v2", "## From v2.2.0\n\nIn 3 steps, with 0 errors, to v2."),
      "b.md": page("Changelog", "## v2.3.0\n\nMore of it.\n\n## v2.2.0\n\nLess."),
    });
    const find = async (query: string) => (await searchSite(site.path, query)).paths;
    expect(await find("v2.3.0")).toEqual(["b.html"]);
    expect(await find("v2.3")).toEqual(["b.html"]);
    expect(await find("v2")).toEqual(["a.html", "b.html"]);
    expect(await find("2.3.0")).toContain("b.html");
  });

  test("ranks a page whose title is the query above pages that mention it more often", async () => {
    const much = "## Work pool\n\nA work pool, work pools and a pool for work: each work pool.";
    await using site = await renderFiles({
      "a.md": page("Events of the work pools and work queues", much, "A work pool."),
      "b.md": page("Work pools", "They bridge two layers."),
      "c.md": page("Pool", much),
    });
    expect((await searchSite(site.path, "work pool")).paths[0]).toBe("b.html");
  });

  test("ranks a page whose title is exactly the query above pages whose titles have the same stems", async () => {
    await using site = await renderFiles({
      "a.md": page("Validate content", "How to validate content."),
      "b.md": page("Validating your content", "The editor shows faults."),
    });
    expect((await searchSite(site.path, "validating your content")).paths).toEqual(["b.html", "a.html"]);
    expect((await searchSite(site.path, "Validate content ")).paths).toEqual(["a.html", "b.html"]);
  });

  test("finds a page whose title is a stop word", async () => {
    await using site = await renderFiles({
      "a.md": page("Where to start", "## Where\n\nWhere, and where else?"),
      "b.md": page("where", "It filters rows."),
    });
    expect((await searchSite(site.path, "where")).paths[0]).toBe("b.html");
  });

  test("finds a page by its title in any script", async () => {
    await using site = await renderFiles({
      "a.md": page(
        "Use the StoneMill",
        "## StoneMill\n\nThe StoneMill and another StoneMill.",
        "A StoneMill.",
      ),
      "b.md": page("StoneMill", "It grinds."),
    });
    for (const query of ["stonemill", "StoneMill"])
      expect((await searchSite(site.path, query)).paths[0]).toBe("b.html");
  });

  test("ranks equal pages by their position in the navigation", async () => {
    await using site = await renderFiles({
      "docs.json": { navigation: { pages: ["z", "m", "a"] } },
      "a.md": page("One", "A crane."),
      "m.md": page("Two", "A crane."),
      "z.md": page("Six", "A crane."),
    });
    expect((await searchSite(site.path, "crane")).paths).toEqual(["z.html", "m.html", "a.html"]);
  });

  const harbour = {
    "index.md": page("Harbour", "A first page."),
    "guide.md": page(
      "Deployment",
      "Before the first heading.\n\n## Rotate the keys\n\nKeys are **rotated** with `rotateKeys`.\n\n## Signatures\n\nEach webhook has a signature.",
      "How a harbour is deployed.",
    ),
    "french.md": page("Été", "La clé est créée à l’accueil."),
  };

  test.each([
    ["sig", "guide.html", "signatures", "an unfinished word"],
    ["webhook signture", "guide.html", "signatures", "a missing letter"],
    ["singature", "guide.html", "signatures", "swapped letters"],
    ["xwebhook", "guide.html", "signatures", "a first letter too many"],
    ["ewbhook", "guide.html", "signatures", "swapped first letters"],
    ["isgnture", "guide.html", "signatures", "a wrong beginning and a missing letter"],
    ["rotating keys", "guide.html", "rotate-the-keys", "other endings"],
    ["rotatekeys", "guide.html", "rotate-the-keys", "an identifier in lower case"],
    ["creee", "french.html", undefined, "missing accents"],
    ["how do I rotate the keys?", "guide.html", "rotate-the-keys", "a question"],
    ["signature zzzqqq", "guide.html", "signatures", "a word that is nowhere beside one that is not"],
    ["deploying", "guide.html", undefined, "another form of the title"],
  ])("finds %j in %s, section %s: %s", async (query, path, section, _what) => {
    await using site = await renderFiles(harbour);
    const [first] = (await searchSite(site.path, query)).matches;
    expect({ path: first?.path, section: first?.section?.id }).toEqual({ path, section });
  });

  test.each(["zzzqqq", "qabhook", "", "  ", "?!", "a".repeat(5_000), "，。"])(
    "finds nothing for %j",
    async (query) => {
      await using site = await renderFiles(harbour);
      expect((await searchSite(site.path, query)).paths).toEqual([]);
    },
  );

  test("leads to the accordion of a group", async () => {
    const accordions = ["Is it free?", "Is it fast?"].map(
      (title) => `<Accordion title="${title}">\n\nYes, it is.\n\n</Accordion>`,
    );
    await using site = await renderFiles({
      "a.mdx": page("Questions", `<AccordionGroup>\n${accordions.join("\n")}\n</AccordionGroup>`),
    });
    const [first] = (await searchSite(site.path, "fast")).matches;
    expect(first?.section).toEqual({ id: "is-it-fast", heading: "Is it fast?" });
    expect(first?.snippet.map(({ text }) => text).join("")).toBe("Yes, it is.");
  });

  test("shows an excerpt without markup, with the matches marked", async () => {
    const filler = "Nothing of it is asked for here. ".repeat(20);
    await using site = await renderFiles({
      "a.mdx": page(
        "A",
        `${filler}\n\n<Note>The **anchor** [holds](https://example.com) the ship.</Note>\n\n${filler}`,
      ),
    });
    const [first] = (await searchSite(site.path, "anchor ship")).matches;
    expect(first?.snippet.filter(({ isFound }) => isFound).map(({ text }) => text)).toEqual([
      "anchor",
      "ship",
    ]);
    const snippet = first?.snippet.map(({ text }) => text).join("") ?? "";
    expect(snippet).toMatch(/^… .*The anchor holds the ship\. .* …$/);
    expect(snippet.length).toBeLessThan(250);
  });

  test("shows the page's introduction if the section has only code", async () => {
    await using site = await renderFiles({
      "a.md": page("Files", "Move them.\n\n## Upload\n\n```js\nsend()\n```"),
    });
    const [first] = (await searchSite(site.path, "upload")).matches;
    expect(first?.section?.heading).toBe("Upload");
    expect(first?.snippet).toEqual([{ text: "Move them.", isFound: false }]);
  });

  test("shows the whole name, rather than its parts in another section or before it", async () => {
    const names =
      "LAMP_HOST is the host that the lamp listens on, for all requests to it from any of the rooms in the house and beyond. LAMP_PORT is next.";
    await using site = await renderFiles({
      "a.md": page("Settings", `## Hosts\n\nLAMP_HOST and a port.\n\n## Names\n\n${names}`),
    });
    const [first] = (await searchSite(site.path, "LAMP_PORT")).matches;
    expect(first?.section?.heading).toBe("Names");
    expect(first?.snippet).toContainEqual({ text: "LAMP_PORT", isFound: true });
  });

  test.each([
    ["代码压缩", "zh.html"],
    ["兼容性", "zh.html"],
    ["压缩代", "zh.html"],
    ["快捷键", "zh.html"],
    ["更新", "ja.html"],
    ["キーの更新", "ja.html"],
    ["문서 작성", "ko.html"],
    ["작성하기", "ko.html"],
    ["ค้นหา", "th.html"],
  ])("finds %s in a text without spaces between words", async (query, path) => {
    await using site = await renderFiles({
      "zh.md": page("构建", "发布之前先进行压缩代码压缩处理，并检查浏览器兼容性。按快捷键保存。"),
      "ja.md": page("鍵", "キーの更新は毎月行います。"),
      "ko.md": page("안내", "문서를 작성하는 방법입니다."),
      "th.md": page("คู่มือ", "การค้นหาเอกสารทำได้ง่าย"),
    });
    const { matches } = await searchSite(site.path, query);
    expect(matches[0]?.path).toBe(path);
    expect(matches[0]?.snippet.some(({ isFound }) => isFound)).toBe(true);
  });

  test("has an index for each language and version, which the pages refer to", async () => {
    const version = (name: string) => ({ version: name, pages: [`${name}/ships`] });
    await using site = await renderFiles({
      "docs.json": {
        navigation: {
          languages: [
            { language: "en", versions: [version("v2"), version("v1")] },
            { language: "de", pages: ["de/ships"] },
          ],
        },
      },
      "index.md": page("Home", "Start."),
      "v1/ships.md": page("Ships", "Of the first version, with oars."),
      "v2/ships.md": page("Ships", "Of the second version."),
      "de/ships.md": page("Schiffe", "Mit Rudern."),
    });
    const indexesOf = async (path: string) => {
      const html = await site.read(path);
      return (/ data-indexes="([^"]*)"/.exec(html)?.[1] ?? "").split(" ").map(Number);
    };
    const pathsFrom = async (from: string, query: string) =>
      (await searchSite(site.path, query, await indexesOf(from))).paths;
    expect(await pathsFrom("v1/ships.html", "ships")).toEqual(["v1/ships.html"]);
    expect(await pathsFrom("v2/ships.html", "ships")).toEqual(["v2/ships.html"]);
    expect(await pathsFrom("404.html", "ships")).toEqual(["v2/ships.html"]);
    expect(await pathsFrom("de/ships.html", "schiffe")).toEqual(["de/ships.html"]);
    // Where a page is does not begin with its language: that is the reader's own.
    const { matches } = await searchSite(site.path, "ships", await indexesOf("v2/ships.html"));
    expect(matches.map(({ location }) => location)).toEqual(["v2"]);
    expect(await pathsFrom("v2/ships.html", "oars")).toEqual([]);
  });

  test("has every index on a page of a language without one", async () => {
    await using site = await renderFiles({
      "docs.json": { navigation: { languages: [{ language: "en", pages: ["index"] }] } },
      "index.md": page("Home", "Start."),
      "draft.md": "---\nlang: fr\n---\n# Brouillon",
    });
    expect(await site.read("draft.html")).toContain(' data-indexes="0"');
  });

  test("loads only a part of a large site's index", async () => {
    const word = (number: number) => `w${number.toString(36)}x`;
    const text = (number: number) =>
      Array.from({ length: 900 }, (_, at) => word(number * 900 + at)).join(" ");
    const files = Array.from({ length: 60 }, (_, number) => [
      `p${number}.md`,
      page(`Page ${number}`, text(number)),
    ]);
    await using site = await renderFiles(Object.fromEntries(files));
    const folder = join(site.path, "site-assets/search");
    // The list of words is loaded whole, and only for a word with typing errors.
    const scripts = (await readdir(folder)).filter((name) => name !== "0-l.js");
    const sizes = await Promise.all(scripts.map(async (name) => (await readFile(join(folder, name))).length));
    const { paths, bytes } = await searchSite(site.path, word(12_345));
    expect(paths).toEqual(["p13.html"]);
    expect(scripts.length).toBeGreaterThan(15);
    expect(bytes).toBeLessThan(sizes.reduce((sum, size) => sum + size, 0) / 5);
    expect(Math.max(...sizes)).toBeLessThan(70_000);
  });
});

/** The scripts of an index, by their name, as the search box loads them. */
async function writeIndex(pages: readonly { title: string; prose: string }[]) {
  const scripts = new Map<string, string>();
  const index = new SearchIndex(0);
  const load = (files: Iterable<readonly [path: string, content: string]>) => {
    for (const [path, script] of files) {
      const [, name = "", content = ""] = /^docsSearchLoaded\((".*?"),(.*)\);\n$/s.exec(script) ?? [];
      expect(path).toBe(`site-assets/search/${JSON.parse(name)}.js`);
      scripts.set(JSON.parse(name), JSON.parse(content));
    }
  };
  for (const [number, { title, prose }] of pages.entries())
    load(index.add(indexPage([`${number}.html`, title, "", "", [["", "", prose]]]), 0));
  load(index.end());
  return scripts;
}

test("a script that could not be loaded is requested again by the next search", async () => {
  const scripts = await writeIndex([{ title: "Harbour", prose: "A crane lifts." }]);
  for (const lost of scripts.keys()) {
    let isOffline = true;
    const index = openSearchIndex(async (name) => {
      if (isOffline && name === lost) throw new Error("offline");
      return scripts.get(name) ?? "";
    });
    await expect(index.find("crqne", [0])).rejects.toThrow("offline");
    isOffline = false;
    expect((await index.find("crqne", [0]))?.map(({ path }) => path)).toEqual(["0.html"]);
  }
});

test("a word with one typo precedes one with two, with all of its endings", async () => {
  const scripts = await writeIndex([
    { title: "Conventions", prose: "What we agree on." },
    { title: "Wires", prose: "A connection holds." },
    { title: "Links", prose: "They are connected." },
  ]);
  const index = openSearchIndex(async (name) => scripts.get(name) ?? "");
  const paths = (await index.find("conection ", [0]))?.map(({ path }) => path);
  expect(paths).toEqual(["1.html", "2.html"]);
});

test("a whole word with a typo precedes words that only begin like it", async () => {
  const titles = ["Indebted", "Indecent", "Indefinite", "Indent", "Independent", "Indeterminate", "Index"];
  const scripts = await writeIndex(titles.map((title) => ({ title, prose: "" })));
  const index = openSearchIndex(async (name) => scripts.get(name) ?? "");
  const find = async (query: string) => (await index.find(query, [0]))?.map(({ title }) => title);
  expect(await find("indx")).toEqual(["Index"]);
  expect(await find("indipend")).toEqual(["Independent"]);
});

test("no text is loaded for an outdated query", async () => {
  const scripts = await writeIndex([{ title: "Harbour", prose: "A crane lifts." }]);
  const loaded: string[] = [];
  const index = openSearchIndex(async (name) => {
    loaded.push(name);
    return scripts.get(name) ?? "";
  });
  const [overtaken, nothing] = [index.find("crane", [0]), index.find("zzzqqq", [0])];
  expect(await overtaken).toBeUndefined();
  expect(await nothing).toEqual([]);
  expect(loaded.filter((name) => name.startsWith("0-p"))).toEqual([]);
});

test("the size of a loaded script is limited, however long titles and texts are", async () => {
  const long = { title: "Crane ".repeat(200), prose: `${"Rope. ".repeat(15_000)} windlass` };
  const scripts = await writeIndex([...Array.from({ length: 13 }, () => long)]);
  const texts = [...scripts].filter(([name]) => name.startsWith("0-p"));
  expect(Math.max(...texts.map(([, text]) => text.length))).toBeLessThan(80_000);
  const index = openSearchIndex(async (name) => scripts.get(name) ?? "");
  expect(await index.find("windlass", [0])).toHaveLength(12);
});

test("the word list for typing errors keeps the most frequent words if it would be too long", async () => {
  const words = (page: number) =>
    Array.from({ length: 6_000 }, (_, at) => `${((page * 6_000 + at) * 7_919_317).toString(36)}xyz`).join(
      " ",
    );
  const scripts = await writeIndex(
    Array.from({ length: 20 }, (_, page) => ({ title: "Page", prose: `capstan ${words(page)}` })),
  );
  const list = scripts.get("0-l") ?? "";
  expect(list.length).toBeLessThan(1_000_000);
  expect(findSimilarWords(list.split(","), "capstam", 1, false).map((similar) => similar.word)).toEqual([
    "capstan",
  ]);
});

describe("a word with typos", () => {
  test.each([
    ["harbour", "harbour", 0, false, true],
    ["harbuor", "harbour", 1, false, true],
    ["harbor", "harbour", 1, false, true],
    ["harbourr", "harbour", 1, false, true],
    ["harxour", "harbour", 1, false, true],
    ["harxuor", "harbour", 1, false, false],
    ["harxuor", "harbour", 2, false, true],
    ["ahrbour", "harbour", 1, false, true],
    ["xarbour", "harbour", 1, false, true],
    ["hrb", "harbour", 1, true, true],
    ["hrb", "harbour", 1, false, false],
    ["h", "harbour", 1, true, true],
    ["", "h", 0, false, false],
  ])("%j for %j with %i: start %s, %s", (word, other, typos, isStart, expected) => {
    const others = ["hangar", "harb", "harbinger", other, "zinc"].filter(
      (text) => text !== word || text === other,
    );
    const found = findSimilarWords(others.sort(), word, typos, isStart).map((similar) => similar.word);
    expect(found.includes(other)).toBe(expected);
  });

  test("is found exactly if a comparison with every word finds it", () => {
    const letters = "abc";
    const words = Array.from({ length: 3 ** 5 }, (_, number) =>
      number.toString(3).replace(/./g, (digit) => letters.charAt(Number(digit))),
    );
    const sorted = [...new Set(words)].sort();
    for (const word of ["abcab", "cab", "bbbbc"]) {
      const expected = [...new Set(words)].filter((other) => distanceOf(word, other) <= 2);
      const found = findSimilarWords(sorted, word, 2, false).map((similar) => similar.word);
      expect(found).toEqual(expected.sort());
    }
  });
});

/** Wrong, missing, superfluous and swapped letters between two words, by trying all of them. */
function distanceOf(word: string, other: string): number {
  if (word === "" || other === "") return word.length + other.length;
  const after = (ofWord: number, ofOther: number) => distanceOf(word.slice(ofWord), other.slice(ofOther));
  const isSwapped = word.length > 1 && word[0] === other[1] && word[1] === other[0];
  return Math.min(
    after(1, 1) + (word[0] === other[0] ? 0 : 1),
    after(1, 0) + 1,
    after(0, 1) + 1,
    isSwapped ? after(2, 2) + 1 : Number.POSITIVE_INFINITY,
  );
}
