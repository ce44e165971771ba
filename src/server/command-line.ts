import { parseArgs } from "node:util";
import * as z from "zod/mini";
import { InputError } from "../base/errors.ts";
import { type Environment, readGitHubAddresses, readVariable } from "../base/runtime.ts";
import { describeProblem } from "../base/schemas.ts";
import { readModelOptions } from "./assistant/model-options.ts";
import type { GitHubRemote } from "./base/context.ts";
import type { PlatformKeys } from "./base/keys.ts";
import { hostName } from "./base/sites.ts";
import type { BundleServerOptions } from "./bundle-server.ts";
import type { ClusterOptions } from "./cluster/cluster-storage.ts";
import type { PlatformOptions } from "./platform.ts";
import type { GitSitesOptions } from "./sources/git-sites.ts";

z.config({ localeError: describeProblem });

/** The parsed command line of `platform`. */
export type CommandLine =
  | { readonly kind: "help" }
  | {
      readonly kind: "platform";
      readonly options: PlatformOptions;
      readonly verbose: boolean;
      readonly logFormat: "text" | "json";
      /** Options of the shared storage; without them, state is stored in files. */
      readonly cluster: ClusterOptions | undefined;
      /** Options of sites from git; without them, the documents are in one folder. */
      readonly sites: GitSitesOptions | undefined;
    }
  | { readonly kind: "migrate"; readonly databaseUrl: string }
  | { readonly kind: "bundle"; readonly options: BundleServerOptions };

/** Text of `--help`. */
export const usage = `Serves documentation through the documentation platform's API, on this machine.

  docs-automation platform --docs DIR [options]

  --docs DIR             folder of Markdown and MDX documents (required without --sites)
  --sites FILE           serves the sites of this file, whose documents are in git repositories
  --poll-seconds N       interval of the checks for changes in these repositories (60)
  --port N               port to listen on (4870)
  --host ADDRESS         address to listen on (127.0.0.1)
  --public-url URL       base URL for clients, if it differs
  --trusted-proxy ADDR   address or range of a reverse proxy whose X-Forwarded-For is trusted; repeatable
  --domain NAME          domain identifier of the site; repeatable (localhost)
  --data DIR             keeps keys, jobs and bundles across restarts; by default they are removed at the end
  --keys FILE            digests of additional keys, read again when the file changes; no keys are generated then
  --remote-media MODE    pictures, videos and frames from other servers: link (to them), keep (pages load them from there), or
                         fetch (pictures are copied into the site) (link)
  --plan NAME            enterprise, or pro: without static export (enterprise)
  --link-minutes N       validity of bundle links (60)

  --agent-command CMD    enables agent jobs: program and arguments, run in a worktree with the prompt on standard input
  --agent-minutes N      time limit for one prompt (30)
  --agent-env NAME       additional environment variable for agents; repeatable
  --base BRANCH          base branch of pull requests (the checked-out branch; on GitHub, the default branch)
  --author "NAME <MAIL>" author of the agents' commits (docs-agent <docs-agent@localhost>)
  --github OWNER/NAME    opens pull requests there, with the token in GITHUB_TOKEN; otherwise they are pages of this server
  --push [REMOTE]        pushes the agents' branches to any git host instead: the name of a remote, or a URL (origin)
  --project ID           project identifier of agent jobs; repeatable (any)

  --role NAME            all, web (responds to requests) or worker (runs jobs) (all)
  --database-url URL     stores the state in Postgres, for several processes: postgres://user:password@host/database
  --bucket S3URL         stores bundles in object storage, with --database-url: s3://bucket or s3://bucket/folder
  --bucket-endpoint URL  URL of object storage other than Amazon S3
  --bucket-link-endpoint URL   its URL for clients that follow links, if it differs
  --drain-seconds N      how long running jobs may continue after SIGTERM (25)
  --migrate              migrates the database and exits

  --site-url URL         base URL of the published documents, for links in the assistant's answers (paths without it)
  --log FORMAT           text, or json: lines with request and job ids (text)
  --verbose              logs every request
  --help                 prints this text

  docs-automation platform --serve-bundle FILE|URL|@FILE [--bundle-version NAME] [--port N]
                           [--host ADDRESS] [--data DIR] [--poll-seconds N]

  Serves an exported bundle as a self-hosted deployment: fetches and verifies it at start, checks for a new one every N seconds
  (30) and switches to it; an invalid bundle never replaces a valid one. With --data, the bundle survives a restart.
  @FILE is a file that contains the link: it is read at each check, and the server waits until it contains a valid link.
  --bundle-version pins the first valid bundle until the server is started with another name.

Environment:
  DOCS_PLATFORM_ADMIN_KEY       svc_…: for jobs
  DOCS_PLATFORM_ASSISTANT_KEY   svc_dsc_…: for the assistant
  DOCS_PLATFORM_READ_KEY        svc_…: for read access to jobs
  Missing keys are generated at the first start, printed once, and stored in the data directory.
  DOCS_PLATFORM_MODEL_URL       base URL of an OpenAI-compatible API whose model writes the assistant's answers
  DOCS_PLATFORM_MODEL           name of the model; without a model, answers are quotes from the documents
  DOCS_PLATFORM_MODEL_KEY       key for that API, if it needs one
  DOCS_AGENT_ISOLATION          namespace, sudo, required or none: isolation of agent commands (the first mode that works)
  DOCS_PLATFORM_DATABASE_URL    the same as --database-url, but not visible to other users of the machine
  AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION   for the bucket
  DOCS_PLATFORM_GIT_TOKEN       for --push over https: needs permission to push
  GITHUB_TOKEN                  for --github: needs contents: write and pull-requests: write
  GITHUB_API_URL, GITHUB_SERVER_URL   of a GitHub Enterprise Server`;

