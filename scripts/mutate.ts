/**
 * Measures what the tests notice: `npm run mutate -- [--seed N] [--count N] [--minutes N] [--only N,N] [folder or file …]` breaks
 * the source in one random place at a time and runs the compiler and the tests that execute that place, the quickest first. Which
 * ones these are is recorded on the unchanged source. It works on a copy, so the sources stay as they are however it ends. The same seed
 * gives the same mutants of the same sources; `--minutes` ends the sample early, and `--only` repeats some of it.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join, normalize } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import {
  type AnyNode,
  type BinaryExpression,
  type Comment,
  type Literal,
  type LogicalExpression,
  parse,
} from "acorn";

interface Mutant {
  readonly file: string;
  /** The whole file. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** The statement or expression that is another one with the mutant. */
  readonly node: AnyNode;
}

/** A test that fails, or what fails instead of one. */
interface Failure {
  readonly test: string;
  /** Whether it was only not done in time, as it may be on a busy machine too. */
  readonly isTimeout: boolean;
}

/** A test (without a name: what is done between tests, as for all of them), and the mutants whose positions it executes. */
interface Visit {
  readonly file: string;
  readonly name?: string;
  readonly tookMs: number;
  readonly mutants: readonly number[];
}

const defaultTargets = ["src/action", "src/commands", "src/client", "src/github", "src/bundle"];
const operators: Readonly<Record<string, string>> = {
  ...{ "===": "!==", "!==": "===", "<": "<=", "<=": "<", ">": ">=", ">=": ">" },
  ...{ "&&": "||", "||": "&&", "+": "-", "-": "+" },
};
/** Tests that take longer hang, and so have noticed the mutant. */
const timeLimitMs = 300_000;
const quickLimitMs = 100_000;
/** How long the tests take that run on a mutant first. */
const quickTestsMs = 3000;
/** What the tests of `src/` notice at least. */
const expectedShare = 0.9;

