/** Questions about commits and their statuses, page by page. */
import { z } from "zod";
import { GitHubError, missingPermission } from "../errors.ts";
import type { GitHubApi } from "../github-api.ts";

export interface CommitQuestion<Schema extends z.ZodType> {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly schema: Schema;
  /** The `permissions:` line for what is asked, besides `statuses: write`. */
  readonly permission: "contents: read" | "pull-requests: write";
}

/** Asks a question. @throws {GitHubError} that names the permission for commits or for statuses, whichever is missing. */
export async function askAboutCommits<Schema extends z.ZodType>(
  { query, variables, schema, permission }: CommitQuestion<Schema>,
  api: GitHubApi,
): Promise<z.output<Schema>> {
  const purpose = { doing: "look through the repository's commits", permission };
  try {
    return await api.call(purpose, async (octokit) =>
      schema.parse(await octokit.graphql<unknown>(query, variables)),
    );
  } catch (error) {
    const isRefused = error instanceof GitHubError && error.code === "missing-permission";
    if (!isRefused || !isAboutStatus(error.cause)) throw error;
    throw missingPermission("statuses: write", { doing: "read commit statuses", cause: error.cause });
  }
}

const Refusal = z.object({ errors: z.array(z.object({ path: z.array(z.unknown()).default([]) })) });

/** One question reads commits and their statuses; which of them is refused, the error's path tells. */
function isAboutStatus(cause: unknown): boolean {
  const { data } = Refusal.safeParse(cause);
  return data?.errors.some(({ path }) => path.includes("status")) ?? false;
}

/** A page of a list, as GraphQL gives it. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    nodes: z.array(item),
    totalCount: z.number().optional(),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
  });
}

/** A page of a list, in TypeScript's terms. */
export interface Page<Item> {
  readonly nodes: readonly Item[];
  readonly totalCount?: number | undefined;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** Goes through a list page by page; the first page has no cursor. */
export async function* eachPage<Item>(
  fetchPage: (cursor: string | null) => Promise<Page<Item> | undefined>,
): AsyncGenerator<Page<Item>> {
  for (let cursor: string | null = null; ; ) {
    const page: Page<Item> | undefined = await fetchPage(cursor);
    if (!page) return;
    yield page;
    if (!page.pageInfo.hasNextPage) return;
    cursor = page.pageInfo.endCursor;
  }
}
