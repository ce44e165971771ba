/**
 * The action's inputs: one table per command, the single source of names, defaults, descriptions and readers. `action.yml`
 * and the tables in the documentation are generated from here.
 */
import { isLoopback, normalizeHost } from "../base/network.ts";
import { shorten, splitList } from "../base/text.ts";
import { allOutcomes, type CommandName, commandNames } from "./outputs.ts";

/** A problem of an input; the message continues the sentence that starts with the input's name. */
export class InputProblem extends Error {}

function requireThat(isValid: boolean, problem: string): void {
  if (!isValid) throw new InputProblem(problem);
}

// Readers: each converts the text of an input, trimmed and not empty, to a value.

/** A required pattern or another test, and the problem of a text that does not pass it. */
type Rule = readonly [pattern: Pick<RegExp, "test">, problem: string];

const text =
  (...rules: readonly Rule[]) =>
  (input: string) => {
    const problems = rules.filter(([pattern]) => !pattern.test(input)).map(([, problem]) => problem);
    requireThat(problems.length === 0, problems.join("; "));
    return input;
  };

/** An identifier without spaces that can be part of a path. */
const identifier = text([/^(?!\.{1,2}$)[\x21-\x7e]{1,200}$/, "must be one word of at most 200 characters"]);

const atMost200: Rule = [/^.{0,200}$/s, "must be at most 200 characters"];
/** File systems limit a name to 255 bytes; the file's extension needs some of them. */
const atMost200Bytes: Rule = [
  { test: (name) => Buffer.byteLength(name) <= 200 },
  "must be at most 200 bytes (in UTF-8)",
];

const flag = (input: string) =>
  text([/^(?:true|false)$/, "must be `true` or `false`"])(input.toLowerCase()) === "true";

const choice =
  <const Values extends readonly [string, ...string[]]>(values: Values) =>
  (input: string): Values[number] => {
    const chosen = values.find((value) => value === input);
    if (chosen !== undefined) return chosen;
    throw new InputProblem(`must be one of ${values.map((value) => `\`${value}\``).join(", ")}`);
  };

const list =
  (isValid: (item: string) => boolean = () => true, problem = "") =>
  (input: string) => {
    const items = splitList(input);
    const invalid = items.filter((item) => !isValid(item)).map((item) => `\`${shorten(item, 50)}\``);
    const verb = invalid.length === 1 ? "is" : "are";
    requireThat(invalid.length === 0, `${problem}; ${invalid.join(", ")} ${verb} not accepted`);
    return items;
  };

const readHosts = list(
  (item) => /^(?:[\w.-]+|\[[0-9a-f:.]+\])$/i.test(item) && URL.canParse(`https://${item}`),
  "must name hosts, like `storage.example.internal` or `10.0.0.5`, without `https://`, port and path",
);

/** Hosts, in the form that `normalizeHost` returns. */
const hosts = (input: string) =>
  readHosts(input).map((item) => normalizeHost(new URL(`https://${item}`).hostname));

const integerUpTo = (max: number) => (input: string) => {
  const problem = `must be a whole number from 1 to ${max}`;
  const value = Number(text([/^\d{1,9}$/, problem])(input));
  requireThat(value >= 1 && value <= max, problem);
  return value;
};

const minutes = (input: string) => {
  const value = Number(text([/^\d{1,6}(\.\d+)?$/, "must be a number of minutes, like `60` or `0.5`"])(input));
  requireThat(value > 0 && value <= 10_000, "must be more than 0 and at most 10000 minutes");
  return value;
};

/** The paths of the API, which documents of platforms show as a part of its address. */
const apiPath = /\/(?:v\d|discovery)(?:\/(?:v\d|agent|assistant|static-export)\b.*)?\/?$/;

const platformAddress = (input: string) => {
  if (input === "local") return input;
  const url = URL.parse(input);
  if (url === null) throw new InputProblem("must be an address like `https://api.example.com`, or `local`");
  requireThat(
    url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url)),
    "must start with `https://` (plain `http://` only for this machine), or be `local`",
  );
  requireThat(
    url.username === "" && url.password === "",
    "must not contain a user name or password; set the key as `api-key`",
  );
  requireThat(!url.pathname.includes("//"), "must not contain an empty path segment (`//`)");
  requireThat(url.search === "" && url.hash === "", "must not contain a query (`?`) or fragment (`#`)");
  const [end] = apiPath.exec(url.pathname) ?? [];
  requireThat(end === undefined, `must end before \`${end}\`, which is a part of the API's own paths`);
  return url;
};