const number = (byDefault: number, min: number, max: number) =>
  z._default(z.coerce.number().check(z.minimum(min), z.maximum(max)), byDefault);
const text = z.string().check(z.minLength(1));
const address = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });

const serverFlags = {
  port: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(65_535)), 4870),
  host: z._default(text, "127.0.0.1"),
  data: z.optional(text),
};

const databaseUrl = z.optional(z.url({ protocol: /^postgres(?:ql)?$/, error: "must be a postgres URL" }));

const MigrateFlags = z.object({ migrate: z.boolean(), "database-url": databaseUrl });

const PlatformFlags = z.object({
  ...serverFlags,
  docs: z.optional(text),
  sites: z.optional(text),
  "poll-seconds": number(60, 1, 86_400),
  "public-url": z.optional(address),
  "trusted-proxy": z.optional(z.array(text)),
  domain: z.optional(z.array(hostName)),
  plan: z._default(z.enum(["enterprise", "pro"]), "enterprise"),
  "link-minutes": number(60, 0.01, 525_600),
  keys: z.optional(text),
  "remote-media": z.optional(z.enum(["link", "keep", "fetch"])),
  "agent-command": z.optional(text),
  // A timer cannot wait for a month.
  "agent-minutes": number(30, 0.01, 30_240),
  "agent-env": z._default(z.array(text), []),
  base: z.optional(text),
  author: z.optional(
    text.check(z.regex(/^[^<>\n]+ <[^<>\s]+>$/, 'must look like "Name <mail@example.com>"')),
  ),
  github: z.optional(text.check(z.regex(/^[\w-]+\/[\w.-]+$/, "must look like owner/name"))),
  push: z.optional(text),
  project: z.optional(z.array(text)),
  "site-url": z.optional(address),
  role: z._default(z.enum(["all", "web", "worker"]), "all"),
  "database-url": databaseUrl,
  bucket: z.optional(
    z.string().check(z.regex(/^s3:\/\/[\w.-]+(?:\/[\w./-]+)?$/, "must be like s3://bucket/folder")),
  ),
  "bucket-endpoint": z.optional(address),
  "bucket-link-endpoint": z.optional(address),
  "drain-seconds": number(25, 0, 3600),
  log: z._default(z.enum(["text", "json"]), "text"),
  verbose: z._default(z.boolean(), false),
});
type PlatformFlags = z.infer<typeof PlatformFlags>;

const BundleFlags = z.object({
  ...serverFlags,
  "serve-bundle": text,
  "bundle-version": z.optional(text),
  "poll-seconds": number(30, 1, 86_400),
});

/**
 * Parses the command line and the environment.
 *
 * @throws {InputError} with all problems, each with the name of the option.
 */
