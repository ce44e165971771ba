import { describe, expect, test } from "vitest";
import { readSections } from "../../../src/server/assistant/sections.ts";
import { readDocsTree } from "../../../src/server/site/content/docs-tree.ts";
import { readPage } from "../../../src/server/site/content/evaluate-page.ts";
import { collectWarnings, type PageReporter } from "../../../src/server/site/report.ts";
import { createFolder } from "../../support/temporary-folder.ts";
import { renderText } from "./render-text.ts";

/** The content of a page as one line, and what was warned about. */
async function render(body: string) {
  const { html, warnings, unknown } = await renderText(body);
  return { html: html.replace(/\s*\n\s*/g, "").trim(), warnings, unknown };
}

/** What a page shows with other files beside it, as the assistant reads it. */
async function read(files: Readonly<Record<string, string>>, path = "index.mdx") {
  await using folder = await createFolder(files);
  const docs = await readDocsTree(folder.path, new AbortController().signal);
  const { warnings, onWarning } = collectWarnings();
  const report: PageReporter = (...warning) => onWarning(path, ...warning);
  const sections = await readPage(path, files[path] ?? "", docs, report, readSections);
  const text = sections.map((section) => [...section.headings, section.text].join(" "));
  const messages = warnings.map(({ message }) => message);
  return { text: text.join(" ").replace(/\s+/g, " ").trim(), warnings: messages };
}

