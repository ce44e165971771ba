/**
 * Conversations that a seed makes up: ten people on three threads ask, edit, stop, retry and label while runs are killed and
 * answers are lost, pull requests are merged and jobs are busy; and what must hold of all of them.
 */
import { expect, test } from "vitest";
import { toErrorReport } from "../../src/base/errors.ts";
import { finishAgent, runAgent } from "../../src/commands/agent.ts";
import type { CommandResult, PostRun, RunCommand } from "../../src/commands/run.ts";
import { apiKey, botComments, permissions, setAgentScene } from "../support/agent-scene.ts";
import type { TriggeredRun } from "../support/github/scene-events.ts";
import type { Issue, IssueComment, PullFacts } from "../support/github/state.ts";
import type { RecordingRun } from "../support/recording-run.ts";
import { postOf, runInProcess } from "../support/run-in-process.ts";
import { DEFAULT_RUN } from "../support/runner-environment.ts";
import { createRandom, type Failure, type PassedRequest, type Player, startTurns } from "../support/turns.ts";

const writers = ["ann", "ben", "cem", "dee", "eli", "fay"];
const strangers = ["gus", "hal", "ida", "joe"];
const people = [...writers, ...strangers];

const failures: Failure[] = [
  { kind: "kill", when: "before" },
  { kind: "kill", when: "after" },
  { kind: "cut", when: "before" },
  { kind: "cut", when: "after" },
  { kind: "500", when: "before" },
  { kind: "500", when: "after" },
];

/** A workflow run, in one of its attempts. */
interface Attempt {
  readonly triggered: TriggeredRun;
  readonly runId: number;
  readonly runAttempt: number;
  readonly thread: number;
  readonly isPermitted: boolean;
  readonly player: Player;
  hasFailed: boolean;
  end?: unknown;
}

/** What the platform's agent works on. */
interface Job {
  readonly id: string;
  readonly thread: number;
  readonly reference: string;
  pull?: Issue & { pull: PullFacts };
  isBusy: boolean;
}

/** Where a person asked, and for what. */
interface Asked {
  readonly words: string;
  readonly thread: number;
  readonly comment: IssueComment;
}

/** The reference of a prompt itself, and not of what it quotes. */
const referenceIn = (prompt: string) =>
  /^.*Write the line "Reference: (docs-automation-\w+)"/m.exec(prompt)?.[1] ?? "";

function describeEnd({ end, player }: Attempt): string {
  if (player.isKilled) return "killed";
  return end instanceof Error ? end.message : JSON.stringify(end, ["outcome", "reason", "message"]);
}

