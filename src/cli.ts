/** The command line: converts flags to the inputs of a step, and writes to a terminal instead of a runner. */
import { parseArgs } from "node:util";
import { type Commands, RunOutputs, reportFailure, runCommand, stepCommands } from "./action/run-command.ts";
import { exit, maskSecret, type Terminal, takeSecrets, useTerminal } from "./action/runner.ts";
import { InputError } from "./base/errors.ts";
import { codeOf, endWithPeriod, messageOf } from "./base/text.ts";
import { version } from "./base/version.ts";
import { type InputEntry, listInputs } from "./commands/read-inputs.ts";

const commands = {
  export: "exports a site and verifies the bundle",
  agent: "gives the agent a prompt and follows its job",
  assistant: "asks a question about the documentation",
  doctor: "checks a set-up and changes nothing",
  platform: "serves a folder of documents through the platform's API",
} as const;

/** Inputs that only a workflow step uses, because they need an event, a thread or artifacts. */
const stepOnlyInputs = [
  "command github-token trigger-phrase minimum-permission allowed-users allowed-bots status-comment limit-per-user",
  "context paths paths-ignore max-open-pull-requests on-ambiguous pull-request-labels pull-request-reviewers",
  "pull-request-draft follow-up pull-request-mode resolve-threads upload retention-days",
].flatMap((names) => names.split(" "));

/** Environment variable with the key: a flag would be visible in the list of processes. */
const keyVariable = "DOCS_PLATFORM_API_KEY";

const cliFlags = {
  json: "Write one JSON object of all outputs to standard output, instead of the summary.",
  verbose: "Write more to standard error.",
  help: "Show this text.",
} as const;

const usage = `Automates documentation against a documentation platform, or without one.

  docs-automation COMMAND [--flag VALUE …]

${Object.entries(commands)
  .map(([name, text]) => `  ${name.padEnd(10)} ${text}`)
  .join("\n")}

  COMMAND --help  shows the command's flags
  --version       shows the version

To try it without a platform: docs-automation export --base-url local --docs-dir docs --extract
In a clone, use \`node dist/cli.js\` instead of \`docs-automation\`.
`;

/** Two commands have a form without an event and a thread. */
const directCommands: Commands = {
  ...stepCommands,
  agent: async () =>
    (await import(/* webpackChunkName: "permitted" */ "./commands/run-agent-directly.ts")).runAgentDirectly,
  assistant: async () => (await import("./commands/assistant-answer.ts")).askDirectly,
};

/** Runs the command that the arguments name; sets the exit code: 1 for a failure, 130 when interrupted. */
export async function runCommandLine(given: readonly string[]): Promise<void> {
  surviveClosedStreams();
  const [command = "--help", ...args] = given.map((argument) => (argument === "-h" ? "--help" : argument));
  if (command === "--version") return write(`${version}\n`);
  if (command === "--help" || command === "help") return write(usage);
  if (command === "platform") return (await import("./server/main.ts")).runPlatform(args);
  const flags = listInputs().filter(
    ({ name, commands }) => commands.some((one) => one === command) && !stepOnlyInputs.includes(name),
  );
  if (args.includes("--help") && Object.hasOwn(commands, command)) return write(renderHelp(command, flags));
  const outputs: Record<string, string> = {};
  const terminal = createTerminal(outputs, args.includes("--verbose"));
  useTerminal(terminal);
  maskSecret(process.env[keyVariable]?.trim() ?? "");
  try {
    if (!Object.hasOwn(commands, command))
      throw new InputError([`There is no command \`${command}\`. Run with \`--help\` for a list.`]);
    const values = readFlags(command, args, flags);
    const upload = command === "export" ? { upload: "none" } : {};
    await runCommand(createStepEnvironment({ ...values, ...upload, command }), directCommands);
  } catch (error) {
    reportFailure(error, undefined, new RunOutputs(), []);
  }
  // Standard error already contains the error.
  const summary = outputs["outcome"] === "error" ? "" : terminal.summary();
  // The runner of a workflow would execute `##[command]`, also within JSON.
  const json = () => `${JSON.stringify(outputs, null, 2).replaceAll("##[", "#\\u0023[")}\n`;
  const { unescapeMarkdown } = await import("./presentation/markdown.ts");
  const shown = process.stdout.isTTY ? unescapeMarkdown(summary) : summary;
  write(args.includes("--json") ? json() : shown);
  if (outputs["error-code"] === "cancelled") process.exitCode = 130;
  await exit();
}

