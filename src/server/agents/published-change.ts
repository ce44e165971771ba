/**
 * Publishing an agent's commit as a branch and a pull request: the interface of the hosts, and the texts. Text from users cannot
 * mention users, close issues, or add links or formatting.
 */
import { stripInvisibleCharacters } from "../../base/invisible-characters.ts";
import { cutText, shorten } from "../../base/text.ts";
import { printBlocks } from "../site/content/to-markdown.ts";

/** A code host. All operations are idempotent. */
export interface PullRequestHost {
  /** URL of the repository; an absolute path means a page of the platform. */
  readonly repository: string;
  /** Finds the commit on which a job starts or continues. A base that no longer exists is replaced by the default one. */
  findStart(job: Pick<PublishedJob, "branch" | "base">, signal: AbortSignal): Promise<TurnStart>;
  /** Finds the open pull request of a branch without a record. */
  findOpen(branch: string, signal: AbortSignal): Promise<Omit<PublishedJob, "branch"> | undefined>;
  readState(job: PublishedJob, signal: AbortSignal): Promise<"open" | "merged" | "closed">;
  /**
   * Pushes the commit to the branch, and opens a pull request or finds the existing one.
   *
   * @returns the URL of the pull request, or the name of the branch if the host supports git only.
   */
  publish(change: PublishedChange, signal: AbortSignal): Promise<string>;
}

/** A job whose change was published. */
export interface PublishedJob {
  readonly branch: string;
  readonly base?: string | undefined;
  /** What `publish` returned. */
  readonly pullRequest: string | null;
}

/** Start of the work on a prompt. */
export interface TurnStart {
  /** Tip of the job's branch, or of its base if there is no branch yet; present in the platform's repository. */
  readonly commit: string;
  readonly base: string;
  readonly hasBranch: boolean;
}

export interface PublishedChange {
  readonly jobId: string;
  /** Id of the turn; also in a trailer of the commit message. */
  readonly turn: string;
  readonly branch: string;
  readonly start: TurnStart;
  readonly commit: string;
  /** Whether the branch contains the commit already. */
  readonly isPushed: boolean;
  readonly title: string;
  readonly body: string;
}

const maxSubjectLength = 72;
/** GitHub limits the body of a pull request to 65,536 characters. */
const maxPromptLength = 50_000;

/** Creates the commit subject and pull request title from a prompt. */
export function describeSubject(prompt: string): string {
  // Later paragraphs are details or quotes.
  const [paragraph = ""] = prompt.trim().split(/\n\s*\n/, 1);
  // Remove mentions, issue references, URLs, markup and invisible characters.
  const words = stripInvisibleCharacters(paragraph)
    .text.replaceAll(/https?:\/\/\S*/gi, " ")
    .replaceAll(/\bGH-(?=\d)/gi, " ")
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Join_Control} .,:;!?'()_/-]+/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  const subject = `docs: ${words || "edit by an agent"}`;
  if (subject.length <= maxSubjectLength) return subject;
  // Only the end of a word is dropped: texts without spaces, such as Japanese ones, are cut anywhere.
  return `${cutText(subject, maxSubjectLength - 1).replace(/(?<=^.{36,})\s+\S*$/, "")}…`;
}

/** Commit trailer with the id of the turn. */
export const turnTrailer = "Docs-Agent-Turn";

/** Creates the commit message for the changes of a prompt. */
export function describeCommit(jobId: string, turn: string, prompt: string): string {
  return `${describeSubject(prompt)}\n\nDocs-Agent-Job: ${jobId}\n${turnTrailer}: ${turn}\n`;
}

/** Creates the body of a job's pull request, with each prompt as a code block. */
export function describePullRequest(jobId: string, prompts: readonly string[]): string {
  const maxLength = Math.floor(maxPromptLength / prompts.length);
  const blocks = prompts.map((prompt) => {
    const value = shorten(prompt, maxLength).replaceAll("\0", "\uFFFD");
    return printBlocks([{ type: "code", lang: "text", value }]).trimEnd();
  });
  const intro = "An agent edited these documents when it was asked to:";
  return `${[intro, ...blocks, `Agent job \`${jobId}\`.`].join("\n\n")}\n`;
}

/** Patterns of `host/path`, and the compare page of that host. A self-hosted server is recognized by a host name such as `gitlab.example.com`. */
const comparePages: readonly (readonly [pattern: RegExp, page: string])[] = [
  [
    /^ssh\.dev\.azure\.com\/v3\/([^/]+\/[^/]+)\/([^/]+)$/,
    "dev.azure.com/$1/_git/$2/pullrequestcreate?sourceRef={from}&targetRef={to}",
  ],
  [/^(dev\.azure\.com\/.*_git\/[^/]+)$/, "$1/pullrequestcreate?sourceRef={from}&targetRef={to}"],
  [/^(bitbucket\.org\/.+)$/, "$1/pull-requests/new?source={from}&dest={to}"],
  [
    /^([^/]*\bgitlab\b[^/]*\/.+)$/,
    "$1/-/merge_requests/new?merge_request%5Bsource_branch%5D={from}&merge_request%5Btarget_branch%5D={to}",
  ],
  [/^([^/]*\b(?:github|gitea|forgejo|codeberg)\b[^/]*\/.+)$/, "$1/compare/{to}...{from}?expand=1"],
];

/**
 * The page on which a code host shows the changes of a branch and offers to open a pull request.
 *
 * @param repository Git URL without credentials.
 * @returns `undefined` for an unknown host.
 */
export function findCompareLink(repository: string, base: string, branch: string): string | undefined {
  const web = /^(https?:)\/\/(.+)/.exec(repository);
  const ssh = /^(?!file:)(?:ssh:\/\/)?(?:[^@/]+@)?([^:/]+)(?:(?::\d+)?\/|:)\/*(.+)/.exec(repository);
  const [scheme, host = ""] = web?.slice(1) ?? ["https:", ssh?.slice(1).join("/")];
  const address = host.replace(/(?:\.git)?\/*$/, "");
  const match = comparePages.find(([pattern]) => pattern.test(address));
  const encode = (name: string) => name.split("/").map(encodeURIComponent).join("/");
  const page =
    match &&
    address
      .replace(...match)
      .replace("{from}", encode(branch))
      .replace("{to}", encode(base));
  return page && `${scheme}//${page}`;
}