async function converse(seed: number, actions: number) {
  const random = createRandom(seed);
  const story: string[] = [`seed ${seed}`];
  const jobs: Job[] = [];
  let nowMs = Date.UTC(2026, 10, 20, 9);
  const scene = await setAgentScene({
    now: () => nowMs,
    endsByHand: true,
    refusesWhenBusy: random.chance(0.7),
    onCreate: (_github, prompt) => {
      const id = `job-${jobs.length + 1}`;
      jobs.push({
        id,
        thread: threadOf.get(turns.passing()?.name ?? "") ?? 0,
        reference: referenceIn(prompt),
        isBusy: true,
      });
      story.push(`${id} of ${turns.passing()?.name}: ${prompt.split("\n")[0]}`);
    },
    onMessage: (_github, prompt) => {
      const id = scene.platform.messages.at(-1)?.jobId ?? "";
      const job = jobs.find((each) => each.id === id);
      if (job) job.isBusy = true;
      story.push(`message to ${id} of ${turns.passing()?.name}: ${prompt.split("\n")[0]}`);
    },
  });
  const { github, platform } = scene;
  await using stack = new AsyncDisposableStack();
  stack.use(scene);
  const time = {
    now: () => nowMs,
    passTime(ms: number) {
      nowMs += ms;
    },
  };
  const turns = stack.use(
    await startTurns({ github: github.run.apiUrl, platform: platform.url }, time, random),
  );
  const threadOf = new Map<string, number>();
  for (const person of writers) github.addPerson(person, "write");
  for (const person of strangers) github.addPerson(person, "read");

  const issue = github.addIssue({ author: "gus", title: "Retries", body: "How often?" });
  const labelled = github.addIssue({ author: "ida", title: "Waits", body: "How long?" });
  const pull = github.openPullRequest({ author: "ben", head: "retries", body: "Retries twice." });
  const threads = [issue.number, labelled.number, pull.number];
  const attempts: Attempt[] = [];
  const asked: Asked[] = [];

  const inputsFor = (player: Player) => ({
    "base-url": player.addressOf("platform"),
    "api-key": apiKey,
    "project-id": "prj_1",
    "timeout-minutes": "300",
  });

  /** Starts an attempt of a workflow run. */
  const start = async (
    triggered: TriggeredRun,
    facts: Pick<Attempt, "runId" | "runAttempt" | "thread" | "isPermitted">,
  ) => {
    const name = `run-${facts.runId}.${facts.runAttempt}`;
    threadOf.set(name, facts.thread);
    story.push(`${name} starts on ${facts.thread}: ${triggered.eventName} ${triggered.actor}`);
    await turns.start(name, async (player) => {
      const attempt: Attempt = { ...facts, triggered, player, hasFailed: false };
      attempts.push(attempt);
      const inputs = inputsFor(player);
      const command: RunCommand<"agent"> = async (given, run) => {
        const end = await runAgent(given, run).catch((error: unknown) => error);
        attempt.end = end;
        story.push(`${name} ends: ${describeEnd(attempt)}`);
        player.leave();
        // With its runner, the post step of a killed run may be gone.
        if (!player.isKilled || random.chance(0.5)) await finish(attempt, postOf(given, run as RecordingRun));
        if (end instanceof Error) throw end;
        return end as CommandResult<"agent">;
      };
      const workflowRun = {
        ...DEFAULT_RUN,
        ...github.run,
        ...triggered,
        apiUrl: player.addressOf("github"),
        graphqlUrl: `${player.addressOf("github")}/graphql`,
        token: github.runToken(permissions),
        runId: facts.runId,
        runAttempt: facts.runAttempt,
      };
      const { clock } = player;
      const deadlineMs = clock.now() + 5 * 3_600_000;
      await runInProcess("agent", command, workflowRun, inputs, { clock, deadlineMs, random: random.next });
    });
  };

  /** The post step of a run. */
  const finish = async ({ player: { name }, thread }: Attempt, post: PostRun) => {
    if (post.state("unsettled") !== "true") return;
    const { promise, resolve } = Promise.withResolvers<void>();
    threadOf.set(`${name}-post`, thread);
    await turns.start(`${name}-post`, async ({ clock, addressOf }) => {
      const environment = { ...post.environment, GITHUB_API_URL: addressOf("github") };
      await finishAgent({ ...post, clock, environment }).finally(resolve);
      story.push(`${name}-post is over`);
    });
    await promise;
  };

  let runId = 9_000;
  const trigger = (triggered: TriggeredRun, thread: number, isPermitted: boolean) => {
    runId += 1;
    return start(triggered, { runId, runAttempt: 1, thread, isPermitted });
  };
  const rerun = ({ triggered, runId: id, runAttempt, thread, isPermitted }: Attempt) =>
    start(triggered, { runId: id, runAttempt: runAttempt + 1, thread, isPermitted });

  const openThreads = () => [...threads, ...jobs.flatMap((job) => (job.pull ? [job.pull.number] : []))];
  const say = async (body: string, author = random.pick(people), thread = random.pick(openThreads())) => {
    const comment = github.addComment({ issue: thread, author, body });
    const isPermitted = writers.includes(author);
    story.push(`${author} on ${thread}: ${body}`);
    await trigger(github.events.issueComment(comment), thread, isPermitted);
    return { comment, thread, isPermitted };
  };
  let count = 0;
  const newWords = () => {
    count += 1;
    return `change the page ${count}x`;
  };

  const acts: Record<string, () => Promise<void> | void> = {
    async ask() {
      const words = newWords();
      const { comment, thread, isPermitted } = await say(`/docs ${words}`);
      if (isPermitted) asked.push({ words, comment, thread });
    },
    async askTwice() {
      const [author, thread] = [random.pick(writers), random.pick(openThreads())];
      for (let index = 0; index < 2; index += 1) {
        const words = newWords();
        const { comment } = await say(`/docs ${words}`, author, thread);
        asked.push({ words, comment, thread });
      }
    },
    async review() {
      const author = random.pick(people);
      const words = newWords();
      github.addReviewComment({ pull: pull.number, author: "cem", path: "a.md", body: "Why?" });
      const review = github.addReview({ pull: pull.number, author, body: `/docs ${words}` });
      story.push(`${author} reviews: ${words}`);
      await trigger(github.events.review(review), pull.number, writers.includes(author));
    },
    async reviewComment() {
      const author = random.pick(people);
      const words = newWords();
      const comment = github.addReviewComment({
        pull: pull.number,
        author,
        path: "b.md",
        body: `/docs ${words}`,
      });
      story.push(`${author} on the diff: ${words}`);
      await trigger(github.events.reviewComment(comment), pull.number, writers.includes(author));
    },
    async edit() {
      if (asked.length === 0) return;
      const { comment, thread } = random.pick(asked);
      github.edit(comment, { body: `${comment.body} please` });
      story.push(`${comment.author} edits: ${comment.body}`);
      await trigger(github.events.issueComment(comment, { action: "edited" }), thread, true);
    },
    async deliverTwice() {
      if (attempts.length === 0) return;
      const { triggered, thread, isPermitted } = random.pick(attempts);
      await trigger(triggered, thread, isPermitted);
    },
    async stop() {
      await say("/docs stop");
    },
    async status() {
      await say("/docs status");
    },
    async retry() {
      await say("/docs retry");
    },
    async press() {
      const cards = openThreads().flatMap((thread) =>
        github.commentsOn(thread).filter(({ body }) => body.includes("- [ ] Try again")),
      );
      if (cards.length === 0) return;
      const card = random.pick(cards);
      const sender = random.pick(people);
      story.push(`${sender} presses the box of ${card.id}`);
      github.edit(card, { body: card.body.replace("- [ ] Try again", "- [x] Try again"), editor: sender });
      await trigger(
        github.events.issueComment(card, { sender, action: "edited" }),
        card.issueNumber,
        writers.includes(sender),
      );
    },
    async label() {
      const sender = random.pick(people);
      story.push(`${sender} sets the label`);
      await trigger(
        github.events.issueLabeled(labelled, { label: "docs", sender }),
        labelled.number,
        writers.includes(sender),
      );
    },
    close() {
      const open = jobs.flatMap((job) => (job.pull?.state === "open" ? [job.pull] : []));
      if (open.length === 0) return;
      const one = random.pick(open);
      const isMerged = random.chance(0.6);
      story.push(`#${one.number} is ${isMerged ? "merged" : "closed"}`);
      if (isMerged) github.mergePullRequest(one);
      else github.closeThread(one);
    },
    finish() {
      const busy = jobs.filter(({ isBusy }) => isBusy);
      if (busy.length > 0) finishJob(random.pick(busy));
    },
    fail() {
      const live = attempts.filter(({ player }) => turns.playing().includes(player));
      if (live.length === 0) return;
      const attempt = random.pick(live);
      const failure = random.pick(failures);
      story.push(`${attempt.player.name} fails: ${failure.kind} ${failure.when}`);
      attempt.hasFailed = true;
      attempt.player.failNext(failure);
    },
    async rerun() {
      const over = attempts.filter(isLatest).filter(({ player }) => !turns.playing().includes(player));
      if (over.length > 0) await rerun(random.pick(over));
    },
  };
  const isLatest = ({ runId: id, runAttempt }: Attempt) =>
    !attempts.some((other) => other.runId === id && other.runAttempt > runAttempt);

  const finishJob = (job: Job, isGood = random.chance(0.85)) => {
    job.isBusy = false;
    if (isGood && random.chance(0.85)) {
      if (!job.pull) {
        job.pull = github.openPullRequest({
          author: "agent[bot]",
          title: `Work of ${job.id}`,
          head: `docs/${job.id}`,
          body: `Reference: ${job.reference}`,
        });
      } else github.pushToPullRequest(job.pull, { author: "agent[bot]" });
    }
    const prLink = job.pull ? `https://github.localhost/octo-org/widgets/pull/${job.pull.number}` : null;
    story.push(`${job.id} ${isGood ? "completed" : "failed"} ${prLink}`);
    platform.finish(job.id, { status: isGood ? "completed" : "failed", prLink });
  };

  const weights: [keyof typeof acts, number][] = [
    ["ask", 8],
    ["askTwice", 2],
    ["review", 1],
    ["reviewComment", 1],
    ["edit", 2],
    ["deliverTwice", 1],
    ["stop", 1],
    ["status", 1],
    ["retry", 2],
    ["press", 2],
    ["label", 1],
    ["close", 2],
    ["finish", 8],
    ["fail", 5],
    ["rerun", 2],
  ];
  const bag = weights.flatMap(([name, weight]) => Array.from({ length: weight }, () => name));
  for (let left = actions; left > 0; left -= 1) {
    await acts[random.pick(bag)]?.();
    for (let steps = Math.floor(random.next() * 25); steps > 0; steps -= 1) if (!(await turns.step())) break;
  }

  /** Lets everything come to its end. */
  const drain = async () => {
    for (let steps = 0; await turns.step(); steps += 1) {
      const due = steps % 10 === 9 ? jobs.filter(({ isBusy }) => isBusy) : [];
      for (const job of due) finishJob(job);
      if (steps > 3_000) throw new Error(`It does not end:\n${story.join("\n")}`);
    }
  };
  await drain();
  const failed = attempts.filter((attempt) => attempt.hasFailed || attempt.player.isKilled);
  time.passTime(6 * 3_600_000);
  for (const attempt of failed.filter(isLatest)) {
    await rerun(attempt);
    await drain();
  }
  return { scene, attempts, jobs, asked, story, openThreads, stack: stack.move() };
}

