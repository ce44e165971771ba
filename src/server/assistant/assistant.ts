/** The assistant's endpoints: messages in v1 and v2 (specification §4.1, §4.7), and MCP. */
import { randomUUID } from "node:crypto";
import { getConnInfo } from "@hono/node-server/conninfo";
import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import * as z from "zod/mini";
import { createAddressReader } from "../base/client-address.ts";
import type { AnswerResult, PlatformContext } from "../base/context.ts";
import { ApiError, readJson } from "../base/http.ts";
import { mayAccess } from "../base/keys.ts";
import type { DocumentSource, Site } from "../base/sites.ts";
import { openUseLimit } from "../base/use-limit.ts";
import { type AnswerPart, dataStreamProtocol, streamAnswer, uiMessageProtocol } from "./answer-stream.ts";
import { createDocsLibrary, type DocsLibrary } from "./docs-library.ts";
import { answerExtractively, type PageLinkBase } from "./extractive-answer.ts";
import { answerMcp } from "./mcp.ts";
import { answerWithModel } from "./model-answer.ts";
import type { ModelOptions } from "./model-options.ts";
import { type Question, readV1Question, readV2Question } from "./question.ts";
import { openRefusedQuestions, openThreads, type ThreadRecord } from "./records.ts";

/** Options of the assistant. All have defaults. */
export interface AssistantOptions {
  /** An OpenAI-compatible model that writes the answers. Without it, answers quote the documentation. */
  readonly model?: ModelOptions | undefined;
  /** Base of the links to pages. Default: paths from the site's root. */
  readonly links?: PageLinkBase | undefined;
  readonly requestsPerHour?: number | undefined;
  readonly requestsPerAddressAndDay?: number | undefined;
}

/** Maximum number of sites whose index stays in memory. The least recently used is dropped first. */
const maxIndexedSites = 20;

const hour = 60 * 60 * 1000;
const day = 24 * hour;

/** Enough for a long conversation with context. */
const maxBodyBytes = 8 * 1024 * 1024;

/** Proxies and clients close idle connections after 30 to 60 seconds. */
const keepAliveMs = 15_000;

/** The assistant key is public, so pages of any origin may use it. */
const corsOptions = {
  origin: "*",
  allowMethods: ["POST"],
  allowHeaders: ["authorization", "content-type", "user-agent"],
  exposeHeaders: ["x-thread-id", "x-request-id", "retry-after", "deprecation", "link"],
  maxAge: 86_400,
};

const versions = [
  { name: "v1", read: readV1Question, protocol: dataStreamProtocol },
  { name: "v2", read: readV2Question, protocol: uiMessageProtocol },
] as const;

