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

  test("requires the fields that the specification requires, and no other", () => {
    const required = listFields(request).filter((path) => problems(changeField(request, path)).length > 0);
    expect(required.map((path) => path.join("."))).toMatchInlineSnapshot(`
      [
        "fp",
        "messages",
        "messages.0.id",
        "messages.0.role",
        "messages.0.content",
        "messages.0.parts",
        "messages.0.parts.0.type",
        "messages.0.parts.0.text",
        "messages.0.parts.1.type",
        "messages.0.parts.1.reasoning",
        "messages.0.parts.1.details",
        "messages.0.parts.1.details.0.type",
        "messages.0.parts.1.details.0.text",
        "messages.0.parts.1.details.1.type",
        "messages.0.parts.1.details.1.data",
        "messages.0.parts.2.type",
        "messages.0.parts.3.type",
        "messages.0.parts.3.source",
        "messages.0.parts.3.source.sourceType",
        "messages.0.parts.3.source.id",
        "messages.0.parts.3.source.url",
        "messages.0.parts.4.type",
        "messages.0.parts.4.toolInvocation",
        "messages.0.parts.4.toolInvocation.state",
        "messages.0.parts.4.toolInvocation.toolCallId",
        "messages.0.parts.4.toolInvocation.toolName",
        "messages.0.parts.4.toolInvocation.args",
        "messages.0.parts.5.type",
        "messages.0.parts.5.toolInvocation",
        "messages.0.parts.5.toolInvocation.state",
        "messages.0.parts.5.toolInvocation.toolCallId",
        "messages.0.parts.5.toolInvocation.toolName",
        "messages.0.parts.5.toolInvocation.args",
        "messages.0.parts.6.type",
        "messages.0.parts.6.toolInvocation",
        "messages.0.parts.6.toolInvocation.state",
        "messages.0.parts.6.toolInvocation.result",
        "messages.0.parts.6.toolInvocation.toolCallId",
        "messages.0.parts.6.toolInvocation.toolName",
        "messages.0.parts.6.toolInvocation.args",
        "messages.0.experimental_attachments.0.url",
        "context.0.type",
        "context.0.value",
      ]
    `);
  });

  test("accepts no field of another type, except those of any type", () => {
    const accepted = listFields(request).filter(
      (path) => problems(changeField(request, path, Symbol())).length === 0,
    );
    expect(accepted.map((path) => path.join("."))).toMatchInlineSnapshot(`
      [
        "messages.0.parts.4.toolInvocation.args",
        "messages.0.parts.5.toolInvocation.args",
        "messages.0.parts.6.toolInvocation.result",
        "messages.0.parts.6.toolInvocation.args",
      ]
    `);
  });

  test.each(["code", "textSelection", "image", ""])(
    "has context of the type %j only if it exists",
    (type) => {
      const isKnown = type === "code" || type === "textSelection";
      expect(problems({ ...request, context: [{ type, value: "x" }] })).toEqual(
        isKnown ? [] : ["context.0.type"],
      );
    },
  );

  test("has only parts and no content in v2", () => {
    const v2 = { fp: "a", messages: [{ id: "m", role: "user", parts: [{ type: "text", text: "x" }] }] };
    expect(UiAssistantRequest.parse(v2)).toEqual(v2);
    const withContent = { fp: "a", messages: [{ ...v2.messages[0], content: "x" }] };
    expect(UiAssistantRequest.parse(withContent)).toEqual(v2);
  });
});

function withPart(part: unknown) {
  return { ...request, messages: [{ ...message, parts: [part] }] };
}

type Path = readonly string[];

/** The paths of all fields in a value. */
function listFields(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(Array.isArray(value) ? [] : [[...path, name]]),
    ...listFields(inner, [...path, name]),
  ]);
}

/** A copy of a value in which one field has another value, or none. */
function changeField(value: unknown, path: Path, changed?: unknown): unknown {
  const copy = structuredClone(value) as Record<string, unknown>;
  const holder = path.slice(0, -1).reduce((inner, name) => inner[name] as typeof copy, copy);
  const name = path.at(-1) ?? "";
  if (changed === undefined) delete holder[name];
  else holder[name] = changed;
  return copy;
}
