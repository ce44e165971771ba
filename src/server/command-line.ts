import { parseArgs } from "node:util";
import { z } from "zod";
import { InputError } from "../base/errors.ts";
import type { GithubRemote } from "./agent-jobs/github-remote.ts";
import type { AgentOptions } from "./agent-jobs/open-agent.ts";
import type { AssistantOptions } from "./assistant/open-assistant.ts";
import { readModelOptions } from "./assistant/read-model-options.ts";
import type { StartOptions } from "./start-local-platform.ts";

/** What `npm run platform` was asked for. */
export interface CommandLine extends StartOptions {
  readonly verbose: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Text of `--help`. */
export const usage = `Serves a folder of documents through the documentation platform's API, on this machine.

  npm run platform -- --docs DIR [options]

  --docs DIR             folder of Markdown and MDX documents (required)
  --port N               port to listen on (4870)
  --host ADDRESS         address to listen on (127.0.0.1)
  --public-url URL       address that clients use, where it is another one
  --domain NAME          domain identifier of the site; may be repeated (localhost)
  --data DIR             keeps keys, jobs and bundles over a restart; without it they last as long as the server
  --plan NAME            enterprise, or pro: without static export (enterprise)
  --link-minutes N       how long a link to a bundle holds (60)

  --agent-command CMD    enables agent jobs: program and arguments, run in a worktree with the prompt on standard input
  --agent-minutes N      time that an agent has for one prompt (30)
  --agent-env NAME       environment variable that agents see besides the usual ones; may be repeated
  --repository DIR       git repository that agents work on (the one that holds the documents)
  --base BRANCH          branch that pull requests ask to change (the one that is checked out; on GitHub, the default one)
  --author "NAME <MAIL>" author of the agents' commits (docs-agent <docs-agent@localhost>)
  --github OWNER/NAME    opens pull requests there, with the token in GITHUB_TOKEN; otherwise they are pages of this server
  --project ID           project identifier of agent jobs; may be repeated (any)

  --site-url URL         where readers find the documents: what the assistant's answers link to (paths without it)
  --verbose              shows every request
  --help                 shows this text

  npm run platform -- --serve-bundle FILE|URL [--port N] [--host ADDRESS] [--data DIR] [--look-seconds N]

  Serves an exported bundle as a self-hosted deployment does: fetches and verifies it at start, looks for a new one every N
  seconds (30) and swaps to it, and keeps the old one if the new one is bad. With --data it survives a restart.

Environment:
  DOCS_PLATFORM_ADMIN_KEY       svc_…: starts and follows jobs
  DOCS_PLATFORM_ASSISTANT_KEY   svc_dsc_…: asks the assistant
  DOCS_PLATFORM_READ_KEY        svc_…: follows jobs only
  DOCS_PLATFORM_MODEL_URL       address of an OpenAI-compatible API whose model writes the assistant's answers
  DOCS_PLATFORM_MODEL           name of the model; without them, answers are quoted from the documents
  DOCS_PLATFORM_MODEL_KEY       key for that API, if it needs one
  Keys that are not set are made on the first start, printed once, and kept in the data directory.
  GITHUB_TOKEN                  with --github: contents: write, pull-requests: write
  GITHUB_API_URL, GITHUB_SERVER_URL   of a GitHub server of one's own`;

const options = {
  docs: { type: "string" },
  port: { type: "string" },
  host: { type: "string" },
  "public-url": { type: "string" },
  domain: { type: "string", multiple: true },
  data: { type: "string" },
  plan: { type: "string" },
  "link-minutes": { type: "string" },
  "agent-command": { type: "string" },
  "agent-minutes": { type: "string" },
  "agent-env": { type: "string", multiple: true },
  repository: { type: "string" },
  base: { type: "string" },
  author: { type: "string" },
  github: { type: "string" },
  project: { type: "string", multiple: true },
  "site-url": { type: "string" },
  verbose: { type: "boolean" },
  help: { type: "boolean" },
} as const;

const minutes = (byDefault: number) =>
  z.coerce
    .number()
    .positive()
    .default(byDefault)
    .transform((value) => value * 60_000);

const CommandLineValues = z.object({
  docs: z.string("is required").min(1),
  port: z.coerce.number().int().min(0).max(65_535).default(4870),
  host: z.string().min(1).default("127.0.0.1"),
  "public-url": z.url({ protocol: /^https?$/ }).optional(),
  domain: z.array(z.string().min(1)).default(["localhost"]),
  data: z.string().min(1).optional(),
  plan: z.enum(["enterprise", "pro"]).default("enterprise"),
  "link-minutes": minutes(60),
  "agent-command": z.string().min(1).optional(),
  "agent-minutes": minutes(30),
  "agent-env": z.array(z.string().min(1)).default([]),
  repository: z.string().min(1).optional(),
  base: z.string().min(1).optional(),
  author: z
    .string()
    .regex(/^[^<>\n]+ <[^<>\s]+>$/, 'must look like "Name <mail@example.com>"')
    .optional(),
  github: z
    .string()
    .regex(/^[\w-]+\/[\w.-]+$/, "must look like owner/name")
    .optional(),
  project: z.array(z.string().min(1)).optional(),
  "site-url": z.url({ protocol: /^https?$/ }).optional(),
  verbose: z.boolean().default(false),
});
type CommandLineValues = z.infer<typeof CommandLineValues>;

/**
 * Reads the command line and the environment; `undefined` where help was asked for.
 *
 * @throws {InputError} with every problem, by the option's name.
 */
export function parseCommandLine(argv: readonly string[], environment: Environment): CommandLine | undefined {
  const { help, ...given } = readArguments(argv);
  if (help === true) return undefined;
  const parsed = CommandLineValues.safeParse(given);
  if (!parsed.success) {
    throw new InputError(parsed.error.issues.map((issue) => `--${issue.path.join(".")}: ${issue.message}`));
  }
  const { docs, port, host, domain, data, plan, project, verbose, ...others } = parsed.data;
  return {
    docsDir: docs,
    port,
    host,
    domains: domain,
    projects: project,
    dataDir: data,
    plan,
    publicUrl: others["public-url"],
    linkLifetimeMs: others["link-minutes"],
    keys: readKeys(environment),
    agent: readAgent(parsed.data, environment),
    assistant: readAssistant(parsed.data, environment),
    verbose,
  };
}

function readArguments(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    if (error instanceof TypeError) throw new InputError([error.message]);
    throw error;
  }
}