/** Opens the assistant of a platform. Conversations are kept in the platform's storage. */
export async function openAssistant(options: AssistantOptions, context: PlatformContext) {
  const { findSite, requireKey, log, observer, now, trustedProxies } = context;
  const { model, links = { kind: "pages", baseUrl: "" } } = options;
  const threads = await openThreads(context);
  const refused = await openRefusedQuestions(context);
  const libraries = new Map<DocumentSource, DocsLibrary>();
  const libraryOf = ({ documents }: Site) => {
    const library = libraries.get(documents) ?? createDocsLibrary(documents, log, now, links.kind);
    // A map iterates in insertion order: the most recently used library is last.
    libraries.delete(documents);
    libraries.set(documents, library);
    for (const [oldest, { forget }] of libraries) {
      if (libraries.size <= maxIndexedSites) break;
      libraries.delete(oldest);
      void forget();
    }
    return library;
  };
  // The limits of the specification (§8).
  const { requestsPerHour = 10_000, requestsPerAddressAndDay = 10_000 } = options;
  const organizationUses = await openUseLimit(context, "assistant/uses/organization", requestsPerHour, hour);
  const addressUses = await openUseLimit(context, "assistant/uses/address", requestsPerAddressAndDay, day);
  const readAddress = createAddressReader(trustedProxies);

  /** Retrieves passages for the question and its conversation, and answers from them. */
  async function* answer(site: Site, request: Question, thread: ThreadRecord, signal: AbortSignal) {
    const { query, pageSize } = request;
    const index = await libraryOf(site).current(signal);
    // A conversation sent by the client is more complete than the stored one.
    const turns = request.turns.length > 0 ? request.turns : thread.turns;
    const earlier = query.earlier.length > 0 ? query.earlier : turns.map((turn) => turn.question);
    const retrieval = index.search({ ...query, earlier }, pageSize);
    const parts =
      model === undefined
        ? answerExtractively(retrieval, links)
        : answerWithModel({ ...request, turns }, retrieval, model, { links, log, signal });
    yield* noticesOf(request, model !== undefined);
    let result: AnswerResult = "answered";
    for await (const part of parts) {
      if (part.type === "error") result = "failed";
      if (part.type === "text" && part.isRefusal) {
        result = "refused";
        await refused.add(thread.domain, query.question);
      }
      yield part;
    }
    observer.answer(thread.domain, result);
  }

  async function countUse(call: Context): Promise<void> {
    const address = readAddress(getConnInfo(call).remote.address, call.req.header("x-forwarded-for"));
    await addressUses.use(address, "This IP address has reached its daily limit of assistant requests.");
    await organizationUses.use(
      "organization",
      "The organization has reached its hourly limit of assistant requests.",
    );
  }

  const requireSite = (call: Context, domain: string) => {
    const site = findSite(domain);
    const names = domain === "" ? (site?.domains ?? []) : [domain];
    if (site !== undefined && names.some((name) => mayAccess(call, "domains", name))) return site;
    throw new ApiError(404, "No documentation site has this domain identifier.");
  };
  const routes = new Hono();
  routes.post("/mcp/:domain?", requireKey("assistant"), (call) => {
    const library = libraryOf(requireSite(call, call.req.param("domain") ?? ""));
    return answerMcp(call, { library, links, publicUrl: context.publicUrl }, () => countUse(call));
  });
  routes.use("/discovery/*", cors(corsOptions));
  for (const { name, read, protocol } of versions) {
    const path = `/discovery/${name}/assistant/:domain/message` as const;
    routes.post(path, requireKey("assistant"), async (call) => {
      const domain = call.req.param("domain");
      const site = requireSite(call, domain);
      await countUse(call);
      const question = read(await readJson(call.req.raw, z.unknown(), maxBodyBytes));
      const thread = await threads.open(domain.toLowerCase(), question.threadId);
      if (thread === undefined) throw new ApiError(404, "The thread does not exist or has expired.");
      // Before the response begins, which then has status 200.
      await libraryOf(site).refresh(call.req.raw.signal);
      const ids = { messageId: `msg_${randomUUID()}`, threadId: thread.id };
      const body = streamAnswer(protocol, ids, keepAliveMs, {
        answer: (signal) => answer(site, question, thread, signal),
        onAnswered: (text) => threads.add(thread, { question: question.query.question, answer: text }),
        log,
      });
      return call.body(body, 200, {
        ...protocol.headers,
        ...(name === "v1" ? deprecation(domain) : {}),
        "cache-control": "no-store",
        "x-thread-id": thread.id,
      });
    });
  }
  return { routes, refused };
}

/** What of a request has no effect on its answer. */
function noticesOf({ notices, instructions }: Question, hasModel: boolean): AnswerPart[] {
  const ofInstructions = "This platform has no model: a system message has no effect.";
  const all = hasModel || instructions.length === 0 ? notices : [...notices, ofInstructions];
  return all.map((message) => ({ type: "notice", message }));
}

/** v1 is deprecated (specification §9). */
function deprecation(domain: string): Record<string, string> {
  const successor = `../../../v2/assistant/${encodeURIComponent(domain)}/message`;
  return { deprecation: "true", link: `<${successor}>; rel="successor-version"` };
}
