/** The assistant command's replay: what must hold after a run with a fault at GitHub and the run after it. */
import { expect } from "vitest";
import { finishAssistant, runAssistant } from "../../src/commands/assistant.ts";
import { permissions } from "./agent-scene.ts";
import { v1Answer } from "./assistant-platform.ts";
import { answersOn, apiKey, ask, setAssistantScene, visible } from "./assistant-scene.ts";
import {
  type FaultPoint,
  isServerFault,
  listFaultPoints,
  runAgain,
  runHere,
  runWithFault,
} from "./fault-replay.ts";
import { createFaultPlan } from "./faults.ts";

const command = { name: "assistant", run: runAssistant, finish: finishAssistant } as const;
const hour = 3_600_000;

async function setScene() {
  const scene = await setAssistantScene({
    chunks: v1Answer(["Press Rotate, ", "then store it."], { threadId: "t-1" }),
  });
  const inputs = { "base-url": scene.platform.url, "api-key": apiKey, domain: "docs.example.com" };
  const platform = { faults: createFaultPlan(), requests: [] };
  return { ...scene, ...ask(scene), inputs, permissions, servers: { github: scene.github, platform } };
}

/** Every fault point at GitHub; of server faults only those after which it is unknown what was carried out. */
export async function listAssistantFaultPoints(): Promise<FaultPoint[]> {
  await using scene = await setScene();
  const { outputs, visibleText } = await runHere(command, scene);
  expect(outputs["outcome"], visibleText).toBe("answered");
  return listFaultPoints({ github: scene.github.requests, platform: [] }).filter(
    (point) => !isServerFault(point) || / a (?:connection cut|50[02].*) after, /.test(point.name),
  );
}

/** The question ends in one whole answer. */
export async function checkRecovery(point: FaultPoint): Promise<void> {
  await using scene = await setScene();

  const failed = await runWithFault(command, scene, point);
  scene.passTime(hour);
  const again = await runAgain(command, scene, point.next);

  const story = `${failed}\n--- again ---\n${again.visibleText}`;
  const answers = answersOn(scene, scene.issue.number).map(visible);
  expect(answers, story).toHaveLength(1);
  expect(answers[0], story).toContain("Press Rotate, then store it.");
  expect(answers[0], story).toContain("To follow up, comment /ask");
  expect(["answered", "skipped"], story).toContain(again.outputs["outcome"]);
  expect(story).not.toContain(apiKey);
}
