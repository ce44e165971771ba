import type { Finding } from "./finding.ts";

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

/** What of the runner and its event helps or hinders the commands. */
export function examineRunner(runner: RunnerFacts): Finding[] {
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
