import { describe, expect, test } from "vitest";
import { AssistantRequest, UiAssistantRequest } from "../../src/client/assistant-contract.ts";

const tool = { toolCallId: "c", toolName: "search", args: null };
const parts = [
  { type: "text", text: "x" },
  {
    type: "reasoning",
    reasoning: "x",
    details: [
      { type: "text", text: "x", signature: "s" },
      { type: "redacted", data: "d" },
    ],
  },
  { type: "step-start" },
  { type: "source", source: { sourceType: "url", id: "s", url: "https://docs.example.com", title: "t" } },
  { type: "tool-invocation", toolInvocation: { state: "partial-call", ...tool } },
  { type: "tool-invocation", toolInvocation: { state: "call", step: 1, ...tool } },
  { type: "tool-invocation", toolInvocation: { state: "result", result: [], ...tool } },
];
const message = {
  id: "m",
  role: "user",
  content: "x",
  parts,
  createdAt: "2026-01-01T00:00:00Z",
  annotations: [1, null],
  experimental_attachments: [{ url: "data:,x", name: "n", contentType: "text/plain" }],
};
const request = {
  fp: "anonymous",
  messages: [message],
  threadId: "t",
  retrievalPageSize: 5,
  filter: { version: "v1", language: "en" },
  context: [{ type: "code", value: "x", path: "p", elementId: "e" }],
  currentPath: "p".repeat(200),
};

/** Paths of the problems with a request. */
function problems(value: unknown): string[] {
  const parsed = AssistantRequest.safeParse(value);
  return parsed.success ? [] : parsed.error.issues.map(({ path }) => path.join("."));
}

describe("the assistant's request", () => {
  test("accepts every role, part, tool invocation, attachment, context and field of the specification", () => {
    const messages = ["system", "assistant", "data", "user"].map((role) => ({ ...message, role }));
    const context = [...request.context, { type: "textSelection", value: "x" }];
    const full = { ...request, messages, context };
    expect(AssistantRequest.parse(full)).toEqual(full);
    expect(problems({ fp: "a", messages: [], threadId: null, filter: null })).toEqual([]);
  });

  test.each<[string, unknown, string]>([
    ["no fingerprint", { messages: [] }, "fp"],
    ["a path of 201 characters", { ...request, currentPath: "p".repeat(201) }, "currentPath"],
    ["an unknown field", { ...request, temperature: 1 }, ""],
    ["an unknown role", { ...request, messages: [{ ...message, role: "tool" }] }, "messages.0.role"],
    [
      "a call without arguments",
      withPart({
        type: "tool-invocation",
        toolInvocation: { state: "call", toolCallId: "c", toolName: "s" },
      }),
      "messages.0.parts.0.toolInvocation.args",
    ],
    [
      "a result without a result",
      withPart({ type: "tool-invocation", toolInvocation: { state: "result", ...tool } }),
      "messages.0.parts.0.toolInvocation.result",
    ],
    [
      "a source that is not a URL source",
      withPart({ type: "source", source: { sourceType: "file", id: "s", url: "u" } }),
      "messages.0.parts.0.source.sourceType",
    ],
    [
      "an invalid date",
      { ...request, messages: [{ ...message, createdAt: "yesterday" }] },
      "messages.0.createdAt",
    ],
  ])("rejects %s and names it", (_name, value, path) => {
    expect(problems(value)).toEqual([path]);
  });

  test("has only parts and no content in v2", () => {
    const v2 = { fp: "a", messages: [{ id: "m", role: "user", parts: [{ type: "text", text: "x" }] }] };
    expect(UiAssistantRequest.parse(v2)).toEqual(v2);
    const withContent = { fp: "a", messages: [{ ...v2.messages[0], content: "x" }] };
    expect(UiAssistantRequest.safeParse(withContent).success).toBe(false);
  });
});

function withPart(part: unknown) {
  return { ...request, messages: [{ ...message, parts: [part] }] };
}
