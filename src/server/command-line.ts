import { parseArgs } from "node:util";
import * as z from "zod/mini";
import en from "zod/v4/locales/en.js";
import { InputError } from "../base/errors.ts";
import type { Environment } from "../base/runtime.ts";
import { readModelOptions } from "./assistant/model-options.ts";
import type { GitHubRemote } from "./base/context.ts";
import type { NewKey } from "./base/key-file.ts";
import type { BundleServerOptions } from "./bundle-server.ts";
import type { ClusterOptions } from "./cluster/cluster-storage.ts";
import type { PlatformOptions } from "./platform.ts";
import type { GitSitesOptions } from "./sources/git-sites.ts";

z.config(en());

/** What `platform` was asked for. */
export type CommandLine =
  | { readonly kind: "help" }
  | {
      readonly kind: "platform";
      readonly options: PlatformOptions;
      readonly verbose: boolean;
      readonly logFormat: "text" | "json";
      /** Where the state is kept, if not in files. */
      readonly cluster: ClusterOptions | undefined;
      /** Where the documents come from, if not from one folder. */
      readonly sites: GitSitesOptions | undefined;
    }
  | { readonly kind: "migrate"; readonly databaseUrl: string }
  | { readonly kind: "key"; readonly key: NewKey }
  | { readonly kind: "bundle"; readonly options: BundleServerOptions };

/** Text of `--help`. */
export const usage = `Serves a folder of documents through the documentation platform's API, on this machine.

  docs-automation platform --docs DIR [options]

  --docs DIR             folder of Markdown and MDX documents (required, unless there is --sites)
  --sites FILE           serves the sites of a file instead, whose documents are in git repositories
  --poll-seconds N       how often their hosts are asked for changes (60)
  --port N               port to listen on (4870)
  --host ADDRESS         address to listen on (127.0.0.1)
  --public-url URL       address that clients use, if it is another one
  --trusted-proxy ADDR   address or range of a proxy in front, whose X-Forwarded-For names the client; may be repeated
  --domain NAME          domain identifier of the site; may be repeated (localhost)
  --data DIR             keeps keys, jobs and bundles over a restart; without it they last as long as the server
  --keys FILE            digests of further keys, read again when it changes; no key is made then (see --make-key)
  --remote-media MODE    pictures, videos and frames from elsewhere: link to them, keep them as they are (pages then load them),
                         or fetch pictures into the site, and OpenAPI documents that are named by an address (link)
  --plan NAME            enterprise, or pro: without static export (enterprise)
  --link-minutes N       how long a link to a bundle works (60)

  --agent-command CMD    enables agent jobs: program and arguments, run in a worktree with the prompt on standard input
  --agent-minutes N      time that an agent has for one prompt (30)
  --agent-env NAME       further environment variable for agents; may be repeated
  --repository DIR       git repository that agents work on (the one that holds the documents)
  --base BRANCH          branch that pull requests are for (the checked-out one; on GitHub, the default one)
  --author "NAME <MAIL>" author of the agents' commits (docs-agent <docs-agent@localhost>)
  --github OWNER/NAME    opens pull requests there, with the token in GITHUB_TOKEN; otherwise they are pages of this server
  --push [REMOTE]        pushes the agents' branches to any git host instead: a remote's name or an address (origin)
  --project ID           project identifier of agent jobs; may be repeated (any)

  --role NAME            all, web (answers requests) or worker (works on jobs); all by default
  --database-url URL     keeps the state in Postgres, for several processes: postgres://user:password@host/database
  --bucket S3URL         keeps bundles in object storage, with --database-url: s3://bucket or s3://bucket/folder
  --bucket-endpoint URL  address of object storage other than Amazon's
  --bucket-link-endpoint URL   its address for clients who follow links, if it is another one
  --drain-seconds N      how long a worker finishes its work after SIGTERM (25)
  --migrate              updates the tables of the database, and ends

  --site-url URL         address of the published documents, for links in the assistant's answers (paths without it)
  --log FORMAT           text or json: lines with the ids of request and job (text)
  --verbose              shows every request
  --help                 shows this text

  docs-automation platform --serve-bundle FILE|URL|@FILE [--bundle-version NAME] [--port N]
                           [--host ADDRESS] [--data DIR] [--look-seconds N]

  Serves an exported bundle as a self-hosted deployment does: fetches and verifies it at start, checks for a new one every N
  seconds (30) and swaps to it, and keeps the old one if the new one is bad. With --data it survives a restart.
  @FILE is a file that holds the link: it is read at each check, and the server waits while it has no good link.
  --bundle-version keeps the first good bundle until it is started with another name.

  docs-automation platform --make-key admin|read|assistant [--name NAME] [--project ID] [--domain NAME] [--expires DATE]

  Makes a key, for some projects and domains and until a day if they are given: prints its entry for --keys on standard output,
  and the key itself, once, on standard error. The file never holds the key: \`… --make-key admin --name ci >> keys.yaml\`.

Environment:
  DOCS_PLATFORM_ADMIN_KEY       svc_…: starts and follows jobs
  DOCS_PLATFORM_ASSISTANT_KEY   svc_dsc_…: asks the assistant
  DOCS_PLATFORM_READ_KEY        svc_…: follows jobs only
  DOCS_PLATFORM_MODEL_URL       address of an OpenAI-compatible API whose model writes the assistant's answers
  DOCS_PLATFORM_MODEL           name of the model; without them, answers are quoted from the documents
  DOCS_PLATFORM_MODEL_KEY       key for that API, if it needs one
  DOCS_AGENT_ISOLATION          namespace, sudo, required or none: how agent commands are isolated (the first that is possible)
  DOCS_PLATFORM_DATABASE_URL    the same as --database-url, which other users of the machine can read
  AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION   of the bucket
  Keys that are not set are made on the first start, printed once, and kept in the data directory.
  DOCS_PLATFORM_GIT_TOKEN       with --push over https: may push to the repository
  GITHUB_TOKEN                  with --github: contents: write, pull-requests: write
  GITHUB_API_URL, GITHUB_SERVER_URL   of a GitHub server of one's own`;

