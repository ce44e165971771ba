/** The job summary of an agent run. */
import { codeBlock, codeSpan, escapeInline } from "./escape-markdown.ts";
import { type RequestStatus, renderStatusComment } from "./status-comment.ts";

/** The summary of a request that was taken; `commentUrl` is the page of its status. */
export function renderAgentSummary(
  status: RequestStatus,
  { nowMs, commentUrl }: { readonly nowMs: number; readonly commentUrl: string | undefined },
): string {
  const link =
    commentUrl === undefined || !URL.canParse(commentUrl) ? "" : `\n\n[Status](${new URL(commentUrl).href})`;
  return `${renderStatusComment(status, { nowMs })}${link}\n`;
}

/** The summary of a run that had nothing to do, or was not allowed to. */
export function renderSkipped({
  command,
  message,
}: {
  readonly command: string;
  readonly message: string;
}): string {
  return `### Docs ${escapeInline(command)}: skipped\n\n${escapeInline(message)}\n`;
}

/** Whoever knows a request's reference could pass a pull request off as the agent's; a summary is read by many. */
const reference = /\bdocs-automation-[0-9a-f]{24}\b/g;

/** The summary of a dry run: what would be sent, but for the reference. */
export function renderAgentDryRun({
  request,
  prompt,
}: {
  readonly request: string;
  readonly prompt: string;
}): string {
  const shown = prompt.replaceAll(reference, "docs-automation-…");
  return `### Docs agent: dry run\n\nNothing was sent. The first request would be ${codeSpan(request)} with this prompt:\n\n${codeBlock(shown)}\n`;
}
