/** Create assistant message, v1 and v2 (specification §4.1, §4.7), as a public key needs it. */
import { randomUUID } from "node:crypto";
import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import { z } from "zod";
import type { Log } from "../../base/runtime.ts";
import { ApiError, limitBody, readJson } from "../base/http.ts";
import { type Keyring, requireKey } from "../base/keys.ts";
import type { UseLimit } from "../base/use-limit.ts";
import type { AnswerPart } from "./answer-part.ts";
import type { DocsLibrary } from "./docs-library.ts";
import { type AnswerProtocol, createDataStreamProtocol, createUiMessageProtocol } from "./encode-answer.ts";
import { answerExtractively } from "./extractive-answer.ts";
import { answerWithModel } from "./model-answer.ts";
import type { ModelOptions } from "./model-client.ts";
import type { PageLinks } from "./page-links.ts";
import { type Question, readV1Question, readV2Question } from "./read-question.ts";
import { streamAnswer } from "./stream-answer.ts";
import type { ThreadRecord, Threads } from "./threads.ts";

export interface AssistantRoutesOptions {
  /** Domains that this platform serves. */
  readonly domains: readonly string[];
  readonly links: PageLinks;
  /** Who writes the answers; without it, they are quoted from the documents. */
  readonly model: ModelOptions | undefined;
}

export interface AssistantRoutesDeps {
  readonly keyring: Keyring;
  readonly library: DocsLibrary;
  readonly threads: Threads;
  /** 10,000 requests per organization and hour (specification §8). */
  readonly organizationUses: UseLimit;
  /** 10,000 requests per address and day (specification §8). */
  readonly addressUses: UseLimit;
  readonly log: Log;
}

/** Attachments may be part of the request as data URLs. */
const maxBodyBytes = 8 * 1024 * 1024;

/** Proxies and clients give up on a connection that is silent for a minute, or half of it. */
const keepAliveMs = 15_000;

/** What Node's server hands over beside the request. */
const NodeBindings = z.object({
  incoming: z.object({ socket: z.object({ remoteAddress: z.string() }) }),
});

interface Version {
  readonly path: string;
  readonly read: (body: unknown) => Question;
  readonly createProtocol: () => AnswerProtocol;
  /** v1 is deprecated (specification §9). */
  readonly headers: (domain: string) => Readonly<Record<string, string>>;
}

const versions: readonly Version[] = [
  {
    path: "/discovery/v1/assistant/:domain/message",
    read: readV1Question,
    createProtocol: createDataStreamProtocol,
    headers: (domain) => ({
      deprecation: "true",
      link: `</discovery/v2/assistant/${encodeURIComponent(domain)}/message>; rel="successor-version"`,
    }),
  },
  {
    path: "/discovery/v2/assistant/:domain/message",
    read: readV2Question,
    createProtocol: createUiMessageProtocol,
    headers: () => ({}),
  },
];

/** The assistant's endpoints. */
export function createAssistantRoutes(options: AssistantRoutesOptions, deps: AssistantRoutesDeps): Hono {
  const app = new Hono();
  app.use(
    "/discovery/*",
    cors({
      origin: "*",
      allowMethods: ["POST"],
      allowHeaders: ["authorization", "content-type", "user-agent"],
      exposeHeaders: ["x-thread-id", "x-request-id", "retry-after", "deprecation", "link"],
      maxAge: 86_400,
    }),
  );
  for (const version of versions) {
    app.post(
      version.path,
      requireKey(deps.keyring, "assistant"),
      limitBody(maxBodyBytes),
      async (context) => {
        const domain = context.req.param("domain") ?? "";
        requireServedDomain(domain, options.domains);
        use(context, deps);
        const question = version.read(await readJson(context.req.raw, z.unknown()));
        const thread = openThread(question, domain.toLowerCase(), deps.threads);
        const protocol = version.createProtocol();
        const body = streamAnswer(
          { protocol, messageId: `msg_${randomUUID()}`, threadId: thread.id, keepAliveMs },
          {
            log: deps.log,
            answer: (signal) => answer({ question, thread, signal }, options, deps),
            onAnswered: (text) =>
              deps.threads.add(thread, { question: question.query.question, answer: text }),
          },
        );
        return context.body(body, 200, {
          ...protocol.headers,
          ...version.headers(domain),
          "cache-control": "no-store",
          "x-thread-id": thread.id,
        });
      },
    );
  }
  return app;
}

function requireServedDomain(domain: string, served: readonly string[]): void {
  if (served.some((name) => name.toLowerCase() === domain.toLowerCase())) return;
  throw new ApiError(404, "There is no documentation site with this domain identifier.");
}

function use(context: Context, { organizationUses, addressUses }: AssistantRoutesDeps): void {
  const address = NodeBindings.safeParse(context.env).data?.incoming.socket.remoteAddress ?? "unknown";
  addressUses.use(address, "This address has used up its requests of the day.");
  organizationUses.use("organization", "The organization has used up its requests of the hour.");
}

function openThread({ threadId, fp }: Question, domain: string, threads: Threads): ThreadRecord {
  if (threadId === undefined) return threads.begin({ domain, fp });
  const thread = threads.find(threadId, domain);
  if (thread === undefined) throw new ApiError(404, "There is no such thread, or it has expired.");
  return thread;
}

interface Asked {
  readonly question: Question;
  readonly thread: ThreadRecord;
  readonly signal: AbortSignal;
}

/** Retrieves with the whole conversation in mind, and answers from what was found. */
async function* answer(
  { question, thread, signal }: Asked,
  { model, links }: AssistantRoutesOptions,
  { library, log }: AssistantRoutesDeps,
): AsyncGenerator<AnswerPart> {
  const index = await library.current(signal);
  // A client that sends the whole conversation says more than what was kept of it.
  const turns = question.answer.turns.length > 0 ? question.answer.turns : thread.turns;
  const earlier =
    question.query.earlier.length > 0 ? question.query.earlier : turns.map((turn) => turn.question);
  const retrieval = index.search({ ...question.query, earlier }, { pageSize: question.pageSize });
  if (model === undefined) yield* answerExtractively(retrieval, links);
  else yield* answerWithModel({ ...question.answer, turns }, retrieval, { model, links, log, signal });
}
