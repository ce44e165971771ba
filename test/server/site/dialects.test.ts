import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { quoteContainers } from "../../../src/server/site/content/dialects.ts";
import { firstHeading } from "../../../src/server/site/content/page-source.ts";
import { caseCount } from "../../support/property-seed.ts";
import { renderHtml, renderText } from "./render-text.ts";

/** The page's Markdown, without its title. */
async function read(markdown: string, path = "page.md"): Promise<string> {
  const page = await renderText(markdown, path);
  expect(page.warnings).toEqual([]);
  return page.markdown.replace(/^# .*\n\n/, "").trimEnd();
}

describe("a callout", () => {
  test.each([
    [":::tip\nText.\n:::", "> **Tip**\n>\n> Text."],
    [":::tip Use `this`\n\nText.\n\n:::", "> **Tip: Use this**\n>\n> Text."],
    ["::: warning[Look *out*]{#id .class}\nText.\n:::", "> **Warning: Look out**\n>\n> Text."],
    [":::Caution\n- one\n- two\n:::\nAfter.", "> **Danger**\n>\n> - one\n> - two\n\nAfter."],
    ["::::info\n:::danger\nInner.\n:::\n::::", "> **Info**\n>\n> > **Danger**\n> >\n> > Inner."],
    ["1. one\n   :::note\n   Text.\n   :::\n2. two", "1. one\n\n   > **Note**\n   >\n   > Text.\n\n2. two"],
    [":::note\n```md\n:::\n```\nText.\n:::", "> **Note**\n>\n> ```md\n> :::\n> ```\n>\n> Text."],
    ["/// tip | Use `this`\n\nText.\n\n///", "> **Tip: Use this**\n>\n> Text."],
    ["//// info\n/// danger\nInner.\n///\n////", "> **Info**\n>\n> > **Danger**\n> >\n> > Inner."],
    ['{% hint style="warning" %}\nText.\n{% endhint %}\nAfter.', "> **Warning**\n>\n> Text.\n\nAfter."],
    ["{% hint %}\nText.\n{% endhint %}", "> **Info**\n>\n> Text."],
    ["{{< note >}}\nText.\n{{< /note >}}\nAfter.", "> **Note**\n>\n> Text.\n\nAfter."],
    [
      '{{% alert title="A title" color="warning" %}}\nText.\n{{% /alert %}}',
      "> **Warning: A title**\n>\n> Text.",
    ],
    [
      '- one\n  {{< admonition type = "tip" >}}\n  Text.\n  {{</ admonition>}}',
      "- one\n  > **Tip**\n  >\n  > Text.",
    ],
    ["{{< hint danger >}}\nText.{{< /hint >}} End.\n\nAfter.", "> **Danger**\n>\n> Text. End.\n\nAfter."],
    [
      "{{< callout >}}\n{{< tip >}}\nInner.\n{{< /tip >}}\n{{< /callout >}}",
      "> **Info**\n>\n> > **Tip**\n> >\n> > Inner.",
    ],
    ["!!! note\n    Text.\n\n    More.\n\nAfter.", "> **Note**\n>\n> Text.\n>\n> More.\n\nAfter."],
    [
      '!!! tip inline end "A title"\n    ```sh\n    ls\n\n    pwd\n    ```',
      "> **Tip: A title**\n>\n> ```sh\n> ls\n>\n> pwd\n> ```",
    ],
    ["!!! example\n    Text.", "> **Note: Example**\n>\n> Text."],
    ['!!! our-own ""\n    Text.', "> **Note**\n>\n> Text."],
    [
      "- item\n\n    !!! bug\n        Text.\n\n- other",
      "- item\n\n  > **Danger: Bug**\n  >\n  > Text.\n\n- other",
    ],
    ["> [!IMPORTANT]\n> Text.", "> **Info**\n>\n> Text."],
    ["> [!tip] A **title**\n> Text.", "> **Tip: A title**\n>\n> Text."],
  ])("may be written as %j", async (markdown, expected) => {
    expect(await read(markdown)).toBe(expected);
  });

  test("may be written like this in MDX, too", async () => {
    expect(await read(":::note\n<Check>Done.</Check> {1 + 1}\n:::", "page.mdx")).toContain("> **Note**");
  });

  test.each([
    ":::python\nText.\n:::",
    ":::",
    "::: v-pre\nText.\n:::",
    "/// note to self\nText.\n///",
    "///",
    "{% if hint %}\nText.\n{% endif %}",
    '```\n{% hint style="info" %}\n{% endhint %}\n```',
    "```\n{{< note >}}\nText.\n{{< /note >}}\n```",
    "{{</* note */>}}\nText.\n{{</* /note */>}}",
    "{{< note />}}\nText.",
    "{{< section >}}\nText {{< param version >}}.",
    "Use `{{< note >}}` and `{{< /note >}}`.",
    "> [!other]\n> Text.",
    "Wow!!! note",
    "Title\n===",
    '=== "no space',
    "```\n:::note\n!!! note\n```",
    "    :::",
  ])("is not %j", async (markdown) => {
    expect((await renderText(markdown, "page.md")).html).not.toMatch(/callout|role="tab/);
  });

  test("is not read in a code block, which an indented fence does not end", async () => {
    const text = "!!! note\n\n    ```\n\n    !!! tip\n        Text.";
    expect(await read(`\`\`\`\n${text}\n\`\`\``)).toContain(text);
  });

  test("is reported where it is not known, once on a page", async () => {
    const text =
      "Jekyll has\n{% include a.html %}.\n\n::: python\n{%- include b.html -%}\n:::\n\n{{< param x >}} {{</* note */>}}\n\n`{% raw %}`\n\n!!! note\n    {% if a %}b{% endif %}";
    const { warnings, lines } = await renderText(text, "page.md");
    expect(warnings.map((message, index) => `${lines[index]} ${message.split(" is of ", 1)}`)).toEqual([
      "2 the markup {% include",
      "4 the markup ::: python",
      "5 the markup {%- include",
      "8 the markup {{< param",
      "13 the markup {% if",
    ]);
  });

  test("keeps the line numbers of warnings", async () => {
    const { warnings, lines } = await renderText(
      "!!! note\n    Text.\n\n:::tip\n<form></form>\n:::",
      "page.md",
    );
    expect([warnings.length, lines]).toEqual([1, [5]]);
  });
});

test.each(['??? tip "More"\n    Text.', "::: details More\nText.\n:::"])(
  "%j is an accordion",
  async (markdown) => {
    const { html } = await renderText(markdown, "page.md");
    expect(html).toMatch(/<details[^>]*><summary[^>]*>More<\/summary>.*<p>Text\.<\/p>/s);
  },
);

test("adjacent `===` blocks are tabs, which may contain callouts", async () => {
  const { html } = await renderText(
    '=== "macOS"\n\n    One.\n\n=== "Linux"\n\n    !!! tip\n        Two.\n\nAfter.\n\n=== "Other"\n    Three.',
    "page.md",
  );
  const groups = html.split('<div class="tabs ').slice(1);
  expect(
    groups.map((group) => [...group.matchAll(/role="tab"[^>]*>([^<]+)</g)].map(([, name]) => name)),
  ).toEqual([["macOS", "Linux"], ["Other"]]);
  expect(html).toMatch(/callout-tip.*Two.*<p>After\.<\/p>/s);
});

test("blocks between slashes are tabs, too", async () => {
  const html = await renderHtml(
    "//// tab | A\n/// tip\nOne.\n///\n////\n\n//// tab | B\nTwo.\n////",
    "page.md",
  );
  expect([...html.matchAll(/role="tab"[^>]*>([^<]+)</g)].map(([, name]) => name)).toEqual(["A", "B"]);
  expect(html).toMatch(/callout-tip.*One/s);
});

test("GitBook's tabs, steps and code have no tags", async () => {
  const text = [
    "{% tabs %}",
    '{% tab title="A b" %}',
    '{% hint style="info" %}',
    "One.",
    "{% endhint %}",
    "{% endtab %}",
    "",
    '{% tab title="C" icon="x" %}',
    '{% code title="x.js" overflow="wrap" %}',
    "```js",
    "two();",
    "```",
    "{% endcode %}",
    "{% endtab %}",
    "{% endtabs %}",
    "{% stepper %}",
    "{% step %}",
    "### Three",
    "{% endstep %}",
    "{% endstepper %}",
    "After.",
  ];
  const html = await renderHtml(text.join("\n"), "page.md");
  expect([...html.matchAll(/role="tab"[^>]*>([^<]+)</g)].map(([, name]) => name)).toEqual(["A b", "C"]);
  expect(html).toMatch(/callout-info.*One.*x\.js.*two.*Three.*<p>After\.<\/p>/s);
  expect(html).not.toContain("{%");
});

test.each([
  ['{{< tabs >}}\n{{< tab "A" >}}\nOne.\n{{< /tab >}}\n{{< tab "B" >}}\nTwo.\n{{< /tab >}}\n{{< /tabs >}}'],
  [
    "{{< tabpane text=true >}} {{% tab A %}}\n\nOne.\n\n{{% /tab %}} {{% tab header=B %}}\n\nTwo.\n\n{{% /tab %}} {{< /tabpane >}}",
  ],
  [
    '{{< tabs >}}\n{{< tab-content name="A" >}}\nOne.\n{{< /tab-content >}}\n{{< tab-content name="B" >}}\nTwo.\n{{< /tab-content >}}\n{{< /tabs >}}',
  ],
])("Hugo's tabs are tabs: %j", async (markdown) => {
  const html = await renderHtml(`${markdown}\nAfter.`, "page.md");
  expect([...html.matchAll(/role="tab"[^>]*>([^<]+)</g)].map(([, name]) => name)).toEqual(["A", "B"]);
  expect(html).toMatch(/One\..*Two\..*<p>After\.<\/p>$/s);
  expect(html).not.toContain("{{");
});

test.each([
  ['{{< collapse title="More" >}}\nText.\n{{< /collapse >}}', "## More\n\nText."],
  ['{{< figure src="/a_b.png" alt="A" caption="Two *words*" >}}', "![Two words](/a_b.png)"],
  ['{{< card link="/start" title="Start" >}}', "[Start](/start)"],
  ['{% file src="a.pdf" %}\nNote\n{% endfile %}', "[a.pdf](a.pdf) Note"],
  ['[A]({{< ref "guides/a.md#b" >}}) `{{< ref c >}}`', "[A](guides/a.md#b) `c`"],
  ["[A][a]\n\n[a]: {{% relref /b %}}", "[A](/b)"],
])("of other tags, the reference and the content is left: %j", async (markdown, expected) => {
  expect(await read(markdown)).toBe(expected.trimEnd());
});

test("a group of code blocks has their titles", async () => {
  const { html } = await renderText(
    "::: code-group\n```sh [npm]\nnpm i\n```\n```sh [yarn]\nyarn\n```\n:::",
    "page.md",
  );
  expect([...html.matchAll(/role="tab"[^>]*>([^<]+)</g)].map(([, name]) => name)).toEqual(["npm", "yarn"]);
});

test("a title has its emoji", async () => {
  const html = await renderHtml(
    '!!! tip "Go :rocket:"\n\n    Three.\n\n=== ":none: b"\n\n    Two.',
    "page.md",
  );
  expect(html).toMatch(/<button[^>]*>:none: b<\/button>/);
  expect(html).toContain('<p class="callout-title">Go 🚀</p>');
});

test("no line is added or lost, and each keeps its words", () => {
  const lines = [
    ":::note",
    ":::",
    "::::tip T",
    "/// tip | T",
    "{% hint %}",
    '{% code title="T" %}',
    "{% endhint %}",
    "{{< note >}}",
    '{{% /note %}} {{% tab "T" %}}',
    "///",
    "!!! note",
    '??? tip "T"',
    '=== "T"',
    "```",
    "~~~~",
    "",
    " ",
    "a",
    "> b",
    "- c",
    "\tdd",
  ];
  const line = fc.tuple(fc.constantFrom("", "  ", "    ", "        "), fc.constantFrom(...lines));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (parts) => {
      const text = parts.map((part) => part.join("")).join("\n");
      const quoted = quoteContainers(text).split("\n");
      const wordsOf = (each: string) => each.replace(/^[> ]*/, "").trimEnd();
      expect(quoted).toHaveLength(parts.length || 1);
      for (const [at, each] of text.split("\n").entries())
        if (/^[ab-d\s>-]*$/.test(each)) expect(wordsOf(quoted[at] ?? ""), text).toBe(wordsOf(each));
    }),
    { numRuns: caseCount(200) },
  );
});

