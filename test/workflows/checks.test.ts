/** What the workflows' jobs need besides the checkout, on GitHub's runners. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";

interface Step {
  readonly uses?: string;
  readonly run?: string;
}
interface Job {
  readonly container?: { readonly image: string };
  readonly steps?: readonly Step[];
}

const folder = new URL("../../.github/workflows/", import.meta.url);
const jobs = readdirSync(folder).flatMap((file) =>
  Object.entries(parse(readFileSync(new URL(file, folder), "utf8")).jobs as Record<string, Job>).map(
    ([name, { container, steps = [] }]) => ({ name: `${file}: ${name}`, container, steps }),
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
