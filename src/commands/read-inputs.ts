/** Reads the runner's `INPUT_…` variables into the inputs of a command, and reports all problems at once. */
import { InputError } from "../base/errors.ts";
import type { Environment } from "../base/runtime.ts";
import { type Input, InputProblem, type InputsOf, inputsByCommand } from "./inputs.ts";
import { type CommandName, commandNames } from "./outputs.ts";

/** An input with its name in a workflow (`base-url`), and the commands that use it. */
export interface InputEntry extends Input {
  readonly name: string;
  readonly commands: readonly CommandName[];
}

/** All inputs, in the order of the tables. */
export function listInputs(): InputEntry[] {
  const inputs: Record<string, Input> = Object.assign({}, ...Object.values(inputsByCommand));
  return Object.entries(inputs).map(([key, input]) => ({
    ...input,
    name: publicName(key),
    commands: commandNames.filter((command) => key in inputsByCommand[command]),
  }));
}

/** Converts `baseUrl` to `base-url`. */
export function publicName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The text of one input, trimmed; `undefined` if it is empty. */
export function inputText(name: string, environment: Environment): string | undefined {
  return environment[`INPUT_${name.toUpperCase()}`]?.trim() || undefined;
}

/**
 * The command to run.
 *
 * @throws {InputError}
 */
export function readCommand(environment: Environment): CommandName {
  const value = inputText("command", environment);
  const command = commandNames.find((name) => name === value);
  if (command !== undefined) return command;
  const choices = commandNames.map((name) => `\`${name}\``).join(", ");
  throw new InputError([
    value === undefined
      ? `\`command\` is missing: set it to one of ${choices}.`
      : `\`command\` must be one of ${choices}.`,
  ]);
}

/**
 * Reads the inputs of a command; `warnings` are about inputs that were set but that the command does not use.
 *
 * @throws {InputError} with all problems.
 */
export function readInputs<Command extends CommandName>(
  command: Command,
  environment: Environment,
): { readonly inputs: InputsOf<Command>; readonly warnings: readonly string[] } {
  const texts: Record<string, string> = {};
  const inputs: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [key, { read }] of Object.entries<Input>(inputsByCommand[command])) {
    const text = inputText(publicName(key), environment);
    if (text !== undefined) texts[key] = text;
    try {
      inputs[key] = read(text);
    } catch (error) {
      if (!(error instanceof InputProblem)) throw error;
      problems.push(`\`${publicName(key)}\` ${error.message}.`);
    }
  }
  problems.push(...findConflicts(command, texts));
  if (problems.length > 0) throw new InputError(problems);
  return {
    // TypeScript cannot derive the type through `Object.entries`.
    inputs: inputs as unknown as InputsOf<Command>,
    warnings: listInputs()
      .filter(({ name, commands, default: byDefault }) => {
        if (commands.includes(command) || byDefault?.startsWith("${{")) return false;
        const value = inputText(name, environment);
        return value !== undefined && value !== byDefault;
      })
      .map(({ name, commands }) => {
        const users = commands.map((other) => `\`${other}\``).join(", ");
        return `\`${name}\` is not used by \`${command}\`; it belongs to ${users}.`;
      }),
  };
}

