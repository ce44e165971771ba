/** The error taxonomy (`error-code`, `class`, hint) that every part of the action throws and the frame alone reports. */

/** Who can fix an error. */
export type ErrorClass = "user" | "config" | "auth" | "quota" | "platform" | "network" | "github" | "bug";

/** The object behind the output `error-json`; the same in log, annotation, summary and comment. */
export interface ErrorReport {
  readonly code: ErrorCode;
  readonly class: ErrorClass;
  readonly message: string;
  readonly hint: string;
  readonly retryable: boolean;
  /** HTTP status, where an HTTP answer is behind the error. */
  readonly status?: number;
  /** Identifier the answering service gave the request. */
  readonly requestId?: string;
  /** The section of the documentation that says more. */
  readonly docsUrl: string;
}

interface CodeFacts {
  readonly class: ErrorClass;
  /** Whether running again may help. */
  readonly retryable?: true;
  /** The next step. */
  readonly hint: string;
}

/** Defaults of each code. */
const factsByCode = {
  "invalid-input": { class: "user", hint: "Correct what is named above and run again." },
  unauthorized: {
    class: "auth",
    hint: "The key is missing, wrong, revoked or expired: make a new one on the dashboard's API keys page. In a workflow, store it as the secret that is passed as `api-key`.",
  },
  forbidden: {
    class: "auth",
    hint: "The platform's message says why. If it does not, ask its administrator about the key's scope (a read-only key cannot start anything), its domains and projects, an address allow-list (hosted runners have no fixed address), and the plan.",
  },
  "not-found": {
    class: "config",
    hint: "Check `base-url`, `project-id`, `domain` and `job-id`: the platform does not know one of them, or the key belongs to another organization.",
  },
  conflict: {
    class: "platform",
    retryable: true,
    hint: "The platform says that the job is not in a state that allows this. Run again later.",
  },
  "rate-limited": {
    class: "quota",
    retryable: true,
    hint: "The platform's limit is used up. Run again later, or raise `timeout-minutes` so that the action can wait for it.",
  },
  rejected: {
    class: "user",
    hint: "The platform refused the request; its message above names what to change.",
  },
  unavailable: { class: "platform", retryable: true, hint: "The platform is failing. Run again later." },
  unreachable: {
    class: "network",
    retryable: true,
    hint: "Check `base-url`, the runner's network and the proxy variables (HTTPS_PROXY, NO_PROXY).",
  },
  "unexpected-response": {
    class: "platform",
    retryable: true,
    hint: "The answer is not the platform's API. Check that `base-url` is the API's address and that no proxy or login page stands in front of it.",
  },
  "job-failed": {
    class: "platform",
    retryable: true,
    hint: "The platform's job ended without a result. Read its reason above; run again to start a new job.",
  },
  "bundle-corrupt": {
    class: "platform",
    retryable: true,
    hint: "What was downloaded is not the bundle the platform promised. Run again with `job-id` to download it again without a new export.",
  },
  "bundle-too-large": { class: "config", hint: "Raise `max-bundle-megabytes` if this size is expected." },
  "unsafe-archive": {
    class: "platform",
    hint: "The archive holds entries that would leave its folder or harm the machine. Nothing was kept; ask the platform's operator where it comes from.",
  },
  "disk-full": {
    class: "config",
    hint: "Free space on the runner, choose an `output-dir` on a larger disk, or export less.",
  },
  "stream-cut": {
    class: "network",
    retryable: true,
    hint: "The answer ended too early. What arrived is shown and marked as incomplete; ask again.",
  },
  "timed-out": {
    class: "platform",
    retryable: true,
    hint: "The job goes on at the platform. Run again with its `job-id`, or raise `timeout-minutes`.",
  },
  cancelled: {
    class: "user",
    retryable: true,
    hint: "Run again to get a result; with its `job-id`, a job that was started is followed to its end.",
  },
  "missing-permission": { class: "github", hint: "Add the missing line to the job's `permissions:`." },
  "pull-request-mismatch": {
    class: "platform",
    hint: "The platform reported a pull request that is not one of this job's repository. It was not shown; look for the pull request on the platform's dashboard.",
  },
  internal: { class: "bug", hint: "This is a defect of the action. Please report it with the lines above." },
} satisfies Record<string, CodeFacts>;

/** Every value of the output `error-code`. */
export type ErrorCode = keyof typeof factsByCode;

/** Every code, in the order of the reference. */
export const errorCodes = Object.keys(factsByCode) as readonly ErrorCode[];

export interface ErrorDetails {
  readonly hint?: string;
  /** The section of `docs/troubleshooting.md` that says more than the code's own. */
  readonly section?: string | undefined;
  readonly retryable?: boolean;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/** An expected failure: what happened, where, with which value, and the next step. */
export class ActionError extends Error {
  override readonly name: string = "ActionError";
  readonly code: ErrorCode;
  readonly hint: string;
  readonly docsUrl: string;
  readonly retryable: boolean;
  readonly status: number | undefined;
  readonly requestId: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    const usual: CodeFacts = factsByCode[code];
    this.code = code;
    this.hint = details.hint ?? usual.hint;
    const { section } = details;
    const page = section ? `troubleshooting.md#${section}` : `reference/errors.md#${code}`;
    this.docsUrl = `https://github.com/docs-automation/docs-automation-action/blob/main/docs/${page}`;
    this.retryable = details.retryable ?? usual.retryable ?? false;
    this.status = details.status;
    this.requestId = details.requestId;
  }

  get class(): ErrorClass {
    return factsByCode[this.code].class;
  }
}

/** All problems of a run's inputs at once, each by the input's public name. */
export class InputError extends ActionError {
  override readonly name = "InputError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      "invalid-input",
      problems.length === 1 ? `${problems[0]}` : `${problems.length} problems: ${problems.join(" · ")}`,
    );
    this.problems = problems;
  }
}

/** The platform's job itself gave up; `message` carries the platform's reason. */
export class JobFailedError extends ActionError {
  override readonly name = "JobFailedError";

  constructor(message: string, details: ErrorDetails = {}) {
    super("job-failed", message, details);
  }
}

/** The run was cancelled (SIGINT, SIGTERM) or its wall-clock deadline passed; the reason of the run's `AbortSignal`. */
export class InterruptedError extends ActionError {
  override readonly name = "InterruptedError";
  declare readonly code: "cancelled" | "timed-out";

  constructor(code: "cancelled" | "timed-out", message: string, details: ErrorDetails = {}) {
    super(code, message, details);
  }
}

/** What to report of anything thrown: an expected error as it is, anything else as a bug. */
export function toErrorReport(thrown: unknown): ErrorReport {
  const defect =
    thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : `A value was thrown: ${thrown}`;
  const error = thrown instanceof ActionError ? thrown : new ActionError("internal", defect);
  const { code, message, hint, retryable, status, requestId, docsUrl } = error;
  const answer = { ...(status !== undefined && { status }), ...(requestId !== undefined && { requestId }) };
  return { code, class: error.class, message, hint, retryable, ...answer, docsUrl };
}
