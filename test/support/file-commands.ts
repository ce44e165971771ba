/** Reads the files behind GITHUB_OUTPUT, GITHUB_STATE, GITHUB_ENV and GITHUB_PATH as the runner does. */

import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SecretMasker } from "./secret-masker.ts";

const VARIABLES = {
  outputs: "GITHUB_OUTPUT",
  state: "GITHUB_STATE",
  environment: "GITHUB_ENV",
  paths: "GITHUB_PATH",
  summary: "GITHUB_STEP_SUMMARY",
} as const;

/** What a step wrote to its files. */
export interface FileCommandResults {
  readonly outputs: Readonly<Record<string, string>>;
  readonly state: Readonly<Record<string, string>>;
  /** What the step exported through GITHUB_ENV. */
  readonly environment: Readonly<Record<string, string>>;
  readonly paths: readonly string[];
  readonly summary: string;
  readonly rawSummary: string;
}

/** The runner refuses a larger job summary (actions/runner: `CreateStepSummaryCommand`). */
const MAX_SUMMARY_BYTES = 1024 * 1024;

/** Takes the lines of a block off the front of `lines`, up to and with its delimiter. */
function takeBlock(lines: string[], delimiter: string): string {
  const end = lines.indexOf(delimiter);
  if (end < 0) throw new Error(`Invalid value. Matching delimiter not found '${delimiter}'`);
  return lines
    .splice(0, end + 1)
    .slice(0, -1)
    .join("\n");
}

/** Reads one entry that starts with `line`; a block takes its further lines from `lines`. */
function readEntry(line: string, lines: string[]): [name: string, value: string] {
  const [, name = "", separator, rest = ""] = /^(.*?)(=|<<)(.*)$/.exec(line) ?? [];
  if (separator === undefined || name === "") throw new Error(`Invalid format '${line}'`);
  if (separator === "=") return [name, rest];
  if (rest === "") throw new Error(`Invalid format '${line}'. Delimiter must not be empty`);
  return [name, takeBlock(lines, rest)];
}

/**
 * Parses `name=value` lines and `name<<delimiter` blocks.
 *
 * @throws {Error} with the runner's wording on a line that is neither, or on a block without its end.
 */
function parseKeyValueFile(text: string): Record<string, string> {
  const values: Record<string, string> = {};
  const lines = text.split("\n");
  while (lines.length > 0) {
    const line = lines.shift() ?? "";
    if (line === "") continue;
    const [name, value] = readEntry(line, lines);
    values[name] = value;
  }
  return values;
}

/** Makes the empty files of one step in `folder`; `variables` tell the step where they are. */
export async function createCommandFiles(folder: string) {
  const id = randomUUID();
  const fileOf = (name: string) => join(folder, `${name}_${id}`);
  for (const name of Object.keys(VARIABLES)) await writeFile(fileOf(name), "");
  const variables = Object.entries(VARIABLES).map(([name, variable]) => [variable, fileOf(name)]);
  const readText = (name: keyof typeof VARIABLES) => readFile(fileOf(name), "utf8");

  const read = async (masker: SecretMasker): Promise<FileCommandResults> => {
    const rawSummary = await readText("summary");
    if (Buffer.byteLength(rawSummary) > MAX_SUMMARY_BYTES) {
      throw new Error("$GITHUB_STEP_SUMMARY upload aborted, supports content up to a size of 1024k");
    }
    return {
      outputs: parseKeyValueFile(await readText("outputs")),
      state: parseKeyValueFile(await readText("state")),
      environment: parseKeyValueFile(await readText("environment")),
      paths: (await readText("paths")).split("\n").filter((line) => line !== ""),
      summary: masker.mask(rawSummary),
      rawSummary,
    };
  };

  return { variables: Object.fromEntries(variables) as Record<string, string>, read };
}
