/** What each command sends on each event: the tests hold these runs to their counts, the docs and the benchmark show them. */
import { createClock } from "../../src/base/runtime.ts";
import { runDoctor } from "../../src/commands/doctor.ts";
import { runExport } from "../../src/commands/export.ts";
import {
  type AgentScene,
  apiKey,
  openAgentPull,
  permissions,
  pullUrl,
  runAgent,
  runReconcile,
  setAgentScene,
} from "./agent-scene.ts";
import { buildTarGz } from "./archives.ts";
import { type ArtifactService, startArtifactService } from "./artifact-service.ts";
import { v1Answer } from "./assistant-platform.ts";
import { type AssistantScene, ask, runAssistantHere, setAssistantScene } from "./assistant-scene.ts";
import { type CacheService, startCacheService } from "./cache-service.ts";
import { completedJob, startExportPlatform } from "./export-platform.ts";
import type { TriggeredRun } from "./github/scene-events.ts";
import { type RecordedRequest, startHttpServer } from "./http-server.ts";
import { runInProcess, runStepInProcess } from "./run-in-process.ts";
import { DEFAULT_RUN, type WorkflowRun } from "./runner-environment.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

/** The requests of one run, each in a few words. */
export interface Sent {
  /** To GitHub's API, artifact service and cache. */
  readonly github: readonly string[];
  readonly platform: readonly string[];
  /** Bytes that storage sent, where there is a bundle. */
  readonly storageBytes?: number;
  /** What the run said, for the reader of a count that is wrong. */
  readonly visibleText: string;
}

export interface CountedRun {
  readonly event: string;
  /** Requests to GitHub and to the platform. */
  readonly counts: readonly [github: number, platform: number];
  readonly run: () => Promise<Sent>;
}

type Inputs = Readonly<Record<string, string>>;
type Trigger<Scene> = (scene: Scene) => Partial<TriggeredRun> | Promise<Partial<TriggeredRun>>;

type Request = Pick<RecordedRequest, "path"> & Partial<RecordedRequest>;

function describe({ operation, method = "POST", path }: Request): string {
  return operation ?? `${method} ${path.replace(/\?.*/, "")}`;
}

/** What a run adds to the requests of GitHub and of a platform. */
async function countSent(
  github: readonly Request[],
  platform: readonly Request[],
  run: () => Promise<Pick<Sent, "visibleText">>,
): Promise<Sent> {
  const before = [github.length, platform.length];
  const { visibleText } = await run();
  return {
    github: github.slice(before[0]).map(describe),
    platform: platform.slice(before[1]).map(describe),
    visibleText,
  };
}

// The agent.

const prLink = pullUrl(2);
const otherLink = pullUrl(3);
const agent = { author: "agent[bot]", head: "docs/agent" };

type IssueScene = AgentScene & { readonly issue: number };

const comment = ({ github }: IssueScene, issue: number, body = "/docs explain the retries") =>
  github.say(issue, body);

/** A thread on which a first request has led to pull request 2. */
async function answered(scene: IssueScene, issue: number, body?: string): Promise<Partial<TriggeredRun>> {
  await runAgent(scene, comment(scene, scene.issue));
  return comment(scene, issue, body);
}

async function inReview(scene: IssueScene): Promise<Partial<TriggeredRun>> {
  await runAgent(scene, comment(scene, scene.issue));
  const { id } = scene.github.addReviewThread({ pull: 2, author: "alice", body: "Say why." });
  const asked = { pull: 2, author: "mona", body: "/docs say why", inReplyTo: id };
  return scene.github.events.reviewComment(scene.github.addReviewComment(asked));
}

function push({ github }: IssueScene): Partial<TriggeredRun> & { sha: string } {
  const before = github.state.refs.get("refs/heads/main") ?? "";
  const sha = github.addCommit({ message: "Retry twice", files: ["src/retry.ts"], author: "mona" });
  return { ...github.events.push({ before, after: sha, sender: "mona" }), sha };
}

/** The pull request of mona's is number 2, that of the agent 3. */
function merge({ github }: IssueScene): Partial<TriggeredRun> {
  const pull = github.openPullRequest({ author: "mona", head: "feature" });
  github.mergePullRequest(pull);
  return github.events.pullRequestMerged(pull);
}

function label({ github, issue }: IssueScene): Partial<TriggeredRun> {
  const found = github.state.issues.get(issue);
  if (found === undefined) throw new Error("There is no issue.");
  return github.events.issueLabeled(found, { label: "docs", sender: "mona" });
}

function asStranger({ github, issue }: IssueScene): Partial<TriggeredRun> {
  return github.say(issue, "/docs explain", "eve");
}

/** Sets a scene whose jobs end at the poll after so many active ones. */
async function setIssueScene(link = prLink, activePolls = 1): Promise<IssueScene> {
  const active = Array.from({ length: activePolls }, () => ({ status: "active" }));
  const scene = await setAgentScene({
    polls: [...active, { status: "completed", prLink: link }],
    onCreate: (github, prompt) => void openAgentPull(github, prompt),
    onMessage: (github) =>
      void github.addCommit({ branch: agent.head, message: "More", author: agent.author }),
  });
  const issue = scene.github.addIssue({ author: "alice", title: "Retries", body: "How often?" }).number;
  return { ...scene, issue };
}

