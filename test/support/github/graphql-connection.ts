/** Lists and errors in the form that GitHub gives them in GraphQL. */

/** Arguments of every list. */
export interface PageArguments {
  readonly first?: number;
  readonly last?: number;
  readonly after?: string | null;
  readonly before?: string | null;
}

/** A page of a list, in Relay's form; GitHub demands `first` or `last`, at most a hundred. */
export function connect<Item>(items: readonly Item[], { first, last, after, before }: PageArguments) {
  const size = first ?? last;
  if (size === undefined || size < 1 || size > 100) {
    throw new GraphProblem(
      "MISSING_PAGINATION_BOUNDARIES",
      "You must provide a `first` or `last` value from 1 to 100.",
    );
  }
  const start = after == null ? 0 : Number(atob(after)) + 1;
  const end = before == null ? items.length : Number(atob(before));
  const from = first === undefined ? Math.max(start, end - size) : start;
  const to = first === undefined ? end : Math.min(end, start + first);
  const edges = items.slice(from, to).map((node, index) => ({ cursor: btoa(String(from + index)), node }));
  return {
    edges,
    nodes: edges.map(({ node }) => node),
    totalCount: items.length,
    pageInfo: {
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
      hasNextPage: to < items.length,
      hasPreviousPage: from > 0,
    },
  };
}

/** An error with GitHub's `type`, such as `NOT_FOUND` or `FORBIDDEN`. */
export class GraphProblem extends Error {
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}
