/**
 * Picks the webhook payloads of `test/fixtures/events` from GitHub's recorded examples: of each event the first that is
 * valid by GitHub's own schema (not all are, as shipped). `schedule` is no webhook: its payload is put together here.
 *
 *   node scripts/pick-event-fixtures.ts
 */
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import formats from "ajv-formats";

type Payload = Record<string, unknown>;

/** `<event>.<action>`, or `<event>` where it has no action. */
const WANTED = [
  "discussion.created",
  "discussion.labeled",
  "discussion_comment.created",
  "issue_comment.created",
  "issue_comment.edited",
  "issues.labeled",
  "issues.opened",
  "pull_request.closed",
  "pull_request_review.submitted",
  "pull_request_review_comment.created",
  "push",
  "release.published",
  "repository_dispatch",
  "workflow_dispatch",
];

const require = createRequire(import.meta.url);
const recorded = require("@octokit/webhooks-examples") as { name: string; examples: Payload[] }[];
const ajv = new Ajv({ strict: false });
formats.default(ajv);
ajv.addSchema(require("@octokit/webhooks-schemas") as object, "webhooks");

function pick(wanted: string): Payload {
  const [name = "", action] = wanted.split(".");
  const validate = ajv.getSchema(`webhooks#/definitions/${name}$${action ?? "event"}`);
  const examples = recorded.find((event) => event.name === name)?.examples ?? [];
  const found = examples
    .filter((payload) => action === undefined || payload["action"] === action)
    // A comment on an issue with reactions, and a push with a commit, say more than the older ones without.
    .filter((payload) => validate?.(payload) && JSON.stringify(payload).length > minimumLength(name))
    .at(0);
  if (found === undefined) throw new Error(`No recorded payload of ${wanted} is valid`);
  return found;
}

const minimumLength = (name: string) => (name === "issue_comment" ? 12_000 : name === "push" ? 7_600 : 0);

const folder = fileURLToPath(new URL("../test/fixtures/events", import.meta.url));
const write = (name: string, payload: Payload) =>
  writeFile(`${folder}/${name}.json`, `${JSON.stringify(payload, undefined, 2)}\n`);

await mkdir(folder, { recursive: true });
for (const name of WANTED) await write(name, pick(name));
const { repository, sender } = JSON.parse(
  readFileSync(`${folder}/workflow_dispatch.json`, "utf8"),
) as Payload;
await write("schedule", {
  schedule: "17 3 * * 1",
  workflow: ".github/workflows/docs.yml",
  repository,
  sender,
});
