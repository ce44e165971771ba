/**
 * The action's inputs: one zod schema per command, the single source of names, defaults and descriptions. `action.yml`
 * and the tables in the documentation are generated from here.
 */
import * as z from "zod";
import { isLoopback } from "../base/network.ts";
import { allOutcomes, type CommandName, commandNames } from "./outputs.ts";

// The kinds of input: each reads the runner's text into a value, and its message completes the input's name to a sentence.

/** Text, trimmed; absent when empty. */
const text = () => z.string().trim().min(1, "must not be empty");

/** An identifier: one word that can stand in a path. */
const word = () =>
  text().regex(/^(?!\.{1,2}$)[\x21-\x7e]{1,200}$/, "must be one word of at most 200 characters");

/** `true` or `false`, as YAML writes them. */
const flag = () =>
  z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.enum(["true", "false"], { error: "must be `true` or `false`" }))
    .transform((value) => value === "true");

/** One of a few words. */
const choice = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z
    .string()
    .trim()
    .pipe(z.enum(values, { error: `must be one of ${values.map((value) => `\`${value}\``).join(", ")}` }));

/** Values separated by commas or line breaks. */
const list = () =>
  z.string().transform((value) =>
    value
      .split(/[,\n]/)
      .map((item) => item.trim())
      .filter((item) => item !== ""),
  );

/** A whole number within bounds. */
const integer = (min: number, max: number) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

/** Minutes above zero, fractions allowed. */
const minutes = () =>
  z
    .string()
    .trim()
    .regex(/^\d{1,6}(\.\d+)?$/, "must be a number of minutes, like `60` or `0.5`")
    .transform(Number)
    .refine((value) => value > 0 && value <= 10_000, "must be more than 0 and at most 10000 minutes");

/** The platform's address, or `local`. */
const platformAddress = () =>
  z
    .string()
    .trim()
    .transform((value, context): URL | "local" => {
      if (value === "local") return value;
      const problem = problemOfAddress(value);
      if (problem === undefined) return new URL(value);
      context.addIssue({ code: "custom", message: problem });
      return z.NEVER;
    });

function problemOfAddress(value: string): string | undefined {
  if (!URL.canParse(value)) return "must be an address like `https://api.example.com`, or `local`";
  const url = new URL(value);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url))) {
    return "must start with `https://` (plain `http://` only for this machine), or be `local`";
  }
  if (url.username !== "" || url.password !== "")
    return "must not contain a user name or password; the key belongs into `api-key`";
  if (url.pathname.includes("//")) return "must not contain an empty path segment (`//`)";
  if (url.search !== "" || url.hash !== "") return "must not contain a query (`?`) or fragment (`#`)";
  return undefined;
}

const outcomes = list().refine(
  (names) => names.every((name) => allOutcomes.some((outcome) => outcome === name)),
  `must name outcomes: ${allOutcomes.join(", ")}`,
);

const shared = {
  command: choice(commandNames).meta({
    description: "What to do: `agent`, `assistant`, `export`, `reconcile` or `doctor`.",
  }),
  baseUrl: platformAddress().meta({
    description:
      "Address of the documentation platform, `https://…` (plain `http` only for loopback); `local` starts the embedded platform on the checked-out docs.",
  }),
  apiKey: text()
    .regex(/^[\x21-\x7e]+$/, "must be one word without spaces or line breaks")
    .optional()
    .meta({
      description:
        "Bearer key, required unless `base-url` is `local`: an admin key (`svc_…`) for agent, export and reconcile, an assistant key (`svc_dsc_…`) for assistant, either for doctor.",
    }),
  onMissingKey: choice(["fail", "skip"]).prefault("fail").meta({
    description:
      "What to do without a key, as in runs of forks and Dependabot: `fail`, or `skip` with outcome `skipped`.",
  }),
  timeoutMinutes: minutes()
    .prefault("60")
    .meta({ description: "Wall-clock deadline for the wait, in minutes (fractions allowed)." }),
  failOn: outcomes
    .prefault("failed, archived, timed-out, rate-limited, unknown")
    .meta({ description: "Outcomes that fail the step; any other outcome is a warning or a success." }),
  dryRun: flag().prefault("false").meta({
    description:
      "Do everything up to the first request that would change something, and show what would be sent.",
  }),
  docsDir: text().prefault("docs").meta({
    description: "Folder of the documents that the embedded platform serves, with `base-url: local`.",
  }),
};