describe("an expression", () => {
  const declared = 'export const site = { name: "Docs", tags: ["a", "b"], count: 2 }';

  test.each([
    ['"a text"', "a text"],
    ["-1.5", "-1.5"],
    ["site.name", "Docs"],
    ['site["name"].toUpperCase()', "DOCS"],
    ["site.tags.length + site.count", "4"],
    ["`${site.name} ${null}`", "Docs null"],
    ["[...site.tags, site.count]", "ab2"],
    ["site.count > 1 && 'many'", "many"],
    ["site.count > 2 ? 'more' : 'two'", "two"],
    ["site.tags.map((tag) => <b key={tag}>{tag}</b>)", "<b>a</b><b>b</b>"],
    ["<><i>x</i>{site.count}</>", "<i>x</i>2"],
    ["[1, 2].includes(2)", ""],
    ["null", ""],
    ["undefined", ""],
    ["/* a comment */", ""],
  ])("{%s} shows %j", async (expression, shown) => {
    const { html, warnings } = await render(`${declared}\n\nx {${expression}}`);
    expect(html).toBe(`<p>x ${shown}</p>`);
    expect(warnings).toEqual([]);
  });

  test("that is an undefined variable stays as written, without a warning", async () => {
    const { html, warnings } = await render("DELETE /scrape/{jobId}/interact");
    expect(html).toBe("<p>DELETE /scrape/{jobId}/interact</p>");
    expect(warnings).toEqual([]);
    const twice = await render("On {{topic}}, {1 + 1}");
    expect(twice).toMatchObject({ html: "<p>On {{topic}}, 2</p>", warnings: [] });
  });

  test("that fails stays as written, with a warning, and the rest is evaluated", async () => {
    const { html, warnings } = await render(
      "export const early = window.location.href\n\na {job.id} {1 + 1} {early}\n\n<b title={nothing()}>x</b>",
    );
    expect(html).toBe("<p>a {job.id} 2 {early}</p><p><b>x</b></p>");
    expect(warnings).toEqual([
      "a value was left out (line 1): ReferenceError: 'window' is not defined",
      "an expression stays as written (line 3): ReferenceError: 'job' is not defined",
      "a value was left out (line 5): ReferenceError: 'nothing' is not defined",
    ]);
  });

  test("keeps its lines and their indentation in preformatted text", async () => {
    const lines = 'export const lines = "{\\n  a: {\\n    b }}"';
    const { html, markdown } = await renderText(`${lines}\n\n<pre><code>{lines}</code></pre>`);
    expect(html.replace(/<[^>]*>/g, "")).toContain("{\n  a: {\n    b }}");
    expect(markdown).toContain("```\n{\n  a: {\n    b }}\n```");
  });

  test("that is an object is omitted with a warning", async () => {
    const { html, warnings } = await render("x {({ a: 1 })}");
    expect(html).toBe("<p>x </p>");
    expect(warnings).toEqual(["an object was left out: it cannot be shown"]);
  });

  test("has the same value in each rendering, even with random numbers or the current time", async () => {
    const body = "{Math.random()} {Math.random()} {Date.now()} {new Date().toISOString()}";
    const { html } = await render(body);
    expect((await render(body)).html).toBe(html);
    expect(html).not.toContain("{");
  });

  test("is evaluated on a page with HTML comments, which are not shown outside of code", async () => {
    const page =
      "<!-- one\n\ntwo -->\n\n{1 + 1} <!-- three --> `<!-- four -->`\n\n```html\n<!-- five -->\n```";
    const { text, html, warnings } = await renderText(page);
    expect(text).toBe("2 <!-- four -->");
    expect(html).toContain("<!-- five -->".replace("<", "&#x3C;"));
    expect(warnings).toEqual([]);
  });

  test("is text on a page with an HTML comment that is not closed, which hides nothing", async () => {
    const { text, warnings } = await renderText("{1 + 1} <!-- one -> two\n\nthree");
    expect(text).toBe("{1 + 1} <!-- one -> two three");
    expect(warnings).toEqual([expect.stringContaining("it is not MDX and was read as Markdown")]);
  });

  test("behind a heading is the heading's id, in MDX and in Markdown", async () => {
    const { html } = await render("## First part {#one}\n\n## `two` {#zwei-2}\n\n## Run {#run it}");
    expect(html).toContain('<h2 id="one">First part<a');
    expect(html).toContain('<h2 id="run-it">Run<a');
    expect(html).toContain('<h2 id="zwei-2"><code>two</code><a');
    const { html: plain } = await renderText(
      "## Plain {#three}\n\n## C# ## {: #four }\n\n## C# {:#five}",
      "page.md",
    );
    expect(plain).toContain('<h2 id="three">Plain<a');
    expect(plain).toContain('<h2 id="four">C#<a');
    expect(plain).toContain('<h2 id="five">C#<a');
  });

  test("that looks like an id elsewhere is text", async () => {
    const { html } = await render(
      "A {#one} and { #two } in {1 + 1} sentences.\n\n{#alone}\n\n## Part {#three} of it",
    );
    expect(html).toContain("<p>A {#one} and { #two } in 2 sentences.</p>");
    expect(html).toContain("<p>{#alone}</p>");
    expect(html).toContain("Part {#three} of it");
  });

  test("an id in a component's property stays as written", async () => {
    const { html } = await render('<Card title="Use {#id}" />');
    expect(html).toContain(">Use {#id}<");
  });
});

