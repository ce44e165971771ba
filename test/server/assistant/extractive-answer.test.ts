import { describe, expect, test } from "vitest";
import { createDocsIndex } from "../../../src/server/assistant/docs-index.ts";
import { answerExtractively, passageUrl } from "../../../src/server/assistant/extractive-answer.ts";
import { readSections } from "../../../src/server/assistant/sections.ts";
import { readPage } from "../../../src/server/site/content/evaluate-page.ts";

const noDocs = { root: "/nowhere", files: new Set<string>(), skipped: [] };

async function answer(question: string, bodies: Readonly<Record<string, string>>): Promise<string> {
  const pages = await Promise.all(
    Object.entries(bodies).map(async ([slug, body]) => ({
      slug,
      source: `${slug}.mdx`,
      title: /^# (.+)/.exec(body)?.[1] ?? slug,
      description: undefined,
      version: undefined,
      isDefaultVersion: true,
      language: undefined,
      sections: await readPage(`${slug}.mdx`, body, noDocs, () => undefined, readSections),
    })),
  );
  const query = { earlier: [], context: [], currentPath: undefined, version: undefined, language: undefined };
  const retrieval = (await createDocsIndex(pages)).search({ question, ...query }, 5);
  let text = "";
  for await (const part of answerExtractively(retrieval, { kind: "pages", baseUrl: "" }))
    if (part.type === "text") text += part.text;
  return text;
}

const filler = Object.fromEntries(
  Array.from({ length: 40 }, (_, at) => [
    `page-${at}`,
    `# Page ${at}\n\nAbout subject ${at}, the settings of part ${at} and who owns which member there.`,
  ]),
);

