/** The permission gate: decides whether an event may use the action, before anything is acknowledged or sent. */
import { isJsonObject } from "../base/text.ts";
import { undefinedIfGone, unexpectedResponse } from "./errors.ts";
import {
  type Account,
  accountOf,
  type GitHubEvent,
  type Identity,
  isSameAccount,
  type RunContext,
  type TextEvent,
} from "./event.ts";
import type { GitHubApi } from "./github-api.ts";
import { hasMarker, isCheckboxTick } from "./may-trigger.ts";

/** Permission levels, lowest first, each with its name in GitHub's collaborator permissions. */
const flagOfLevel = {
  read: "pull",
  triage: "triage",
  write: "push",
  maintain: "maintain",
  admin: "admin",
} as const;
type PermissionLevel = keyof typeof flagOfLevel;
export type PermissionFlags = Readonly<Partial<Record<(typeof flagOfLevel)[PermissionLevel], boolean>>>;

export interface GateInputs {
  readonly minimumPermission: PermissionLevel;
  /** Exact logins that need no permission. */
  readonly allowedUsers: readonly string[];
  readonly allowedBots: readonly string[];
}

/** The part of a connection to GitHub that the check needs. */
export interface GateConnection {
  readonly event: GitHubEvent;
  readonly context: Pick<RunContext, "eventName" | "actor" | "triggeringActor" | "runAttempt">;
  /** The collaborator permissions of a user; empty without access. */
  readonly readPermission: (login: string) => Promise<PermissionFlags>;
  readonly readIdentity: () => Promise<Identity>;
}

/** Why an event may not use the action; `reason` is the output `skip-reason`. */
interface Refusal {
  readonly reason: "deleted-account" | "own-comment" | "confused-deputy" | "bot" | "permission";
  readonly message: string;
}

/**
 * The event actions that only a user with write access, or no user, can cause; "" for an event without actions. All other
 * events and actions need a permission check, including actions that GitHub may add.
 */
const trustedActions = new Map<string, readonly string[] | "any">([
  ["schedule", [""]],
  ["push", [""]],
  ["workflow_dispatch", [""]],
  // The sender, who needs write access, chooses the action.
  ["repository_dispatch", "any"],
  ["merge_group", ["checks_requested"]],
  ["release", ["published", "released"]],
  // Only if merged: see `isTrusted`.
  ["pull_request", ["closed"]],
  ["pull_request_target", ["closed"]],
]);

/** Whether only a user with write access, or no user, can have caused an event. */
function isTrusted(eventName: string, event: GitHubEvent): boolean {
  const actions = trustedActions.get(eventName);
  if (event.type === "text" || actions === undefined) return false;
  if (event.type === "pull-request" && !event.merged) return false;
  return actions === "any" || actions.includes(event.action);
}

/**
 * Whether a user ticked the checkbox "Try again": the event is an edit of a comment with our marker that changed only the checkbox.
 * The gate also checks the comment's author; the reader of the marker checks its signature.
 */
export function isCheckboxTickEvent({ action, text, previousBody }: TextEvent): boolean {
  const isEdit = action === "edited" && text.kind.endsWith("comment");
  return isEdit && previousBody !== undefined && isCheckboxTick(previousBody, text.body);
}

/**
 * The accounts whose permission an event needs:
 * - the author of its text or pull request; not for a label or a ticked checkbox, which do not use the author's text
 * - the sender
 * - the actor, for events without a text or a change
 * - the user who re-ran the workflow; for a trusted event, only this one
 */
function accountsToCheck({ event, context }: GateConnection): (Account | undefined)[] {
  const { eventName, actor, triggeringActor, runAttempt } = context;
  const rerunner = accountOf({ login: triggeringActor, id: 0 });
  if (isTrusted(eventName, event)) return triggeringActor === actor ? [] : [rerunner];
  const isAuthorIrrelevant =
    event.type === "text" && (event.action === "labeled" || isCheckboxTickEvent(event));
  const authors =
    event.type === "text" && !isAuthorIrrelevant
      ? [event.text.author]
      : event.type === "pull-request"
        ? [event.thread.author]
        : [];
  // For events that follow a run (`workflow_run`), the actor is the one of the first run.
  const starters = event.type === "other" ? [accountOf({ login: actor, id: 0 })] : [];
  const isRerun = runAttempt > 1 || triggeringActor !== actor;
  return [...authors, event.sender, ...starters, ...(isRerun ? [rerunner] : [])];
}

