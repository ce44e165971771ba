import { parseArgs } from "node:util";
import { z } from "zod";
import { InputError } from "../errors.ts";
import type { StartOptions } from "./start-local-platform.ts";

/** What `npm run platform` was asked for. */
export interface CommandLine extends StartOptions {
  readonly verbose: boolean;
}

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
  --verbose              shows every request
  --help                 shows this text

Environment:
  DOCS_PLATFORM_ADMIN_KEY       svc_…: starts and follows jobs
  DOCS_PLATFORM_ASSISTANT_KEY   svc_dsc_…: asks the assistant
  DOCS_PLATFORM_READ_KEY        svc_…: follows jobs only
  Keys that are not set are made on the first start, printed once, and kept in the data directory.`;

const options = {
  docs: { type: "string" },
  port: { type: "string" },
  host: { type: "string" },
  "public-url": { type: "string" },
  domain: { type: "string", multiple: true },
  data: { type: "string" },
  plan: { type: "string" },
  "link-minutes": { type: "string" },
  verbose: { type: "boolean" },
  help: { type: "boolean" },
} as const;

const CommandLineValues = z.object({
  docs: z.string("is required").min(1),
  port: z.coerce.number().int().min(0).max(65_535).default(4870),
  host: z.string().min(1).default("127.0.0.1"),
  "public-url": z.url({ protocol: /^https?$/ }).optional(),
  domain: z.array(z.string().min(1).toLowerCase()).default(["localhost"]),
  data: z.string().min(1).optional(),
  plan: z.enum(["enterprise", "pro"]).default("enterprise"),
  "link-minutes": z.coerce.number().positive().default(60),
  verbose: z.boolean().default(false),
});

/**
 * Reads the command line and the environment; `undefined` where help was asked for.
 *
 * @throws {InputError} with every problem, by the option's name.
 */
export function parseCommandLine(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): CommandLine | undefined {
  const { help, ...given } = readArguments(argv);
  if (help === true) return undefined;
  const parsed = CommandLineValues.safeParse(given);
  if (!parsed.success) {
    throw new InputError(parsed.error.issues.map((issue) => `--${issue.path.join(".")}: ${issue.message}`));
  }
  const { docs, port, host, domain, data, plan, verbose, ...others } = parsed.data;
  return {
    docsDir: docs,
    port,
    host,
    domains: domain,
    dataDir: data,
    plan,
    publicUrl: others["public-url"],
    linkLifetimeMs: others["link-minutes"] * 60_000,
    keys: readKeys(environment),
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

function readKeys(environment: Readonly<Record<string, string | undefined>>) {
  const admin = environment["DOCS_PLATFORM_ADMIN_KEY"] || undefined;
  const assistant = environment["DOCS_PLATFORM_ASSISTANT_KEY"] || undefined;
  const readOnly = environment["DOCS_PLATFORM_READ_KEY"] || undefined;
  return { ...(admin && { admin }), ...(assistant && { assistant }), ...(readOnly && { readOnly }) };
}
