import { describe, expect, test } from "vitest";
import {
  type EventRequest,
  type ReadRequestOptions,
  readRequest,
} from "../../src/commands/request-from-event.ts";
import type { GitHubEvent, TextEvent } from "../../src/github/event.ts";

const mona = { login: "mona", id: 1, isBot: false };
const eve = { login: "eve", id: 2, isBot: false };
const triggerPhrases = ["/docs", "@docs-bot"] as const;

const textOf = (kind: string, action: string, body: string) =>
  ({
    type: "text",
    action,
    sender: mona,
    thread: {},
    text: { kind, nodeId: "N_1", id: 1, body, author: mona },
  }) as unknown as TextEvent;
const issue = (action: string, body: string, label?: string) =>
  ({
    type: "text",
    action,
    sender: undefined,
    thread: { title: "" },
    text: { kind: "issue", nodeId: "I_1", id: 1, body },
    label,
  }) as unknown as TextEvent;
const options = {
  requestType: "job",
  prompt: undefined,
  runId: "1",
} as const;
const bare = "Bring the documentation in line with what this thread is about.";

describe("readRequest", () => {
  test("takes a label in any letters for the phrase", async () => {
    const triggerPhrases = ["/other", "/文档"] as const;
    const event = issue("labeled", "Add a page.", "文档");

    const job = await readRequest(event, { ...options, triggerPhrases });
    expect(job).toMatchObject({ source: "label", instruction: bare });
    const question = { ...options, triggerPhrases, requestType: "question" } as const;
    expect(await readRequest(event, question)).toMatchObject({
      source: "label",
      instruction: "\n\nAdd a page.",
    });
  });

  test.each([
    ["the sender's own words", mona, "/docs add a page", { source: "text", instruction: "add a page" }],
    ["no words of the sender", mona, "/docs", { source: "label", instruction: bare }],
    ["words of the sender that do not call", mona, "Add a page.", { source: "label", instruction: bare }],
    ["another person's words", eve, "/docs add a page", { source: "label", instruction: bare }],
    ["words of an account that is gone", undefined, "/docs add", { source: "label", instruction: bare }],
  ])("takes as the instruction of a label: %s", async (_name, author, body, expected) => {
    const event = issue("labeled", body, "Docs");
    const labelled = { ...event, sender: mona, text: { ...event.text, author } };

    const reading = await readRequest(labelled, { ...options, triggerPhrases });

    expect(reading).toMatchObject({ ...expected, body, removed: { hiddenSegments: 0 } });
  });

  test.each([
    ["job", "instruction"],
    ["question", "question"],
  ] as const)(
    "names the input that is missing where an event has no text: %s",
    async (requestType, content) => {
      const event = { type: "other", action: "", sender: undefined } as GitHubEvent;

      await expect(readRequest(event, { ...options, triggerPhrases, requestType })).rejects.toThrow(
        `\`prompt\` is missing: this event contains no ${content}; set \`prompt\` or \`prompt-file\`.`,
      );
    },
  );

  test("tells a job by its comment, and a question by its text as well; an issue by its text", async () => {
    const bodies = (written: TextEvent, more: Partial<ReadRequestOptions> = {}) =>
      Promise.all(
        (["job", "question"] as const).map((requestType) =>
          readRequest(written, { ...options, triggerPhrases, requestType, ...more }),
        ),
      );
    const comment = textOf("issue-comment", "edited", "/docs go");

    expect(await bodies(comment)).toMatchObject([{ body: "" }, { body: "/docs go" }]);
    expect(await bodies(comment, { prompt: "Do." })).toMatchObject([
      { body: "Do.\n" },
      { body: "Do.\n/docs go" },
    ]);
    expect(await bodies(textOf("review", "submitted", "/docs go"))).toMatchObject([{ body: "" }, {}]);
    for (const text of [issue("opened", "/docs go"), textOf("discussion", "created", "/docs go")])
      expect(await bodies(text)).toMatchObject(Array(2).fill({ body: "/docs go" }));
  });

  test.each([
    ["/docs help", "help"],
    ["/docs Status.", "status"],
    ["/DOCS, retry!", "retry"],
    ["**/docs** stop …", "stop"],
    ["/docs help me with this", undefined],
    ["/docs retry the build", undefined],
    ["/docs", undefined],
  ])("reads a keyword that needs no job: %s", async (body, keyword) => {
    const event = textOf("issue-comment", "created", body);

    const reading = (await readRequest(event, { ...options, triggerPhrases })) as EventRequest;
    expect(reading).toMatchObject({
      source: "text",
      removed: { hiddenSegments: 0, invisibleCharacters: 0 },
    });
    expect(reading.keyword).toBe(keyword);
    expect(reading.instruction === bare).toBe(body === "/docs");
    const question = await readRequest(event, { ...options, triggerPhrases, requestType: "question" });
    expect(question).not.toHaveProperty("keyword");
  });

  test("reads an instruction of many periods", async () => {
    const body = `/docs ${".".repeat(300_000)}x`;

    const reading = await readRequest(textOf("review", "submitted", body), { ...options, triggerPhrases });
    expect((reading as EventRequest).keyword).toBeUndefined();
  });

  test("reads a selected checkbox as a retry, also where the workflow says what to do; it asks no question", async () => {
    const body = `- [x] Try again\n\n<!-- docs-automation:claim:v1 x -->`;
    const previousBody = body.replace("[x]", "[ ]");
    const event = { ...textOf("issue-comment", "edited", body), previousBody };

    for (const prompt of [undefined, "Do."]) {
      const read = (requestType: "job" | "question") =>
        readRequest(event, { ...options, triggerPhrases, prompt, requestType });
      expect(await read("job")).toMatchObject({ keyword: "retry", instruction: "retry", subject: "N_1" });
      expect(await read("question")).toMatchObject({ reason: "event-action" });
    }
  });

  test.each([
    ["issue-comment", ["created", "edited"]],
    ["review-comment", ["created", "edited"]],
    ["discussion-comment", ["created", "edited"]],
    ["review", ["edited", "submitted"]],
    ["issue", ["opened", "labeled"]],
    ["discussion", ["created", "labeled"]],
  ])(
    "reads a text of the kind %s if it was %j, and with a prompt unless it was deleted",
    async (kind, calls) => {
      const actions = ["created", "edited", "submitted", "opened", "labeled", "deleted", "dismissed"];
      const readAll = async (prompt?: string) => {
        const readings = actions.map(async (action) => {
          const event = { ...textOf(kind, action, "/docs go"), label: "docs" };
          return [action, await readRequest(event, { ...options, triggerPhrases, prompt })] as const;
        });
        return Map.groupBy(await Promise.all(readings), ([, reading]) => "instruction" in reading);
      };

      const called = await readAll();
      expect(called.get(true)?.map(([action]) => action)).toStrictEqual(calls);
      for (const [action, reading] of called.get(false) ?? []) {
        const message = `Nothing to do for \`${action}\` of this ${kind.replace("-", " ")}.`;
        expect(reading).toStrictEqual({ reason: "event-action", message });
      }
      expect((await readAll("Do.")).get(false)).toStrictEqual([
        ["deleted", { reason: "event-action", message: "The text was deleted." }],
      ]);
    },
  );

  test.each([
    ["a near miss", "/dcos go", true],
    ["talk", "see the /docs folder", false],
    ["a text of ours", "Hello\n/docs go\n\n<!-- docs-automation:hint:v1 x -->", false],
  ])("has a hint for a text that calls nothing: %s", async (_name, body, isHinted) => {
    const reading = await readRequest(textOf("review", "submitted", body), { ...options, triggerPhrases });

    expect(reading).toMatchObject({ reason: "near-miss" });
    expect("hint" in reading).toBe(isHinted);
  });

  test.each([
    ["opened", `/docs ${"]".repeat(10_000)}`],
    ["labeled", "]".repeat(10_000)],
  ])("starts nothing for an issue %s with a text that cannot be read", async (action, body) => {
    const reading = await readRequest(issue(action, body, "docs"), { ...options, triggerPhrases: ["/docs"] });

    expect(reading).toMatchObject({
      reason: "near-miss",
      message: expect.stringContaining("too deeply nested to be read"),
    });
  });
});