describe("a component that the page defines", () => {
  test("shows its initial state, its properties and its content", async () => {
    const { html, warnings } = await render(`export const Counter = ({ start, children }) => {
  const [count, setCount] = useState(() => start);
  useEffect(() => setCount(99), []);
  const doubled = useMemo(() => count * 2);
  return <section className="x" style={{ color: "red" }} onClick={() => setCount(1)}><b>{doubled}</b>{children}</section>;
};

<Counter start={2}>

Some **bold** text, and {"more"}.

\`\`\`js
code()
\`\`\`

</Counter>
`);
    expect(html).toMatch(
      /^<section><b>4<\/b><p>Some <strong>bold<\/strong> text, and more\.<\/p><div class="code-block"/,
    );
    expect(warnings).toEqual(["<Counter> keeps its initial state: its effects do not run"]);
  });

  test("shows the initial state of an expression that uses effects", async () => {
    const { html, warnings } = await render(`{(() => {
  const [names] = React.useState(["one"]);
  React.useEffect(() => fetch("https://names.example"), []);
  return <b>{names[0]}</b>;
})()}
`);
    expect(html).toContain("<b>one</b>");
    expect(warnings).toEqual(["an expression keeps its initial state: its effects do not run"]);
  });

  test("renders the site's components with computed properties", async () => {
    const { html, unknown } =
      await render(`export const plans = [{ name: "Pro", href: "/pro" }, { name: "Team" }];

<CardGroup cols={plans.length}>
  {plans.map(({ name, ...rest }) => <Card key={name} title={<i>{name} plan</i>} {...rest}>For {name}s</Card>)}
</CardGroup>

<Mystery>{plans.length}</Mystery>
`);
    expect(html).toContain(
      '<div class="columns columns-2"><div class="card card-link"><p class="card-title"><a href="/pro">Pro plan</a></p><div class="card-body">For Pros</div></div>',
    );
    expect(html).toContain('<p class="card-title">Team plan</p>');
    expect(unknown).toEqual(["Mystery"]);
  });

  test("does not take an element's place by a variable with its name", async () => {
    const body =
      "export const b = [1, 2]\nexport const table = { b }\n\n<table><tr><td>{b[0]}</td></tr></table>\n\n<b>{table.b[1]}</b>";
    const { html, warnings } = await render(body);
    expect(html).toContain("<td>1</td>");
    expect(html).toContain("<b>2</b>");
    expect(warnings).toEqual([]);
  });

  test("can use React's contexts and memo", async () => {
    const { html, warnings } = await render(`import React, { createContext, useContext as read } from "react";

export const Level = createContext(1);
export const Show = React.memo(() => <i>{read(Level)}</i>);

<Level.Provider value={7}><Show /></Level.Provider>

<Show />
`);
    expect(html).toBe("<p><i>7</i></p><p><i>1</i></p>");
    expect(warnings).toEqual([]);
  });

  test("can read the text of its content", async () => {
    const body = `export const Teaser = ({ title, children }) => {
  const child = [children].flat().find((each) => typeof each.props?.children === "string");
  return <p>{title}: {child?.props.children}</p>;
};

<Teaser title="One">

Words of _Markdown_.

Only words.

</Teaser>
`;
    const { html } = await render(body);
    expect(html).toBe("<p>One: Only words.</p>");
  });

  test("that fails shows its content, with a warning", async () => {
    const { html, warnings } = await render(
      "export const Broken = () => document.title;\n\n<Broken>Kept **text**</Broken>",
    );
    expect(html).toBe("<p>Kept <strong>text</strong></p>");
    expect(warnings).toEqual(["<Broken> shows only its content: ReferenceError: 'document' is not defined"]);
  });
});

