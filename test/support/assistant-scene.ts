/** GitHub and a scripted platform around one repository, and the assistant command as a process between them. */
import { setTimeout as delay } from "node:timers/promises";
import { runAssistant as runAssistantCommand } from "../../src/commands/assistant.ts";
import { botComments, permissions, type Scene, setScene } from "./agent-scene.ts";
import { type AssistantPlatform, type ScriptedAnswer, startAssistantPlatform } from "./assistant-platform.ts";
import type { TriggeredRun } from "./github/scene-events.ts";
import type { Permissions } from "./github-stand-in.ts";
import { type ActionJob, createActionJob } from "./run-action.ts";
import { runStepInProcess, type StepInProcess } from "./run-in-process.ts";
import { DEFAULT_RUN } from "./runner-environment.ts";
import type { StepResult } from "./step-process.ts";

export const apiKey = "svc_dsc_public-key-of-this-test";
export const site = "https://docs.example.com";

export type AssistantScene = Scene<AssistantPlatform>;

/** The platform gives the answers in order, the last one again and again. */
export const setAssistantScene = (...answers: ScriptedAnswer[]): Promise<AssistantScene> =>
  setScene(() => startAssistantPlatform(answers));

/** Asks in a comment on a new issue. */
export function ask(
  { github }: Pick<AssistantScene, "github">,
  body = "/ask how do I rotate a key?",
  author = "mona",
) {
  const issue = github.addIssue({ author: "alice", title: "Keys", body: "About keys." });
  const comment = github.addComment({ issue: issue.number, author, body });
  return { issue, comment, triggered: github.events.issueComment(comment) };
}

type Inputs = Readonly<Record<string, string>>;

function describeUse(
  { github, platform }: AssistantScene,
  triggered: Partial<TriggeredRun>,
  inputs: Inputs,
  granted = permissions,
) {
  return {
    inputs: { "base-url": platform.url, "api-key": apiKey, domain: "docs.example.com", ...inputs },
    run: { ...DEFAULT_RUN, ...github.run, token: github.runToken(granted), ...triggered },
  };
}

/** Runs `command: assistant` for an event to its end, in this process. */
export function runAssistantHere(
  scene: AssistantScene,
  triggered: Partial<TriggeredRun>,
  inputs: Inputs = {},
  granted?: Permissions,
): Promise<StepInProcess> {
  const use = describeUse(scene, triggered, inputs, granted);
  return runStepInProcess("assistant", runAssistantCommand, use.run, use.inputs);
}

/** Prepares a job that runs `command: assistant` for an event. */
export function createAssistantJob(
  scene: AssistantScene,
  triggered: Partial<TriggeredRun>,
  given: Inputs = {},
): Promise<ActionJob> {
  const { inputs, run } = describeUse(scene, triggered, given);
  return createActionJob({ inputs: { command: "assistant", ...inputs }, run });
}

/** Runs `command: assistant` for an event to its end. */
export async function runAssistant(...use: Parameters<typeof createAssistantJob>): Promise<StepResult> {
  await using job = await createAssistantJob(...use);
  return await job.main();
}

/** What people see of the run's answers on an issue. */
export const answersOn = botComments;

/** A comment without its marker. */
export function visible(body: string): string {
  return body.replace(/<!-- docs-automation:[\s\S]*$/, "");
}

/** Waits for something that another process does, and leaves the processor to it. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await delay(5);
}
