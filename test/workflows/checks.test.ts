/** What the workflows' jobs need besides the checkout, on GitHub's runners. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { v1Answer } from "../support/assistant-platform.ts";
import { runAssistantHere, setAssistantScene } from "../support/assistant-scene.ts";
import type { Permissions } from "../support/github-stand-in.ts";

interface Step {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly run?: string;
}
interface Job {
  readonly container?: { readonly image: string };
  readonly permissions?: Permissions;
  readonly steps?: readonly Step[];
}

const folder = new URL("../../.github/workflows/", import.meta.url);
const jobs = readdirSync(folder).flatMap((file) =>
  Object.entries(parse(readFileSync(new URL(file, folder), "utf8")).jobs as Record<string, Job>).map(
    ([name, { steps = [], ...job }]) => ({ ...job, name: `${file}: ${name}`, steps }),
  ),
);

/** Whether a step whose script matches comes before the first one that is found. */
const comesBefore = (steps: readonly Step[], script: RegExp, isNext: (step: Step) => boolean) =>
  steps.slice(0, steps.findIndex(isNext)).some(({ run = "" }) => script.test(run));

test("each job that runs all checks installs the engines as root", () => {
  const checking = jobs.filter(({ steps }) => steps.some(({ run = "" }) => run.includes(".ci/run")));
  expect(checking.map(({ name }) => name)).toEqual(["ci.yml: check", "release.yml: build"]);
  for (const { steps } of checking)
    expect(
      comesBefore(steps, /sudo test\/engines\/install\.sh/, ({ run = "" }) => run.includes(".ci/run")),
    ).toBe(true);
});

test("each job in an image without git adds it before the checkout, which would otherwise be an archive without docs and tests", () => {
  const contained = jobs.filter(({ container }) => container !== undefined);
  expect(contained.map(({ name }) => name)).toEqual(["runners.yml: alpine", "runners.yml: proxy"]);
  for (const { steps } of contained)
    expect(
      comesBefore(steps, /apk add .*\bgit\b/, ({ uses = "" }) => uses.startsWith("actions/checkout@")),
    ).toBe(true);
});

test.each(["mona", "alice", "dependabot[bot]"])(
  "a pull request of %s gets an answer on each runner",
  async (author) => {
    const [job] = jobs.filter(({ name }) => name === "runners.yml: use");
    const step = job?.steps.find(({ uses }) => uses === "./assistant");
    const { "base-url": _local, ...inputs } = Object.fromEntries(
      Object.entries(step?.with ?? {}).map(([name, value]) => [name, String(value)]),
    );
    await using scene = await setAssistantScene({ chunks: v1Answer(["The key."]) });
    scene.github.addPerson("alice", "read");
    const pull = scene.github.openPullRequest({ author, head: "feature" });
    scene.github.mergePullRequest(pull);
    const triggered = scene.github.events.pullRequestMerged(pull);
    const { pull_request: fields } = triggered.event;
    const event = {
      ...triggered.event,
      action: "opened",
      pull_request: { ...(fields as object), merged: false },
    };

    const run = { ...triggered, event };
    const { outputs, log } = await runAssistantHere(scene, run, inputs, job?.permissions);

    expect(outputs["outcome"], log).toBe("answered");
  },
);
