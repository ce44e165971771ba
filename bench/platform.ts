/**
 * The local platform on generated documents, beside other generators of sites on the same pages.
 *
 *   npm run bench -- platform [--sizes 500,5000,20000] [--others 500,5000] [--questions 200] [--exports 50]
 *
 * The others' sizes are apart, for they take minutes where this project takes seconds.
 */
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { extractArchive } from "../src/bundle/verify.ts";
import { isRunning, startPlatformProcess } from "../test/server/platform-process.ts";
import { createTemporaryFolder } from "../test/support/temporary-folder.ts";
import { bundleProgram } from "./bundle-program.ts";
import type { ProcessCost } from "./measure-process.ts";
import { measureTree } from "./measure-tree.ts";
import { buildSite, bytesBelow, type Generator, generators } from "./platform/generators.ts";
import { makeDocs, makeQuestions } from "./platform/make-docs.ts";
import type { Report, Table } from "./report.ts";

export const title = "Local platform";

const programOf = (name: string) => join(import.meta.dirname, "platform", `${name}.ts`);

export async function run(args: readonly string[]): Promise<Report> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sizes: { type: "string", default: "500" },
      others: { type: "string", default: "500" },
      questions: { type: "string", default: "200" },
      exports: { type: "string", default: "50" },
    },
  });
  const [sizes, others] = [values.sizes, values.others].map((list) => list.split(",").map(Number));
  await using folder = await createTemporaryFolder("docs-bench-");
  const exporter = await bundleProgram(programOf("export-docs"), "export");
  const measured: Measured[] = [];
  for (const pages of sizes ?? [])
    measured.push(await measureSize(pages, folder.path, exporter, others ?? []));
  const [smallest] = measured;
  if (smallest === undefined) throw new RangeError("--sizes names no size.");
  const load = await measureLoad(join(folder.path, String(smallest.pages), "docs"), {
    pages: smallest.pages,
    questions: Number(values.questions),
    exports: Number(values.exports),
  });
  return {
    intro: [
      "Generated pages of about 6.5 kB with front matter, headings, prose, code in five languages, tables and links.",
      "Every generator gets the same Markdown: components that only this project has are written as plain Markdown.",
      "The other generators also build a sidebar and a local search. Time, CPU time and memory include child processes.",
      'The platform runs in a separate process; "first word" is the first text of an answer, not its headers.',
    ].join(" "),
    tables: [
      compareExports(measured),
      describeGrowth(measured),
      describeAssistant(measured),
      describeLoad(load, Number(values.questions), Number(values.exports)),
    ],
  };
}

interface Site {
  readonly name: string;
  readonly cost: ProcessCost;
  readonly bytes: number;
}

/** Another generator's site; without a cost if it could not build one. */
type OtherSite = Pick<Site, "name"> & Partial<Site>;

interface Measured {
  readonly pages: number;
  readonly site: Site;
  readonly others: readonly OtherSite[];
  /** Processor time of the second and the third export, each after one page was changed, by the same process with a cache, to the first's. */
  readonly again: readonly [second: number, third: number];
  /** Processor time of an export of the pages with components, to that of those without. */
  readonly withComponents: number;
  readonly search: { readonly bytes: number; readonly firstHitMs: number };
  readonly assistant: Assistant;
}

async function measureSize(
  pages: number,
  root: string,
  exporter: string,
  others: readonly number[],
): Promise<Measured> {
  const work = join(root, String(pages));
  const [docs, mdx, out] = ["docs", "mdx", "out"].map((name) => join(work, name)) as [string, string, string];
  await makeDocs(docs, pages, "markdown");
  await makeDocs(mdx, pages, "mdx");
  const cost = await measureTree([exporter, docs, out]);
  await extractArchive(join(out, "first.zip"), join(out, "first"), {}, new AbortController().signal);
  const site = { name: "this project", cost, bytes: await bytesBelow(join(out, "first")) };
  const [question = ""] = makeQuestions(1, pages);
  const found = await measureTree([programOf("search-site"), join(out, "first"), question]);
  const search = JSON.parse(found.stdout) as Measured["search"] & { hits: number };
  if (search.hits === 0) throw new Error(`The search of the exported site finds nothing for “${question}”.`);
  await rm(out, { recursive: true });
  const again = await measureTree([exporter, docs, out, "again"]);
  const [first = 0, second = 0, third = 0] = JSON.parse(again.stdout) as number[];
  await rm(out, { recursive: true });
  const withComponents = await measureTree([exporter, mdx, out]);
  await rm(out, { recursive: true });
  const otherSites: OtherSite[] = [];
  for (const generator of others.includes(pages) ? generators : [])
    otherSites.push(await buildOther(generator, docs));
  return {
    pages,
    site,
    others: otherSites,
    again: [second / first, third / first],
    withComponents: withComponents.cpuMs / cost.cpuMs,
    search,
    assistant: await measureAssistant(docs, pages),
  };
}

