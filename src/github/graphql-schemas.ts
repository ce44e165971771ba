/** Schemas that several responses of GitHub's GraphQL API share. */
import * as z from "zod/mini";

/** A GraphQL list. */
export function listSchema<Item extends z.ZodMiniType>(item: Item) {
  return z.object({ nodes: z.array(item) });
}

/** A page of a list that is read forwards or backwards, with the cursor of the next page. */
export function pageSchema<Item extends z.ZodMiniType>(item: Item) {
  const pageInfo = z.pipe(
    z.object({
      hasNextPage: z.optional(z.boolean()),
      endCursor: z.nullish(z.string()),
      hasPreviousPage: z.optional(z.boolean()),
      startCursor: z.nullish(z.string()),
    }),
    z.transform(({ hasNextPage, hasPreviousPage, endCursor, startCursor }) => ({
      hasMore: hasNextPage ?? hasPreviousPage ?? false,
      cursor: endCursor ?? startCursor ?? null,
    })),
  );
  return z.extend(listSchema(item), { totalCount: z.optional(z.number()), pageInfo });
}

/**
 * An account. GraphQL omits the suffix `[bot]` that the REST API includes, so it is added. `undefined` as for `accountOf`.
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

/** A comment ID (`fullDatabaseId`), which GitHub returns as a string: those of comments on issues and pull requests exceed 32 bits. */
export const BigNumber = z.pipe(
  z.nullish(z.union([z.string(), z.number()])),
  z.transform((value) => (value == null ? undefined : Number(value))),
);

/** The fields of {@link Actor}, as a selection. */
export const actorFields = "__typename login ... on User { databaseId } ... on Bot { databaseId }";

/** The account behind a token. */
export const Viewer = z.object({ viewer: Actor });