function ofAgent(
  event: string,
  counts: CountedRun["counts"],
  trigger: Trigger<IssueScene>,
  inputs: Inputs = {},
  activePolls?: number,
): CountedRun {
  const run = async () => {
    await using scene = await setIssueScene(trigger === merge ? otherLink : prLink, activePolls);
    const triggered = await trigger(scene);
    return await countSent(scene.github.requests, scene.platform.requests, () =>
      runAgent(scene, triggered, { inputs }),
    );
  };
  return { event, counts, run };
}

// The assistant.

function ofAssistant(
  event: string,
  counts: CountedRun["counts"],
  trigger: Trigger<AssistantScene>,
  inputs: Inputs = {},
): CountedRun {
  const run = async () => {
    await using scene = await setAssistantScene({ chunks: v1Answer(["Press Rotate."], { threadId: "t-1" }) });
    const triggered = await trigger(scene);
    return await countSent(scene.github.requests, scene.platform.asked, () =>
      runAssistantHere(scene, triggered, inputs),
    );
  };
  return { event, counts, run };
}

async function followUp(scene: AssistantScene) {
  const { issue, triggered } = ask(scene);
  await runAssistantHere(scene, triggered);
  const body = "/ask and then?";
  return scene.github.say(issue.number, body);
}

function inDiscussion({ github }: AssistantScene) {
  const { number } = github.addDiscussion({ author: "alice", body: "Keys." });
  const asked = { discussion: number, author: "mona", body: "/ask how do I rotate a key?" };
  return github.events.discussionComment(github.addDiscussionComment(asked));
}

async function askedTwice(scene: AssistantScene) {
  const { triggered } = ask(scene);
  await runAssistantHere(scene, triggered);
  return triggered;
}

// The export.

const bundle = { body: buildTarGz([{ name: "index.html", body: "<h1>Hello</h1>" }]), etag: '"1"' };

interface ExportUse {
  readonly inputs?: Inputs;
  readonly run?: Partial<WorkflowRun>;
  /** What happens before the run that is counted: an earlier attempt of it. */
  readonly before?: Inputs;
  readonly conflict?: boolean;
  readonly kind?: "self-hosted";
}

