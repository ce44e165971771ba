/** `command: assistant` where GitHub, the platform or the runner fails while it answers. */
import { describe, expect, test } from "vitest";
import { type ScriptedAnswer, v1Answer } from "../support/assistant-platform.ts";
import { checkRecovery, listAssistantFaultPoints } from "../support/assistant-replay.ts";
import {
  answersOn,
  ask,
  createAssistantJob,
  setAssistantScene,
  until,
  visible,
} from "../support/assistant-scene.ts";
import { isSampledEnding, runProcessWithFault } from "../support/fault-replay.ts";
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
    await until(() =>
      answersOn(scene, issue.number).some((body) => body.includes("will be sent again at 20")),
    );
    const result = await main.cancel();
    expect(result.outputs).toMatchObject({ outcome: "cancelled", "error-code": "cancelled" });
    const [shown = ""] = answersOn(scene, issue.number).map(visible);
    expect(shown).toContain("**There is no answer.** The workflow was cancelled.");
    expect(shown).not.toContain("sent again");
  });
});

describe("an answer that GitHub does not accept", () => {
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
    expect(visible(answersOn(scene, issue.number)[0] ?? "")).toContain("the job summary of the run shows it");
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

/** At every request, and in every way: `test/commands/assistant.test.ts`. */
describe.concurrent("a run that is ended at GitHub's requests and run again ends in one whole answer", async () => {
  const points = await listAssistantFaultPoints();

  test.each(points.filter(isSampledEnding))("$name", (point) => checkRecovery(point, runProcessWithFault));
});