async function buildOther(generator: Generator, docs: string): Promise<OtherSite> {
  const { name } = generator;
  try {
    const { bytes, ...cost } = await buildSite(generator, docs);
    return { name, cost, bytes };
  } catch (error) {
    // On a terminal, for whoever runs this: the table only says that it failed.
    process.stderr.write(`${name}: ${String(error)}\n`);
    return { name };
  }
}

function compareExports(measured: readonly Measured[]): Table {
  const rows = measured.flatMap(({ pages, site, others }) =>
    [site, ...others].map(({ name, cost, bytes = Number.NaN }) => {
      if (cost === undefined) return [pages, name, "failed", "–", "–", "–"];
      return [
        pages,
        name,
        ratio(cost.wallMs, site.cost.wallMs),
        ratio(cost.cpuMs, site.cost.cpuMs),
        ratio(cost.peakMegabytes, site.cost.peakMegabytes),
        ratio(bytes, site.bytes),
      ];
    }),
  );
  return {
    caption:
      "A site from the same pages, relative to this project, whose time includes packing the bundle. All run with Node's own memory limit, at which some fail.",
    columns: ["pages", "generator", "time", "processor time", "peak memory", "bytes of the site"],
    rows,
  };
}

function describeGrowth(measured: readonly Measured[]): Table {
  const perPage = ({ pages, site }: Measured) => site.cost.wallMs / pages;
  const [first] = measured as [Measured];
  const rows = measured.map((one) => [
    one.pages,
    ratio(perPage(one), perPage(first)),
    ratio(one.site.cost.peakMegabytes, first.site.cost.peakMegabytes),
    ...one.again.map((share) => ratio(share, 1)),
    ratio(one.withComponents, 1),
    ratio(one.search.bytes, first.search.bytes),
    ratio(one.search.firstHitMs, first.search.firstHitMs),
  ]);
  return {
    caption:
      "How an export scales. Relative to the smallest size: time per page, peak memory, and for the site's search the bytes loaded by its first use and the time to its first hit. Relative to the first export: CPU time of the first and the second re-export of one changed page by the same process with `--data` (the first also starts what renders pages there), and of the pages with components.",
    columns: [
      ...["pages", "time for a page", "memory", "re-export", "second re-export"],
      ...["components", "search bytes", "first hit"],
    ],
    rows,
  };
}

interface Assistant {
  /** Until the first answer of a platform that was just started, which builds the index. */
  readonly buildMs: number;
  readonly firstWordMs: number;
  /** A whole answer, one after the other. */
  readonly answerMs: number;
  /** An answer that reads nothing: 404. */
  readonly emptyMs: number;
  /** Number of answers in the time of one 404 response, when many of both are requested at once. */
  readonly rate: number;
}

async function measureAssistant(docs: string, pages: number): Promise<Assistant> {
  await using platform = await startPlatform(docs);
  const questions = makeQuestions(50, pages);
  await platform.empty();
  const { wholeMs: buildMs } = await platform.ask(questions[0] ?? "");
  const answers: Answer[] = [];
  const empties: number[] = [];
  for (const question of questions) {
    answers.push(await platform.ask(question));
    empties.push(await platform.empty());
  }
  const allEmptyMs = await timeOf(Promise.all(questions.map(() => platform.empty())));
  const allAnsweredMs = await timeOf(Promise.all(questions.map((question) => platform.ask(question))));
  return {
    buildMs,
    rate: allEmptyMs / allAnsweredMs,
    firstWordMs: median(answers.map(({ firstWordMs }) => firstWordMs)),
    answerMs: median(answers.map(({ wholeMs }) => wholeMs)),
    emptyMs: median(empties),
  };
}

function describeAssistant(measured: readonly Measured[]): Table {
  const rows = measured.map(({ pages, site, assistant }) => {
    const { buildMs, firstWordMs, answerMs, emptyMs, rate } = assistant;
    return [
      pages,
      ratio(buildMs, site.cost.wallMs),
      ratio(firstWordMs, emptyMs),
      ratio(answerMs, emptyMs),
      ratio(rate, 1),
    ];
  });
  return {
    caption:
      "The assistant. Its first answer, which includes building the index, is relative to an export of the same pages. Later answers are relative to the same platform's 404 response (median of 50, one after the other); answers a second, to 404 responses a second (50 at once).",
    columns: ["pages", "index build", "first word", "answer", "answers/s"],
    rows,
  };
}

