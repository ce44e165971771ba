/** The assistant's endpoints, v1 and v2 (specification §4.1, §4.7): a question in, a streamed answer out. */
import { randomUUID } from "node:crypto";
import { getConnInfo } from "@hono/node-server/conninfo";
import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import * as z from "zod/mini";
import { createAddressReader } from "../base/client-address.ts";
import type { PlatformContext } from "../base/context.ts";
import { ApiError, readJson } from "../base/http.ts";
import { mayTouch } from "../base/keys.ts";
import type { DocumentSource, Site } from "../base/sites.ts";
import type { RemoteOptions } from "../site/remote-files.ts";
import { dataStreamProtocol, streamAnswer, uiMessageProtocol } from "./answer-stream.ts";
import { createDocsLibrary, type DocsLibrary } from "./docs-library.ts";
import { answerExtractively, type PageLinks } from "./extractive-answer.ts";
import { answerMcp } from "./mcp.ts";
import { answerWithModel } from "./model-answer.ts";
import type { ModelOptions } from "./model-options.ts";
import { type Question, readV1Question, readV2Question } from "./question.ts";
import { openRefusedQuestions } from "./refused-questions.ts";
import { openThreads, type ThreadRecord } from "./threads.ts";

/** How a platform answers questions; everything has a default. */
export interface AssistantOptions {
  /** An OpenAI-compatible model that writes the answers; without it, they are quoted from the documents. */
  readonly model?: ModelOptions | undefined;
  /** Where readers find the documents; paths from the site's root unless set. */
  readonly links?: PageLinks | undefined;
  readonly requestsPerHour?: number | undefined;
  readonly requestsPerAddressAndDay?: number | undefined;
}

/** Sites whose index a process keeps in memory: those that were asked last. */
const indexedSites = 20;

const hour = 60 * 60 * 1000;
const day = 24 * hour;

/** A conversation and its context, as text. */
const maxBodyBytes = 8 * 1024 * 1024;

/** Proxies and clients give up on a connection that is silent for a minute, or half of it. */
const keepAliveMs = 15_000;

/** Whether its caller needs the browser's leave: the key is public, so any site may use it. */
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

/** Opens the assistant over a platform's documents; its conversations are kept in the data folder. */
export async function openAssistant(
  options: AssistantOptions,
  remote: RemoteOptions,
  context: PlatformContext,
) {
  const { storage, findSite, requireKey, log, observer, now, trustedProxies } = context;
  const { model, links = { kind: "pages", baseUrl: "" } } = options;
  const threads = await openThreads(storage, 30 * day, now);
  const refused = await openRefusedQuestions(storage, log, now);
  const libraries = new Map<DocumentSource, DocsLibrary>();
  const libraryOf = ({ documents }: Site) => {
    const library = libraries.get(documents) ?? createDocsLibrary(documents, remote, log, now);
    // The one that was asked last is the last in the map.
    libraries.delete(documents);
    libraries.set(documents, library);
    for (const [oldest, { forget }] of libraries) {
      if (libraries.size <= indexedSites) break;
      libraries.delete(oldest);
      void forget();
    }
    return library;
  };
  // The limits of the specification (§8).
  const { requestsPerHour = 10_000, requestsPerAddressAndDay = 10_000 } = options;
  const organizationUses = await storage.openUseLimit("assistant/uses/organization", requestsPerHour, hour);
  const addressUses = await storage.openUseLimit("assistant/uses/address", requestsPerAddressAndDay, day);
  const readAddress = createAddressReader(trustedProxies);

  /** Retrieves with the whole conversation in mind, and answers from what was found. */
  async function* answer(site: Site, asked: Question, thread: ThreadRecord, signal: AbortSignal) {
    const { query, pageSize, ...question } = asked;
    const index = await libraryOf(site).current(signal);
    // A client that sends the whole conversation says more than what was kept of it.
    const turns = question.turns.length > 0 ? question.turns : thread.turns;
    const earlier = query.earlier.length > 0 ? query.earlier : turns.map((turn) => turn.question);
    const retrieval = index.search({ ...query, earlier }, pageSize);
    const parts =
      model === undefined
        ? answerExtractively(retrieval, links)
        : answerWithModel({ ...question, turns }, retrieval, model, { links, log, signal });
    let isRefused = false;
    for await (const part of parts) {
      if (part.type === "text" && part.isRefusal) {
        isRefused = true;
        await refused.add(thread.domain, query.question);
      }
      yield part;
    }
    observer.answer(thread.domain, isRefused ? "refused" : "answered");
  }

  async function countUse(call: Context): Promise<void> {
    const address = readAddress(getConnInfo(call).remote.address, call.req.header("x-forwarded-for"));
    await addressUses.use(address, "This address has used up its requests of the day.");
    await organizationUses.use("organization", "The organization has used up its requests of the hour.");
  }

  const requireSite = (call: Context, domain: string) => {
    const site = findSite(domain);
    const names = domain === "" ? (site?.domains ?? []) : [domain];
    if (site !== undefined && names.some((name) => mayTouch(call, "domains", name))) return site;
    throw new ApiError(404, "There is no documentation site with this domain identifier.");
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
      if (model === undefined && question.instructions.length > 0) {
        const why = "without a model, this platform quotes the documents and follows no instructions";
        throw new ApiError(400, `messages: a message of the role system has no effect: ${why}`);
      }
      const thread = await threads.open(domain.toLowerCase(), question.threadId, question.fp);
      if (thread === undefined) throw new ApiError(404, "There is no such thread, or it has expired.");
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

/** v1 is deprecated (specification §9). */
function deprecation(domain: string): Record<string, string> {
  const successor = `/discovery/v2/assistant/${encodeURIComponent(domain)}/message`;
  return { deprecation: "true", link: `<${successor}>; rel="successor-version"` };
}