/** What people read of a status comment. */
function readCard(body: string) {
  return {
    title: /^### \S+ Docs agent: (.*)$/m.exec(body)?.[1] ?? "",
    words: /^> \*\*\w+:\*\* (change the page \d+x)/m.exec(body)?.[1],
  };
}

const terminal = [
  "pull request ready",
  "pull request merged",
  "pull request closed",
  "updated",
  "unchanged",
  "completed, no pull request",
  "failed",
  "archived",
  "unknown",
  "not started",
  "stopped waiting",
];
const successes = terminal.slice(0, 6);

type Conversation = Awaited<ReturnType<typeof converse>>;

const readCards = ({ scene, openThreads }: Conversation) =>
  openThreads().flatMap((thread) =>
    botComments(scene, thread)
      .filter((body) => body.startsWith("### "))
      .map((body) => ({ thread, body, ...readCard(body) })),
  );

type Card = ReturnType<typeof readCards>[number];

/** What runs did that they must not do. */
function checkRuns({ attempts }: Conversation): string[] {
  const bugs = attempts
    .filter(({ end, player }) => end instanceof Error && !player.isKilled)
    .filter(({ end }) => toErrorReport(end).code === "internal")
    .map(({ end, player }) => `${player.name}: ${(end as Error).stack}`);
  const isHarmless = ({ method, server, path }: PassedRequest) =>
    server !== "platform" && (method === "GET" || path.endsWith("/graphql"));
  const served = attempts
    .filter(({ isPermitted, player }) => !isPermitted && !player.requests.every(isHarmless))
    .map(({ player }) => `${player.name} did something for a stranger`);
  return [...bugs, ...served];
}

