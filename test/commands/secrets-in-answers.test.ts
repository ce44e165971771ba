/** The credentials of a run in every header and field of every response, and a search for them in every output. */
import { describe, expect, test } from "vitest";
import { runAgent } from "../../src/commands/agent.ts";
import { runAssistant } from "../../src/commands/assistant.ts";
import { runDoctor } from "../../src/commands/doctor.ts";
import { runExport } from "../../src/commands/export.ts";
import type { CommandName } from "../../src/commands/outputs.ts";
import { runReconcile } from "../../src/commands/reconcile.ts";
import type { RunCommand } from "../../src/commands/run.ts";
import { permissions } from "../support/agent-scene.ts";
import { startGitHubStandIn } from "../support/github-stand-in.ts";
import { startHttpServer } from "../support/http-server.ts";
import { runStepInProcess } from "../support/run-in-process.ts";
import { DEFAULT_RUN } from "../support/runner-environment.ts";
import { partsIn, readEverySpelling, spellings } from "../support/secret-spellings.ts";

const adminKey = "svc_9aB3xYz8Qw7LmN0pRtUvKjHgFdSaZxCv";
const assistantKey = "svc_dsc_2bC4yZa9Rx8MnO1qSuVwLkIhGeTbAyDw";

/** Gives a text that holds a secret in the next spelling; each call another one. */
type Poison = () => string;

const names = Object.keys(spellings);

function poisonWith(secrets: readonly string[], start: number): Poison {
  let at = start;
  return () => {
    at += 1;
    const spell = spellings[names[at % names.length] ?? ""];
    return spell?.(secrets[at % secrets.length] ?? "", at) ?? "";
  };
}

/** Fields of all answers that the specification knows, and of errors of any platform. */
function poisonFields(poison: Poison) {
  const texts = [
    "error",
    "message",
    "detail",
    "title",
    "code",
    "hint",
    "requestId",
    "domain",
    "version",
    "paths",
  ];
  return {
    ...Object.fromEntries(texts.map((name) => [name, poison()])),
    errors: [poison(), { message: poison(), path: poison() }],
    progress: poison(),
    pageCount: poison(),
    createdAt: poison(),
    source: { repository: poison(), ref: poison() },
    [poison()]: poison(),
  };
}

function poisonHeaders(poison: Poison): Record<string, string> {
  const words =
    "x-request-id request-id x-amzn-requestid x-correlation-id cf-ray x-thread-id x-thread-key etag server".split(
      " ",
    );
  const word = () => poison().replace(/[^\x21-\x7e]/g, "");
  return {
    ...Object.fromEntries(words.map((name) => [name, word()])),
    "www-authenticate": `Bearer error="${word().replaceAll('"', "")}"`,
    location: `https://${word()
      .replace(/[^a-z0-9]/gi, "-")
      .slice(0, 60)}.example/${word()}?x=${word()}#${word()}`,
  };
}

const json = (body: unknown, poison: Poison, status = 200) =>
  Response.json(body, { status, headers: poisonHeaders(poison) });

const stream = (...lines: string[]) => `${lines.join("\n")}\n`;