const github = {
  githubToken: text().optional().meta({
    description: "Token for comments, reactions, permissions, pull requests and commit statuses.",
    runnerDefault: "${{ github.token }}",
  }),
};

const prompted = {
  prompt: text()
    .optional()
    .meta({ description: "The instruction or question; without it, it comes from the event." }),
  promptFile: text().optional().meta({ description: "Path of a file that holds the prompt." }),
  triggerPhrase: text().regex(/^\S+$/, "must be one word, like `/docs`").optional().meta({
    description: "What a comment must start with: by default `/docs` for agent and `/ask` for assistant.",
  }),
  minimumPermission: choice(["read", "triage", "write", "maintain", "admin"])
    .prefault("write")
    .meta({ description: "What the author of a triggering comment or issue needs on the repository." }),
  allowedUsers: list()
    .prefault("")
    .meta({ description: "Exact logins that pass the permission gate besides." }),
  allowedBots: list()
    .refine((names) => !names.includes("*"), "takes exact logins; `*` is refused")
    .prefault("")
    .meta({ description: "Exact logins of bots that may trigger; no wildcard." }),
  statusComment: flag()
    .prefault("true")
    .meta({ description: "Post and keep one status comment on the thread." }),
};

const project = {
  projectId: word().optional().meta({
    description:
      "Project identifier, from the dashboard's API keys page; required unless `base-url` is `local`.",
  }),
};

const followed = {
  jobId: word().optional().meta({ description: "Follow this existing job instead of starting one." }),
  wait: flag()
    .prefault("true")
    .meta({ description: "`false` submits, records, and ends with outcome `detached`." }),
};

const site = {
  domain: text()
    .regex(/^[^\s/]+$/, "must be a host name or identifier without `https://` and without a path")
    .optional()
    .meta({
      description:
        "Domain identifier of the documentation site; required unless `base-url` is `local` or `job-id` is set.",
    }),
};

/** Inputs of `command: agent`. */
export const AgentInputs = z.object({
  ...shared,
  ...github,
  ...prompted,
  ...project,
  ...followed,
  context: choice(["auto", "thread", "changes", "none"]).prefault("auto").meta({
    description:
      "What is added to the prompt as quoted, untrusted context: `auto`, `thread`, `changes` or `none`.",
  }),
  paths: list().prefault("").meta({
    description:
      "Patterns, as of a workflow's own `paths`, over the files changed by a push or pull request; nothing matches: outcome `skipped`.",
  }),
  pathsIgnore: list().prefault("").meta({ description: "Patterns of changed files that do not count." }),
  maxOpenPullRequests: integer(1, 1000)
    .optional()
    .meta({ description: "Skip while this many pull requests of the agent are open." }),
  onAmbiguous: choice(["stop", "resubmit"]).prefault("stop").meta({
    description: "What to do when a submission's answer was lost: `stop` (outcome `unknown`) or `resubmit`.",
  }),
  pullRequestLabels: list().prefault("").meta({ description: "Labels for the agent's pull request." }),
  pullRequestReviewers: list()
    .prefault("")
    .meta({ description: "Reviewers for the agent's pull request: logins, or `org/team`." }),
  pullRequestDraft: flag()
    .prefault("false")
    .meta({ description: "Convert the agent's pull request to a draft." }),
  agentCommand: text().optional().meta({
    description:
      "With `base-url: local`: program and arguments that edit files in a worktree; the prompt is on its standard input.",
  }),
});
export type AgentInputs = z.infer<typeof AgentInputs>;

