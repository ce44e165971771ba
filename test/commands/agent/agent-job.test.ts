import { describe, expect, test } from "vitest";
import type { AgentJob } from "../../../src/client/contract.ts";
import { PlatformError } from "../../../src/client/errors.ts";
import { createJob } from "../../../src/commands/agent/agent-job.ts";
import { createRecordingLog } from "../../support/recording-log.ts";

const origin = { project: "prj_1", jobId: "job_1" };

/** Sends a follow-up to a job that takes no message. */
async function followUp(refusal: PlatformError, job: AgentJob | PlatformError = { status: "active" }) {
  const sent: string[] = [];
  const created = createJob(
    { projectId: "prj_1", prompt: "Add an example.", origin },
    {
      log: createRecordingLog(),
      platform: {
        async messageAgentJob(_project, id) {
          sent.push(`message to ${id}`);
          throw refusal;
        },
        async getAgentJob() {
          if (job instanceof PlatformError) throw job;
          return job;
        },
        async createAgentJob() {
          sent.push("new job");
          return { id: "job_2", status: "active" };
        },
      },
    },
  );
  return { result: await created.catch((error: unknown) => error), sent };
}

const conflict = new PlatformError("conflict", "409", { status: 409 });

describe("a follow-up", () => {
  test.each([404, 405, 410])("is a new job on a platform without messages: %i", async (status) => {
    const { result, sent } = await followUp(new PlatformError("not-found", "no", { status }));

    expect(result).toMatchObject({ jobId: "job_2", isFollowUp: false });
    expect(sent).toStrictEqual(["message to job_1", "new job"]);
  });

  test("is a new job where its own is archived", async () => {
    const { result } = await followUp(conflict, { status: "Archived" });

    expect(result).toMatchObject({ jobId: "job_2", isFollowUp: false });
  });

  test.each([
    ["another conflict", conflict, undefined],
    ["a conflict that cannot be looked into", conflict, new PlatformError("unavailable", "502")],
    ["a refusal", new PlatformError("forbidden", "403", { status: 403 }), undefined],
    ["a lost answer", new PlatformError("unreachable", "cut", { maybeSubmitted: true }), undefined],
  ])("is sent no second time after %s", async (_, refusal, job) => {
    const { result, sent } = await followUp(refusal, job);

    expect(result).toBeInstanceOf(PlatformError);
    expect(sent).toStrictEqual(["message to job_1"]);
  });
});
