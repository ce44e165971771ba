/** The run's token: whose account it is, and what it may read. */
import * as z from "zod/mini";
import { type CallPurpose, GitHubError, isRefusal, unlessGone } from "./errors.ts";
import type { Account } from "./event.ts";
import type { GitHubApi } from "./github-api.ts";

const Viewer = z.object({
  viewer: z.object({
    __typename: z.optional(z.string()),
    login: z.string(),
    databaseId: z.nullish(z.number()),
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
  const query = "query { viewer { __typename login databaseId } }";
  const answer = await unlessGone(api.graphql(purpose, query, {}, Viewer));
  if (answer === undefined) return workflowAccount;
  const { login, databaseId, __typename } = answer.viewer;
  return { login, id: databaseId ?? 0, isBot: __typename === "Bot" || login.endsWith("[bot]") };
}

/** Whether two logins name the same account, with or without the suffix that some of GitHub's answers leave out. */
export function isSameAccount(account: Account | undefined, login: string): boolean {
  const plain = (name: string) => name.toLowerCase().replace(/\[bot\]$/, "");
  const isBotLogin = login.endsWith("[bot]");
  return account !== undefined && plain(account.login) === plain(login) && (!isBotLogin || account.isBot);
}

/**
 * Reads the repository, its issues and its pull requests, each with the `permissions:` line that commands need for more
 * than reading.
 *
 * @throws {GitHubError} when GitHub refuses the token itself, or cannot be reached.
 */
export async function probeToken(api: GitHubApi): Promise<{ line: string; readable: boolean }[]> {
  const probe = async (
    permission: string,
    what: string,
    read: (purpose: CallPurpose) => Promise<unknown>,
  ) => {
    try {
      await read({ doing: `read ${what}`, permission });
      return { line: permission, readable: true };
    } catch (error) {
      if (error instanceof GitHubError && isRefusal(error)) return { line: permission, readable: false };
      throw error;
    }
  };
  return Promise.all([
    probe("contents: read", "the repository", (purpose) => api.request(purpose, "GET /repos/{owner}/{repo}")),
    probe("issues: write", "its issues", (purpose) =>
      api.request(purpose, "GET /repos/{owner}/{repo}/issues", { per_page: 1 }),
    ),
    probe("pull-requests: write", "its pull requests", (purpose) =>
      api.request(purpose, "GET /repos/{owner}/{repo}/pulls", { per_page: 1 }),
    ),
  ]);
}
