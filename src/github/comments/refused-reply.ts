import { z } from "zod";
import { GitHubError } from "../errors.ts";

/** GraphQL's answer to a mutation that was not carried out: its field is null, and the first error says why. */
const Refusal = z.object({
  name: z.literal("GraphqlResponseError"),
  data: z.object({ addDiscussionComment: z.null().optional() }).nullish(),
  errors: z.tuple([z.object({ type: z.enum(["NOT_FOUND", "UNPROCESSABLE", "FORBIDDEN"]) })], z.unknown()),
});

/**
 * What a request to reply led to; `undefined` where GitHub refused it and posted nothing: the comment to reply to is gone,
 * or takes no replies. A failure after which the reply may stand is thrown.
 */
export async function unlessReplyIsRefused<Reply>(request: Promise<Reply>): Promise<Reply | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof GitHubError && Refusal.safeParse(error.cause).success) return undefined;
    throw error;
  }
}
