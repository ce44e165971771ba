import { z } from "zod";
import { statusOfCause } from "../errors.ts";
import type { Account } from "../event/event.ts";
import type { GitHubApi } from "../github-api.ts";

const Viewer = z.object({
  viewer: z.object({
    __typename: z.string().optional(),
    login: z.string(),
    databaseId: z.number().nullish(),
  }),
});

/** The account of every workflow's own token; its number is the same on github.com and nowhere needed. */
const workflowAccount: Account = { login: "github-actions[bot]", id: 41_898_282, isBot: true };

/**
 * The account behind the token. An installation's token (the workflow's own is one) is only told this by GraphQL; where a
 * server or proxy does not offer that, the token is taken for the workflow's own.
 */
export async function readIdentity(api: GitHubApi): Promise<Account> {
  const purpose = { doing: "ask which account it belongs to", permission: "contents: read" };
  try {
    const { viewer } = await api.call(purpose, async (octokit) =>
      Viewer.parse(await octokit.graphql<unknown>("query { viewer { __typename login databaseId } }")),
    );
    const { login, databaseId, __typename } = viewer;
    return { login, id: databaseId ?? 0, isBot: __typename === "Bot" || login.endsWith("[bot]") };
  } catch (error) {
    if (statusOfCause(error) === 404) return workflowAccount;
    throw error;
  }
}

/** Whether two logins name the same account, with or without the suffix that some of GitHub's answers leave out. */
export function isSameAccount(account: Account | undefined, login: string): boolean {
  const plain = (name: string) => name.toLowerCase().replace(/\[bot\]$/, "");
  const isBotLogin = login.endsWith("[bot]");
  return account !== undefined && plain(account.login) === plain(login) && (!isBotLogin || account.isBot);
}