/** Inputs of `command: assistant`. */
export const AssistantInputs = z.object({
  ...shared,
  ...github,
  ...prompted,
  ...site,
  threadId: text().optional().meta({ description: "Continue this conversation." }),
  retrievalPageSize: integer(1, 100)
    .prefault("5")
    .meta({ description: "Number of search results the answer is made from." }),
  filterVersion: text().optional().meta({ description: "Search only this version of the documentation." }),
  filterLanguage: text().optional().meta({ description: "Search only this language of the documentation." }),
  currentPath: text()
    .max(200, "must be at most 200 characters")
    .optional()
    .meta({ description: "Path of the page the question is about, at most 200 characters." }),
  contextItems: text().optional().meta({
    description: "YAML or JSON list of `{type, value, path?, elementId?}`, type `code` or `textSelection`.",
  }),
  apiVersion: choice(["v1", "v2"])
    .prefault("v1")
    .meta({ description: "`v1` (data stream) or `v2` (server-sent events)." }),
});
export type AssistantInputs = z.infer<typeof AssistantInputs>;

/** The artifact's name unless set; for `upload: pages`, what `actions/deploy-pages` looks for takes its place. */
export const defaultArtifactName = "docs-export";

/** Inputs of `command: export`. */
export const ExportInputs = z.object({
  ...shared,
  ...site,
  ...followed,
  exportVersion: text()
    .optional()
    .meta({ description: "Version label to export, where the platform accepts one; not sent unless set." }),
  exportPaths: list()
    .prefault("")
    .meta({ description: "Page paths to export, where the platform accepts them; not sent unless set." }),
  outputDir: text()
    .prefault("docs-export")
    .meta({ description: "Folder, in the workspace, for the archive and the extracted site." }),
  upload: choice(["archive", "zip", "site", "pages", "none"]).prefault("archive").meta({
    description:
      "`archive` (the bundle as one file, not zipped again), `zip` (the same inside a zip, for older download tools), `site` (the extracted files), `pages` (for `actions/deploy-pages`) or `none`.",
  }),
  artifactName: text()
    .max(200, "must be at most 200 characters")
    .regex(/^[^":<>|*?\r\n\\/]+$/, 'must not contain any of " : < > | * ? \\ / or line breaks')
    .refine((name) => !/^\.+$/.test(name), "must not be made of dots only")
    .prefault(defaultArtifactName)
    .meta({ description: "Name of the workflow artifact." }),
  retentionDays: integer(1, 90)
    .optional()
    .meta({ description: "Days to keep the artifact, 1 to 90; by default the repository's setting." }),
  maxBundleMegabytes: integer(1, 1_000_000)
    .prefault("10240")
    .meta({ description: "Refuse larger bundles, and stop an archive that unpacks to more." }),
  valuesFile: text().optional().meta({
    description:
      "Helm values file in the workspace to update: `staticExport.enabled`, `.bundleUrl` and `.version`.",
  }),
  valuesBundleUrl: text()
    .regex(/^(presigned$|[a-z][a-z0-9+.-]*:\/\/\S+$)/i, "must be an address like `https://…`, or `presigned`")
    .optional()
    .meta({
      description:
        "Durable address to write to the values file instead of the link that expires; `presigned` writes that link into a repository on purpose.",
    }),
});
export type ExportInputs = z.infer<typeof ExportInputs>;

/** Inputs of `command: reconcile`. */
const ReconcileInputs = z.object({ ...shared, ...github, ...project });

/** Inputs of `command: doctor`; it looks at what the other commands would use. */
const DoctorInputs = z.object({ ...shared, ...github, ...project, ...site });

export const inputsByCommand = {
  agent: AgentInputs,
  assistant: AssistantInputs,
  export: ExportInputs,
  reconcile: ReconcileInputs,
  doctor: DoctorInputs,
} as const satisfies Record<CommandName, z.ZodObject>;

/** The parsed inputs of a command. */
export type InputsOf<Command extends CommandName> = z.infer<(typeof inputsByCommand)[Command]>;

/** What every command's inputs have in common. */
export type SharedInputs = z.infer<z.ZodObject<typeof shared>>;
