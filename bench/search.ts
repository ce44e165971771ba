/**
 * The search of an exported site in a browser, beside what a site would search with instead.
 *
 *   npm run bench -- search [--pages 9000] [--runs 3]
 */
import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { listen } from "../src/server/base/http.ts";
import { indexPage, SearchIndex } from "../src/server/site/search-index.ts";
import { renderInto } from "../test/server/site/render-files.ts";
import { findBrowser, startBrowser, type TestBrowser } from "../test/support/browser.ts";
import { createTemporaryFolder } from "../test/support/temporary-folder.ts";
import { bytesBelow } from "./platform/generators.ts";
import type { Report } from "./report.ts";
import { makePage, vocabulary } from "./search/make-pages.ts";
import { writeMiniSearch, writePagefind } from "./search/others.ts";

export const title = "Search";

/** By kind: what is looked for, and how it is typed. */
const queries = [
  { kind: "a frequent word", meant: [wordAt(40)], typos: [] },
  { kind: "a rare word", meant: [wordAt(30_000)], typos: [] },
  { kind: "two words", meant: [wordAt(60), wordAt(900)], typos: [] },
  { kind: "a misspelt word", meant: [wordAt(3_000)], typos: [4] },
  { kind: "a misspelt beginning", meant: [wordAt(3_000)], typos: [0] },
  { kind: "two misspelt words", meant: [wordAt(60), wordAt(900)], typos: [4, 1] },
];
type Query = (typeof queries)[number];

/** A word of eight letters or more, so many ranks below the most frequent. */
function wordAt(rank: number): string {
  return vocabulary.slice(rank).find((word) => word.length > 7) ?? "";
}

/** The word with a letter that is wrong at this position. */
function misspell(word: string, position: number | undefined): string {
  if (position === undefined) return word;
  return `${word.slice(0, position)}q${word.slice(position + 1)}`;
}

export async function run(args: readonly string[]): Promise<Report> {
  const { values } = parseArgs({
    args: [...args],
    options: { pages: { type: "string", default: "9000" }, runs: { type: "string", default: "3" } },
  });
  const [pageCount, runs] = [Number(values.pages), Number(values.runs)];
  const found = await findBrowser();
  if (found.kind === "none") throw new Error(found.reason);
  await using folder = await createTemporaryFolder("bench-search-");
  const at = (name: string) => join(folder.path, name);
  await writeSite(folder.path, at("site"), pageCount);
  await writeMiniSearch(at("minisearch"), pageCount);
  await writePagefind(at("pagefind"), pageCount);
  const app = new Hono().use(serveStatic({ root: at("pagefind") }));
  await using server = await listen(app.fetch, "127.0.0.1", 0);
  const subjects: readonly Subject[] = [
    {
      name: "this project, from disk",
      address: pathToFileURL(at("site/index.html")).href,
      folder: at("site"),
      find: findInDialog,
      bytesOnDisk: await bytesBelow(at("site/site-assets/search")),
    },
    {
      name: "MiniSearch, from disk",
      address: pathToFileURL(at("minisearch/index.html")).href,
      folder: at("minisearch"),
      find: "find",
      bytesOnDisk: await bytesBelow(at("minisearch")),
    },
    {
      name: "Pagefind, over HTTP",
      address: server.url,
      folder: at("pagefind"),
      find: "find",
      bytesOnDisk: await bytesBelow(at("pagefind/pagefind")),
    },
  ];
  await using browser = await startBrowser(found);
  const measured: Measured[] = [];
  const numbers = new Map(Array.from({ length: pageCount }, (_, number) => [makePage(number).title, number]));
  for (const query of queries) {
    for (const subject of subjects)
      measured.push({
        subject,
        kind: query.kind,
        ...(await measure(browser, subject, query, runs, numbers)),
      });
  }
  return describe(measured, pageCount);
}

interface Subject {
  readonly name: string;
  readonly address: string;
  /** Where what it loads over HTTP is. */
  readonly folder: string;
  /** Code for a function of the page that gives the title of the first result. */
  readonly find: string;
  readonly bytesOnDisk: number;
}

interface Found {
  readonly title: string | undefined;
  readonly ms: number;
}

interface Measured {
  readonly subject: Subject;
  readonly kind: string;
  /** Whether the first result holds what was meant. */
  readonly isMeant: boolean;
  readonly megabytes: number;
  /** The median of the runs. */
  readonly ms: number;
  readonly withinSecond: number;
}

