import { describe, expect, test } from "vitest";
import {
  codeContextOf,
  composeQuestion,
  fingerprintOf,
  readContextItems,
} from "../../src/commands/assistant-question.ts";
import type { AssistantInputs } from "../../src/commands/inputs.ts";
import { readRequest } from "../../src/commands/request-from-event.ts";
import { readEvent } from "../../src/github/event.ts";
import { loadEvent } from "../support/event.ts";

const baseUrl = new URL("https://api.example.com");
const inputs = { baseUrl, apiVersion: "v1", retrievalPageSize: 5 } as AssistantInputs;
const options = { triggerPhrases: ["/ask"], prompt: undefined, runId: "1", requestType: "question" } as const;
const asked = { domain: "docs.example.com", id: "ask-1", text: "How?", fp: "anonymous", context: [] };

describe("a question", () => {
  test("is the smallest request that the specification allows", () => {
    const message = { id: "ask-1", role: "user", parts: [{ type: "text", text: "How?" }] };
    const common = { fp: "anonymous", retrievalPageSize: 5 };
    expect(composeQuestion(inputs, asked).request).toEqual({
      ...common,
      messages: [{ ...message, content: "How?" }],
    });
    expect(composeQuestion({ ...inputs, apiVersion: "v2" }, asked, "t-1").request).toEqual({
      ...common,
      threadId: "t-1",
      messages: [message],
    });
    const local = composeQuestion({ ...inputs, baseUrl: "local", threadId: "t-2" }, asked, "t-1");
    expect(local.request, "its conversations ended").not.toHaveProperty("threadId");
  });

  test("says which documentation and page it is about, as far as that is known", () => {
    const item = { type: "code", value: "rotate()" } as const;
    const requestOf = (change: Partial<Parameters<typeof composeQuestion>[0]>, context = [item]) =>
      composeQuestion({ ...inputs, ...change }, { ...asked, context }).request;

    expect(requestOf({ filterVersion: "2" })).toMatchObject({ filter: { version: "2" }, context: [item] });
    expect(requestOf({ filterLanguage: "de" }).filter).toStrictEqual({ language: "de" });
    expect(requestOf({ currentPath: "/keys" }).currentPath).toBe("/keys");
    expect(Object.keys(requestOf({}, []))).toStrictEqual(["fp", "retrievalPageSize", "messages"]);
  });
});

describe("a question on code", () => {
  test("carries what can be seen of the code, and tells what can not be seen of the question", async () => {
    const payload = loadEvent("pull_request_review_comment.created", {
      action: "created",
      comment: {
        body: "/ask why?<!-- hidden -->",
        path: "ci\u200b.js",
        diff_hunk: "@@ -1 +1 @@\n+ro\u200btate()",
      },
    });
    const event = readEvent("pull_request_review_comment", payload);
    expect(await readRequest(event, options)).toMatchObject({
      instruction: "why?",
      removed: { hiddenSegments: 1 },
    });
    expect(codeContextOf(event)).toEqual([{ type: "code", value: "@@ -1 +1 @@\n+rotate()", path: "ci.js" }]);
  });
});

describe("context items", () => {
  test("are read from YAML or JSON", async () => {
    const item = { type: "code", value: "rotate()", path: "ci.js" };
    expect(await readContextItems("- type: code\n  value: rotate()\n  path: ci.js\n")).toEqual([item]);
    expect(await readContextItems(JSON.stringify([item]))).toEqual([item]);
    expect(await readContextItems(undefined)).toEqual([]);
  });

  test.each([
    [
      "- type: picture\n  value: x\n",
      "Item 1 of `context-items` needs `type: code` or `type: textSelection`.",
    ],
    ["- { type: code, value: x }\n- { type: code }", "Item 2 of `context-items` needs a text as `value`."],
    [
      "- { type: code, value: x, line: 1 }",
      "Item 1 of `context-items` has a field that does not exist: line.",
    ],
    ["[x]", "Item 1 of `context-items` must have `type` and `value`."],
    ["type: code", "`context-items` must be a list of items with `type` and `value`."],
    ["[", "neither YAML nor JSON"],
    [`- &a x\n${"- [*a, *a, *a, *a, *a]\n".repeat(21)}`, "neither YAML nor JSON"],
  ])("that are not as the specification has them are refused: %j", async (text, message) => {
    await expect(readContextItems(text)).rejects.toThrow(message);
  });
});

describe("a fingerprint", () => {
  test("is the same for a thread, another for another, and names neither", () => {
    const one = fingerprintOf("123", "issue:7");
    expect(fingerprintOf("123", "issue:7")).toBe(one);
    expect(fingerprintOf("123", "issue:8")).not.toBe(one);
    expect(fingerprintOf("124", "issue:7")).not.toBe(one);
    expect(one).toMatch(/^thread-[0-9a-f]{32}$/);
    expect(fingerprintOf("123", undefined)).toBe("anonymous");
  });
});
