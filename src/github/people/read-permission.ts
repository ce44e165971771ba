import { statusOfCause } from "../errors.ts";
import type { GitHubApi } from "../github-api.ts";
import type { PermissionFlags } from "./permission.ts";

/** What somebody may do here, as the collaborator permission's booleans: right for custom roles too. */
export async function readPermission(login: string, api: GitHubApi): Promise<PermissionFlags> {
  try {
    const { data } = await api.call(
      { doing: `look up the permission of ${login}`, permission: "contents: read" },
      (octokit, target) => octokit.rest.repos.getCollaboratorPermissionLevel({ ...target, username: login }),
    );
    return data.user?.permissions ?? {};
  } catch (error) {
    if (statusOfCause(error) === 404) return {};
    throw error;
  }
}