/** Presses the button, as a reader does, and types; ends with the first result, or when there is none. */
const findInDialog = `async (query) => {
  const until = (read) => new Promise((resolve) => {
    const look = () => read() ? resolve(read()) : setTimeout(look, 1);
    look();
  });
  document.querySelector("[data-search]").click();
  const input = await until(() => document.querySelector("dialog[open] input"));
  input.value = query;
  input.dispatchEvent(new Event("input"));
  await until(() => document.querySelector(".search-status").textContent);
  return document.querySelector("[role=option] .result-title")?.textContent;
}`;

/** Each run is a browser's first visit. */
async function measure(
  browser: TestBrowser,
  { address, folder, find }: Subject,
  { meant, typos }: Query,
  runs: number,
  numbers: ReadonlyMap<string, number>,
) {
  const query = meant.map((word, at) => misspell(word, typos[at])).join(" ");
  const results: Found[] = [];
  let bytes = 0;
  for (let run = 0; run < runs; run += 1) {
    await using observed = await browser.openPage({ offline: false });
    const { page } = observed;
    await page.context().route(
      ({ href }) => href.startsWith(address),
      (route) => route.continue(),
    );
    await page.goto(address);
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    results.push(
      await page.evaluate<Found>(`(async () => {
        const startedAt = performance.now();
        const title = await (${find})(${JSON.stringify(query)});
        return { title, ms: performance.now() - startedAt };
      })()`),
    );
    bytes = await bytesOf(requests, folder);
  }
  const times = results.map(({ ms }) => ms).sort((left, right) => left - right);
  return {
    isMeant: results.every(({ title }) => {
      const number = numbers.get(title?.split(" › ")[0] ?? "");
      const page = number === undefined ? "" : JSON.stringify(makePage(number)).toLowerCase();
      return meant.every((word) => page.includes(word));
    }),
    megabytes: bytes / 1e6,
    ms: times[Math.floor(times.length / 2)] ?? 0,
    withinSecond: times.filter((ms) => ms < 1000).length / times.length,
  };
}

async function bytesOf(addresses: readonly string[], folder: string): Promise<number> {
  const sizes = addresses.map(async (address) => {
    const { protocol, pathname } = new URL(address);
    return (await stat(protocol === "file:" ? fileURLToPath(address) : join(folder, pathname))).size;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** A site of one page, with the index of many. */
async function writeSite(work: string, outDir: string, pageCount: number): Promise<void> {
  const docsDir = join(work, "docs");
  await mkdir(docsDir);
  await writeFile(join(docsDir, "index.md"), "# Home\n");
  await renderInto({ docsDir, outDir }, new AbortController().signal);
  await rm(join(outDir, "site-assets/search"), { recursive: true });
  const index = new SearchIndex(0);
  const write = async (files: Iterable<readonly [path: string, content: string]>) => {
    for (const [path, content] of files) {
      await mkdir(dirname(join(outDir, path)), { recursive: true });
      await writeFile(join(outDir, path), content);
    }
  };
  for (let number = 0; number < pageCount; number += 1) {
    const { path, title, description, sections } = makePage(number);
    await write(index.add(indexPage([path, title, "Guides", description, sections]), number / pageCount));
  }
  await write(index.end());
}

function describe(measured: readonly Measured[], pageCount: number): Report {
  const [ours] = measured;
  const rows = measured.map(({ subject, kind, isMeant, megabytes, ms, withinSecond }) => [
    kind,
    subject.name,
    isMeant ? "yes" : "no",
    megabytes.toFixed(2),
    (ms / (ours?.ms ?? ms)).toFixed(2),
    `${Math.round(withinSecond * 100)} %`,
  ]);
  const sizes = measured
    .filter(({ kind }) => kind === ours?.kind)
    .map(({ subject }) => [subject.name, (subject.bytesOnDisk / 1e6).toFixed(1)]);
  return {
    intro: [
      `${pageCount} generated pages of about 5 kB with a vocabulary of ${vocabulary.length} words, the same for all.`,
      "In Chromium, on a first visit each time. Time runs from opening the search to the first result, and includes loading script and index.",
      "MiniSearch has one index in one file, with the options of VitePress's local search; Pagefind does not work from disk.",
    ].join(" "),
    tables: [
      {
        caption:
          "Whether the first result is the expected page, the megabytes loaded, the time relative to this project's for a frequent word, and the share of runs with a result within a second.",
        columns: ["query", "search", "found", "MB", "time", "within 1 s"],
        rows,
      },
      { caption: "The whole index.", columns: ["search", "MB"], rows: sizes },
    ],
  };
}
