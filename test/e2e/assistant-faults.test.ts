/** `command: assistant` where GitHub, the platform or the runner fails while it answers. */
import { describe, expect, test } from "vitest";
import { type ScriptedAnswer, v1Answer } from "../support/assistant-platform.ts";
import {
  answersOn,
  apiKey,
  ask,
  createAssistantJob,
  runAssistant,
  setAssistantScene,
  until,
  visible,
} from "../support/assistant-scene.ts";
import { listStrikes, type Misfortune, type Strike } from "../support/fault-replay.ts";
import type { Fault } from "../support/faults.ts";

const whole = { chunks: v1Answer(["Press Rotate, ", "then store it."], { threadId: "t-1" }) };
const refusal: ScriptedAnswer = {
  status: 429,
  headers: { "retry-after": "2" },
  chunks: [JSON.stringify({ error: "10,000 requests per hour" })],
};

describe("the platform's limit", () => {
  test("is waited out, and the comment says so", async () => {
    await using scene = await setAssistantScene(refusal, whole);
    const { issue, triggered } = ask(scene);
    await using job = await createAssistantJob(scene, triggered);
    const main = await job.startMain();
    await until(() => answersOn(scene, issue.number).some((body) => body.includes("is asked again at 20")));
    const result = await main.result;
    expect(result.outputs["outcome"], result.log).toBe("answered");
    expect(result.log).toContain("limit of questions is used up; asking again at 20");
    expect(answersOn(scene, issue.number).map(visible)).toEqual([expect.stringContaining("then store it.")]);
    expect(visible(answersOn(scene, issue.number)[0] ?? "")).not.toContain("asked again");
  });

  test("is waited for no longer when the workflow is cancelled, and the comment says so", async () => {
    await using scene = await setAssistantScene({ ...refusal, headers: { "retry-after": "600" } });
    const { issue, triggered } = ask(scene);
    await using job = await createAssistantJob(scene, triggered);
    const main = await job.startMain();
    await until(() => answersOn(scene, issue.number).some((body) => body.includes("is asked again at 20")));
    const result = await main.cancel();
    expect(result.outputs).toMatchObject({ outcome: "cancelled", "error-code": "cancelled" });
    const [shown = ""] = answersOn(scene, issue.number).map(visible);
    expect(shown).toContain("**There is no answer.** The workflow was cancelled.");
    expect(shown).not.toContain("asked again");
  });

  test("ends the run where waiting would take longer than it may", async () => {
    await using scene = await setAssistantScene({ ...refusal, headers: { "retry-after": "3600" } });
    const { issue, triggered } = ask(scene);
    const result = await runAssistant(scene, triggered);
    expect(result.outputs).toMatchObject({ outcome: "rate-limited", "error-code": "rate-limited" });
    expect(visible(answersOn(scene, issue.number)[0] ?? "")).toContain("There is no answer.");
    expect(scene.platform.asked).toHaveLength(1);
  });
});

describe("an answer that GitHub does not take", () => {
  const refuseEdits = (status: number, body: string): { method: string; times: number; fault: Fault } => ({
    method: "PATCH",
    times: Number.POSITIVE_INFINITY,
    fault: { kind: "answer", status, headers: { "content-type": "application/json" }, body },
  });

  /** The claim's own edit passes; from the answer on, edits fail. */
  async function answerWithout(edits: ReturnType<typeof refuseEdits>) {
    const scene = await setAssistantScene(whole);
    const { issue, triggered } = ask(scene);
    await using job = await createAssistantJob(scene, triggered);
    scene.github.faults.add({ ...edits, path: "/issues/comments/", skip: 1 });
    const result = await job.main();
    return { scene, issue, job, result };
  }

  test("fails the step, and is in the outputs and the summary all the same", async () => {
    const edits = refuseEdits(403, JSON.stringify({ message: "Resource not accessible by integration" }));
    const { scene, result } = await answerWithout(edits);
    await using _scene = scene;
    expect(result.exitCode).toBe(1);
    expect(result.outputs).toMatchObject({
      outcome: "failed",
      "error-code": "missing-permission",
      answer: "Press Rotate, then store it.",
      "thread-id": "t-1",
    });
    expect(result.summary).toContain("Press Rotate, then store it.");
    expect(result.log).toContain("the comment could not show it");
  });

  test("because its comment was deleted is answered in the outputs and the summary", async () => {
    const { scene, result } = await answerWithout(refuseEdits(404, JSON.stringify({ message: "Not Found" })));
    await using _scene = scene;
    expect(result.exitCode, result.log).toBe(0);
    expect(result.outputs).toMatchObject({ outcome: "answered", answer: "Press Rotate, then store it." });
    expect(result.log).toContain("The comment was deleted while the answer arrived");
  });

  test("and that is none is told as one that the comment does not show", async () => {
    await using scene = await setAssistantScene({ chunks: v1Answer(["Press Rotate."]).slice(0, 2) });
    const { triggered } = ask(scene);
    await using job = await createAssistantJob(scene, triggered);
    scene.github.faults.add({ ...refuseEdits(404, "{}"), path: "/issues/comments/", skip: 1 });
    const result = await job.main();
    expect(result.outputs).toMatchObject({ outcome: "failed", "error-code": "stream-cut" });
    expect(result.log).toContain("The comment could not show how it ended");
  });

  test("is pointed to by the post step, once GitHub takes edits again", async () => {
    await using scene = await setAssistantScene(whole);
    const { issue, triggered } = ask(scene);
    await using job = await createAssistantJob(scene, triggered);
    scene.github.faults.add({ ...refuseEdits(500, "{}"), path: "/issues/comments/", skip: 1 });
    await job.main();
    scene.github.faults.clear();
    await job.post();
    expect(visible(answersOn(scene, issue.number)[0] ?? "")).toContain("the summary of the run shows it");
  });
});

