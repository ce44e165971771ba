/** Schemas that answers of GitHub's GraphQL API share. */
import * as z from "zod/mini";

/** A list, or as much of it as was asked for, as GraphQL gives it. */
export function listSchema<Item extends z.ZodMiniType>(item: Item) {
  return z.object({ nodes: z.array(item) });
}

/** A page of a list, and where the next one begins. */
export function pageSchema<Item extends z.ZodMiniType>(item: Item) {
  const pageInfo = z.pipe(
    z.object({ hasNextPage: z.boolean(), endCursor: z.nullable(z.string()) }),
    z.transform(({ hasNextPage, endCursor }) => ({ hasMore: hasNextPage, cursor: endCursor })),
  );
  return z.extend(listSchema(item), { totalCount: z.optional(z.number()), pageInfo });
}

/** The same of a list that is read from its end. */
export function lastPageSchema<Item extends z.ZodMiniType>(item: Item) {
  const pageInfo = z.pipe(
    z.object({ hasPreviousPage: z.boolean(), startCursor: z.nullable(z.string()) }),
    z.transform(({ hasPreviousPage, startCursor }) => ({ hasMore: hasPreviousPage, cursor: startCursor })),
  );
  return z.extend(listSchema(item), { totalCount: z.optional(z.number()), pageInfo });
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
