/** The doctor command: checks the platform, the token and the runner for the other commands, and changes nothing. */
import { ActionError, InterruptedError } from "../base/errors.ts";
import { readProxySettings } from "../base/http.ts";
import { readGitHubAddresses } from "../base/runtime.ts";
import { formatCount } from "../base/text.ts";
import { PlatformError } from "../client/errors.ts";
import type { PlatformClient } from "../client/platform-client.ts";
import { GitHubError, isRefusal, undefinedIfGone } from "../github/errors.ts";
import { GitHubApi } from "../github/github-api.ts";
import { requireArtifactService } from "../github/results-service.ts";
import { type Finding, renderDoctorSummary } from "../presentation/summaries.ts";
import { connectPlatform } from "./connect-platform.ts";
import type { InputsOf } from "./inputs.ts";
import { classifyApiKey } from "./read-inputs.ts";
import type { CommandResult, Run } from "./run.ts";

type DoctorInputs = Pick<InputsOf<"doctor">, "baseUrl" | "apiKey" | "projectId" | "domain">;

/** Checks the set-up. All checks run, whatever the others find. */
export async function runDoctor(inputs: InputsOf<"doctor">, run: Run): Promise<CommandResult<"doctor">> {
  const findings = [
    ...(await withProblem(inputs.baseUrl === "local" ? "Embedded platform" : "Platform", async () => {
      await using platform = await connectPlatform(inputs, run);
      return await checkPlatform(inputs, platform);
    })),
    // On a command line there is no event, no artifact service and no token.
    ...(run.environment["GITHUB_ACTIONS"] === "true"
      ? [...(await withProblem(tokenSubject, () => checkToken(inputs.githubToken, run))), checkArtifacts(run)]
      : []),
    checkRunner(run),
  ];
  for (const { subject, result, detail, hint } of findings) {
    const line = `${subject}: ${detail} ${hint}`.trimEnd();
    if (result === "problem") run.log.warning(line);
    else run.log.info(`${result}: ${line}`);
  }
  const problems = findings.filter(({ result }) => result === "problem").length;
  const outcome = problems === 0 ? "healthy" : "unhealthy";
  const message =
    problems === 0 ? "No problem was found." : `${formatCount(problems, "problem")} found; see the summary.`;
  return { outcome, message, summary: renderDoctorSummary(outcome, findings) };
}

function finding(result: Finding["result"], subject: string, detail: string, hint = ""): Finding {
  return { result, subject, detail, hint };
}

function quotedProblem(subject: string, { message, hint }: ActionError): Finding {
  return { ...finding("problem", subject, message, hint), isQuoted: true };
}

/** Runs a check. What prevents it, such as a missing `docs-dir`, is a finding too. */
async function withProblem(subject: string, check: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof ActionError) || error instanceof InterruptedError) throw error;
    return [quotedProblem(subject, error)];
  }
}

/** A job id that does not exist: reading it shows whether the key is accepted. */
const noSuchJob = "doctor-check";
/** A failure that passes is no finding. */
const retryPolicy = "unless-limited";

/** Checks the platform, the key, `project-id` and `domain`. */
export async function checkPlatform(
  { baseUrl, apiKey, projectId, domain }: DoctorInputs,
  platform: Pick<PlatformClient, "getExportJob" | "getAgentJob">,
): Promise<Finding[]> {
  if (baseUrl === "local") {
    const detail = "It starts on `docs-dir`; it needs no key, no `project-id` and no `domain`.";
    return [finding("ok", "Embedded platform", detail)];
  }
  const missing = (input: string, commands: string) =>
    finding("advice", `\`${input}\``, `It is not set; ${commands} will need it.`);
  if (apiKey !== undefined && classifyApiKey(apiKey) === "assistant") {
    const charged =
      "Not checked: only a question would show whether the key is accepted and whether `domain` exists, and it would be charged.";
    return [
      finding("ok", "Type of the key", "By its prefix, it is an assistant key: for `assistant` only."),
      await probeAddress(baseUrl.origin, () => platform.getExportJob(noSuchJob, retryPolicy)),
      finding("unknown", "Assistant", charged),
      ...(domain === undefined ? [missing("domain", "`assistant`")] : []),
    ];
  }
  const detail =
    "Not checked: only starting a job would show whether the key may start jobs (write scope), and whether `project-id` and `domain` exist; `dry-run: true` shows what would be sent.";
  return [
    finding(
      "ok",
      "Type of the key",
      "By its prefix, it is an admin key: for `agent`, `export` and `reconcile`.",
    ),
    await probe(`Static export at ${baseUrl.origin}`, () => platform.getExportJob(noSuchJob, retryPolicy)),
    projectId === undefined
      ? missing("project-id", "`agent` and `reconcile`")
      : await probe("Agent jobs", () => platform.getAgentJob(projectId, noSuchJob, retryPolicy)),
    ...(domain === undefined ? [missing("domain", "`export`")] : []),
    finding("unknown", "Starting jobs", detail),
  ];
}