const positive = (byDefault: number) => z._default(z.coerce.number().check(z.positive()), byDefault);
const text = z.string().check(z.minLength(1));
const address = z.url({ protocol: /^https?$/ });

/** What both kinds of server take. */
const shared = {
  port: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(65_535)), 4870),
  host: z._default(text, "127.0.0.1"),
  data: z.optional(text),
};

const databaseUrl = z.optional(z.url({ protocol: /^postgres(?:ql)?$/ }));

const MigrateFlags = z.object({ migrate: z.boolean(), "database-url": databaseUrl });

const PlatformFlags = z.object({
  ...shared,
  docs: z.optional(text),
  sites: z.optional(text),
  "poll-seconds": z.optional(z.coerce.number().check(z.minimum(1), z.maximum(86_400))),
  "public-url": z.optional(address),
  "trusted-proxy": z.optional(z.array(text)),
  domain: z.optional(z.array(text)),
  plan: z._default(z.enum(["enterprise", "pro"]), "enterprise"),
  "link-minutes": positive(60),
  keys: z.optional(text),
  "remote-media": z.optional(z.enum(["link", "keep", "fetch"])),
  "agent-command": z.optional(text),
  "agent-minutes": positive(30),
  "agent-env": z._default(z.array(text), []),
  repository: z.optional(text),
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
  "drain-seconds": z._default(z.coerce.number().check(z.minimum(0), z.maximum(3600)), 25),
  log: z._default(z.enum(["text", "json"]), "text"),
  verbose: z._default(z.boolean(), false),
});
type PlatformFlags = z.infer<typeof PlatformFlags>;

const KeyFlags = z.object({
  "make-key": z.enum(["admin", "read", "assistant"]),
  name: z.optional(text),
  project: z.optional(z.array(text)),
  domain: z.optional(z.array(text)),
  expires: z.optional(text),
});

