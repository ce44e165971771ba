/**
 * Measures what the tests notice: `npm run mutate -- [--seed N] [--count N] [--only N,N] [folder or file …]` breaks the
 * source in one random place at a time and runs the tests related to it. It works on a copy, so the sources stay as they
 * are however it ends. The same seed gives the same mutants of the same sources; `--only` repeats some of them.
 */
import { type ChildProcess, spawn } from "node:child_process";
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
import { fileURLToPath } from "node:url";
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
}

const defaultTargets = ["src/action", "src/commands", "src/client", "src/github", "src/bundle"];
const operators: Readonly<Record<string, string>> = {
  ...{ "===": "!==", "!==": "===", "<": "<=", "<=": "<", ">": ">=", ">=": ">" },
  ...{ "&&": "||", "||": "&&", "+": "-", "-": "+" },
};
/** Tests that take longer hang, and so have noticed the mutant. */
const timeLimitMs = 300_000;
/** What the tests of `src/` notice at least. */
const expectedShare = 0.9;

const root = fileURLToPath(new URL("..", import.meta.url));
const { values: options, positionals } = parseArgs({
  options: { seed: { type: "string" }, count: { type: "string" }, only: { type: "string" } },
  allowPositionals: true,
});
const copy = mkdtempSync(join(tmpdir(), "mutate-"));
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
console.log(`${chosen.length} mutants; first their tests run on the source as it is.`);
const failure = await runTests([...new Set(chosen.flatMap(([, { file }]) => relatedTests(file).flat()))]);
if (failure !== undefined) throw new Error(`A test fails on the source as it is: ${failure}`);
let killed = 0;
for (const [index, mutant] of chosen) {
  const killer = await findKiller(mutant);
  if (killer !== undefined) killed += 1;
  console.log(`${index + 1} ${killer === undefined ? "SURVIVED" : "killed"} ${describeMutant(mutant)}`);
  if (killer !== undefined) console.log(`    ${killer}`);
}
console.log(`${killed} of ${chosen.length} mutants killed.`);
process.exitCode = killed >= expectedShare * chosen.length ? 0 : 1;

/** Copies the repository without what is built or installed; the copy's action runs from its sources. */
function fillCopy(): void {
  const omitted = ["node_modules", "dist", ".build", ".git"];
  cpSync(root, copy, { recursive: true, filter: (path) => !omitted.includes(basename(path)) });
  for (const modules of globSync(["node_modules", "test/*/node_modules"], { cwd: root }))
    symlinkSync(join(root, modules), join(copy, modules));
  cpSync(join(root, "action.yml"), join(copy, "built/action.yml"));
  mkdirSync(join(copy, "built/dist"));
  for (const phase of ["index", "post"])
    writeFileSync(join(copy, `built/dist/${phase}.js`), 'import "../../src/main.ts";\n');
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
    const changes = changesOf(node, parent, code);
    mutants.push(...changes.map(([start, end, replacement]) => ({ file, text, start, end, replacement })));
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
    case "ExpressionStatement": {
      const isDebug = code.slice(node.start, node.end).includes(".debug(");
      return isDebug ? [] : [[node.start, node.end, ";"]];
    }
    case "BlockStatement": {
      const isBody = parent?.type.includes("Function") === true && node.body.length > 1;
      return isBody ? [[node.start + 1, node.start + 1, " return;"]] : [];
    }
    case "Literal":
      return isName(node, parent) ? [] : literalChanges(node);
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

function literalChanges({ start, end, value }: Literal): Change[] {
  if (typeof value === "string" && /^\S+$/.test(value)) return [[start, end, '""']];
  if (typeof value !== "number") return [];
  // One more or less of a thousand is a different limit, and no fault.
  const numbers = value < 100 ? [0, value + 1, value - 1] : [0];
  return numbers.filter((number) => number !== value).map((number) => [start, end, `(${number})`]);
}

function visit(
  node: AnyNode,
  parent: AnyNode | undefined,
  enter: (node: AnyNode, parent?: AnyNode) => void,
): void {
  enter(node, parent);
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

/** The first test that fails on the mutant: of those named after its file or importing it, then of its folder and the commands, then of the built action. */
async function findKiller(mutant: Mutant): Promise<string | undefined> {
  const { text } = mutant;
  writeFileSync(
    join(copy, mutant.file),
    text.slice(0, mutant.start) + mutant.replacement + text.slice(mutant.end),
  );
  try {
    for (const files of relatedTests(mutant.file)) {
      const killer = await runTests(files, timeLimitMs);
      if (killer !== undefined) return killer;
    }
    return undefined;
  } finally {
    writeFileSync(join(copy, mutant.file), text);
  }
}

function relatedTests(file: string): string[][] {
  const folder = file.split("/")[1];
  const related = new Set([file]);
  for (const one of related) for (const importer of importers.get(one) ?? []) related.add(importer);
  const files = [...related].filter((one) => one.endsWith(".test.ts"));
  const direct = importers.get(file) ?? [];
  const mirror = files.filter(
    (one) => basename(one).startsWith(basename(file, ".ts")) || direct.includes(one),
  );
  const rest = files.filter((one) => one.startsWith(`test/${folder}/`) || one.startsWith("test/commands/"));
  const commands = { action: "{doctor,export,reconcile,agent}", commands: basename(file, ".ts") }[
    folder ?? ""
  ];
  const processes = commands === undefined ? [] : globSync(`test/e2e/${commands}.test.ts`, { cwd: root });
  return [mirror, rest.filter((one) => !mirror.includes(one)), processes];
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

/** Runs test files on the copy; tells the first failure, if there is one. */
async function runTests(files: readonly string[], limitMs?: number): Promise<string | undefined> {
  if (files.length === 0) return undefined;
  const args = ["run", "--bail=1", "--maxWorkers=1", "--testTimeout=30000", "--reporter=dot", ...files];
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
  if (timedOut) return "not done in time";
  return code === 0
    ? undefined
    : (/FAIL\s+(.+)/.exec(output)?.[1] ?? output.trim().split("\n").at(-1) ?? "failed");
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
