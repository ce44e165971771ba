import { describe, expect, test } from "vitest";
import { planSite } from "../../../src/server/site/plan-site.ts";
import { createFolder, type Files } from "../../support/temporary-folder.ts";
import { renderFiles, sidebarOf } from "./render-files.ts";

/** Which of the pages search and the assistant find. */
async function indexedPages(files: Files): Promise<string[]> {
  await using docs = await createFolder(files);
  const plan = await planSite({ docsDir: docs.path }, new AbortController().signal, () => undefined);
  return plan.pages.filter(({ isIndexed }) => isIndexed).map(({ route }) => route.slug);
}

/** Links of a menu or a row, by their words. */
function linksOf(html: string, pattern: RegExp): Record<string, string> {
  const [part = ""] = pattern.exec(html) ?? [];
  const links = [...part.matchAll(/<a [^>]*?href="([^"]*)"[^>]*>(?:<i [^>]*><\/i>)?([^<]*)/g)];
  return Object.fromEntries(links.map(([, href = "", title = ""]) => [title.trim(), href]));
}

const languageMenu = /<span class="switcher-label">(?:Language|Langue|Idioma)[\s\S]*?<\/details>/;
const versionMenu = /<span class="switcher-label">Version[\s\S]*?<\/details>/;

describe("the configuration of a site", () => {
  const hidden = {
    "listed.md": "# Listed",
    "unlisted.md": "# Unlisted",
    "hidden.md": "---\nhidden: true\n---\n# Hidden",
    "noindex.md": "---\nnoindex: true\n---\n# Not indexed",
    "quiet.md": "---\nsearchable: false\n---\n# Quiet",
    "tab.md": "# In a hidden tab",
    "group.md": "# In a hidden group",
  };
  const navigation = {
    tabs: [
      { tab: "Shown", pages: ["listed", "hidden", "noindex", "quiet"] },
      {
        tab: "Hidden",
        hidden: true,
        searchable: true,
        pages: ["tab", { group: "G", hidden: true, pages: ["group"] }],
      },
    ],
  };

  test.each([
    ["by default", {}, ["listed", "tab"]],
    ["with all pages", { seo: { indexing: "all" } }, ["group", "hidden", "listed", "tab", "unlisted"]],
  ])(
    "%s, search and assistant find the pages of the navigation that may be found",
    async (_, seo, expected) => {
      expect(await indexedPages({ ...hidden, "docs.json": { navigation, ...seo } })).toEqual(expected);
    },
  );

  test("search engines are asked to leave out the pages that the search does not find", async () => {
    await using site = await renderFiles({ ...hidden, "docs.json": { navigation } });
    const asked = [];
    for (const name of Object.keys(hidden).map((file) => file.replace(".md", ".html")))
      if ((await site.read(name)).includes('<meta name="robots" content="noindex">')) asked.push(name);
    expect(asked).toEqual(["unlisted.html", "hidden.html", "noindex.html", "quiet.html", "group.html"]);
  });

  test("without a navigation every page is found that is not hidden", async () => {
    expect(await indexedPages(hidden)).toEqual(["group", "listed", "tab", "unlisted"]);
  });

  test("what .mintignore names is no page, no picture and no snippet of the site", async () => {
    const files = {
      "docs.json": '{"navigation": {"pages": ["index"]}}',
      ".mintignore": "drafts/\n*.draft.mdx\n!kept.draft.mdx\n",
      "index.mdx": "![x](/drafts/x.png) [to](/drafts/a)",
      "README.md": "# For authors",
      "drafts/a.md": "# A",
      "drafts/x.png": "x",
      "guides/b.draft.mdx": "# B",
      "kept.draft.mdx": "# Kept",
      "CLAUDE.md": "# For agents",
    };
    await using site = await renderFiles(files);
    expect(site.pages).toEqual(["CLAUDE.html", "index.html", "kept.draft.html"]);
    // What the navigation does not name is in no list of pages.
    expect(await site.read("llms.txt")).not.toContain("CLAUDE");
    expect(site.warnings.map(({ message }) => message)).toHaveLength(2);
    const { "docs.json": _, ...plain } = files;
    await using unconfigured = await renderFiles(plain);
    expect(unconfigured.pages).toContain("drafts/a.html");
  });

  test("an index page beside a README is the page of its folder", async () => {
    await using site = await renderFiles({
      "docs.json": '{"navigation": {"pages": ["index", "README", "guides/index"]}}',
      "README.mdx": "# For authors",
      "index.mdx": "# Front page\n\n[Guides](guides/), [README](/README), [Front](/)",
      "guides/README.mdx": "# For authors of guides",
      "guides/index.mdx": "# Guides",
    });
    const pages = (await site.read("llms.txt")).match(/(?<=\]\()[^)]+/g);
    expect(pages).toEqual(["index.md", "README.md", "guides/index.md"]);
    expect(await site.read("index.md")).toContain(
      "[Guides](guides/index.md), [README](README.md), [Front](index.md)",
    );
  });

  test("a README does not become the front page", async () => {
    await using site = await renderFiles({
      "docs.json": '{"navigation": {"pages": ["start", "guides/README"]}}',
      "README.mdx": "# For authors",
      "guides/README.mdx": "# Guides",
      "start.mdx": "[Guides](/guides)",
    });
    expect(site.pages).toEqual(["README.html", "guides/README.html", "start.html"]);
    expect(await site.read("index.html")).toContain("url=start.html");
    expect(await site.read("start.html")).toContain('href="guides/README.html"');
    expect(site.warnings).toEqual([]);
  });

  test("patterns that take forever are a warning, and nothing is left out", async () => {
    await using site = await renderFiles({
      "docs.json": '{"navigation": {"pages": ["a"]}}',
      ".mintignore": "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*ab",
      [`${"a".repeat(200)}.md`]: "# Long",
      "a.md": "# A",
    });
    expect(site.pageCount).toBe(2);
    expect(site.warnings).toEqual([
      { kind: "file", page: ".mintignore", message: expect.stringMatching(/^it was left out: .*timed out/) },
    ]);
  });

  const versions = {
    "docs.json": {
      name: "Site",
      navigation: {
        languages: ["en", "fr"].map((language) => ({
          language,
          versions: [
            { version: "Next", tag: "Beta", pages: [`next/${language}/start`, `next/${language}/new`] },
            { version: "v2", default: true, pages: [`v2/${language}/start`, `v2/${language}/more`] },
          ],
        })),
      },
    },
    ...Object.fromEntries(
      [
        "next/en/start",
        "next/en/new",
        "v2/en/start",
        "v2/en/more",
        "next/fr/start",
        "next/fr/new",
        "v2/fr/start",
        "v2/fr/more",
      ].map((slug) => [`${slug}.md`, `# ${slug}`]),
    ),
    "outside.md": "# Outside",
    "fr/outside.md": "# Dehors",
  };

  test("a reader who chose nothing is in the default version, also on the front page", async () => {
    await using site = await renderFiles(versions);
    expect(await site.read("index.html")).toContain('content="0; url=v2/en/start.html"');
    const outside = await site.read("outside.html");
    expect(sidebarOf(outside)).toContain("v2/en/start (v2/en/start.html)");
    const start = await site.read("v2/en/start.html");
    expect(start).toContain("<title>v2/en/start · Site · v2</title>");
    expect(linksOf(start, /<nav class="pager"[\s\S]*?<\/nav>/)).toEqual({ "": "more.html" });
  });

  test("menus lead to the same page of another version or language, else to the section's first", async () => {
    await using site = await renderFiles(versions);
    const more = await site.read("v2/en/more.html");
    expect(linksOf(more, languageMenu)).toEqual({ English: "more.html", Français: "../fr/more.html" });
    expect(linksOf(more, versionMenu)).toEqual({ Next: "../../next/en/start.html", v2: "more.html" });
    const start = await site.read("next/fr/start.html");
    expect(linksOf(start, versionMenu)).toEqual({ Next: "start.html", v2: "../../v2/fr/start.html" });
    expect(start).toContain('<html lang="fr"');
    expect(start).toContain('<link rel="alternate" hreflang="en" href="../en/start.html">');
    expect(start).toContain('aria-label="Navigation"');
  });

  test("a tab with links to other sites only leads to the first of them", async () => {
    const blog = { item: "Blog", href: "https://blog.example.com/" };
    const tabs = [
      { tab: "Guides", pages: ["index"] },
      { tab: "Resources", menu: [blog] },
    ];
    await using site = await renderFiles({
      "docs.json": { name: "Site", navigation: { tabs } },
      "index.md": "# Start",
    });
    expect(linksOf(await site.read("index.html"), /<nav class="tab-bar".*?<\/nav>/s)).toEqual({
      Guides: "index.html",
      Resources: "https://blog.example.com/",
    });
  });

  test("only the first folders of a path are those of its version", async () => {
    const version = (name: string) => ({
      version: name,
      pages: [`${name}/start`, `a/b/c/${name}/x`, `a/b/c/d/${name}/x`],
    });
    const versions = [version("v1"), version("v2")];
    const files = versions.flatMap(({ pages }) => pages.map((path) => [`${path}.md`, "# X"]));
    await using site = await renderFiles({
      "docs.json": { name: "Site", navigation: { versions } },
      ...Object.fromEntries(files),
    });
    const linkFrom = async (path: string) => linksOf(await site.read(path), versionMenu)["v2"];
    expect(await linkFrom("a/b/c/v1/x.html")).toBe("../v2/x.html");
    expect(await linkFrom("a/b/c/d/v1/x.html")).toBe("../../../../../v2/start.html");
  });

  test("a page names no page as its translation that is another page's", async () => {
    const languages = [
      { language: "en", pages: ["index", "guides/index"] },
      { language: "fr", pages: ["fr/index"] },
    ];
    await using site = await renderFiles({
      "docs.json": { name: "Site", navigation: { languages } },
      "index.md": "# Start",
      "guides/index.md": "# Guides",
      "fr/index.md": "# Début",
    });
    const french = (path: string) => `<link rel="alternate" hreflang="fr" href="${path}">`;
    expect(await site.read("index.html")).toContain(french("fr/index.html"));
    expect(await site.read("guides/index.html")).not.toContain(french("../fr/index.html"));
  });

  test("the menu of languages stays in the version if a page is not translated", async () => {
    const files = Object.entries(versions).filter(([path]) => path !== "next/fr/new.md");
    await using site = await renderFiles(Object.fromEntries(files));
    const page = await site.read("next/en/new.html");
    expect(linksOf(page, languageMenu)).toEqual({ English: "new.html", Français: "../fr/start.html" });
  });

  test("a page outside the navigation has the one of its language", async () => {
    await using site = await renderFiles(versions);
    const outside = await site.read("fr/outside.html");
    expect(sidebarOf(outside)).toContain("v2/fr/start (../v2/fr/start.html)");
    expect(linksOf(outside, languageMenu)).toEqual({
      English: "../v2/en/start.html",
      Français: "../v2/fr/start.html",
    });
  });

  test("groups inside each other are shown with their pages, and with the operations of a document", async () => {
    let groups: object = { group: "Inner", pages: ["page", "GET /users"] };
    for (let depth = 1; depth <= 20; depth += 1) groups = { group: `Group ${depth}`, pages: [groups] };
    await using site = await renderFiles({
      "docs.json": { api: { openapi: "api.json" }, navigation: { groups: [groups] } },
      "api.json": {
        openapi: "3.1.0",
        paths: { "/users": { get: { summary: "List users" } } },
      },
      "page.md": "# Page\n",
    });
    expect(site.warnings).toEqual([]);
    const page = await site.read("page.html");
    expect(sidebarOf(page)).toContain("Page (page.html)");
    expect(page).toContain('href="api-reference/list-users.html"');
  });

  test("a page outside the navigation has the menu of the first part", async () => {
    const pages = (folder: string) => [{ group: `Group of ${folder}`, pages: [`${folder}/start`] }];
    const paths =
      "index one/start one/outside two/start two/deep/outside three/outside outside guides/all/start";
    await using site = await renderFiles({
      "docs.json": {
        navigation: {
          products: [
            { product: "One", groups: pages("one") },
            { product: "Two", groups: pages("two") },
            { product: "Guides", tabs: [{ tab: "All", groups: pages("guides/all") }] },
          ],
        },
      },
      ...Object.fromEntries(paths.split(" ").map((path) => [`${path}.md`, `# Page ${path}`])),
    });
    const menuOf = async (path: string) => {
      const sidebar = sidebarOf(await site.read(`${path}.html`)).join();
      return ["one", "two", "guides/all"].filter((folder) => sidebar.includes(`Group of ${folder}`));
    };
    expect(await menuOf("one/start")).toEqual(["one"]);
    expect(await menuOf("two/start")).toEqual(["two"]);
    for (const path of ["outside", "three/outside", "404"]) expect(await menuOf(path)).toEqual(["one"]);
    const neutral = await site.read("three/outside.html");
    expect(linksOf(neutral, /<span class="switcher-label">Product[\s\S]*?<\/details>/)).toEqual({
      One: "../one/start.html",
      Two: "../two/start.html",
      Guides: "../guides/all/start.html",
    });
  });

  test("a link of the banner to a section that is missing is reported once", async () => {
    await using site = await renderFiles({
      "docs.json": { name: "X", banner: { content: "[new](/b#gone)" } },
      "a.md": "# A",
      "b.md": "# B",
    });
    const broken = site.warnings.filter(({ kind }) => kind === "link");
    expect(broken.map(({ message }) => message)).toEqual([
      "the link /b#gone is broken: the page has no such section",
    ]);
  });

  test("links of the navigation lead to sections, files and moved pages, and broken ones are reported", async () => {
    await using site = await renderFiles({
      "docs.json": {
        redirects: [{ source: "/old", destination: "/guides/b" }],
        navigation: {
          tabs: [
            { tab: "Guides", pages: ["guides/a"] },
            { tab: "Part", href: "/guides/b#part" },
            { tab: "Paper", href: "/paper.pdf" },
            { tab: "Moved", href: "/old" },
            { tab: "Gone", href: "/gone" },
            { tab: "Lost", href: "/guides/b#lost" },
          ],
        },
      },
      "guides/a.md": "# A",
      "guides/b.md": "# B\n\n## Part",
      "paper.pdf": "paper",
    });
    const page = await site.read("guides/a.html");
    const tabs = /<nav class="tab-bar".*?<\/nav>/s.exec(page)?.[0] ?? "";
    expect([...tabs.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      "a.html",
      "../guides/b.html#part",
      "../paper.pdf",
      "../guides/b.html",
      "../guides/b.html#lost",
    ]);
    expect(await site.read("paper.pdf")).toBe("paper");
    expect(site.warnings.map(({ page: source, message }) => [source, message])).toEqual([
      ["docs.json", "the link /gone is broken: there is no such page"],
      ["docs.json", "the link /guides/b#lost is broken: the page has no such section"],
    ]);
  });

  test("the name of a social network may be any word", async () => {
    await using site = await renderFiles({
      "docs.json": { footer: { socials: { constructor: "https://example.org/" } } },
      "a.md": "# A",
    });
    expect(await site.read("a.html")).toContain(">Constructor</a>");
  });

  test("banner, header, footer and what is global are on every page", async () => {
    await using site = await renderFiles({
      "docs.json": {
        colors: { primary: "#112233" },
        fonts: { family: "Inter", heading: { family: 'x"}body{display:none' } },
        appearance: { default: "dark", strict: true },
        banner: {
          content: "**New**: [read](/b) <script>alert(1)</script><Badge>beta</Badge>",
          dismissible: true,
          color: "red",
        },
        seo: { metatags: { robots: "noindex" } },
        navbar: {
          links: [
            { label: "Blog", href: "https://example.com/blog" },
            { label: "Bad", href: "javascript:alert(1)" },
          ],
          primary: { type: "github", href: "https://github.com/acme" },
        },
        footer: {
          socials: { x: "https://x.com/acme" },
          links: [{ header: "Company", items: [{ label: "Jobs", href: "https://example.com/jobs" }] }],
        },
        navigation: {
          global: {
            anchors: [
              { anchor: "Forum", href: "https://example.com/forum", icon: "message-square" },
              { anchor: "B", href: "/b" },
            ],
            tabs: [{ tab: "Status", href: "https://example.com/status" }],
          },
          directory: "card",
          tabs: [
            { tab: "One", pages: ["a"] },
            { tab: "Two", pages: ["b"] },
          ],
        },
        contextual: { options: ["copy"] },
      },
      "a.md": "# A",
      "b.md": "# B",
    });
    const page = await site.read("a.html");
    expect(page).toMatch(
      /<aside class="banner" data-dismissible><p><strong>New<\/strong>: <a href="b.html">read<\/a>\s*<span class="tag">beta<\/span>/,
    );
    expect(page).not.toContain("alert(1)");
    expect(page).toContain('data-theme="dark"');
    expect(page).not.toContain("data-theme-toggle");
    expect(page).toMatch(
      /<a class="header-link call-to-action" href="https:\/\/github.com\/acme"[^>]*>GitHub</,
    );
    expect(linksOf(page, /<nav class="tab-bar"[\s\S]*?<\/nav>/)).toEqual({
      One: "a.html",
      Two: "b.html",
      Status: "https://example.com/status",
    });
    expect(linksOf(page, /<nav class="sidebar"[\s\S]*?<\/nav>/)).toEqual({
      A: "a.html",
      B: "b.html",
      Forum: "https://example.com/forum",
      // On phones the header has no room for its links, and the tabs scroll away.
      One: "a.html",
      Two: "b.html",
      Status: "https://example.com/status",
      Blog: "https://example.com/blog",
      GitHub: "https://github.com/acme",
    });
    expect(linksOf(page, /<footer[\s\S]*?<\/footer>/)).toEqual({
      Jobs: "https://example.com/jobs",
      X: "https://x.com/acme",
    });
    expect(await site.read("site-assets/site.css")).toContain('{font-family:"Inter",var(--sans)}');
    expect(site.warnings.map(({ message }) => message)).toEqual([
      "these have an invalid form: fonts.heading.family",
      "these are not supported: banner.color, contextual, seo.metatags.robots",
      "fonts are not loaded, so only readers who have installed them see them: Inter",
      "unsupported keys in the navigation: directory",
      "the link javascript:alert(1) is broken: URLs of this type are not allowed",
    ]);
  });

  test("a picture that the configuration names and that is missing is reported once", async () => {
    await using site = await renderFiles({
      "docs.json": {
        name: "X",
        logo: { light: "/gone.svg", dark: "/gone.svg" },
        favicon: { light: "/here.png", dark: "https://example.com/dark.png" },
        navigation: { pages: ["a"] },
      },
      "a.md": "# A",
      "public/here.png": "x",
    });
    expect(site.warnings.map(({ kind, page, message }) => [kind, page, message])).toEqual([
      [
        "file",
        "docs.json",
        "the picture https://example.com/dark.png is not shown: pages do not load remote files",
      ],
      ["file", "docs.json", "the picture /gone.svg is not shown: the site has no such file"],
    ]);
    expect(await site.read("a.html")).toContain('<link rel="icon" href="public/here.png">');
  });

  test("a logo and an icon may differ in dark colours, and are found from every folder", async () => {
    await using site = await renderFiles({
      "docs.json": {
        name: "X",
        logo: { light: "/logo/a b.png", dark: "logo/dark.png", href: "/guides/b" },
        favicon: { light: "/light.png", dark: "/dark.png" },
      },
      "guides/b.md": "# B",
      "logo/a b.png": "x",
      "logo/dark.png": "x",
      "light.png": "x",
      "dark.png": "x",
    });
    const page = await site.read("guides/b.html");
    for (const part of [
      '<a class="site-name" href="../guides/b.html">',
      'class="only-light" src="../logo/a%20b.png"',
      'class="only-dark" src="../logo/dark.png"',
      '<link rel="icon" href="../light.png">',
      '<link rel="icon" href="../dark.png" media="(prefers-color-scheme: dark)">',
    ])
      expect(page).toContain(part);
    expect(await site.list()).toContain("logo/dark.png");
  });

  test("icons of the navigation and the header may be pictures, and those that cannot be shown are reported once", async () => {
    await using site = await renderFiles({
      "docs.json": {
        name: "X",
        navbar: { links: [{ label: "Home", href: "/b", icon: "/icons/home.svg" }] },
        navigation: {
          groups: [
            { group: "One", icon: "/icons/one.svg", pages: ["guides/a", "b"] },
            { group: "Two", icon: "https://example.com/two.svg", pages: ["c"] },
            { group: "Three", icon: "qqqqq", pages: ["d"] },
            { group: "Five", icon: "rocket", pages: ["f"] },
            { group: "Four", icon: "qqqqq", pages: ["e"] },
          ],
        },
      },
      "guides/a.md": "---\nicon: ./icons/one.svg\n---\n\n# A",
      ...Object.fromEntries(["b", "c", "d", "e"].map((name) => [`${name}.md`, `# ${name}`])),
      "f.md": "---\nicon: zzzzz\n---\n\n# f",
      "icons/one.svg": "<svg/>",
      "icons/home.svg": "<svg/>",
    });
    const page = await site.read("guides/a.html");
    expect(page).toContain('<img class="icon" src="../icons/one.svg" alt="">One');
    expect(page).toContain('<img class="icon" src="../icons/one.svg" alt="">A');
    expect(page).toContain('<img class="icon" src="../icons/home.svg" alt="">Home');
    expect(await site.list()).toContain("icons/one.svg");
    // A drawing is in the style sheet once, and not in every page.
    const [, className = "none"] = /<i class="icon (icon-\d+)" aria-hidden="true"><\/i>Five/.exec(page) ?? [];
    const rule = new RegExp(`^\\.${className}\\{--icon:url\\("data:image/svg\\+xml,([^"]*)"\\)\\}$`, "m");
    const drawing = decodeURIComponent(rule.exec(await site.read("site-assets/site.css"))?.[1] ?? "");
    expect(drawing).toMatch(
      /^<svg xmlns='http:\/\/www\.w3\.org\/2000\/svg' [^<]*stroke='#000'[^<]*>(?:<path d='[^']*'><\/path>)+<\/svg>$/,
    );
    expect(site.warnings.map(({ kind, page, message }) => [kind, page, message])).toEqual([
      [
        "file",
        "docs.json",
        "the picture https://example.com/two.svg is not shown: pages do not load remote files",
      ],
      ["icon", "docs.json", "there is no icon like “qqqqq”"],
      ["icon", "f.md", "there is no icon like “zzzzz”"],
    ]);
  });

  test("entries of the navigation that have no form of one, and unknown choices, are warnings", async () => {
    await using site = await renderFiles({
      "docs.json": {
        navigation: { groups: [{ group: "One", pages: ["a", 7, { group: "Two", pages: "b" }] }] },
        appearance: { default: "blue" },
        seo: { indexing: "some" },
      },
      "a.md": "# A",
      "b.md": "# B",
    });
    expect(sidebarOf(await site.read("a.html"))).toEqual(["One:", "A (a.html)"]);
    expect(site.warnings.map(({ message }) => message)).toEqual([
      "these have an invalid form: appearance.default, seo.indexing",
      "these have an invalid form: One.pages, Two.pages",
    ]);
  });

  test("header and footer lead to pages, and what they cannot show is reported without the rest being lost", async () => {
    await using site = await renderFiles({
      "docs.json": {
        name: "X",
        navbar: { links: ["wrong", { label: "B", href: "/guides/b" }, { label: "Nowhere" }] },
        footer: {
          socials: { x: null, github: "https://github.com/acme" },
          links: [{ header: "More", items: [{ label: "Gone", href: "/gone" }] }],
        },
        redirects: [{ source: "/old" }, { source: "/older", destination: "/guides/b" }],
        appearance: "dark",
        navigation: { pages: ["guides/b"] },
      },
      "guides/b.md": "# B",
    });
    const page = await site.read("guides/b.html");
    expect(page).toMatch(/<a class="header-link" href="..\/guides\/b.html"[^>]*>B</);
    expect(page).toContain(">GitHub</a>");
    expect(await site.list()).toContain("older.html");
    expect(site.warnings.map(({ message }) => message)).toEqual([
      "these have an invalid form: navbar.links, appearance, redirects",
      "a link of the header or footer was left out: Nowhere has no address or name",
      "the link /gone is broken: there is no such page",
      "a link of the header or footer was left out: X has no address or name",
    ]);
  });

  test("a language may have a banner, header and footer of its own", async () => {
    await using site = await renderFiles({
      "docs.json": {
        name: "X",
        banner: { content: "Hello [a](/en/a)" },
        navbar: { links: [{ label: "Home", href: "https://example.com/" }] },
        navigation: {
          languages: [
            { language: "en", banner: "Hi", footer: { links: "wrong" }, pages: ["en/a"] },
            {
              language: "fr",
              banner: { content: "Salut [a](/fr/a)" },
              navbar: { primary: { type: "button", label: "Commencer", href: "/fr/a" } },
              footer: { socials: { github: "https://github.com/acme" } },
              pages: ["fr/a", "fr/deep/b"],
            },
          ],
        },
      },
      "en/a.md": "# A",
      "fr/a.md": "# A",
      "fr/deep/b.md": "# B",
    });
    expect(site.warnings.map(({ message }) => message)).toEqual([
      "these have an invalid form: en.banner, en.footer.links",
    ]);
    const [english, french] = [await site.read("en/a.html"), await site.read("fr/deep/b.html")];
    expect(english).toContain('Hello <a href="../en/a.html">');
    expect(english).toContain(">Home</a>");
    expect(english).not.toContain("<footer");
    expect(french).toContain('Salut <a href="../../fr/a.html">');
    expect(french).toMatch(/call-to-action" href="..\/..\/fr\/a.html"[^>]*>Commencer</);
    expect(french).not.toContain(">Home</a>");
    expect(french).toContain(">GitHub</a>");
  });

  test("the page for addresses without a page says what the documents say there", async () => {
    await using site = await renderFiles({
      "docs.json": {
        name: "X",
        errors: { 404: { title: "Lost <at> sea", description: "**Try** [A](/a)" } },
        navigation: { pages: ["a"] },
      },
      "a.md": "# A",
    });
    const page = await site.read("404.html");
    expect(page).toContain("<h1>Lost &#x3C;at> sea</h1>");
    expect(page).toContain('<strong>Try</strong> <a href="a.html">A</a>');
    expect(page).not.toContain("There is no page at this address");
    expect(site.warnings).toEqual([]);
  });

  test("variables stand for their texts in pages, snippets and code", async () => {
    await using site = await renderFiles({
      "docs.json": {
        name: "X",
        variables: {
          version: "2.0",
          "api-url": "https://api.example.com",
          bad: "<script>alert(1)</script>",
          n: 1,
        },
        navigation: { pages: ["a"] },
      },
      "a.mdx":
        "---\ntitle: Release {{version}}\n---\nimport Part from '/snippets/part.mdx'\n\n[Call]({{api-url}}/x) {{bad}}\n\n```sh\ncurl {{api-url}} {{other}} {{constructor}}\n```\n\n<Part />",
      "snippets/part.mdx": "Part of {{version}}.",
    });
    const page = await site.read("a.html");
    expect(page).toContain("<h1>Release 2.0</h1>");
    expect(page).toContain('href="https://api.example.com/x"');
    expect(page).not.toContain("alert(1)<");
    expect(page).toContain("Part of 2.0.");
    expect(await site.read("a.md")).toContain("curl https://api.example.com {{other}} {{constructor}}");
    const undefinedNames = site.warnings.filter(({ kind }) => kind === "script");
    expect(undefinedNames).toEqual(
      ["other", "constructor"].map((name) => ({
        page: "a.mdx",
        line: 9,
        kind: "script",
        message: `the site defines no variable {{${name}}}; it stays as written`,
      })),
    );
  });

  test("a style sheet and a script that the format would put into every page are in the report", async () => {
    const files = { "a.md": "# A", "style.css": "p {}", "chat.js": "", "snippets/part.js": "" };
    await using site = await renderFiles({ ...files, "docs.json": '{ "navigation": { "pages": ["a"] } }' });
    const message = "style sheets and scripts of the documents have no effect: chat.js, style.css";
    expect(site.warnings).toEqual([{ page: "docs.json", kind: "configuration", message }]);
    await using plain = await renderFiles(files);
    expect(plain.warnings).toEqual([]);

    const many = Object.fromEntries(Array.from({ length: 100 }, (_, number) => [`styles/${number}.css`, ""]));
    await using full = await renderFiles({
      ...many,
      "a.md": "# A",
      "docs.json": '{ "navigation": { "pages": ["a"] } }',
    });
    expect(full.warnings[0]?.message).toMatch(/styles\/.*…$/);
  });

  test("a feed of a changelog is in the report", async () => {
    await using site = await renderFiles({ "changelog.mdx": "---\ntitle: Changelog\nrss: true\n---\nText." });
    const message = "its `rss` has no effect: the site has no feeds";
    expect(site.warnings).toEqual([{ page: "changelog.mdx", kind: "configuration", message }]);
  });

  test("what VitePress shows above a front page's text is in the report", async () => {
    const index =
      "---\nlayout: home\nhero: { name: Acme }\nfeatures: [{ title: Fast }]\n---\n\n## More\n\nText.";
    await using site = await renderFiles({ "index.md": index });
    const message = "its `hero` and `features` have no effect";
    expect(site.warnings).toEqual([{ page: "index.md", kind: "configuration", message }]);
    expect(await site.read("index.md")).toContain("## More\n\nText.");
  });

  test("menus are called by what is chosen in them", async () => {
    const menu = ["One", "Two"].map((item, at) => ({ item, pages: [`p${at}`] }));
    await using site = await renderFiles({
      "docs.json": { navigation: { tabs: [{ tab: "Guides", menu }] } },
      "p0.md": "# A",
      "p1.md": "# B",
    });
    expect(await site.read("p1.html")).toMatch(/<details class="switcher"><summary> Two</);
  });

  test("variables make no page longer than pages may be", async () => {
    await using site = await renderFiles({
      "docs.json": { variables: { a: "x".repeat(1_000_000) }, navigation: { pages: ["a"] } },
      "a.md": "{{a}}".repeat(1_000),
    });
    expect(site.pageCount).toBe(0);
    expect(site.warnings.filter(({ kind }) => kind === "file")).toHaveLength(1);
  });

  test("an old mint.json has its tabs, anchors, versions and links", async () => {
    await using site = await renderFiles({
      "mint.json": {
        name: "Old",
        topbarLinks: [{ name: "Blog", url: "https://example.com/blog" }],
        topbarCtaButton: { name: "Start", url: "https://example.com/start" },
        footerSocials: [{ type: "github", url: "https://github.com/acme" }],
        primaryTab: { name: "Guides" },
        tabs: [{ name: "API", url: "api" }],
        anchors: [{ name: "Forum", url: "https://example.com/forum" }],
        versions: ["v2", { name: "v1" }],
        navigation: [
          { group: "Intro", pages: ["intro"] },
          { group: "Two", version: "v2", pages: ["two"] },
          { group: "One", version: "v1", pages: ["one"] },
          { group: "Calls", pages: ["api/list"] },
        ],
      },
      "intro.md": "# Intro",
      "one.md": "# One",
      "two.md": "# Two",
      "api/list.md": "# List",
    });
    expect(site.warnings).toEqual([]);
    const page = await site.read("two.html");
    expect(linksOf(page, /<nav class="tab-bar"[\s\S]*?<\/nav>/)).toEqual({
      Guides: "intro.html",
      API: "api/list.html",
    });
    expect(linksOf(page, versionMenu)).toEqual({ v2: "two.html", v1: "intro.html" });
    expect(sidebarOf(page)).toEqual(expect.arrayContaining(["Two:"]));
    expect(sidebarOf(page)).not.toContain("One:");
    for (const words of [">Blog<", ">Start<", ">GitHub<", ">Forum<"]) expect(page).toContain(words);
  });

  test("anchors are in sight, and a menu is called like what is chosen in it", async () => {
    const navigation = (key: string, name: string) => ({
      [key]: [
        { [name]: "Guides", icon: { name: "rocket", style: "solid" }, pages: ["a"] },
        { [name]: "Calls", pages: ["b"] },
      ],
    });
    const switcherOf = async (key: string, name: string) => {
      await using site = await renderFiles({
        "docs.json": { navigation: navigation(key, name) },
        "a.md": "# A",
        "b.md": "# B",
      });
      expect(site.warnings).toEqual([]);
      return /<(?:div|details) class="switcher">[\s\S]*?<\/ul>/.exec(await site.read("a.html"))?.[0] ?? "";
    };
    const guides =
      /<ul><li><a href="a.html" aria-current="true"><i class="icon icon-\d+"[^>]*><\/i>Guides<\/a>/;
    const anchors = await switcherOf("anchors", "anchor");
    expect(anchors).toMatch(guides);
    expect(anchors).not.toContain("<summary>");
    const dropdown = await switcherOf("dropdowns", "dropdown");
    expect(dropdown).toMatch(guides);
    expect(dropdown).toMatch(/<summary> <i class="icon [^>]*><\/i>Guides<i/);
    expect(await switcherOf("products", "product")).toMatch(
      /<span class="switcher-label">Product<\/span> <i class="icon [^>]*><\/i>Guides/,
    );
  });

  test("a page that only leads elsewhere has a link to there", async () => {
    await using site = await renderFiles({
      "docs.json": { navigation: { pages: ["a", "out", "more"] } },
      "a.md": "# A",
      "out.md": "---\ntitle: Out\nurl: https://example.com/a_b?c=*d*\n---\n",
      "more.md": "---\ntitle: More\nurl: https://example.com/more\n---\n\nText.",
    });
    expect(await site.read("out.html")).toMatch(
      /<a href="https:\/\/example\.com\/a_b\?c=\*d\*"[^>]*class="external">https:\/\/example\.com\/a_b/,
    );
    expect(await site.read("more.md")).toBe("# More\n\nText.\n");
  });

  test("pages beside groups are in the order in which the two lists are written", async () => {
    const lists = { pages: ["a"], groups: [{ group: "More", pages: ["b"] }] };
    const files = { "a.md": "# A", "b.md": "# B" };
    for (const [navigation, expected] of [
      [lists, ["A (a.html)", "More:", "B (b.html)"]],
      [{ groups: lists.groups, pages: lists.pages }, ["More:", "B (b.html)", "A (a.html)"]],
    ]) {
      await using site = await renderFiles({ ...files, "docs.json": { navigation } });
      expect(sidebarOf(await site.read("a.html"))).toEqual(expected);
    }
  });

  test("an old mint.json has its colours, fonts and address", async () => {
    await using site = await renderFiles({
      "mint.json": {
        modeToggle: { default: "dark", isHidden: true },
        font: { headings: { family: "Lora" }, body: { family: "Karla" } },
        metadata: { "og:url": "https://docs.example.com/" },
        navigation: [{ group: " ", pages: ["a"] }],
      },
      "a.md": "# A",
    });
    expect(site.warnings.map(({ message }) => message)).toEqual([
      "fonts are not loaded, so only readers who have installed them see them: Lora, Karla",
    ]);
    const page = await site.read("a.html");
    expect(page).toContain('data-theme="dark"');
    expect(page).not.toContain("data-theme-toggle");
    // A group without a name is only its pages.
    expect(page).not.toMatch(/<summary>|class="breadcrumbs"/);
    expect(await site.list()).toContain("sitemap.xml");
  });

  test("a tab of a mint.json has its pages, and then those of its OpenAPI document", async () => {
    await using site = await renderFiles({
      "mint.json": {
        tabs: [{ name: "API", url: "api", openapi: "/api/openapi.json" }],
        navigation: [
          { group: "Intro", pages: ["intro"] },
          { group: "Calls", pages: ["api/start"] },
        ],
      },
      "intro.md": "# Intro",
      "api/start.md": "# Start",
      "api/openapi.json": {
        openapi: "3.0.1",
        info: { title: "Plants", version: "1" },
        paths: { "/plants": { get: { summary: "List plants", tags: ["Plants"] } } },
      },
    });
    expect(site.warnings).toEqual([]);
    const page = await site.read("api/start.html");
    expect(sidebarOf(page)).toEqual(["Calls:", "Start (start.html)", "Plants:"]);
    expect(page).toMatch(
      /<a href="plants\/list-plants.html"><span class="method method-get">GET<\/span> List plants<\/a>/,
    );
    expect(await site.read("api/plants/list-plants.html")).toContain("<h1>List plants</h1>");
  });

  test("a link of the header that shows only its icon has a name", async () => {
    const links = [
      { label: "", icon: "github", href: "https://example.com/code" },
      { label: "", icon: "xyzzy", href: "https://example.com/chat" },
    ];
    await using site = await renderFiles({
      "docs.json": { navigation: { pages: ["a"] }, navbar: { links } },
      "a.md": "# A",
    });
    const page = await site.read("a.html");
    expect(page).toMatch(
      /<a class="header-link" [^>]*aria-label="GitHub" title="GitHub"><i class="icon icon-\d+" aria-hidden="true"><\/i><\/a>/,
    );
    expect(page).toMatch(/<a class="header-link" [^>]*chat"[^>]*>Xyzzy<\/a>/);
    // On a phone the header has no room: there they are in the menu.
    expect(page).toMatch(
      /<div class="narrow-only"><ul><li><a href="https:\/\/example.com\/code"[^>]*>.*?GitHub<\/a>/,
    );
  });

  test("a page's mode says how much of the site is around it", async () => {
    const text = "description: What it says.\n---\n# Page\n\n## One\n\n## Two";
    const modes = ["wide", "center", "custom", "frame", "none"];
    const files = modes.map((mode) => [`${mode}.md`, `---\ntitle: Page\nmode: ${mode}\n${text}`]);
    await using site = await renderFiles({
      "docs.json": {
        navigation: { groups: [{ group: "All", pages: modes }] },
        footer: { socials: { x: "https://example.com" } },
      },
      ...Object.fromEntries(files),
      "bare.md": "---\ntitle: Page\nmode: frame\n---\n\nText.",
    });
    // What begins with its title shows it once, whatever is around it.
    expect((await site.read("wide.html")).match(/<h1/g)).toHaveLength(1);
    for (const mode of ["custom", "frame"]) {
      expect(await site.read(`${mode}.html`)).toContain('<article>\n\n<h1 id="page">Page');
      expect(await site.read(`${mode}.md`)).toBe("# Page\n\n> What it says.\n\n## One\n\n## Two\n");
    }
    const partsOf = async (mode: string) => {
      const page = await site.read(`${mode}.html`);
      const parts = {
        contents: "toc",
        lead: "lead",
        place: "breadcrumbs",
        pager: "pager",
        footer: "site-footer",
      };
      const shown = Object.entries(parts).filter(([, name]) => page.includes(`class="${name}"`));
      return [
        /<div class="(layout[^"]*)"/.exec(page)?.[1],
        /<h1[^>]*>/.exec(page)?.[0],
        ...shown.map(([part]) => part),
      ];
    };
    expect(await partsOf("none")).toEqual([
      "layout",
      '<h1 id="page">',
      "contents",
      "lead",
      "place",
      "pager",
      "footer",
    ]);
    expect(await partsOf("wide")).toEqual([
      "layout layout-wide",
      '<h1 id="page">',
      "lead",
      "place",
      "pager",
      "footer",
    ]);
    expect(await partsOf("center")).toEqual([
      "layout layout-center",
      '<h1 id="page">',
      "lead",
      "place",
      "pager",
      "footer",
    ]);
    expect(await partsOf("custom")).toEqual(["layout layout-custom", '<h1 id="page">']);
    expect(await partsOf("frame")).toEqual(["layout layout-frame", '<h1 id="page">', "footer"]);
    // Without a heading of its own, a page is still called something.
    expect(await partsOf("bare")).toEqual(["layout layout-frame", '<h1 class="sr-only">', "footer"]);
    expect(site.warnings).toEqual([]);
  });
});
