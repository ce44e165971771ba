import { expect, test } from "vitest";
import { firstJobId, startAgentPlatform } from "./agent-platform.ts";

test("the agent platform of the tests refuses messages to a job that is busy or archived", async () => {
  await using platform = await startAgentPlatform({ endsByHand: true, refusesWhenBusy: true });
  const send = async (path: string, prompt: string) => {
    const init = { method: "POST", body: JSON.stringify({ prompt }) };
    return (await fetch(`${platform.url}/v2/agent/prj_1/job${path}`, init)).status;
  };
  const statuses = [await send("", "One"), await send(`/${firstJobId}/message`, "Too early")];
  platform.archive(firstJobId);
  statuses.push(await send(`/${firstJobId}/message`, "Too late"));

  expect(statuses).toEqual([201, 409, 409]);
  expect(platform.messages).toEqual([]);
});
