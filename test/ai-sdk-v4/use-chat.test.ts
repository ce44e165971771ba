/** An unmodified `useChat` of the AI SDK 4 holds a conversation with the local platform's v1 endpoint. */
import { useChat } from "@ai-sdk/react";
import { describe, expect, test } from "vitest";
import { startAssistantPlatform } from "../server/assistant/assistant-platform.ts";
import { renderHook } from "./render-hook.ts";

describe("useChat of the AI SDK 4", () => {
  test("holds a conversation of two turns over v1", async () => {
    await using platform = await startAssistantPlatform();
    using chat = renderHook(() =>
      useChat({
        api: `${platform.url}/discovery/v1/assistant/docs.example.com/message`,
        headers: { authorization: `Bearer ${platform.assistantKey}` },
        streamProtocol: "data",
        sendExtraMessageFields: true,
        body: { fp: "anonymous", retrievalPageSize: 5 },
      }),
    );

    await chat.act(() => chat.current.append({ role: "user", content: "How do I rotate an API key?" }));
    await chat.until(({ status }) => status === "ready" || status === "error");
    const answer = chat.current.messages.at(-1);
    expect(chat.current.error).toBeUndefined();
    expect(answer?.role).toBe("assistant");
    expect(answer?.content).toContain("The old key works for 24 hours.");
    expect(answer?.parts.filter(({ type }) => type === "source")).toHaveLength(1);
    const finish = chat.current.data?.at(-1) as { type: string; threadId: string };
    expect(finish).toEqual({ type: "finish", threadId: expect.stringMatching(/^thread_/) });

    const { threadId } = finish;
    await chat.act(() =>
      chat.current.append({ role: "user", content: "And how do I revoke it?" }, { body: { threadId } }),
    );
    await chat.until(
      ({ status, messages }) => status !== "submitted" && status !== "streaming" && messages.length === 4,
    );
    expect(chat.current.error).toBeUndefined();
    expect(chat.current.messages.at(-1)?.content).toContain("lantern keys revoke");
    expect(chat.current.data?.at(-1)).toEqual({ type: "finish", threadId });
  });

  test("shows the platform's refusal as an error", async () => {
    await using platform = await startAssistantPlatform();
    using chat = renderHook(() =>
      useChat({
        api: `${platform.url}/discovery/v1/assistant/docs.example.com/message`,
        headers: { authorization: "Bearer svc_dsc_wrong" },
        sendExtraMessageFields: true,
        body: { fp: "anonymous" },
        onError: () => undefined,
      }),
    );
    await chat.act(() => chat.current.append({ role: "user", content: "Hello?" }));
    await chat.until(({ status }) => status === "error");
    expect(chat.current.error?.message).toContain("no valid API key");
  });
});
