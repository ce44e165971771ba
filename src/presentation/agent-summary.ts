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

/** The summary of a dry run: what would be sent. */
export function renderAgentDryRun({
  request,
  prompt,
}: {
  readonly request: string;
  readonly prompt: string;
}): string {
  return `### Docs agent: dry run\n\nNothing was sent. The first request would be ${codeSpan(request)} with this prompt:\n\n${codeBlock(prompt)}\n`;
}
