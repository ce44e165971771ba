import { z } from "zod";
import type { ThreadAddress } from "../comments/comment.ts";
import { createThreadComments } from "../comments/thread-comments.ts";
import { isSameAccount } from "../people/identity.ts";
import { readRecords } from "./comment-records.ts";
import type { FoundRecord, FoundRecords, OpenRecordsDeps } from "./found-record.ts";

/** Discussions that are looked at at most, newest changes first. */
const maxDiscussions = 1000;

const Author = z.object({ __typename: z.string(), login: z.string() }).nullable();

const pageInfo = z.object({ hasPreviousPage: z.boolean() });

/** A server that knows no replies has none. */
const Replies = z.object({ nodes: z.array(z.object({ author: Author })), pageInfo }).nullish();

const Discussion = z.object({
  id: z.string(),
  number: z.number(),
  updatedAt: z.string(),
  comments: z.object({ nodes: z.array(z.object({ author: Author, replies: Replies })), pageInfo }),
});
type Discussion = z.infer<typeof Discussion>;

const DiscussionPage = z.object({
  repository: z.object({
    discussions: z.object({
      nodes: z.array(Discussion),
      pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
    }),
  }),
});

// Replies make a page dear: with these numbers one costs 11 of the 1,000 points that a repository has in an hour.
const query = `query ($owner: String!, $name: String!, $cursor: String) { repository(owner: $owner, name: $name) {
  discussions(first: 50, after: $cursor, orderBy: { field: UPDATED_AT, direction: DESC }) {
    nodes { id number updatedAt
      comments(last: 20) { pageInfo { hasPreviousPage } nodes { author { __typename login }
        replies(last: 10) { pageInfo { hasPreviousPage } nodes { author { __typename login } } } } } }
    pageInfo { hasNextPage endCursor } } } }`;

/** Records in comments on discussions; only discussions that may hold a comment of ours are read. */
export async function listDiscussionRecords(since: string, deps: OpenRecordsDeps): Promise<FoundRecords> {
  const { discussions, isCut } = await listDiscussions(since, deps);
  const records: FoundRecord[] = [];
  for (const discussion of discussions) {
    if (!mayHoldOurs(discussion, deps)) continue;
    const thread: ThreadAddress = { kind: "discussion", number: discussion.number, nodeId: discussion.id };
    const comments = await createThreadComments(thread, deps.api).list({ since });
    records.push(...(await readRecords(thread, comments, deps)));
  }
  const unseen = `Discussions: only the ${maxDiscussions} that changed last were looked at.`;
  return { records, unseen: isCut ? [unseen] : [] };
}

/** Discussions that changed since then. A repository without discussions has none. */
async function listDiscussions(
  since: string,
  { api }: OpenRecordsDeps,
): Promise<{ discussions: Discussion[]; isCut: boolean }> {
  const purpose = { doing: "list the repository's discussions", permission: "discussions: write" };
  const { owner, name } = api.repository;
  const discussions: Discussion[] = [];
  for (let cursor: string | null = null; ; ) {
    const variables = { owner, name, cursor };
    const page: z.infer<typeof DiscussionPage> = await api.call(purpose, async (octokit) =>
      DiscussionPage.parse(await octokit.graphql<unknown>(query, variables)),
    );
    const { nodes, pageInfo } = page.repository.discussions;
    const recent = nodes.filter(({ updatedAt }) => Date.parse(updatedAt) >= Date.parse(since));
    discussions.push(...recent);
    if (!pageInfo.hasNextPage || recent.length < nodes.length) return { discussions, isCut: false };
    if (discussions.length >= maxDiscussions) return { discussions, isCut: true };
    cursor = pageInfo.endCursor;
  }
}

function mayHoldOurs({ comments }: Discussion, { identity }: OpenRecordsDeps): boolean {
  const isOurs = ({ author }: { readonly author: z.infer<typeof Author> }) => {
    const account = author && { login: author.login, id: 0, isBot: author.__typename === "Bot" };
    return isSameAccount(account ?? undefined, identity.login);
  };
  if (comments.pageInfo.hasPreviousPage) return true;
  return comments.nodes.some(
    (comment) =>
      isOurs(comment) || comment.replies?.pageInfo.hasPreviousPage || comment.replies?.nodes.some(isOurs),
  );
}
