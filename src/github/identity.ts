import { z } from "zod";
import type { Account } from "./event.ts";
import type { GitHubApi } from "./github-api.ts";

const Viewer = z.object({
  viewer: z.object({
    __typename: z.string().optional(),
    login: z.string(),
    databaseId: z.number().nullish(),
  }),
});

/** The account behind the token. An installation's token (the workflow's own is one) is only told this by GraphQL. */
export async function readIdentity(api: GitHubApi): Promise<Account> {
  const purpose = { doing: "ask which account it belongs to", permission: "contents: read" };
  const { viewer } = await api.call(purpose, async (octokit) =>
    Viewer.parse(await octokit.graphql<unknown>("query { viewer { __typename login databaseId } }")),
  );
  const { login, databaseId, __typename } = viewer;
  return { login, id: databaseId ?? 0, isBot: __typename === "Bot" || login.endsWith("[bot]") };
}

/** Whether two logins name the same account, with or without the suffix that some of GitHub's answers leave out. */
export function isSameAccount(account: Account | undefined, login: string): boolean {
  const plain = (name: string) => name.toLowerCase().replace(/\[bot\]$/, "");
  const isBotLogin = login.endsWith("[bot]");
  return account !== undefined && plain(account.login) === plain(login) && (!isBotLogin || account.isBot);
}
