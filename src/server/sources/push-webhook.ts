/** What code hosts send when someone pushed to a repository. */
import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { Hono } from "hono";
import * as z from "zod/mini";
import { parseJson } from "../../base/text.ts";
import { ApiError, parseAs, readBody } from "../base/http.ts";

/** A site that is told of pushes. */
export interface PushedSite {
  readonly secret: string;
  /** The branch that it shows, as far as that is known. */
  readonly findBranch: () => Promise<string | undefined>;
  /** Has the branch read again, in the background. */
  readonly refresh: () => void;
}

/** A push of two thousand commits; the poll finds what a host tells at greater length. */
const maxBodyBytes = 8 * 1024 * 1024;

/** Of GitHub's `ping` and other events, there is no `ref`. */
const PushEvent = z.object({ ref: z.optional(z.string()) });

/**
 * Answers GitHub's, GitLab's, Gitea's and Forgejo's webhooks. What they say is a reason to ask the host, and is not taken from them:
 * one that was sent before does no harm.
 */
export function createPushWebhook(find: (domain: string) => PushedSite | undefined): Hono {
  const routes = new Hono();
  routes.post("/webhooks/push/:domain", async (call) => {
    const site = find(call.req.param("domain").toLowerCase());
    const { headers } = call.req.raw;
    const proofs = readProofs(headers);
    const refuse = () => {
      throw new ApiError(401, "The webhook is not signed with the secret of a site of this domain.");
    };
    if (site === undefined || proofs.length === 0) return refuse();
    const body = await readBody(call.req.raw, maxBodyBytes);
    const hmac = createHmac("sha256", site.secret).update(body).digest("hex");
    const expected = { signature: hmac, token: site.secret };
    if (!proofs.some(({ kind, value }) => isSame(value, expected[kind]))) return refuse();
    const parsed = parseJson(body.toString("utf8"));
    if (parsed === undefined) throw new ApiError(400, "The body must be JSON: choose application/json.");
    const { ref } = parseAs(PushEvent, parsed);
    const branch = await site.findBranch();
    const isOurs = ref !== undefined && (branch === undefined || ref === `refs/heads/${branch}`);
    if (isOurs) site.refresh();
    return call.json({ result: isOurs ? "accepted" : "ignored" }, 202);
  });
  return routes;
}

function readProofs(headers: Headers) {
  const proofs = [
    ["signature", headers.get("x-hub-signature-256")?.replace(/^sha256=/, "")],
    ["signature", headers.get("x-gitea-signature")],
    ["token", headers.get("x-gitlab-token")],
  ] as const;
  return proofs.flatMap(([kind, value]) => (value ? [{ kind, value }] : []));
}

/** Takes the same time for any two texts. */
function isSame(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map((text) => hash("sha256", text, "buffer"));
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
