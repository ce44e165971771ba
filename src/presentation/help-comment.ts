/** Short replies that are no status comment: why a text did not trigger the action, and which commands there are. */
import { codeSpan, escapeInline, pageLink } from "./markdown.ts";
import { describeStatus, type RequestStatus } from "./status-comment.ts";

/** Explains why a text that seems to call the action did not trigger it; `reason` completes a sentence. */
export function renderHint(phrase: string, reason: string): string {
  return `This did not trigger ${codeSpan(phrase)}: ${escapeInline(reason)}. To trigger it, write a new comment that starts with ${codeSpan(phrase)}.`;
}

/** The reply to a text that was edited after the event and before the run. */
export const editedHint =
  "This text was edited before the run started, so the run ignored it. If no reply to the new text follows, post it as a new comment.";

/**
 * The reply to `/docs status`: the state of the latest request on the thread.
 *
 * @param page URL of its status comment
 * @param jobStatus the job's status, as the platform reports it
 */
export function renderStatusReply(
  request: RequestStatus | undefined,
  page: string | undefined,
  jobStatus: string | undefined,
): string {
  if (request === undefined) return "There is no request to the docs agent on this thread yet.";
  const link = pageLink("Latest request", page) ?? "Latest request";
  const job = jobStatus === undefined ? "" : ` The platform reports the job as ${codeSpan(jobStatus)}.`;
  return `${link}: ${escapeInline(describeStatus(request))}.${job}`;
}

export interface HelpOptions {
  readonly phrases: readonly string[];
  readonly labels: readonly string[];
  readonly followUp: "continue" | "new";
  readonly minimumPermission: string;
  /** Requests per user in an hour. */
  readonly limitPerUser?: number | undefined;
}

/** The reply to `/docs help`: the commands, and who may use them. */
export function renderHelp(options: HelpOptions): string {
  const { phrases, labels, followUp, minimumPermission, limitPerUser } = options;
  const [phrase = ""] = phrases;
  // In a table, `|` ends a cell even inside code.
  const code = (text: string) => codeSpan(text).replaceAll("|", "\\|");
  const command = (text: string) => code(`${phrase} ${text}`);
  const others = phrases.slice(1).map(codeSpan);
  const later =
    followUp === "continue" ? "continues the same job and pull request" : "starts a new job and pull request";
  const limit = limitPerUser === undefined ? "" : `, up to ${limitPerUser} requests an hour each`;
  return [
    "### Docs agent: help",
    "",
    `| Comment | Result |`,
    "|---|---|",
    `| ${command("explain the retry option")} | the agent updates the documentation and links its pull request here |`,
    `| ${code(phrase)} | the same, based on this thread |`,
    `| ${command("…")} again: here, on the pull request or in a review | ${later} |`,
    `| ${command("status")} | shows the state of the latest request |`,
    `| ${command("retry")} | repeats the last request on this thread that did not succeed |`,
    `| ${command("stop")} | stops waiting for the job, which continues on a hosted platform |`,
    `| ${command("help")} | shows this list |`,
    "",
    `A comment must start with ${[codeSpan(phrase), ...others].join(" or ")}, in upper or lower case. Adding the label ${labels.map(codeSpan).join(" or ")} to an issue has the same effect. Labels and reviews count if the workflow has their triggers. Users with ${codeSpan(minimumPermission)} permission can make requests${limit}.`,
  ].join("\n");
}
