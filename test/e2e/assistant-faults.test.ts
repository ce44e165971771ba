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
  headers: { "retry-after": "600" },
  chunks: [JSON.stringify({ error: "10,000 requests per hour" })],
};

describe("the platform's limit", () => {
  test("is waited for no longer when the workflow is cancelled, and the comment says so", async () => {
    await using scene = await setAssistantScene(refusal);
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
});

describe("an answer that GitHub does not take", () => {
  test("is pointed to by the post step, once GitHub takes edits again", async () => {
    await using scene = await setAssistantScene(whole);
    const { issue, triggered } = ask(scene);
    await using job = await createAssistantJob(scene, triggered);
    // The claim's own edit passes; from the answer on, edits fail.
    const fault: Fault = { kind: "answer", status: 500, body: "{}" };
    const times = Number.POSITIVE_INFINITY;
    scene.github.faults.add({ method: "PATCH", path: "/issues/comments/", fault, times, skip: 1 });
    await job.main();
    scene.github.faults.clear();
    await job.post();
    expect(visible(answersOn(scene, issue.number)[0] ?? "")).toContain("the summary of the run shows it");
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
