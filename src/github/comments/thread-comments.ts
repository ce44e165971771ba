import type { GitHubApi } from "../github-api.ts";
import type { ThreadAddress, ThreadComments } from "./comment.ts";
import { createDiscussionComments } from "./discussion-comments.ts";
import { createIssueComments } from "./issue-comments.ts";

/** The comments of a thread, over the API that its kind has. */
export function createThreadComments(thread: ThreadAddress, api: GitHubApi): ThreadComments {
  return thread.kind === "discussion"
    ? createDiscussionComments(thread, api)
    : createIssueComments(thread, api);
}