const BundleFlags = z.object({
  ...shared,
  "serve-bundle": text,
  "bundle-version": z.optional(text),
  "look-seconds": z._default(z.coerce.number().check(z.minimum(1), z.maximum(86_400)), 30),
});

/**
 * Reads the command line and the environment.
 *
 * @throws {InputError} with every problem, by the option's name.
 */
export function parseCommandLine(argv: readonly string[], environment: Environment): CommandLine {
  if (argv.includes("--help")) return { kind: "help" };
  if (argv.some((argument) => /^--serve-bundle(=|$)/.test(argument))) {
    const { host, port, data: dataDir, ...flags } = readFlags(argv, BundleFlags);
    const [source, pollEveryMs] = [flags["serve-bundle"], flags["look-seconds"] * 1000];
    return {
      kind: "bundle",
      options: { source, version: flags["bundle-version"], host, port, dataDir, pollEveryMs },
    };
  }
  if (argv.some((argument) => /^--make-key(=|$)/.test(argument))) {
    const { "make-key": keyClass, project, domain, ...flags } = readFlags(argv, KeyFlags);
    return { kind: "key", key: { class: keyClass, projects: project, domains: domain, ...flags } };
  }
  if (argv.includes("--migrate")) {
    const databaseUrl = readDatabaseUrl(readFlags(argv, MigrateFlags), environment);
    if (databaseUrl !== undefined) return { kind: "migrate", databaseUrl };
    throw new InputError(["--migrate: needs --database-url"]);
  }
  const isBare = (index: number) => argv[index] === "--push" && /^(?:-|$)/.test(argv[index + 1] ?? "");
  const named = argv.map((argument, index) => (isBare(index) ? "--push=origin" : argument));
  const flags = readFlags(named, PlatformFlags);
  const sites = readSites(flags, environment);
  const cluster = readCluster(flags, environment);
  const { DOCS_PLATFORM_ADMIN_KEY: admin, DOCS_PLATFORM_ASSISTANT_KEY: assistant } = environment;
  const read = environment["DOCS_PLATFORM_READ_KEY"];
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
    keys: { ...(admin && { admin }), ...(assistant && { assistant }), ...(read && { read }) },
    keysFile: flags.keys,
    agent: readAgent(flags, environment),
    assistant: readAssistant(flags["site-url"], environment),
  };
  return { kind: "platform", options, verbose: flags.verbose, logFormat: flags.log, cluster, sites };
}

function readFlags<Flags extends z.ZodMiniObject>(argv: readonly string[], flags: Flags): z.infer<Flags> {
  const kinds = {
    multiple: ["domain", "agent-env", "project", "trusted-proxy"],
    boolean: ["verbose", "migrate"],
  };
  const options = Object.keys(flags.shape).map((name) => {
    const type = kinds.boolean.includes(name) ? ("boolean" as const) : ("string" as const);
    return [name, { type, multiple: kinds.multiple.includes(name) }] as const;
  });
  try {
    const { values } = parseArgs({ args: [...argv], options: Object.fromEntries(options) });
    return flags.parse(values);
  } catch (error) {
    if (error instanceof z.core.$ZodError) {
      throw new InputError(error.issues.map((issue) => `--${issue.path.join(".")}: ${issue.message}`));
    }
    if (error instanceof TypeError) throw new InputError([error.message]);
    throw error;
  }
}

/** Of `--docs` and `--sites`, there must be one. */
function readSites(flags: PlatformFlags, environment: Environment): GitSitesOptions | undefined {
  const { docs, sites: file, "poll-seconds": pollSeconds } = flags;
  if (file === undefined) {
    if (docs === undefined) throw new InputError(["--docs: is required, unless there is --sites"]);
    if (pollSeconds === undefined) return undefined;
    throw new InputError(["--poll-seconds: needs --sites"]);
  }
  const others = ["docs", "domain", "repository", "base", "github", "push", "project"] as const;
  const problems = others.filter((name) => flags[name] !== undefined);
  if (problems.length > 0)
    throw new InputError(problems.map((name) => `--${name}: is not possible with --sites`));
  return { file, pollEveryMs: (pollSeconds ?? 60) * 1000, environment };
}

