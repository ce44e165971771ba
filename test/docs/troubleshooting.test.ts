/** Keeps `docs/troubleshooting.md` true: provokes each of its symptoms with the built action, and compares what is printed. */
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import { join } from "node:path";
import GithubSlugger from "github-slugger";
import { describe, expect, test } from "vitest";
import { errorCodes } from "../../src/base/errors.ts";
import {
  type AgentScene,
  type AgentUse,
  botComments,
  createAgentJob,
  runAgentProcess,
  setAgentScene,
} from "../support/agent-scene.ts";
import { buildTarGz } from "../support/archives.ts";
import { v1Answer } from "../support/assistant-platform.ts";
import { ask, runAssistant, setAssistantScene } from "../support/assistant-scene.ts";
import { startExportPlatform } from "../support/export-platform.ts";
import type { FaultRule } from "../support/faults.ts";
import type { TriggeredRun } from "../support/github/scene-events.ts";
import { startHttpServer } from "../support/http-server.ts";
import { listen, readSelfSigned } from "../support/listen.ts";
import { takeBlocksOf } from "../support/page-blocks.ts";
import { type ActionUse, createActionJob } from "../support/run-action.ts";
import type { StepResult } from "../support/step-process.ts";
import type { StorageOptions } from "../support/storage.ts";

const page = readFileSync(new URL("../../docs/troubleshooting.md", import.meta.url), "utf8");
const errorPage = readFileSync(new URL("../../docs/reference/errors.md", import.meta.url), "utf8");

