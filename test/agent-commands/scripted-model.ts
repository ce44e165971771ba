/** A model without a network: it calls the tools of a script one after the other, in the protocol that it is asked in. */
import { startHttpServer, type TestServer } from "../support/http-server.ts";

/** One call of a tool by its own name; `input` is text for a tool that takes text. */
export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>> | string;
}

/** What a request holds of the conversation: its tools, and how many calls were answered. */
interface Turn {
  readonly answered: number;
  readonly call: ToolCall | undefined;
}

/** What a client must present. */
export const modelKey = "sk-scripted-model";

export const lastWords = "The guide is up to date.";

type Json = Readonly<Record<string, unknown>>;
/** A list of a request; a text where a list may stand has no items of interest. */
const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);
const usage = { input_tokens: 10, output_tokens: 10 };

/** A protocol: which answers to tools a request holds, and the events of the next message. */
interface Protocol {
  readonly path: RegExp;
  readonly countAnswers: (request: Json) => number;
  readonly speak: (turn: Turn, request: Json) => readonly Json[];
  /** Whether an event's line names its type. */
  readonly namesEvents?: boolean;
}

const anthropicMessages: Protocol = {
  path: /^\/v1\/messages$/,
  namesEvents: true,
  countAnswers: ({ messages }) =>
    listOf(messages)
      .flatMap(({ content }) => listOf(content))
      .filter(({ type }) => type === "tool_result").length,
  speak: ({ call, answered }, { model }) => [
    {
      type: "message_start",
      message: { id: `msg_${answered}`, type: "message", role: "assistant", model, content: [], usage },
    },
    {
      type: "content_block_start",
      index: 0,
      content_block: call
        ? { type: "tool_use", id: `toolu_${answered}`, name: call.name, input: {} }
        : { type: "text", text: "" },
    },
    {
      type: "content_block_delta",
      index: 0,
      delta: call
        ? { type: "input_json_delta", partial_json: JSON.stringify(call.input) }
        : { type: "text_delta", text: lastWords },
    },
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: call ? "tool_use" : "end_turn", stop_sequence: null },
      usage,
    },
    { type: "message_stop" },
  ],
};

const openaiResponses: Protocol = {
  path: /^\/v1\/responses$/,
  namesEvents: true,
  countAnswers: ({ input }) =>
    listOf(input).filter(({ type }) => /^(?:function|custom_tool)_call_output$/.test(String(type))).length,
  speak: ({ call, answered }) => {
    const id = `resp_${answered}`;
    const given = {
      id: `item_${answered}`,
      call_id: `call_${answered}`,
      name: call?.name,
      status: "completed",
    };
    const item =
      call === undefined
        ? { type: "message", role: "assistant", content: [{ type: "output_text", text: lastWords }] }
        : typeof call.input === "string"
          ? { type: "custom_tool_call", ...given, input: call.input }
          : { type: "function_call", ...given, arguments: JSON.stringify(call.input) };
    const total = { ...usage, total_tokens: 20 };
    return [
      { type: "response.created", response: { id } },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: { id, output: [item], usage: total } },
    ];
  },
};

const geminiContent: Protocol = {
  path: /^\/v1beta\/models\/[^/]+:streamGenerateContent$/,
  countAnswers: ({ contents }) =>
    listOf(contents)
      .flatMap(({ parts }) => listOf(parts))
      .filter((part) => "functionResponse" in part).length,
  speak: ({ call }) => [
    {
      candidates: [
        {
          index: 0,
          content: {
            role: "model",
            parts: [call ? { functionCall: { name: call.name, args: call.input } } : { text: lastWords }],
          },
          finishReason: "STOP",
        },
      ],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 },
    },
  ],
};

const chatCompletions: Protocol = {
  path: /^\/v1\/chat\/completions$/,
  countAnswers: ({ messages }) => listOf(messages).filter(({ role }) => role === "tool").length,
  speak: ({ call, answered }, { model }) => {
    const delta = call
      ? {
          tool_calls: [
            {
              index: 0,
              id: `call_${answered}`,
              type: "function",
              function: { name: call.name, arguments: JSON.stringify(call.input) },
            },
          ],
        }
      : { content: lastWords };
    const chunk = { id: `chat_${answered}`, object: "chat.completion.chunk", created: 0, model };
    return [
      { ...chunk, choices: [{ index: 0, delta: { role: "assistant", ...delta }, finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: call ? "tool_calls" : "stop" }] },
    ];
  },
};

const protocols = [anthropicMessages, openaiResponses, geminiContent, chatCompletions];

/** Starts a model on the loopback interface that makes these calls, and then says {@link lastWords}. */
export async function startScriptedModel(script: readonly ToolCall[]): Promise<TestServer> {
  return startHttpServer(async (request, entry) => {
    const { pathname } = new URL(request.url);
    const protocol = protocols.find(({ path }) => path.test(pathname));
    if (protocol === undefined) return new Response("", { status: 404 });
    // Codex asks for a WebSocket first.
    if (request.method !== "POST") return new Response("", { status: 426 });
    const key = ["authorization", "x-api-key", "x-goog-api-key"].map((name) => request.headers.get(name));
    if (!key.some((value) => value?.replace("Bearer ", "") === modelKey))
      return new Response("", { status: 401 });
    const body = (await request.json()) as Json;
    entry.body = body;
    const answered = protocol.countAnswers(body);
    const events = protocol.speak({ answered, call: script[answered] }, body);
    const lines = events.map((event) => {
      const name = protocol.namesEvents ? `event: ${event["type"]}\n` : "";
      return `${name}data: ${JSON.stringify(event)}\n\n`;
    });
    return new Response(lines.join(""), { headers: { "content-type": "text/event-stream" } });
  });
}
