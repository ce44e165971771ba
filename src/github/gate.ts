/** Who may start something: the gate in front of everything that acknowledges, sends or spends. */

import { unlessGone } from "./errors.ts";
import type { Account, GitHubEvent, RunContext } from "./event.ts";
import type { GitHubApi } from "./github-api.ts";
import { hasMarker } from "./record-signer.ts";
import { isSameAccount } from "./token.ts";

/** Levels of access, weakest first, as the collaborator permission's booleans name them. */
const permissionLevels = ["read", "triage", "write", "maintain", "admin"] as const;
export type PermissionLevel = (typeof permissionLevels)[number];

/** GitHub's word for each level among the booleans. */
export type PermissionFlags = Readonly<
  Partial<Record<"pull" | "triage" | "push" | "maintain" | "admin", boolean>>
>;

const flagOfLevel = {
  read: "pull",
  triage: "triage",
  write: "push",
  maintain: "maintain",
  admin: "admin",
} as const;

export interface GatePolicy {
  /** What a person needs. */
  readonly minimumPermission: PermissionLevel;
  /** Exact logins that pass besides. */
  readonly allowedUsers: readonly string[];
  readonly allowedBots: readonly string[];
}

export interface GateDeps {
  /** The collaborator permission's booleans; empty for a person without access. */
  readonly readPermission: (login: string) => Promise<PermissionFlags>;
  /** The account whose token we use. */
  readonly readIdentity: () => Promise<Account>;
}

export type GateDecision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly code: RefusalCode; readonly reason: string };

export type RefusalCode = "deleted-account" | "own-comment" | "confused-deputy" | "bot" | "permission";

/** Events that carry neither a text nor a change, and only writers can cause; a schedule has no sender. */
const trustedEventNames = new Set(["schedule", "workflow_dispatch", "repository_dispatch", "merge_group"]);

/** Whether only a person with write access can have caused an event. A merged pull request was merged by one. */
function isCausedByWriters(eventName: string, event: GitHubEvent): boolean {
  return (
    trustedEventNames.has(eventName) ||
    event.type === "push" ||
    event.type === "release" ||
    (event.type === "pull-request" && event.merged)
  );
}

/**
 * Decides whether the people behind an event may use the action: the text's author, the event's sender and, on a re-run,
 * the person who pressed the button. A failed look-up is thrown, never taken for a yes.
 */
export async function checkGate(
  event: GitHubEvent,
  run: Pick<RunContext, "eventName" | "actor" | "triggeringActor" | "runAttempt">,
  policy: GatePolicy,
  deps: GateDeps,
): Promise<GateDecision> {
  const textRefusal = await refuseText(event, deps);
  if (textRefusal) return textRefusal;
  if (isCausedByWriters(run.eventName, event)) return { allowed: true };
  const people = event.type === "written" ? [event.text.author, event.sender] : [event.sender];
  if (run.runAttempt > 1 || run.triggeringActor !== run.actor) {
    people.push({ login: run.triggeringActor, id: 0, isBot: run.triggeringActor.endsWith("[bot]") });
  }
  const checked = new Set<string>();
  for (const account of people) {
    if (account === undefined) {
      return refuse("deleted-account", "the account behind the event no longer exists");
    }
    if (checked.has(account.login.toLowerCase())) continue;
    checked.add(account.login.toLowerCase());
    const decision = await checkAccount(account, policy, deps);
    if (!decision.allowed) return decision;
  }
  return { allowed: true };
}

async function refuseText(event: GitHubEvent, { readIdentity }: GateDeps): Promise<GateDecision | undefined> {
  if (event.type !== "written") return undefined;
  const { author, body } = event.text;
  if (hasMarker(body)) return refuse("own-comment", "the text is one of the action's own");
  const isLabelled = event.action === "labeled";
  if (!isLabelled && author?.id !== event.sender?.id) {
    return refuse("confused-deputy", "the event was sent by another account than the text's author");
  }
  if (!author?.isBot) return undefined;
  const identity = await readIdentity();
  return isSameAccount(author, identity.login)
    ? refuse("own-comment", "the text was written with the action's own account")
    : undefined;
}

async function checkAccount(account: Account, policy: GatePolicy, deps: GateDeps): Promise<GateDecision> {
  if (account.isBot) {
    return isListed(account.login, policy.allowedBots)
      ? { allowed: true }
      : refuse("bot", `@${account.login} is a bot that \`allowed-bots\` does not name`);
  }
  if (isListed(account.login, policy.allowedUsers)) return { allowed: true };
  const flags = await deps.readPermission(account.login);
  if (hasPermission(flags, policy.minimumPermission)) return { allowed: true };
  return refuse(
    "permission",
    `@${account.login} has less than \`${policy.minimumPermission}\` permission on this repository`,
  );
}

/** What a person may do here, as the collaborator permission's booleans: right for custom roles too. */
export async function readPermission(login: string, api: GitHubApi): Promise<PermissionFlags> {
  const purpose = { doing: `look up the permission of ${login}`, permission: "contents: read" };
  const route = "GET /repos/{owner}/{repo}/collaborators/{username}/permission";
  const found = await unlessGone(api.request(purpose, route, { username: login }));
  return found?.user?.permissions ?? {};
}

/** Whether the booleans grant a level; a higher one includes the lower. */
export function hasPermission(flags: PermissionFlags, level: PermissionLevel): boolean {
  const sufficient = permissionLevels.slice(permissionLevels.indexOf(level));
  return sufficient.some((each) => flags[flagOfLevel[each]] === true);
}

function isListed(login: string, list: readonly string[]): boolean {
  const plain = (name: string) => name.toLowerCase().replace(/^@/, "");
  return list.some((name) => plain(name) === plain(login) || `${plain(name)}[bot]` === plain(login));
}

function refuse(code: RefusalCode, reason: string): GateDecision {
  return { allowed: false, code, reason };
}
