import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { openFileStorage } from "../../../src/server/base/file-storage.ts";
import type { PlatformDeps } from "../../../src/server/platform.ts";
import { createRecordingLog } from "../../support/recording-log.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { startAssistantPlatform, v1Message } from "./assistant-platform.ts";
import { startScriptedModel } from "./scripted-model.ts";

const question = "How do I rotate an API key?";

async function startWith(
  pieces: readonly string[],
  behaviour: Parameters<typeof startScriptedModel>[1] = {},
  deps: Partial<PlatformDeps> = {},
) {
  await using stack = new AsyncDisposableStack();
  const model = stack.use(await startScriptedModel(pieces, behaviour));
  const assistant = { model: { baseUrl: model.baseUrl, model: "test", apiKey: "model-key" } };
  const platform = stack.use(await startAssistantPlatform({ assistant }, deps));
  const resources = stack.move();
  return { model, platform, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

describe("an assistant with a model", () => {
  test("streams its answer, with citations as links to the passages", async () => {
    await using run = await startWith(["Press Rotate [", "1", "]. The old", " key works for a day [1]."]);
    const answer = await run.platform.ask(question);
    const link = "[\\[1\\]](/security/keys#rotate-a-key)";
    expect(answer.text).toBe(`Press Rotate ${link}. The old key works for a day ${link}.`);
    expect(answer.cited).toEqual([{ url: "/security/keys#rotate-a-key", title: "API keys › Rotate a key" }]);
  });

  test("sends the rules, the passages, the conversation and the context to the model", async () => {
    await using run = await startWith(["Yes [1]."]);
    const { threadId } = await run.platform.ask(question);
    const context = [{ type: "code", value: "lantern keys", path: "ci.sh" }];
    await run.platform.ask("And revoke it?", { threadId, context });
    const messages = run.model.requests.at(-1)?.messages ?? [];
    expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(messages[0]?.content).toContain("Run `lantern keys revoke`. A revoked key stops working at once");
    expect(messages[1]?.content).toBe(question);
    expect(messages[3]?.content).toContain("lantern keys");
  });

  test("sends a system message to the model after its own rules", async () => {
    await using run = await startWith(["Yes [1]."]);
    const messages = [v1Message("Answer in one sentence.", "system"), v1Message(question)];
    await run.platform.ask("", { messages });
    const sent = run.model.requests.at(-1)?.messages ?? [];
    expect(sent.map(({ role }) => role)).toEqual(["system", "system", "user"]);
    expect(sent[0]?.content).toContain("Use only the numbered passages");
    expect(sent[1]?.content).toBe("Answer in one sentence.");
  });

  test("sends the beginning of long questions, contexts and system messages to the model", async () => {
    await using run = await startWith(["Yes [1]."]);
    const systems = Array.from({ length: 50 }, () => v1Message("Be brief. ".repeat(1000), "system"));
    const context = Array.from({ length: 200 }, () => ({
      type: "code",
      value: "lantern keys ".repeat(1000),
    }));
    await run.platform.ask("", {
      context,
      messages: [...systems, v1Message(question.padEnd(500_000, " x"))],
    });
    const [, ...sent] = run.model.requests.at(-1)?.messages ?? [];
    expect(sent.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(sent[0]?.content).toHaveLength(10_000);
    expect(sent[1]?.content).toContain(`\n\n${question} x`);
    expect(sent[1]?.content.length).toBeLessThan(61_000);
  });

  test("removes citations of unknown passages and links to other addresses", async () => {
    const pieces = ["See [9] and [here](https://evil.example/x) ![", "p](https://evil.example/p.png) [1]."];
    await using run = await startWith(pieces);
    const { text, cited } = await run.platform.ask(question);
    expect(text).toBe("See  and here p [\\[1\\]](/security/keys#rotate-a-key).");
    expect(cited).toHaveLength(1);
  });

  test("adds a note if nothing is cited", async () => {
    await using run = await startWith(["Just do it."]);
    const { text, cited } = await run.platform.ask(question);
    expect(text).toContain("No passage of the documentation is cited");
    expect(cited).toEqual([]);
  });

  test("refuses with the platform's own text if the model finds no answer", async () => {
    await using run = await startWith(["NOT_", "IN_DOCS"]);
    const { text, cited } = await run.platform.ask(question);
    expect(text).toMatch(/^No page clearly answers this\./);
    expect(await (await run.platform.send("/status")).text()).toContain(question);
    expect(cited).toEqual([]);
  });

  test.each([
    ["length", "length"],
    ["content_filter", "filter"],
  ])("reports that the model was stopped: %s", async (finishReason, stoppedBy) => {
    await using run = await startWith(["Press Rotate [1]."], { finishReason });
    expect(await run.platform.ask(question)).toMatchObject({ failure: undefined, stoppedBy });
    expect(await run.platform.askV2(question)).toMatchObject({ failure: undefined, stoppedBy });
  });

  test("ends with an error part if the model fails or is cut off, without the model's message", async () => {
    for (const behaviour of [{ status: 500 }, { cut: true }]) {
      await using run = await startWith(["Half an ans"], behaviour);
      const { failure, threadId } = await run.platform.ask(question);
      expect(failure).toMatchObject({ code: "stream-cut" });
      expect(failure?.message).toContain("The model behind the assistant failed.");
      expect(failure?.message).not.toContain("secret");
      expect(run.platform.warnings.join("\n")).toContain("The model failed");
      const next = await run.platform.post({ fp: "a", messages: [v1Message("Again?")], threadId });
      // A conversation without an answer is not stored.
      expect(next.status).toBe(404);
    }
  });

  test("logs why the model cannot be reached", async () => {
    const model = await startScriptedModel([]);
    await model[Symbol.asyncDispose]();
    const assistant = { model: { baseUrl: model.baseUrl, model: "test" } };
    await using platform = await startAssistantPlatform({ assistant });
    const { failure } = await platform.ask(question);
    expect(failure).toMatchObject({ code: "stream-cut" });
    expect(platform.warnings.join("\n")).toMatch(/The model cannot be reached \(.*ECONNREFUSED.*\)\./);
  });

  test("counts questions as answered, refused or failed", async () => {
    await using data = await createTemporaryFolder();
    const links = { lifetimeMs: 60_000, publicUrl: () => "", now: Date.now };
    const results: string[] = [];
    const [ignore, answer] = [() => undefined, (_: string, result: string) => void results.push(result)];
    const openCluster = async () => ({
      storage: await openFileStorage(data.path, links, createRecordingLog()),
      observer: { request: ignore, job: ignore, answer },
      routes: new Hono(),
    });
    const behaviours = [{}, { pieces: ["NOT_IN_DOCS"] }, { status: 500 }];
    for (const { pieces = ["Yes [1]."], ...behaviour } of behaviours) {
      await using run = await startWith(pieces, behaviour, { openCluster });
      await run.platform.ask(question);
    }
    expect(results).toEqual(["answered", "refused", "failed"]);
  });

  test("cancels the model's request when the client disconnects", async () => {
    await using run = await startWith(["Thinking"], { hang: true });
    const response = await run.platform.post({ fp: "a", messages: [v1Message(question)] });
    const reader = response.body?.getReader();
    for (let seen = ""; !seen.includes("Thinking"); ) {
      seen += new TextDecoder().decode((await reader?.read())?.value);
    }
    await reader?.cancel();
    await run.model.abandoned;
  });
});
