import { describe, expect, test } from "vitest";
import { readSections } from "../../../src/server/assistant/sections.ts";
import { readPage } from "../../../src/server/site/content/evaluate-page.ts";

const noDocs = { root: "/nowhere", files: new Set<string>(), skipped: [] };

async function sectionsOf(body: string) {
  return readPage("keys.mdx", body, noDocs, () => undefined, readSections);
}

const page = `# Keys

Intro with a [link](/other) and ![picture](p.png).

import { Secret } from "./secret"

<Card title="Rotate often">Every **90 days**.</Card>

<ResponseField name="ttl">Seconds until a key expires</ResponseField>

## Rotate

Text {"literal"} {process.env.SECRET}

\`\`\`sh
keys rotate
\`\`\`

### Twice

More.

## Rotate

Again.
`;

describe("the sections of a page", async () => {
  const sections = await sectionsOf(page);

  test("start at its headings, with GitHub's anchors", () => {
    expect(sections.map(({ anchor, headings }) => [anchor, headings])).toEqual([
      ["", []],
      ["rotate", ["Rotate"]],
      ["twice", ["Rotate", "Twice"]],
      ["rotate-1", ["Rotate"]],
    ]);
  });

  test("contain the texts of components and their properties, and expressions that cannot be evaluated as written", () => {
    const [intro, rotate] = sections;
    for (const words of ["Intro with a link", "Rotate often", "90 days", "Seconds until a key expires"]) {
      expect(intro?.text.replace(/\s+/g, " ")).toContain(words);
    }
    expect(rotate?.text).toContain("literal {process.env.SECRET}");
    expect(rotate?.code).toBe("keys rotate");
    expect(JSON.stringify(sections)).not.toMatch(/picture|import/);
  });

  test("contain the output of the page's own components under its headings", async () => {
    const written = `export const Plan = ({ name, price }) => <section><h2 id={name}>Plan {name}</h2>Costs <b>{price * 12}</b> a year.</section>

{["pro", "team"].map((name, index) => <Plan name={name} price={(index + 1) * 10} />)}

## Limits {#max}

Ten.
`;
    expect((await sectionsOf(written)).map(({ anchor, headings, text }) => [anchor, headings, text])).toEqual(
      [
        ["pro", ["Plan pro"], "Costs 120 a year."],
        ["team", ["Plan team"], "Costs 240 a year."],
        ["max", ["Limits"], "Ten."],
      ],
    );
  });

  test("contain the rows of tables that are written as HTML elements", async () => {
    const [section] = await sectionsOf(
      "<table>\n<tbody>\n<tr><th>Name</th><th>Use</th></tr>\n<tr><td>`max-age`</td><td><p>Seconds.</p></td></tr>\n</tbody>\n</table>",
    );
    expect(section?.blocks.map(({ type }) => type)).toEqual(["table"]);
    expect(section?.names).toEqual(["max-age"]);
    expect(section?.text).toContain("Seconds.");
  });

  test("do not contain properties for appearance", async () => {
    const body = [
      'export const Since = ({ version }) => <Badge stroke size="lg" shape="pill" color="blue">Since {version}</Badge>',
      '<Since version="2.1" />',
      '<svg viewBox="0 0 8 8"><path d="M0 0h8" /></svg>',
      '<div data-part="box" title="Words">Text</div>',
    ];
    const [section] = await sectionsOf(body.join("\n\n"));
    expect(section?.text.split(/\s+/)).toEqual(["Since", "2.1", "Text"]);
  });
});

test("accordions are sections in a group, and else bold lines", async () => {
  const accordion = (title: string) => `<Accordion title="${title}">\n\nAbout ${title}.\n\n</Accordion>`;
  const group = ["Is it free?", "Is it fast?"].map(accordion).join("\n");
  const sections = await sectionsOf(
    `## Questions\n\n${accordion("Example")}\n\nGo on.\n\n<AccordionGroup>\n${group}\n</AccordionGroup>\n\n## Next\n\nEnd.`,
  );
  expect(sections.map(({ anchor, headings, text }) => [anchor, headings, text])).toEqual([
    ["questions", ["Questions"], "Example\nAbout Example.\nGo on."],
    ["is-it-free", ["Questions", "Is it free?"], "About Is it free?."],
    ["is-it-fast", ["Questions", "Is it fast?"], "About Is it fast?."],
    ["next", ["Next"], "End."],
  ]);
});

test("titles of tabs are bold lines, and headings within callouts start sections", async () => {
  const sections = await sectionsOf(
    '<Tabs>\n<Tab title="npm">Install it.</Tab>\n</Tabs>\n\n> ### Why\n>\n> Because.[^1]\n\n---\n\n[^1]: A note.\n',
  );
  expect(sections.map(({ anchor, text }) => [anchor, text.replace(/\s+/g, " ")])).toEqual([
    ["", "npm Install it."],
    ["why", "Because."],
  ]);
  expect(sections[0]?.blocks[0]).toMatchObject({ type: "paragraph", children: [{ type: "strong" }] });
  expect(sections[1]?.blocks).toHaveLength(1);
});

test("lines have no spaces at their ends, and marks none inside", async () => {
  const [section] = await sectionsOf(
    "<Warning> **![logo](l.png) Never twice.** </Warning>\n\n![logo](l.png) Once only.\n",
  );
  expect(section?.blocks).toMatchObject([
    { children: [{ type: "strong", children: [{ value: "Warning" }] }] },
    { children: [{ type: "strong", children: [{ value: "Never twice." }] }] },
    { children: [{ value: "Once only." }] },
  ]);
});

test("HTML may have many unclosed tags", async () => {
  const body = `Text.\n\n<div\n${"<".repeat(400_000)}`;
  const [section] = await readPage("keys.md", body, noDocs, () => undefined, readSections);

  expect(section?.text).toBe("Text.");
});
