/** The doctor command: looks at everything the other commands would use, and changes nothing. */
import { ActionError, reportError } from "../base/errors.ts";
import { PlatformError } from "../client/errors.ts";
import type { PlatformClient } from "../client/platform-client.ts";
import { examineRunner, type RunnerFacts } from "./doctor/examine-runner.ts";
import type { Finding } from "./doctor/finding.ts";

export interface DoctorOptions {
  readonly platformOrigin: string;
  readonly keyKind: "admin" | "assistant";
  /** The platform is part of this run: it has its own keys, project and domain. */
  readonly isEmbedded: boolean;
  readonly projectId: string | undefined;
  readonly domain: string | undefined;
  readonly runner: RunnerFacts;
}

export interface DoctorDeps {
  readonly platform: Pick<PlatformClient, "getExportJob" | "getAgentJob">;
  /**
   * Reads the repository, its issues and its pull requests with the run's token; says which of them it may not read.
   * `undefined` where there is no token.
   */
  readonly probeToken:
    | (() => Promise<readonly { readonly line: string; readonly readable: boolean }[]>)
    | undefined;
}

export interface Diagnosis {
  readonly outcome: "healthy" | "unhealthy";
  readonly findings: readonly Finding[];
}

/** A job that no platform has: asking for it shows whether the key is accepted. */
const noSuchJob = "doctor-looks-for-no-job";

/** Examines the set-up; every finding is independent of the others, so all of them are shown. */
export async function diagnoseSetup(options: DoctorOptions, deps: DoctorDeps): Promise<Diagnosis> {
  const findings = [
    ...(await examinePlatform(options, deps)),
    ...(await examineToken(deps)),
    ...examineRunner(options.runner),
  ];
  const isHealthy = findings.every(({ verdict }) => verdict !== "problem");
  return { outcome: isHealthy ? "healthy" : "unhealthy", findings };
}

async function examinePlatform(options: DoctorOptions, { platform }: DoctorDeps): Promise<Finding[]> {
  const { platformOrigin, keyKind, projectId, domain } = options;
  if (options.isEmbedded) return [await examineEmbedded(platform)];
  if (keyKind === "assistant") {
    return [
      { subject: "Key", verdict: "ok", detail: "It is an assistant key: for `assistant` only." },
      {
        subject: "Assistant",
        verdict: "unknown",
        detail: "Whether the key is accepted shows only by asking a question, which would be charged.",
      },
      ...(domain === undefined ? [missing("domain", "`assistant`")] : []),
    ];
  }
  return [
    { subject: "Key", verdict: "ok", detail: "It is an admin key: for `agent`, `export` and `reconcile`." },
    await probe(`Static export at ${platformOrigin}`, () => platform.getExportJob(noSuchJob)),
    projectId === undefined
      ? missing("project-id", "`agent` and `reconcile`")
      : await probe("Agent jobs", () => platform.getAgentJob(projectId, noSuchJob)),
    ...(domain === undefined ? [missing("domain", "`export`")] : []),
    {
      subject: "Starting jobs",
      verdict: "unknown",
      detail:
        "Whether the key may start jobs (write scope) shows only by starting one; `dry-run: true` shows what would be sent.",
    },
  ];
}

async function examineEmbedded(platform: DoctorDeps["platform"]): Promise<Finding> {
  const finding = await probe("Embedded platform", () => platform.getExportJob(noSuchJob));
  const detail = "It starts on `docs-dir` and answers; it needs no key, no `project-id` and no `domain`.";
  return finding.verdict === "ok" ? { ...finding, detail } : finding;
}

/** A read that ends in “not found” has passed the key's and the plan's checks. */
async function probe(subject: string, read: () => Promise<unknown>): Promise<Finding> {
  try {
    await read();
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const { code, isFromApi, message, hint } = error;
    if (code !== "not-found") return { subject, verdict: "problem", detail: message, isQuoted: true, hint };
    if (isFromApi) return { subject, verdict: "ok", detail: "It answers, and accepts the key." };
  }
  return {
    subject,
    verdict: "problem",
    detail: "Something answers there, but not as this API does for a job that does not exist.",
    hint: "Check that `base-url` is the API's address, not the dashboard's or the site's.",
  };
}

async function examineToken({ probeToken }: DoctorDeps): Promise<Finding[]> {
  const subject = "GitHub token";
  if (probeToken === undefined) {
    return [
      {
        subject,
        verdict: "advice",
        detail: "There is none: `agent` and `assistant` cannot check permissions or comment.",
        hint: "Leave `github-token` at its default.",
      },
    ];
  }
  try {
    const unreadable = (await probeToken()).filter(({ readable }) => !readable);
    if (unreadable.length === 0)
      return [
        { subject, verdict: "ok", detail: "It reads the repository, its issues and its pull requests." },
      ];
    return unreadable.map(({ line }) => ({
      subject,
      verdict: "advice" as const,
      detail: `It may not read what \`${line}\` covers.`,
      hint: `Commands that run from comments need \`${line}\` in the job's \`permissions:\`; \`export\` needs no permission.`,
    }));
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    const { message, hint } = reportError(error);
    return [{ subject, verdict: "problem", detail: message, isQuoted: true, hint }];
  }
}

function missing(input: string, commands: string): Finding {
  return { subject: `\`${input}\``, verdict: "advice", detail: `It is not set; ${commands} will need it.` };
}