/** What of the status comments is not true. */
function checkCards({ asked }: Conversation, cards: readonly Card[], prompts: readonly string[]): string[] {
  const open = cards
    .filter(({ title }) => !terminal.includes(title))
    .map(({ title, thread, words }) => `A card of ${thread} (${words}) is not at its end: ${title}`);
  const unmoved = cards.filter(({ body, title }) => {
    const [, before, after] = /compare\/(\w+)\.\.\.(\w+)/.exec(body) ?? [];
    return title === "updated" && (before === undefined || before === after);
  });
  const untold = asked.filter(({ words }) => {
    const sent = prompts.filter((prompt) => prompt.split("\n")[0]?.startsWith(words)).length;
    const titles = cards.filter((card) => card.words === words).map(({ title }) => title);
    const succeeded = titles.filter((title) => successes.includes(title)).length;
    const silent = titles.filter((title) => title === "not started").length;
    return succeeded > sent || sent > titles.length - silent;
  });
  return [
    ...open,
    ...unmoved.map(({ words }) => `"${words}" is said to be an update without a commit`),
    ...untold.map(({ words }) => `The cards of "${words}" do not say how often it was sent`),
  ];
}

/** Whether the platform's answer was lost on a thread, or the run that got it before it could write it down. */
function isAnswerLost({ attempts }: Conversation, thread: number): boolean {
  return attempts.some(({ thread: each, player: { requests, isKilled } }) => {
    const sent = requests.findLastIndex(({ method, server }) => server === "platform" && method === "POST");
    const isWritten = requests
      .slice(sent + 1)
      .some(({ method, status = 500 }) => method === "PATCH" && status < 300);
    return (
      each === thread && sent >= 0 && (requests[sent]?.failure !== undefined || (isKilled && !isWritten))
    );
  });
}

