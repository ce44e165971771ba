/** Recorded webhook payloads (test/fixtures/events), of which a test changes only what it is about. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A payload as it lies in GITHUB_EVENT_PATH. */
export type EventPayload = Record<string, unknown>;

/** Every recorded payload, named `<event>.<action>`, or `<event>` where it has no action. */
export type RecordedEvent =
  | "discussion.created"
  | "discussion.labeled"
  | "discussion_comment.created"
  | "issue_comment.created"
  | "issue_comment.edited"
  | "issues.labeled"
  | "issues.opened"
  | "pull_request.closed"
  | "pull_request_review.submitted"
  | "pull_request_review_comment.created"
  | "push"
  | "release.published"
  | "repository_dispatch"
  | "schedule"
  | "workflow_dispatch";

const isObject = (value: unknown): value is EventPayload =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** `base` with `overrides` on it: objects are merged at any depth, everything else is replaced. */
function override(base: EventPayload, overrides: EventPayload): EventPayload {
  const changed = Object.entries(overrides).map(([name, value]) => {
    const before = base[name];
    return [name, isObject(value) && isObject(before) ? override(before, value) : value];
  });
  return { ...base, ...Object.fromEntries(changed) };
}

/** A recorded payload with some of its fields changed. */
export function loadEvent(name: RecordedEvent, overrides: EventPayload = {}): EventPayload {
  const file = fileURLToPath(new URL(`../fixtures/events/${name}.json`, import.meta.url));
  return override(JSON.parse(readFileSync(file, "utf8")) as EventPayload, overrides);
}

/** Name of the event (GITHUB_EVENT_NAME) of a recorded payload. */
export const eventNameOf = (name: RecordedEvent): string => name.split(".")[0] ?? name;
