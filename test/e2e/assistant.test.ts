/** `command: assistant`: the built action as a process, against GitHub's stand-in and scripted or embedded platforms. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type ScriptedAnswer, v1Answer, v2Answer } from "../support/assistant-platform.ts";
import {
  answersOn,
  apiKey,
  ask,
  createAssistantJob as createJob,
  runAssistant as run,
  setAssistantScene as setScene,
  site,
  until,
  visible,
} from "../support/assistant-scene.ts";

describe("a comment that asks", () => {
  test("is answered in one comment with numbered sources, and the outputs say it", async () => {
    const sources = [
      { url: `${site}/keys#rotate`, title: "Rotate a key" },
      { url: "/limits", title: "Limits" },
      { url: `${site}/keys#rotate` },
    ];
    const texts = ["Press **Rot", "ate**. ", "See [limits](/limits)."];
    await using scene = await setScene({ chunks: v1Answer(texts, { threadId: "t-1", sources }) });
    const { issue, comment, triggered } = ask(scene);

    const result = await run(scene, triggered);

    expect(result.exitCode, result.log).toBe(0);
    expect(result.outputs).toMatchObject({ outcome: "answered", "thread-id": "t-1" });
    expect(result.outputs["answer"]).toBe(`Press **Rotate**. See [limits](${site}/limits).`);
    expect(JSON.parse(result.outputs["sources"] ?? "")).toEqual([
      { url: `${site}/keys#rotate`, title: "Rotate a key" },
      { url: `${site}/limits`, title: "Limits" },
    ]);
    const [answer = "", ...others] = answersOn(scene, issue.number);
    expect(others).toEqual([]);
    expect(answer).toContain("> how do I rotate a key?");
    expect(answer).toContain(`1. [Rotate a key](${site}/keys#rotate)\n2. [Limits](${site}/limits)`);
    expect(answer).toContain("Generated from the documentation by an assistant");
    expect(answer).toContain("To follow up, comment /ask");
    expect(result.summary).toContain("Press **Rotate**.");
    expect(comment.reactions.map(({ content }) => content)).toEqual(["eyes"]);
    const [asked] = scene.platform.asked;
    expect(asked?.path).toBe("/discovery/v1/assistant/docs.example.com/message");
    expect(asked?.key).toBe(`Bearer ${apiKey}`);
    expect(asked?.body).toMatchObject({
      fp: expect.stringMatching(/^thread-[0-9a-f]{32}$/),
      retrievalPageSize: 5,
      messages: [{ role: "user", content: "how do I rotate a key?", parts: [{ type: "text" }] }],
    });
    expect(result.annotations.filter(({ level }) => level === "notice")).toHaveLength(1);
  });

  test("goes on with the thread's conversation when somebody asks again", async () => {
    await using scene = await setScene(
      { chunks: v1Answer(["One."], { threadId: "t-1" }) },
      { chunks: v1Answer(["Two."], { threadId: "t-1" }) },
    );
    const { issue, triggered } = ask(scene);
    await run(scene, triggered);
    const next = scene.github.addComment({ issue: issue.number, author: "mona", body: "/ask and then?" });
    await run(scene, scene.github.events.issueComment(next));
    const [first, second] = scene.platform.asked;
    expect(first?.body).not.toHaveProperty("threadId");
    expect(second?.body["threadId"]).toBe("t-1");
    expect(second?.body["fp"]).toBe(first?.body["fp"]);
    expect(answersOn(scene, issue.number)).toHaveLength(2);
  });

  test("begins a new conversation when the platform has forgotten the old one", async () => {
    await using scene = await setScene(
      { chunks: v1Answer(["One."]), headers: { "x-thread-id": "t-1", "x-thread-key": "key-of-the-thread" } },
      { status: 404, chunks: [JSON.stringify({ error: "No such thread" })] },
      { chunks: v1Answer(["Two."], { threadId: "t-2" }) },
    );
    const { issue, triggered } = ask(scene);
    const first = await run(scene, triggered);
    expect(first.outputs["thread-id"]).toBe("t-1");
    expect(first.rawLog).toContain("::add-mask::key-of-the-thread");
    expect(first.visibleText).not.toContain("key-of-the-thread");
    expect(answersOn(scene, issue.number).join()).not.toContain("key-of-the-thread");
    const next = scene.github.addComment({ issue: issue.number, author: "mona", body: "/ask and then?" });
    const second = await run(scene, scene.github.events.issueComment(next));
    expect(second.outputs).toMatchObject({ outcome: "answered", "thread-id": "t-2" });
  });

  test("is answered through v2 as well, without the notice", async () => {
    await using scene = await setScene({
      headers: { "content-type": "text/event-stream" },
      chunks: v2Answer(["Press ", "Rotate."], { threadId: "t-9" }),
    });
    const result = await run(scene, ask(scene).triggered, { "api-version": "v2" });
    expect(result.outputs).toMatchObject({
      outcome: "answered",
      answer: "Press Rotate.",
      "thread-id": "t-9",
    });
    expect(scene.platform.asked[0]?.body["messages"]).toEqual([
      { id: expect.any(String), role: "user", parts: [{ type: "text", text: "how do I rotate a key?" }] },
    ]);
    expect(result.annotations).toEqual([]);
  });

  test("shows its first words before its last ones arrive", async () => {
    const rest = Promise.withResolvers<string>();
    const [head = "", first = "", ...end] = v1Answer(["First paragraph.\n\nSecond para", "graph."]);
    await using scene = await setScene({ chunks: [head, first, rest.promise] });
    const { issue, triggered } = ask(scene);
    await using job = await createJob(scene, triggered);
    const main = await job.startMain();
    await until(() => answersOn(scene, issue.number).some((body) => body.includes("First paragraph.")));
    expect(visible(answersOn(scene, issue.number)[0] ?? "")).toContain("still answering");
    expect(visible(answersOn(scene, issue.number)[0] ?? "")).not.toContain("Second");
    rest.resolve(end.join(""));
    expect((await main.result).outputs["outcome"]).toBe("answered");
    expect(visible(answersOn(scene, issue.number)[0] ?? "")).toContain("Second paragraph.");
  });

  test("is not answered twice by a re-run", async () => {
    await using scene = await setScene({ chunks: v1Answer(["One."]) });
    const { issue, triggered } = ask(scene);
    await run(scene, triggered);
    const again = await run(scene, triggered, {}, { runAttempt: 2 });
    expect(again.outputs).toMatchObject({ outcome: "skipped", "skip-reason": "already-answered" });
    expect(scene.platform.asked).toHaveLength(1);
    expect(answersOn(scene, issue.number)).toHaveLength(1);
  });

  test("gets nothing without the permission", async () => {
    await using scene = await setScene({ chunks: v1Answer(["One."]) });
    const { issue, comment, triggered } = ask(scene, "/ask how?", "eve");
    const result = await run(scene, triggered);
    expect(result.outputs["outcome"]).toBe("skipped");
    expect(scene.platform.asked).toEqual([]);
    expect(answersOn(scene, issue.number)).toEqual([]);
    expect(comment.reactions).toEqual([]);
  });
});

describe("a question elsewhere", () => {
  test("without a status comment is seen, answered in the outputs, and points to no conversation", async () => {
    await using scene = await setScene({ chunks: v1Answer(["Press Rotate."], { threadId: "t-1" }) });
    const { issue, comment, triggered } = ask(scene);
    const result = await run(scene, triggered, { "status-comment": "false" });
    expect(result.outputs).toMatchObject({
      outcome: "answered",
      answer: "Press Rotate.",
      "thread-id": "t-1",
    });
    expect(comment.reactions.map(({ content }) => content)).toEqual(["eyes"]);
    expect(answersOn(scene, issue.number)).toEqual([]);
    expect(result.summary).not.toContain("To follow up");
  });

  test("in the body of an issue is answered on the issue", async () => {
    await using scene = await setScene({ chunks: v1Answer(["Press Rotate."]) });
    const issue = scene.github.addIssue({
      author: "mona",
      title: "Keys",
      body: "/ask how do I rotate a key?",
    });
    const result = await run(scene, scene.github.events.issueOpened(issue));
    expect(result.outputs["outcome"], result.log).toBe("answered");
    expect(answersOn(scene, issue.number).map(visible)).toEqual([expect.stringContaining("Press Rotate.")]);
  });

  test("in a discussion is answered in the discussion, and goes on there", async () => {
    await using scene = await setScene(
      { chunks: v1Answer(["Press Rotate."], { threadId: "t-1" }) },
      { chunks: v1Answer(["Then store it."], { threadId: "t-1" }) },
    );
    const { github } = scene;
    const discussion = github.addDiscussion({ author: "mona", body: "/ask how do I rotate a key?" });
    const first = await run(scene, github.events.discussionOpened(discussion));
    expect(first.outputs["outcome"], first.log).toBe("answered");
    const comment = github.addDiscussionComment({
      discussion: discussion.number,
      author: "mona",
      body: "/ask and then?",
    });
    const second = await run(scene, github.events.discussionComment(comment));
    expect(second.outputs["outcome"], second.log).toBe("answered");
    expect(scene.platform.asked[1]?.body["threadId"]).toBe("t-1");
  });
});

describe("a question in a discussion", () => {
  const answers = ["t-1", "t-2", "t-3", "t-4"].map((threadId) => ({
    chunks: v1Answer([`Answer of ${threadId}.`], { threadId }),
  }));

  test("is answered in the thread of its comment, and each thread has its own conversation", async () => {
    await using scene = await setScene(...answers);
    const { github } = scene;
    const { number } = github.addDiscussion({ author: "mona", body: "About keys." });
    const askIn = async (replyTo?: number) => {
      const comment = github.addDiscussionComment({
        discussion: number,
        author: "mona",
        body: "/ask and then?",
        ...(replyTo === undefined ? {} : { replyTo }),
      });
      const result = await run(scene, github.events.discussionComment(comment));
      expect(result.outputs["outcome"], result.log).toBe("answered");
      return comment.id;
    };

    const first = await askIn();
    const second = await askIn();
    await askIn(first);
    await askIn(second);

    const replies = [...github.state.discussionComments.values()]
      .filter(({ author }) => author === "github-actions[bot]")
      .map(({ replyTo, body }) => [replyTo, /Answer of t-\d/.exec(body)?.[0]]);
    expect(replies).toEqual([
      [first, "Answer of t-1"],
      [second, "Answer of t-2"],
      [first, "Answer of t-3"],
      [second, "Answer of t-4"],
    ]);
    const conversations = scene.platform.asked.map(({ body }) => body["threadId"]);
    expect(conversations).toEqual([undefined, undefined, "t-1", "t-2"]);
  });

  test("goes on under the answer to the discussion itself", async () => {
    await using scene = await setScene(...answers);
    const { github } = scene;
    const discussion = github.addDiscussion({ author: "mona", body: "/ask how do I rotate a key?" });
    await run(scene, github.events.discussionOpened(discussion));
    const [answer] = github.state.discussionComments.values();
    expect(answer?.replyTo).toBeUndefined();
    const comment = github.addDiscussionComment({
      discussion: discussion.number,
      author: "mona",
      body: "/ask and then?",
      ...(answer && { replyTo: answer.id }),
    });

    await run(scene, github.events.discussionComment(comment));

    expect(scene.platform.asked.map(({ body }) => body["threadId"])).toEqual([undefined, "t-1"]);
    expect([...github.state.discussionComments.values()].at(-1)).toMatchObject({
      author: "github-actions[bot]",
      replyTo: answer?.id,
    });
  });

  test("has its reply corrected by the post step when its run is killed", async () => {
    const parts = v1Answer(["Press Rotate, ", "then "]).slice(0, 3);
    await using scene = await setScene({ chunks: parts, end: "hang" });
    const { github } = scene;
    const { number } = github.addDiscussion({ author: "mona", body: "About keys." });
    const comment = github.addDiscussionComment({ discussion: number, author: "mona", body: "/ask how?" });
    await using job = await createJob(scene, github.events.discussionComment(comment));
    const main = await job.startMain();
    const ours = () => [...github.state.discussionComments.values()].filter(({ id }) => id !== comment.id);
    await until(() => ours().some(({ body }) => body.includes("Press Rotate")));
    main.signal("SIGKILL");
    await main.result;

    await job.post();

    expect(ours()).toMatchObject([{ replyTo: comment.id, body: expect.stringContaining("ended early") }]);
  });
});

describe("an answer that is none", () => {
  const good = v1Answer(["Press Rotate, ", "then "]).slice(0, 3);

  test.each<[string, ScriptedAnswer]>([
    ["is cut off between parts", { chunks: good }],
    ["is cut off inside a part", { chunks: [...good, '0:"stor'] }],
    ["is cut off by the connection", { chunks: good, end: "cut" }],
    [
      "ends in an error inside a 200",
      { chunks: [...good, '3:"Overloaded @mona"\n', 'd:{"finishReason":"error"}\n'] },
    ],
    [
      "ends in an error before a finish that says stop",
      { chunks: [...good, '3:"x"\n', 'd:{"finishReason":"stop"}\n'] },
    ],
  ])("%s: what arrived is shown as incomplete", async (_name, answer) => {
    await using scene = await setScene(answer);
    const { issue, triggered } = ask(scene);
    const result = await run(scene, triggered);
    expect(result.exitCode).toBe(1);
    expect(result.outputs).toMatchObject({ outcome: "failed", "error-code": "stream-cut" });
    expect(result.outputs).not.toHaveProperty("answer");
    const [comment = ""] = answersOn(scene, issue.number);
    expect(visible(comment)).toContain("**This answer is incomplete.**");
    expect(visible(comment)).toContain("Press Rotate, then");
    expect(visible(comment)).not.toContain("@mona");
    expect(result.summary).toContain("Press Rotate, then");
  });

  test("is asked for again by a re-run, in a comment of its own", async () => {
    await using scene = await setScene({ chunks: good }, { chunks: v1Answer(["Whole."]) });
    const { issue, triggered } = ask(scene);
    await run(scene, triggered);
    const again = await run(scene, triggered, {}, { runAttempt: 2 });
    expect(again.outputs["outcome"]).toBe("answered");
    expect(answersOn(scene, issue.number).map(visible)).toEqual([expect.stringContaining("Whole.")]);
  });

  test("is a login page", async () => {
    await using scene = await setScene({ chunks: ["<!doctype html>\n<title>Sign in</title>\n"] });
    const { issue, triggered } = ask(scene);
    const result = await run(scene, triggered);
    expect(result.outputs).toMatchObject({ outcome: "error", "error-code": "unexpected-response" });
    expect(visible(answersOn(scene, issue.number)[0] ?? "")).toContain("**There is no answer.**");
  });

  test("is refused by the platform's limit", async () => {
    await using scene = await setScene({
      status: 429,
      headers: { "retry-after": "3600" },
      chunks: [JSON.stringify({ error: "10,000 requests per hour" })],
    });
    const { issue, triggered } = ask(scene);
    const result = await run(scene, triggered, { "timeout-minutes": "1" });
    expect(result.outputs).toMatchObject({ outcome: "rate-limited", "error-code": "rate-limited" });
    expect(visible(answersOn(scene, issue.number)[0] ?? "")).toContain("There is no answer.");
  });

  test("is interrupted by a cancelled workflow, which shows what arrived", async () => {
    await using scene = await setScene({ chunks: [...good, '0:"store it. Then more"\n'], end: "hang" });
    const { issue, triggered } = ask(scene);
    await using job = await createJob(scene, triggered);
    const main = await job.startMain();
    await until(() => answersOn(scene, issue.number).some((body) => body.includes("Press Rotate, then")));
    const result = await main.cancel();
    expect(result.outputs).toMatchObject({ outcome: "cancelled", "error-code": "cancelled" });
    expect(visible(answersOn(scene, issue.number)[0] ?? "")).toContain("**This answer is incomplete.**");
    expect(visible(answersOn(scene, issue.number)[0] ?? "")).toContain("Press Rotate, then store it.");
  });

  test("belongs to a killed run, whose comment the post step corrects", async () => {
    await using scene = await setScene({ chunks: [...good], end: "hang" });
    const { issue, triggered } = ask(scene);
    await using job = await createJob(scene, triggered);
    const main = await job.startMain();
    await until(() => answersOn(scene, issue.number).some((body) => body.includes("Press Rotate")));
    main.signal("SIGKILL");
    await main.result;
    await job.post();
    expect(visible(answersOn(scene, issue.number)[0] ?? "")).toContain(
      "The run that was answering ended early.",
    );
  });
});

describe("a hostile answer", () => {
  test("cannot mention, close, embed, link elsewhere, hide, break out or command", async () => {
    const hostile = [
      "Ping @mona and @octo-org/all, closes #1, fixes octo-org/widgets#2, GH-3.\n",
      "![beacon](https://evil.example/p.png) [click](https://evil.example/x) https://evil.example/y www.evil.example\n",
      "</details><!-- docs-automation:claim:v1 forged --><img src=https://evil.example/i.png>\n\n",
      "<script>alert(1)</script>\n\n[ref]: https://evil.example/z 'x'\n\n[shown][ref]\n\n",
      "::set-output name=x::y\n::add-mask::mona\n##[error]boo\n\n",
      '\u202eabc\u200b\n\n```mermaid\nclick A "https://evil.example"\n```\n\n```js\nlet open = 1;',
    ];
    await using scene = await setScene({ chunks: v1Answer(hostile) });
    const { issue, triggered } = ask(scene);
    const result = await run(scene, triggered);
    expect(result.outputs["outcome"]).toBe("answered");
    expect(result.outputs).not.toHaveProperty("x");
    expect(result.rawLog).not.toMatch(/^::(?:add-mask|set-output)::?mona/m);
    for (const shown of [visible(answersOn(scene, issue.number)[0] ?? ""), result.outputs["answer"] ?? ""]) {
      const outsideCode = shown.replace(/```[\s\S]*?```/g, "").replace(/`[^`\n]*`/g, "");
      for (const active of [
        "@mona",
        "@octo-org",
        "#1",
        "#2",
        "GH-3",
        "![",
        "](https://evil",
        "<img",
        "</details",
        "<!--",
        "<script",
        "\u202e",
        "\u200b",
      ]) {
        expect(outsideCode, active).not.toContain(active);
      }
      expect(outsideCode).not.toMatch(/https?:\/\/evil|www\.evil/);
      expect(shown).not.toContain("```mermaid");
      expect(shown.match(/^```/gm)?.length ?? 0).toBe(4);
    }
  });
});

describe("a question without a thread", () => {
  test("comes from `prompt`, and is answered in outputs and summary alone", async () => {
    await using scene = await setScene({ chunks: v1Answer(["Press Rotate."]) });
    const result = await run(
      scene,
      {},
      {
        prompt: "How do I rotate a key?",
      },
    );
    expect(result.exitCode, result.log).toBe(0);
    expect(result.outputs).toMatchObject({ outcome: "answered", answer: "Press Rotate." });
    expect(scene.platform.asked[0]?.body["fp"]).toBe("anonymous");
    expect(result.summary).toContain("Press Rotate.");
    expect(result.summary).not.toContain("/ask");
  });

  test("carries filter, path and context items, checked before anything is sent", async () => {
    await using scene = await setScene({ chunks: v1Answer(["Yes."]) });
    const inputs = {
      prompt: "What is this?",
      "filter-version": "v2",
      "current-path": "/keys",
      "context-items": "- type: code\n  value: rotate()\n  path: ci.js\n",
    };
    await run(scene, {}, inputs);
    expect(scene.platform.asked[0]?.body).toMatchObject({
      filter: { version: "v2" },
      currentPath: "/keys",
      context: [{ type: "code", value: "rotate()", path: "ci.js" }],
    });
    const wrong = await run(
      scene,
      {},
      {
        ...inputs,
        "context-items": "- type: picture\n  value: x\n",
      },
    );
    expect(wrong.outputs).toMatchObject({ outcome: "error", "error-code": "invalid-input" });
    expect(wrong.log).toContain("context-items");
    expect(scene.platform.asked).toHaveLength(1);
  });

  test("is answered by the embedded platform from the checked-out docs, with links to their files", async () => {
    await using scene = await setScene();
    await using job = await createJob(
      scene,
      {},
      {
        "base-url": "local",
        "api-key": "",
        domain: "docs.example.com",
        prompt: "How do I rotate an API key?",
      },
    );
    await mkdir(join(job.workspace, "docs"));
    await writeFile(
      join(job.workspace, "docs", "keys.md"),
      "# Keys\n\nAbout keys.\n\n## Rotate an API key\n\nPress Rotate; the old key works for a day.\n",
    );
    const result = await job.main();
    expect(result.exitCode, result.log).toBe(0);
    expect(result.outputs["answer"]).toContain("the old key works for a day");
    const [source] = JSON.parse(result.outputs["sources"] ?? "[]");
    expect(source.url).toMatch(/^https:\/\/.+\/blob\/[0-9a-f]+\/docs\/keys\.md#rotate-an-api-key$/);
  });
});