/**
 * Refuses an event unless everyone behind it may use the action; see `accountsToCheck`. A failed permission lookup throws and never permits.
 */
export async function refuseUnpermitted(
  inputs: GateInputs,
  github: GateConnection,
): Promise<Refusal | undefined> {
  const textRefusal = await refuseText(github);
  if (textRefusal) return textRefusal;
  const checked = new Set<string>();
  for (const account of accountsToCheck(github)) {
    if (account === undefined) {
      return refuse("deleted-account", "the account behind the event no longer exists");
    }
    if (checked.has(account.login.toLowerCase())) continue;
    checked.add(account.login.toLowerCase());
    const refusal = await refuseAccount(account, inputs, github);
    if (refusal) return refusal;
  }
  return undefined;
}

async function refuseText({ event, readIdentity }: GateConnection): Promise<Refusal | undefined> {
  if (event.type !== "text") return undefined;
  const { author, body } = event.text;
  if (hasMarker(body)) {
    const isTick = isCheckboxTickEvent(event) && isSameAccount(author, (await readIdentity()).login);
    return isTick ? undefined : refuse("own-comment", "the text contains a marker of the action's own texts");
  }
  if (event.action === "labeled") return undefined;
  if (author?.id !== event.sender?.id) {
    return refuse("confused-deputy", "the event was sent by another account than the text's author");
  }
  if (!author?.isBot) return undefined;
  const identity = await readIdentity();
  return isSameAccount(author, identity.login)
    ? refuse("own-comment", "the text was written with the action's own account")
    : undefined;
}

async function refuseAccount(
  account: Account,
  { minimumPermission, allowedBots, allowedUsers }: GateInputs,
  { readPermission }: GateConnection,
): Promise<Refusal | undefined> {
  const { login, isBot } = account;
  const allowed = isBot ? allowedBots : allowedUsers;
  if (allowed.some((name) => isSameAccount(account, name.replace(/^@/, "")))) return undefined;
  if (isBot) return refuse("bot", `@${login} is a bot that \`allowed-bots\` does not name`);
  const flags = await readPermission(login);
  if (hasPermission(flags, minimumPermission)) return undefined;
  const reason = `@${login} has less than \`${minimumPermission}\` permission on this repository`;
  const isUnknown = Object.keys(flags).length === 0;
  return refuse("permission", isUnknown ? `${reason}, or the token cannot read it` : reason);
}

/** The collaborator permissions of a user, which are also correct for custom roles. */
export async function readPermission(login: string, api: GitHubApi): Promise<PermissionFlags> {
  const purpose = { doing: `look up the permission of ${login}` };
  const route = "GET /repos/{owner}/{repo}/collaborators/{username}/permission";
  // Without a schema, because the schema library would delay the reaction.
  const found = await undefinedIfGone(api.request(purpose, route, { username: login }));
  if (found === undefined) return {};
  if (!isJsonObject(found) || typeof found["permission"] !== "string") throw unexpectedResponse(purpose);
  const user = found["user"];
  const flags = isJsonObject(user) ? user["permissions"] : undefined;
  return isJsonObject(flags) ? flags : {};
}

/** The account of the token. For an installation token, such as the workflow token, only GraphQL returns it. */
export async function readIdentity(api: GitHubApi): Promise<Identity> {
  const purpose = { doing: "look up the account of the token" };
  const query = "query { viewer { __typename login } }";
  const { viewer } = await api.graphql(purpose, query, {}, async () => {
    // Loaded with the first response, to keep start-up fast.
    (await import("../base/schemas.ts")).configureSchemas();
    return (await import("./graphql-schemas.ts")).Viewer;
  });
  if (viewer === undefined) throw unexpectedResponse(purpose);
  return viewer;
}

/** Whether permissions include a level; a higher level includes the lower ones. */
export function hasPermission(flags: PermissionFlags, level: PermissionLevel): boolean {
  const all = Object.values(flagOfLevel);
  return all.slice(all.indexOf(flagOfLevel[level])).some((flag) => flags[flag] === true);
}

function refuse(reason: Refusal["reason"], why: string): Refusal {
  return { reason, message: `Not permitted: ${why}.` };
}
