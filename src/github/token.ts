/** The run's token: whose account it is, and what it may read. */
import { GitHubError, isRefusal, undefinedIfGone } from "./errors.ts";
import type { Account } from "./event.ts";
import type { GitHubApi } from "./github-api.ts";

/** The account of every workflow's own token; its number is the same on github.com and nowhere needed. */
const workflowAccount: Account = { login: "github-actions[bot]", id: 41_898_282, isBot: true };

/** The schemas of answers are loaded with the first answer, as those of the platform's. */
async function loadViewer() {
  const { configureSchemas } = await import("../base/schemas.ts");
  configureSchemas();
  return (await import("./graphql-schemas.ts")).Viewer;
}

/**
 * The account behind the token. An installation's token (the workflow's own is one) is only told this by GraphQL; where a
 * server or proxy does not offer that, the token is taken for the workflow's own.
 */
export async function readIdentity(api: GitHubApi): Promise<Account> {
  const purpose = { doing: "look up the account of the token" };
  const query = "query { viewer { __typename login databaseId } }";
  return (await undefinedIfGone(api.graphql(purpose, query, {}, loadViewer)))?.viewer ?? workflowAccount;
}

/** Whether two logins name the same account, with or without the suffix that some of GitHub's answers leave out. */
export function isSameAccount(
  account: Pick<Account, "login" | "isBot"> | null | undefined,
  login: string,
): boolean {
  const plain = (name: string) => name.toLowerCase().replace(/\[bot\]$/, "");
  const isBotLogin = login.endsWith("[bot]");
  return account != null && plain(account.login) === plain(login) && (!isBotLogin || account.isBot);
}

/**
 * Reads the repository, its issues and its pull requests, each with the `permissions:` line that commands need for more
 * than reading.
 *
 * @throws {GitHubError} when GitHub refuses the token itself, or cannot be reached.
 */
export async function probeToken(api: GitHubApi): Promise<{ line: string; readable: boolean }[]> {
  const probe = async (line: string, what: string, collection: "" | "/issues" | "/pulls") => {
    const parameters = collection === "" ? {} : { per_page: 1 };
    try {
      const purpose = { doing: `read ${what}`, permission: line };
      await api.request(purpose, `GET /repos/{owner}/{repo}${collection}`, parameters);
      return { line, readable: true };
    } catch (error) {
      if (error instanceof GitHubError && isRefusal(error)) return { line, readable: false };
      throw error;
    }
  };
  return Promise.all([
    probe("contents: read", "the repository", ""),
    probe("issues: write", "its issues", "/issues"),
    probe("pull-requests: write", "its pull requests", "/pulls"),
  ]);
}
