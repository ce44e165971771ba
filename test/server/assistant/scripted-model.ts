/** An OpenAI-compatible model that sends what the test specifies. */

import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { listen } from "../../support/listen.ts";

export interface ScriptedModel extends AsyncDisposable {
  readonly baseUrl: string;
  /** Bodies of the received requests. */
  readonly requests: readonly {
    readonly messages: readonly { readonly role: string; readonly content: string }[];
  }[];
  /** Resolves when a client disconnects before the end. */
  readonly abandoned: Promise<void>;
}

/** @param pieces chunks of the model's answer @param behaviour `hang` keeps the answer open after them; `status` is an error response */
export async function startScriptedModel(
  pieces: readonly string[],
  {
    hang = false,
    status = 200,
    cut = false,
    finishReason = "stop",
  }: { hang?: boolean; status?: number; cut?: boolean; finishReason?: string } = {},
): Promise<ScriptedModel> {
  const requests: ScriptedModel["requests"][number][] = [];
  const abandoned = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    requests.push((await json(request)) as ScriptedModel["requests"][number]);
    if (status !== 200) return void response.writeHead(status).end("the model's secret reason");
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.once("close", () => !response.writableEnded && abandoned.resolve());
    for (const content of pieces) {
      response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
    }
    if (hang) return;
    if (cut) return void response.destroy();
    response.end(
      `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: finishReason }] })}\n\ndata: [DONE]\n\n`,
    );
  });
  const listening = await listen(server);
  return { ...listening, baseUrl: `${listening.url}/v1`, requests, abandoned: abandoned.promise };
}
