import { Readable } from "node:stream";
import { readAnswerEvents } from "../../../src/client/assistant-stream.ts";
import { type CollectedAnswer, collectAnswer } from "../../../src/client/collect-answer.ts";
import type { PlatformDeps, PlatformOptions } from "../../../src/server/platform.ts";
import { createFolder, type Files } from "../../support/temporary-folder.ts";
import { startTestPlatform, type TestPlatform } from "../test-platform.ts";

const documents: Files = {
  "docs.json": {
    name: "Lantern",
    seo: { indexing: "all" },
    navigation: {
      versions: [
        { version: "v1", pages: ["v1/webhooks"] },
        { version: "v2", pages: ["v2/webhooks"] },
      ],
    },
  },
  "index.md": "# Lantern\n\nLantern turns a folder of Markdown into a searchable help centre.\n",
  "security/keys.md": [
    "# API keys",
    "",
    "Every request carries an API key in the Authorization header.",
    "",
    "## Rotate a key",
    "",
    "Open **Settings › Keys**, press *Rotate*, and store the new secret. The old key works for 24 hours.",
    "",
    "```sh",
    "lantern keys rotate --name ci",
    "```",
    "",
    "## Revoke a key",
    "",
    "Run `lantern keys revoke`. A revoked key stops working at once and cannot be restored.",
  ].join("\n"),
  "guides/retries.mdx": [
    "---",
    "title: Retries",
    "description: How failed deliveries are tried again.",
    "---",
    "",
    "<Note>Deliveries are retried with exponential backoff.</Note>",
    "",
    "## Configure the number of attempts",
    "",
    "Set `maxAttempts` in `lantern.yml`; the default is 5 attempts.",
  ].join("\n"),
  "v1/webhooks.md": "# Webhooks\n\nWebhook signatures of version one use the SHA-1 digest.\n",
  "v2/webhooks.md": "# Webhooks\n\nWebhook signatures of version two use the SHA-256 digest.\n",
};

export interface AssistantPlatform extends TestPlatform {
  /** Sends a v1 question and reads the complete answer. */
  ask(question: string, fields?: Record<string, unknown>): Promise<CollectedAnswer>;
  askV2(question: string, fields?: Record<string, unknown>): Promise<CollectedAnswer>;
  /** Sends a raw body, by default to v1. */
  post(body: unknown, headers?: Record<string, string>, version?: string): Promise<Response>;
}

export async function startAssistantPlatform(
  options: Partial<PlatformOptions> & { readonly documents?: Files } = {},
  deps: Partial<PlatformDeps> = {},
): Promise<AssistantPlatform> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createFolder(options.documents ?? documents));
  const platform = stack.use(await startTestPlatform({ docsDir: folder.path, ...options }, deps));
  const resources = stack.move();
  const post = (body: unknown, headers: Record<string, string> = {}, version = "v1") =>
    platform.send(`/discovery/${version}/assistant/docs.example.com/message`, {
      method: "POST",
      key: platform.assistantKey,
      json: body,
      headers,
    });
  return {
    ...platform,
    post,
    ask: async (question, fields = {}) => {
      const response = await post({ fp: "anonymous", messages: [v1Message(question)], ...fields });
      return read(response);
    },
    askV2: async (question, fields = {}) => {
      const parts = [{ type: "text", text: question }];
      const response = await post(
        { fp: "anonymous", messages: [{ id: "m1", role: "user", parts }], ...fields },
        {},
        "v2",
      );
      return read(response);
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

export function v1Message(text: string, role = "user") {
  return { id: `m-${text.length}`, role, content: text, parts: [{ type: "text", text }] };
}

async function read(response: Response): Promise<CollectedAnswer> {
  const { body } = response;
  if (response.status !== 200 || body === null) {
    throw new Error(`${response.status}: ${await response.text()}`);
  }
  return collectAnswer(
    { events: (signal) => readAnswerEvents(Readable.from(body), signal), threadId: undefined },
    { onText: () => undefined, signal: new AbortController().signal },
  );
}