/** The reader of an output may end first, as in `| head`. That ends neither the work nor the process, but a full disk is an error. */
function surviveClosedStreams(): void {
  const { stdout, stderr } = process;
  stderr.on("error", () => undefined);
  stdout.on("error", (error) => {
    if (codeOf(error) === "EPIPE") return;
    process.exitCode = 1;
    stderr.write(`error: The result could not be written: ${messageOf(error)}\n`);
  });
}

function write(text: string): void {
  process.stdout.write(text);
}

function isSwitch(flag: InputEntry): boolean {
  return flag.default === "true" || flag.default === "false";
}

/**
 * Converts flags to the texts of inputs.
 *
 * @throws {InputError}
 */
function readFlags(command: string, args: readonly string[], flags: readonly InputEntry[]) {
  const options: Record<string, { readonly type: "boolean" | "string" }> = {};
  for (const flag of flags) options[flag.name] = { type: isSwitch(flag) ? "boolean" : "string" };
  for (const name of Object.keys(cliFlags)) options[name] = { type: "boolean" };
  try {
    const { values } = parseArgs({ args: [...args], options, allowNegative: true });
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
  } catch (error) {
    const [, unknown] = /^Unknown option '(--?[^']+)'/.exec(messageOf(error)) ?? [];
    if (unknown === undefined) throw new InputError([endWithPeriod(messageOf(error))]);
    if (stepOnlyInputs.includes(unknown.slice(2)))
      throw new InputError([
        `\`${unknown}\` is only for a step of GitHub Actions; the command line does not have it.`,
      ]);
    throw new InputError([`\`${command}\` has no flag \`${unknown}\`. Run with \`--help\` for a list.`]);
  }
}

/**
 * Returns the environment of a step with these inputs. Variables of a surrounding workflow run are removed, so that its files are not
 * changed. The key is removed from the environment of the process.
 */
function createStepEnvironment(values: Readonly<Record<string, string>>) {
  const { env } = process;
  const key = env[keyVariable] ?? "";
  const runnerVariables = /^(?:INPUT|STATE|RUNNER|ACTIONS)_|^GITHUB_(?!(?:TOKEN|API_URL|SERVER_URL)$)/;
  for (const name of Object.keys(env))
    if (runnerVariables.test(name) || name === keyVariable) delete env[name];
  for (const [name, value] of Object.entries({ "api-key": key, ...values }))
    env[`INPUT_${name.toUpperCase()}`] = value;
  return takeSecrets(env);
}

/** Lists the flags of a command, from the definitions of the inputs. */
function renderHelp(command: string, flags: readonly InputEntry[]): string {
  const inputs = flags.map((entry) => {
    const { name, required, default: byDefault, description } = entry;
    const details = [
      required && "required",
      byDefault && !isSwitch(entry) && `default: ${byDefault}`,
      name === "api-key" && `or the variable ${keyVariable}`,
    ].filter(Boolean);
    const flag = `${byDefault === "true" ? "--no-" : "--"}${name}${isSwitch(entry) ? "" : " VALUE"}`;
    return [`${flag}${details.length > 0 ? ` (${details.join("; ")})` : ""}`, description];
  });
  const own = Object.entries(cliFlags).map(([name, text]) => [`--${name}`, text]);
  const lines = [...inputs, ...own].map(
    ([flag, text = ""]) => `  ${flag}\n${text.replace(/(.{1,90})(?:\s+|$)/g, "      $1\n")}`,
  );
  return `docs-automation ${command}: ${commands[command as keyof typeof commands]}.\n\n${lines.join("")}`;
}

/** Writes the log of a command to standard error, with a progress bar on a terminal, and collects outputs and summary. */
function createTerminal(
  outputs: Record<string, string>,
  isVerbose: boolean,
): Terminal & { summary(): string } {
  const { stderr } = process;
  let summary = "";
  let isBarShown = false;
  return {
    log(level, message, percent) {
      if (level === "debug" && !isVerbose) return;
      const line = level === "info" || level === "notice" ? message : `${level}: ${message}`;
      const clear = isBarShown ? "\r\u001b[K" : "";
      isBarShown = stderr.isTTY && percent !== undefined && percent < 100;
      const filled = Math.max(0, Math.round((percent ?? 0) / 5));
      const bar = `[${"#".repeat(filled).padEnd(20, ".")}] ${line}`.slice(0, (stderr.columns || 80) - 1);
      stderr.write(`${clear}${isBarShown ? bar : `${line}\n`}`);
    },
    setOutput(name, value) {
      outputs[name] = value;
    },
    writeSummary(markdown) {
      summary += markdown;
    },
    summary: () => summary,
  };
}
