/** Comments of an issue or pull request, over the REST API. */
import { z } from "zod";
import type { GitHubApi } from "../github-api.ts";
import {
  type Comment,
  permissionToWrite,
  type ThreadAddress,
  type ThreadComments,
  unlessGone,
} from "./comment.ts";

/** A comment of an issue or pull request, as the REST API shows it, in our terms. */
export const RestComment = z
  .object({
    id: z.number(),
    node_id: z.string(),
    user: z.object({ login: z.string(), id: z.number(), type: z.string() }).nullish(),
    body: z.string().nullish(),
    html_url: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .transform(
    ({ id, node_id, user, body, html_url, created_at, updated_at }): Comment => ({
      id,
      nodeId: node_id,
      author: user ? { login: user.login, id: user.id, isBot: user.type === "Bot" } : undefined,
      body: body ?? "",
      url: html_url,
      createdAt: created_at,
      updatedAt: updated_at,
    }),
  );

/** The conversation of an issue or pull request. */
export function createIssueComments({ kind, number }: ThreadAddress, api: GitHubApi): ThreadComments {
  const permission = permissionToWrite(kind);
  return {
    list: ({ since } = {}) =>
      api.call({ doing: `list the comments of #${number}`, permission }, async (octokit, target) => {
        const parameters = { ...target, issue_number: number, per_page: 100, ...(since ? { since } : {}) };
        const comments = await octokit.paginate(octokit.rest.issues.listComments, parameters);
        return z
          .array(RestComment)
          .parse(comments)
          .sort((a, b) => a.id - b.id);
      }),
    read: ({ id }) =>
      unlessGone(
        api.call({ doing: `read its comment on #${number}`, permission }, async (octokit, target) => {
          const { data } = await octokit.rest.issues.getComment({ ...target, comment_id: id });
          return RestComment.parse(data);
        }),
      ),
    create: (body) =>
      api.call({ doing: `comment on #${number}`, permission }, async (octokit, target) => {
        const { data } = await octokit.rest.issues.createComment({ ...target, issue_number: number, body });
        return RestComment.parse(data);
      }),
    update: ({ id }, body) =>
      api.call({ doing: `edit its comment on #${number}`, permission }, async (octokit, target) => {
        const { data } = await octokit.rest.issues.updateComment({ ...target, comment_id: id, body });
        return RestComment.parse(data);
      }),
    remove: ({ id }) =>
      api.call({ doing: `delete its comment on #${number}`, permission }, async (octokit, target) => {
        await octokit.rest.issues.deleteComment({ ...target, comment_id: id });
      }),
  };
}
