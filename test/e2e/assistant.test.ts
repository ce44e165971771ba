import { describe, expect, test } from "vitest";
import { v1Answer } from "../support/assistant-platform.ts";
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
    expect(comment.reactions.map(({ content }) => content)).toEqual(["eyes", "+1"]);
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
});

test("a question in a discussion has its reply corrected by the post step when its run is killed", async () => {
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

describe("an answer that is none", () => {
  const good = v1Answer(["Press Rotate, ", "then "]).slice(0, 3);

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
});