/** The one address under which a runner names both services. */
async function startResultsService(artifacts: ArtifactService, cache: CacheService) {
  const server = await startHttpServer(async (incoming) => {
    const { pathname } = new URL(incoming.url);
    const service = pathname.includes("CacheService") ? cache : artifacts;
    const headers = {
      authorization: `Bearer ${service.environment["ACTIONS_RUNTIME_TOKEN"]}`,
      "content-type": "application/json",
    };
    return fetch(service.url + pathname, { method: "POST", headers, body: await incoming.text() });
  });
  const environment = { ...cache.environment, ...artifacts.environment, ACTIONS_RESULTS_URL: server.url };
  return { environment, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

function ofExport(event: string, counts: CountedRun["counts"], use: ExportUse = {}): CountedRun {
  const run = async () => {
    await using artifacts = await startArtifactService({ interceptBlobs: true });
    await using cache = await startCacheService();
    await using toolCache = await createTemporaryFolder();
    const running = { ...completedJob, status: "running", progress: 50 };
    const polls = use.conflict ? [running, running, completedJob] : [running, completedJob];
    await using platform = await startExportPlatform({ storage: { object: bundle }, polls });
    if (use.conflict) {
      const headers = { "content-type": "application/json" };
      const fault = { kind: "answer", status: 409, headers, body: '{"jobId":"se_1"}' } as const;
      platform.faults.add({ method: "POST", path: /jobs$/, fault });
    }
    await using results = await startResultsService(artifacts, cache);
    const runner = { RUNNER_ENVIRONMENT: use.kind ?? "github-hosted", RUNNER_TOOL_CACHE: toolCache.path };
    const fixed = { "base-url": platform.url, "api-key": apiKey, domain: "docs.example.com", upload: "none" };
    const clock = createClock(100);
    const changes = { clock, deadlineMs: clock.now() + 3_600_000 };
    const exportOnce = (inputs: Inputs | undefined, runAttempt: number) =>
      runInProcess(
        "export",
        (given, step) =>
          runExport(given, {
            ...step,
            environment: { ...step.environment, ...results.environment, ...runner },
          }),
        { ...DEFAULT_RUN, runAttempt },
        { ...fixed, ...inputs },
        changes,
      );
    if (use.before) await exportOnce(use.before, 1);
    const sent = platform.requests.length;
    const services = [cache.requests.length, artifacts.requests.length];
    const bytes = platform.storage.sentBytes;
    const { log } = await exportOnce(use.inputs, use.before ? 2 : 1);
    return {
      github: [...cache.requests.slice(services[0]), ...artifacts.requests.slice(services[1])].map(describe),
      platform: platform.requests.slice(sent).map(describe),
      storageBytes: platform.storage.sentBytes - bytes,
      visibleText: log.lines.join("\n"),
    };
  };
  return { event, counts, run };
}

function ofReconcile(event: string, counts: CountedRun["counts"], open: number): CountedRun {
  const run = async () => {
    await using scene = await setIssueScene();
    for (let count = 0; count < open; count += 1) {
      const issue = scene.github.addIssue({ author: "alice", title: "Retries" }).number;
      await runAgent(scene, comment(scene, issue), { inputs: { wait: "false" } });
    }
    scene.passTime(3_600_000);
    return await countSent(scene.github.requests, scene.platform.requests, () => runReconcile(scene));
  };
  return { event, counts, run };
}

function ofDoctor(event: string, counts: CountedRun["counts"]): CountedRun {
  const run = async () => {
    await using scene = await setIssueScene();
    const inputs = {
      "base-url": scene.platform.url,
      "api-key": apiKey,
      "project-id": "prj_1",
      domain: "d.example",
    };
    const granted = { ...DEFAULT_RUN, ...scene.github.run, token: scene.github.runToken(permissions) };
    return await countSent(scene.github.requests, scene.platform.requests, () =>
      runStepInProcess("doctor", runDoctor, granted, inputs),
    );
  };
  return { event, counts, run };
}

/** Jobs end at the second poll; a run that waits, or whose thread has more than a hundred comments, sends more. */
export const countedRuns: Readonly<
  Record<"agent" | "assistant" | "export" | "reconcile" | "doctor", readonly CountedRun[]>
> = {
  agent: [
    ofAgent("a comment without the phrase", [0, 0], (scene) => comment(scene, scene.issue, "How often?")),
    ofAgent("a comment by a user without permission", [1, 0], asStranger),
    ofAgent("a dry run", [2, 0], (scene) => comment(scene, scene.issue), { "dry-run": "true" }),
    ofAgent("`help`", [3, 0], (scene) => comment(scene, scene.issue, "/docs help")),
    ofAgent("`status`", [5, 0], (scene) => comment(scene, scene.issue, "/docs status")),
    ofAgent("a comment on an issue", [17, 3], (scene) => comment(scene, scene.issue)),
    ofAgent(
      "a comment whose job is polled 100 times",
      [39, 101],
      (scene) => comment(scene, scene.issue),
      {},
      99,
    ),
    ofAgent("a later comment on the issue", [15, 4], (scene) => answered(scene, scene.issue, "/docs more")),
    ofAgent("a comment on the agent's pull request", [19, 4], (scene) => answered(scene, 2, "/docs more")),
    ofAgent("a reply in a review thread", [20, 4], inReview),
    ofAgent("a label on an issue", [16, 3], label),
    ofAgent("a push", [14, 3], push),
    ofAgent("a merge", [15, 3], merge),
    ofAgent("a push to a rolling pull request", [20, 3], push, { "pull-request-mode": "rolling" }),
  ],
  assistant: [
    ofAssistant(
      "a comment without the phrase",
      [0, 0],
      (scene) => ask(scene, "How do I rotate a key?").triggered,
    ),
    ofAssistant(
      "a comment by a user without permission",
      [1, 0],
      (scene) => ask(scene, undefined, "eve").triggered,
    ),
    ofAssistant("a dry run", [1, 0], (scene) => ask(scene).triggered, { "dry-run": "true" }),
    ofAssistant("a comment on an issue", [11, 1], (scene) => ask(scene).triggered),
    ofAssistant("a follow-up question", [12, 1], followUp),
    ofAssistant("a comment in a discussion", [11, 1], inDiscussion),
    ofAssistant("an event that came twice", [4, 0], askedTwice),
    ofAssistant("a question of the inputs", [0, 1], () => ({}), { prompt: "How do I rotate a key?" }),
  ],
  export: [
    ofExport("from the start to the bundle", [3, 4]),
    ofExport("from the start to the artifact", [7, 4], { inputs: { upload: "archive" } }),
    ofExport("started without waiting", [3, 1], { inputs: { wait: "false" } }),
    ofExport("a re-run", [1, 3], { before: { wait: "false" } }),
    ofExport("one that is under way already", [3, 5], { conflict: true }),
    ofExport("a fresh link with `job-id`", [0, 3], { inputs: { "job-id": "se_1" } }),
    ofExport("the same on a runner that kept the bundle", [0, 2], {
      kind: "self-hosted",
      before: { "job-id": "se_1" },
      inputs: { "job-id": "se_1" },
    }),
    ofExport("a dry run", [0, 0], { inputs: { "dry-run": "true" } }),
  ],
  reconcile: [ofReconcile("nothing is open", [6, 0], 0), ofReconcile("one job has ended", [6, 1], 1)],
  doctor: [ofDoctor("a set-up without a problem", [3, 2])],
};