export function parseCommandLine(argv: readonly string[], environment: Environment): CommandLine {
  if (argv.includes("--help")) return { kind: "help" };
  if (argv.some((argument) => /^--serve-bundle(=|$)/.test(argument))) {
    const { host, port, data: dataDir, ...flags } = readFlags(argv, BundleFlags);
    const [source, pollEveryMs] = [flags["serve-bundle"], flags["poll-seconds"] * 1000];
    return {
      kind: "bundle",
      options: { source, version: flags["bundle-version"], host, port, dataDir, pollEveryMs },
    };
  }
  if (argv.includes("--migrate")) {
    const databaseUrl = readDatabaseUrl(readFlags(argv, MigrateFlags), environment);
    if (databaseUrl !== undefined) return { kind: "migrate", databaseUrl };
    throw new InputError(["--migrate: needs --database-url"]);
  }
  // `--push` without a value means the remote `origin`.
  const isBare = (index: number) => argv[index] === "--push" && /^(?:-|$)/.test(argv[index + 1] ?? "");
  const completed = argv.map((argument, index) => (isBare(index) ? "--push=origin" : argument));
  const flags = readFlags(completed, PlatformFlags);
  const problems = findProblems(flags, environment);
  if (problems.length > 0) throw new InputError(problems);
  const { sites: file, "poll-seconds": pollSeconds } = flags;
  const sites = file === undefined ? undefined : { file, pollEveryMs: pollSeconds * 1000, environment };
  const cluster = readCluster(flags, environment);
  const options: PlatformOptions = {
    docsDir: flags.docs,
    role: flags.role,
    port: flags.port,
    host: flags.host,
    domains: flags.domain ?? ["localhost"],
    projects: flags.project,
    dataDir: flags.data,
    plan: flags.plan,
    publicUrl: flags["public-url"],
    trustedProxies: flags["trusted-proxy"],
    linkLifetimeMs: flags["link-minutes"] * 60_000,
    remoteMedia: flags["remote-media"],
    keys: readKeys(environment),
    keysFile: flags.keys,
    agent: readAgent(flags, environment),
    assistant: readAssistant(flags["site-url"], environment),
  };
  return { kind: "platform", options, verbose: flags.verbose, logFormat: flags.log, cluster, sites };
}

function readFlags<Flags extends z.ZodMiniObject>(argv: readonly string[], flags: Flags): z.infer<Flags> {
  const repeatable = ["domain", "agent-env", "project", "trusted-proxy"];
  const options = Object.keys(flags.shape).map((name) => {
    const type = name === "verbose" || name === "migrate" ? "boolean" : "string";
    return [name, { type, multiple: repeatable.includes(name) }] as const;
  });
  try {
    const { values } = parseArgs({ args: [...argv], options: Object.fromEntries(options) });
    return flags.parse(values);
  } catch (error) {
    if (error instanceof z.core.$ZodError)
      throw new InputError(error.issues.map((issue) => `--${issue.path.join(".")}: ${issue.message}`));
    throw error instanceof TypeError ? new InputError([error.message]) : error;
  }
}

