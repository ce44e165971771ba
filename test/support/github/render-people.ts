import type { Links } from "./api-call.ts";
import { type Person, ROLES, type Role } from "./records.ts";
import { type GitHubState, rememberPerson } from "./state.ts";

/** The app behind the token of every run. */
export const ACTIONS_BOT = "github-actions[bot]";

/** A person as REST shows one. */
export function renderPerson({ login, id, type }: Person, { api, html }: Links) {
  const url = `${api}/users/${encodeURIComponent(login)}`;
  return {
    login,
    id,
    node_id: `U_${id}`,
    avatar_url: `${html}/avatars/${id}`,
    gravatar_id: "",
    url,
    html_url: type === "Bot" ? `${html}/apps/${login.replace("[bot]", "")}` : `${html}/${login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type,
    site_admin: false,
  };
}

/** The same, by login. */
export function renderLogin(login: string, { state, links }: { state: GitHubState; links: Links }) {
  return renderPerson(rememberPerson(state, login), links);
}

/** `user.permissions` of a collaborator: every role includes the weaker ones. */
export function permissionFlags(role: Role | undefined) {
  const rank = role === undefined ? -1 : ROLES.indexOf(role);
  return {
    admin: rank >= ROLES.indexOf("admin"),
    maintain: rank >= ROLES.indexOf("maintain"),
    push: rank >= ROLES.indexOf("write"),
    triage: rank >= ROLES.indexOf("triage"),
    pull: rank >= ROLES.indexOf("read"),
  };
}

/** The older word for a role: `maintain` counts as `write`, `triage` as `read`. */
export function legacyPermission(role: Role | undefined): string {
  const { admin, push, pull } = permissionFlags(role);
  if (admin) return "admin";
  if (push) return "write";
  return pull ? "read" : "none";
}

/** How a person belongs to the repository. A private organization member shows as nothing here: not to be trusted. */
export function authorAssociation({ collaborators, owner }: GitHubState, login: string): string {
  if (login.toLowerCase() === owner.toLowerCase()) return "OWNER";
  return collaborators.has(login.toLowerCase()) ? "COLLABORATOR" : "NONE";
}