/** Threads with several pull requests, and those whose requests were not sent in their order. */
function checkThreads(played: Conversation, cards: readonly Card[], prompts: readonly string[]): string[] {
  const { jobs, story, openThreads } = played;
  const isRepeated = (thread: number) =>
    jobs.filter((job) => job.thread === thread && job.pull?.state === "open").length > 1;
  // A request that was made again comes later.
  const isPlain = (words: string | undefined) =>
    prompts.filter((prompt) => prompt.split("\n")[0] === words).length === 1 &&
    cards.filter((card) => card.words === words).length === 1;
  const sentAt = (words: string | undefined) =>
    story.findIndex((line) => /^(?:job|message)/.test(line) && line.endsWith(`: ${words}`));
  const orders = openThreads().map((thread) => ({
    thread,
    order: cards
      .filter((card) => card.thread === thread && isPlain(card.words))
      .map(({ words }) => sentAt(words)),
  }));
  return [
    ...openThreads()
      .filter((thread) => isRepeated(thread) && !isAnswerLost(played, thread))
      .map((thread) => `Thread ${thread} has several open pull requests`),
    ...orders
      .filter(({ order }) => order.join() !== order.toSorted((one, other) => one - other).join())
      .map(({ thread, order }) => `The order on thread ${thread}: ${order}`),
  ];
}

/** Seeds of conversations that once went wrong, and some more: `PROPERTY_SEED=$RANDOM` tries others. */
const seeds = [1003, 1007, 2002, 2012, 2037];
const first = 1_000 * Number(process.env["PROPERTY_SEED"] ?? 3);
for (let seed = first; seeds.length < 6; seed += 1) seeds.push(seed);

test.each(seeds)(
  "ten people on three threads, seed %i",
  async (seed) => {
    const played = await converse(seed, 30);
    await using _stack = played.stack;
    const { created, messages } = played.scene.platform;
    const prompts = [...created, ...messages.map(({ prompt }) => prompt)];
    const cards = readCards(played);
    const references = prompts.map(referenceIn);
    const story = [
      ...played.story,
      ...cards.map(({ thread, title, words }) => `${thread}: ${title}: ${words}`),
    ];

    expect(new Set(references).size, story.join("\n")).toBe(references.length);
    const wrong = [
      ...checkRuns(played),
      ...checkCards(played, cards, prompts),
      ...checkThreads(played, cards, prompts),
    ];
    expect(wrong, story.join("\n")).toStrictEqual([]);
  },
  60_000,
);
