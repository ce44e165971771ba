/**
 * A stand-in for GitHub: one repository with memory, reached through GITHUB_API_URL and GITHUB_GRAPHQL_URL. Every request
 * and answer is held against GitHub's own descriptions; what breaks them fails the test when the stand-in goes out of scope.
 */

import { setTimeout } from "node:timers/promises";
import type { FaultPlan } from "./faults.ts";
import type { GitRemote } from "./git-http.ts";
import type { Actor, Scope } from "./github/api-call.ts";
import { answerGraphRequest, type GraphRequest } from "./github/graphql.ts";
import { readBranches } from "./github/remote-branches.ts";
import { ACTIONS_BOT } from "./github/render.ts";
import { answerRestRequest } from "./github/rest-api.ts";
import { createScene, type Scene } from "./github/scene.ts";
import { createSceneEvents, type SceneEvents, type TriggeredRun } from "./github/scene-events.ts";
import { createState, type GitHubState, rememberPerson } from "./github/state.ts";
import { type RecordedRequest, startHttpServer } from "./http-server.ts";

export interface StandInOptions {
  /** `owner/name`. */
  readonly repository?: string;
  /** Of private repositories nothing can be read without permission; the default. */
  readonly isPrivate?: boolean;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  /** How long a request and its answer travel together, in real milliseconds: for measurements. */
  readonly latencyMs?: number;
  /** The git side of the same repository: branches and commits are then what was pushed there. */
  readonly remote?: GitRemote;
}

export type Permissions = Readonly<Partial<Record<Scope, "read" | "write">>>;

export interface GitHubStandIn extends AsyncDisposable, Scene {
  readonly state: GitHubState;
  /** Where it is; fits `run` of an action's use. */
  readonly run: {
    readonly repository: string;
    readonly serverUrl: string;
    readonly apiUrl: string;
    readonly graphqlUrl: string;
  };
  /** The events that texts of the scene cause, for `run` of an action's use. */
  readonly events: SceneEvents;
  /** Somebody comments on an issue or pull request; returns the event. */
  say(issue: number, body: string, author?: string): TriggeredRun;
  readonly faults: FaultPlan;
  /** Every request, in order, with its operation once it was handled. */
  readonly requests: readonly RecordedRequest[];
  /** Makes the token of a run whose job has these `permissions:`. */
  runToken(permissions: Permissions): string;
  /** Makes the token of a person, or of another app (`some-app[bot]`). */
  tokenOf(login: string, permissions?: Permissions): string;
  /** Requests that change something, as operations with their bodies. */
  changes(): readonly Pick<RecordedRequest, "operation" | "body">[];
  /** How many requests of each operation came since the last call. */
  countRequests(): Readonly<Record<string, number>>;
  /** Takes note of what broke GitHub's descriptions, so that it does not fail the test. */
  takeViolations(): readonly string[];
}

/** A 403 as GitHub sends it to clients that write too fast; it does not always say how long to wait. */
export const secondaryRateLimit = (retryAfterSeconds?: number) =>
  ({
    kind: "answer",
    status: 403,
    headers: {
      "content-type": "application/json",
      ...(retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }),
    },
    body: JSON.stringify({
      message: "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
      documentation_url: "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api",
    }),
  }) as const;

const SERVER_URL = "https://github.localhost";

const ALL_PERMISSIONS: Permissions = {
  actions: "write",
  checks: "write",
  contents: "write",
  discussions: "write",
  issues: "write",
  "pull-requests": "write",
  statuses: "write",
};

const refusal = (status: number, message: string) => Response.json({ message }, { status });

/** Reading calls of GraphQL are POSTs too. */
const READING_FIELDS = new Set(["node", "nodes", "rateLimit", "repository", "viewer"]);

/** Whether a request changed something. */
export function isChange({ method, operation = "", handled }: RecordedRequest): boolean {
  const [kind, fields = ""] = operation.split(":");
  const isQuery = kind === "graphql" && fields.split(",").every((field) => READING_FIELDS.has(field));
  return handled && method !== "GET" && !isQuery;
}

