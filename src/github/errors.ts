/** Failures at the boundary to GitHub: its API, its artifact service, the runner's token. */
import { ActionError } from "../base/errors.ts";

/** GitHub did not do what was asked; the hint names the `permissions:` line where one is missing. */
export class GitHubError extends ActionError {
  override readonly name = "GitHubError";
}

/** The run's token lacks a permission; `line` is what to add to the job's `permissions:`, such as `issues: write`. */
export function missingPermission(
  line: string,
  { doing, status, cause }: { readonly doing: string; readonly status?: number; readonly cause?: unknown },
): GitHubError {
  return new GitHubError("missing-permission", `The run's token may not ${doing}.`, {
    hint: `Add \`${line}\` to the job's \`permissions:\`.`,
    status,
    cause,
  });
}

/** GitHub's HTTP status behind an error; `undefined` where it is not GitHub's, or no answer came. */
export function statusOfCause(error: unknown): number | undefined {
  return error instanceof GitHubError ? error.status : undefined;
}

/** Whether the token may not do something, or there is no such thing for it: another try would end the same. */
export function isRefusal({ code }: GitHubError): boolean {
  return code === "missing-permission" || code === "not-found";
}
