import { describe, expect, test } from "vitest";
import { firstJobId, startAgentPlatform } from "./agent-platform.ts";

type Platform = Awaited<ReturnType<typeof startAgentPlatform>>;

async function send(platform: Platform, path: string, prompt?: string) {
  const init = prompt === undefined ? {} : { method: "POST", body: JSON.stringify({ prompt }) };
  const response = await fetch(`${platform.url}/v2/agent/prj_1/job${path}`, init);
  return { code: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe("the agent platform of the tests", () => {
  test("keeps a job busy until the test ends it, and refuses messages meanwhile", async () => {
    const taken: string[] = [];
    await using platform = await startAgentPlatform({
      endsByHand: true,
      refusesWhenBusy: true,
      onMessage: ({ prompt }) => taken.push(prompt),
    });
    await send(platform, "", "One");

    const busy = await send(platform, `/${firstJobId}/message`, "Too early");
    platform.finish(firstJobId, { status: "failed", error: "No model answered." });
    const failed = await send(platform, `/${firstJobId}`);
    const accepted = await send(platform, `/${firstJobId}/message`, "Two");
    const working = await send(platform, `/${firstJobId}`);
    platform.finish(firstJobId, { prLink: "https://github.localhost/octo-org/widgets/pull/1" });
    const completed = await send(platform, `/${firstJobId}`);
    platform.archive(firstJobId);
    const archived = await send(platform, `/${firstJobId}/message`, "Too late");

    expect(busy).toEqual({ code: 409, body: { error: expect.stringContaining("still working") } });
    expect(failed.body).toMatchObject({ status: "failed", error: "No model answered." });
    expect([accepted.code, working.body["status"], completed.body["status"]]).toEqual([
      200,
      "active",
      "completed",
    ]);
    expect(archived).toEqual({ code: 409, body: { error: expect.stringContaining("archived") } });
    expect(taken).toEqual(["Two"]);
    expect(platform.messages).toEqual([{ jobId: firstJobId, prompt: "Two" }]);
  });

  test("shows each job's polls from the start after a message", async () => {
    await using platform = await startAgentPlatform({
      polls: [{ status: "active" }, { status: "completed" }],
    });
    await send(platform, "", "One");
    const states: unknown[] = [];
    const poll = async () => states.push((await send(platform, `/${firstJobId}`)).body["status"]);
    await poll();
    await poll();
    await send(platform, `/${firstJobId}/message`, "Two");
    await poll();
    expect(states).toEqual(["active", "completed", "active"]);
  });
});
