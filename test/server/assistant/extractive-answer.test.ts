import { describe, expect, test } from "vitest";
import { createDocsIndex } from "../../../src/server/assistant/docs-index.ts";
import { answerExtractively } from "../../../src/server/assistant/extractive-answer.ts";
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
      sections: readSections(await readPage(`${slug}.mdx`, body, noDocs, () => undefined)),
    })),
  );
  const query = { earlier: [], context: [], currentPath: undefined, version: undefined, language: undefined };
  const retrieval = createDocsIndex(pages).search({ question, ...query }, 5);
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
  test("quotes the rows of a long table that say what was asked, under its head", async () => {
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

  test("quotes of a long list the item below an item that answers", async () => {
    const below = Array.from(
      { length: 60 },
      (_, at) => `  - **Kind ${at}** is for things of the shape ${at}.`,
    );
    const list = ["1. Open the page.", "2. Choose one of:", ...below, "3. Save."].join("\n");
    const text = await answer("Which shape is kind 41 for?", { ...filler, kinds: `# Monitors\n\n${list}` });
    expect(text).toContain("for things of the shape 41");
    expect(text.length).toBeLessThan(2500);
  });

  test("knows a name that a row of a table explains, and says nothing of one that none does", async () => {
    const people =
      "# Members\n\n| Name | Organization |\n|---|---|\n| Ada Byron | Engine Works |\n| Bo Li | Mill |";
    const docs = { ...filler, members: people };
    expect(await answer("What is the organization of Ada Byron?", docs)).toContain("Engine Works");
    expect(await answer("What is the organization of Zed Quux?", docs)).toMatch(/^The docs do not say/);
  });

  test("quotes a parameter's line with what is said of it", async () => {
    const fields = ["ttl", "scope", "owner"].map(
      (name) =>
        `<ParamField body="${name}" type="string" required default="none">\n\nThe ${name} of the new key.\n\n</ParamField>`,
    );
    const docs = {
      ...filler,
      keys: `# Keys\n\nKeys and tokens of members.\n\n## Create\n\n${fields.join("\n\n")}`,
    };
    const text = await answer("What does the parameter scope of Keys mean?", docs);
    expect(text).toContain("> `scope` string, required, default: none\n>\n> The scope of the new key.");
  });

  test("reads a section from its beginning where its heading is what was asked", async () => {
    const body = `# Tasks\n\nTasks are long.\n\n## Retry a task\n\nFirst, wait.\n\n${"A task is a task. ".repeat(100)}`;
    const text = await answer("Retry a task?", { ...filler, tasks: body });
    expect(text).toContain("[Tasks › Retry a task](/tasks#retry-a-task)");
    expect(text).toContain("> First, wait.");
  });

  test("of a page takes the section that says what its title does not", async () => {
    const sections = ["Tasks", "Task states", "Tasks again"].map(
      (name) => `## ${name}\n\nTasks and more tasks.`,
    );
    const body = `# Tasks\n\n${sections.join("\n\n")}\n\n## Fields\n\n- \`keepAlive\`: milliseconds that results are kept`;
    const text = await answer("What does keepAlive mean in Tasks?", { ...filler, tasks: body });
    expect(text).toContain("[Tasks › Fields](/tasks#fields)");
  });
});
