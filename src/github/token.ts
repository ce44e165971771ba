/** The run's token: its account, and what it can read. */
import { GitHubError, isRefusal, unexpectedResponse } from "./errors.ts";
import type { Account } from "./event.ts";
import type { GitHubApi } from "./github-api.ts";

/** The account of a token. */
export type Identity = Pick<Account, "login">;

/** Loads the schemas with the first response, to keep start-up fast. */
async function loadViewer() {
  const { configureSchemas } = await import("../base/schemas.ts");
  configureSchemas();
  return (await import("./graphql-schemas.ts")).Viewer;
}

/** The account of the token. For an installation token, such as the workflow token, only GraphQL returns it. */
export async function readIdentity(api: GitHubApi): Promise<Identity> {
  const purpose = { doing: "look up the account of the token" };
  const query = "query { viewer { __typename login } }";
  const { viewer } = await api.graphql(purpose, query, {}, loadViewer);
  if (viewer === undefined) throw unexpectedResponse(purpose);
  return viewer;
}

/** Whether a login names an account, with or without the suffix `[bot]`, which some of GitHub's responses omit. */
export function isSameAccount(
  account: Pick<Account, "login" | "isBot"> | null | undefined,
  login: string,
): boolean {
  const plain = (name: string) => name.toLowerCase().replace(/\[bot\]$/, "");
  const isBotLogin = login.endsWith("[bot]");
  return account != null && plain(account.login) === plain(login) && (!isBotLogin || account.isBot);
}

/**
 * Checks whether the token can read the repository, its issues and its pull requests; `line` is the line of `permissions:` that
 * the commands need.
 *
 * @throws {GitHubError} if GitHub rejects the token or cannot be reached.
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
