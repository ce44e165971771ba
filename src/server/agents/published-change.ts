/**
 * What becomes of an agent's commit: a branch and a pull request, on GitHub, in the served repository or at another host, and the
 * words that they carry. What people wrote is never able to mention, close, link or format anything there.
 */
import { JobFailedError } from "../../base/errors.ts";
import { GitError } from "./git.ts";

/** Where an agent's work goes. Everything it does may be repeated. */
export interface PullRequestHost {
  /** The repository's address; a path where it is below the platform's own address. */
  readonly repository: string;
  /** Where a job starts or goes on. */
  findStart(branch: string, signal: AbortSignal): Promise<TurnStart>;
  /** What `publish` returned for a branch that no record tells of, if it is open. */
  findOpen(branch: string, signal: AbortSignal): Promise<string | undefined>;
  /** What became of what was published, by what `publish` returned. */
  readState(published: string, signal: AbortSignal): Promise<"open" | "merged" | "closed">;
  /**
   * Brings the commit to the branch and finds or opens its pull request.
   *
   * @returns the pull request's address; the branch's name where only git is known of the host.
   */
  publish(change: PublishedChange, signal: AbortSignal): Promise<string>;
}

/** Where the work on a prompt begins. */
export interface TurnStart {
  /** Tip of the job's branch, or else of its base; present in the platform's own repository. */
  readonly commit: string;
  readonly base: string;
  readonly hasBranch: boolean;
}

/** A commit that is to be reviewed and merged. */
export interface PublishedChange {
  readonly jobId: string;
  /** Name of the prompt's work, which the commit's message carries. */
  readonly turn: string;
  readonly branch: string;
  readonly base: string;
  readonly commit: string;
  readonly title: string;
  /** What the agent was asked to do, in order. */
  readonly prompts: readonly string[];
}

/**
 * Moves a branch to a commit, without force: git takes the commit only on top of what is there at that moment. Of two attempts at one
 * turn, here or on two machines, the second is refused, because neither commit contains the other, and so is one that would undo
 * what people pushed. The refused attempt uses the other one's commit, on which people may have built since.
 *
 * @param findWork The commit on the branch, as it is after a refusal, that holds the turn's work.
 * @returns the commit on the branch that holds the turn's work.
 */
export async function moveBranch(
  { branch, commit }: Pick<PublishedChange, "branch" | "commit">,
  move: Promise<unknown>,
  findWork: () => Promise<string | undefined>,
  signal: AbortSignal,
): Promise<string> {
  try {
    await move;
    return commit;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    signal.throwIfAborted();
    const [found] = await Promise.allSettled([findWork()]);
    if (found.status === "fulfilled" && found.value !== undefined) return found.value;
    const message = `The branch ${branch} could not be pushed: ${error.message}`;
    throw new JobFailedError(message, { cause: error });
  }
}

const maxSubjectLength = 72;
/** GitHub's limit of a body is 65,536 characters. */
const maxPromptLength = 50_000;

/** One line that says what a prompt asks for: a commit's subject and a pull request's title. */
export function describeSubject(prompt: string): string {
  // What follows the first paragraph is detail, or quoted.
  const [paragraph = ""] = prompt.trim().split(/\n\s*\n/, 1);
  // Only plain words and marks stay: no mention, issue reference, address, markup or invisible character.
  const words = paragraph
    .replaceAll(/https?:\/\/\S*/gi, " ")
    .replaceAll(/\bGH-(?=\d)/gi, " ")
    .replaceAll(/[^\p{L}\p{N} .,:;!?'()_/-]+/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  const subject = `docs: ${words || "edit by an agent"}`;
  if (subject.length <= maxSubjectLength) return subject;
  return `${subject.slice(0, maxSubjectLength - 1).replace(/\s+\S*$/, "")}…`;
}

/** The trailer that names the turn whose work a commit holds. */
export const turnTrailer = "Docs-Agent-Turn";

/** The message of the commit that holds the changes of one prompt. */
export function describeCommit(jobId: string, turn: string, prompt: string): string {
  return `${describeSubject(prompt)}\n\nDocs-Agent-Job: ${jobId}\n${turnTrailer}: ${turn}\n`;
}

/** The body of a job's pull request: every prompt as it was written, as a block of code. */
export function describePullRequest(jobId: string, prompts: readonly string[]): string {
  const maxLength = Math.floor(maxPromptLength / prompts.length);
  const blocks = prompts.map((prompt) => fence(keepEnds(prompt, maxLength)));
  const intro = "An agent edited these documents when it was asked to:";
  return `${[intro, ...blocks, `Agent job \`${jobId}\`.`].join("\n\n")}\n`;
}

/** Text as a block of code that it cannot end by itself. */
function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const marks = "`".repeat(longest + 1);
  return `${marks}text\n${text.replaceAll("\0", "\uFFFD")}\n${marks}`;
}

/** The beginning and the end of a long text. */
function keepEnds(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const half = Math.floor(maxLength / 2);
  const left = text.length - 2 * half;
  return `${text.slice(0, half)}\n[… ${left} characters …]\n${text.slice(-half)}`;
}
