import { parseArgs } from "node:util";
import { z } from "zod";
import { InputError } from "../../base/errors.ts";
import type { BundleServerOptions } from "./start-bundle-server.ts";

const options = {
  "serve-bundle": { type: "string" },
  port: { type: "string" },
  host: { type: "string" },
  data: { type: "string" },
  "look-seconds": { type: "string" },
} as const;

const BundleCommandLine = z.object({
  "serve-bundle": z.string().min(1),
  port: z.coerce.number().int().min(0).max(65_535).default(4870),
  host: z.string().min(1).default("127.0.0.1"),
  data: z.string().min(1).optional(),
  "look-seconds": z.coerce.number().min(1).max(86_400).default(30),
});

/** Whether the command line asks to serve a bundle, instead of a folder of documents. */
export function asksToServeBundle(argv: readonly string[]): boolean {
  return argv.some((argument) => /^--serve-bundle(=|$)/.test(argument));
}

/**
 * Reads `--serve-bundle FILE|URL` and its options.
 *
 * @throws {InputError} with every problem, by the option's name.
 */
export function parseBundleCommandLine(argv: readonly string[]): BundleServerOptions {
  const parsed = BundleCommandLine.safeParse(readArguments(argv));
  if (!parsed.success) {
    throw new InputError(parsed.error.issues.map((issue) => `--${issue.path.join(".")}: ${issue.message}`));
  }
  const { port, host, data, ...others } = parsed.data;
  return {
    source: others["serve-bundle"],
    port,
    host,
    dataDir: data,
    lookEveryMs: others["look-seconds"] * 1000,
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
