import { createHash } from "node:crypto";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { ApiError } from "../http/api-error.ts";
import { type Keyring, requireKey } from "../http/require-key.ts";
import { type Git, GitError, GitOutputError } from "./git.ts";
import type { LocalPullRequests } from "./local-pull-requests.ts";
import { type PullRequestView, pullRequestStyle, renderPullRequestPage } from "./pull-request-page.ts";
import { findCommit, type ServedRepository } from "./served-repository.ts";

interface PagesOptions {
  /** Whether who can reach the platform may see the pages; otherwise they need a key that may read. */
  readonly open: boolean;
}

interface PagesDeps {
  readonly pullRequests: LocalPullRequests;
  readonly git: Git;
  readonly served: ServedRepository;
  readonly keyring: Keyring;
}

const loopbackName = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;

const securityHeaders = {
  "content-security-policy": `default-src 'none'; style-src 'sha256-${digest(pullRequestStyle)}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

/** The pages of the pull requests that have no other place. */
export function createPullRequestPages({ open }: PagesOptions, deps: PagesDeps): Hono {
  const app = new Hono();
  const guard = open ? requireLoopbackName : requireKey(deps.keyring, "read");
  const path = `${deps.pullRequests.repository}/pull`;

  app.get(`${path}/:number{[0-9]+}`, guard, async (context) => {
    const view = await readView(context, deps);
    return context.html(renderPullRequestPage(view), 200, securityHeaders);
  });
  app.get(`${path}/:file{[0-9]+\\.diff}`, guard, async (context) => {
    const { diff } = await readView(context, deps);
    if (diff === undefined) throw new ApiError(404, "The changes of this pull request cannot be shown here.");
    return context.text(`${diff}\n`, 200, securityHeaders);
  });
  return app;
}

/** A name that a website gave to this machine must not let it read what is served here without a key. */
const requireLoopbackName: MiddlewareHandler = async (context, next) => {
  if (!loopbackName.test(context.req.header("host") ?? "")) {
    throw new ApiError(403, "This page is served under the addresses of this machine only.");
  }
  await next();
};

async function readView(
  context: Context,
  { pullRequests, git, served }: PagesDeps,
): Promise<PullRequestView> {
  const number = Number.parseInt(context.req.param("number") ?? context.req.param("file") ?? "", 10);
  const pullRequest = pullRequests.get(number);
  if (pullRequest === undefined) throw new ApiError(404, "There is no pull request with this number.");
  const lookup = { git, cwd: served.root, signal: context.req.raw.signal };
  const head = await findCommit(`refs/heads/${pullRequest.branch}`, lookup);
  const base =
    (await findCommit(`refs/heads/${pullRequest.base}`, lookup)) ??
    (await findCommit(pullRequest.base, lookup));
  if (head === undefined || base === undefined) return { ...pullRequest, state: "gone", diff: undefined };
  const state = (await isAncestor(head, base, lookup)) ? "merged" : "open";
  return { ...pullRequest, state, diff: await readDiff(`${base}...${head}`, lookup) };
}

interface Lookup {
  readonly git: Git;
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** `undefined` when it is longer than a page can be. */
async function readDiff(range: string, { git, ...call }: Lookup): Promise<string | undefined> {
  const diff = ["diff", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", range];
  try {
    return await git(diff, call);
  } catch (error) {
    if (error instanceof GitOutputError) return undefined;
    throw error;
  }
}

async function isAncestor(head: string, base: string, { git, ...call }: Lookup): Promise<boolean> {
  try {
    await git(["merge-base", "--is-ancestor", head, base], call);
    return true;
  } catch (error) {
    if (error instanceof GitError && error.exitCode === 1) return false;
    throw error;
  }
}

function digest(style: string): string {
  return createHash("sha256").update(style).digest("base64");
}
