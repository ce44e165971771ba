/** Schemas that answers of GitHub's GraphQL API share. */
import * as z from "zod/mini";

/** A page of a list, as GraphQL gives it. */
export function pageOf<Item extends z.ZodMiniType>(item: Item) {
  return z.object({
    nodes: z.array(item),
    totalCount: z.optional(z.number()),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.nullable(z.string()) }),
  });
}

/**
 * An account, as GraphQL shows it: it drops the suffix of bots that the REST API and people know. `undefined` as for `accountOf`.
 */
export const Actor = z.pipe(
  z.nullable(
    z.object({ __typename: z.optional(z.string()), login: z.string(), databaseId: z.nullish(z.number()) }),
  ),
  z.transform((actor) => {
    if (actor === null || actor.__typename === "Mannequin") return undefined;
    const { __typename, login, databaseId } = actor;
    const isBot = __typename === "Bot" || login.endsWith("[bot]");
    return { login: isBot ? login.replace(/(?:\[bot\])?$/, "[bot]") : login, id: databaseId ?? 0, isBot };
  }),
);

/** The account behind a token. */
export const Viewer = z.object({ viewer: Actor });