describe("a question that was answered", () => {
  test("is not answered again under a new key, and its re-run says where the answer is", async () => {
    await using scene = await setAssistantScene(whole);
    const { issue, triggered } = ask(scene);
    await runAssistant(scene, triggered);
    const again = await runAssistant(scene, triggered, { "api-key": `${apiKey}-new` }, { runAttempt: 2 });
    expect(again.outputs).toMatchObject({
      outcome: "skipped",
      "skip-reason": "already-answered",
      "thread-id": "t-1",
    });
    const [comment] = scene.github.commentsOn(issue.number).slice(-1);
    expect(again.summary).toContain(`issuecomment-${comment?.id}`);
    expect(scene.platform.asked).toHaveLength(1);
  });
});

describe("two runs of one question at once", () => {
  test("ask once and answer once", async () => {
    await using scene = await setAssistantScene(whole);
    const { issue, triggered } = ask(scene);
    const runs = await Promise.all(
      [7_001, 7_002, 7_003].map((runId) => runAssistant(scene, triggered, {}, { runId })),
    );
    const outcomes = runs.map(({ outputs }) => outputs["outcome"]).toSorted();
    expect(outcomes).toEqual(["answered", "skipped", "skipped"]);
    expect(scene.platform.asked).toHaveLength(1);
    expect(answersOn(scene, issue.number)).toHaveLength(1);
  });
});

describe("a record that somebody else wrote", () => {
  test("ends no question and leads to no conversation", async () => {
    await using scene = await setAssistantScene(whole);
    const first = ask(scene);
    await runAssistant(scene, first.triggered);
    const [answer = ""] = answersOn(scene, first.issue.number);
    const second = ask(scene);
    const { number } = second.issue;
    // A copy by a person, by another bot, and one of the action's own account that belongs to another thread.
    for (const author of ["mona", "echo[bot]", "github-actions[bot]"]) {
      scene.github.addComment({ issue: number, author, body: answer });
    }
    const result = await runAssistant(scene, second.triggered);
    expect(result.outputs["outcome"], result.log).toBe("answered");
    expect(scene.platform.asked).toHaveLength(2);
    expect(scene.platform.asked[1]?.body).not.toHaveProperty("threadId");
  });
});

describe("a key that the platform repeats", () => {
  test.each([
    ["in an answer", v1Answer(["Your key is svc_dsc_public-", "key-of-this-test."])],
    ["in an error", ['0:"a"\n', `3:"Bad key ${apiKey}"\n`]],
    ["in a document", [JSON.stringify({ error: `Bad key ${apiKey}` })]],
  ])("%s is shown nowhere", async (_name, chunks) => {
    await using scene = await setAssistantScene({ chunks });
    const { issue, triggered } = ask(scene);
    const result = await runAssistant(scene, triggered);
    const shown = [
      answersOn(scene, issue.number).join(),
      result.summary,
      JSON.stringify(result.outputs),
    ].join();
    expect(shown.replaceAll("\\", "")).not.toContain(apiKey);
    expect(shown).toMatch(/key is \*|key \*|key is \\\*|key \\\*/);
  });
});

