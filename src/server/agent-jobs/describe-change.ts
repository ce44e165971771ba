/** Words for an agent's change: what people wrote is never able to mention, close, link or format anything. */

const maxSubjectLength = 72;
/** GitHub's limit of a body is 65,536 characters. */
const maxPromptLength = 50_000;

/** One line that says what a prompt asks for: a commit's subject and a pull request's title. */
export function describeSubject(prompt: string): string {
  // What follows the first paragraph is detail, or quoted.
  const [paragraph = ""] = prompt.trim().split(/\n\s*\n/, 1);
  const words = paragraph
    // Only plain words and marks stay: no mention, issue reference, address, markup or invisible character.
    .replaceAll(/https?:\/\/\S*/gi, " ")
    .replaceAll(/\bGH-(?=\d)/gi, " ")
    .replaceAll(/[^\p{L}\p{N} .,:;!?'()_/-]+/gu, " ")
    .trim()
    .split(/\s+/)
    .join(" ");
  const subject = `docs: ${words || "edit by an agent"}`;
  if (subject.length <= maxSubjectLength) return subject;
  return `${subject.slice(0, maxSubjectLength - 1).replace(/\s+\S*$/, "")}…`;
}

/** The message of the commit that holds the changes of one prompt. */
export function describeCommit({ jobId, prompt }: { jobId: string; prompt: string }): string {
  return `${describeSubject(prompt)}\n\nDocs-Agent-Job: ${jobId}\n`;
}

/** The body of a job's pull request: every prompt as it was written, as a block of code. */
export function describePullRequest({
  jobId,
  prompts,
}: {
  jobId: string;
  prompts: readonly string[];
}): string {
  const blocks = prompts.map((prompt) =>
    fence(shorten(prompt, Math.floor(maxPromptLength / prompts.length))),
  );
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
function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const half = Math.floor(maxLength / 2);
  const left = text.length - 2 * half;
  return `${text.slice(0, half)}\n[… ${left} characters …]\n${text.slice(-half)}`;
}
