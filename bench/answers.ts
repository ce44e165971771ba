/**
 * `npm run bench -- answers [DIR …]`: questions made from the headings, tables and parameters of whole sites, asked of the assistant
 * without a model. Without folders, the sites are documentation that npm packages ship.
 */
import { basename, dirname } from "node:path";
import type { ListItem, Root, Table as TableNode } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import { visit } from "unist-util-visit";
import { createDocsIndex, type DocsIndex } from "../src/server/assistant/docs-index.ts";
import { planDocs, readDocsPages } from "../src/server/assistant/docs-library.ts";
import { answerExtractively } from "../src/server/assistant/extractive-answer.ts";
import type { DocsPage } from "../src/server/assistant/sections.ts";
import { contentTerms } from "../src/server/assistant/text-terms.ts";
import type { Report } from "./report.ts";
import { corpora, fetchCorpus } from "./retrieval/corpora.ts";
import { queryOf } from "./retrieval/known-items.ts";

export const title = "Answers";

/** A question, the pages that answer it, and words that an answer quotes. */
interface Asked {
  readonly kind: "heading" | "table" | "parameter";
  readonly question: string;
  readonly slugs: ReadonlySet<string>;
  readonly quote: string;
}

interface Site {
  readonly name: string;
  readonly pages: readonly DocsPage[];
  readonly index: DocsIndex;
  readonly asked: readonly Asked[];
}

/** Questions of one kind that are asked of a site. */
const perKind = 150;
const sourcesShown = 5;

export async function run(folders: readonly string[]): Promise<Report> {
  const shipped = corpora.filter(({ tunedOn }) => !tunedOn);
  const sites: Site[] = [];
  if (folders.length === 0)
    for (const corpus of shipped) sites.push(await readSite(await fetchCorpus(corpus), corpus.name));
  for (const folder of folders) sites.push(await readSite(folder, nameOf(folder)));
  const rows = await Promise.all(sites.map((site) => measure(site, sites)));
  return {
    intro: [
      "Questions made from a site's own headings, table rows and parameters, in its first language and default version.",
      "Questions of the other sites that contain a word which this site does not have should be refused.",
    ].join(" "),
    tables: [
      {
        caption: `Shares of the questions (count): the right page is among ${sourcesShown} sources; the quotation contains the answer; refused.`,
        columns: ["site", "kind", "right page", "quoted", "wrongly refused", "refused when it should"],
        rows: rows.flat(),
      },
    ],
  };
}

/** A folder is often called just `docs`. */
function nameOf(folder: string): string {
  const name = basename(folder);
  return ["docs", "content"].includes(name) ? basename(dirname(folder)) : name;
}

async function readSite(dir: string, name: string): Promise<Site> {
  const log = { debug: () => undefined, warning: console.warn };
  const pages = await readDocsPages(await planDocs(dir, log), log);
  const first = pages.find(({ language }) => language !== undefined)?.language;
  const main = pages.filter(
    ({ language, isDefaultVersion }) => isDefaultVersion && (language === undefined || language === first),
  );
  return { name, pages, index: await createDocsIndex(pages), asked: makeQuestions(main) };
}

function makeQuestions(pages: readonly DocsPage[]): Asked[] {
  const found = pages.flatMap((page) => [...headingsOf(page), ...rowsOf(page), ...parametersOf(page)]);
  // A question that several pages answer is answered by each of them; one that many do asks for none.
  const merged = [...Map.groupBy(found, ({ question }) => question).values()].flatMap((same) => {
    const slugs = new Set(same.flatMap((one) => [...one.slugs]));
    return same[0] === undefined || slugs.size > 3 ? [] : [{ ...same[0], slugs }];
  });
  return [...Map.groupBy(merged, ({ kind }) => kind).values()].flatMap((kind) => {
    const step = Math.max(1, kind.length / perKind);
    return kind.filter((_, at) => Math.floor(at / step) > Math.floor((at - 1) / step));
  });
}

function headingsOf(page: DocsPage): Asked[] {
  return page.sections.flatMap(({ headings, blocks }) => {
    const heading = headings.at(-1) ?? "";
    const quote = textOf(blocks.find(({ type }) => type === "paragraph") ?? { type: "text", value: "" });
    if (quote.length < 40 || contentTerms(heading).length < 2) return [];
    return [
      // Alone where that is a question; most headings need what they are under.
      {
        kind: "heading",
        question: contentTerms(heading).length > 2 ? `${heading}?` : `${page.title}: ${heading}?`,
        slugs: new Set([page.slug]),
        quote,
      } as const,
    ];
  });
}

