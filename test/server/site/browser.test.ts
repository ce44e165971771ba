import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBrowser, startBrowser, type TestBrowser } from "../../support/browser.ts";
import { type RenderedFolder, renderFiles, renderFolder } from "./render-files.ts";

const docsDir = fileURLToPath(new URL("../../fixtures/docs-site", import.meta.url));
const found = await findBrowser();
const suffix = found.kind === "none" ? ` (skipped: ${found.reason})` : "";

/** A page of each kind. */
const audited = [
  "index",
  "guides/install",
  "guides/markdown",
  "guides/components",
  "guides/code",
  "reference/ships",
  "404",
];

async function violationsOf(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate<axe.AxeResults>("axe.run()");
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

describe.skipIf(found.kind === "none")(`an exported site, opened from disk${suffix}`, () => {
  let browser: TestBrowser;
  let site: RenderedFolder;

  beforeAll(async () => {
    if (found.kind === "none") return;
    site = await renderFolder({ path: docsDir });
    browser = await startBrowser(found);
  });

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await site?.[Symbol.asyncDispose]();
  });

  function addressOf(path: string, folder = site): string {
    return pathToFileURL(`${folder.path}/${path}`).href;
  }

  async function visit(path: string, folder = site, options?: Parameters<TestBrowser["openPage"]>[0]) {
    const observed = await browser.openPage(options);
    await observed.page.goto(addressOf(path, folder));
    return observed;
  }

  test("links between pages work without network requests or console errors", async () => {
    await using observed = await visit("index.html");
    const { page } = observed;
    await page.getByRole("link", { name: "Install", exact: true }).first().click();
    await page.waitForURL(/guides\/install\.html$/);
    expect(await page.title()).toBe("Install Harbour · Harbour");
    await page.locator(".pager-next").click();
    await page.waitForURL(/guides\/markdown\.html$/);
    await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Reference" }).click();
    await page.waitForURL(/reference\/ships\.html$/);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("List ships");
    expect(observed.complaints).toEqual([]);
    expect(observed.foreignRequests).toEqual([]);
  });

  test("every kind of page loads without console errors and network requests", async () => {
    await using observed = await browser.openPage();
    const { complaints, foreignRequests } = observed;
    for (const path of [...audited, "reference/changelog"]) {
      await observed.page.goto(addressOf(`${path}.html`), { waitUntil: "load" });
      await observed.page.mouse.wheel(0, 20_000);
      expect({ path, complaints, foreignRequests }).toEqual({ path, complaints: [], foreignRequests: [] });
    }
  });

  test.each(["", "/repo"])(
    "the page for addresses without a page is whole at any depth below “%s”",
    async (prefix) => {
      const origin = "https://docs.example.com";
      await using observed = await browser.openPage({ offline: false });
      const { page } = observed;
      const notFound = await readFile(join(site.path, "404.html"));
      await page.route(`${origin}/**`, async (route) => {
        const { pathname } = new URL(route.request().url());
        const path = pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : "/none";
        const body = await readFile(join(site.path, path)).catch(() => undefined);
        const types: Record<string, string> = { ".css": "text/css", ".js": "text/javascript" };
        const contentType = (body && types[extname(path)]) ?? "text/html";
        await route.fulfill({ status: body ? 200 : 404, contentType, body: body ?? notFound });
      });
      for (const path of ["/none", "/deep/down/none.html", "/deep/"]) {
        await page.goto(`${origin}${prefix}${path}`, { waitUntil: "load" });
        await page.waitForFunction("document.documentElement.classList.contains('has-scripts')");
        expect(await page.evaluate("getComputedStyle(document.body).margin")).toBe("0px");
        expect(await page.getByRole("link", { name: "Front page" }).getAttribute("href")).toMatch(
          /index\.html$/,
        );
        await page.keyboard.press("/");
        await page.getByRole("combobox", { name: "Search the documentation" }).fill("weighi");
        await page.getByRole("option").first().click();
        await page.waitForURL(/#weighing$/);
        expect(page.url()).toContain(`${origin}${prefix}/index.html#weighing`);
      }
    },
  );

  test("search opens with a key, finds a section and links to it", async () => {
    await using observed = await visit("guides/code.html");
    const { page } = observed;
    await page.keyboard.press("/");
    await page.getByRole("combobox", { name: "Search the documentation" }).fill("weighi");
    await page.getByRole("option").first().waitFor();
    expect(await page.getByRole("option").first().textContent()).toContain("Harbour › Weighing");
    await page.keyboard.press("Enter");
    await page.waitForURL(/index\.html#weighing$/);
    expect(observed.complaints).toEqual([]);
    expect(observed.foreignRequests).toEqual([]);
  });

  test("search has the keys that were typed while its script was loading", async () => {
    await using observed = await visit("index.html");
    const { page } = observed;
    // In one task, so that no script can load in between.
    await page.evaluate(`for (const key of ["/", "W", "e", "i", "Shift", "g", "h"])
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }))`);
    await page.getByRole("option").first().waitFor();
    expect(await page.getByRole("option").first().textContent()).toContain("Weighing");
    await page.keyboard.type("ing");
    expect(await page.getByRole("combobox").inputValue()).toBe("Weighing");
  });

  test("search tolerates a typo, marks the matches, and is operated by the arrow keys", async () => {
    await using observed = await visit("index.html");
    const { page } = observed;
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("conatiner");
    const options = page.getByRole("option");
    await options.first().waitFor();
    expect(await page.locator(".results mark").first().textContent()).toMatch(/^container/i);
    const selected = () => page.getByRole("option", { selected: true }).getAttribute("id");
    expect(await selected()).toBe("docs-result-0");
    await page.keyboard.press("ArrowUp");
    expect(await selected()).toBe(`docs-result-${(await options.count()) - 1}`);
    await page.keyboard.press("ArrowDown");
    expect(await selected()).toBe("docs-result-0");
    expect(observed.complaints).toEqual([]);
    expect(observed.foreignRequests).toEqual([]);
  });

  test("search ignores the keys of an input method during composition", async () => {
    await using observed = await visit("index.html");
    const { page } = observed;
    await page.keyboard.press("/");
    await page.getByRole("combobox").fill("container");
    await page.getByRole("option").first().waitFor();
    for (const key of ["ArrowDown", "Enter"]) {
      await page.getByRole("combobox").dispatchEvent("keydown", { key, isComposing: true });
      // Safari ends the composition before this event.
      await page.getByRole("combobox").dispatchEvent("keydown", { key, keyCode: 229 });
    }
    expect(await page.getByRole("option", { selected: true }).getAttribute("id")).toBe("docs-result-0");
    expect(page.url()).toBe(addressOf("index.html"));
  });

  test("search works as soon as a script that failed to load is available", async () => {
    await using observed = await visit("index.html");
    const { page } = observed;
    const search = page.getByRole("button", { name: "Search" });
    const loseAll = async (name: string, act: () => Promise<void>) => {
      await page.route(name, (route) => route.abort());
      const isLost = page.waitForEvent("requestfailed");
      await act();
      await isLost;
      await page.unroute(name);
    };
    await loseAll("**/search.js", () => search.click());
    await search.click();
    await page.getByRole("combobox").waitFor();
    await loseAll("**/0-w*.js", () => page.getByRole("combobox").fill("contaimer"));
    await page.getByRole("combobox").fill("contaimer ");
    await page.getByRole("option").first().waitFor();
    expect(await page.locator(".results mark").first().textContent()).toMatch(/^container/i);
  });

  test("search reports that it finds nothing, and closes with Escape", async () => {
    await using observed = await visit("index.html");
    const { page } = observed;
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("combobox").fill("zzzzqqqq");
    await page.getByText("Nothing found for “zzzzqqqq”").waitFor();
    await page.keyboard.press("Escape");
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test("search says that there may be more pages than it lists", async () => {
    const names = Array.from(
      { length: 14 },
      (_, at) => [`pier-${at}.md`, `# Pier ${at}\n\nA quay.`] as const,
    );
    await using piers = await renderFiles(Object.fromEntries(names));
    await using observed = await visit("pier-0.html", piers);
    const { page } = observed;
    await page.keyboard.press("/");
    await page.getByRole("combobox").fill("quay");
    await page.getByRole("status").filter({ hasText: "12+ results" }).waitFor();
  });

  test("code is coloured, and its button copies it", async () => {
    await using observed = await visit("guides/install.html", site, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const { page } = observed;
    const block = page.locator(".code-block", { hasText: "move.ts" });
    const colours = await page.evaluate<number>(
      "new Set([...document.querySelectorAll('.step code span')].map((span) => getComputedStyle(span).color)).size",
    );
    expect(colours).toBeGreaterThan(3);
    await block.getByRole("button", { name: "Copy code" }).click();
    await page.getByRole("status").filter({ hasText: "Copied" }).waitFor();
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied).toMatch(/^import \{ createHarbour \} from "harbour";\n\nconst harbour/);
    expect(copied).toMatch(/\}\);$/);
  });

  test("scripts run at a URL with a lone percent sign", async () => {
    await using observed = await browser.openPage();
    await observed.page.goto(`${addressOf("guides/components.html")}#100%`);
    await observed.page.getByRole("tab", { name: "Linux" }).click();
    expect(await observed.page.locator('.toc a[aria-current="true"]').count()).toBe(1);
  });

  test("tabs are operated by mouse and keyboard", async () => {
    await using observed = await visit("guides/components.html");
    const { page } = observed;
    const panel = page.getByRole("tabpanel");
    expect(await panel.count()).toBe(1);
    await page.getByRole("tab", { name: "Linux" }).click();
    expect(await panel.textContent()).toContain("Use the package manager.");
    await page.keyboard.press("ArrowRight");
    expect(await panel.textContent()).toContain("Use winget.");
    await page.keyboard.press("ArrowRight");
    expect(await panel.textContent()).toContain("Use Homebrew.");
    await page.keyboard.press("End");
    expect(await page.getByRole("tab", { selected: true }).textContent()).toBe("Windows");
  });

  test("without scripts, the content of all tabs is visible, and no button is without effect", async () => {
    await using own = await renderFiles({
      "docs.json": {
        banner: { content: "New", dismissible: true },
        navigation: { pages: ["index"] },
      },
      "index.mdx": '<Tabs>\n<Tab title="A">\n\nOne\n\n</Tab>\n<Tab title="B">\n\nTwo\n\n</Tab>\n</Tabs>',
    });
    await using observed = await visit("index.html", own, { javaScriptEnabled: false });
    const { page } = observed;
    for (const text of ["New", "One", "Two"])
      expect(await page.getByText(text, { exact: true }).isVisible()).toBe(true);
    expect(await page.locator(".sidebar a").first().isVisible()).toBe(true);
    expect(await page.locator("button:visible").count()).toBe(0);
  });

  test("the selected colour scheme is kept from page to page", async () => {
    await using observed = await visit("index.html", site, { colorScheme: "light" });
    const { page } = observed;
    const background = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    const light = await background();
    await page.getByRole("button", { name: "Dark colours" }).click();
    const dark = await background();
    expect(dark).not.toBe(light);
    await page.goto(addressOf("guides/code.html"));
    expect(await background()).toBe(dark);
  });

  test("the colour button always changes the colours, also after the system or another page changed them", async () => {
    await using observed = await visit("index.html", site, { colorScheme: "light" });
    const { page } = observed;
    const button = page.getByRole("button", { name: "Dark colours" });
    const readState = async () => [
      await page.evaluate<string>("getComputedStyle(document.body).backgroundColor"),
      await button.getAttribute("aria-pressed"),
    ];
    const light = await readState();
    await page.emulateMedia({ colorScheme: "dark" });
    const [dark] = await readState();
    expect(dark).not.toBe(light[0]);
    await expect.poll(readState).toEqual([dark, "true"]);
    await button.click();
    expect(await readState()).toEqual(light);
    // As when the browser shows this page again after the choice on another one.
    await page.evaluate(`localStorage.setItem("docs-theme", "dark");
      dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))`);
    expect(await readState()).toEqual([dark, "true"]);
  });

  test("a site with fixed colours ignores the choice on another site of the same origin", async () => {
    await using own = await renderFiles({
      "docs.json": {
        appearance: { default: "dark", strict: true },
        navigation: { pages: ["index"] },
      },
      "index.md": "# Start",
    });
    await using observed = await visit("index.html");
    const { page } = observed;
    await page.evaluate('localStorage.setItem("docs-theme", "light")');
    await page.goto(addressOf("index.html", own));
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
  });

  test("on a phone, nothing is wider than the screen, and the navigation opens and closes", async () => {
    await using observed = await browser.openPage({ viewport: { width: 390, height: 844 }, hasTouch: true });
    const { page } = observed;
    for (const path of ["index", "guides/markdown", "guides/components", "guides/code", "reference/ships"]) {
      await page.goto(addressOf(`${path}.html`));
      expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
      // A site may have no button for its colours: the search is then at the edge.
      await page.evaluate("document.querySelector('[data-theme-toggle]').remove()");
      expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    }
    const entry = page.getByRole("navigation", { name: "Site" }).getByRole("link", { name: "Changelog" });
    expect(await entry.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Navigation" }).click();
    expect(await entry.isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    expect(await entry.isVisible()).toBe(false);
  });

  test("on a phone, the menu is below the header and has its links, and long names leave space in a table", async () => {
    await using own = await renderFiles({
      "docs.json": {
        name: "Phone",
        banner: { content: "News that needs more than one line on a narrow screen such as this one" },
        navbar: { links: [{ label: "Blog", href: "https://example.com/" }] },
        navigation: { pages: ["index"] },
      },
      "index.md": `# Home\n\n| Name | Use |\n| --- | --- |\n| \`${"LONG_NAME_".repeat(5)}\` | Text. |`,
    });
    await using observed = await visit("index.html", own, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    });
    const { page } = observed;
    expect((await page.locator("td").first().boundingBox())?.width).toBeLessThan(300);
    await page.getByRole("button", { name: "Navigation" }).click();
    expect(await page.getByRole("link", { name: "Blog" }).isVisible()).toBe(true);
    // Playwright presses only what nothing else covers.
    await page.getByRole("button", { name: "Navigation" }).click({ timeout: 5_000 });
    expect(await page.getByRole("link", { name: "Blog" }).isVisible()).toBe(false);
  });

  test("on narrow screens, the table of contents is collapsed above the text, and the menu has the tabs", async () => {
    await using own = await renderFiles({
      "docs.json": {
        navigation: {
          tabs: [
            { tab: "Guides", pages: ["index"] },
            { tab: "Reference", pages: ["ships"] },
          ],
        },
      },
      "index.md": "# Home\n\n## Alpha\n\nText.\n\n## Beta\n\nText.",
      "ships.md": "# Ships",
    });
    for (const javaScriptEnabled of [true, false]) {
      await using observed = await visit("index.html", own, {
        viewport: { width: 390, height: 844 },
        javaScriptEnabled,
      });
      const { page } = observed;
      const contents = page.getByRole("navigation", { name: "On this page" });
      const beta = contents.getByRole("link", { name: "Beta" });
      expect(await beta.isVisible()).toBe(false);
      await contents.getByText("On this page").click();
      expect(await beta.isVisible()).toBe(true);
      const below = (await page.getByRole("heading", { name: "Home" }).boundingBox())?.y;
      expect((await contents.boundingBox())?.y).toBeLessThan(below ?? 0);
      await page.setViewportSize({ width: 1400, height: 900 });
      expect(await beta.isVisible()).toBe(true);
      const beside = await page.getByRole("heading", { name: "Home" }).boundingBox();
      expect((await contents.boundingBox())?.x).toBeGreaterThan((beside?.x ?? 0) + (beside?.width ?? 0) - 1);
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole("button", { name: "Navigation" }).click();
      await page.getByRole("navigation", { name: "Site" }).getByRole("link", { name: "Reference" }).click();
      expect(page.url()).toMatch(/ships\.html$/);
      expect(observed.complaints).toEqual([]);
    }
    await using observed = await browser.openPage({ javaScriptEnabled: false });
    await observed.page.goto(addressOf("index.html", own));
    expect(await observed.page.locator(".toc").getByRole("link", { name: "Beta" }).isVisible()).toBe(true);
  });

  test("the first Tab focuses a link that skips to the content", async () => {
    await using observed = await visit("index.html");
    const { page } = observed;
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.evaluate<string>("document.activeElement.id")).toBe("docs-content");
  });

  test("a logo fits the header, an image for one colour scheme is shown only there, and an icon is visible in both", async () => {
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="900"/>';
    await using own = await renderFiles({
      "docs.json": { name: "Logo", logo: "/logo.svg", navigation: ["index"] },
      "index.mdx":
        '# Home\n\n<img className="block dark:hidden" src="/day.svg" alt="Day" />\n<img className="hidden dark:block" src="/night.svg" alt="Night" />\n<Card title="Card" icon={<svg viewBox="0 0 9 9"><path d="M0 0h9v9z" /></svg>} />',
      "logo.svg": drawing,
      "day.svg": drawing,
      "night.svg": drawing,
    });
    for (const [colorScheme, shown, hidden] of [
      ["light", "Day", "Night"],
      ["dark", "Night", "Day"],
    ] as const) {
      await using observed = await visit("index.html", own, { colorScheme });
      const { page } = observed;
      const box = await page.locator(".site-name img:visible").boundingBox();
      expect(box?.height).toBeLessThan(40);
      expect(box?.width).toBeLessThan(300);
      expect(await page.getByAltText(shown).isVisible()).toBe(true);
      expect(await page.getByAltText(hidden).isVisible()).toBe(false);
      const colours =
        "[getComputedStyle(document.querySelector('.icon-image path')).fill, getComputedStyle(document.body).color]";
      const [icon, text] = await page.evaluate<string[]>(colours);
      expect(icon).toBe(text);
    }
  });

  test("in print, every tab panel is below its title, without buttons", async () => {
    await using observed = await visit("guides/components.html");
    const { page } = observed;
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(".tab-list").first().isVisible()).toBe(false);
    expect(await page.locator(".tab-panel:visible").count()).toBe(await page.locator(".tab-panel").count());
  });

  test("in print, accordions are open, and long code and wide tables are whole", async () => {
    await using own = await renderFiles({
      "index.mdx": `<Accordion title="More">Inside</Accordion>\n\n\`\`\`js expandable\n${"let a;\n".repeat(40)}\`\`\`\n\n| a | ${"b".repeat(300)} |\n|-|-|\n`,
    });
    await using observed = await visit("index.html", own);
    const { page } = observed;
    const read = (script: string) => page.evaluate<string | boolean>(script);
    const readState = async () => [
      await page.getByText("Inside", { exact: true }).isVisible(),
      await read(
        '(({ scrollHeight, clientHeight }) => scrollHeight === clientHeight)(document.querySelector("pre"))',
      ),
      await read('getComputedStyle(document.querySelector(".table-scroll")).overflowX'),
    ];
    expect(await readState()).toEqual([false, false, "auto"]);
    await page.emulateMedia({ media: "print" });
    expect(await readState()).toEqual([true, true, "visible"]);
    expect(await page.locator(".code-expand").isVisible()).toBe(false);
  });

  test("in print, the colours and pictures are the light ones", async () => {
    await using own = await renderFiles({
      "docs.json": { appearance: { default: "dark" }, navigation: { pages: ["index"] } },
      "index.mdx":
        '<p className="dark:hidden">Day</p>\n<p className="hidden dark:block">Night</p>\n\n```mermaid\ngraph LR\n  A-->B\n```',
    });
    await using observed = await visit("index.html", own, { colorScheme: "light" });
    const { page } = observed;
    await page.locator(".diagram > img").waitFor();
    const readState = async () => [
      await page.evaluate<string>("getComputedStyle(document.body).color"),
      await page.getByText("Day").isVisible(),
      await page.getByText("Night").isVisible(),
    ];
    expect(await readState()).toEqual(["rgb(228, 232, 239)", false, true]);
    await page.emulateMedia({ media: "print" });
    expect(await readState()).toEqual(["rgb(28, 35, 48)", true, false]);
    // The diagram was drawn for dark paper, and the browser prints its colours.
    expect(
      await page.evaluate(
        '(({ backgroundColor, printColorAdjust }) => [backgroundColor, printColorAdjust])(getComputedStyle(document.querySelector(".diagram > img")))',
      ),
    ).toEqual(["rgb(20, 23, 29)", "exact"]);
  });

  test("the footer of a short page is at the lower edge of the window", async () => {
    await using own = await renderFiles({
      "docs.json": {
        footer: { socials: { github: "https://github.com/acme" } },
        navigation: { pages: ["index"] },
      },
      "index.md": "# Start\n",
    });
    await using observed = await browser.openPage();
    await observed.page.goto(addressOf("index.html", own));
    const distance = await observed.page.evaluate(
      'innerHeight - document.querySelector(".site-footer").getBoundingClientRect().bottom',
    );
    expect(distance).toBe(0);
  });

  test("in forced colours, only the selected tab is marked", async () => {
    await using observed = await visit("guides/components.html", site, { forcedColors: "active" });
    const { page } = observed;
    const borders = await page.evaluate<[string, string][]>(
      '[...document.querySelectorAll(".tab-list button")].map((tab) => [tab.ariaSelected, getComputedStyle(tab).borderBottomColor])',
    );
    const coloursOf = (state: string) =>
      new Set(borders.flatMap(([isSelected, colour]) => (isSelected === state ? [colour] : [])));
    expect(coloursOf("true").isDisjointFrom(coloursOf("false"))).toBe(true);
  });

  test("on a page from right to left, the left arrow key selects the next tab", async () => {
    await using own = await renderFiles({
      "index.mdx":
        '---\nlang: ar\n---\n<Tabs><Tab title="A">One</Tab><Tab title="B">Two</Tab><Tab title="C">Three</Tab></Tabs>',
    });
    await using observed = await visit("index.html", own);
    const { page } = observed;
    await page.getByRole("tab", { name: "A" }).focus();
    await page.keyboard.press("ArrowLeft");
    expect(await page.getByRole("tab", { selected: true }).textContent()).toBe("B");
    await page.keyboard.press("ArrowRight");
    expect(await page.getByRole("tab", { selected: true }).textContent()).toBe("A");
  });

  test("on a page from right to left, a banner in English ends with its punctuation", async () => {
    await using own = await renderFiles({
      "docs.json": { banner: { content: "Hello world!" }, navigation: { pages: ["index"] } },
      "index.md": "---\nlang: ar\n---\n# مرحبا\n",
    });
    await using observed = await visit("index.html", own);
    const { page } = observed;
    const [first, last] = await page.evaluate<number[]>(`[0, 11].map((at) => {
      const range = new Range();
      const { firstChild } = document.querySelector(".banner p");
      range.setStart(firstChild, at);
      range.setEnd(firstChild, at + 1);
      return range.getBoundingClientRect().left;
    })`);
    expect(first).toBeLessThan(last ?? 0);
  });

  test("in the navigation, the name of a group is as far from its icon as that of a page", async () => {
    const group = { group: "Group", icon: "key", pages: ["more"] };
    await using own = await renderFiles({
      "docs.json": { navigation: { pages: [group, "index"] } },
      "index.md": "---\nicon: key\n---\n# Index\n",
      "more.md": "# More\n",
    });
    await using observed = await visit("index.html", own);
    const { page } = observed;
    const distances = await page.evaluate<number[]>(`["summary", "[aria-current]"].map((selector) => {
      const icon = document.querySelector(".sidebar " + selector + " > .icon");
      const range = new Range();
      range.selectNode(icon.nextSibling);
      return range.getBoundingClientRect().left - icon.getBoundingClientRect().right;
    })`);
    expect(distances).toEqual([8, 8]);
  });

  test("the table of contents lists only the sections of the selected tab", async () => {
    await using own = await renderFiles({
      "index.mdx":
        '## Before\n\n<Tabs>\n<Tab title="One">\n\n### Alpha\n\n</Tab>\n<Tab title="Two">\n\n### Beta\n\n</Tab>\n</Tabs>',
    });
    await using observed = await browser.openPage();
    const { page } = observed;
    const listed = () =>
      page.getByRole("navigation", { name: "On this page" }).getByRole("link").allTextContents();
    await page.goto(addressOf("index.html", own));
    expect(await listed()).toEqual(["Before", "Alpha"]);
    await page.getByRole("tab", { name: "Two" }).click();
    expect(await listed()).toEqual(["Before", "Beta"]);
    await page.goto(`${addressOf("index.html", own)}#alpha`);
    expect(await listed()).toEqual(["Before", "Alpha"]);
    expect(observed.complaints).toEqual([]);
  });

  test("a section in a closed accordion is not the current one", async () => {
    const text = "Text.\n\n".repeat(60);
    await using own = await renderFiles({
      "index.mdx": `## One\n\n<Accordion title="More">\n\n### Inside\n\n</Accordion>\n\n${text}## Two\n\n${text}`,
    });
    await using observed = await visit("index.html", own);
    const { page } = observed;
    const current = page.locator(".toc a[aria-current]");
    await page.evaluate("scrollTo(0, document.body.scrollHeight)");
    await expect.poll(() => current.textContent()).toBe("Two");
    await page.evaluate("scrollTo(0, 900)");
    await expect.poll(() => current.textContent()).toBe("One");
    await page.getByText("More").click();
    await page.evaluate("scrollTo(0, 901)");
    await expect.poll(() => current.textContent()).toBe("Inside");
  });

  test("at the end of a page, its last section is the current one", async () => {
    await using own = await renderFiles({
      "index.md": `## First\n\n${"Text.\n\n".repeat(60)}## Middle\n\nText.\n\n## Last\n\nText.\n`,
    });
    await using observed = await visit("index.html", own);
    const { page } = observed;
    const current = page.locator(".toc a[aria-current]");
    expect(await current.textContent()).toBe("First");
    await page.locator(".toc").getByText("Last").click();
    await expect.poll(() => current.textContent()).toBe("Last");
  });

  test("a long table of contents is scrolled to the current section", async () => {
    const sections = Array.from({ length: 80 }, (_, index) => `## Section ${index}\n\nText\n`);
    await using own = await renderFiles({ "index.md": sections.join("\n") });
    await using observed = await visit("index.html", own);
    const { page } = observed;
    await page.evaluate("scrollTo(0, document.body.scrollHeight)");
    const current = page.locator(".toc a[aria-current]");
    await expect.poll(() => current.textContent()).toMatch(/^Section 7/);
    const isInWindow = await page.evaluate(
      'document.querySelector(".toc a[aria-current]").getBoundingClientRect().bottom < innerHeight',
    );
    expect(isInWindow).toBe(true);
  });

  test("a link to a section may be in upper case or have other punctuation", async () => {
    const text = "Text.\n\n".repeat(60);
    await using own = await renderFiles({
      "index.md": `[here](#Load_Balancing/) [elsewhere](other.md#toDate)\n\n${text}## Load balancing\n\n${text}`,
      "other.md": `${text}## toDate\n\n${text}`,
    });
    expect(own.warnings).toEqual([]);
    await using observed = await visit("index.html", own);
    const { page } = observed;
    const topOf = (id: string) =>
      page.evaluate<number>(`document.getElementById("${id}").getBoundingClientRect().top`);
    await page.getByText("here", { exact: true }).click();
    await expect.poll(() => topOf("load-balancing")).toBeLessThan(200);
    await page.getByText("elsewhere").click();
    await expect.poll(() => topOf("todate")).toBeLessThan(200);
  });

  test("a link to a section in a hidden tab scrolls to the section", async () => {
    const long = "Text.\n\n".repeat(60);
    await using own = await renderFiles({
      "index.mdx": `[Go](#beta)\n\n<Tabs>\n<Tab title="One">\nA\n</Tab>\n<Tab title="Two">\n\n${long}## Beta\n\n${long}</Tab>\n</Tabs>`,
    });
    await using observed = await visit("index.html", own);
    const { page } = observed;
    await page.getByRole("link", { name: "Go" }).click();
    const top = "document.querySelector('#beta').getBoundingClientRect().top";
    await page.waitForFunction(`scrollY > 0 && ${top} < innerHeight`);
    expect(await page.evaluate(top)).toBeGreaterThan(0);
  });

  test("links around blocks become cards in columns, and the current tab is scrolled into view", async () => {
    const card = (name: string) => `<a href="/a"><div><div>${name}</div><div>About it.</div></div></a>`;
    await using own = await renderFiles({
      "docs.json": {
        navigation: { tabs: [..."abcdefghi"].map((name) => ({ tab: `A long name ${name}`, pages: [name] })) },
      },
      ...Object.fromEntries([..."abcdefg"].map((name) => [`${name}.md`, `# ${name}`])),
      "h.mdx": `<div>\n${card("One")}\n${card("Two")}\n</div>\n\n<a href="/b"><Card title="Three">x</Card></a>`,
    });
    await using observed = await visit("h.html", own);
    const { page } = observed;
    const links = await page.locator("article a").all();
    const [one, two, three] = await Promise.all(links.map((link) => link.boundingBox()));
    expect(one?.y).toBe(two?.y);
    expect(two?.x).toBeGreaterThan((one?.x ?? 0) + (one?.width ?? 0));
    expect(three?.width).toBeGreaterThan(1.5 * (one?.width ?? 0));
    const border = "getComputedStyle(document.querySelector('article a:has(.card)')).borderTopWidth";
    expect(await page.evaluate<string>(border)).toBe("0px");
    await page.setViewportSize({ width: 390, height: 800 });
    await page.reload();
    const tab = await page.locator(".tab-bar [aria-current]").boundingBox();
    expect((tab?.x ?? 0) + (tab?.width ?? 0)).toBeLessThan(390);
    expect(observed.complaints).toEqual([]);
  });

  test("on a phone, what shares a row with a picture or a long text is not beyond the edge", async () => {
    const long = "word ".repeat(30);
    await using own = await renderFiles({
      "index.mdx": [
        '<div className="flex">\n<div>One text</div>\n<div className="w-64"><img src="/a.svg" className="w-[280px]" /></div>\n</div>',
        `<div className="flex">\n<div>${long}</div>\n<div>Another text</div>\n</div>`,
        '<ParamField path="a" type="string" default="' +
          "https://example.com/".repeat(5) +
          '">x</ParamField>',
      ].join("\n\n"),
      "a.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 280 90"><path d="M0 0h280v90z"/></svg>',
    });
    await using observed = await visit("index.html", own, { viewport: { width: 375, height: 800 } });
    const { page } = observed;
    expect((await page.getByText("Another text").boundingBox())?.width).toBeGreaterThan(80);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(375);
  });

  test.each(["wide", "frame"])(
    "a tooltip at the edge of a page with mode %s stays on the screen",
    async (mode) => {
      const tip = "A sentence that explains the word. ".repeat(4);
      await using own = await renderFiles({
        "index.mdx": `---\ntitle: Start\nmode: ${mode}\n---\n\n${`Some <Tooltip tip="${tip}">words</Tooltip> `.repeat(40)}`,
      });
      await using observed = await browser.openPage({ viewport: { width: 1280, height: 900 } });
      await observed.page.goto(addressOf("index.html", own));
      expect(await observed.page.evaluate("document.documentElement.scrollWidth")).toBe(1280);
      const tips = await observed.page.locator(".tooltip-text").all();
      expect(tips).toHaveLength(40);
      for (const shown of tips) expect((await shown.boundingBox())?.x).toBeGreaterThanOrEqual(0);
    },
  );

  test("in a box of centred elements, the picture is centred, and the elements keep their distance", async () => {
    await using own = await renderFiles({
      "index.mdx":
        '<div className="flex flex-col rounded-lg border p-4 text-center">\n  <img src="/a.svg" alt="A" width="99" height="40" />\n  <div>\n    <p>Text.</p>\n  </div>\n  <div className="flex justify-center">\n    <a href="/">Start</a>\n  </div>\n</div>',
      "a.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 99 40"><path d="M0 0h99v40z"/></svg>',
    });
    await using observed = await visit("index.html", own);
    const { page } = observed;
    const boxOf = async (selector: string) => {
      const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator(selector).boundingBox()) ?? {};
      return { y, bottom: y + height, middle: x + width / 2 };
    };
    const [box, picture] = [await boxOf('[data-layout~="box"]'), await boxOf("article img")];
    expect(picture.middle).toBeCloseTo(box.middle, 0);
    const [text, row] = [await boxOf("article p"), await boxOf('[data-layout~="row"]')];
    expect(row.y - text.bottom).toBeGreaterThan(10);
    expect(box.bottom - row.bottom).toBeLessThan(30);
  });

  test("cards in a separate element form columns, and the link that replaces a frame is a block", async () => {
    await using own = await renderFiles({
      "docs.json": { navigation: { pages: ["index"] } },
      "index.mdx": [
        '<div className="own-grid">\n<Card title="One" />\n<Card title="Two" />\n</div>',
        'Watch:\n\n<iframe src="https://example.com/video" />\n\nText.',
      ].join("\n\n"),
    });
    await using observed = await visit("index.html", own);
    const { page } = observed;
    const boxOf = (selector: string) => page.locator(selector).boundingBox();
    const [one, two] = [await boxOf(".card >> nth=0"), await boxOf(".card >> nth=1")];
    expect(one?.y).toBe(two?.y);
    const [link, text] = [await boxOf(".missing-media"), await boxOf("article > p:last-child")];
    expect(text?.y).toBeGreaterThan((link?.y ?? 0) + (link?.height ?? 0) + 10);
  });

  test.each(["center", "custom"])(
    "the navigation of a page of mode %s opens from its header",
    async (mode) => {
      await using own = await renderFiles({
        "docs.json": {
          navigation: {
            languages: ["en", "de"].map((language) => ({ language, pages: [`${language}/start`] })),
          },
        },
        "en/start.mdx": `---\ntitle: Start\nmode: ${mode}\n---\n\n<h1>Hello</h1>`,
        "de/start.mdx": "# Anfang",
      });
      await using observed = await visit("en/start.html", own, { bypassCSP: true });
      const { page } = observed;
      expect(await page.locator(".sidebar").isVisible()).toBe(false);
      await page.locator(".menu-button").click();
      await page.locator(".sidebar .switcher summary").click();
      await page.evaluate(axe.source);
      expect(await violationsOf(page)).toEqual([]);
      await page.locator('.sidebar a[hreflang="de"]').click();
      expect(await page.title()).toContain("Anfang");
    },
  );

  test("diagrams are drawn in light and dark, and an invalid one shows its source", async () => {
    await using own = await renderFiles({
      "index.mdx": [
        "%%{\n  init: {\n    'theme': 'default'\n  }\n}%%\n\nflowchart LR\n  A[Start] --> B{Full?}\n  B --> C[(Hold)]",
        "sequenceDiagram\n  A->>B: get List<String>",
        "classDiagram\n  class Ship {\n    +load(int tons) bool\n  }\n  Ship <|-- Tanker",
        "stateDiagram-v2\n  [*] --> Idle",
        "erDiagram\n  SHIP ||--o{ CARGO : carries",
        "flowchart LR\n  A --> ( broken",
      ]
        .map((source) => `\`\`\`mermaid\n${source}\n\`\`\``)
        .join("\n\n"),
    });
    await using observed = await visit("index.html", own, { colorScheme: "light" });
    const { page } = observed;
    const drawings = page.locator(".diagram > img");
    await expect.poll(() => drawings.count()).toBe(5);
    const sources = () =>
      page.evaluate<string[]>("[...document.querySelectorAll('.diagram > img')].map(({ src }) => src)");
    const light = await sources();
    for (const source of light) expect(decodeURIComponent(source)).not.toMatch(/foreignObject|<a |<script/);
    expect(decodeURIComponent(light[1] ?? "")).toContain("get List&lt;String&gt;");
    expect(await page.locator(".diagram details[open]").count()).toBe(1);
    expect(await page.locator(".diagram", { hasText: "broken" }).locator("pre").isVisible()).toBe(true);
    for (const drawing of await drawings.all())
      expect((await drawing.boundingBox())?.width).toBeGreaterThan(30);
    await page.getByRole("button", { name: "Dark colours" }).click();
    await expect
      .poll(async () => (await sources()).filter((source, at) => source !== light[at]).length)
      .toBe(5);
    expect(observed.complaints).toEqual([]);
    expect(observed.foreignRequests).toEqual([]);
  });

  test("a wide diagram is scrolled, with text that can be read", async () => {
    const steps = Array.from({ length: 12 }, (_, step) => `S${step}[A step of this way] --> S${step + 1}`);
    await using own = await renderFiles({
      "index.md": `\`\`\`mermaid\nflowchart LR\n${steps.join("\n")}\n\`\`\``,
    });
    await using observed = await visit("index.html", own, { colorScheme: "light" });
    const { page } = observed;
    await expect.poll(() => page.locator(".diagram > img").count()).toBe(1);
    const measure = `(() => {
      const figure = document.querySelector(".diagram");
      const { naturalWidth, width } = figure.querySelector("img");
      const { scrollWidth, clientWidth } = document.documentElement;
      return { scale: width / naturalWidth, scrolls: figure.scrollWidth > figure.clientWidth, fits: scrollWidth <= clientWidth };
    })()`;
    await expect
      .poll(() => page.evaluate(measure))
      .toEqual({ scale: expect.closeTo(0.75, 2), scrolls: true, fits: true });
    await page.evaluate(axe.source);
    expect(await violationsOf(page)).toEqual([]);
  });

  test("a diagram cannot run code, load resources or contain links", async () => {
    const element = "<img src=https://evil.example/i onerror=document.title=666>";
    await using own = await renderFiles({
      "index.mdx": [
        `%%{init: {"securityLevel":"loose","htmlLabels":true,"flowchart":{"htmlLabels":true},"themeCSS":"*{background:url(https://evil.example/c)}"}}%%\nflowchart LR\n  A["${element}"] --> B["<script>document.title=666</script>"]\n  click A "javascript:document.title=666"\n  click B call alert(1)`,
        `flowchart LR\n  A --> B\n  style A fill:url(https://evil.example/p),background:url(https://evil.example/b)`,
        'flowchart LR\n  A@{ img: "https://evil.example/img.png", label: "x" }',
        `flowchart LR\n  A["<meta http-equiv='refresh' content='0;url=https://evil.example/m'>"]`,
        `sequenceDiagram\n  participant A as ${element}\n  A->>A: <iframe src=https://evil.example></iframe>\n  link A: X @ javascript:alert(1)`,
        `classDiagram\n  class A["${element}"]\n  link A "javascript:alert(1)" "x"`,
        `erDiagram\n  "${element}" ||--o{ B : "<b onclick=x>"`,
        `stateDiagram-v2\n  state "${element}" as s1\n  [*] --> s1`,
      ]
        .map((source) => `\`\`\`mermaid\n${source}\n\`\`\``)
        .join("\n\n"),
    });
    await using observed = await browser.openPage();
    const { page } = observed;
    const dialogs: string[] = [];
    page.on("dialog", (dialog) => void dialogs.push(dialog.message()));
    const address = addressOf("index.html", own);
    await page.goto(address);
    const title = await page.title();
    await expect.poll(() => page.locator(".diagram > img").count()).toBeGreaterThan(3);
    await expect.poll(() => page.locator("[id^=ddocs-diagram]").count()).toBe(0);
    expect(await page.title()).toBe(title);
    expect(page.url()).toBe(address);
    expect(dialogs).toEqual([]);
    expect(observed.foreignRequests.filter((url) => !url.startsWith("data:"))).toEqual([]);
    expect(await page.locator(".diagram :is(a, svg:not(.icon), iframe, script, form)").count()).toBe(0);
  });

  describe("no accessibility violation, in light colours and in dark ones,", () => {
    async function violationsOfBoth(page: Page): Promise<Record<string, string[]>> {
      await page.evaluate(axe.source);
      const found: Record<string, string[]> = {};
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        found[colorScheme] = await violationsOf(page);
      }
      return found;
    }

    test.each(audited)("has %s", async (path) => {
      await using observed = await browser.openPage({ bypassCSP: true });
      await observed.page.goto(addressOf(`${path}.html`));
      expect(await violationsOfBoth(observed.page)).toEqual({ light: [], dark: [] });
    });

    test.each(["#00ffcc", "#ff00ff", "#0000ff"])("has a page with the bright colour %s", async (primary) => {
      await using own = await renderFiles({
        "docs.json": { colors: { primary }, navigation: { pages: ["index"] } },
        "index.mdx":
          "# Start\n\n<Warning>See [`set`](/index).</Warning>\n\n| [`set`](/index) | b |\n|---|---|\n",
      });
      await using observed = await browser.openPage({ bypassCSP: true });
      await observed.page.goto(addressOf("index.html", own));
      expect(await violationsOfBoth(observed.page)).toEqual({ light: [], dark: [] });
    });

    test("has the open search", async () => {
      await using observed = await browser.openPage({ bypassCSP: true });
      await observed.page.goto(addressOf("index.html"));
      await observed.page.keyboard.press("/");
      await observed.page.getByRole("combobox").fill("ship");
      await observed.page.getByRole("option").first().waitFor();
      expect(await violationsOfBoth(observed.page)).toEqual({ light: [], dark: [] });
    });
  });
});