const root = fileURLToPath(new URL("..", import.meta.url));
const { values: options, positionals } = parseArgs({
  options: {
    ...{ seed: { type: "string" }, count: { type: "string" } },
    ...{ minutes: { type: "string" }, only: { type: "string" } },
  },
  allowPositionals: true,
});
const endsAt = Date.now() + Number(options.minutes ?? Number.POSITIVE_INFINITY) * 60_000;
const copy = mkdtempSync(join(tmpdir(), "mutate-"));
const builtFolder = join(copy, "built/dist");
let tests: ChildProcess | undefined;
process.once("exit", () => {
  killTests();
  rmSync(copy, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(130));

fillCopy();
const importers = readImporters();
const sources = globSync(
  (positionals.length > 0 ? positionals : defaultTargets).map((target) =>
    target.endsWith(".ts") ? target : `${target}/**/*.ts`,
  ),
  { cwd: root },
);
const sample = pick(
  sources.sort().flatMap(findMutants),
  Number(options.count ?? 50),
  Number(options.seed ?? 1),
);
const only = options.only?.split(",").map(Number);
const chosen = [...sample.entries()].filter(([index]) => only?.includes(index + 1) ?? true);
console.log(`${chosen.length} mutants; first their tests run, to record which of them executes what.`);
const { visits, failures } = await recordVisits();
const results: { readonly folder: string; readonly killer: Failure | undefined }[] = [];
for (const [index, mutant] of chosen) {
  if (Date.now() >= endsAt) break;
  const killer = await findKiller(index, mutant);
  results.push({ folder: dirname(mutant.file), killer });
  const result = killer === undefined ? "SURVIVED" : killer.isTimeout ? "timed out" : "killed";
  console.log(`${index + 1} ${result} ${describeMutant(mutant)}`);
  if (killer !== undefined) console.log(`    ${killer.test}`);
}
for (const [folder, some] of Map.groupBy(results, (result) => result.folder))
  console.log(`${folder}: ${countKills(some)}`);
console.log(`All: ${countKills(results)}`);
const share = results.filter(({ killer }) => killer !== undefined).length / results.length;
process.exitCode = share >= expectedShare ? 0 : 1;

function countKills(some: typeof results): string {
  const killers = some.flatMap(({ killer }) => killer ?? []);
  const timeouts = killers.filter(({ isTimeout }) => isTimeout).length;
  return `${killers.length} of ${some.length} mutants killed, ${timeouts} of them only by a time limit.`;
}

/** Copies the repository without what is built or installed; the copy's action runs from its sources. */
function fillCopy(): void {
  const omitted = ["node_modules", "dist", ".build", ".git"];
  cpSync(root, copy, { recursive: true, filter: (path) => !omitted.includes(basename(path)) });
  for (const path of globSync(["node_modules", "test/*/node_modules", "dist"], { cwd: root }))
    symlinkSync(join(root, path), join(copy, path));
  cpSync(join(root, "action.yml"), join(copy, "built/action.yml"));
  mkdirSync(builtFolder);
  // Tests pack and install the folder as a package, from where no relative path leads to the sources.
  const bin = { "docs-automation": "cli.js" };
  const manifest = { name: "docs-automation-action", version: "0.0.0", type: "module", bin };
  writeFileSync(join(builtFolder, "package.json"), JSON.stringify(manifest));
  writeEntries("");
}

/** Writes the files that a runner and a person start. */
function writeEntries(preamble: string): void {
  const main = `await import(${JSON.stringify(pathToFileURL(join(copy, "src/main.ts")).href)});`;
  for (const phase of ["index", "post", "cli"])
    writeFileSync(join(builtFolder, `${phase}.js`), `#!/usr/bin/env node\n${preamble}\n${main}\n`);
}

/** Every place of a file where one change makes it wrong. */
function findMutants(file: string): Mutant[] {
  const text = readFileSync(join(root, file), "utf8");
  let code = stripTypeScriptTypes(text);
  if (code.length !== text.length) throw new Error(`${file}: its text moved when its types went.`);
  const comments: Comment[] = [];
  const program = parse(code, { ecmaVersion: "latest", sourceType: "module", onComment: comments });
  for (const { start, end } of comments)
    code = code.slice(0, start) + " ".repeat(end - start) + code.slice(end);
  const mutants: Mutant[] = [];
  visit(program, undefined, (node, parent) => {
    // A line of the debug log is no behaviour.
    if (node.type === "ExpressionStatement" && /^[\w.]*\.debug\(/.test(code.slice(node.start, node.end)))
      return "skip";
    const changes = changesOf(node, parent, code);
    mutants.push(
      ...changes.map(([start, end, replacement]) => ({ file, text, start, end, replacement, node })),
    );
    return undefined;
  });
  return mutants;
}

type Change = readonly [start: number, end: number, replacement: string];

/** Messages stay as they are, and so does every `await`: without it a failure would not be seen where it happens. */
function changesOf(node: AnyNode, parent: AnyNode | undefined, code: string): Change[] {
  switch (node.type) {
    case "BinaryExpression":
    case "LogicalExpression":
      return operatorChanges(node, code);
    case "IfStatement":
    case "WhileStatement":
    case "ConditionalExpression": {
      const { start, end } = node.test;
      return [[start, end, `!(${code.slice(start, end)})`]];
    }
    case "ExpressionStatement":
      return [[node.start, node.end, ";"]];
    case "BlockStatement": {
      const isBody = parent?.type.includes("Function") === true && node.body.length > 1;
      return isBody ? [[node.start + 1, node.start + 1, " return;"]] : [];
    }
    case "Literal":
      return isName(node, parent) ? [] : literalChanges(node, parent);
    default:
      return [];
  }
}

function operatorChanges(
  { operator, left, right }: BinaryExpression | LogicalExpression,
  code: string,
): Change[] {
  const replacement = operators[operator];
  if (replacement === undefined || (operator === "+" && (isText(left) || isText(right)))) return [];
  const start = code.indexOf(operator, left.end);
  return [[start, start + operator.length, replacement]];
}

function literalChanges({ start, end, value }: Literal, parent: AnyNode | undefined): Change[] {
  if (typeof value === "string" && /^\S+$/.test(value)) return [[start, end, '""']];
  if (typeof value !== "number") return [];
  // One more or less of a thousand, or of a product like `32 * 1024`, is a different limit, and no fault.
  const isOfProduct = parent?.type === "BinaryExpression" && isConstantProduct(parent);
  const numbers = value < 100 && !isOfProduct ? [0, value + 1, value - 1] : [0];
  return numbers.filter((number) => number !== value).map((number) => [start, end, `(${number})`]);
}

function isConstantProduct(node: AnyNode): boolean {
  if (node.type !== "BinaryExpression") return node.type === "Literal";
  return node.operator === "*" && isConstantProduct(node.left) && isConstantProduct(node.right);
}

function visit(
  node: AnyNode,
  parent: AnyNode | undefined,
  enter: (node: AnyNode, parent?: AnyNode) => "skip" | undefined,
): void {
  if (enter(node, parent) === "skip") return;
  const children: unknown[] = Object.values(node).flat();
  for (const child of children) if (isNode(child)) visit(child, node, enter);
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

function isText(node: AnyNode): boolean {
  return node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string");
}

/** A literal that names a module or a property: without it the program does not load. */
function isName(node: AnyNode, parent: AnyNode | undefined): boolean {
  if (parent === undefined) return false;
  return ("source" in parent && parent.source === node) || ("key" in parent && parent.key === node);
}

/** Takes `count` of the mutants, each as likely as the other; the same ones for the same seed (mulberry32). */
function pick(mutants: Mutant[], count: number, seed: number): Mutant[] {
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), 61 | bits);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  const left = [...mutants];
  return Array.from({ length: Math.min(count, left.length) }, () =>
    left.splice(Math.floor(random() * left.length), 1),
  ).flat();
}

/** Runs the related tests on a copy that records each execution of a mutant's position. A test that fails there is not counted. */
async function recordVisits(): Promise<{ visits: Visit[]; failures: ReadonlySet<string> }> {
  const record = join(copy, "visits.jsonl");
  const processRecord = join(copy, "process-visits.txt");
  for (const path of [record, processRecord]) writeFileSync(path, "");
  const setup = join(copy, "test/support/property-seed.ts");
  const setupText = readFileSync(setup, "utf8");
  writeFileSync(setup, `${setupText}\n${visitRecorder(record, processRecord)}`);
  writeEntries(processRecorder(processRecord));
  const byFile = Map.groupBy(chosen, ([, { file }]) => file);
  for (const [file, mutants] of byFile) writeFileSync(join(copy, file), withProbes(mutants));
  const files = new Set([...byFile.keys()].flatMap((file) => Object.values(relatedTests(file)).flat()));
  const failed = await runTests([...files], { bail: 0 });
  for (const { test } of failed)
    console.log(`A test fails on the recording copy, and is not counted: ${test}`);
  for (const [file, [first]] of byFile) writeFileSync(join(copy, file), first?.[1].text ?? "");
  writeFileSync(setup, setupText);
  writeEntries("");
  const lines = readFileSync(record, "utf8").split("\n");
  const visits = lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Visit);
  return { visits, failures: new Set(failed.map(({ test }) => test)) };
}

/** The recording part of the test setup. Of tests of one file that run at the same time, each is taken to execute the position. */
function visitRecorder(record: string, processRecord: string): string {
  return `
    import { appendFileSync, readFileSync } from "node:fs";
    import { beforeEach, onTestFinished } from "vitest";
    const between = new Set<number>();
    const running = new Map<string, Set<number>>();
    globalThis.recordExecution = (mutant) => {
      for (const mutants of running.size > 0 ? running.values() : [between]) mutants.add(mutant);
    };
    const readProcessRecord = () => readFileSync(${JSON.stringify(processRecord)}, "utf8");
    const write = (visit, mutants) => {
      if (mutants.size > 0)
        appendFileSync(${JSON.stringify(record)}, JSON.stringify({ ...visit, mutants: [...mutants] }) + "\\n");
    };
    beforeEach(({ task }) => {
      const file = task.file.name;
      write({ file, tookMs: 0 }, between);
      between.clear();
      const mutants = new Set<number>();
      running.set(task.id, mutants);
      const startedAt = performance.now();
      const recorded = readProcessRecord().length;
      onTestFinished(() => {
        running.delete(task.id);
        if (task.result?.state === "fail") return;
        for (const line of readProcessRecord().slice(recorded).trim().split("\\n"))
          if (line !== "") mutants.add(Number(line));
        write({ file, name: task.fullTestName, tookMs: performance.now() - startedAt }, mutants);
      });
    });`;
}

/** The recording part of a command that a test starts as a process. */
function processRecorder(processRecord: string): string {
  return `
    import { appendFileSync } from "node:fs";
    const recorded = new Set();
    globalThis.recordExecution = (mutant) => {
      if (recorded.has(mutant)) return;
      recorded.add(mutant);
      appendFileSync(${JSON.stringify(processRecord)}, mutant + "\\n");
    };`;
}

/** A file's text with a call in front of each mutant's place. */
function withProbes(mutants: readonly (readonly [number, Mutant])[]): string {
  const insertions = mutants.flatMap(([index, { node }]) => {
    const call = `globalThis.recordExecution?.(${index})`;
    const { start, end, type } = "test" in node && node.test ? node.test : node;
    const length = end - start;
    if (type === "BlockStatement") return [{ at: start + 1, code: `${call};`, order: length }];
    const [before, after] = type === "ExpressionStatement" ? [`{ ${call}; `, " }"] : [`(${call}, (`, "))"];
    return [
      { at: start, code: before, order: length },
      { at: end, code: after, order: -length },
    ];
  });
  // Of two nodes that start or end in the same place, one contains the other.
  insertions.sort((one, other) => other.at - one.at || one.order - other.order);
  let text = mutants[0]?.[1].text ?? "";
  for (const { at, code } of insertions) text = text.slice(0, at) + code + text.slice(at);
  return text;
}

/** The first test that fails on the mutant: of those that execute its position, the quickest first; then of the others near it, which may execute it in another thread. */
async function findKiller(index: number, mutant: Mutant): Promise<Failure | undefined> {
  const { text } = mutant;
  writeFileSync(
    join(copy, mutant.file),
    text.slice(0, mutant.start) + mutant.replacement + text.slice(mutant.end),
  );
  try {
    const [quick = { files: [] }, ...others] = testsOf(index, mutant);
    const run = async ({ files, names }: Tests, limitMs: number) => {
      const failed = await runTests(files, { bail: failures.size + 1, limitMs, names });
      const killers = failed.filter(({ test }) => !failures.has(test));
      return killers.find(({ isTimeout }) => !isTimeout) ?? killers[0];
    };
    const quickKiller = await run(quick, quickLimitMs);
    if (quickKiller !== undefined) return quickKiller;
    if (hasTypeError()) return { test: "the compiler", isTimeout: false };
    for (const tests of others) {
      const killer = await run(tests, timeLimitMs);
      if (killer !== undefined) return killer;
    }
    return undefined;
  } finally {
    writeFileSync(join(copy, mutant.file), text);
  }
}

/** Whether the compiler refuses the copy, as it does a word that is none of a type's. */
function hasTypeError(): boolean {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  return spawnSync(process.execPath, [compiler, "-p", copy]).status !== 0;
}

interface Tests {
  readonly files: readonly string[];
  /** All of the files', unless they are named. */
  readonly names?: readonly string[];
}

function testsOf(index: number, { file }: Mutant): Tests[] {
  const { near, far } = relatedTests(file);
  const recorded = visits.filter(({ mutants }) => mutants.includes(index));
  const named = recorded.filter(({ name }) => name !== undefined);
  const quick: Visit[] = [];
  const slow: Visit[] = [];
  let tookMs = 0;
  const distance = (visit: Visit) => visit.tookMs + (near.includes(visit.file) ? 0 : 100);
  for (const visit of named.sort((one, other) => distance(one) - distance(other))) {
    tookMs += visit.tookMs;
    (tookMs < quickTestsMs ? quick : slow).push(visit);
  }
  // What is only done between tests, as a module's own statements are, is done once for all files.
  const others = (named.length > 0 ? [near] : [near, far]).map((files) =>
    files.filter((one) => named.every((visit) => visit.file !== one)),
  );
  return [quick, slow]
    .map((some): Tests => ({ files: filesOf(some), names: some.flatMap(({ name }) => name ?? []) }))
    .concat(others.map((files) => ({ files })));
}

function filesOf(some: readonly Visit[]): string[] {
  return [...new Set(some.map(({ file }) => file))];
}

/** Test files that are named after a file or import it; of its folder, and of the commands; and those that start processes of commands that use it. */
function relatedTests(file: string): Record<"near" | "far" | "processes", string[]> {
  const folder = file.split("/")[1];
  const related = new Set([file]);
  for (const one of related) for (const importer of importers.get(one) ?? []) related.add(importer);
  const files = [...related].filter((one) => /^test\/(?!deploy|engines).*\.test\.ts$/.test(one));
  const direct = importers.get(file) ?? [];
  const isNear = (one: string) => basename(one).startsWith(basename(file, ".ts")) || direct.includes(one);
  const isFar = (one: string) => one.startsWith(`test/${folder}/`) || one.startsWith("test/commands/");
  const startsProcesses = (one: string) => /^test\/(?:docs|e2e)\//.test(one);
  const entries = ["commands/agent", "commands/assistant", "commands/doctor", "commands/export", "cli"];
  const builtAction = entries
    .filter((entry) => folder === "action" || related.has(`src/${entry}.ts`))
    .map((entry) => `test/e2e/${basename(entry)}.test.ts`);
  return {
    near: files.filter((one) => isNear(one) && !startsProcesses(one)),
    far: files.filter((one) => isFar(one) && !isNear(one)),
    processes: [...new Set([...builtAction, ...files.filter((one) => isNear(one) && startsProcesses(one))])],
  };
}

/** The files that import a file. */
function readImporters(): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const file of globSync("{src,test}/**/*.ts", { cwd: root, exclude: ["**/node_modules"] }))
    for (const [, specifier = ""] of readFileSync(join(root, file), "utf8").matchAll(
      /(?:from|import)[\s(]*(?:\/\*.*?\*\/\s*)?"(\.[^"]+)"/g,
    )) {
      const imported = normalize(join(dirname(file), specifier));
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  return importers;
}