/** Trigger phrases, unchanged: `readPhrases` splits them. */
const phrases = (input: string) => {
  const all = splitList(input);
  requireThat(all.length > 0, "must not be empty");
  requireThat(
    all.every((phrase) => /^\S+$/.test(phrase)),
    "must be words like `/docs` or `@docs-bot`, separated by commas or line breaks",
  );
  return input;
};

const outcomes = list(
  (name) => allOutcomes.some((outcome) => outcome === name),
  `must name outcomes: ${allOutcomes.join(", ")}`,
);

/** An input: its description, default and reader. */
export interface Input<Value = unknown> {
  readonly description: string;
  /**
   * Converts the text to a value; the text is `undefined` if the input is not set.
   *
   * @throws {InputProblem}
   */
  readonly read: (input: string | undefined) => Value;
  readonly required?: boolean;
  /** The default, as text; only the runner can evaluate an expression. */
  readonly default?: string;
  /** Only a flag of the command line, not an input of a step. */
  readonly isFlagOnly?: boolean;
}

type Reader<Value> = (input: string) => Value;

const required = <Value>(read: Reader<Value>, description: string, missing = "is missing") =>
  ({
    description,
    read: (input: string | undefined) => {
      if (input === undefined) throw new InputProblem(missing);
      return read(input);
    },
    required: true,
  }) satisfies Input;

const optional = <Value>(read: Reader<Value>, description: string, expression?: string) =>
  ({
    description,
    read: (input: string | undefined) => (input === undefined ? undefined : read(input)),
    ...(expression !== undefined && { default: expression }),
  }) satisfies Input;

const withDefault = <Value>(value: string, read: Reader<Value>, description: string) =>
  ({ description, read: (input = value) => read(input), default: value }) satisfies Input;

const shared = {
  command: required(
    choice(commandNames),
    "What to do: `agent`, `assistant`, `export`, `reconcile` or `doctor`.",
  ),
  baseUrl: required(
    platformAddress,
    "Address of the documentation platform, `https://…` (plain `http` only for loopback); `local` starts the embedded platform on the checked-out docs.",
    "is missing: set the platform's address, or `local`. In a workflow, a variable that does not exist is empty",
  ),
  apiKey: optional(
    text([/^[\x21-\x7e]+$/, "must be one word without spaces or line breaks"]),
    "Bearer key, required unless `base-url` is `local`: an admin key (`svc_…`) for agent, export and reconcile, an assistant key (`svc_dsc_…`) for assistant, either for doctor.",
  ),
  onMissingKey: withDefault(
    "fail",
    choice(["fail", "skip"]),
    "What to do without a key, as in runs of forks and Dependabot: `fail`, or `skip` with outcome `skipped`.",
  ),
  timeoutMinutes: withDefault(
    "60",
    minutes,
    "Wall-clock deadline for the wait, in minutes (fractions allowed).",
  ),
  failOn: withDefault(
    "failed, archived, timed-out, rate-limited, unknown",
    outcomes,
    "Outcomes that fail the step; any other outcome is a warning or a success.",
  ),
  dryRun: withDefault(
    "false",
    flag,
    "Do everything up to the first request that would change something, and show what would be sent.",
  ),
  allowedHosts: withDefault(
    "",
    hosts,
    "Hosts in private or loopback ranges to which the platform's links may lead, in addition to the platform's own network.",
  ),
  docsDir: withDefault(
    "docs",
    text(),
    "Folder of the documents that the embedded platform serves, with `base-url: local`.",
  ),
};

const github = {
  githubToken: optional(
    text(),
    "Token for comments, reactions, permissions, pull requests and commit statuses.",
    "${{ github.token }}",
  ),
};