function readAgent(values: CommandLineValues, environment: Environment): AgentOptions | undefined {
  const command = values["agent-command"];
  if (command === undefined) return undefined;
  const [, name = "", email = ""] = /^(.+) <(.+)>$/.exec(values.author ?? "") ?? [];
  return {
    command,
    repository: values.repository ?? values.docs,
    environment,
    passedVariables: values["agent-env"],
    timeLimitMs: values["agent-minutes"],
    base: values.base,
    github: readGithub(values.github, environment),
    ...(email !== "" && { author: { name, email } }),
  };
}

function readAssistant(values: CommandLineValues, environment: Environment): AssistantOptions | undefined {
  const model = readModelOptions(environment);
  const site = values["site-url"];
  if (model === undefined && site === undefined) return undefined;
  return { model, links: site === undefined ? undefined : { kind: "pages", baseUrl: site } };
}

function readGithub(slug: string | undefined, environment: Environment): GithubRemote | undefined {
  if (slug === undefined) return undefined;
  const token = environment["GITHUB_TOKEN"];
  if (!token) throw new InputError(["--github: needs a token in the environment variable GITHUB_TOKEN"]);
  const [owner = "", repository = ""] = slug.split("/");
  return {
    serverUrl: environment["GITHUB_SERVER_URL"] || "https://github.com",
    apiUrl: environment["GITHUB_API_URL"] || "https://api.github.com",
    owner,
    repository,
    token,
  };
}

function readKeys(environment: Environment) {
  const admin = environment["DOCS_PLATFORM_ADMIN_KEY"] || undefined;
  const assistant = environment["DOCS_PLATFORM_ASSISTANT_KEY"] || undefined;
  const readOnly = environment["DOCS_PLATFORM_READ_KEY"] || undefined;
  return { ...(admin && { admin }), ...(assistant && { assistant }), ...(readOnly && { readOnly }) };
}