test.each([
  ["nested", ":::note\n".repeat(5_000)],
  ["long", `:::note ${"{".repeat(500_000)}${" ".repeat(500_000)}x`],
  ["quoted", `!!! note ${'" '.repeat(500_000)}x`],
  ["indented", `${" ".repeat(500_000)}!!! note\n`.repeat(4)],
  ["blank", `{%${" ".repeat(300_000)}`],
])("many %s containers are read quickly", async (_, markdown) => {
  expect((await renderText(markdown, "page.md")).html.length).toBeGreaterThan(0);
});

test.each([
  ["Done :tada:!", "<p>Done 🎉!</p>"],
  ["**:+1:** :-1: (:100:)", "<p><strong>👍</strong> 👎 (💯)</p>"],
  [":smile:{count} Text", "<p>😄{count} Text</p>"],
])("names of emoji become emoji: %j", async (markdown, expected) => {
  expect(await renderHtml(markdown, "page.md")).toBe(expected);
});

test("a name of an emoji is replaced in a table, a component and a title, too", async () => {
  expect(await renderHtml("| a |\n| - |\n| :heavy_check_mark: |", "page.md")).toContain("<td>✔️</td>");
  expect(await renderHtml("<Note>Done :tada:</Note>", "page.mdx")).toContain("Done 🎉");
  expect(firstHeading("# :rocket: Start")).toBe("🚀 Start");
});

