/** Short replies that are no status: why a text called nothing, and what can be asked. */
import { codeCell, codeSpan, escapeInline, pageLink } from "./markdown.ts";
import { describeStatus, type RequestStatus } from "./status-comment.ts";

/** One line for a person whose text was meant to call by a phrase, and why it does not, as the end of a sentence. */
export function renderHint(phrase: string, reason: string): string {
  return `This did not call ${codeSpan(phrase)}: ${escapeInline(reason)}. To call, write a new comment that begins with ${codeSpan(phrase)}.`;
}

/** One line for a person whose text was changed between the event and the run. */
export function renderEditedHint(): string {
  return "This text was edited before the run began, so the run left it alone. If no answer to the new text follows, write it in a new comment.";
}

type ShownRequest = RequestStatus & {
  readonly page: string | undefined;
  readonly jobStatus: string | undefined;
};

/** How far the newest request of a thread is, in one line. */
export function renderStatusReply(request: ShownRequest | undefined): string {
  if (request === undefined) return "Nothing was asked of the docs agent on this thread yet.";
  const { page, jobStatus } = request;
  const link = pageLink("The newest request", page) ?? "The newest request";
  const job = jobStatus === undefined ? "" : ` The platform says that its job is ${codeSpan(jobStatus)}.`;
  return `${link}: ${escapeInline(describeStatus(request))}.${job}`;
}

export interface HelpFacts {
  readonly phrases: readonly string[];
  readonly labels: readonly string[];
  readonly followUp: "continue" | "new";
  readonly minimumPermission: string;
  /** Requests that a person may make in an hour. */
  readonly limitPerUser?: number | undefined;
}

/** What can be asked, by whom, and what happens then. */
export function renderHelp(facts: HelpFacts): string {
  const { phrases, labels, followUp, minimumPermission, limitPerUser } = facts;
  const [phrase = ""] = phrases;
  const say = (words: string) => codeCell(`${phrase} ${words}`);
  const others = phrases.slice(1).map(codeSpan);
  const later =
    followUp === "continue"
      ? "the same job goes on, in the same pull request"
      : "a new job starts, with a pull request of its own";
  const limit = limitPerUser === undefined ? "" : `, up to ${limitPerUser} requests an hour each`;
  return [
    "### Docs agent: help",
    "",
    `| write | what happens |`,
    "|---|---|",
    `| ${say("explain the retry option")} | the agent changes the documentation, and its pull request is linked here |`,
    `| ${codeCell(phrase)} | the same, in line with what this thread is about |`,
    `| ${say("…")} again: here, on its pull request or in a review | ${later} |`,
    `| ${say("status")} | how far the request is |`,
    `| ${say("retry")} | the last request of this thread once more, if it ended without success |`,
    `| ${say("stop")} | this side stops waiting for the job |`,
    `| ${say("help")} | this list |`,
    "",
    `The first word of a comment calls${others.length === 0 ? "" : `, also ${others.join(", ")}`}; upper and lower case are the same. So does the label ${labels.map(codeSpan).join(" or ")} on an issue. People with ${codeSpan(minimumPermission)} permission may ask${limit}.`,
  ].join("\n");
}
