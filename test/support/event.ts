/** Webhook payloads that GitHub recorded and publishes, of which a test changes only what it is about. */

import { createRequire } from "node:module";

/** A payload as it lies in GITHUB_EVENT_PATH. */
export type EventPayload = Record<string, unknown>;

/**
 * Which of an event's published payloads is used, by `<event>.<action>`, or `<event>` where it has no action. Not all of them are valid
 * by GitHub's own schema, as published; and a comment on an issue with reactions, and a push with a commit, say more than the others.
 */
const positions = {
  "discussion.created": 3,
  "discussion.labeled": 6,
  "discussion_comment.created": 1,
  "issue_comment.created": 2,
  "issue_comment.edited": 7,
  "issues.labeled": 9,
  "issues.opened": 15,
  "pull_request.closed": 3,
  "pull_request_review.submitted": 2,
  "pull_request_review_comment.created": 1,
  push: 4,
  "release.published": 10,
};

export type RecordedEvent = keyof typeof positions;
export const recordedEvents = Object.keys(positions) as readonly RecordedEvent[];

const require = createRequire(import.meta.url);
const published = require("@octokit/webhooks-examples") as {
  readonly name: string;
  readonly examples: readonly EventPayload[];
}[];

/** All payloads that GitHub publishes of an event. */
export const publishedPayloads = (eventName: string): readonly EventPayload[] =>
  published.find(({ name }) => name === eventName)?.examples ?? [];

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
  const recorded = publishedPayloads(eventNameOf(name))[positions[name]];
  if (recorded === undefined) throw new Error(`GitHub publishes no such payload of ${name}.`);
  return override(structuredClone(recorded), overrides);
}

/** Name of the event (GITHUB_EVENT_NAME) of a recorded payload. */
export const eventNameOf = (name: RecordedEvent): string => name.split(".")[0] ?? name;
