/** The doctor command: looks at everything the other commands would use, and changes nothing. */
import { ActionError, reportError } from "../errors.ts";
import type { PlatformClient } from "../platform/client.ts";
import { PlatformError } from "../platform/errors.ts";

/** `unknown`: it cannot be told without doing something. */
export type Verdict = "ok" | "advice" | "problem" | "unknown";

export interface Finding {
  readonly subject: string;
  readonly verdict: Verdict;
  /** Markdown of ours. */
  readonly detail: string;
  /** Whether `detail` holds somebody else's words: then it is plain text. */
  readonly isQuoted?: true;
  /** The next step, where there is one. */
  readonly hint?: string;
}

/** What is known of the runner and its job without asking anybody. */
export interface RunnerFacts {
  readonly nodeVersion: string;
  readonly eventName: string | undefined;
  readonly isFork: boolean;
  readonly hasArtifactService: boolean;
  /** A GitHub Enterprise Server, whose artifact service is older. */
  readonly isEnterpriseServer: boolean;
  /** Free bytes where bundles are put. */
  readonly freeBytes: number;
  readonly usesProxy: boolean;
}

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

const supportedEvents = [
  "issue_comment",
  "pull_request_review_comment",
  "pull_request_review",
  "discussion_comment",
  "issues",
  "discussion",
  "push",
  "pull_request",
  "release",
  "schedule",
  "workflow_dispatch",
  "repository_dispatch",
  "workflow_call",
];

/** A gigabyte: less hardly holds a bundle and its site. */
const advisedFreeBytes = 1e9;

function examineRunner(runner: RunnerFacts): Finding[] {
  return [
    examineEvent(runner),
    examineArtifacts(runner),
    runner.freeBytes < advisedFreeBytes
      ? {
          subject: "Disk",
          verdict: "advice",
          detail: `${Math.round(runner.freeBytes / 1e6)} MB are free.`,
          hint: "An export needs room for the bundle and, with `upload: site` or `pages`, for the site.",
        }
      : { subject: "Disk", verdict: "ok", detail: `${Math.round(runner.freeBytes / 1e9)} GB are free.` },
    {
      subject: "Runner",
      verdict: "ok",
      detail: `Node ${runner.nodeVersion}; ${runner.usesProxy ? "a proxy is set" : "no proxy is set"}.`,
    },
  ];
}

function examineEvent({ eventName = "none", isFork }: RunnerFacts): Finding {
  const subject = "Event";
  if (eventName === "pull_request_target") {
    return {
      subject,
      verdict: "advice",
      detail: "`pull_request_target` runs with secrets on a stranger's pull request.",
      hint: "Use `pull_request` with type `closed`, or a comment; the action needs no checkout.",
    };
  }
  if (isFork) {
    return {
      subject,
      verdict: "advice",
      detail: "The run belongs to a pull request from a fork: it gets no secrets.",
      hint: "Set `on-missing-key: skip`.",
    };
  }
  return supportedEvents.includes(eventName)
    ? { subject, verdict: "ok", detail: `\`${eventName}\` can start every command.` }
    : {
        subject,
        verdict: "advice",
        detail: `From \`${eventName}\` no prompt can be read.`,
        hint: "Set `prompt` or `prompt-file`.",
      };
}

function examineArtifacts({ hasArtifactService, isEnterpriseServer }: RunnerFacts): Finding {
  const subject = "Artifacts";
  if (isEnterpriseServer) {
    return {
      subject,
      verdict: "advice",
      detail: "GitHub Enterprise Server has an older artifact service.",
      hint: "Set `upload: none` and upload the file in `bundle-path` with a step of its own.",
    };
  }
  return hasArtifactService
    ? { subject, verdict: "ok", detail: "The runner has an artifact service." }
    : {
        subject,
        verdict: "advice",
        detail: "The runner names no artifact service.",
        hint: "Set `upload: none` outside GitHub Actions.",
      };
}

function missing(input: string, commands: string): Finding {
  return { subject: `\`${input}\``, verdict: "advice", detail: `It is not set; ${commands} will need it.` };
}
