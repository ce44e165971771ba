/** Composes `command: doctor`: inputs and the runner's environment in, a diagnosis out. */
import { readFile, statfs } from "node:fs/promises";
import { resolve } from "node:path";
import { z } from "zod";
import type { RunnerFacts } from "../../commands/doctor/examine-runner.ts";
import type { Finding } from "../../commands/doctor/finding.ts";
import { diagnoseSetup } from "../../commands/doctor.ts";
import { probeToken } from "../../github/probe-token.ts";
import type { Log } from "../../log.ts";
import { keyKindOf } from "../../platform/key-kind.ts";
import { renderDoctorSummary } from "../../presentation/doctor-summary.ts";
import { formatCount } from "../../presentation/format.ts";
import { connectPlatform } from "../connections/connect-platform.ts";
import { startEmbedded } from "../connections/start-embedded.ts";
import type { Step, StepContext } from "../step.ts";

export const doctorStep: Step<"doctor"> = {
  async run(inputs, context) {
    const { environment, log, signal } = context;
    const workspace = environment["GITHUB_WORKSPACE"] ?? process.cwd();
    await using connection = await connectPlatform(inputs, {
      context,
      startEmbedded: () => startEmbedded({ docsDir: resolve(workspace, inputs.docsDir) }, { context }),
    });
    const repository = environment["GITHUB_REPOSITORY"];
    const token = inputs.githubToken;
    const diagnosis = await diagnoseSetup(
      {
        platformOrigin: connection.platform.transport.origin,
        keyKind:
          inputs.apiKey !== undefined && keyKindOf(inputs.apiKey) === "assistant" ? "assistant" : "admin",
        isEmbedded: inputs.baseUrl === "local",
        projectId: inputs.projectId,
        domain: inputs.domain,
        runner: await readRunnerFacts(workspace, context),
      },
      {
        platform: connection.platform,
        probeToken: token && repository ? () => probeToken({ token, repository }, signal) : undefined,
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
  },
};

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

async function readRunnerFacts(workspace: string, { environment }: StepContext): Promise<RunnerFacts> {
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