function findConflicts(command: CommandName, texts: Readonly<Record<string, string>>): string[] {
  const isSet = (key: string) => texts[key] !== undefined;
  const isLocal = texts["baseUrl"] === "local";
  const isDetached = texts["wait"]?.toLowerCase() === "false";
  const { valuesBundleUrl = "presigned", valuesVersion = "keep" } = texts;
  const needsDomain = command === "assistant" || (command === "export" && !isSet("jobId"));
  const needsProject = ["agent", "reconcile"].includes(command);
  const isAgent = command === "agent";
  const rules: readonly (readonly [isViolated: boolean, problem: string])[] = [
    [
      isAgent && isLocal && !isSet("agentCommand"),
      "`agent-command` is missing: with `base-url: local`, it names the program that edits the documents.",
    ],
    [
      isAgent && !isLocal && isSet("agentCommand"),
      "`agent-command` needs `base-url: local`: a hosted platform runs its own agent.",
    ],
    [
      isLocal && isDetached,
      "`wait: false` cannot be used with `base-url: local`: the job would end with the run.",
    ],
    [
      isLocal && isSet("jobId"),
      "`job-id` cannot be used with `base-url: local`: its jobs ended with their runs.",
    ],
    [
      isLocal && isSet("valuesFile") && valuesBundleUrl === "presigned",
      "`values-file` needs an address in `values-bundle-url` with `base-url: local`: the bundle's own link ends with the run.",
    ],
    [
      !isLocal && needsDomain && !isSet("domain"),
      "`domain` is missing: copy the site's identifier from the end of its dashboard address.",
    ],
    [
      !isLocal && needsProject && !isSet("projectId"),
      "`project-id` is missing: copy it from the dashboard's API keys page.",
    ],
    [isSet("prompt") && isSet("promptFile"), "`prompt` and `prompt-file` are both set; keep one of them."],
    [
      isSet("valuesBundleUrl") && !isSet("valuesFile"),
      "`values-bundle-url` needs `values-file`: the file to write it to.",
    ],
    [
      valuesVersion !== "keep" && !isSet("valuesFile"),
      "`values-version` needs `values-file`: the file to write it to.",
    ],
    [
      valuesVersion === "export" && !isSet("exportVersion"),
      "`values-version: export` needs `export-version`: the version to write.",
    ],
    [
      isSet("valuesFile") && isDetached,
      "`values-file` needs `wait: true`: there is no bundle to write before the job has ended.",
    ],
  ];
  const others = rules.filter(([isViolated]) => isViolated).map(([, problem]) => problem);
  return [findKeyProblem(command, texts), ...others].filter((problem) => problem !== undefined);
}

function findKeyProblem(command: CommandName, texts: Readonly<Record<string, string>>): string | undefined {
  if (texts["baseUrl"] === "local") return undefined;
  const key = texts["apiKey"];
  if (key === undefined)
    return "`api-key` is missing: pass the platform's key, on a command line in the variable DOCS_PLATFORM_API_KEY. In a workflow, it comes from a secret; runs of forks and Dependabot have none, and `on-missing-key: skip` skips them.";
  const issuer = key === texts["githubToken"] ? "GitHub" : detectForeignIssuer(key);
  if (issuer !== undefined)
    return `\`api-key\` looks like a secret of ${issuer} and is not sent: pass the secret that holds the platform's key.`;
  const kind = classifyApiKey(key);
  if (kind === "unknown")
    return "`api-key` does not look like a key of this platform: an admin key starts with `svc_`, an assistant key with `svc_dsc_`.";
  if (command === "assistant" && kind === "admin")
    return "`api-key` is an admin key; `assistant` takes the assistant key (it starts with `svc_dsc_`), which may be public.";
  if (command !== "assistant" && command !== "doctor" && kind === "assistant")
    return `\`api-key\` is an assistant key; \`${command}\` takes the admin key (it starts with \`svc_\`, without \`dsc_\`).`;
  return undefined;
}

/**
 * Distinguishes the two types of API key by their prefix (specification §5): `svc_…` is an admin key, `svc_dsc_…` an assistant key.
 * Prefixes of other vendors in the same format are accepted.
 */
export function classifyApiKey(apiKey: string): "admin" | "assistant" | "unknown" {
  if (/^[a-z0-9]+_dsc_[\x21-\x7e]+$/i.test(apiKey)) return "assistant";
  return /^[a-z0-9]+_[\x21-\x7e]+$/i.test(apiKey) ? "admin" : "unknown";
}

/** Prefixes of secrets that other services issue. Most have the format of a platform's key. */
const foreignSecretPatterns: readonly (readonly [string, RegExp])[] = [
  ["GitHub", /^(?:gh[a-z]_|github_pat_)/i],
  ["a payment service", /^(?:(?:sk|rk|pk)_(?:live|test|prod)_|whsec_|shp[a-z]{2}_|access_token\$)/],
  ["a cloud or an identity provider", /^(?:AKIA|ASIA|AIza|eyJ|-----BEGIN)/],
  [
    "another service",
    /^(?:ATATT|dckr_pat_|do[opr]_v1_|figd_|glsa_|gsk_|hf_|lin_api_|npm_|ntn_|r8_|rubygems_|sbp_|sntry[a-z]_)/,
  ],
];

/** The service that issued a secret, if its prefix shows that it is not a documentation platform. */
export function detectForeignIssuer(apiKey: string): string | undefined {
  return foreignSecretPatterns.find(([, shape]) => shape.test(apiKey))?.[0];
}
