/** Reads the failures of `@actions/artifact`, whose error classes do not survive its own wrapping: only messages do. */
import { messageOf } from "../../base/text.ts";
import { GitHubError } from "../errors.ts";

/**
 * What a failed upload allows next. `taken`: the name is in use, maybe by a failed upload that nobody can see. `refused`:
 * trying again is useless. `unreached`: the service may or may not have made the artifact. `broken`: the artifact was made
 * and the upload broke off, so that its name cannot be used again in this run.
 */
export type UploadFailure = "quota" | "taken" | "refused" | "unreached" | "broken";

/** Classifies what `uploadArtifact` of the library threw. */
export function readUploadFailure(error: unknown): UploadFailure {
  const text = messageOf(error);
  if (/storage quota|insufficient usage/i.test(text)) return "quota";
  if (/JWT|backend ids?/i.test(text)) return "refused";
  if (!/Failed to CreateArtifact/.test(text)) return "broken";
  if (/\(409\)/.test(text)) return "taken";
  // Proxies on the way to the service answer 403 for a while (toolkit issue about "Error from intermediary").
  if (/\(40[0134]\)/.test(text) && !/intermediary/i.test(text)) return "refused";
  return "unreached";
}

const hintByFailure: Record<UploadFailure, string> = {
  quota:
    "Delete artifacts that are no longer needed and set a short `retention-days`; GitHub counts the storage anew every 6 to 12 hours. With `upload: none` the bundle stays on the runner for a later step.",
  taken:
    "Give every job of the run an `artifact-name` of its own, for instance with `${{ matrix.site }}` in it, and `${{ github.run_attempt }}` if re-runs shall not replace.",
  refused:
    "The artifact service did not accept this run's token. Re-run the job; if it happens again, look at githubstatus.com and at the runner's proxy.",
  unreached:
    "The runner could not reach GitHub's artifact service. On a self-hosted runner, allow its addresses (`*.actions.githubusercontent.com`, `*.blob.core.windows.net`); otherwise re-run the job.",
  broken:
    "The upload broke off. Re-run the job with `job-id` to skip the export. On a slow connection a smaller ACTIONS_ARTIFACT_UPLOAD_CONCURRENCY in the step's `env:` helps; an upload has one hour.",
};

const codeByFailure = {
  quota: "rate-limited",
  taken: "conflict",
  refused: "forbidden",
  unreached: "unreachable",
  broken: "unavailable",
} as const;

/** The error that ends an upload: what happened to which artifact, and what to do. */
export function uploadError(
  failure: UploadFailure,
  { name, cause }: { readonly name: string; readonly cause: unknown },
): GitHubError {
  const happened =
    failure === "quota"
      ? "The artifact storage of this account is full."
      : failure === "taken"
        ? "Another artifact of this run has this name and other content."
        : `${firstLine(messageOf(cause))}.`;
  return new GitHubError(
    codeByFailure[failure],
    `The artifact "${name}" could not be uploaded. ${happened}`,
    { hint: hintByFailure[failure], cause },
  );
}

function firstLine(text: string): string {
  return (text.split(/[\r\n]/)[0] ?? "").replace(/\.$/, "");
}
