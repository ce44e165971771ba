/** The action as a process, against a platform that repeats its key: what really leaves it, before the runner masks anything. */
import { describe, expect, test } from "vitest";
import { permissions } from "../support/agent-scene.ts";
import { startGitHubStandIn } from "../support/github-stand-in.ts";
import { startHttpServer } from "../support/http-server.ts";
import { createActionJob } from "../support/run-action.ts";
import { DEFAULT_RUN } from "../support/runner-environment.ts";
import { partsIn, readEverySpelling, spellings } from "../support/secret-spellings.ts";

const adminKey = "svc_9aB3xYz8Qw7LmN0pRtUvKjHgFdSaZxCv";
const assistantKey = "svc_dsc_2bC4yZa9Rx8MnO1qSuVwLkIhGeTbAyDw";

/** Runs both phases of a command for a comment, and returns all that the process wrote. */
async function run(command: "agent" | "assistant" | "export", answer: (request: Request) => Response) {
  await using github = await startGitHubStandIn();
  github.addPerson("mona", "write");
  const issue = github.addIssue({ author: "alice", title: "Keys", body: "About keys." });
  const body = `${command === "assistant" ? "/ask" : "/docs"} explain keys`;
  await using platform = await startHttpServer(answer);
  const key = command === "assistant" ? assistantKey : adminKey;
  const target: Record<string, string> =
    command === "agent" ? { "project-id": "prj_1" } : { domain: "docs.example.com" };
  await using job = await createActionJob({
    inputs: {
      command,
      "base-url": platform.url,
      "api-key": key,
      ...target,
      ...(command === "export" && { upload: "none" }),
    },
    run: {
      ...DEFAULT_RUN,
      ...github.run,
      ...github.say(issue.number, body),
      token: github.runToken(permissions),
    },
  });
  const main = await job.main();
  const post = await job.post();
  const written = [main, post].flatMap(({ rawLog, rawSummary, outputs, state }) => [
    rawLog.replace(/^::add-mask::.*$/gm, ""),
    rawSummary,
    ...Object.values({ ...state, ...outputs }),
  ]);
  const sent = github.changes().map((change) => JSON.stringify(change.body));
  const leaks = [...written, ...sent].flatMap((text) =>
    readEverySpelling(text).flatMap((reading) => partsIn(reading, key)),
  );
  return { ...main, leaks };
}

const wireSpellings = ["plain", "URL", "HTML decimal", "Base64 at 1", "hexadecimal", "lower case"];
const spelled = (key: string) => wireSpellings.map((name) => spellings[name]?.(key, 3) ?? "").join(" ");

describe("a key that the platform repeats leaves the process in no spelling", () => {
  test.each([
    ["as the identifier of a refused request", 401, { "x-request-id": adminKey }],
    [
      "as the address of a refused redirect",
      302,
      { location: `https://${adminKey.replace("_", "-")}.example/` },
    ],
    [
      "as an address in a refused redirect",
      307,
      { location: `https://other.example/${adminKey}?k=${adminKey}` },
    ],
  ])("%s", async (_name, status, headers) => {
    const { outputs, leaks } = await run("agent", () =>
      Response.json({ error: spelled(adminKey) }, { status, headers }),
    );
    expect(outputs).toMatchObject({ "error-code": expect.any(String), "error-json": expect.any(String) });
    expect(leaks).toEqual([]);
  });

  test("as a job's identifier, status and reason", async () => {
    const { leaks } = await run("export", () =>
      Response.json({ jobId: adminKey, status: "failed", error: spelled(adminKey), progress: adminKey }),
    );
    expect(leaks).toEqual([]);
  });

  test("as an answer with sources", async () => {
    const url = `https://docs.example.com/${assistantKey}`;
    const lines = [
      `0:${JSON.stringify(`It is ${spelled(assistantKey)}`)}`,
      `h:${JSON.stringify({ sourceType: "url", id: "1", url, title: assistantKey })}`,
      `d:${JSON.stringify({ finishReason: "stop", threadId: assistantKey })}`,
    ];
    const { outputs, leaks } = await run("assistant", () => new Response(`${lines.join("\n")}\n`));
    expect(outputs["outcome"]).toBe("answered");
    expect(leaks).toEqual([]);
  });
});

test("a platform cannot choose a word that is masked, and a key of a thread is", async () => {
  const body = '0:"The letter e."\nd:{"finishReason":"stop"}\n';
  const answer = (key: string) => () => new Response(body, { headers: { "x-thread-key": key } });
  expect((await run("assistant", answer("e"))).rawLog).not.toMatch(/^::add-mask::e$/m);
  const key = "k-9f8e7d6c5b4a3210";
  expect((await run("assistant", answer(key))).rawLog).toContain(`::add-mask::${key}`);
});

test("a secret of another service is sent nowhere", async () => {
  await using platform = await startHttpServer(() => new Response());
  const inputs = {
    command: "export",
    "base-url": platform.url,
    "api-key": `sk_live_${"4eC39HqLyjWD".repeat(2)}`,
    domain: "d",
  };
  await using job = await createActionJob({ inputs: { ...inputs, upload: "none" } });
  const { outputs, rawLog } = await job.main();
  expect(outputs).toMatchObject({ "error-code": "invalid-input" });
  expect(rawLog.replace(/^::add-mask::.*$/gm, "")).not.toContain("4eC39HqLyjWD");
  expect(platform.requests).toEqual([]);
});
