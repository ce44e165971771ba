/** The file for `--sites`: the domains, repository, branch and folder of each site. */
import { dirname, resolve } from "node:path";
import * as z from "zod/mini";
import { ActionError, InputError } from "../../base/errors.ts";
import { type Environment, readVariable } from "../../base/runtime.ts";
import { readRemoteAddress } from "../agents/git-remote.ts";
import { hostName, type ProjectRepository } from "../base/sites.ts";
import { parseYamlList, readOptionFile } from "../base/yaml-list.ts";

export interface SiteEntry extends Omit<ProjectRepository, "project"> {
  /** In lower case; at least one. */
  readonly domains: readonly string[];
  readonly project: string | undefined;
  readonly webhookSecret: string | undefined;
}

const textLike = (pattern: RegExp, rule: string) => z.string().check(z.regex(pattern, rule));

/** The rules of `git check-ref-format`, except for a few names that no host accepts. */
const branch = textLike(/^(?![-/.])(?!.*(?:\.\.|\/\/|@\{|[\s~^:?*[\\\p{Cc}])).*[^/.]$/u, "must be a branch");
const relativePath = /^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$))[^\\:\p{Cc}]+$/u;
const variable = textLike(/^[A-Za-z_]\w*$/, "must be the name of an environment variable");

const SiteFields = z.strictObject({
  domains: z
    .array(hostName.check(z.toLowerCase()), "must be a list of host names")
    .check(z.minLength(1, "must name at least one")),
  repository: z.string("is required"),
  branch: z.optional(branch),
  folder: z._default(textLike(relativePath, "must be a path within the repository, with /"), "."),
  project: z.optional(textLike(/^[\w.-]{1,100}$/, "must be letters, digits or . _ -")),
  tokenVariable: z.optional(variable),
  webhookSecretVariable: z.optional(variable),
});
type SiteFields = z.infer<typeof SiteFields>;

/**
 * Reads the sites of a YAML or JSON file. Paths of repositories are relative to the file's folder.
 *
 * @param environment Contains the tokens and secrets whose variables the file names.
 * @throws {InputError} with all problems, each with the number of the site and the field.
 */
export async function readSitesFile(path: string, environment: Environment): Promise<SiteEntry[]> {
  const text = await readOptionFile("--sites", path);
  const { entries, problems } = parseYamlList("--sites", text, SiteFields);
  const sites = entries.flatMap(
    ({ fields, report }) => resolveSite(fields, dirname(resolve(path)), environment, report) ?? [],
  );
  if (sites.length + problems.length === 0) problems.push("--sites: the file has no sites.");
  for (const name of findRepeated(sites.flatMap(({ domains }) => domains)))
    problems.push(`--sites: domains: ${name} is listed twice.`);
  for (const name of findRepeated(sites.flatMap(({ project }) => project ?? [])))
    problems.push(`--sites: project: ${name} belongs to two sites.`);
  // Sites of a repository share a mirror, and therefore a token.
  const accesses = new Set(sites.map(({ url, access }) => `${url} ${access?.token ?? ""}`));
  for (const url of findRepeated([...accesses].map((access) => access.replace(/ .*/s, ""))))
    problems.push(`--sites: tokenVariable: the sites of ${url} have different tokens.`);
  if (problems.length > 0) throw new InputError(problems);
  return sites;
}

const findRepeated = (values: readonly string[]) =>
  new Set(values.filter((value, index) => values.indexOf(value) !== index));

function resolveSite(
  { domains, repository, branch, folder, project, tokenVariable, webhookSecretVariable }: SiteFields,
  root: string,
  environment: Environment,
  report: (field: string, message: string) => void,
): SiteEntry | undefined {
  const read = (field: string, name: string | undefined) => {
    const value = name && readVariable(environment, name);
    if (name !== undefined && value === undefined)
      report(field, `the environment variable ${name} is not set`);
    return value;
  };
  const token = read("tokenVariable", tokenVariable);
  const webhookSecret = read("webhookSecretVariable", webhookSecretVariable);
  try {
    const { url, access } = readRemoteAddress(repository, token, root);
    if (token !== undefined && access === undefined)
      report("tokenVariable", "a token requires an https repository");
    const parts = folder.split("/").filter((part) => part !== "" && part !== ".");
    return { domains, url, access, branch, folder: parts.join("/"), project, webhookSecret };
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    report("repository", "must be an https, ssh or file URL, or a path");
    return undefined;
  }
}
