/** An unmodified `useChat` of the AI SDK 5 holds a conversation with the local platform's v2 endpoint. */
import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport, type UIMessage } from "ai";
import { describe, expect, test } from "vitest";
import { renderHook } from "../ai-sdk-v4/render-hook.ts";
import { startAssistantPlatform } from "../server/assistant/assistant-platform.ts";

type ThreadMessage = UIMessage<{ threadId?: string }>;

describe("useChat of the AI SDK 5", () => {
  test("holds a conversation of two turns over v2", async () => {
    await using platform = await startAssistantPlatform();
    using chat = renderHook(() =>
      useChat<ThreadMessage>({
        transport: new DefaultChatTransport({
          api: `${platform.url}/discovery/v2/assistant/docs.example.com/message`,
          headers: { authorization: `Bearer ${platform.assistantKey}` },
          body: { fp: "anonymous", retrievalPageSize: 5 },
        }),
      }),
    );

    await chat.act(() => chat.current.sendMessage({ text: "How do I rotate an API key?" }));
    await chat.until(({ status }) => status === "ready" || status === "error");
    expect(chat.current.error).toBeUndefined();
    const answer = chat.current.messages.at(-1);
    expect(textOf(answer)).toContain("The old key works for 24 hours.");
    expect(answer?.parts.filter(({ type }) => type === "source-url")).toHaveLength(1);
    const threadId = answer?.metadata?.threadId;
    expect(threadId).toMatch(/^thread_/);

    await chat.act(() =>
      chat.current.sendMessage({ text: "And how do I revoke it?" }, { body: { threadId } }),
    );
    await chat.until(({ status, messages }) => status === "ready" && messages.length === 4);
    expect(textOf(chat.current.messages.at(-1))).toContain("lantern keys revoke");
    expect(chat.current.messages.at(-1)?.metadata?.threadId).toBe(threadId);
  });
});

function textOf(message: ThreadMessage | undefined): string {
  return (message?.parts ?? []).map((part) => (part.type === "text" ? part.text : "")).join("");
}
