/** Composes `command: doctor`: inputs and the runner's environment in, a diagnosis out. */
import { readFile, statfs } from "node:fs/promises";
import { z } from "zod";
import type { Log } from "../../base/runtime.ts";
import { version } from "../../base/version.ts";
import { keyKindOf } from "../../client/contract.ts";
import { createGitHubApi, type GitHubApi } from "../../github/github-api.ts";
import { probeToken } from "../../github/token.ts";
import { formatCount } from "../../presentation/markdown.ts";
import { renderDoctorSummary } from "../../presentation/summaries.ts";
import { connectPlatform } from "../connect.ts";
import type { RunnerFacts } from "../doctor/examine-runner.ts";
import type { Finding } from "../doctor/finding.ts";
import { diagnoseSetup } from "../doctor.ts";
import type { InputsOf } from "../inputs.ts";
import type { CommandEnd, Run } from "../run.ts";

export async function runDoctorStep(inputs: InputsOf<"doctor">, context: Run): Promise<CommandEnd<"doctor">> {
  const { environment, log } = context;
  const workspace = environment["GITHUB_WORKSPACE"] ?? process.cwd();
  await using connection = await connectPlatform(inputs, context);
  const api = openApi(inputs, context);
  const diagnosis = await diagnoseSetup(
    {
      platformOrigin: connection.platform.origin,
      keyKind:
        inputs.apiKey !== undefined && keyKindOf(inputs.apiKey) === "assistant" ? "assistant" : "admin",
      isEmbedded: inputs.baseUrl === "local",
      projectId: inputs.projectId,
      domain: inputs.domain,
      runner: await readRunnerFacts(workspace, context),
    },
    {
      platform: connection.platform,
      probeToken: api && (() => probeToken(api)),
    },
  );
  for (const finding of diagnosis.findings) logFinding(finding, log);
  const problems = diagnosis.findings.filter(({ verdict }) => verdict === "problem").length;
  return {
    outcome: diagnosis.outcome,
    message:
      problems === 0
        ? "No problem was found."
        : `${formatCount(problems, "problem")} found; see the summary.`,
    summary: renderDoctorSummary(diagnosis),
  };
}

/** A diagnosis does not wait as long as a command: a GitHub that hesitates is a finding too. */
const patience = { timeoutMs: 10_000, attempts: 2 };

/** GitHub's API for the run's token; `undefined` where there is none, or no repository to ask about. */
function openApi(
  { githubToken: token }: { readonly githubToken?: string | undefined },
  { environment, log, signal, random, clock }: Run,
): GitHubApi | undefined {
  const [owner, name] = environment["GITHUB_REPOSITORY"]?.split("/") ?? [];
  if (token === undefined || !owner || !name) return undefined;
  const apiUrl = environment["GITHUB_API_URL"] || "https://api.github.com";
  const repository = { owner, name, id: `${owner}/${name}` };
  const userAgent = `docs-automation-action/${version}`;
  return createGitHubApi(
    { apiUrl, token, userAgent, repository, ...patience },
    { log, signal, random, clock },
  );
}

function logFinding({ subject, verdict, detail, hint }: Finding, log: Log): void {
  const line = [`${subject}: ${detail}`, ...(hint === undefined ? [] : [hint])].join(" ");
  if (verdict === "problem") log.warning(line);
  else log.info(`${verdict}: ${line}`);
}

const Payload = z.looseObject({
  pull_request: z
    .looseObject({ head: z.looseObject({ repo: z.looseObject({ fork: z.boolean() }).nullish() }) })
    .optional(),
});

async function readRunnerFacts(workspace: string, { environment }: Run): Promise<RunnerFacts> {
  const { bavail, bsize } = await statfs(workspace);
  const server = new URL(environment["GITHUB_SERVER_URL"] ?? "https://github.com").hostname;
  return {
    nodeVersion: process.version,
    eventName: environment["GITHUB_EVENT_NAME"],
    isFork: await comesFromFork(environment["GITHUB_EVENT_PATH"]),
    hasArtifactService: Boolean(environment["ACTIONS_RESULTS_URL"] && environment["ACTIONS_RUNTIME_TOKEN"]),
    isEnterpriseServer: !/^(github\.com|.+\.ghe\.com|.+\.localhost)$/i.test(server),
    freeBytes: bavail * bsize,
    usesProxy: ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"].some((name) =>
      Boolean(environment[name]),
    ),
  };
}

async function comesFromFork(eventPath: string | undefined): Promise<boolean> {
  if (!eventPath) return false;
  const payload = Payload.safeParse(JSON.parse(await readFile(eventPath, "utf8")));
  return payload.data?.pull_request?.head.repo?.fork ?? false;
}
