/**
 * The Actions results service, to which artifacts are uploaded, in front of a real blob store. Like the real one it
 * keeps a name taken from its creation on, lists only what was finalised, and answers in Twirp's JSON.
 */

import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { request } from "undici";
import { type ArtifactStore, blobOf, callMethod, type StoredArtifact, TwirpError } from "./artifact-store.ts";
import { createBlobContainer } from "./azurite.ts";
import { type RecordedRequest, startHttpServer, type TestServer } from "./http-server.ts";

/** A results service for one workflow run. */
export interface ArtifactService extends TestServer {
  /** What the runner gives to actions (not to `run:` steps) so that they find the service. */
  readonly environment: Readonly<Record<string, string>>;
  /** Every name ever taken and not deleted, in order. */
  readonly artifacts: readonly StoredArtifact[];
  /** The bytes of a finalised artifact, as the blob store gives them back. */
  read(name: string): Promise<Buffer>;
}

interface ServiceOptions {
  /**
   * Lets uploads pass through this server, where faults can meet them (`path: "/blob/"`), instead of going straight to the
   * blob store.
   */
  readonly interceptBlobs?: boolean;
  /** The origin by which actions reach this server, where that is a proxy's doing. */
  readonly publicUrl?: string;
  /** How long an upload link lives; the real ones live one hour. */
  readonly linkLivesMs?: number;
}

/** A fault in Twirp's words, for `service.faults.add`. */
export function twirpFault(status: number, { code, message }: { code: string; message: string }) {
  return {
    kind: "answer",
    status,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code, msg: message }),
  } as const;
}

/** The service's answer when the account's artifact storage is used up. */
export const QUOTA_FAULT = twirpFault(403, {
  code: "resource_exhausted",
  message: "insufficient usage: artifact storage quota has been hit",
});

/** The runtime token carries the run's identifiers in its scope; clients read them, unverified, from there. */
function createRuntimeToken(): string {
  const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const scope = `Actions.GenericRead:00000000 Actions.Results:${randomUUID()}:${randomUUID()}`;
  return [encode({ typ: "JWT", alg: "RS256" }), encode({ scp: scope }), encode({ nonce: randomUUID() })].join(
    ".",
  );
}

/** Hands a request for a blob on to the store, link and all. */
async function forwardToStore(incoming: Request, target: string): Promise<Response> {
  const { method, headers, body } = incoming;
  const forwarded = Object.fromEntries([...headers].filter(([name]) => !HOP_HEADERS.has(name)));
  const response = await request(target, {
    method: method as "PUT",
    headers: forwarded,
    body: body === null ? null : Buffer.from(await incoming.arrayBuffer()),
  });
  const answerHeaders = Object.entries(response.headers).map(
    ([name, value]) => [name, String(value)] as const,
  );
  return new Response(await response.body.arrayBuffer(), {
    status: response.statusCode,
    headers: answerHeaders.filter(([name]) => !HOP_HEADERS.has(name)).map(([name, value]) => [name, value]),
  });
}

const HOP_HEADERS = new Set(["connection", "keep-alive", "transfer-encoding", "host", "content-length"]);

/** Starts a service with no artifacts; the blob store behind it is shared by the whole test process. */
export async function startArtifactService(options: ServiceOptions = {}): Promise<ArtifactService> {
  const container = await createBlobContainer();
  const token = createRuntimeToken();
  const targets = new Map<string, string>();
  const artifacts = new Map<string, StoredArtifact>();
  let lastId = 9_000;
  const store: ArtifactStore = {
    container,
    artifacts,
    nextId: () => {
      lastId += 1;
      return lastId;
    },
    uploadLink(blob) {
      const link = container.sign(blob, "create-write", options.linkLivesMs);
      if (options.interceptBlobs !== true) return link;
      const { origin, pathname, search } = new URL(link);
      targets.set(blob, `${origin}${pathname}`);
      return `${options.publicUrl ?? server.url}/blob/${blob}${search}`;
    },
  };

  const app = new Hono<{ Bindings: { entry: RecordedRequest } }>();
  app.post("/twirp/github.actions.results.api.v1.ArtifactService/:method", async (context) => {
    if (context.req.header("authorization") !== `Bearer ${token}`) {
      throw new TwirpError(401, "unauthenticated", "the runtime token is not this run's");
    }
    const body: unknown = await context.req.json();
    context.env.entry.body = body;
    return Response.json(await callMethod(context.req.param("method"), { body, store }));
  });
  app.all("/blob/:blob", (context) => {
    const target = targets.get(context.req.param("blob"));
    const { search } = new URL(context.req.url);
    return target === undefined ? context.notFound() : forwardToStore(context.req.raw, `${target}${search}`);
  });
  app.onError((error, context) =>
    error instanceof TwirpError
      ? context.json({ code: error.code, msg: error.message }, error.status)
      : context.json({ code: "internal", msg: String(error) }, 500),
  );

  const server = await startHttpServer((incoming, entry) => app.fetch(incoming, { entry }));
  return {
    ...server,
    environment: { ACTIONS_RESULTS_URL: `${options.publicUrl ?? server.url}/`, ACTIONS_RUNTIME_TOKEN: token },
    get artifacts() {
      return [...artifacts.values()];
    },
    async read(name) {
      const artifact = artifacts.get(name);
      if (artifact?.finalized === undefined) throw new Error(`No finalised artifact is named ${name}`);
      const response = await request(container.sign(blobOf(artifact), "read"));
      return Buffer.from(await response.body.arrayBuffer());
    },
  };
}