/** Runs test files on the copy; returns what failed. */
async function runTests(
  files: readonly string[],
  { bail, limitMs, names }: { bail: number; limitMs?: number; names?: readonly string[] | undefined },
): Promise<Failure[]> {
  if (files.length === 0) return [];
  const args = ["run", `--bail=${bail}`, "--maxWorkers=1", "--testTimeout=30000", "--reporter=dot", ...files];
  const pattern = names?.map((name) => RegExp.escape(name)).join("|") ?? "";
  // One argument has 128 kB at most.
  if (pattern !== "" && pattern.length < 100_000) args.push(`--testNamePattern=(?:${pattern})$`);
  tests = spawn(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), ...args], {
    cwd: copy,
    detached: true,
    env: { ...process.env, NO_COLOR: "1", ACTION_FOLDER: join(copy, "built") },
  });
  let output = "";
  for (const stream of [tests.stdout, tests.stderr]) stream?.on("data", (chunk) => (output += String(chunk)));
  let timedOut = false;
  const stop = () => {
    timedOut = true;
    killTests();
  };
  const timer = limitMs === undefined ? undefined : setTimeout(stop, limitMs);
  const [code] = await once(tests, "close");
  clearTimeout(timer);
  tests = undefined;
  if (timedOut) return [{ test: "The tests were not done in time.", isTimeout: true }];
  if (code === 0) return [];
  const failed = [...output.matchAll(/FAIL\s+(.+)\n(Error: (?:Test|Hook) timed out)?/g)];
  if (failed.length === 0) return [{ test: output.trim().split("\n").at(-1) ?? "failed", isTimeout: false }];
  return failed.map(([, test = "", timeout]) => ({ test, isTimeout: timeout !== undefined }));
}

/** Ends the running tests with every process that they started. */
function killTests(): void {
  if (tests?.pid !== undefined && tests.exitCode === null) process.kill(-tests.pid, "SIGKILL");
}

function describeMutant({ file, text, start, end, replacement }: Mutant): string {
  const line = text.slice(0, start).split("\n").length;
  const before = text.slice(text.lastIndexOf("\n", start - 1) + 1, start).trimStart();
  const after = text.slice(end).split("\n", 1)[0];
  return `${file}:${line}  ${before}«${text.slice(start, end)}» → «${replacement}»${after}`;
}