test.each([
  [":material-file-document:{ .lg .middle } **A**", "svg", "<strong>A</strong></p>"],
  ["[:octicons-arrow-right-24: A](/a){ .md-button target=_blank }", "svg", " A</a></p>"],
  ['![A](/a.png){ align=left width="300" } B', "img", "> B</p>"],
  ['[A](/a){:target="_blank"}.', "a", "A</a>.</p>"],
  ["{ .annotate }\n\nA", "p", "<p>A</p>"],
])("icons and lists of attributes, as MkDocs has them, are no text: %j", async (markdown, tag, end) => {
  const html = await renderHtml(markdown, "page.md");
  expect(html).toContain(`<${tag}`);
  expect(html).toMatch(new RegExp(`${end.replaceAll(".", "\\.")}$`));
  expect(html).not.toMatch(/[{}]|material|octicons/);
});

test.each(['{env="prod"} selects a label.', "| a |\n| - |\n| {key=value} |", "A **{a=b}**"])(
  "what begins a text and has no class is no list of attributes: %j",
  async (markdown) => {
    expect(await renderHtml(markdown, "page.md")).toMatch(/\{\w+=.*\}/);
  },
);

test.each([
  "`:tada:`",
  "```\n:tada:\n```",
  "a:tada:b",
  "10:100:20",
  "urn:isbn:100:1",
  ":no-such-name:",
  ":material:",
  ":constructor:",
  "https://example.com/:id:/x",
  "GET /users/:id:",
])("%j stays text", async (markdown) => {
  const html = await renderHtml(markdown, "page.md");
  expect(html).not.toMatch(/🎉|💯|🆔|<svg/u);
  expect(html).toMatch(/:[\w-]+:/);
});
