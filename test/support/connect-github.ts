import type { Clock, Log } from "../../src/base/runtime.ts";
import { GitHubApi } from "../../src/github/github-api.ts";
import { createFakeClock } from "./fake-clock.ts";
import type { GitHubStandIn, Permissions } from "./github-stand-in.ts";
import { createRecordingLog } from "./recording-log.ts";

interface Connection {
  readonly log?: Log;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly attempts?: number;
  readonly deadlineMs?: number;
  readonly clock?: Clock;
}

/** The API of the repository `octo-org/widgets`, at any address; waits for another try pass at once. */
export function connectTo(
  apiUrl: string,
  { token = "ghs_token-of-this-test", ...options }: Connection & { readonly token?: string } = {},
): GitHubApi {
  const {
    log = createRecordingLog(),
    signal = new AbortController().signal,
    clock = createFakeClock(),
    ...limits
  } = options;
  const repository = { owner: "octo-org", name: "widgets", id: "101" };
  return new GitHubApi(
    { apiUrl, token, repository, ...limits },
    { log, signal, random: () => 0.5, clock, redact: (text) => text },
  );
}

/** The same, as a run of the stand-in's repository whose job has these `permissions:`. */
export function connectRun(
  { run, runToken }: Pick<GitHubStandIn, "run" | "runToken">,
  permissions: Permissions,
  options?: Connection,
): GitHubApi {
  return connectTo(run.apiUrl, { ...options, token: runToken(permissions) });
}