/** The sections of a page by the anchors of their headings. */
function sectionsOf(markdown: string): Map<string, string> {
  const slugger = new GithubSlugger();
  const parts = markdown.split(/^## /m).slice(1);
  return new Map(parts.map((section) => [slugger.slug(section.split("\n", 1)[0] ?? ""), section]));
}

const sections = sectionsOf(page);
const errorSections = sectionsOf(errorPage);

const shownBlocks = takeBlocksOf("docs/troubleshooting.md", "text");

/** The lines of a log that a section shows. */
function shownLines(anchor: string): string[] {
  const blocks = shownBlocks.filter(({ id }) => id.split(/[#/]/).includes(anchor));
  return blocks.flatMap(({ text }) => text.trim().split("\n"));
}

/** What a person reads in the log of a job with debug logging, without what differs from run to run. */
function printedBy({ log, debugMessages }: StepResult): string[] {
  const levels = log.replace(/^##\[(error|warning|notice)\]/gm, (_, level: string) => {
    return `${level.charAt(0).toUpperCase()}${level.slice(1)}: `;
  });
  const lines = [...levels.split("\n"), ...debugMessages.map((message) => `##[debug]${message}`)];
  return lines.map((line) =>
    line
      .replace(/https?:\/\/127\.0\.0\.1:\d+(?=\/exports)/g, "https://storage.example.com")
      .replace(/http:\/\/127\.0\.0\.1:9\b/g, "http://proxy.example.com:3128")
      .replace(/ECONNREFUSED 127\.0\.0\.1:9\b/g, "ECONNREFUSED 192.0.2.7:3128")
      .replace(/ECONNREFUSED 127\.0\.0\.1:\d+/g, "ECONNREFUSED 192.0.2.7:8443")
      .replace(/https?:\/\/127\.0\.0\.1:\d+/g, "https://api.example.com")
      .replace(/\d+ ms\b/g, "12 ms")
      .replace(/has only \d+ bytes left/, "has only 1048576 bytes left")
      .replace(/Node v[\d.]+/, "Node v24.5.0")
      .replace(/(?<= )\/\S+\/work\/repository/g, "/github/workspace")
      .replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "2026-01-01 12:00"),
  );
}

interface Symptom {
  /** The section of the page; without one it is only in the reference of errors. */
  readonly section?: string;
  readonly name: string;
  readonly provoke: () => Promise<StepResult>;
}

// What people do in a repository.

function said(author: string, body = "/docs explain retries", change: object = {}) {
  return (scene: AgentScene) => {
    const issue = scene.github.addIssue({ author: "alice", title: "Retries", body: "How often?" });
    const comment = scene.github.addComment({ issue: issue.number, author, body });
    return scene.github.events.issueComment(comment, change);
  };
}

/** Runs `command: agent` for what a person wrote. */
async function runAgent(
  event: (scene: AgentScene) => Partial<TriggeredRun>,
  use: AgentUse & {
    readonly platform?: FaultRule;
    readonly github?: FaultRule;
    readonly prLink?: string;
  } = {},
) {
  const polls = use.prLink === undefined ? undefined : [{ status: "completed", prLink: use.prLink }];
  await using scene = await setAgentScene(polls ? { polls } : {});
  const triggered = event(scene);
  if (use.platform) scene.platform.faults.add({ times: Infinity, ...use.platform });
  if (use.github) scene.github.faults.add({ times: Infinity, ...use.github });
  return await runAgentProcess(scene, triggered, use);
}

function answer(status: number, message: string, headers: Record<string, string> = {}): FaultRule["fault"] {
  const body = JSON.stringify({ message });
  return { kind: "answer", status, body, headers: { "content-type": "application/json", ...headers } };
}

interface ExportScene extends ActionUse {
  readonly polls?: readonly unknown[];
  readonly storage?: Partial<StorageOptions>;
  readonly platform?: FaultRule;
}

/** Runs `command: export` against a platform with one small site. */
async function runExport(inputs: Record<string, string> = {}, { storage, polls, ...use }: ExportScene = {}) {
  const object = { body: buildTarGz([{ name: "index.html", body: "<h1>Hello</h1>" }]) };
  const scripted = polls === undefined ? {} : { polls };
  await using platform = await startExportPlatform({ ...scripted, storage: { object, ...storage } });
  if (use.platform) platform.faults.add({ times: Infinity, ...use.platform });
  const base = { command: "export", "base-url": platform.url, "api-key": "svc_admin-key-of-this-test" };
  await using job = await createActionJob({
    ...use,
    // Retries and the time limit pass at once; no other service has a clock here.
    environment: { DOCS_AUTOMATION_TEST_CLOCK_SPEED: "1000", ...use.environment },
    inputs: { ...base, domain: "docs.example.com", upload: "none", ...inputs },
  });
  await mkdir(join(job.workspace, ".git"), { recursive: true });
  await writeFile(join(job.workspace, "values.yaml"), "staticExport:\n  bundleUrl: old\n");
  return await job.main();
}

const symptoms: readonly Symptom[] = [
  { section: "my-comment-does-nothing", name: "no phrase", provoke: () => runAgent(said("mona", "Thanks!")) },
  {
    section: "my-comment-does-nothing",
    name: "a phrase elsewhere",
    provoke: () => runAgent(said("mona", "Please update this, /docs bot")),
  },
  { section: "my-comment-does-nothing", name: "no permission", provoke: () => runAgent(said("eve")) },
  { section: "my-comment-does-nothing", name: "a bot", provoke: () => runAgent(said("renovate[bot]")) },
  {
    section: "my-comment-does-nothing",
    name: "an edit by another person",
    provoke: () => runAgent(said("eve", "/docs go", { sender: "mona", action: "edited" })),
  },
  {
    section: "my-comment-does-nothing",
    name: "an edit meanwhile",
    provoke: () =>
      runAgent((scene) => {
        const triggered = said("mona")(scene);
        const [comment] = scene.github.commentsOn(1);
        if (comment) scene.github.edit(comment, { body: "/docs delete everything" });
        return triggered;
      }),
  },
  {
    section: "fork-or-dependabot",
    name: "skipped",
    provoke: () => runExport({ "api-key": "", "on-missing-key": "skip" }),
  },
  {
    section: "fork-or-dependabot",
    name: "failed",
    provoke: () => runExport({ "api-key": "" }),
  },
  {
    section: "401",
    name: "platform",
    provoke: () => runExport({}, { platform: { fault: answer(401, "Invalid API key") } }),
  },
  {
    section: "401",
    name: "GitHub",
    provoke: () => runAgent(said("mona"), { github: { fault: answer(401, "Bad credentials") } }),
  },
  {
    section: "403",
    name: "platform",
    provoke: () => runExport({}, { platform: { fault: answer(403, "This key is read-only") } }),
  },
  {
    section: "403",
    name: "GitHub",
    provoke: () => runAgent(said("mona"), { permissions: { contents: "read" } }),
  },
  {
    section: "404",
    name: "platform",
    provoke: () => runExport({}, { platform: { fault: answer(404, "Unknown domain") } }),
  },
  {
    section: "documents-not-found",
    name: "no checkout",
    provoke: () => runExport({ "base-url": "local", "api-key": "", domain: "" }),
  },
  {
    section: "documents-not-found",
    name: "no prompt file",
    provoke: () => runAgent(said("mona"), { inputs: { "prompt-file": "prompts/docs.md" } }),
  },
  { section: "wrong-address", name: "no TLS", provoke: runWithoutTls },
  {
    section: "wrong-address",
    name: "no such host",
    provoke: () => runExport({ "base-url": "https://docs-platform.invalid" }),
  },
  { section: "certificate", name: "not trusted", provoke: runWithUntrustedCertificate },
  {
    section: "proxy",
    name: "not there",
    provoke: () =>
      runExport(
        { "base-url": "https://api.example.com" },
        { environment: { HTTPS_PROXY: "http://user:password@127.0.0.1:9" } },
      ),
  },
  {
    section: "no-artifact-service",
    name: "outside of a job",
    provoke: () => runExport({ upload: "archive" }),
  },
  {
    section: "no-artifact-service",
    name: "Enterprise Server",
    provoke: () =>
      runExport({ upload: "archive" }, { run: { serverUrl: "https://github.corp.example.com" } }),
  },
  {
    section: "outcome-unknown",
    name: "agent",
    provoke: () =>
      runAgent(said("mona"), { platform: { method: "POST", fault: { kind: "reset", when: "after" } } }),
  },
  {
    section: "outcome-unknown",
    name: "export",
    provoke: () => runExport({}, { platform: { method: "POST", fault: { kind: "reset", when: "after" } } }),
  },
  {
    section: "rate-limits",
    name: "platform",
    provoke: () =>
      runExport({}, { platform: { fault: answer(429, "Too many exports", { "retry-after": "7200" }) } }),
  },
  {
    section: "rate-limits",
    name: "GitHub",
    provoke: () =>
      runAgent(said("mona"), {
        github: { fault: answer(403, "API rate limit exceeded for installation ID 1.") },
      }),
  },
  {
    section: "expired-link",
    name: "refused links",
    provoke: () => runExport({}, { storage: { linkLifeMs: 0, announcedLife: "longer" } }),
  },
  {
    section: "bundle-too-large",
    name: "larger than allowed",
    provoke: () => runExport({ "max-bundle-megabytes": "1" }, { storage: { sizeBytes: 2_345_678 } }),
  },
  {
    section: "disk-full",
    name: "a bundle larger than the disk",
    provoke: () =>
      runExport({ "max-bundle-megabytes": "1000000" }, { storage: { sizeBytes: 900_000_000_000 } }),
  },
  {
    section: "values-file-refused",
    name: "a file of the repository",
    provoke: () => runExport({ "values-file": "values.yaml" }),
  },
  {
    section: "values-file-refused",
    name: "a file that is not there",
    provoke: () => runExport({ "values-file": "missing.yaml" }),
  },
  { section: "status-comment-stays-at-working", name: "a killed run", provoke: reconcileKilledRun },
  { section: "no-pull-request", name: "nothing to change", provoke: () => runAgent(said("mona")) },
  {
    section: "debug-logging",
    name: "requests",
    provoke: () =>
      runExport(
        {},
        {
          debug: true,
          platform: {
            method: "POST",
            times: 1,
            fault: answer(429, "Wait", { "retry-after": "1", "x-request-id": "req-1" }),
          },
        },
      ),
  },
  ...reference(),
];

/** What is in the reference of errors only. */
function reference(): Symptom[] {
  const files = (name: string) => ({ object: { body: buildTarGz([{ name, body: "<h1>Hello</h1>" }]) } });
  const signIn = { kind: "answer", status: 200, body: "<html><title>Sign in</title></html>" } as const;
  const failing = (fault: FaultRule["fault"]) => runExport({}, { platform: { fault } });
  return [
    { name: "conflict", provoke: () => failing(answer(409, "An export of this site is under way")) },
    { name: "rejected", provoke: () => failing(answer(400, "Unknown version")) },
    {
      name: "unavailable",
      provoke: () => runExport({}, { platform: { path: "/bundle", fault: answer(503, "Maintenance") } }),
    },
    { name: "unreachable", provoke: () => runExport({ "base-url": "http://127.0.0.1:1" }) },
    {
      name: "unexpected-response",
      provoke: () => runExport({}, { platform: { path: "/bundle", fault: signIn } }),
    },
    {
      name: "job-failed",
      provoke: () => runExport({}, { polls: [{ status: "failed", error: "A page cannot be read" }] }),
    },
    {
      name: "bundle-corrupt",
      provoke: () =>
        runExport({}, { storage: { object: { body: files("index.html").object.body.subarray(0, 60) } } }),
    },
    { name: "unsafe-archive", provoke: () => runExport({}, { storage: files("../outside.html") }) },
    {
      name: "timed-out",
      provoke: () =>
        runExport({ "timeout-minutes": "0.5" }, { polls: [{ status: "running", progress: 40 }] }),
    },
    {
      name: "pull-request-mismatch",
      provoke: () => runAgent(said("mona"), { prLink: "https://github.localhost/other/repository/pull/1" }),
    },
    { name: "stream-cut", provoke: askCutAnswer },
    { name: "cancelled", provoke: cancelExport },
  ];
}

async function askCutAnswer() {
  const chunks = v1Answer(["Press Rotate, ", "then sto"], { threadId: "t-1" }).slice(0, 2);
  await using scene = await setAssistantScene({ chunks: [...chunks], end: "cut" });
  return await runAssistant(scene, ask(scene).triggered);
}

async function cancelExport() {
  const object = { body: Buffer.alloc(0) };
  await using platform = await startExportPlatform({ polls: [{ status: "running" }], storage: { object } });
  const inputs = { command: "export", "base-url": platform.url, "api-key": "svc_admin-key-of-this-test" };
  await using job = await createActionJob({
    inputs: { ...inputs, domain: "docs.example.com", upload: "none" },
  });
  const step = await job.startMain();
  await step.waitForLog(/running/);
  return await step.cancel();
}

async function runWithoutTls() {
  await using server = await startHttpServer(() => new Response());
  return await runExport({ "base-url": server.url.replace("http:", "https:") });
}

async function runWithUntrustedCertificate() {
  await using server = await listen(createServer(readSelfSigned()));
  return await runExport({ "base-url": `https://127.0.0.1:${server.port}` });
}

async function reconcileKilledRun() {
  await using scene = await setAgentScene({ polls: [{ status: "active" }, { status: "completed" }] });
  await using job = await createAgentJob(scene, said("mona")(scene));
  const step = await job.startMain();
  await step.waitForLog(/job-1: active/);
  step.signal("SIGKILL");
  await step.result;
  expect(botComments(scene, 1)[0]).toContain("Docs agent: working");
  scene.passTime(3_600_000);
  const inputs = { command: "reconcile" };
  return await runAgentProcess(scene, { eventName: "schedule", event: {} }, { inputs, run: { runId: 99 } });
}

const results = new Map<Symptom, Promise<StepResult>>();

/** Provokes a symptom, once for all tests. */
async function printedFor(symptom: Symptom) {
  const result = results.get(symptom) ?? symptom.provoke();
  results.set(symptom, result);
  const printed = printedBy(await result);
  const annotation = printed.findLast((line) => /^(?:Error|Warning): /.test(line));
  return { ...symptom, printed, annotation, code: (await result).outputs["error-code"] };
}

const all = async () => {
  const provoked = [];
  for (const symptom of symptoms) provoked.push(await printedFor(symptom));
  return provoked;
};

/** What people read of each error, by its code: what the symptom with its name shows, or the first one. */
async function readErrorLines(): Promise<Map<string, string>> {
  const lines = new Map<string, string>();
  for (const { name, code, annotation } of await all())
    if (code && annotation && (name === code || !lines.has(code))) lines.set(code, annotation);
  return lines;
}

describe("the page on troubleshooting", () => {
  test.each(symptoms)("shows what is printed: $section $name", async (symptom) => {
    const { section, printed, annotation } = await printedFor(symptom);
    for (const [, path, anchor = ""] of annotation?.matchAll(/\/docs\/([\w/]+\.md)#([\w-]+)/g) ?? [])
      expect([...(path === "troubleshooting.md" ? sections : errorSections).keys()]).toContain(anchor);
    if (section === undefined) return;
    const isShown = shownLines(section).some((line) => printed.includes(line));
    expect(isShown, `${section} shows none of these lines:\n${printed.join("\n")}`).toBe(true);
  });

  test("shows no line that is not printed", async () => {
    const provoked = await all();
    const compared = [...sections.keys()].flatMap((anchor) => {
      const printed = provoked.flatMap((symptom) => (symptom.section === anchor ? symptom.printed : []));
      for (const line of shownLines(anchor)) expect(printed).toContain(line);
      return shownLines(anchor);
    });
    expect(compared).toEqual(shownBlocks.flatMap(({ text }) => text.trim().split("\n")));
  });

  test("and the reference of errors shows each error as it is printed", async () => {
    const shown = takeBlocksOf("docs/reference/errors.md", "text").map(({ id, text }) => [id, text]);
    const lines = [...(await readErrorLines())];
    const printed = lines.map(([code, line]) => [`docs/reference/errors.md#${code}`, `${line}\n`]);
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(printed));
  });

  test("leaves out no error of the reference", async () => {
    const linesByCode = await readErrorLines();
    const unprovoked = errorCodes.filter((code) => !linesByCode.has(code));
    expect(unprovoked).toEqual(["internal"]);
    const lines = errorCodes.map((code) => [code, linesByCode.get(code)]);
    await expect(`${JSON.stringify(Object.fromEntries(lines), undefined, 2)}\n`).toMatchFileSnapshot(
      "../fixtures/error-lines.json",
    );
  });
});
