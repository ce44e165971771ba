/** Who may start something: the gate in front of everything that acknowledges, sends or spends. */
import type { Account, GitHubEvent } from "../event/event.ts";
import { hasMarker } from "../record-signer.ts";
import { isSameAccount } from "./identity.ts";

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

export interface GateOptions {
  readonly event: GitHubEvent;
  readonly actor: string;
  readonly triggeringActor: string;
  readonly runAttempt: number;
  readonly minimumPermission: PermissionLevel;
  readonly allowedUsers: readonly string[];
  readonly allowedBots: readonly string[];
}

export interface GateDeps {
  /** The collaborator permission's booleans; empty for somebody without access. */
  readonly readPermission: (login: string) => Promise<PermissionFlags>;
  /** The account whose token we use. */
  readonly readIdentity: () => Promise<Account>;
}

export type GateDecision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly code: RefusalCode; readonly reason: string };

export type RefusalCode = "deleted-account" | "own-comment" | "confused-deputy" | "bot" | "permission";

/** Events that only somebody with write access can cause. A merged pull request was merged by such a person. */
function isCausedByWriters(event: GitHubEvent): boolean {
  return event.type === "push" || event.type === "release" || (event.type === "pull-request" && event.merged);
}

/** The same of events that carry neither a text nor a change; a schedule is the repository's own, and has no sender. */
const trustedEventNames = new Set(["schedule", "workflow_dispatch", "repository_dispatch", "merge_group"]);

/**
 * Decides whether the people behind an event may use the action: the text's author, the event's sender and, on a re-run,
 * whoever pressed the button. A failed look-up is thrown, never taken for a yes.
 */
export async function checkGate(
  { eventName, ...options }: GateOptions & { readonly eventName: string },
  deps: GateDeps,
): Promise<GateDecision> {
  const people =
    trustedEventNames.has(eventName) || isCausedByWriters(options.event) ? [] : peopleOf(options.event);
  const textRefusal = await refuseText(options.event, deps);
  if (textRefusal) return textRefusal;
  if (people.includes(undefined)) {
    return refuse("deleted-account", "the account behind the event no longer exists");
  }
  const isRerun = options.runAttempt > 1 || options.triggeringActor !== options.actor;
  const rerunner = isRerun && people.length > 0 ? [accountOfLogin(options.triggeringActor)] : [];
  const known = [...people, ...rerunner].filter((account) => account !== undefined);
  const unique = [...new Map(known.map((account) => [account.login.toLowerCase(), account])).values()];
  for (const account of unique) {
    const decision = await checkAccount(account, options, deps);
    if (!decision.allowed) return decision;
  }
  return { allowed: true };
}

function peopleOf(event: GitHubEvent): (Account | undefined)[] {
  return event.type === "written" ? [event.text.author, event.sender] : [event.sender];
}

function accountOfLogin(login: string): Account {
  return { login, id: 0, isBot: login.endsWith("[bot]") };
}

async function refuseText(event: GitHubEvent, { readIdentity }: GateDeps): Promise<GateDecision | undefined> {
  if (event.type !== "written") return undefined;
  const { author, body } = event.text;
  if (hasMarker(body)) return refuse("own-comment", "the text is one of the action's own");
  const isLabelled = event.action === "labeled";
  if (!isLabelled && author?.id !== event.sender?.id) {
    return refuse("confused-deputy", "the event was sent by somebody else than the text's author");
  }
  if (!author?.isBot) return undefined;
  const identity = await readIdentity();
  return isSameAccount(author, identity.login)
    ? refuse("own-comment", "the text was written with the action's own account")
    : undefined;
}

async function checkAccount(account: Account, options: GateOptions, deps: GateDeps): Promise<GateDecision> {
  if (account.isBot) {
    return isListed(account.login, options.allowedBots)
      ? { allowed: true }
      : refuse("bot", `@${account.login} is a bot that \`allowed-bots\` does not name`);
  }
  if (isListed(account.login, options.allowedUsers)) return { allowed: true };
  const flags = await deps.readPermission(account.login);
  if (hasPermission(flags, options.minimumPermission)) return { allowed: true };
  return refuse(
    "permission",
    `@${account.login} has less than \`${options.minimumPermission}\` permission on this repository`,
  );
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