/** Names each option that does not fit the others or the environment. */
function findProblems(flags: PlatformFlags, environment: Environment): string[] {
  const given = (name: keyof PlatformFlags) => flags[name] !== undefined;
  const has = (variable: string) => readVariable(environment, variable) !== undefined;
  const { admin, assistant } = readKeys(environment);
  const isCluster = readDatabaseUrl(flags, environment) !== undefined;
  const hasBucket = given("bucket") && has("AWS_ACCESS_KEY_ID") && has("AWS_SECRET_ACCESS_KEY");
  const hasKeys = flags.role === "worker" || given("keys") || (admin && assistant);
  // With --sites, agents push to the repository of their site.
  const isPushed = given("github") || given("push") || given("sites");
  const problems = [
    !given("docs") && !given("sites") && "--docs: is required without --sites",
    ...(["docs", "domain", "base", "github", "push", "project"] as const).map(
      (name) => given("sites") && given(name) && `--${name}: cannot be combined with --sites`,
    ),
    ...(["github", "push"] as const).map(
      (name) => given(name) && !given("agent-command") && `--${name}: needs --agent-command`,
    ),
    given("github") && given("push") && "--push: cannot be combined with --github, which pushes to GitHub",
    given("github") &&
      !has("GITHUB_TOKEN") &&
      "--github: needs a token in the environment variable GITHUB_TOKEN",
    !isCluster && flags.role !== "all" && `--role: ${flags.role} needs --database-url`,
    ...(["bucket", "bucket-endpoint", "bucket-link-endpoint"] as const).map(
      (name) => given(name) && !isCluster && `--${name}: needs --database-url`,
    ),
    isCluster &&
      !hasBucket &&
      "--database-url: needs --bucket, and AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment",
    isCluster &&
      !hasKeys &&
      "--database-url: all processes need the same keys: --keys FILE, or DOCS_PLATFORM_ADMIN_KEY and DOCS_PLATFORM_ASSISTANT_KEY",
    isCluster &&
      flags["link-minutes"] > 10_080 &&
      "--link-minutes: links to a bucket are valid for at most 10080 minutes (a week)",
    // The queue gives a job to another worker after twelve hours, and git needs some of them.
    isCluster &&
      flags["agent-minutes"] > 600 &&
      "--agent-minutes: with --database-url, a prompt may take at most 600 minutes",
    isCluster &&
      given("agent-command") &&
      !isPushed &&
      "--agent-command: with --database-url, agents need --github or --push",
  ];
  return problems.filter((problem) => problem !== false);
}

function readKeys(environment: Environment): PlatformKeys {
  const admin = readVariable(environment, "DOCS_PLATFORM_ADMIN_KEY");
  const assistant = readVariable(environment, "DOCS_PLATFORM_ASSISTANT_KEY");
  const read = readVariable(environment, "DOCS_PLATFORM_READ_KEY");
  return { ...(admin && { admin }), ...(assistant && { assistant }), ...(read && { read }) };
}

function readDatabaseUrl(flags: Pick<PlatformFlags, "database-url">, environment: Environment) {
  return flags["database-url"] ?? readVariable(environment, "DOCS_PLATFORM_DATABASE_URL");
}

function readCluster(flags: PlatformFlags, environment: Environment): ClusterOptions | undefined {
  const databaseUrl = readDatabaseUrl(flags, environment);
  if (databaseUrl === undefined) return undefined;
  const bucket = {
    bucket: flags.bucket ?? "",
    endpoint: flags["bucket-endpoint"],
    linkEndpoint: flags["bucket-link-endpoint"],
    region: readVariable(environment, "AWS_REGION") ?? "us-east-1",
    accessKeyId: readVariable(environment, "AWS_ACCESS_KEY_ID") ?? "",
    secretAccessKey: readVariable(environment, "AWS_SECRET_ACCESS_KEY") ?? "",
    sessionToken: readVariable(environment, "AWS_SESSION_TOKEN"),
    linkLifetimeMs: flags["link-minutes"] * 60_000,
  };
  return { databaseUrl, drainMs: flags["drain-seconds"] * 1000, bucket };
}

function readAgent(flags: PlatformFlags, environment: Environment): PlatformOptions["agent"] {
  const command = flags["agent-command"];
  if (command === undefined) return undefined;
  const [, name = "", email = ""] = /^(.+) <(.+)>$/.exec(flags.author ?? "") ?? [];
  return {
    command,
    environment,
    passedVariables: flags["agent-env"],
    timeLimitMs: flags["agent-minutes"] * 60_000,
    base: flags.base,
    github: readGitHub(flags.github, environment),
    ...(flags.push !== undefined && {
      push: { remote: flags.push, token: readVariable(environment, "DOCS_PLATFORM_GIT_TOKEN") },
    }),
    ...(email !== "" && { author: { name, email } }),
  };
}

function readGitHub(slug: string | undefined, environment: Environment): GitHubRemote | undefined {
  if (slug === undefined) return undefined;
  const [owner = "", repository = ""] = slug.split("/");
  const token = readVariable(environment, "GITHUB_TOKEN") ?? "";
  return { ...readGitHubAddresses(environment), owner, repository, token };
}

function readAssistant(site: string | undefined, environment: Environment): PlatformOptions["assistant"] {
  const model = readModelOptions(environment);
  if (model === undefined && site === undefined) return undefined;
  return { model, links: site === undefined ? undefined : { kind: "pages", baseUrl: site } };
}