/** A 404 in the format of the API means that the platform accepted the key and the plan. */
async function probe(subject: string, read: () => Promise<unknown>): Promise<Finding> {
  try {
    await read();
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    if (error.code !== "not-found") return quotedProblem(subject, error);
    if (error.isFromApi) return finding("ok", subject, "It responds and accepts the key.");
  }
  const detail = "A server responds there, but not as this API does for a job that does not exist.";
  const hint = "Check that `base-url` is the API's address, not the dashboard's or the site's.";
  return finding("problem", subject, detail, hint);
}

/** Any response shows that the address is right; what it says is about a key of another type. */
async function probeAddress(origin: string, read: () => Promise<unknown>): Promise<Finding> {
  const subject = `Address ${origin}`;
  try {
    await read();
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    if (error.code === "unreachable" || error.code === "unavailable") return quotedProblem(subject, error);
  }
  return finding("ok", subject, "A server responds.");
}

/** Shorter than for other commands: a slow response of GitHub is a finding too. */
const probeLimits = { timeoutMs: 10_000, attempts: 2 };

const tokenSubject = "GitHub token";

async function checkToken(token: string | undefined, { environment, ...run }: Run): Promise<Finding[]> {
  const [owner = "", name] = environment["GITHUB_REPOSITORY"]?.split("/") ?? [];
  if (token === undefined || !name) {
    const detail = "It is missing: `agent` and `assistant` cannot check permissions or comment.";
    return [finding("advice", tokenSubject, detail, "Leave `github-token` at its default.")];
  }
  const { apiUrl } = readGitHubAddresses(environment);
  const repository = { owner, name, id: `${owner}/${name}` };
  const api = new GitHubApi({ apiUrl, token, repository, ...probeLimits }, run);
  const unreadable = (await probeToken(api)).filter(({ readable }) => !readable);
  if (unreadable.length === 0)
    return [finding("ok", tokenSubject, "It reads the repository, its issues and its pull requests.")];
  return unreadable.map(({ line }) => {
    const hint = `Commands that run from comments need \`${line}\` in the job's \`permissions:\`; \`export\` needs no permission.`;
    return finding("advice", tokenSubject, `It has no permission \`${line}\`.`, hint);
  });
}

/**
 * Checks whether the token can read the repository, its issues and its pull requests; `line` is the line of `permissions:` that
 * the commands need.
 *
 * @throws {GitHubError} if GitHub rejects the token or cannot be reached.
 */
export async function probeToken(api: GitHubApi): Promise<{ line: string; readable: boolean }[]> {
  const probe = async (line: string, what: string, collection: "" | "/issues" | "/pulls") => {
    const parameters = collection === "" ? {} : { per_page: 1 };
    try {
      const purpose = { doing: `read ${what}`, permission: line };
      const request = api.request(purpose, `GET /repos/{owner}/{repo}${collection}`, parameters);
      // Issues may be turned off in the repository.
      await undefinedIfGone(request, [410]);
      return { line, readable: true };
    } catch (error) {
      if (error instanceof GitHubError && isRefusal(error)) return { line, readable: false };
      throw error;
    }
  };
  return Promise.all([
    probe("contents: read", "the repository", ""),
    probe("issues: write", "its issues", "/issues"),
    probe("pull-requests: write", "its pull requests", "/pulls"),
  ]);
}

function checkRunner({ environment }: Run): Finding {
  const { httpsProxy, httpProxy } = readProxySettings(environment);
  const proxy = httpsProxy || httpProxy ? "a proxy is set" : "no proxy is set";
  return finding("ok", "Runner", `Node ${process.version}; ${proxy}.`);
}

/** Applies the same rules as an upload. */
function checkArtifacts({ environment }: Run): Finding {
  const subject = "Artifacts";
  try {
    requireArtifactService(environment);
    return finding("ok", subject, "The runner has an artifact service.");
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    return finding("advice", subject, error.message, error.hint);
  }
}