/** Starts a stand-in with an empty repository (one commit on `main`). */
export async function startGitHubStandIn(options: StandInOptions = {}): Promise<GitHubStandIn> {
  const { repository = "octo-org/widgets", latencyMs = 0 } = options;
  const state = createState({
    repository,
    isPrivate: options.isPrivate ?? true,
    clock: options.clock ?? Date.now,
  });
  const scene = createScene(state);
  scene.addPerson(state.owner, "admin");
  if (options.remote === undefined) scene.addCommit({ message: "Initial commit" });
  else await readBranches(state, options.remote);
  const actors = new Map<string, Actor>();
  const violations: string[] = [];

  const addActor = (actor: Actor) => {
    rememberPerson(state, actor.login);
    // Not that of a test in another process: some tests search all processes for theirs.
    const token = `${actor.kind === "app" ? "ghs" : "ghp"}_stand-in-${process.pid}-${state.nextId()}`;
    actors.set(token, actor);
    return token;
  };

  const dispatch = async (request: Request, { entry, actor }: { entry: RecordedRequest; actor: Actor }) => {
    if (options.remote !== undefined) await readBranches(state, options.remote);
    const url = new URL(request.url);
    const context = { state, links: { api: server.url, html: SERVER_URL }, actor };
    if (url.pathname === "/graphql" && request.method === "POST") {
      const { operations, problems, body } = await answerGraphRequest(entry.body as GraphRequest, context);
      entry.operation = `graphql:${operations.join(",")}`;
      violations.push(...problems);
      return Response.json(body);
    }
    const { method } = request;
    const { operation, problems, response } = answerRestRequest(
      { method, url, pathname: url.pathname, body: entry.body },
      context,
    );
    entry.operation = operation;
    violations.push(...problems);
    return response;
  };

  const answer = async (request: Request, entry: RecordedRequest): Promise<Response> => {
    if (request.headers.get("user-agent") === null) {
      return refusal(403, "Request forbidden by administrative rules: no User-Agent header");
    }
    const [, token] = /^(?:token|bearer) (.+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
    if (token === undefined) return refusal(401, "Requires authentication");
    const actor = actors.get(token);
    if (actor === undefined) return refusal(401, "Bad credentials");
    const text = await request.text();
    entry.actor = actor.login;
    entry.body = text === "" ? undefined : (JSON.parse(text) as unknown);
    const travel = () => (latencyMs > 0 ? setTimeout(latencyMs / 2) : undefined);
    await travel();
    const response = await dispatch(request, { entry, actor });
    await travel();
    response.headers.set("date", new Date((options.clock ?? Date.now)()).toUTCString());
    return response;
  };

  const server = await startHttpServer((request, entry) =>
    answer(request, entry).catch((error: unknown) => {
      violations.push(`the stand-in itself failed: ${error instanceof Error ? error.stack : String(error)}`);
      return refusal(500, "Server Error");
    }),
  );
  let counted = 0;
  const takeViolations = () => violations.splice(0);
  const events = createSceneEvents({ state, links: { api: server.url, html: SERVER_URL } });
  return {
    ...scene,
    state,
    run: { repository, serverUrl: SERVER_URL, apiUrl: server.url, graphqlUrl: `${server.url}/graphql` },
    events,
    say: (issue, body, author = "mona") => events.issueComment(scene.addComment({ issue, author, body })),
    faults: server.faults,
    requests: server.requests,
    runToken: (permissions) => addActor({ login: ACTIONS_BOT, kind: "app", permissions }),
    tokenOf: (login, permissions = ALL_PERMISSIONS) =>
      addActor({ login, kind: login.endsWith("[bot]") ? "app" : "user", permissions }),
    changes: () => server.requests.filter(isChange).map(({ operation, body }) => ({ operation, body })),
    countRequests() {
      const counts: Record<string, number> = {};
      for (const { operation = "unknown" } of server.requests.slice(counted))
        counts[operation] = (counts[operation] ?? 0) + 1;
      counted = server.requests.length;
      return counts;
    },
    takeViolations,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      const broken = takeViolations();
      if (broken.length > 0) throw new Error(`GitHub would not understand this:\n${broken.join("\n")}`);
    },
  };
}