type DatabaseFlags = Pick<PlatformFlags, "database-url">;

function readDatabaseUrl(flags: DatabaseFlags, environment: Environment): string | undefined {
  return flags["database-url"] ?? (environment["DOCS_PLATFORM_DATABASE_URL"] || undefined);
}

/** What several processes need: a database, a bucket, and keys that all of them know. */
function readCluster(flags: PlatformFlags, environment: Environment): ClusterOptions | undefined {
  const databaseUrl = readDatabaseUrl(flags, environment);
  if (databaseUrl === undefined) {
    if (flags.role !== "all")
      throw new InputError([`--role: ${flags.role} needs --database-url, which the other role works on too`]);
    if (flags.bucket === undefined) return undefined;
    throw new InputError(["--bucket: needs --database-url"]);
  }
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = environment;
  const drainMs = flags["drain-seconds"] * 1000;
  if (flags.bucket === undefined || !accessKeyId || !secretAccessKey) {
    const needs = "--bucket, and AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment";
    throw new InputError([`--database-url: needs ${needs}`]);
  }
  const given = [environment["DOCS_PLATFORM_ADMIN_KEY"], environment["DOCS_PLATFORM_ASSISTANT_KEY"]];
  if (flags.role !== "worker" && flags.keys === undefined && !given.every(Boolean)) {
    const how = "--keys FILE, or DOCS_PLATFORM_ADMIN_KEY and DOCS_PLATFORM_ASSISTANT_KEY";
    throw new InputError([`--database-url: every process needs the same keys: ${how}`]);
  }
  if (flags["link-minutes"] > 10_080)
    throw new InputError(["--link-minutes: links to a bucket work for 10080 minutes (a week) at most"]);
  // Those of --sites push to their site's own repository.
  const isPushed = [flags.github, flags.push, flags.sites].some((flag) => flag !== undefined);
  if (flags["agent-command"] !== undefined && !isPushed) {
    const why = "agents need --github or --push, for their branches to leave the machine";
    throw new InputError([`--agent-command: with --database-url, ${why}`]);
  }
  const bucket = {
    bucket: flags.bucket,
    endpoint: flags["bucket-endpoint"],
    linkEndpoint: flags["bucket-link-endpoint"],
    region: environment["AWS_REGION"] || "us-east-1",
    accessKeyId,
    secretAccessKey,
    sessionToken: environment["AWS_SESSION_TOKEN"],
    linkLifetimeMs: flags["link-minutes"] * 60_000,
  };
  return { databaseUrl, drainMs, bucket };
}

function readAgent(flags: PlatformFlags, environment: Environment): PlatformOptions["agent"] {
  const command = flags["agent-command"];
  if (command === undefined) return undefined;
  if (flags.push !== undefined && flags.github !== undefined)
    throw new InputError(["--push: is not needed with --github, which pushes there"]);
  const [, name = "", email = ""] = /^(.+) <(.+)>$/.exec(flags.author ?? "") ?? [];
  return {
    command,
    repository: flags.repository ?? flags.docs ?? ".",
    environment,
    passedVariables: flags["agent-env"],
    timeLimitMs: flags["agent-minutes"] * 60_000,
    base: flags.base,
    github: readGitHub(flags.github, environment),
    ...(flags.push !== undefined && {
      push: { remote: flags.push, token: environment["DOCS_PLATFORM_GIT_TOKEN"] },
    }),
    ...(email !== "" && { author: { name, email } }),
  };
}

function readGitHub(slug: string | undefined, environment: Environment): GitHubRemote | undefined {
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

function readAssistant(site: string | undefined, environment: Environment): PlatformOptions["assistant"] {
  const model = readModelOptions(environment);
  if (model === undefined && site === undefined) return undefined;
  return { model, links: site === undefined ? undefined : { kind: "pages", baseUrl: site } };
}
