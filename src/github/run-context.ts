/** The run this process belongs to, read from the runner's variables and the event's payload. */
import { readFile } from "node:fs/promises";
import { InputError } from "../base/errors.ts";

export interface Repository {
  readonly owner: string;
  readonly name: string;
  /** GitHub's number for it; stays when the repository is renamed. */
  readonly id: string;
}

export interface RunContext {
  readonly repository: Repository;
  readonly eventName: string;
  /** The webhook's payload, unchecked. */
  readonly payload: unknown;
  readonly sha: string;
  readonly ref: string;
  readonly runId: string;
  readonly runAttempt: number;
  readonly actor: string;
  /** Who started this attempt; differs from `actor` when somebody else pressed "re-run". */
  readonly triggeringActor: string;
  readonly serverUrl: URL;
  readonly apiUrl: string;
  /** Page of this run and attempt. */
  readonly runUrl: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the run's context.
 *
 * @throws {InputError} when this is not a GitHub runner.
 */
export async function readRunContext(environment: Environment): Promise<RunContext> {
  const need = (name: string): string => {
    const value = environment[name];
    if (value) return value;
    throw new InputError([`${name} is not set: this command runs in a GitHub workflow.`]);
  };
  const [owner = "", name = ""] = need("GITHUB_REPOSITORY").split("/");
  const serverUrl = new URL(environment["GITHUB_SERVER_URL"] || "https://github.com");
  const runId = need("GITHUB_RUN_ID");
  const runAttempt = Number(environment["GITHUB_RUN_ATTEMPT"] || "1");
  return {
    repository: { owner, name, id: environment["GITHUB_REPOSITORY_ID"] || `${owner}/${name}` },
    eventName: need("GITHUB_EVENT_NAME"),
    payload: await readPayload(environment["GITHUB_EVENT_PATH"]),
    sha: environment["GITHUB_SHA"] ?? "",
    ref: environment["GITHUB_REF"] ?? "",
    runId,
    runAttempt,
    actor: environment["GITHUB_ACTOR"] ?? "",
    triggeringActor: environment["GITHUB_TRIGGERING_ACTOR"] || (environment["GITHUB_ACTOR"] ?? ""),
    serverUrl,
    apiUrl: environment["GITHUB_API_URL"] || "https://api.github.com",
    runUrl: new URL(`/${owner}/${name}/actions/runs/${runId}/attempts/${runAttempt}`, serverUrl).href,
  };
}

async function readPayload(path: string | undefined): Promise<unknown> {
  if (!path) return {};
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    throw new InputError([`The event's payload at GITHUB_EVENT_PATH cannot be read: ${String(error)}.`]);
  }
}
