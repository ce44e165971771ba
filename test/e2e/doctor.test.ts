/** `command: doctor`: the built action as a process. */
import { describe, expect, test } from "vitest";
import { startHttpServer } from "../support/http-server.ts";
import { createActionJob } from "../support/run-action.ts";

const apiKey = "svc_admin-key-of-this-test";

async function runDoctor(url: string, inputs: Record<string, string> = {}, apiUrl = "http://127.0.0.1:9") {
  const job = await createActionJob({
    inputs: {
      command: "doctor",
      "base-url": url,
      "api-key": apiKey,
      "project-id": "p1",
      domain: "d.example",
      ...inputs,
    },
    run: { apiUrl },
  });
  return { result: await job.main(), [Symbol.asyncDispose]: () => job[Symbol.asyncDispose]() };
}

/** A platform and GitHub's API in one: neither has anything but what it answers to a look. */
const answer = (statuses: Record<string, number>) => (request: Request) => {
  const { pathname } = new URL(request.url);
  const status = Object.entries(statuses).find(([prefix]) => pathname.startsWith(prefix))?.[1] ?? 404;
  return Response.json({ error: `answer ${status}` }, { status });
};

describe.concurrent("the doctor", () => {
  test("finds a sound set-up healthy with nothing but reads", async () => {
    await using server = await startHttpServer(answer({ "/repos/": 200 }));
    await using run = await runDoctor(server.url, {}, server.url);
    expect(run.result.outputs["outcome"]).toBe("healthy");
    expect(run.result.exitCode).toBe(0);
    expect(server.requests.map(({ method }) => method)).toEqual(server.requests.map(() => "GET"));
    expect(run.result.summary).toContain("### Setup: healthy");
  });

  test("fails the step if the input asks for it", async () => {
    await using server = await startHttpServer(answer({ "/repos/": 200, "/v1/static-export": 401 }));
    await using run = await runDoctor(server.url, { "fail-on": "unhealthy" }, server.url);
    expect(run.result.exitCode).toBe(1);
  });
});
