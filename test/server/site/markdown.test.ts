import { describe, expect, test } from "vitest";
import { renderHtml, renderText } from "./render-text.ts";

describe("Markdown", () => {
  test("GitHub's alerts become callouts, and other quotes stay quotes", async () => {
    const html = await renderHtml("> [!WARNING]\n> Mind the gap.\n\n> Just said.", "page.md");
    expect(html).toContain('class="callout callout-warning"');
    expect(html).toContain("<blockquote>\n<p>Just said.</p>\n</blockquote>");
    expect(html).not.toContain("[!");
  });

  test("a placeholder in angle brackets stays as written, and an unknown element that is closed is its content", async () => {
    const { html, markdown, warnings } = await renderText(
      "`GET` arxiv:<id> at <your-host>, p<index in order> <think>a</think> <b>c</b><br>\n\n| <URL> |\n| - |",
      "page.md",
    );
    expect(html).toContain("arxiv:&#x3C;id> at &#x3C;your-host>, p&#x3C;index in order> a <b>c</b><br></p>");
    expect(html).toContain("<th>&#x3C;URL></th>");
    expect(markdown).toContain("arxiv:\\<id> at \\<your-host>, p\\<index in order> a **c**");
    expect(warnings).toEqual([]);
  });

  test("a table scrolls in its own box and keeps its alignment", async () => {
    const html = await renderHtml("| a | b |\n| - | -: |\n| 1 | 2 |", "page.md");
    expect(html).toMatch(/^<div class="table-scroll" role="group" aria-label="Table" tabindex="0"><table>/);
    expect(html).toContain('<td align="right">2</td>');
  });

  test("a row with more cells than the header keeps them", async () => {
    const body = "| a |\n| -: |\n| one | `two` |\n\n| b |\n| -: |\n| three | |";
    const { html, markdown } = await renderText(body, "page.md");
    expect(html).toMatch(/<td>one<\/td>\s*<td><code class="unbroken">two<\/code><\/td>/);
    expect(html).toMatch(/<td align="right">three<\/td>\s*<\/tr>/);
    expect(markdown).toContain("| one | `two` |");
  });

  test("text on its own line is no paragraph within a heading or paragraph", async () => {
    const html = await renderHtml(
      "<h2>\n  One **two**\n</h2>\n\n<p>\n  Three\n</p>\n\n<p>\n  Four\n\n  Five\n</p>",
    );
    expect(html).toContain('<h2 id="one-two">One <strong>two</strong><a');
    expect(html).toContain("<p>Three</p>");
    expect(html).toMatch(/<div class="paragraph">\s*<p>Four<\/p>/);
  });

  test("a heading within a heading is one heading", async () => {
    const html = await renderHtml("## <h1>Changes</h1>");
    expect(html).toMatch(/^<h2 id="changes">Changes<a class="heading-anchor"[^>]*>#<\/a><\/h2>$/);
  });

  test("a heading followed by text on its line is no part of a paragraph", async () => {
    const html = await renderHtml("## Part\n\n<h3>New</h3> Some words.", "page.mdx");
    expect(html).toMatch(/<div class="paragraph"><h3 .*<\/h3> Some words\.<\/div>$/);
  });

  test("the texts of inline elements on separate lines stay separate", async () => {
    const html = await renderHtml(
      "<div>\n  <span>24</span>\n  <span>teams</span>\n</div>\n\na <b>c</b><i>d</i>",
    );
    expect(html).toBe("<div><span>24</span>\n<span>teams</span></div>\n<p>a <b>c</b><i>d</i></p>");
    const drawing = '<div>\n  <svg viewBox="0 0 9 9"><path d="M1 1" /></svg>\n\n  <span>Mac</span>\n</div>';
    expect(await renderHtml(drawing)).toContain("</svg>\n<span>Mac</span>");
  });

  test("short code in a table is not broken, but long code can be", async () => {
    const html = await renderHtml(
      `| a |\n| - |\n| \`PENDING\` or \`${"x".repeat(40)}\` \`a b\` |`,
      "page.md",
    );
    expect(html).toContain(`<code class="unbroken">PENDING</code> or <code>xxx`);
    expect(html).toContain("<code>a b</code>");
  });

  test("a link that ends with an arrow or is an image gets no arrow", async () => {
    const links =
      "[Read ↗](https://example.com) [on →](https://example.org) [![A](/a.png)](https://example.com)";
    const [link] = (await renderHtml(links)).match(/<p>.*/) ?? [];
    expect(link).toMatch(/^<p><a href="https:\/\/example.com" [^>]*>Read ↗<\/a>/);
    expect(link).not.toContain("external");
  });

  test.each(['<Icon icon="flag" />', "<Card title='A > B'/>", '<iframe src="https://a.example" />'])(
    "in Markdown, the text after %s is not part of it",
    async (element) => {
      const html = await renderHtml(`One ${element} two.\n\nThree.`, "page.md");
      expect(html).toMatch(/ two\.<\/(?:p|div)>\n<p>Three\.<\/p>$/);
      expect(await renderHtml("One<br/>two", "page.md")).toBe("<p>One<br>two</p>");
    },
  );

  test.each(["page.md", "page.mdx"])("imports at the start of %s are no text in Markdown", async (path) => {
    const imports = `import One from "./one.jsx";\n\nimport two from './two.json'\n`;
    const text = '<b>An {open brace.</b>\n\n<form></form>\n\n```js\nimport three from "three";\n```';
    const { html, lines } = await renderText(`${imports}${text}`, path);
    expect(html).toMatch(/^<p><b>An \{open/);
    expect(html).toContain("three");
    expect(lines.at(-1)).toBe(6);
  });

  test.each(["page.md", "page.mdx"])(
    "an include of VitePress in %s is reported, outside of code",
    async (path) => {
      const { warnings } = await renderText(
        "One.\n\n<!--@include: ./a.md-->\n\n<!--@include: ./b.md-->",
        path,
      );
      expect(warnings).toEqual(["the files that its comments include are not shown: `@include` is not read"]);
      expect((await renderText("`<!--@include: ./a.md-->`", path)).warnings).toEqual([]);
    },
  );

  test("in Markdown, the slash at the end of an address without quotes closes nothing", async () => {
    const html = await renderHtml("<div><a href=https://a.example/>All of it</a></div>", "page.md");
    expect(html).toMatch(/<a href="https:\/\/a\.example\/"[^>]*>All of it/);
  });

  test("the link to a section is valid whatever its id contains", async () => {
    expect(await renderHtml('## 4.6 <small>May</small> { id="4.6" }', "page.md")).toContain(
      '<h2 id="4.6">4.6 <small>',
    );
    const html = await renderHtml("## 5%of all{#5%of}");
    expect(html).toContain('<h2 id="5%of">');
    expect(html).toContain('href="#5%25of"');
    expect(await renderHtml('## A {#a<"b">}')).toContain('<a class="heading-anchor" href="#a%3C%22b%22%3E"');
  });

  test.each([
    "%%{init: {'theme': 'neutral'}}%%\n",
    "%%{\n  init: {\n    'flowchart': { 'width': '50%' }\n  }\n}%%\n\n",
    "---\ntitle: Flow\n---\n%% a comment\n",
  ])("a diagram is recognized after %j", async (settings) => {
    const { html, warnings } = await renderText(`\`\`\`mermaid\n${settings}flowchart TD\n  A --> B\n\`\`\``);
    expect(warnings).toEqual([]);
    expect(html).toContain("data-diagram=");
  });

  test("text on its own line in a link is no paragraph, even beside a drawing", async () => {
    const drawing = '<svg viewBox="0 0 9 9"><path d="M1 1" /></svg>';
    const html = await renderHtml(`<div>\n<a href="/x">\n  ${drawing}\n  Go on\n</a>\n</div>`);
    expect(html).toMatch(/^<div><a href="\/x"><svg.*<\/svg>Go on<\/a><\/div>$/);
  });

  test("a component that is a link around blocks is in no paragraph, which HTML would end before it", async () => {
    const component = "export const Go = ({ href }) => <a href={href}><div>Start</div></a>";
    expect(await renderHtml(`${component}\n\n<Go href="/x" />`)).toMatch(
      /^<div class="paragraph"><a [^>]*><div>Start<\/div><\/a><\/div>$/,
    );
  });

  test("a diagram that is not drawn becomes code under its title or kind", async () => {
    const source = '```mermaid\npie title Pets\n  "Dogs" : 3\n```\n\n```mermaid\nmindmap\n  root\n```';
    const { html, warnings, lines } = await renderText(source);
    expect([...html.matchAll(/<p class="code-title">([^<]*)</g)].map(([, title]) => title)).toEqual([
      "Pets",
      "mindmap",
    ]);
    expect(warnings).toEqual(
      ["pie", "mindmap"].map((kind) => `a diagram stays code: “${kind}” is not drawn`),
    );
    expect(lines).toEqual([1, 6]);
  });

  test("task lists label what is done", async () => {
    const html = await renderHtml("- [x] one\n- [ ] two", "page.md");
    expect(html).toContain('<span class="task-box task-done" role="img" aria-label="Done:"></span> one');
    expect(html).toContain('<span class="task-box" role="img" aria-label="To do:"></span> two');
    expect(html).not.toContain("<input");
  });

  test("a footnote and its reference link to each other", async () => {
    const html = await renderHtml("Text.[^1]\n\n[^1]: Note.", "page.md");
    expect(html).toContain('href="#fn-1"');
    expect(html).toContain('id="fn-1"');
    expect(html).toContain('href="#fnref-1"');
    expect(html).toContain('id="fnref-1"');
  });

  test("a reference with an invalid address leaves the page as it is", async () => {
    const { html, warnings } = await renderText(
      '<a data-footnote-ref href="#fn-%E0">1</a> **bold**',
      "page.md",
    );
    expect(html).toContain("<strong>bold</strong>");
    expect(warnings).toEqual([]);
  });

  test("URLs become links, and struck text is struck", async () => {
    expect(await renderHtml("~~no~~ https://example.com", "page.md")).toBe(
      '<p><del>no</del> <a href="https://example.com" rel="noopener noreferrer" class="external">https://example.com</a></p>',
    );
  });

  test("a leading first-level heading is the page's title, and further ones are sections", async () => {
    const { title, html } = await renderText("# The *title*\n\n# Another", "page.md");
    expect(title).toBe('<h1 id="the-title">The <em>title</em></h1>');
    expect(html).toContain('<h2 id="another">');
    expect(html).not.toContain("<h1");
  });

  test("no level of headings is skipped", async () => {
    const html = await renderHtml("#### Deep\n\n## Two\n\n##### Five\n\n### Three", "page.md");
    expect([...html.matchAll(/<(h\d)/g)].map(([, name]) => name)).toEqual(["h2", "h2", "h3", "h3"]);
  });

  test("headings of the same level stay on the same level", async () => {
    const html = await renderHtml("### A\n\n### B\n\n##### C\n\n##### D\n\n## E\n", "page.md");
    expect([...html.matchAll(/<(h\d)/g)].map(([, name]) => name)).toEqual(["h2", "h2", "h3", "h3", "h2"]);
  });

  test("an empty cell in a table's header row is not a header cell", async () => {
    expect(await renderHtml("| | a |\n| - | - |\n| b | c |", "page.md")).toContain("<td></td>\n<th>a</th>");
  });

  test("code is highlighted by classes, with marked lines and titles", async () => {
    expect(await renderHtml('```ts title="a.ts" {2}\nconst a = 1;\nlet b;\n```')).toMatchInlineSnapshot(`
      "<div class="code-block" data-language="ts"><p class="code-title">a.ts</p><pre tabindex="0" role="group" aria-label="a.ts"><code><span class="line"><span class="tk-keyword">const</span> a <span class="tk-operator">=</span> <span class="tk-constant">1</span><span class="tk-operator">;</span></span>
      <span class="line line-highlighted"><span class="tk-keyword">let</span> b<span class="tk-operator">;</span></span></code></pre></div>"
    `);
  });

  test.each([
    ['```title="a.ts" highlight="1, 3-4" lines', undefined],
    ["```[a.ts] {1,3-4} lines", undefined],
    ["```ts{1,3-4} showLineNumbers [a.ts]", "ts"],
    ["```ts{1,3-4}:line-numbers [a.ts]", "ts"],
    ["```ts:line-numbers=2 {1,3-4} [a.ts]", "ts"],
    ['``` { .ts title="a.ts" hl_lines="1 3-4" linenums="1" }', "ts"],
    ['```{.ts linenums="1" hl_lines="1,3-4" title="a.ts"}', "ts"],
    ["```ts:a.ts {1,3-4} lines", "ts"],
  ])("the language, title and lines of %j", async (fence, language) => {
    const html = await renderHtml(`${fence}\nlet a;\nlet b;\nlet c;\nlet d;\nlet e;\n\`\`\``, "page.md");
    expect(
      /^<div class="([^"]*)"(?: data-language="(\w+)")?><p class="code-title">([^<]*)</.exec(html)?.slice(1),
    ).toEqual(["code-block code-numbered", language, "a.ts"]);
    expect(
      [...html.matchAll(/class="line( line-highlighted)?"/g)].map(([, isMarked]) => isMarked !== undefined),
    ).toEqual([true, false, true, true, false]);
  });

  test.each([
    ["vue-html", '<a @click="b">c</a>'],
    ["node", "let a = 1;"],
    ["dotnet", "int a = 1;"],
  ])("code in %s is highlighted", async (language, code) => {
    expect(await renderHtml(`\`\`\`${language}\n${code}\n\`\`\``)).toContain('<span class="tk-');
  });

  test("embedded code in Markdown is highlighted the same after any other code", async () => {
    const body = "````md\n```ruby\nputs 1 if true\n```\n````";
    const first = await renderHtml(body, "page.md");
    await renderHtml("```ruby\nputs 1\n```", "page.md");
    expect(first).toContain('<span class="tk-keyword">if</span>');
    expect(await renderHtml(body, "page.md")).toBe(first);
  });

  test("the highlighting of a line depends on the lines before it, even if another block has the same line", async () => {
    const fence = (code: string) => `\`\`\`python\n${code}\n\`\`\``;
    const codes = ["x = 1\ndef f():\n\n  return 1", '"""\nx = 1\nreturn 1\n"""\nx = 1', "x = 1", "(\nx = 1"];
    const together = await renderHtml(codes.map(fence).join("\n\n"), "page.md");
    const linesOf = (html: string) => html.match(/<span class="line">.*?(?=\n|<\/code>)/g);
    const first = linesOf(together);
    // The second time, all of them are known.
    const again = await Promise.all(codes.map((code) => renderHtml(fence(code), "page.md")));
    expect(again.flatMap(linesOf)).toEqual(first);
    expect(together).toContain('<span class="line"><span class="tk-string">x = 1</span></span>');
    expect(together).toContain('<span class="tk-constant">1</span>');
  });

  test.each([
    ["js", "let a; // [!code ++]", ["line line-added"]],
    ["python", "a = 1 # [!code --]", ["line line-removed"]],
    ["html", "<p> <!-- [!code highlight] -->", ["line line-highlighted"]],
    ["sql", "select 1 -- [!code focus]\nselect 2", ["line line-focused", "line"]],
    ["css", "/* [!code ++:2] */\na {\n}\nb {}", ["line line-added", "line line-added", "line"]],
    ["js", "let a; // [!code unknown]", ["line"]],
    ["js", "let a; // [!code word:a]", ["line"]],
    ["js", "let a; // [!code constructor]", ["line"]],
    ["js", "let a; // [!code __proto__]", ["line"]],
  ])("an annotation in %s marks its lines and is removed: %j", async (language, code, classes) => {
    const html = await renderHtml(`\`\`\`${language}\n${code}\n\`\`\``);
    expect([...html.matchAll(/<span class="(line[^"]*)"/g)].map(([, name]) => name)).toEqual(classes);
    expect(html).not.toContain("[!code");
  });

  test.each([
    [" {1,3}", "line line-highlighted,line,line line-highlighted,line"],
    ["{1,3}", "line line-highlighted,line,line line-highlighted,line"],
    [" highlight={2-3}", "line,line line-highlighted,line line-highlighted,line"],
    [" {highlight={2-3}}", "line,line line-highlighted,line line-highlighted,line"],
    [" {1} focus={2}", "line line-highlighted,line line-focused,line,line"],
    [' focus="4"', "line,line,line,line line-focused"],
    [" highlight={0,9999999999999}", "line,line,line,line"],
  ])("%j after a fence's language marks lines", async (meta, classes) => {
    const html = await renderHtml(`\`\`\`text${meta}\na\nb\nc\nd\n\`\`\``);
    expect([...html.matchAll(/<span class="(line[^"]*)"/g)].map(([, name]) => name).join()).toBe(classes);
  });

  const long = 400_000;
  test.each([
    ["spaces before an annotation's end", `\`\`\`\n# [!code hl]${" ".repeat(long)}y\n\`\`\``],
    ["annotations", `\`\`\`\n${"# [!code hl:99999]\n".repeat(long / 20)}y\n\`\`\``],
    ["spaces in a code", `<CodeBlock>\n{"a${" ".repeat(2 * long)}b"}\n</CodeBlock>`],
    ["an icon's words", `<Icon icon="${"a-".repeat(long)}" />`],
  ])("many %s are rendered", async (_, body) => {
    expect(await renderHtml(body)).not.toContain("unsafe");
  });

  test("code can have line numbers, wrapping, a button to expand it, and an icon", async () => {
    const html = await renderHtml(
      `\`\`\`js a.js icon="rocket" lines wrap expandable\n${"a\n".repeat(30)}\`\`\``,
    );
    expect(html).toContain('<div class="code-block code-numbered code-wrapped code-expandable"');
    expect(html).toMatch(/<p class="code-title"><svg class="icon".*<\/svg>a\.js<\/p>/);
    expect(html).toContain("Show more</button>");
  });

  test.each(["src/tasks/lines.ts", 'title="To wrap lines"', "[wrap.ts]", "a.ts:no-line-numbers"])(
    "the words of the title in %j are no options",
    async (meta) =>
      expect(await renderHtml(`\`\`\`js ${meta}\n1\n\`\`\``)).toContain('<div class="code-block" '),
  );

  test.each([
    ["src/tasks/lines.ts", "src/tasks/lines.ts"],
    ["app/[...any]/route.ts lines {2}", "app/[...any]/route.ts"],
    ["main.py [expandable] wrap", "main.py"],
    ["[npm]", "npm"],
    ['"Two words" expandable', "Two words"],
  ])("the title in %j is %j", async (meta, title) => {
    expect(await renderHtml(`\`\`\`js ${meta}\n1\n\`\`\``)).toContain(`<p class="code-title">${title}</p>`);
  });

  test.each([
    ["Where $a^2 + b^2 = c^2$ holds.", "msup"],
    ["The letter $x$.", "mi"],
    ["All $\\mathit{a\\_b}$s in MDX.", "mi"],
    ["A fraction $\\frac{a}{b_1}$ in MDX.", "mfrac"],
    ["$$ E = mc^2 $$", "msup"],
    ["$$\n\\begin{aligned}\na &= b \\\\\n- c &= \\{d\\}\n\\end{aligned}\n$$", "mtable"],
    ["```math\n\\sqrt{2}\n```", "msqrt"],
    ["<Latex>8 x (H1 - H2) = (0,1)</Latex>", "mn"],
  ])("a formula becomes MathML: %j", async (written, element) => {
    const { html, warnings } = await renderText(written);
    expect(html).toMatch(new RegExp(`<math[^>]*>.*<${element}`, "s"));
    expect(html).not.toContain("$");
    expect(html).not.toMatch(/ style=| href=/);
    expect(warnings).toEqual([]);
  });

  test("a formula between double dollars is a block if it is a paragraph of its own", async () => {
    const html = await renderHtml("$$a^2$$\n\n- $$b^2$$\n\nText $$c^2$$.\n\n$d^2$");
    expect(
      [...html.matchAll(/<(div|span) class="formula" data-tex="(.)/g)].map(([, tag, name]) => [name, tag]),
    ).toEqual([
      ["a", "div"],
      ["b", "div"],
      ["c", "span"],
      ["d", "span"],
    ]);
  });

  test.each([
    "It costs $5 and $10.",
    "From $5/$10 to US$ 6.",
    "Set $PATH:$HOME, or $USER$.",
    "Escaped \\$a^2\\$.",
    "A `$a^2$` in code.",
    "Prices: $1,000 (was $2,000).",
  ])("%j has no formula", async (written) => {
    expect(await renderHtml(written)).not.toContain("<math");
  });

  test.each(["$\\frac{a}$", "$\\href{javascript:alert(1)}{x^2}$", "$\\unknown_1$"])(
    "%j stays as it is written, or is harmless",
    async (written) => {
      const { html } = await renderText(written);
      expect(html).not.toMatch(/<a |<m\w+ [^>]*href/);
    },
  );

  test("an image whose description repeats the text beside it is not read out twice", async () => {
    const html = await renderHtml(
      '1. Press "New"\n   ![Press "New"](new.png)\n2. Choose\n   ![A list](list.png)',
    );
    expect(html.match(/alt="[^"]*"/g)).toEqual(['alt=""', 'alt="A list"']);
    expect(await renderHtml('<Frame caption="A list">![A list](list.png)</Frame>')).toContain('alt=""');
  });

  test.each([
    ["これは**「語」**です。", "<p>これは<strong>「語」</strong>です。</p>"],
    [
      "点击 **加号（+）**图标和**Z（造相）**是",
      "<p>点击 <strong>加号（+）</strong>图标和<strong>Z（造相）</strong>是</p>",
    ],
    ["通常**_関数_**です", "<p>通常<strong><em>関数</em></strong>です</p>"],
    ["値は\\*\\*「語」\\*\\*です", "<p>値は**「語」**です</p>"],
    ["2 の ** 3 は ** です", "<p>2 の ** 3 は ** です</p>"],
    ['a**"b"**c', "<p>a**&quot;b&quot;**c</p>"],
  ])("bold words need no spaces in languages without spaces: %s", async (text, html) => {
    expect((await renderHtml(text)).replaceAll('"b"', "&quot;b&quot;")).toBe(html);
  });

  test("an invalid formula stays as it is written, as code, and is reported", async () => {
    const { html, kinds } = await renderText("See $\\frac{a}$ and $$\\frac{b}$$.");
    expect(html).toContain("<code>$\\frac{a}$</code> and <code>$$\\frac{b}$$</code>");
    expect(kinds).toEqual(["formula", "formula"]);
  });

  test("a formula at which the library fails stays code", async () => {
    const { html, kinds } = await renderText("$$\n^_\\mathchoice[\n$$");
    expect(html).toContain("^_\\mathchoice[");
    expect(kinds).toEqual(["formula"]);
  });

  test("code in an unknown language is not highlighted", async () => {
    expect(await renderHtml("```klingon\n<b>&amp;</b>\n```")).toContain(
      '<code><span class="line">&#x3C;b>&#x26;amp;&#x3C;/b></span></code>',
    );
  });

  test("the search text excludes code blocks and the titles of tabs", async () => {
    const { text } = await renderText(
      'Words.\n\n```js\nhidden()\n```\n\n<Tabs>\n<Tab title="T">Inside.</Tab>\n</Tabs>',
    );
    expect(text).toBe("Words. Inside.");
  });

  test("the search text has spaces around the text of badges, tooltips and nested components", async () => {
    const { text } = await renderText(
      '<Badge>Final</Badge><Badge>Track</Badge>, an <Tooltip tip="Interface">API</Tooltip>: \n<div>with:<Expandable title="fields">One.</Expandable></div>',
    );
    expect(text).toBe("Final Track , an API Interface : with: fields One.");
  });

  test("a page that is nested too deeply for all parsers is shown as plain text", async () => {
    const { html, warnings } = await renderText(`${">".repeat(8_000)} deep`, "page.md");
    expect(html).toMatch(/^<div class="code-block"><pre tabindex="0" [^>]*><code><span class="line">>>/);
    expect(warnings.length).toBeGreaterThan(0);
  });

  test("a video keeps its poster, is started by the reader, and uses its first source", async () => {
    expect(
      await renderHtml('<video autoPlay poster="/a.png"><source src="/a.mp4" type="video/mp4" /></video>'),
    ).toContain('<video poster="/a.png" src="/a.mp4" controls></video>');
    expect(await renderHtml('<video src="/a.mp4" poster="https://example.com/a.png" />')).toContain(
      '<video src="/a.mp4" controls></video>',
    );
  });

  test.each([
    ["page.md", '<a name="old"></a>Text'],
    ["page.mdx", '<a name="old" />Text'],
  ])("the name of an anchor in %s is its id", async (source, written) => {
    expect(await renderHtml(written, source)).toContain('<a id="old"></a>');
  });

  test("an empty link is removed, but its id stays", async () => {
    expect(await renderHtml('<a id="here" href="#there"><svg></svg></a>x', "page.md")).toBe(
      '<p><a id="here"></a>x</p>',
    );
    expect(await renderHtml("[![A](/a.png)](/b)")).toContain('<a href="/b"><img');
  });

  test("a heading without text is removed, and one with an image has the image's description", async () => {
    const { html, listed } = await renderText("##\n\n## ![Our logo](a.png)\n\n## Last");
    expect(listed).toEqual(["Our logo", "Last"]);
    expect(html).toContain('id="our-logo"');
    expect(html).not.toContain('id="section"');
  });

  test("a leading heading that becomes empty is replaced by the page's title", async () => {
    expect((await renderText("# {null}\n\nText.")).title).toBe("<h1>Page</h1>");
  });
});