describe("an answer of nothing that can be shown", () => {
  test.each([
    ["a comment of HTML", v1Answer(["<!-- nothing -->"])],
    ["invisible characters", v1Answer(["\u200b\u2063"])],
    [
      "calls of tools",
      ['9:{"toolCallId":"c","toolName":"search","args":{}}\n', 'd:{"finishReason":"stop"}\n'],
    ],
  ])("is none: %s", async (_name, chunks) => {
    await using scene = await setAssistantScene({ chunks });
    const { issue, triggered } = ask(scene);
    const result = await runAssistant(scene, triggered);
    expect(result.outputs).toMatchObject({ outcome: "error", "error-code": "unexpected-response" });
    expect(result.log).toContain("Ask again in other words");
    expect(visible(answersOn(scene, issue.number)[0] ?? "")).toContain("**There is no answer.**");
  });
});

describe("a run that is killed while it answers", () => {
  test("leaves what it showed, marked as incomplete by the post step", async () => {
    await using scene = await setAssistantScene({
      chunks: [...v1Answer(["Press **Rotate**.\n\nThen sto"]).slice(0, 2)],
      end: "hang",
    });
    const { issue, triggered } = ask(scene);
    await using job = await createAssistantJob(scene, triggered);
    const main = await job.startMain();
    await until(() => answersOn(scene, issue.number).some((body) => body.includes("Press **Rotate**.")));
    main.signal("SIGKILL");
    await main.result;
    await job.post();
    const shown = visible(answersOn(scene, issue.number)[0] ?? "");
    expect(shown).toContain("Press **Rotate**.");
    expect(shown).toContain("**This answer is incomplete.** The run that was answering ended early.");
    expect(shown).not.toContain("still answering");
    expect(shown.match(/how do I rotate a key/g)).toHaveLength(1);
  });
});

/** The fault behind a misfortune; a cancelled run's requests are late, but arrive. */
function faultOf(misfortune: Misfortune, ended: Promise<unknown>): Fault {
  if (misfortune.kind === "fault") return misfortune.fault;
  if (misfortune.kind === "kill") return { kind: "reset", when: misfortune.when };
  return { kind: "hold", until: misfortune.when === "before" ? ended : Promise.resolve() };
}

async function countRequests(): Promise<Record<"github" | "platform", number>> {
  await using scene = await setAssistantScene(whole);
  const { triggered } = ask(scene);
  const { outputs, log } = await runAssistant(scene, triggered);
  expect(outputs, log).toMatchObject({ outcome: "answered" });
  return { github: scene.github.requests.length, platform: 0 };
}

async function strikeAndRunAgain({ request, misfortune, next }: Strike): Promise<void> {
  await using scene = await setAssistantScene(whole);
  const { issue, triggered } = ask(scene);
  await using job = await createAssistantJob(scene, triggered);
  const step = await job.startMain();
  const onMeet = () => {
    if (misfortune.kind === "kill") step.signal("SIGKILL");
    if (misfortune.kind === "cancel") void step.cancel();
  };
  scene.github.faults.add({ skip: request, fault: faultOf(misfortune, step.result), onMeet });
  const main = await step.result;
  scene.github.faults.clear();
  const post = misfortune.kind === "kill" ? undefined : await job.post();
  scene.passTime(3_600_000);

  const again = await runAssistant(
    scene,
    triggered,
    {},
    next === "attempt" ? { runAttempt: 2 } : { runId: 8_002 },
  );

  const story = `${main.visibleText}${post?.visibleText ?? ""}\n--- again ---\n${again.visibleText}`;
  const answers = answersOn(scene, issue.number).map(visible);
  expect(answers, story).toHaveLength(1);
  expect(answers[0], story).toContain("Press Rotate, then store it.");
  expect(answers[0], story).toContain("To follow up, comment /ask");
  expect(["answered", "skipped"], story).toContain(again.outputs["outcome"]);
  expect(story).not.toContain(apiKey);
}

describe.concurrent("a run that is struck at GitHub and run again ends in one whole answer", async () => {
  const strikes = listStrikes(await countRequests()).filter(
    ({ misfortune }) =>
      misfortune.kind !== "fault" || /^a (?:connection cut|500) after$/.test(misfortune.name),
  );

  test.each(strikes)("$name", strikeAndRunAgain);
});