const prompted = {
  prompt: optional(text(), "The instruction or question. In a workflow, it comes from the event by default."),
  promptFile: optional(text(), "Path of a file in the workspace that holds the prompt."),
  triggerPhrase: optional(
    phrases,
    "First word of a comment that triggers the command, in upper or lower case; or several, such as `/docs, @docs-bot`. Defaults: `/docs` for agent, `/ask` for assistant.",
  ),
  minimumPermission: withDefault(
    "write",
    choice(["read", "triage", "write", "maintain", "admin"]),
    "Permission on the repository that a user needs to trigger the command: `read`, `triage`, `write`, `maintain` or `admin`.",
  ),
  allowedUsers: withDefault(
    "",
    list(),
    "Logins of users who may trigger the command without `minimum-permission`.",
  ),
  allowedBots: withDefault(
    "",
    list((name) => name !== "*", "takes exact logins"),
    "Logins of bots that may trigger the command; no wildcard.",
  ),
  statusComment: withDefault("true", flag, "Post and keep one status comment on the thread."),
  limitPerUser: optional(integerUpTo(1000), "Requests per user and hour; unlimited by default."),
};

const project = {
  projectId: optional(
    identifier,
    "Project identifier, from the dashboard's API keys page; agent and reconcile require it, unless `base-url` is `local`.",
  ),
};

const followed = {
  jobId: optional(
    identifier,
    "Follow this existing job instead of starting one. For agent, with `prompt`: send the prompt to it as a message.",
  ),
  wait: withDefault("true", flag, "`false`: do not wait for the job's end; the outcome is `detached`."),
};

const site = {
  domain: optional(
    text([/^[^\s/]+$/, "must be a host name or identifier without `https://` and without a path"]),
    "Domain identifier of the documentation site; assistant and export require it, unless `base-url` is `local` or `job-id` is set.",
  ),
};

const agentInputs = {
  ...shared,
  ...github,
  ...prompted,
  ...project,
  ...followed,
  context: withDefault(
    "auto",
    choice(["auto", "thread", "changes", "none"]),
    "What is added to the prompt as quoted, untrusted context: `auto`, `thread`, `changes` (with diffs) or `none`.",
  ),
  paths: withDefault(
    "",
    list(),
    "Patterns, as in a workflow's own `paths`, for the files changed by a push or pull request; if none matches, the outcome is `skipped`.",
  ),
  pathsIgnore: withDefault("", list(), "Patterns of changed files to ignore."),
  maxOpenPullRequests: optional(
    integerUpTo(1000),
    "Start no new job while this many pull requests of the agent are open; messages to their jobs are still sent.",
  ),
  onAmbiguous: withDefault(
    "stop",
    choice(["stop", "resubmit"]),
    "What to do if the response to a sent request was lost: `stop` (outcome `unknown`) or `resubmit`.",
  ),
  pullRequestLabels: withDefault("", list(), "Labels for the agent's pull request."),
  pullRequestReviewers: withDefault(
    "",
    list(),
    "Reviewers for the agent's pull request: logins, or `org/team`, which needs a `github-token` that can read the organization's members.",
  ),
  pullRequestDraft: withDefault("false", flag, "Convert the agent's pull request to a draft."),
  followUp: withDefault(
    "continue",
    choice(["continue", "new"]),
    "`continue`: a later request on the thread, on its pull request or in a review is sent to the same job as a message; `new`: each request starts a job.",
  ),
  pullRequestMode: withDefault(
    "per-request",
    choice(["per-request", "rolling"]),
    "`per-request`, or `rolling`: pushes, merges and schedules update one open pull request per branch; changes while its job is busy are sent as one message.",
  ),
  resolveThreads: withDefault(
    "false",
    flag,
    "Resolve the review threads that the agent's commits addressed; needs `contents: write`.",
  ),
  docsRepository: optional(
    text([/^[\w.-]+\/[\w.-]+$/, "must be a repository like `octo-org/docs`"]),
    "`owner/name` of the repository that the agent changes, if it is not this one and the platform does not name it.",
  ),
  agentCommand: optional(
    text(),
    "With `base-url: local`: program and arguments that edit files in a worktree; the prompt is on its standard input.",
  ),
};
export type AgentInputs = InputsOf<"agent">;