describe("an import", () => {
  test("within a component applies to the whole text, in a page and in a snippet", async () => {
    const { text, warnings } = await read({
      "index.mdx":
        'import Part from "/snippets/part.mdx"\n\n<Steps>\n<Step title="One">\n\nimport Leaf from "/snippets/leaf.mdx";\n\n<Leaf />\n\n</Step>\n</Steps>\n\n<Part />',
      "snippets/part.mdx": '<Note>\n\nimport Leaf from "./leaf.mdx";\n\nIn the part: <Leaf />\n\n</Note>',
      "snippets/leaf.mdx": "Leaf.",
    });
    expect(text).toBe("One Leaf. Note In the part: Leaf.");
    expect(warnings).toEqual([]);
  });

  test("of a snippet with GitHub's alerts shows them without their markers", async () => {
    const { text } = await read({
      "index.mdx": 'import Part from "/snippets/part.mdx"\n\n<Part />\n\n> [!TIP]\n> Two.',
      "snippets/part.mdx": "> [!NOTE] \n> One.",
    });
    expect(text).toBe("Note One. Tip Two.");
  });

  test("of a snippet shows its content, with its properties and its exports", async () => {
    const { text, warnings } = await read({
      "index.mdx":
        'import Install, { version } from "/snippets/install.mdx"\nimport * as all from "./snippets/install.mdx"\n\n<Install tool="npm" />\n\n<Install tool="pnpm">**inner**</Install>\n\nOf {version} and {all.version}.',
      "snippets/install.mdx":
        'export const version = "2.1"\n\n## Install with {tool}\n\nRun {props.tool} {missing} for {version}. {children}',
    });
    expect(text).toBe(
      "Install with npm Run npm {missing} for 2.1. Install with pnpm Run pnpm {missing} for 2.1. inner Of 2.1 and 2.1.",
    );
    expect(warnings).toEqual([]);
  });

  test.each([
    "/parts/box.jsx",
    "./parts/box",
    "@parts/box.jsx",
    "@/parts/box",
    "~/parts/box.jsx",
    "parts/box.jsx",
  ])("from %s finds the file in the documents folder", async (specifier) => {
    const { text, warnings } = await read({
      "index.mdx": `import { Box } from "${specifier}"\n\n<Box>inner</Box>`,
      "parts/box.jsx":
        'import data from "./data.json";\nconst label = data.label;\nexport const Box = ({ children }) => <p>{label} {children}</p>;',
      "parts/data.json": '{"label": "From JSON:"}',
    });
    expect({ text, warnings }).toEqual({ text: "From JSON: inner", warnings: [] });
  });

  test("of a package keeps its components' content, rendered by the site", async () => {
    const { html, warnings } = await render(
      'import { Callout } from "nextra/components"\n\n<Callout>Text {1 + 1}</Callout>',
    );
    expect(html).toContain("callout-note");
    expect(html).toContain("Text 2");
    expect(warnings).toEqual([]);
  });

  test("of a snippet gives it the names of the page, as if its content were there", async () => {
    const { text, warnings } = await read({
      "index.mdx":
        'import Part from "/snippets/part.mdx"\nimport { Head, Own } from "/snippets/head.mdx"\n\nexport const version = 2\n\n<Part />',
      "snippets/part.mdx":
        'export const Own = () => <p>own</p>\n\n<Head title="In the part" />\n\n<Own />\n\nOf {version}.',
      "snippets/head.mdx":
        "export const Head = ({ title }) => <h3>{title}</h3>\nexport const Own = () => <p>other</p>",
    });
    expect({ text, warnings }).toEqual({ text: "In the part own Of 2.", warnings: [] });
  });

  test("of a missing file or export is reported, and the rest is evaluated", async () => {
    const { text, warnings } = await read({
      "index.mdx":
        'import Gone from "/gone.mdx"\nimport { Card, Other } from "/parts.jsx"\nimport Bad from "/bad.jsx"\n\n<Gone>one</Gone>\n\n<Other>two</Other>\n\n<Card>three</Card>\n\n<Bad>four</Bad>',
      "parts.jsx": "export const Card = ({ children }) => <p>own {children}</p>;",
      "bad.jsx": "this is no code",
    });
    expect(text).toBe("one two own three four");
    expect(warnings).toEqual([
      "the snippet /gone.mdx is not part of the documents",
      "the import bad.jsx was left out: Unexpected token (1:5)",
      "parts.jsx exports no Other",
      "bad.jsx exports no default",
    ]);
  });

  test("may be one of hundreds, as in a changelog", async () => {
    const names = Array.from({ length: 700 }, (_, index) => `Entry${index}`);
    const imports = names.map((name) => `import ${name} from "/snippets/${name}.mdx"`);
    const { text, warnings } = await read({
      "index.mdx": [...imports, "", ...names.map((name) => `<${name} />\n`)].join("\n"),
      ...Object.fromEntries(names.map((name) => [`snippets/${name}.mdx`, `${name}.`])),
    });
    expect(warnings).toEqual([]);
    expect(text).toBe(names.map((name) => `${name}.`).join(" "));
  });

  test("may be circular", async () => {
    const { text, warnings } = await read({
      "index.mdx": 'import A from "/snippets/a.mdx"\n\n<A />',
      "snippets/a.mdx": 'import B from "./b.mdx"\n\nIn a. <B />',
      "snippets/b.mdx": 'import A from "./a.mdx"\n\nIn b. <A />',
    });
    expect(text).toBe("In a. In b.");
    expect(warnings).toEqual([
      "the snippet snippets/a.mdx was left out: it includes itself, or there are too many",
    ]);
  });
});
