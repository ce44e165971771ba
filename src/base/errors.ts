/** The error taxonomy (`error-code`, `class`, hint). Every part of the action throws these errors; only the frame reports them. */
import { messageOf } from "./text.ts";

/** Who can fix an error. */
export type ErrorClass = "user" | "config" | "auth" | "quota" | "platform" | "network" | "github" | "bug";

interface CodeDefaults {
  readonly class: ErrorClass;
  /** Whether another run may succeed. */
  readonly retryable?: true;
  readonly hint: string;
}

const defaultsByCode = {
  "invalid-input": { class: "user", hint: "Correct what is named above and run again." },
  unauthorized: {
    class: "auth",
    hint: "The API key is missing, wrong, revoked or expired. Create a new one on the dashboard's API keys page. In a workflow, store it as the secret that is passed as `api-key`.",
  },
  forbidden: {
    class: "auth",
    hint: "The platform's message states the reason. If it does not, ask its administrator about the key's scope (a read-only key cannot start jobs), its domains and projects, an address allow-list (GitHub-hosted runners have no fixed address), and the plan.",
  },
  "not-found": {
    class: "config",
    hint: "Check `base-url`, `project-id`, `domain`, `job-id`, `thread-id` and `api-version`: one of them does not exist on the platform, or the key belongs to another organization.",
  },
  conflict: {
    class: "platform",
    retryable: true,
    hint: "The job's current state does not allow this. Run again later.",
  },
  "rate-limited": {
    class: "quota",
    retryable: true,
    hint: "The platform's rate limit is reached. Run again later; in a workflow, raise `timeout-minutes` so that the action can wait.",
  },
  rejected: {
    class: "user",
    hint: "The platform rejected the request. Its message above names what to change.",
  },
  unavailable: {
    class: "platform",
    retryable: true,
    hint: "The platform is temporarily unavailable. Run again later.",
  },
  unreachable: {
    class: "network",
    retryable: true,
    hint: "Check `base-url`, the runner's network and the proxy variables (HTTPS_PROXY, NO_PROXY).",
  },
  "unexpected-response": {
    class: "platform",
    retryable: true,
    hint: "The response is not one of the platform's API. Check that `base-url` is the API's address and that no proxy or login page responds instead.",
  },
  "job-failed": {
    class: "platform",
    retryable: true,
    hint: "The platform's job ended without a result. Run again to start a new job.",
  },
  "bundle-corrupt": {
    class: "platform",
    retryable: true,
    hint: "The downloaded file is not the bundle that the platform promised. Run again with `job-id` to download it again without a new export.",
  },
  "bundle-too-large": { class: "config", hint: "Raise `max-bundle-megabytes` if this size is expected." },
  "unsafe-archive": {
    class: "platform",
    hint: "The archive contains entries that could write outside its folder or harm the machine. Nothing was kept. Report it to the platform's operator.",
  },
  "disk-full": {
    class: "config",
    hint: "Free space on the runner, use one with a larger disk, or export less.",
  },
  "stream-cut": { class: "network", retryable: true, hint: "Ask again." },
  "timed-out": {
    class: "platform",
    retryable: true,
    hint: "A job that has not ended continues on the platform. Run again with its `job-id`, or raise `timeout-minutes`.",
  },
  cancelled: {
    class: "user",
    retryable: true,
    hint: "Run again to get a result. Set `job-id` to continue with a job that has already been started.",
  },
  "missing-permission": { class: "github", hint: "Add the missing line to the job's `permissions:`." },
  "pull-request-mismatch": {
    class: "platform",
    hint: "If the agent works in another repository, set `docs-repository` to it and re-run the workflow: no new job is started. Otherwise look for the pull request on the platform's dashboard.",
  },
  internal: { class: "bug", hint: "This is a bug in the action. Please report it with the lines above." },
} satisfies Record<string, CodeDefaults>;

/** Every value of the output `error-code`. */
export type ErrorCode = keyof typeof defaultsByCode;

/** Every code, in the order of the reference page. */
export const errorCodes = Object.keys(defaultsByCode) as readonly ErrorCode[];

/** The next step for errors of a code that need no other. */
export function defaultHint(code: ErrorCode): string {
  return defaultsByCode[code].hint;
}

export interface ErrorDetails {
  readonly hint?: string | undefined;
  /** A section of `docs/troubleshooting.md` that explains this error better than the reference of its code. */
  readonly section?: string | undefined;
  readonly retryable?: boolean;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/** An expected failure. The message states what happened, where, and with which value; the hint is the next step. */
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
    const defaults: CodeDefaults = defaultsByCode[code];
    this.code = code;
    this.hint = details.hint ?? defaultHint(code);
    const { section } = details;
    const page = section ? `troubleshooting.md#${section}` : `reference/errors.md#${code}`;
    this.docsUrl = `https://github.com/docs-automation/docs-automation-action/blob/main/docs/${page}`;
    this.retryable = details.retryable ?? defaults.retryable ?? false;
    this.status = details.status;
    this.requestId = details.requestId;
  }

  get class(): ErrorClass {
    return defaultsByCode[this.code].class;
  }
}

/** The message of a thrown value and, of an expected failure, the next step. */
export function messageWithHint(thrown: unknown): string {
  return thrown instanceof ActionError ? `${thrown.message} ${thrown.hint}` : messageOf(thrown);
}

/** All problems of a run's inputs at once. Each problem names its input. */
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

/** The platform's job failed. The message contains the platform's reason. */
export class JobFailedError extends ActionError {
  override readonly name = "JobFailedError";

  constructor(message: string, details: ErrorDetails = {}) {
    super("job-failed", message, details);
  }
}

/** The run was cancelled (SIGINT, SIGTERM, SIGHUP) or reached its wall-clock deadline. This is the reason of the run's `AbortSignal`. */
export class InterruptedError extends ActionError {
  override readonly name = "InterruptedError";
  declare readonly code: "cancelled" | "timed-out";

  constructor(code: "cancelled" | "timed-out", message: string, details: ErrorDetails = {}) {
    super(code, message, details);
  }
}

/** The output `error-json`. The log, the annotation, the summary and the comment show the same values. */
export type ErrorReport = Readonly<ReturnType<typeof toErrorReport>>;

/** The report of a thrown value. A value that is not an {@link ActionError} is reported as a bug of the action. */
export function toErrorReport(thrown: unknown) {
  const defect =
    thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : `A value was thrown: ${thrown}`;
  const error = thrown instanceof ActionError ? thrown : new ActionError("internal", defect);
  const { code, message, hint, retryable, status, requestId, docsUrl } = error;
  const response = { ...(status !== undefined && { status }), ...(requestId !== undefined && { requestId }) };
  return { code, class: error.class, message, hint, retryable, ...response, docsUrl };
}