describe("an answer without a model", () => {
  test("quotes the relevant rows of a long table with its header", async () => {
    const rows = Array.from(
      { length: 80 },
      (_, at) => `| option${at} | what option ${at} does to the build |`,
    );
    const table = ["| Option | Effect |", "|---|---|", ...rows].join("\n");
    const text = await answer("What is the effect of option57?", { ...filler, build: `# Build\n\n${table}` });
    expect(text).toContain("[Build](/build)");
    expect(text).toMatch(/^> \| Option +\| Effect/m);
    expect(text).toContain("what option 57 does to the build");
    expect(text.length).toBeLessThan(2500);
  });

  test("quotes a nested item of a long list", async () => {
    const below = Array.from(
      { length: 60 },
      (_, at) => `  - **Kind ${at}** is for things of the shape ${at}.`,
    );
    const list = ["1. Open the page.", "2. Choose one of:", ...below, "3. Save."].join("\n");
    const text = await answer("Which shape is kind 41 for?", { ...filler, kinds: `# Monitors\n\n${list}` });
    expect(text).toContain("for things of the shape 41");
    expect(text.length).toBeLessThan(2500);
  });

  test("finds a name that a table row explains, and refuses an unknown name", async () => {
    const people =
      "# Members\n\n| Name | Organization |\n|---|---|\n| Ada Byron | Engine Works |\n| Bo Li | Mill |";
    const docs = { ...filler, members: people };
    expect(await answer("What is the organization of Ada Byron?", docs)).toContain("Engine Works");
    expect(await answer("What is the organization of Zed Quux?", docs)).toMatch(
      /^No page clearly answers this/,
    );
  });

  test("names the best pages with a sentence of each if none clearly answers", async () => {
    const docs = {
      ...filler,
      billing:
        "# Billing\n\nInvoices come monthly. Ask your accountant.\n\nInvoices are files, such as a spreadsheet.\n\nThen go.",
      roles: "# Roles\n\nAn owner pays. An accountant sees invoices.",
      files: "# Files\n\nOpen a spreadsheet.",
      people: "# People\n\nInvite an accountant.",
    };
    expect(await answer("Which invoices go to an accountant as a spreadsheet?", docs)).toBe(
      [
        "These pages may help:",
        [
          "- [Billing](/billing): Invoices are files, such as a spreadsheet.",
          "- [Roles](/roles): An accountant sees invoices.",
          "- [Files](/files): Open a spreadsheet.\n",
        ].join("\n"),
      ].join("\n\n"),
    );
  });

  test("adds a parameter with its description as one sentence, and keeps lines apart", async () => {
    const docs = {
      ...filler,
      keep: "# Keep alive\n\n`keep_alive` keeps a model in memory.",
      api: "# Chat\n\n## Body\n\n- `keep_alive` (string)\n\n  Time that a model stays loaded. Default: 5m.",
      server: "# Server\n\n## Options\n\n**Variable**: `keep_alive`<br/>**Default**: `5m`",
    };
    const text = await answer("What does keep_alive do?", docs);
    expect(text).toContain("keep_alive (string) Time that a model stays loaded.\n");
    expect(text).toContain("Variable: keep_alive Default: 5m\n");
  });

  test("adds a row without its empty cells", async () => {
    const row = "| Plan | Price | | Limit |\n|-|-|-|-|\n| Starter kit | ten euros | | |";
    const text = await answer("price of the starter kit", {
      ...filler,
      plans: `# Plans\n\n${row}`,
      kits: "# Starter kit\n\nThe price of the starter kit is ten euros.",
    });
    expect(text).toMatch(/\[Plans\]\(\/plans\): Starter kit · ten euros$/m);
  });

  test("names a page besides one whose heading is the question", async () => {
    const docs = {
      ...filler,
      migration:
        "# Migration\n\n## Install external packages of scripts\n\nTo install external packages of scripts, confirm the dialog.",
      libraries: `# Libraries\n\nScripts require external packages. ${"They do more than others. ".repeat(20)}`,
    };
    const text = await answer("How do I install external packages of scripts?", docs);
    expect(text).toMatch(/^\*\*\[Migration .*See also:\n\n- \[Libraries\]/s);
  });

  test("names no further page with two of three words", async () => {
    const docs = {
      ...filler,
      keys: "# Access\n\nRotate credentials weekly.",
      audit: "# Audit\n\nIt lists who may rotate credentials.",
    };
    const text = await answer("rotate credentials weekly", docs);
    expect(text).toContain("[Access](/keys)");
    expect(text).not.toContain("Audit");
  });

  test("names a copy of a page only once", async () => {
    const body = "# Rotation of keys\n\nKeys are rotated every 90 days.";
    const text = await answer("rotation of keys", { ...filler, "v1/rotation": body, "v2/rotation": body });
    expect(text.match(/90 days/g)).toHaveLength(1);
    expect(text).not.toContain("See also:");
  });

  test("quotes a parameter with its description", async () => {
    const fields = ["ttl", "scope", "owner"].map(
      (name) =>
        `<ParamField body="${name}" type="string" required default="none">\n\nThe ${name} of the new key.\n\n</ParamField>`,
    );
    const docs = {
      ...filler,
      keys: `# Keys\n\nKeys and tokens of members.\n\n## Create\n\n${fields.join("\n\n")}`,
    };
    const text = await answer("What does the parameter scope of Keys mean?", docs);
    expect(text).toContain(
      "> - `scope` (string, body, required, default: none)\n>\n>   The scope of the new key.",
    );
  });

  test("quotes a section from its beginning if the question is its heading", async () => {
    const body = `# Tasks\n\nTasks are long.\n\n## Retry a task\n\nFirst, wait.\n\n${"A task is a task. ".repeat(100)}`;
    const text = await answer("Retry a task?", { ...filler, tasks: body });
    expect(text).toContain("[Tasks › Retry a task](/tasks#retry-a-task)");
    expect(text).toContain("> First, wait.");
  });

  test("compares without the word “vs”, which headings about other things contain", async () => {
    const body = [
      "# Single-use links",
      "Single-use links are anonymous; personal links belong to a contact.",
      "## Encrypted vs. custom single-use identifiers",
      "The identifier of single-use links is encrypted or custom.",
    ].join("\n\n");
    const text = await answer("single-use links vs personal links", { ...filler, links: body });
    expect(text).toContain("personal links belong to a contact");
  });

  test("chooses the section with the terms that the page's title lacks", async () => {
    const sections = ["Tasks", "Task states", "Tasks again"].map(
      (name) => `## ${name}\n\nTasks and more tasks.`,
    );
    const body = `# Tasks\n\n${sections.join("\n\n")}\n\n## Fields\n\n- \`keepAlive\`: milliseconds that results are kept`;
    const text = await answer("What does keepAlive mean in Tasks?", { ...filler, tasks: body });
    expect(text).toContain("[Tasks › Fields](/tasks#fields)");
  });

  test("quotes the best page, and adds a sentence from pages with similar coverage", async () => {
    const docs = {
      ...filler,
      rotation: "# Rotation of keys\n\nKeys are rotated every 90 days. Nothing else is done with them.",
      audit: "# Audit\n\nThe log is long. Each rotation of keys is in it. It is kept.",
    };
    expect(await answer("rotation of keys", docs)).toBe(
      [
        "**[Rotation of keys](/rotation)**",
        "> Keys are rotated every 90 days. Nothing else is done with them.",
        "See also:",
        "- [Audit](/audit): Each rotation of keys is in it.\n",
      ].join("\n\n"),
    );
  });

  test("adds a sentence that introduces what is left out with an ellipsis", async () => {
    const docs = {
      ...filler,
      rotation: "# Rotation of keys\n\nKeys are rotated every 90 days.",
      audit: "# Audit\n\n- The log has each rotation of keys:\n\n  **Example**\n\n  ```\n  key 1\n  ```",
    };
    expect(await answer("rotation of keys", docs)).toContain(": The log has each rotation of keys…\n");
  });

  test("uses the language of the question around the quotation", async () => {
    const docs = { ...filler, rotation: "# Rotation\n\nEin Schlüssel wird alle 90 Tage erneuert." };
    expect(await answer("Wie wird ein Zebra gefüttert?", docs)).toMatch(
      /^Keine Seite beantwortet das eindeutig\.\n/,
    );
    expect(await answer("シマウマの餌は何ですか", docs)).toMatch(/^明確に答えているページはありません。/);
  });

  test("quotes the sentence that introduces a list, and does not end with one", async () => {
    const filling = "What else there is to be said of it here is said at length. ".repeat(8);
    const docs = {
      ...filler,
      keys: `# Keys\n\n${filling}\n\nA lost key is replaced in two steps:\n\n1. Revoke it.\n2. Make one.\n\n${filling}\n\nThere is more:\n\n- ${filling}`,
    };
    const text = await answer("How is a lost key replaced?", docs);
    expect(text).toContain("> A lost key is replaced in two steps:\n>\n> 1. Revoke it.\n> 2. Make one.");
    expect(text).not.toContain("There is more:");
  });

  test("quotes the start of what a sentence introduces, however long it is", async () => {
    const script = `zorgle --all\n${"zorgle --each of them in turn\n".repeat(40)}`;
    const body = `# Zorgling\n\nTo zorgle every widget of a deployment, run this:\n\n\`\`\`sh\n${script}\`\`\``;
    const text = await answer("How do I zorgle every widget?", { ...filler, zorgling: body });
    expect(text).toContain(
      "> To zorgle every widget of a deployment, run this:\n>\n> ```sh\n> zorgle --all\n",
    );
  });

  test("does not end a long list with the title of an example", async () => {
    const items = Array.from(
      { length: 20 },
      (_, at) => `- \`option${at}\` sets the part ${at} of the widget.`,
    );
    const example = `**Example:**\n\n\`\`\`ts options.ts\n${"option();\n".repeat(60)}\`\`\``;
    const text = await answer("What does option3 of the widget set?", {
      ...filler,
      widget: `# Widget\n\n${items.join("\n")}\n\n${example}`,
    });
    expect(text).toContain("> - `option3` sets the part 3 of the widget.");
    expect(text).not.toContain("**Example:**");
  });

  test("quotes a short introduction with what follows it", async () => {
    const body =
      "# Could not zorgle\n\nIf you cannot zorgle, read on.\n\n## Quick fix\n\nTurn it upside down.";
    const text = await answer("Could not zorgle", { ...filler, zorgle: body });
    expect(text).toContain(
      "[Could not zorgle](/zorgle)**\n\n> If you cannot zorgle, read on.\n>\n> **Quick fix**",
    );
    expect(text).toContain("> Turn it upside down.");
  });

  test("quotes a section without paragraphs from its beginning if the question is its heading", async () => {
    const amounts = Array.from({ length: 3 }, () => "Any amount may be chosen. ".repeat(12)).join("\n\n");
    const body = `# Refunds\n\n## Issue a refund\n\n1. Open it.\n2. Click.\n\n### Amount\n\n${amounts}`;
    const text = await answer("How do I issue a refund?", { ...filler, refunds: body });
    expect(text).toContain("> 1. Open it.\n> 2. Click.");
  });

  test("adds no title of a code block as a sentence", async () => {
    const docs = {
      ...filler,
      rotation: "# Rotation of keys\n\nKeys are rotated every 90 days.",
      audit: "# Audit\n\n## Each rotation of keys\n\n```ts rotation-of-keys.ts\nrotate();\n```",
      response: "# Response\n\n## Rotation of keys\n\n**The rotation of keys**\n\n`application/json`",
    };
    const text = await answer("rotation of keys", docs);
    expect(text).toMatch(/- \[Audit › Each rotation of keys\]\(\S+\)\n/);
    expect(text).toMatch(/- \[Response › Rotation of keys\]\(\S+\)\n/);
  });

  test("quotes consecutive steps of a long list with their numbers", async () => {
    const steps = Array.from(
      { length: 30 },
      (_, at) => `${at + 1}. Turn the wheel of part ${at + 1} until it stops.`,
    );
    const text = await answer("When do I turn the wheel of part 17?", {
      ...filler,
      wheels: `# Wheels\n\n${steps.join("\n")}`,
    });
    expect(text).toMatch(/> 17\. Turn the wheel of part 17.*\n> 18\. Turn the wheel of part 18/);
    expect(text).toMatch(/\n> \d+\. …\n/);
  });

  test("quotes a short section with its subsections", async () => {
    const body =
      "# Programs\n\n## Creators\n\nIt rewards creators of templates.\n\n### How it works\n\nThey earn 1 % in credits.\n\n## Others\n\nNothing.";
    const text = await answer("What do creators of templates get?", { ...filler, programs: body });
    expect(text).toContain(
      "> It rewards creators of templates.\n>\n> **How it works**\n>\n> They earn 1 % in credits.",
    );
    expect(text).not.toContain("Nothing.");
  });

  test("quotes the introduction of a section even after a list of parameters", async () => {
    const list = Array.from(
      { length: 20 },
      (_, at) => `- \`option${at}\` sets the part ${at} of all the requests.`,
    );
    const body = `# Client\n\n## Upgrade\n\n${list.join("\n")}\n\nChanges to another protocol.`;
    const text = await answer("Client: Upgrade?", { ...filler, client: body });
    expect(text).toContain("> Changes to another protocol.");
  });

  test.each([
    ["lines that lead to each other", `Zorgle the widget:\n\n${"a:\n\n".repeat(3000)}`],
    ["items within items", `${"- ".repeat(40)}Zorgle the widget. ${"On and on. ".repeat(2000)}`],
    ["one paragraph", `Zorgle the widget. ${"On and on. ".repeat(2000)}`],
    ["blocks without words", `Zorgle the widget.\n\n${"![](a.png)\n\n".repeat(3000)}`],
  ])("quotes only a part of %s", async (_, body) => {
    const text = await answer("How do I zorgle the widget?", { ...filler, zorgle: `# Zorgle\n\n${body}` });
    expect(text).toContain("orgle the widget");
    expect(text.length).toBeLessThan(4000);
  });
});

test("a link with an unpaired surrogate still leads to the page", () => {
  const passage = { page: { slug: "a", source: "a.md" }, section: { anchor: "\ud800" } };
  expect(passageUrl(passage, { kind: "pages", baseUrl: "" })).toBe("/a#%EF%BF%BD");
});