const assistantInputs = {
  ...shared,
  ...github,
  ...prompted,
  ...site,
  threadId: optional(text(), "Identifier of a conversation to continue."),
  retrievalPageSize: withDefault(
    "5",
    integerUpTo(100),
    "Number of search results that the answer is based on, 1 to 100.",
  ),
  filterVersion: optional(text(), "Search only this version of the documentation."),
  filterLanguage: optional(text(), "Search only this language of the documentation."),
  currentPath: optional(text(atMost200), "Path of the page the question is about, at most 200 characters."),
  contextItems: optional(
    text(),
    "YAML or JSON list of `{type, value, path?, elementId?}`, type `code` or `textSelection`.",
  ),
  apiVersion: withDefault("v1", choice(["v1", "v2"]), "`v1` (data stream) or `v2` (server-sent events)."),
};
export type AssistantInputs = InputsOf<"assistant">;

/** The only project and the default domain of the embedded platform. */
export const embeddedProject = "local";
export const embeddedDomain = "localhost";

/** The default artifact name; with `upload: pages`, `github-pages` replaces it. */
export const defaultArtifactName = "docs-export";

const exportInputs = {
  ...shared,
  ...site,
  ...followed,
  exportVersion: optional(
    text(),
    "Version label to export, if the platform accepts one; not sent by default.",
  ),
  exportPaths: withDefault(
    "",
    list(),
    "Page paths to export, if the platform accepts them; not sent by default.",
  ),
  outputDir: withDefault(
    "docs-export",
    text(),
    "Folder, in the workspace, for the archive and the extracted site.",
  ),
  extract: {
    ...withDefault("false", flag, "Unpack the site to the folder `site` in `output-dir`."),
    isFlagOnly: true,
  },
  upload: withDefault(
    "archive",
    choice(["archive", "zip", "site", "pages", "none"]),
    "`archive` (the bundle as one file, not zipped again), `zip` (the same inside a zip, for older download tools), `site` (the extracted files), `pages` (for `actions/deploy-pages`) or `none`.",
  ),
  artifactName: withDefault(
    defaultArtifactName,
    text(
      atMost200Bytes,
      [/^[^":<>|*?\r\n\\/]+$/, 'must not contain any of " : < > | * ? \\ / or line breaks'],
      [/[^.]/, "must not be made of dots only"],
    ),
    "Name of the workflow artifact, and of the bundle's file; with `upload: pages`, `github-pages` replaces the default.",
  ),
  retentionDays: optional(
    integerUpTo(90),
    "Days to keep the artifact, 1 to 90; by default the repository's setting.",
  ),
  maxBundleMegabytes: withDefault(
    "10240",
    integerUpTo(1_000_000),
    "Refuse larger bundles, and archives that unpack to more.",
  ),
  valuesFile: optional(
    text(),
    "Helm values file in the workspace to update: `staticExport.enabled` and `.bundleUrl`, and `.version` if `values-version` is `job` or `export`.",
  ),
  valuesBundleUrl: optional(
    text([
      /^(presigned$|[a-z][a-z0-9+.-]*:\/\/\S+$)/i,
      "must be an address like `https://…`, or `presigned`",
    ]),
    "Durable address to write to the values file instead of the link that expires; `presigned` writes that link, even in a repository.",
  ),
  failOnWarnings: withDefault(
    "false",
    flag,
    "Fail the step if the report of the export has warnings; the bundle is still delivered.",
  ),
  valuesVersion: withDefault(
    "keep",
    choice(["keep", "job", "export"]),
    "How to set `staticExport.version`: `keep` (unchanged; none is added), `job` (the job's id) or `export` (`export-version`).",
  ),
};
export type ExportInputs = InputsOf<"export">;

const reconcileInputs = { ...shared, ...github, ...project };

/** Inputs of `command: doctor`, which checks what the other commands use. */
const doctorInputs = { ...shared, ...github, ...project, ...site };

export const inputsByCommand = {
  agent: agentInputs,
  assistant: assistantInputs,
  export: exportInputs,
  reconcile: reconcileInputs,
  doctor: doctorInputs,
} as const satisfies Record<CommandName, Readonly<Record<string, Input>>>;

type ValuesOf<Inputs extends Readonly<Record<string, Input>>> = {
  -readonly [Name in keyof Inputs]: ReturnType<Inputs[Name]["read"]>;
};

type InputValues = { readonly [Command in CommandName]: ValuesOf<(typeof inputsByCommand)[Command]> };

/** The parsed inputs of a command. */
export type InputsOf<Command extends CommandName> = InputValues[Command];

/** The inputs that all commands share. */
export type SharedInputs = ValuesOf<typeof shared>;
