/** A platform whose assistant answers as a test scripts it: bytes, chunk by chunk, over real HTTP. */
import { createServer, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { listen } from "./listen.ts";

/** One answer: what is sent, and how the connection ends. */
export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly chunks: readonly (string | Promise<string>)[];
  /** `close` ends the body, `cut` breaks the connection, `hang` leaves it open. */
  readonly end?: "close" | "cut" | "hang";
}

export interface AssistantRequestSeen {
  readonly path: string;
  readonly key: string | undefined;
  readonly body: Record<string, unknown>;
}

export interface AssistantPlatform extends AsyncDisposable {
  readonly url: string;
  readonly asked: readonly AssistantRequestSeen[];
}

/** Answers the questions in order; the last answer repeats. */
export async function startAssistantPlatform(answers: readonly ScriptedAnswer[]): Promise<AssistantPlatform> {
  const asked: AssistantRequestSeen[] = [];
  const server = createServer(async (request, response) => {
    const body = await json(request);
    const { url = "", headers } = request;
    asked.push({ path: url, key: headers.authorization, body: body as Record<string, unknown> });
    await send(answers[Math.min(asked.length, answers.length) - 1], response);
  });
  return { ...(await listen(server)), asked };
}

async function send(answer: ScriptedAnswer | undefined, response: ServerResponse): Promise<void> {
  const { status = 200, headers = {}, chunks, end = "close" } = answer ?? { status: 500, chunks: [] };
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...headers });
  for (const chunk of chunks) {
    const text = await chunk;
    await new Promise((resolve) => response.write(text, resolve));
  }
  if (end === "close") response.end();
  if (end === "cut") response.socket?.destroySoon();
}

/** The lines of a whole v1 answer. */
export function v1Answer(
  texts: readonly string[],
  {
    threadId,
    sources = [],
  }: { threadId?: string; sources?: readonly { url: string; title?: string }[] } = {},
): string[] {
  const line = (code: string, value: unknown) => `${code}:${JSON.stringify(value)}\n`;
  return [
    line("f", { messageId: "msg-1" }),
    ...sources.map((source, index) => line("h", { sourceType: "url", id: `s${index}`, ...source })),
    ...texts.map((text) => line("0", text)),
    line("e", { finishReason: "stop", isContinued: false }),
    line("d", { type: "finish", finishReason: "stop", ...(threadId && { threadId }) }),
  ];
}

/** The events of a whole v2 answer. */
export function v2Answer(texts: readonly string[], { threadId }: { threadId?: string } = {}): string[] {
  const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
  return [
    event({ type: "start", messageId: "msg-1" }),
    event({ type: "text-start", id: "t" }),
    ...texts.map((delta) => event({ type: "text-delta", id: "t", delta })),
    event({ type: "text-end", id: "t" }),
    event({ type: "finish", ...(threadId && { messageMetadata: { threadId } }) }),
    "data: [DONE]\n\n",
  ];
}
