/** The parts of webhook payloads that the action reads; everything else is dropped, deleted accounts are null. */
import { z } from "zod";

const User = z
  .object({ login: z.string(), id: z.number(), type: z.string().optional() })
  .nullish()
  .transform((user) =>
    user
      ? { login: user.login, id: user.id, isBot: user.type === "Bot" || user.login.endsWith("[bot]") }
      : undefined,
  );

/** A person or bot; `undefined` where the account was deleted. */
export type Account = NonNullable<z.output<typeof User>>;

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

const Piece = {
  id: z.number(),
  node_id: text,
  user: User,
  body: text,
  html_url: text,
  created_at: text,
  updated_at: text,
};

const Issue = z.object({
  ...Piece,
  number: z.number(),
  title: text,
  pull_request: z.unknown().optional(),
});

/** Null where the repository was deleted. */
const RepositoryId = z.object({ id: z.number() }).nullish();

const PullRequest = z.object({
  ...Piece,
  number: z.number(),
  title: text,
  merged: z.boolean().nullish(),
  merge_commit_sha: z.string().nullish(),
  base: z.object({ ref: z.string(), sha: z.string(), repo: RepositoryId }),
  head: z.object({ ref: z.string(), sha: z.string(), repo: RepositoryId }),
});

const shared = { action: z.string().default(""), sender: User };

export const IssueCommentPayload = z.object({ ...shared, comment: z.object(Piece), issue: Issue });
export const ReviewCommentPayload = z.object({
  ...shared,
  comment: z.object({
    ...Piece,
    path: text,
    diff_hunk: text,
    line: z.number().nullish(),
  }),
  pull_request: PullRequest,
});
export const ReviewPayload = z.object({
  ...shared,
  review: z.object({ ...Piece, submitted_at: text }),
  pull_request: PullRequest,
});
export const DiscussionCommentPayload = z.object({
  ...shared,
  /** `parent_id` is null for a comment that replies to none. */
  comment: z.object({ ...Piece, parent_id: z.number().nullish() }),
  discussion: Issue,
});
export const IssuesPayload = z.object({
  ...shared,
  issue: Issue,
  label: z.object({ name: z.string() }).optional(),
});
export const DiscussionPayload = z.object({
  ...shared,
  discussion: Issue,
  label: z.object({ name: z.string() }).optional(),
});
export const PullRequestPayload = z.object({ ...shared, pull_request: PullRequest });
export const PushPayload = z.object({
  sender: User,
  ref: z.string(),
  before: z.string(),
  after: z.string(),
  created: z.boolean().default(false),
  deleted: z.boolean().default(false),
  forced: z.boolean().default(false),
  commits: z.array(z.object({ id: z.string(), message: text })).default([]),
  head_commit: z.object({ id: z.string(), message: text }).nullish(),
  repository: z.object({ default_branch: text }),
});
export const ReleasePayload = z.object({
  ...shared,
  release: z.object({
    id: z.number(),
    node_id: text,
    tag_name: z.string(),
    name: text,
    body: text,
    html_url: text,
    draft: z.boolean().default(false),
    author: User,
  }),
});
export const AnyPayload = z.object({ ...shared });
