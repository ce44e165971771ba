import { describe, expect, test } from "vitest";
import { renderHtml, renderText } from "./render-text.ts";

/** Icons are drawings; a snapshot of a component is about everything else. */
function withoutIcons(html: string): string {
  return html.replace(/<svg class="icon".*?<\/svg>/g, "<svg>");
}

async function render(body: string): Promise<string> {
  return withoutIcons(await renderHtml(body));
}

describe("components", () => {
  test("a callout has a label for assistive technology", async () => {
    expect(await render("<Warning>Mind the `gap`.</Warning>")).toMatchInlineSnapshot(
      `"<div class="callout callout-warning" role="note" aria-label="Warning"><span class="callout-icon"><svg></span><div class="callout-body">Mind the <code>gap</code>.</div></div>"`,
    );
  });

  test("every callout has its own kind, and aliases have the kind of their callout", async () => {
    const names = ["Note", "Info", "Tip", "Warning", "Check", "Danger"];
    const pages = await Promise.all(names.map((name) => render(`<${name}>Text.</${name}>`)));
    for (const [index, name] of names.entries()) {
      expect(pages[index]).toContain(`class="callout callout-${name.toLowerCase()}"`);
    }
    expect(await render('<Callout type="caution">Text.</Callout>')).toContain("callout-danger");
    expect(await render("<Important>Text.</Important>")).toContain("callout-info");
    expect(await render('<Alert type="warning">Text.</Alert>')).toContain("callout-warning");
  });

  test("a tick in a table has a label", async () => {
    expect(await render("| a |\n| - |\n| <Check /> |")).toMatchInlineSnapshot(`
      "<div class="table-scroll" role="group" aria-label="Table" tabindex="0"><table>
      <thead>
      <tr>
      <th>a</th>
      </tr>
      </thead>
      <tbody>
      <tr>
      <td><span class="mark-icon" role="img" aria-label="Yes"><svg></span></td>
      </tr>
      </tbody>
      </table></div>"
    `);
  });

  test("only the title of a card is its link", async () => {
    expect(
      await render(
        '<CardGroup cols={3}>\n<Card title="Start" icon="rocket" href="/start">Text.</Card>\n</CardGroup>',
      ),
    ).toMatchInlineSnapshot(
      `"<div class="columns columns-3"><div class="card card-link"><span class="card-icon"><svg></span><p class="card-title"><a href="/start">Start</a></p><div class="card-body">Text.</div></div></div>"`,
    );
  });

  test("a card without a title has its address as its link", async () => {
    expect(await render('<Card href="/a">How?</Card>')).toBe(
      '<div class="card card-link"><p class="card-title"><a href="/a">/a</a></p><div class="card-body">How?</div></div>',
    );
  });

  test.each([
    ["CodeGroup", "```js\none\n```\n\n```js\ntwo\n```", ["one", "two"]],
    ["RequestExample", "```js\none\n```", ["one"]],
    ["Tabs", '<Tab title="A">one</Tab>\n<Tab title="B">two</Tab>', ["one", "two"]],
    ["Steps", '<Step title="A">one</Step>\n<Step title="B">two</Step>', ["one", "two"]],
  ])("other content of %s is shown before and after its parts", async (name, parts, words) => {
    const { html, aside, markdown } = await renderText(
      `<${name}>\n\nBefore.\n\n${parts}\n\n<Note>After.</Note>\n\n</${name}>`,
    );
    const order = new RegExp(["Before", ...words, "After"].join("[^]*"));
    expect(html + aside).toMatch(order);
    expect(markdown).toMatch(order);
  });

  test("tabs are linked to their panels, and the first one is selected", async () => {
    expect(
      await render('<Tabs>\n<Tab title="One">First.</Tab>\n<Tab title="Two">Second.</Tab>\n</Tabs>'),
    ).toMatchInlineSnapshot(
      `"<div class="tabs tabs-text" data-tabs=""><div class="tab-list" role="tablist"><button type="button" role="tab" id="docs-tabs-1-tab-0" aria-controls="docs-tabs-1-panel-0" aria-selected="true" tabindex="0">One</button><button type="button" role="tab" id="docs-tabs-1-tab-1" aria-controls="docs-tabs-1-panel-1" aria-selected="false" tabindex="-1">Two</button></div><div class="tab-panel" role="tabpanel" id="docs-tabs-1-panel-0" aria-labelledby="docs-tabs-1-tab-0"><p class="tab-panel-title" aria-hidden="true" id="one">One</p>First.</div><div class="tab-panel tab-panel-inactive" role="tabpanel" id="docs-tabs-1-panel-1" aria-labelledby="docs-tabs-1-tab-1"><p class="tab-panel-title" aria-hidden="true" id="two">Two</p>Second.</div></div>"`,
    );
  });

  test("tabs without titles take them from the list of items", async () => {
    const html = await render("<Tabs items={['React', 'Vue']}>\n<Tab>A</Tab>\n<Tab>B</Tab>\n</Tabs>");
    expect(html).toContain(">React</button>");
    expect(html).toContain(">Vue</button>");
  });

  test("a code group shows its blocks as tabs under their titles", async () => {
    const html = await render("<CodeGroup>\n```bash npm\nnpm i\n```\n```bash\npnpm i\n```\n</CodeGroup>");
    expect(html).toContain(">npm</button>");
    expect(html).toContain(">bash</button>");
    expect(html).not.toContain("code-title");
  });

  test("a code block in a property keeps its lines, title, language and options", async () => {
    const block =
      '<CodeBlock filename="one.py" language="Python" lines highlight="[2]">\n{source}\n</CodeBlock>';
    const { html, markdown, warnings } = await renderText(
      `export const source = "def one():\\n    return 1\\n"\n\n<CodeGroup>\n${block}\n\n<CodeBlock>\n\`\`\`sh two\nrun\n\`\`\`\n</CodeBlock>\n</CodeGroup>`,
    );
    expect(html).toContain(">one.py</button>");
    expect(html).toContain(">two</button>");
    expect(html).toContain("code-numbered");
    expect(html).toMatch(/<span class="line line-highlighted"> {4}<span class="tk-keyword">return/);
    expect(markdown).toContain("```Python");
    expect(markdown).toContain("\n    return 1\n");
    expect(warnings).toEqual([]);
  });

  test("steps are a numbered list", async () => {
    expect(await render('<Steps>\n<Step title="Go">There.</Step>\n</Steps>')).toMatchInlineSnapshot(
      `"<ol class="steps"><li class="step" data-step="1" id="go"><p class="step-title">Go</p>There.</li></ol>"`,
    );
  });

  test("an accordion is a disclosure that can be open at first", async () => {
    expect(
      await render('<Accordion title="Why?" description="In short" defaultOpen>Because.</Accordion>'),
    ).toMatchInlineSnapshot(
      `"<details class="disclosure accordion" open id="why"><summary>Why?<span class="summary-note">In short</span></summary><div class="disclosure-body">Because.</div></details>"`,
    );
  });

  test("the title of an accordion may have code", async () => {
    const page = await renderText('<Accordion title="What is `max`?">The limit.</Accordion>');
    expect(page.html).toContain('id="what-is-max"><summary>What is <code>max</code>?</summary>');
    expect(page.markdown).toContain("## What is `max`?");
  });

  test("a parameter shows its name, type, location and whether it is required", async () => {
    expect(
      await render('<ParamField query="limit" type="integer" default="20" required>How many.</ParamField>'),
    ).toMatchInlineSnapshot(
      `"<div class="field" id="limit"><p class="field-head"><code class="field-name">limit</code><span class="field-type">integer</span><span class="field-place">query</span><span class="field-required">required</span><span class="field-default">default: 20</span></p><div class="field-body">How many.</div></div>"`,
    );
  });

  test("a tooltip describes its text, also to assistive technology", async () => {
    expect(await render('A <Tooltip tip="A unit">TEU</Tooltip>.')).toMatchInlineSnapshot(
      `"<p>A <span class="tooltip" tabindex="0" role="note" aria-describedby="docs-tip-1">TEU<span class="tooltip-text" role="tooltip" id="docs-tip-1">A unit</span></span>.</p>"`,
    );
  });

  test("a frame is a figure with its caption", async () => {
    expect(
      await render('<Frame caption="A ship"><img src="/ship.png" alt="Ship" /></Frame>'),
    ).toMatchInlineSnapshot(
      `"<figure class="frame"><img src="/ship.png" alt="Ship" loading="lazy"><figcaption>A ship</figcaption></figure>"`,
    );
  });

  test("an update is a section of a changelog", async () => {
    expect(
      await render('<Update label="May" description="v1" tags={["API"]}>New.</Update>'),
    ).toMatchInlineSnapshot(
      `"<section class="update"><div class="update-head"><h2 id="may">May<a class="heading-anchor" href="#may" aria-label="Link to the section “May”">#</a></h2><p class="update-note">v1</p><p class="tags"><span class="tag">API</span></p></div><div class="update-body">New.</div></section>"`,
    );
  });

  test("a heading's text excludes its badge and tooltip", async () => {
    const { html, listed } = await renderText(
      '## Rules <Tooltip tip="Since May"><Badge>5.3</Badge></Tooltip>\n\n## <Badge>New</Badge>',
    );
    expect(listed).toEqual(["Rules", "New"]);
    expect(html).toContain('<h2 id="rules">');
    // Some authors write links with the badge's text.
    expect(html).toContain('<span id="rules-5-3"></span>');
  });

  test("only the label of an update is listed in the table of contents", async () => {
    const { html, listed } = await renderText('<Update label="May">\n\n## Cranes\n\n</Update>');
    expect(html).toContain('<h3 id="cranes">');
    expect(listed).toEqual(["May"]);
  });

  test("examples and panels are shown beside the text, as tabs under their titles", async () => {
    const { html, aside } = await renderText(
      "Text.\n\n<RequestExample>\n```bash cURL\ncurl a\n```\n```python Python\nget(a)\n```\n</RequestExample>\n\n<ResponseExample>\n```json\n{}\n```\n</ResponseExample>\n\n<Panel>Pinned.</Panel>",
    );
    expect(html.trim()).toBe("<p>Text.</p>");
    expect([...aside.matchAll(/role="tab"[^>]*>([^<]*)</g)].map(([, title]) => title)).toEqual([
      "cURL",
      "Python",
      "Response",
    ]);
    expect(aside).toContain("Pinned.");
  });

  test("an example within another component stays there", async () => {
    const { html, aside } = await renderText(
      "<Note>\n<RequestExample>\n```bash\ncurl a\n```\n</RequestExample>\n</Note>",
    );
    expect(aside).toBe("");
    expect(html).toContain("curl");
  });

  test("consecutive views become tabs", async () => {
    const html = await render(
      '<View title="Go" icon="golang">A</View>\n\n<View title="Rust">B</View>\n\nText.\n\n<View title="Go">C</View>',
    );
    expect([...html.matchAll(/role="tab"[^>]*>(?:<svg>)?([^<]*)</g)].map(([, title]) => title)).toEqual([
      "Go",
      "Rust",
      "Go",
    ]);
  });

  test("tabs can start with another tab and be independent of other groups", async () => {
    const html = await render(
      '<Tabs defaultTabIndex={1} sync={false}>\n<Tab title="One">A</Tab>\n<Tab title="Two">B</Tab>\n</Tabs>',
    );
    expect(html).toContain('data-tabs="alone"');
    expect(html).toMatch(/aria-selected="true"[^>]*>Two</);
    expect(html).toMatch(/tab-panel-inactive"[^>]*>.*?One/);
  });

  test("steps can set their number and the size of their titles", async () => {
    const html = await render(
      '<Steps titleSize="h3">\n<Step title="A" stepNumber={4} id="start">.</Step>\n<Step title="B">.</Step>\n<Step title="C" icon="rocket">.</Step>\n</Steps>',
    );
    expect([...html.matchAll(/data-step="(\d*)"/g)].map(([, number]) => number)).toEqual(["4", "5", ""]);
    expect(html).toContain('id="start"');
    expect(html).toMatch(/<h2 class="step-title" id="a">A/);
  });

  test("ids are unique on a page, and headings have precedence", async () => {
    const html = await render(
      '<div id="setup">a</div>\n\n## Setup\n\n<Accordion title="Setup">b</Accordion>\n\n<ParamField query="setup">c</ParamField>\n\n<div id="x">d</div>\n\n<div id="x">e</div>',
    );
    expect([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)).toEqual(["setup", "x"]);
    expect(html).toContain('<h2 id="setup">');
  });

  test("a badge has its colour, and an icon its colour and size, without inline styles", async () => {
    expect(await render('<Badge color="green" icon="check">New</Badge>')).toBe(
      '<span class="tag badge-green"><svg>New</span>',
    );
    expect(await renderHtml('<Icon icon="clock" color="#f50" size={32} />')).toMatch(
      /^<svg class="icon"[^>]* color="#f50" width="32" height="32">/,
    );
    expect(await renderHtml('<Icon icon="clock" color="url(//x)" size="1e9" />')).not.toMatch(/url|1e9/);
  });

  test("a tooltip shows its headline and its link", async () => {
    const html = await render(
      '<Tooltip headline="API" tip="An interface." cta="More" href="/api">it</Tooltip>',
    );
    expect(html).toContain('<strong>API</strong>An interface.<a href="/api">More</a>');
  });

  test("captions, hints and titles of steps can have links and bold text, but no scripts", async () => {
    const html = await render(
      '<Frame hint="A *hint*." caption="See [it](/x), **now**, [no](javascript:alert(1)) <b>.">p</Frame>',
    );
    expect(html).toContain("A <em>hint</em>.");
    expect(html).toContain(
      'See <a href="/x">it</a>, <strong>now</strong>, [no](javascript:alert(1)) &#x3C;b>.',
    );
  });

  test("a valid repository becomes a card with a link", async () => {
    expect(await render('<GitHub.Repo repo="a-b/c.d" />')).toContain('href="https://github.com/a-b/c.d"');
    expect(await render('<GitHub.Repo repo="javascript:alert(1)" />')).toBe("");
  });

  test("an icon can be an element with an image", async () => {
    const srcOf = async (src: string) =>
      /<img class="icon-image" src="([^"]*)"/.exec(
        await renderHtml(`<Card title="A" icon={<img src="${src}" alt="x" />} />`),
      )?.[1];
    expect(await srcOf("/images/a.png")).toBe("/images/a.png");
    expect(await srcOf("images/a.png")).toBe("/images/a.png");
  });

  test("an icon can be a component that is named after it", async () => {
    const page = (icon: string) =>
      renderHtml(`import { Rocket } from "some-icons"\n\n<Card title="A" icon=${icon} />`);
    expect(await page("{<Rocket size={9} />}")).toBe(await page('"rocket"'));
  });

  test.each([
    ["MousePointerClick", "mouse-pointer-click"],
    ["FileIcon", "file"],
    ["Code2Icon", "code-2"],
    ["GitHub", "github"],
    ["material/star-outline", "star"],
    ["fontawesome/brands/github", "github"],
  ])("an icon may have the name of a component or a path: %s", async (name, expected) => {
    const drawing = await renderHtml(`<Icon icon="${expected}" />`);
    expect(drawing).toContain("<svg");
    expect(await renderHtml(`<Icon icon="${name}" />`)).toBe(drawing);
  });

  test("an icon can be an image file", async () => {
    expect(await renderHtml('<Card title="A" icon="/logo.svg">b</Card>')).toContain(
      '<img class="icon-image" src="/logo.svg" alt=""',
    );
  });

  test("a brand has its own filled drawing, even if Lucide has an icon with its name", async () => {
    const iconOf = async (name: string) => await renderHtml(`<Icon icon="${name}" />`);
    for (const name of ["python", "golang", "x-twitter", "apple"])
      expect(await iconOf(name)).toMatch(
        /<path fill="currentColor" stroke="none" d="[^"]+"><\/path><\/svg>$/,
      );
    expect(await iconOf("node")).toBe(await iconOf("node-js"));
    expect(await iconOf("x")).not.toContain("fill=");
  });

  test.each(["n", "N", "circle-n"])("a letter or digit is its own icon: %s", async (name) => {
    expect(await renderHtml(`<Icon icon="${name}" />`)).toMatch(
      /^<svg class="icon"[^>]* aria-hidden="true"[^>]*><text [^>]*>N<\/text><\/svg>$/,
    );
  });

  test("a letter as an icon is no text of its title, heading, link or accordion", async () => {
    const { html, listed, text } = await renderText(
      [
        '# <Icon icon="p" /> Page',
        '## <Icon icon="1" /> Set up',
        '[<Icon icon="c" />](/x)',
        '<AccordionGroup><Accordion title="More" icon="8">See.</Accordion></AccordionGroup>',
      ].join("\n\n"),
      "page.md",
    );
    expect(listed).toEqual(["Set up"]);
    expect(html).toContain('<h2 id="set-up">');
    expect(html).toContain('<a href="/x" aria-label="/x">');
    expect(text).toBe("Set up More See.");
  });

  test("an unknown icon is omitted and reported with its line", async () => {
    const { kinds, warnings, lines } = await renderText('Text.\n\n<Card title="A" icon="xyzzy">b</Card>');
    expect(kinds).toEqual(["icon"]);
    expect(warnings).toEqual(["there is no icon like “xyzzy”"]);
    expect(lines).toEqual([3]);
  });

  test("a file tree is one list, whether it is written as components or as a list", async () => {
    const written = await render("<Tree>\n\n- docs\n  - index.mdx\n\n</Tree>");
    expect(written.replace(/\n/g, "")).toBe(
      '<ul class="file-tree"><li>docs<ul><li>index.mdx</li></ul></li></ul>',
    );
    const html = '<ul class="file-tree"><li><svg>app<ul><li><svg>a.ts</li></ul></li></ul>';
    expect(await render('<Tree><Tree.Folder name="app"><Tree.File name="a.ts" /></Tree.Folder></Tree>')).toBe(
      html,
    );
    expect(await render('<Files><Folder name="app"><File name="a.ts" /></Folder></Files>')).toBe(html);
    expect(
      await render(
        '<FileTree><FileTree.Folder name="app"><FileTree.File name="a.ts" /></FileTree.Folder></FileTree>',
      ),
    ).toBe(html);
  });

  test("a valid colour is drawn without inline styles", async () => {
    const html = await render(
      '<Color><Color.Item name="Sea" value="#0af" /><Color.Item name="Odd" value="url(x)" /></Color>',
    );
    expect(html).toMatchInlineSnapshot(
      `"<div class="colours"><div class="colour"><span class="colour-name">Sea</span><svg class="swatch" viewBox="0 0 24 24" aria-hidden="true"><rect width="24" height="24" fill="#0af"></rect></svg><code>#0af</code></div><div class="colour"><span class="colour-name">Odd</span><code>url(x)</code></div></div>"`,
    );
  });

  test("objects in a list of texts are ignored", async () => {
    const odd = "{ toString: 1 }";
    expect(await render(`<Update label="May" tags={[${odd}, "API"]}>New.</Update>`)).toContain(">API</span>");
    expect(await render(`<Color.Item name="Sea" value={{ light: ${odd}, dark: "#0af" }} />`)).toContain(
      "<code>#0af</code></div>",
    );
  });

  test("a prompt is a figure with its description and content", async () => {
    expect(await render('<Prompt description="Ask">Write **it**.</Prompt>')).toMatchInlineSnapshot(
      `"<figure class="frame prompt"><figcaption>Ask</figcaption><div class="prompt-body" tabindex="0" role="group" aria-label="Prompt">Write <strong>it</strong>.</div></figure>"`,
    );
  });

  test("a <Tile> is a card with its content and description", async () => {
    expect(
      await render('<Tile title="Start" description="Uses `x`." href="/s"><b>p</b></Tile>'),
    ).toMatchInlineSnapshot(
      `"<div class="card card-link"><p class="card-title"><a href="/s">Start</a></p><div class="card-body"><b>p</b><p>Uses <code>x</code>.</p></div></div>"`,
    );
  });

  test.each([
    ["clock", "clock", "its name in Lucide"],
    ["Clock", "clock", "its name in upper and lower case"],
    ["home", "house", "a former name"],
    ["bolt", "zap", "a name of Font Awesome that Lucide has for something else"],
    ["gears", "settings", "Font Awesome's name"],
    ["water", "waves", "Font Awesome's name"],
    ["information", "info", "Starlight's name"],
    ["trash-can", "trash-2", "Font Awesome's name"],
    ["thumbtack", "pin", "Font Awesome's name"],
    ["thumb-up", "thumbs-up", "Tabler's name"],
    ["angles-down", "chevrons-down", "Font Awesome's name"],
    ["face-grin-stars", "laugh", "Font Awesome's name"],
    ["user-crown", "user", "its first words"],
  ])("an icon named %j is drawn as %j: %s", async (written, drawn) => {
    const html = await renderHtml(`<Icon icon="${written}" />`);
    expect(html).toMatch(/^<svg class="icon"[^>]*>(?:<(?:path|circle|rect)[^>]*>(?:<\/\w+>)?)+<\/svg>$/);
    expect(html).toBe(await renderHtml(`<Icon icon="${drawn}" />`));
  });

  test.each(["nothing-like-it", "constructor", "__proto__", ""])("%j is not an icon", async (name) => {
    expect(await renderHtml(`<Icon icon="${name}" />`)).toBe("");
  });

  test("content for agents is omitted, and content for humans is shown", async () => {
    const html = await render(
      '<Visibility for="agents">Machine.</Visibility>\n\n<Visibility for="humans">Person.</Visibility>',
    );
    expect(html).toBe('<div data-audience="humans">Person.</div>');
  });

  test("an unknown component with a title and a link is a card", async () => {
    const written = '<Tile title="Rust" href="/rust">\n  Kept.\n</Tile>';
    const { html, markdown, unknown } = await renderText(written.replaceAll("Tile", "AppTeaser"));
    const known = await renderText(written);
    expect({ html, markdown, unknown }).toEqual({
      html: known.html,
      markdown: known.markdown,
      unknown: ["AppTeaser"],
    });
  });

  test("an unknown component keeps its content and is reported", async () => {
    const { html, unknown } = await renderText("<Mystery a={1}>Kept.</Mystery>\n\nA <Riddle>word</Riddle>.");
    expect(html).toMatchInlineSnapshot(`
      "<div class="unknown-component">Kept.</div>
      <p>A <span class="unknown-component">word</span>.</p>"
    `);
    expect(unknown).toEqual(["Mystery", "Riddle"]);
  });

  test.each(["src", "url", "href"])(
    "an unknown component without content shows the picture in %s",
    async (name) => {
      const html = await render(`<Shot ${name}="https://example.com/a.png" alt="Screen" />`);
      expect(html).toContain('<a href="https://example.com/a.png"');
    },
  );

  test("an unknown component with an address is a link, unless it contains a block", async () => {
    const html = await render(
      'See <Method href="/a">`<Inbox />`</Method>, <Button href="/b">[c](/c)</Button>.\n\n<Box href="/d">\n- e\n</Box>',
    );
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual(["/a", "/b"]);
  });

  test("an unknown component without content shows its picture or video", async () => {
    const { html, unknown } = await renderText(
      '<Screenshot src="/a.png" alt="A chart" width={650} />\n\n<LazyVideo src="/b.mp4" />\n\n<Demo src="/c.txt" />',
    );
    expect(html).toMatchInlineSnapshot(`
      "<img src="/a.png" alt="A chart" loading="lazy">
      <video src="/b.mp4" controls></video>
      "
    `);
    expect(unknown).toEqual(["Screenshot", "LazyVideo", "Demo"]);
  });

  test.each([
    ['<Card title="A" to="/b" />', 'href="/b">A</a>'],
    ['<Link to="/b">A</Link>', '<a href="/b">A</a>'],
    ['A <Tooltip content="B">c</Tooltip>.', '">B</span>'],
    ['<Tabs>\n<Tab name="One">A</Tab>\n</Tabs>', ">One</button>"],
    ['<Update date="May">A</Update>', '<h2 id="may">'],
    ['<CodeBlock code="let a;" lang="js" />', '<span class="tk-keyword">let</span>'],
  ])("properties have the names of other systems, too: %s", async (written, shown) => {
    expect(await render(written)).toContain(shown);
  });

  test("a component with a dotted name is looked up by its last part", async () => {
    const { html, unknown } = await renderText(
      '<Tabs items={["One", "Two"]}>\n<Tabs.Tab>First.</Tabs.Tab>\n<Tabs.Tab>Second.</Tabs.Tab>\n</Tabs>',
    );
    expect([...html.matchAll(/role="tab"[^>]*>([^<]+)</g)].map(([, name]) => name)).toEqual(["One", "Two"]);
    expect(html).toMatch(/First\..*Second\./s);
    expect(unknown).toEqual([]);
  });

  test("adjacent tabs outside of a group become one", async () => {
    const { html } = await renderText(
      '<Tab title="One">First.</Tab>\n\n<TabItem label="Two">Second.</TabItem>',
    );
    expect([...html.matchAll(/role="tab"[^>]*>([^<]+)</g)].map(([, name]) => name)).toEqual(["One", "Two"]);
  });

  test("a Markdown page with an expression in a tag is MDX, unless the tag is in code", async () => {
    const tag = '<img alt="A" src="/a.png" width={1 + 1} />';
    const page = await renderText(`${tag}\n\n{2 + 3}`, "page.md");
    expect(page.html).toContain("<p>5</p>");
    expect(page.html).not.toContain("{");
    const code = await renderText(`{2 + 3 <a\n\n\`\`\`jsx\n${tag}\n<Tabs />\n\`\`\``, "page.md");
    expect(code.html).toContain("{2 + 3 ");
    expect(code.warnings).toEqual([]);
  });

  test("components inside each other in a Markdown page are rendered", async () => {
    const body =
      '<Steps>\n<Step title="One">\n\n<Note>See</Note>\n\n</Step>\n</Steps>\n\n<Tabs><Tab title="First">a</Tab></Tabs>';
    const { html, markdown } = await renderText(`${body}\n\n{ unbalanced`);
    expect(html).toContain('<ol class="steps">');
    expect(html).toContain("callout-note");
    expect(markdown).toMatch(/One[\s\S]+See[\s\S]+First/);
  });

  test("components in a Markdown page are rendered", async () => {
    const { html, warnings } = await renderText("<Note>\n\nSee <placeholder>.\n\n</Note>\n\n{ unbalanced");
    expect(html).toContain("callout-note");
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^it is not MDX and was read as Markdown: /);
  });

  test.each([
    ['<a href="#x" id="y" aria-label="Permalink"><svg /></a>', '<a id="y"></a>'],
    [
      '<a href="/x"><svg><path d="M1 1" /></svg></a>',
      '<a href="/x" aria-label="/x"><svg aria-hidden="true"><path d="M1 1"></path></svg></a>',
    ],
    [
      '<a href="/x"><img src="/a.png" alt="A" /></a>',
      '<a href="/x"><img src="/a.png" alt="A" loading="lazy"></a>',
    ],
    // The mark of a link that leads elsewhere has no line of text to stand in.
    [
      '<a href="https://e.com/"><Icon icon="github" /></a>',
      '<a href="https://e.com/" aria-label="https://e.com/" rel="noopener noreferrer"><svg',
    ],
    ["[us](mailto:us@e.com)", '<a href="mailto:us@e.com" rel="noopener noreferrer">us</a>'],
    [
      '<a href="https://e.com/x">https://e.com/x</a>',
      '<a href="https://e.com/x" rel="noopener noreferrer" class="external"><span>https://e.com/x</span></a>',
    ],
  ])("links are not nested, and have content: %s", async (text, expected) => {
    expect(await renderHtml(text)).toContain(expected);
  });
});
