import type { Root } from "hast";
import { h } from "hastscript";
import { describe, expect, test } from "vitest";
import { parseMarkdown } from "../../../src/server/site/content/parse-page.ts";
import { withTimeLimit } from "../../../src/server/site/content/time-limit.ts";
import { toMarkdown } from "../../../src/server/site/content/to-markdown.ts";
import { wordsFor } from "../../../src/server/site/interface-words.ts";
import { renderText } from "./render-text.ts";

/** The page as Markdown, without its title. */
async function print(body: string, source = "page.mdx"): Promise<string> {
  const { markdown } = await renderText(body, source);
  return markdown.replace(/^# Page\n\n/, "").trimEnd();
}

describe("a page as Markdown", () => {
  test("has its title only once, as the page shows it", async () => {
    const { markdown } = await renderText("# The `written` title\n\nText.");
    expect(markdown).toBe("# The `written` title\n\nText.\n");
  });

  test.each(["<div>\n# Page\n\nText.\n</div>", "<section><div><h1>Page</h1></div></section>\n\nText."])(
    "has one title where elements lay the first one out: %s",
    async (body) => expect((await renderText(body)).markdown).toBe("# Page\n\nText.\n"),
  );

  test.each([
    [
      'export const Links = () => <div><a href="https://a.example">A</a><a href="https://b.example">B</a></div>\n\n<Links />',
      "[A](https://a.example) [B](https://b.example)",
    ],
    [
      "export const Method = () => <button><code>get_it</code><div>Gets it.</div></button>\n\n<Method />",
      "`get_it` Gets it.",
    ],
    ["<div>\n  <Badge>Final</Badge>\n  <Badge>Standards Track</Badge>\n</div>", "Final Standards Track"],
    ['<a href="mailto:a@b.example">\n  a@b.example\n</a>', "<a@b.example>"],
    [
      '<a href="https://a.example/x">See https://b.example</a>',
      "[See https://b.example](https://a.example/x)",
    ],
  ])("separates the texts of elements: %s", async (body, printed) => {
    expect(await print(body)).toBe(printed);
  });

  test("leaves a link that is an icon out of a heading", async () => {
    const icon = '<sup><a href="https://a.example/source"><Icon icon="github" /></a></sup>';
    expect(await print(`## Run ${icon}\n\nText.`)).toBe("## Run\n\nText.");
    expect(await print("## <https://a.example>\n\nText.")).toBe("## <https://a.example>\n\nText.");
  });

  test("keeps Markdown", async () => {
    const body = [
      "## Heading",
      'A *word*, a **word**, `code`, ~~gone~~, [a link](https://example.com/a "T") and ![a picture](https://example.com/p.png).',
      "- one\n- two\n  - inner",
      "1. first\n2. second",
      "- [x] done\n- [ ] open",
      "> quoted text",
      "| a | b |\n| - | - |\n| 1 | x \\| y |",
      "```ts\nconst a = `b`;\n```",
      "これは**「語」**です。",
      "---",
    ].join("\n\n");
    expect(await print(body, "page.md")).toBe(body.replace(' "T"', ""));
  });

  test.each([
    ["<Note>Take care.</Note>", "> **Note**\n>\n> Take care."],
    ['<Warning title="Hot">Wait.</Warning>', "> **Warning: Hot**\n>\n> Wait."],
    ["> [!TIP]\n> Try it.", "> **Tip**\n>\n> Try it."],
    ['<Callout type="danger">No.</Callout>', "> **Danger**\n>\n> No."],
    [
      '<Tabs>\n<Tab title="npm">\nOne.\n</Tab>\n<Tab title="yarn">\nTwo.\n</Tab>\n</Tabs>',
      "## npm\n\nOne.\n\n## yarn\n\nTwo.",
    ],
    ['## Set up\n\n<Accordion title="More">\nText.\n</Accordion>', "## Set up\n\n### More\n\nText."],
    [
      '<table><tr><th><h4>A</h4></th></tr></table>\n\n<Accordion title="More">\nText.\n</Accordion>',
      "| A |\n| - |\n\n## More\n\nText.",
    ],
    ["<table><tr><th>\n\n$$\nx^2\n$$\n\n</th></tr></table>", "| $x^2$ |\n| - |"],
    [
      "<CodeGroup>\n```sh npm\nnpm i\n```\n```sh yarn\nyarn\n```\n</CodeGroup>",
      "**npm**\n\n```sh\nnpm i\n```\n\n**yarn**\n\n```sh\nyarn\n```",
    ],
    [
      '<Steps>\n<Step title="First">\nDo.\n</Step>\n<Step title="Then">\nRest.\n</Step>\n</Steps>',
      "1. **First**\n\n   Do.\n\n2. **Then**\n\n   Rest.",
    ],
    ['<Card title="Start" href="/start" icon="play">Go.</Card>', "- [Start](/start)\n\n  Go."],
    ['<Card href="/start">\n  See [this](/b).\n</Card>', "- [/start](/start)\n\n  See [this](/b)."],
    ['<Steps>\n<Step title="Run `init`">\nDo *it*.\n</Step>\n</Steps>', "1. **Run `init`**\n\n   Do *it*."],
    [
      '<table>\n<thead>\n<tr><th>Name</th><th>Use</th></tr>\n</thead>\n<tbody>\n<tr>\n<td><code>a|b</code></td>\n<td>\nOne.\n\n<p>Two <a href="/x">three</a>.</p>\n</td>\n</tr>\n{[1, 2].map((n) => <tr key={n}><td>{n}</td></tr>)}\n</tbody>\n</table>',
      "| Name | Use |\n| - | - |\n| `a\\|b` | One. Two [three](/x). |\n| 1 |\n| 2 |",
    ],
    ["<table><tr><td>One</td><td>Two</td></tr></table>", "| | |\n| - | - |\n| One | Two |"],
    ["<small>\nOne\n<br />\nTwo\n</small>", "One\\\nTwo"],
    [
      '<ParamField path="id" type="string" required default="a_b">The *id*.</ParamField>',
      "- `id` (string, path, required, default: a_b)\n\n  The *id*.",
    ],
    ['<ResponseField type="number" required>It.</ResponseField>', "- (number, required)\n\n  It."],
    [
      '<Frame caption="A ship"><img src="https://example.com/s.png" alt="Ship" /></Frame>',
      "![Ship](https://example.com/s.png)\n\n*A ship*",
    ],
    ['An <Tooltip tip="Application interface">API</Tooltip>.', "An API (Application interface)."],
    [
      'An <Tooltip headline="API" tip="An interface." cta="More" href="https://example.com">API</Tooltip>.',
      "An API (**API** An interface. [More](https://example.com)).",
    ],
    [
      '<Visibility for="agents">For you.</Visibility>\n<Visibility for="humans">Not for you.</Visibility>',
      "For you.",
    ],
    [
      '<table><tr><td><Visibility for="humans">Not for you.</Visibility>For you.</td><td><Note>Take care.</Note></td></tr></table>',
      "| | |\n| - | - |\n| For you. | **Note** Take care. |",
    ],
    [
      '<Update label="May" description="v2" tags={["New"]}>\nText.\n</Update>',
      "## May\n\nv2\n\nNew\n\nText.",
    ],
    [
      '<iframe src="https://a.example/map" /> <audio src="https://a.example/b.mp3" />',
      "[Embedded content](https://a.example/map) [Audio](https://a.example/b.mp3)",
    ],
    ["<Odd><Inner>Text</Inner></Odd>", "Text"],
    ["{[1, 2].map((n) => <Badge>{n}</Badge>)}", "1 2"],
    ["<div style={{ color: 'red' }}><p>A <b>b</b><br />c</p></div>", "A **b**\\\nc"],
    ["The sum $a_1 + b$.", "The sum $a_1 + b$."],
    ['<Icon name="x" />Words', "Words"],
    [
      '| Plan | Free |\n| - | - |\n| SSO | <Icon icon="circle-check" /> |\n| Chat | <Icon icon="x" /> later |',
      "| Plan | Free |\n| - | - |\n| SSO | circle check |\n| Chat | later |",
    ],
    ["x<sup>*i*</sup> and 2<sup>*n*+1</sup>, <sup>[1](/a)</sup>", "x^*i* and 2^(*n*+1), [1](/a)"],
    ["from -2<sup>53</sup>+1 to 10<sup>n+1</sup>, H<sub>2</sub>O", "from -2^53+1 to 10^(n+1), H2O"],
    ["string\\[], list\\[str], a\\[0, \\[](b)", "string[], list[str], a\\[0, []\\(b)"],
    ["\\[a]: b", "\\[a]: b"],
    ["- \\[ ] \\[!NOTE] \\[^1] [b\\[0\\]](/c)", "- \\[ ] \\[!NOTE] \\[^1] [b\\[0\\]](/c)"],
    ["| | A |\n| - | - |\n| b | c |", "| | A |\n| - | - |\n| b | c |"],
    ["#### {null}\n\nText.", "Text."],
    [
      '<Color><Color.Item name="text" value={{ light: "#FFF", dark: "#000" }} /></Color>',
      "text `#FFF` `#000`",
    ],
  ])("of %j is %j", async (body, expected) => {
    expect(await print(body)).toBe(expected);
  });

  test("of raw HTML is its text", async () => {
    const body = "<div><b>Bold</b></div>\n\n<script>alert(1)</script>\n\n<!-- hidden -->\n\nA<br>b";
    expect(await print(body, "page.md")).toBe("**Bold**\n\nA\\\nb");
  });

  test.each([
    "a * b, 2*3*4, snake_case_name, _x_, <b>, 1 < 2, [x](y), `tick`, ~~no~~, &amp; \\* end",
    "# no heading",
    "- no list",
    "3. no list",
    "> no quotation",
  ])("of the text %j reads as this text", async (text) => {
    const { markdown } = await renderText(`{${JSON.stringify(text)}}`);
    const tree = parseMarkdown(markdown);
    const [, paragraph] = tree.children;
    expect(paragraph).toMatchObject({ type: "paragraph", children: [{ type: "text", value: text }] });
  });

  test.each([
    ["marks of code", h("pre", "` ".repeat(200_000))],
    ["open tags", h("p", "<".repeat(200_000))],
    ["spaces", h("strong", `a${" ".repeat(200_000)}b`)],
  ] as const)("with many %s takes no time", (_name, node) => {
    const links = { resolveLink: () => undefined, resolveMedia: () => undefined };
    const tree: Root = { type: "root", children: [node] };
    const page = { title: "Page", frontMatter: {} };
    expect(() =>
      withTimeLimit(() => toMarkdown(tree, page, () => true, links, wordsFor("en")), 5_000),
    ).not.toThrow();
  });

  test.each([
    "[`a\\&b` &c](https://example.com/?a=1&b_c=2)",
    '[x](https://example.com/?a=1\\&copy; "A & B")',
    "<https://example.com/?a=1&b=2>",
  ])("of the link %j has its address as it is", async (link) => {
    expect(await print(link, "page.md")).toBe(link.replace(/ "A & B"/, ""));
  });

  test("of code with added and removed lines is a diff", async () => {
    const code = "if (a) {\n  old(); // [!code --]\n  young(); // [!code ++]\n\n}";
    expect(await print(`\`\`\`js title="a.js"\n${code}\n\`\`\``)).toBe(
      "**a.js**\n\n```diff\n if (a) {\n-  old();\n+  young();\n\n }\n```",
    );
  });

  test("of code with fences has longer fences", async () => {
    expect(await print("````md\n```js\n```\n````", "page.md")).toBe("````md\n```js\n```\n````");
  });
});
