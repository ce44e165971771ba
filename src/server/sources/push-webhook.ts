/** The webhook that code hosts call after a push. */
import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { Hono } from "hono";
import * as z from "zod/mini";
import { parseJson } from "../../base/text.ts";
import { ApiError, parseAs, readBody } from "../base/http.ts";

/** A site with a webhook. */
export interface WebhookSite {
  readonly secret: string;
  /** The branch of the site; `undefined` while it is unknown. */
  readonly findBranch: () => Promise<string | undefined>;
  /** Reads the branch's tip again in the background. */
  readonly refresh: () => void;
}

/** Enough for a push of two thousand commits; polling finds larger pushes. */
const maxBodyBytes = 8 * 1024 * 1024;

/** GitHub's `ping` and other events have no `ref`. */
const PushEvent = z.object({ ref: z.optional(z.string()) });

/**
 * Handles push webhooks of GitHub, GitLab, Gitea and Forgejo. A webhook only triggers a poll of the host. Its data about commits is not
 * used, so a replayed request is harmless.
 */
export function createPushWebhook(find: (domain: string) => WebhookSite | undefined): Hono {
  const routes = new Hono();
  routes.post("/webhooks/push/:domain", async (call) => {
    const site = find(call.req.param("domain").toLowerCase());
    const unsigned = "The webhook is not signed with the secret of a site of this domain.";
    if (site === undefined) throw new ApiError(401, unsigned);
    const body = await readBody(call.req.raw, maxBodyBytes);
    if (!isAuthentic(call.req.raw.headers, body, site.secret)) throw new ApiError(401, unsigned);
    const parsed = parseJson(body.toString("utf8"));
    if (parsed === undefined) throw new ApiError(400, "The body must be JSON: choose application/json.");
    const { ref } = parseAs(PushEvent, parsed);
    const branch = await site.findBranch();
    const isSiteBranch = ref !== undefined && (branch === undefined || ref === `refs/heads/${branch}`);
    if (isSiteBranch) site.refresh();
    return call.json({ result: isSiteBranch ? "accepted" : "ignored" }, 202);
  });
  return routes;
}

/** Whether the headers have the body's signature (also of Gitea and Forgejo), or the secret itself (GitLab). */
function isAuthentic(headers: Headers, body: Buffer, secret: string): boolean {
  const signature = headers.get("x-hub-signature-256")?.replace(/^sha256=/, "") ?? "";
  const expected = createHmac("sha256", secret).update(body).digest("hex");
  return isEqual(signature, expected) || isEqual(headers.get("x-gitlab-token") ?? "", secret);
}

/** Compares in constant time. */
function isEqual(actual: string, expected: string): boolean {
  const [one, other] = [actual, expected].map((text) => hash("sha256", text, "buffer"));
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
