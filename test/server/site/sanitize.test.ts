import fc from "fast-check";
import type { Element, Root } from "hast";
import rehypeRaw from "rehype-raw";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { describe, expect, test } from "vitest";
import { caseCount } from "../../support/property-seed.ts";
import { renderHtml, renderText } from "./render-text.ts";

const runningTags = new Set(
  "script style iframe object embed link meta base form template frame button select textarea use image animate set foreignObject pattern feImage".split(
    " ",
  ),
);
const runningScheme = /^[\s\p{Cc}]*(?:javascript|vbscript|data:(?!image\/(?:png|gif|jpeg|webp|avif);))/iu;

function dangersOf({ tagName, properties }: Element): string[] {
  const isTab = tagName === "button" && properties["role"] === "tab";
  return [
    ...(runningTags.has(tagName) && !isTab ? [`<${tagName}>`] : []),
    ...Object.entries(properties).flatMap(([name, value]) => {
      if (/url\((?!#)/i.test(String(value)) && name !== "data") return [`${name}=${String(value)}`];
      if (/^on/i.test(name) || name === "style" || /^srcdoc$/i.test(name)) return [name];
      return /^(?:href|src|action|formAction|poster|srcSet|xLinkHref|data|background)$/.test(name) &&
        runningScheme.test(String(value))
        ? [`${name}=${String(value)}`]
        : [];
    }),
  ];
}

const htmlParser = unified().use(rehypeRaw).freeze();

/** Ways in which a page could run or load something, after parsing it as a browser does. */
function findDangers(html: string): string[] {
  const tree = htmlParser.runSync({ type: "root", children: [{ type: "raw", value: html }] } as Root);
  const dangers: string[] = [];
  visit(tree, "element", (node: Element) => void dangers.push(...dangersOf(node)));
  return dangers;
}

const attacks = [
  "<script>alert(1)</script>",
  "<ScRiPt src=//evil.example></sCrIpT>",
  "<img src=x onerror=alert(1)>",
  '<img src="x" onerror="alert(1)" />',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href=" &#106;avascript:alert(1)">x</a>',
  "[x](javascript:alert(1))",
  "[x](<java\tscript:alert(1)>)",
  "![x](javascript:alert(1))",
  "<javascript:alert(1)>",
  "[x]: javascript:alert(1)\n\n[x]",
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  "<svg><script>alert(1)</script></svg>",
  "<svg onload=alert(1)>",
  '<svg><path d="M0 0" fill="url(//evil.example#a)" style="fill:url(//evil.example)"/></svg>',
  "<svg><path d=\"M0 0\" mask=\"url( '//evil.example/a.svg#m' )\" clip-path='u\\72l(//evil.example)'/></svg>",
  '<svg><use href="//evil.example/a.svg#a"/><image href="//evil.example/a.png"/></svg>',
  '<svg><use xlink:href="data:image/svg+xml,<svg id=x onload=alert(1)>#x"/></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<svg><animate attributeName="href" values="javascript:alert(1)"/><set attributeName="onclick" to="alert(1)"/></svg>',
  "<svg><foreignObject><iframe srcdoc=x></iframe><img src=x onerror=alert(1)></foreignObject></svg>",
  "<svg><style><img src=x onerror=alert(1)></style><title><style></title><img src=x onerror=alert(1)></svg>",
  "<svg><text><![CDATA[<img src=x onerror=alert(1)>]]></text><desc><svg><script>alert(1)</script></svg></desc></svg>",
  '<Card icon={<svg onload="alert(1)"><script>{`alert(1)`}</script><path d="M0 0" fill="url(//evil.example)" /></svg>} />',
  '<picture><source srcset="javascript:alert(1)" media="(prefers-color-scheme: dark)"><img src=x onerror=alert(1)></picture>',
  '<math><mi//xlink:href="data:x,<script>alert(1)</script>">',
  "<style>*{background:url(//evil.example)}</style>",
  '<p style="background:url(//evil.example)">x</p>',
  '<p style={{ background: "url(//evil.example)" }}>x</p>',
  "<object data=//evil.example></object>",
  "<embed src=//evil.example>",
  '<form action="//evil.example"><button formaction="javascript:alert(1)">x</button></form>',
  '<meta http-equiv="refresh" content="0;url=//evil.example">',
  '<base href="//evil.example">',
  '<link rel="stylesheet" href="//evil.example">',
  "<template><script>alert(1)</script></template>",
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<Card title="x" href="javascript:alert(1)">y</Card>',
  "<Card title={`x`} href={`javascript:alert(1)`} />",
  '<Image src="javascript:alert(1)" />',
  '<Frame><img src="javascript:alert(1)" /></Frame>',
  '<Note onClick="alert(1)" style="color:red">x</Note>',
  '<Tooltip tip="<script>alert(1)</script>">x</Tooltip>',
  '<Tabs><Tab title="</button><script>alert(1)</script>">x</Tab></Tabs>',
  '<docs-component data-name="Card" data-props=\'{"title":"x","href":"javascript:alert(1)"}\'></docs-component>',
  '<docs-component data-name="Icon" data-props="{broken"></docs-component>',
  '```js title="</p><script>alert(1)</script>"\n</code></pre><script>alert(1)</script>\n```',
  '<pre><code class="language-js"><script>alert(1)</script></code></pre>',
  "{`<script>alert(1)</script>`}",
  'export const a = "<script>alert(1)</script>"\n\n{a}',
  "<details open ontoggle=alert(1)><summary>x</summary></details>",
  '<video poster="javascript:alert(1)"><source src="javascript:alert(1)"></video>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<input type="image" src="//evil.example" onfocus=alert(1) autofocus>',
  '<x-y onclick="alert(1)">z</x-y>',
  "<!--><script>alert(1)</script>-->",
  "<![CDATA[<script>alert(1)</script>]]>",
  "<?xml version='1.0'?><script>alert(1)</script>",
  "# <img src=x onerror=alert(1)>",
  "| <img src=x onerror=alert(1)> |\n| - |\n| <script>alert(1)</script> |",
  "[^1]\n\n[^1]: <script>alert(1)</script>",
];

/** A resolver that keeps every link would keep these; in a site, the real one refuses them once more. */
const schemesLeftToResolver = /<(?:Card|Image|docs-component)/;

describe("sanitizing", () => {
  test.each(attacks.flatMap((attack) => [[attack, "page.md"] as const, [attack, "page.mdx"] as const]))(
    "nothing of %j runs when it stands in %s",
    async (attack, source) => {
      const found = findDangers(await renderHtml(attack, source));
      expect(
        found.filter((danger) => !schemesLeftToResolver.test(attack) || !/^(?:href|src)=/.test(danger)),
      ).toEqual([]);
    },
  );

  test("a drawing keeps only shapes: links in it would be controls of the site", async () => {
    const html = await renderHtml(
      '<svg viewBox="0 0 9 9"><a href="https://x.example"><text>x</text></a><path d="M0 0"/></svg>',
    );
    expect(html).toMatch(/<svg[^>]*><path d="M0 0"><\/path><\/svg>/);
  });

  test("the test's own check finds attacks", () => {
    const page =
      '<script></script><b title=">" onclick="x"></b><a href=" javascript:x"></a><p style="x"></p>';
    expect(findDangers(page)).toEqual(["<script>", "onClick", "href= javascript:x", "style"]);
  });

  test("no combination of attacks and Markdown passes", async () => {
    const safe = attacks.filter((attack) => !schemesLeftToResolver.test(attack));
    const glue = [
      "\n\n",
      "\n",
      " ",
      "> ",
      "- ",
      "`",
      "```\n",
      "**",
      "<div>",
      "</div>",
      "<Note>",
      "</Note>",
      "{",
      "}",
      '"',
      "<",
      "--",
      "&lt;",
    ];
    const piece = fc.oneof(fc.constantFrom(...safe), fc.constantFrom(...glue), fc.string({ maxLength: 8 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 10 }),
        fc.constantFrom("page.md", "page.mdx"),
        async (pieces, source) => {
          expect(findDangers(await renderHtml(pieces.join(""), source))).toEqual([]);
        },
      ),
      { numRuns: caseCount(100) },
    );
  });

  test("a drawing keeps its shapes and gets a size from its view box", async () => {
    const drawing =
      '<svg viewBox="0 0 40 20" className="w-6" aria-label="A box"><defs><linearGradient id="g"><stop offset="0" stopColor="#f00" /></linearGradient></defs><path d="M1 1" stroke-width="2" strokeLinecap="round" fill="url(#g)" /><use href="#g" /><text x="1">Hi</text></svg>';
    expect(await renderHtml(drawing)).toBe(
      '<svg width="24" viewBox="0 0 40 20" aria-label="A box" role="img"><defs><linearGradient id="g"><stop offset="0" stop-color="#f00"></stop></linearGradient></defs><path d="M1 1" stroke-width="2" stroke-linecap="round" fill="url(#g)"></path><text x="1">Hi</text></svg>',
    );
    expect(await renderHtml('<svg width="9"><circle r="1"/></svg>', "page.md")).toBe(
      '<p><svg width="9" aria-hidden="true"><circle r="1"></circle></svg></p>',
    );
  });

  test("masks within masks are removed: nested ones take a browser hours", async () => {
    const level = (number: number) =>
      `<mask id="m${number}"><g mask="url(#m${number + 1})"><rect mask="url(#m${number + 1})"/></g></mask>`;
    const html = await renderHtml(
      `<svg>${[0, 1, 2].map(level).join("")}<rect mask="url(#m0)"/></svg>`,
      "page.md",
    );
    expect(html.match(/mask="/g)).toHaveLength(1);
  });

  test("a component's icon can be a drawing or an icon element", async () => {
    const html = await renderHtml(
      '<Card title="A" icon={<svg viewBox="0 0 512 512"><path d="M7 7" /></svg>} />\n\n<Card title="B" icon={<Icon icon="rocket" />} />',
    );
    expect(html).toContain(
      'class="icon-image"><path d="M7 7"></path></svg></span><p class="card-title">A</p>',
    );
    expect(html).toMatch(
      /<span class="card-icon"><svg class="icon".*<\/svg><\/span><p class="card-title">B<\/p>/,
    );
  });

  test("a source for dark colours may have spaces in its name, as GitBook's have", async () => {
    const dark = '<source media="(prefers-color-scheme: dark)" srcset="/dark (1).png">';
    const html = await renderHtml(`<picture>${dark}<img src="/light.png" alt="A"></picture>`, "page.md");
    expect(html).toMatch(/src="\/dark(?: |%20)\(1\)\.png"/);
  });

  test("a picture with a source for each colour scheme becomes two images, one of which is shown", async () => {
    const dark = '<source media="(prefers-color-scheme: dark)" srcset="/dark.png 2x">';
    expect(await renderHtml(`<picture>${dark}<img src="/a.png" alt="A"></picture>`, "page.md")).toBe(
      '<p><img class="only-light" src="/a.png" alt="A" loading="lazy"><img class="only-dark" src="/dark.png" alt="A" loading="lazy"></p>',
    );
    const wide = '<source media="(min-width: 40em)" srcset="/wide.png">';
    expect(await renderHtml(`<picture>${wide}<img src="/a.png" alt="A"></picture>`, "page.md")).toBe(
      '<p><img src="/a.png" alt="A" loading="lazy"></p>',
    );
  });

  test("each unsupported element is reported once", async () => {
    const page = await renderText(
      "- [x] done\n\n<form><input><input><button>Go</button></form>\n\n<canvas></canvas>\n\n<video src='/a.mp4'><track src='/a.vtt'></video>\n\n<form></form>",
      "page.md",
    );
    expect(page.warnings).toEqual(
      ["form", "input", "button", "canvas", 'track src="/a.vtt"'].map(
        (name) => `this element is not supported: <${name}>`,
      ),
    );
    expect(new Set(page.kinds)).toEqual(new Set(["markup"]));
  });

  test.each(["page.md", "page.mdx"])(
    "what scripts of others would show in %s is a link where its address is known",
    async (source) => {
      const parts = [
        '<script src="https://widgets.example.com/all.js"></script>',
        '<x-form src="https://forms.example.com/1"></x-form>',
        "<x-chart></x-chart>",
      ];
      const page = await renderText(parts.join("\n\n"), source);
      const links = [...page.html.matchAll(/<a href="([^"]*)"[^>]*>([^<]*)</g)].map(([, href, text]) => [
        text,
        href,
      ]);
      expect(links).toEqual([["https://forms.example.com/1", "https://forms.example.com/1"]]);
      expect(page.warnings).toEqual([
        'this element is not supported: <script src="https://widgets.example.com/all.js">',
      ]);
      expect(page.unknown).toEqual(["x-form", "x-chart"]);
    },
  );

  test("unsupported elements of a drawing are reported by name", async () => {
    const parts =
      '<title>T</title><use href="#a" /><pattern id="p" /><foreignObject><b>x</b></foreignObject>';
    const names = ["use", "pattern", "foreignObject", "b"];
    const expected = names.map((name) => `this element is not supported: <${name}>`);
    for (const source of ["page.md", "page.mdx"]) {
      const page = await renderText(`<svg viewBox="0 0 9 9">${parts}<path d="M1 1" /></svg>`, source);
      expect(page.warnings).toEqual(expected);
    }
  });

  test("a page cannot use the ids of the site's own elements", async () => {
    expect(await renderHtml('<p id="docs-results">x</p><p id="mine">y</p>', "page.md")).toBe(
      '<p>x</p><p id="mine">y</p>',
    );
  });

  test("a page's classes are removed, so that nothing can imitate the site's controls", async () => {
    expect(await renderHtml('<div class="search-dialog">x</div>', "page.md")).toBe("<div>x</div>");
  });

  test.each([
    ['<img className="block dark:hidden" src="/a.png" alt="A" />', "only-light"],
    ['<img className="hidden rounded dark:block" src="/a.png" alt="A" />', "only-dark"],
    ["![A](/a.png#gh-dark-mode-only)", "only-dark"],
    ['<video className="hidden dark:block" src="/a.mp4" />', "only-dark"],
    [
      '<iframe className="hidden dark:block" src="https://example.com/f" />',
      "missing-media only-dark external",
    ],
  ])("media for one colour scheme are shown only there: %s", async (source, name) => {
    expect(await renderHtml(source)).toContain(`class="${name}"`);
  });

  test.each(['className="dark:hidden-ish"', 'className="hidden"', 'className="dark:block"'])(
    "other utility classes say nothing of schemes: %s",
    async (attribute) => {
      expect(await renderHtml(`<div ${attribute}>x</div>`)).not.toContain("class");
    },
  );

  test.each([
    ['<div className="flex flex-wrap items-center justify-between gap-4">x</div>', "row wrap middle"],
    ['<div className="flex flex-col md:flex-row">x</div>', "row wrap"],
    ['<div className="grid grid-cols-1 lg:grid-cols-3">x</div>', "grid grid-3"],
    ['<div className="flex justify-center text-center">x</div>', "row justify-center center"],
    ["<div style={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center' }}>x</div>", "row wrap middle"],
    ['<div style="DISPLAY:flex ; text-align:center">x</div>', "row center"],
    ["<div style={{ textAlign: 'center' }}>x</div>", "center"],
    ['<div className="hidden md:block">x</div>', "wide"],
    ['<div className="md:hidden">x</div>', "narrow"],
    ['<div className="rounded-xl border !px-5 py-4">x</div>', "box"],
  ])("classes and styles for the layout are kept: %s", async (source, layout) => {
    const html = await renderHtml(source);
    expect(html).toContain(`data-layout="${layout}"`);
    expect(html).not.toContain("style=");
  });

  test.each([
    '<div className="grid grid-cols-1">x</div>',
    '<div className="flex flex-col gap-2">x</div>',
    '<div className="overflow-hidden rounded-xl border">x</div>',
    '<div className="rounded-none border p-4">x</div>',
    '<div data-layout="row">x</div>',
    '<div style="display: flex; flex-direction: column; --text-align: center">x</div>',
    "<div style={{ color: 'red' }}>x</div>",
  ])("an element without such classes and styles has no layout: %s", async (source) => {
    expect(await renderHtml(source)).toBe("<div>x</div>");
  });

  test("the texts of buttons stay separate, and a button without text is removed", async () => {
    const page =
      "export const All = () => <p><button>Copy</button><button>Share</button><button><svg /></button></p>\n\n<All />";
    expect(await renderHtml(page)).toMatch(/Copy\s*<\/span>\s*<span>\s+Share/);
    expect(await renderHtml(page)).not.toContain("svg");
  });

  test("the scheme of a link may have capital letters", async () => {
    const { html, warnings } = await renderText("<HTTPS://Example.com/A> [x](Http://example.org)", "page.md");
    expect(html).toMatch(/href="https:\/\/Example\.com\/A".*href="http:\/\/example\.org\/?"/s);
    expect(warnings).toEqual([]);
  });

  test.each([
    '<iframe src="javascript:alert(1)"></iframe>',
    '<img src="javascript:alert(1)">',
    "[x](javascript:alert(1))",
    "[x](ftp://files.example.com)",
  ])("a removed URL is reported: %s", async (source) => {
    const { warnings, kinds, lines } = await renderText(`a\n\n${source}`, "page.md");
    expect(warnings).toEqual([
      expect.stringMatching(/^the link \w+:\S+ is broken: URLs of this type are not allowed$/),
    ]);
    expect([kinds, lines]).toEqual([["link"], [3]]);
  });

  test.each([
    ['<svg className="w-4 h-auto" viewBox="0 0 512 512"><path d="M0 0" /></svg>', 'width="16"'],
    ['<svg className="h-[18px]" viewBox="0 0 10 20"><path d="M0 0" /></svg>', 'height="18" width="9"'],
    ['<svg className="size-5" width="9" height="9"><path d="M0 0" /></svg>', 'width="9" height="9"'],
    ['<img className="h-6 w-full" src="/a.png" />', 'height="24"'],
    ["<img style={{ width: 40 }} src='/a.png' />", 'width="40"'],
  ])("an image or drawing gets the size in its classes or style: %s", async (source, size) => {
    const [tag] = /<(?:svg|img) .*?>/.exec(await renderHtml(source)) ?? [];
    for (const attribute of size.split(" ")) expect(tag).toContain(attribute);
  });
});