interface Load {
  readonly idle: Burst;
  readonly busy: Burst;
  /** Exports that were not finished when the last question was answered. */
  readonly unfinished: number;
  readonly failed: number;
}

async function measureLoad(
  docs: string,
  { pages, questions, exports }: { pages: number; questions: number; exports: number },
): Promise<Load> {
  await using platform = await startPlatform(docs);
  const asked = makeQuestions(questions, pages);
  await platform.ask(asked[0] ?? "");
  const askAll = async (): Promise<Burst> => {
    const startedAt = performance.now();
    const answers = await Promise.all(asked.map((question) => platform.ask(question)));
    return { answers, elapsedMs: performance.now() - startedAt };
  };
  // The first burst warms up what the second is measured with.
  await askAll();
  const idle = await askAll();
  const jobs = await Promise.all(
    Array.from({ length: exports }, (_, number) => platform.startExport(`v${number}`)),
  );
  const busy = await askAll();
  const statuses = await Promise.all(jobs.map((job) => platform.statusOf(job)));
  return {
    idle,
    busy,
    unfinished: statuses.filter((status) => status === "queued" || status === "running").length,
    failed: statuses.filter((status) => status === "failed").length,
  };
}

function describeLoad({ idle, busy, unfinished, failed }: Load, questions: number, exports: number): Table {
  const firstWords = ({ answers }: Burst) => answers.map(({ firstWordMs }) => firstWordMs);
  const compare = (share: number) =>
    ratio(quantile(firstWords(busy), share), quantile(firstWords(idle), share));
  const answered = busy.answers.filter(({ isWhole }) => isWhole).length;
  return {
    caption: `${questions} questions at once while ${exports} exports are queued, relative to the same questions on the same platform without exports.`,
    columns: [
      "answered",
      "lost",
      "exports unfinished",
      "exports failed",
      "answers/s",
      "first word, p50",
      "first word, p95",
    ],
    rows: [
      [
        answered,
        questions - answered,
        unfinished,
        failed,
        ratio(idle.elapsedMs, busy.elapsedMs),
        compare(0.5),
        compare(0.95),
      ],
    ],
  };
}

/** Questions that were asked at once. */
interface Burst {
  readonly answers: readonly Answer[];
  readonly elapsedMs: number;
}

interface Answer {
  readonly firstWordMs: number;
  readonly wholeMs: number;
  readonly isWhole: boolean;
}

/** A platform as a process of its own, and what is asked of it. */
async function startPlatform(docs: string) {
  const [admin, assistant] = [`svc_${randomUUID()}`, `svc_dsc_${randomUUID()}`];
  const child = startPlatformProcess(["--docs", docs], {
    DOCS_PLATFORM_ADMIN_KEY: admin,
    DOCS_PLATFORM_ASSISTANT_KEY: assistant,
  });
  const url = await child.url;
  const send = (path: string, key: string, body?: object) =>
    fetch(`${url}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
  const jobs = "/v1/static-export/jobs";
  return {
    async empty(): Promise<number> {
      const startedAt = performance.now();
      await (await send("/nothing", admin)).text();
      return performance.now() - startedAt;
    },
    async ask(question: string): Promise<Answer> {
      const message = {
        id: randomUUID(),
        role: "user",
        content: question,
        parts: [{ type: "text", text: question }],
        createdAt: new Date().toISOString(),
      };
      const startedAt = performance.now();
      const body = { fp: "bench", messages: [message] };
      const response = await send("/discovery/v1/assistant/localhost/message", assistant, body);
      if (response.status !== 200 || response.body === null)
        throw new Error(`A question was refused: ${await response.text()}`);
      let [text, firstWordMs] = ["", Number.NaN];
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        if (Number.isNaN(firstWordMs) && /^0:/m.test(text)) firstWordMs = performance.now() - startedAt;
      }
      const isWhole = /^d:.*"finishReason":"stop"/m.test(text) && !Number.isNaN(firstWordMs);
      return { firstWordMs, wholeMs: performance.now() - startedAt, isWhole };
    },
    async startExport(version: string): Promise<string> {
      const response = await send(jobs, admin, { domain: "localhost", version });
      return ((await response.json()) as { jobId: string }).jobId;
    },
    async statusOf(job: string): Promise<string> {
      return ((await (await send(`${jobs}/${job}`, admin)).json()) as { status: string }).status;
    },
    async [Symbol.asyncDispose]() {
      await child.end("SIGTERM");
      if (await isRunning(child.pid)) await child.end("SIGKILL");
    },
  };
}

async function timeOf(work: Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work;
  return performance.now() - startedAt;
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function ratio(value: number, base: number): string {
  return (value / base).toPrecision(3);
}