/** How a hostile platform answers. */
const manners: Readonly<Record<string, (request: Request, poison: Poison) => Response>> = {
  ...Object.fromEntries(
    [400, 401, 403, 404, 409, 418, 422].map((status) => [
      `refuses with ${status}`,
      (_request: Request, poison: Poison) => json(poisonFields(poison), poison, status),
    ]),
  ),
  ...Object.fromEntries(
    [301, 302, 307].map((status) => [
      `redirects with ${status}`,
      (_request: Request, poison: Poison) =>
        new Response(poison(), { status, headers: poisonHeaders(poison) }),
    ]),
  ),
  "answers a page": (_request, poison) =>
    new Response(`<!doctype html><title>${poison()}</title><body>${poison()}`, {
      headers: { ...poisonHeaders(poison), "content-type": "text/html" },
    }),
  "refuses with a page": (_request, poison) =>
    new Response(`<!doctype html><title>${poison()}</title>`, {
      status: 403,
      headers: poisonHeaders(poison),
    }),
  "names jobs after it": (_request, poison) =>
    json(
      {
        ...poisonFields(poison),
        id: poison().slice(0, 190),
        jobId: poison().slice(0, 190),
        status: "failed",
      },
      poison,
    ),
  "links to it": (request, poison) =>
    json(
      {
        ...poisonFields(poison),
        id: "job_1",
        jobId: "job_1",
        status: "completed",
        prLink: `https://github.localhost/octo-org/widgets/pull/${poison()}`,
        bundleUrl: `${new URL(request.url).origin}/b/${encodeURIComponent(poison())}?sig=${poison()}`,
        expiresAt: poison(),
      },
      poison,
    ),
  "has odd statuses": (_request, poison) =>
    json({ ...poisonFields(poison), id: "job_1", jobId: "job_1", status: poison() }, poison),
  "streams it": (_request, poison) =>
    new Response(
      stream(
        `f:${JSON.stringify({ messageId: poison() })}`,
        `0:${JSON.stringify(`Your key: ${poison()}, ${poison()} and [this](https://docs.example.com/${poison()}).`)}`,
        `h:${JSON.stringify({ sourceType: "url", id: poison(), url: `https://docs.example.com/${poison()}`, title: poison() })}`,
        `0:${JSON.stringify(`\`\`\`suggestions\n(${poison()})[/x]\n\`\`\`\n`)}`,
        `d:${JSON.stringify({ finishReason: "stop", threadId: poison() })}`,
      ),
      { headers: poisonHeaders(poison) },
    ),
  "streams an error of it": (_request, poison) =>
    new Response(stream(`0:"a"`, `3:${JSON.stringify(poison())}`), { headers: poisonHeaders(poison) }),
  "streams what is no stream": (_request, poison) =>
    new Response(stream(`0:"a"`, poison()), { headers: poisonHeaders(poison) }),
};

const commands = {
  agent: (...run) => runAgent(...run),
  assistant: (...run) => runAssistant(...run),
  export: (...run) => runExport(...run),
  reconcile: (...run) => runReconcile(...run),
  doctor: (...run) => runDoctor(...run),
} as const satisfies { [Name in CommandName]: RunCommand<Name> };

/** What a reader who knows every spelling finds of the secrets in a text. */
function leaksIn(text: string, secrets: readonly string[]): string[] {
  const readings = readEverySpelling(text);
  return secrets.flatMap((secret) => readings.flatMap((reading) => partsIn(reading, secret)));
}

describe.each(Object.keys(manners))("a platform that %s", (manner) => {
  test.each(Object.keys(commands) as CommandName[])("gives no credential of %s to any sink", async (name) => {
    const key = name === "assistant" ? assistantKey : adminKey;
    await using github = await startGitHubStandIn();
    github.addPerson("mona", "write");
    const issue = github.addIssue({ author: "alice", title: "Keys", body: "About keys." });
    const phrase = name === "assistant" ? "/ask" : "/docs";
    const run = { ...DEFAULT_RUN, ...github.run, ...github.say(issue.number, `${phrase} explain keys`) };
    const token = github.runToken(permissions);
    const start =
      names.length * Object.keys(manners).indexOf(manner) * 7 + Object.keys(commands).indexOf(name) * 3;
    const poison = poisonWith([key, token], start);
    await using platform = await startHttpServer(
      (request) => manners[manner]?.(request, poison) ?? new Response(),
    );
    const inputs = {
      "base-url": platform.url,
      "api-key": key,
      ...(name === "export" ? { domain: "docs.example.com", upload: "none" } : {}),
      ...(name === "assistant" ? { domain: "docs.example.com" } : {}),
      ...(name === "agent" || name === "reconcile" ? { "project-id": "prj_1" } : {}),
    };

    const { outputs, log, summary } = await runStepInProcess(
      name,
      commands[name] as RunCommand<typeof name>,
      { ...run, token },
      inputs,
      // Enough polls of a job that does not end.
      { deadlineMs: Date.now() + 5 * 60_000 },
    );

    const written = github.changes().map(({ body }) => JSON.stringify(body));
    const sinks = [log, summary, JSON.stringify(outputs), ...Object.values(outputs), ...written];
    expect(sinks.flatMap((sink) => leaksIn(sink, [key, token]))).toEqual([]);
    expect(outputs["outcome"]).toBeDefined();
  });
});
