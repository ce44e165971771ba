import fc from "fast-check";
import type { Element, Root } from "hast";
import rehypeRaw from "rehype-raw";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { describe, expect, test } from "vitest";
import { renderHtml } from "./render-text.ts";

const runningTags = new Set(
  "script style iframe object embed link meta base form svg math template frame button select textarea".split(
    " ",
  ),
);
const runningScheme = /^[\s\p{Cc}]*(?:javascript|vbscript|data:(?!image\/(?:png|gif|jpeg|webp|avif);))/iu;

function dangersOf({ tagName, properties }: Element): string[] {
  const isTab = tagName === "button" && properties["role"] === "tab";
  const isIcon = tagName === "svg" && String(properties["className"]) === "icon";
  return [
    ...(runningTags.has(tagName) && !isTab && !isIcon ? [`<${tagName}>`] : []),
    ...Object.entries(properties).flatMap(([name, value]) => {
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

  test("the check itself finds what it looks for", () => {
    const page =
      '<script></script><b title=">" onclick="x"></b><a href=" javascript:x"></a><p style="x"></p>';
    expect(findDangers(page)).toEqual(["<script>", "onClick", "href= javascript:x", "style"]);
  });

  test("no mixture of attacks and Markdown gets anything through", async () => {
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
      { numRuns: 300 },
    );
  });

  test("a page cannot take the identifiers of the site's own parts", async () => {
    expect(await renderHtml('<p id="docs-results">x</p><p id="mine">y</p>', "page.md")).toBe(
      '<p>x</p><p id="mine">y</p>',
    );
  });

  test("classes of documents are dropped, so that nothing can pose as the site's controls", async () => {
    expect(await renderHtml('<div class="search-dialog">x</div>', "page.md")).toBe("<div>x</div>");
  });

  test.each([
    ['<img className="block dark:hidden" src="/a.png" alt="A" />', "only-light"],
    ['<img className="hidden rounded dark:block" src="/a.png" alt="A" />', "only-dark"],
    ["![A](/a.png#gh-dark-mode-only)", "only-dark"],
  ])("a picture for one scheme only keeps to it: %s", async (source, name) => {
    expect(await renderHtml(source)).toContain(`class="${name}"`);
  });

  test.each(['className="dark:hidden-ish"', 'className="hidden"', 'className="dark:block"'])(
    "other utility classes say nothing of schemes: %s",
    async (attribute) => {
      expect(await renderHtml(`<div ${attribute}>x</div>`)).not.toContain("class");
    },
  );
});
