/**
 * Runs of a command that share a clock and take turns: one request at a time passes, in an order that a seed decides, and time
 * passes only while all of them wait. Any request of a run can fail.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import type { Clock } from "../../src/base/runtime.ts";
import { listen } from "./listen.ts";

/** Numbers that look random, the same for the same seed. */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    chance: (probability: number) => next() < probability,
    pick<Item>(items: readonly Item[]): Item {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error("There is nothing to pick from.");
      return item;
    },
  };
}

type Random = ReturnType<typeof createRandom>;

/** How a run's next request fails; `after`: it was carried out. */
export interface Failure {
  readonly kind: "kill" | "cut" | "500";
  readonly when: "before" | "after";
}

/** A request that passed: what it was, and whether it was carried out. */
export interface PassedRequest {
  readonly method: string;
  readonly path: string;
  readonly server: string;
  readonly status: number | undefined;
  readonly failure: Failure | undefined;
}

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: string;
}

/** A run that takes turns. */
export interface Player {
  readonly name: string;
  readonly clock: Clock;
  readonly requests: readonly PassedRequest[];
  readonly isKilled: boolean;
  /** Address of a server for this run. */
  addressOf(server: string): string;
  /** Makes its next request fail. */
  failNext(failure: Failure): void;
  /** Takes no more turns. */
  leave(): void;
}

class Run implements Player {
  readonly name: string;
  readonly clock: Clock;
  readonly requests: PassedRequest[] = [];
  readonly addressOf: (server: string) => string;
  readonly waiting: Waiting[] = [];
  readonly sleeps = new Set<{ readonly atMs: number; wake(error?: Error): void }>();
  isKilled = false;
  isOver = false;
  /** How often it came to a wait. */
  halts = 0;
  failure: Failure | undefined;

  constructor(name: string, origin: string, now: () => number) {
    this.name = name;
    this.addressOf = (server) => `${origin}/${name}/${server}`;
    this.clock = {
      now,
      sleep: (ms, signal) => {
        signal.throwIfAborted();
        if (this.isKilled) return Promise.reject(new Error("killed"));
        this.halts += 1;
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        const sleep = {
          atMs: now() + ms,
          wake: (error?: Error) => {
            this.sleeps.delete(sleep);
            if (error) reject(error);
            else resolve();
          },
        };
        this.sleeps.add(sleep);
        signal.addEventListener("abort", () => sleep.wake(signal.reason as Error), { once: true });
        return promise;
      },
    };
  }

  failNext(failure: Failure): void {
    this.failure = failure;
  }

  leave(): void {
    this.isOver = true;
  }

  kill(): void {
    this.isKilled = true;
    for (const { request } of this.waiting.splice(0)) request.socket.destroy();
    for (const sleep of this.sleeps) sleep.wake(new Error("killed"));
  }
}

/** @param targets addresses of the servers, by name */
export async function startTurns(
  targets: Readonly<Record<string, string>>,
  { now, passTime }: { now: () => number; passTime: (ms: number) => void },
  random: Random,
) {
  const runs = new Map<string, Run>();
  const server = createServer(async (request, response) => {
    const run = runs.get(request.url?.split("/")[1] ?? "");
    const body = await text(request).catch(() => "");
    if (run === undefined || run.isKilled || run.isOver) {
      request.socket.destroy();
      return;
    }
    run.waiting.push({ request, response, body });
    run.halts += 1;
  });
  const listening = await listen(server);
  const origin = listening.url;

  /** Until a run waits for something again. */
  const settle = async (run: Run, halts: number) => {
    for (let round = 0; !run.isOver && run.halts === halts; round += 1) {
      // It may wait for another of its requests.
      if (round > 5_000) throw new Error(`${run.name} comes to no wait.`);
      if (round > 3 && run.waiting.length + run.sleeps.size > 0) return;
      await setTimeout(round < 5 ? 0 : 1);
    }
  };

  let passing: Player | undefined;
  const forward = async ({ request, response, body }: Waiting, run: Run) => {
    const [, , name = "", ...rest] = (request.url ?? "").split("/");
    const { method = "" } = request;
    const path = `/${rest.join("/")}`;
    passing = run;
    const { failure } = run;
    run.failure = undefined;
    let status: number | undefined;
    let answer: Response | undefined;
    if (failure?.when !== "before") {
      const { host: _, connection: __, "content-length": ___, ...headers } = request.headers;
      answer = await fetch(`${targets[name]}${path}`, {
        method,
        headers: headers as Record<string, string>,
        ...(body === "" ? {} : { body }),
      });
      status = answer.status;
    }
    run.requests.push({ method, path, server: name, status, failure });
    const answerText = await answer?.text();
    if (failure?.kind === "kill") run.kill();
    if (failure?.kind === "kill" || failure?.kind === "cut") return void request.socket.destroy();
    if (failure?.kind === "500" || answer === undefined) return void response.writeHead(500).end("{}");
    const kept = ["content-type", "date", "retry-after", "link", "etag"].flatMap((key) => {
      const value = answer.headers.get(key);
      return value === null ? [] : [[key, value] as const];
    });
    return void response.writeHead(answer.status, Object.fromEntries(kept)).end(answerText);
  };

  return {
    /** The run whose request passes right now. */
    passing: () => passing,

    /** The runs that are not over. */
    playing: (): Player[] => [...runs.values()].filter(({ isOver }) => !isOver),

    /** Starts a run, up to its first wait. */
    async start(name: string, play: (player: Player) => Promise<void>): Promise<void> {
      const run = new Run(name, origin, now);
      runs.set(name, run);
      void play(run).finally(() => {
        run.isOver = true;
      });
      await settle(run, 0);
    },

    /** Lets one request pass, or time until a run's wait is over; false where every run is over. */
    async step(): Promise<boolean> {
      const live = [...runs.values()].filter(({ isOver }) => !isOver);
      if (live.length === 0) return false;
      const asking = live.filter(({ waiting }) => waiting.length > 0);
      const sleeps = live.flatMap((run) => [...run.sleeps].map((sleep) => ({ run, sleep })));
      const first = sleeps.toSorted((one, other) => one.sleep.atMs - other.sleep.atMs)[0];
      if (first && (asking.length === 0 || first.sleep.atMs <= now())) {
        passTime(Math.max(0, first.sleep.atMs - now()));
        const { halts } = first.run;
        first.sleep.wake();
        await settle(first.run, halts);
        return true;
      }
      if (asking.length === 0) {
        await setTimeout(1);
        return true;
      }
      const run = random.pick(asking);
      const { halts } = run;
      const waiting = run.waiting.shift();
      passTime(20 + Math.floor(random.next() * 400));
      if (waiting) await forward(waiting, run);
      await settle(run, halts);
      return true;
    },

    async [Symbol.asyncDispose]() {
      for (const run of runs.values()) run.kill();
      await listening[Symbol.asyncDispose]();
    },
  };
}
