import { expect, test } from "vitest";
import type { ClaimedDeps } from "../../../src/commands/agent/agent-interface.ts";
import { concludeLost } from "../../../src/commands/agent/conclude-agent.ts";
import type { PullRequest } from "../../../src/github/pull-requests.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { createMemoryClaims } from "../../support/memory-claims.ts";
import { createRecordingLog } from "../../support/recording-log.ts";

const pull: PullRequest = {
  number: 45,
  nodeId: "PR_45",
  url: "https://github.com/octo-org/widgets/pull/45",
  title: "Retries",
  isDraft: false,
  isOpen: true,
};

test("a lost submission's pull request gets the labels that the workflow wants", async () => {
  const clock = createFakeClock();
  const claims = createMemoryClaims(clock.now);
  const claim = await claims.create({
    command: "agent",
    target: "prj_1",
    trigger: "a".repeat(64),
    state: "submitting",
    owner: "1.1.x",
    claimedAt: new Date(clock.now()).toISOString(),
    leaseSeconds: 15,
  });
  const decorated: number[] = [];
  const deps: Partial<ClaimedDeps> = {
    claims,
    log: createRecordingLog(),
    signal: new AbortController().signal,
    onRecord: () => undefined,
    referenceOf: () => "docs-automation-1",
    observer: { jobKnown: () => undefined, statusSeen: () => undefined, pullRequestKnown: () => undefined },
    github: {
      findByReference: async () => pull,
      decoratePullRequest: async ({ number }) => void decorated.push(number),
    } as Partial<ClaimedDeps["github"]> as ClaimedDeps["github"],
  };

  const result = await concludeLost({ claim, error: undefined }, deps as ClaimedDeps);

  expect(result).toMatchObject({ outcome: "pull-request", status: { pullRequestUrl: pull.url } });
  expect(decorated).toStrictEqual([45]);
});