function rowsOf(page: DocsPage): Asked[] {
  const tables: TableNode[] = [];
  visit(treeOf(page), "table", (table: TableNode) => void tables.push(table));
  return tables.flatMap(({ children: [head, ...rows] }) => {
    const column = textOf(head?.children[1] ?? { type: "text", value: "" }).trim();
    return rows.flatMap(({ children: [first, second] }) => {
      const [subject, quote] = [first, second].map((cell) => (cell === undefined ? "" : textOf(cell).trim()));
      if (!column || !subject || !quote || quote.length < 8 || contentTerms(subject).length === 0) return [];
      const question = `What is the ${column.toLowerCase()} of ${subject}?`;
      return [{ kind: "table", question, slugs: new Set([page.slug]), quote } as const];
    });
  });
}

/** Items that begin with a name in code, as parameters and options are listed. */
function parametersOf(page: DocsPage): Asked[] {
  const found: Asked[] = [];
  visit(treeOf(page), "listItem", ({ children: [line] }: ListItem) => {
    if (line?.type !== "paragraph" || line.children[0]?.type !== "inlineCode") return;
    const name = line.children[0].value;
    const quote = textOf({ type: "root", children: line.children.slice(1) })
      .replace(/^[\s:–—-]+/, "")
      .trim();
    const question = `What does ${name} mean in “${page.title}”?`;
    if (quote.length >= 20) found.push({ kind: "parameter", question, slugs: new Set([page.slug]), quote });
  });
  return found;
}

function treeOf({ sections }: DocsPage): Root {
  return { type: "root", children: sections.flatMap(({ blocks }) => blocks) };
}

async function measure(site: Site, all: readonly Site[]) {
  const kinds = await Promise.all(
    [...Map.groupBy(site.asked, ({ kind }) => kind)].map(async ([kind, asked]) => {
      const answers = await Promise.all(asked.map((one) => ask(site, one.question)));
      const holds = (answered: (answer: Answer, asked: Asked) => boolean) =>
        answers.filter((answer, at) => answered(answer, asked[at] as Asked)).length;
      const right = holds(({ slugs }, one) => slugs.some((slug) => one.slugs.has(slug)));
      const quoted = holds(({ text }, { quote }) => text.includes(squeeze(quote).slice(0, 60)));
      const refused = holds(({ isRefused }) => isRefused);
      return [site.name, kind, ...[right, quoted, refused].map((count) => share(count, asked.length)), ""];
    }),
  );
  const known = new Set(site.pages.flatMap((page) => contentTerms(`${page.title} ${textOf(treeOf(page))}`)));
  const foreign = all
    .filter((other) => other !== site)
    .flatMap(({ asked }) => asked.filter(({ kind }) => kind === "heading"))
    .filter(({ question }) => contentTerms(question).some((term) => !known.has(term)));
  const answers = await Promise.all(foreign.map(({ question }) => ask(site, question)));
  const refused = share(answers.filter(({ isRefused }) => isRefused).length, foreign.length);
  return [...kinds, [site.name, "of other sites", "", "", "", refused]];
}

interface Answer {
  readonly isRefused: boolean;
  /** Pages that are cited or named. */
  readonly slugs: readonly string[];
  readonly text: string;
}

async function ask({ index }: Site, question: string): Promise<Answer> {
  const retrieval = index.search(queryOf(question), sourcesShown);
  let text = "";
  for await (const part of answerExtractively(retrieval, { kind: "pages", baseUrl: "" }))
    if (part.type === "text") text += part.text;
  return {
    isRefused: retrieval.certainty === "none",
    slugs: retrieval.passages.map(({ page }) => page.slug),
    text: squeeze(text.replace(/^> ?/gm, "").replace(/\]\([^)\s]*\)/g, "")),
  };
}

/** Letters and digits alone: Markdown prints marks around words, and escapes. */
function squeeze(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}

function share(count: number, all: number): string {
  return all === 0 ? "–" : `${((100 * count) / all).toFixed(1)} % (${all})`;
}
