import { messageOf } from "../../base/text.ts";
import type { ClaimRecord } from "../../github/claim-store.ts";
import type { GitHubEvent } from "../../github/event.ts";
import type { AgentDeps, AgentOptions } from "./agent-interface.ts";

/** No pull request is opened sooner after the text that asks for it. */
const soonestMs = 2 * 60_000;

/**
 * How an earlier run's request ended, told by its pull request: comments can be deleted or edited by others, and with
 * them goes the record. Where it cannot be looked up, the record alone counts.
 */
export async function findEarlierEnd(
  trigger: string,
  { event, owner }: Pick<AgentOptions, "event" | "owner">,
  {
    github,
    referenceOf,
    clock,
    log,
    signal,
  }: Pick<AgentDeps, "referenceOf" | "clock" | "log" | "signal"> & {
    readonly github: Pick<AgentDeps["github"], "findByReference">;
  },
): Promise<Partial<ClaimRecord> | undefined> {
  const since = askedAt(event);
  if (since === undefined) return undefined;
  if (owner.runAttempt === 1 && clock.now() - Date.parse(since) < soonestMs) return undefined;
  try {
    const pull = await github.findByReference({ wanted: referenceOf(trigger), since });
    if (!pull) return undefined;
    log.info(`An earlier run's pull request was found: #${pull.number}.`);
    return { outcome: "pull-request", pullRequestUrl: pull.url };
  } catch (error) {
    signal.throwIfAborted();
    const reason = messageOf(error);
    log.warning(`Whether an earlier run led to a pull request could not be looked up: ${reason}`);
    return undefined;
  }
}

/** When a request was made that keeps its record in a comment; a commit's statuses cannot be taken away. */
function askedAt(event: GitHubEvent): string | undefined {
  if (event.type === "written") return event.text.createdAt;
  return event.type === "pull-request" ? event.thread.createdAt : undefined;
}
