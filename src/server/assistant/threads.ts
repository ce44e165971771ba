/** Conversations: kept on disk, forgotten when nobody goes on with them. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Log } from "../../base/runtime.ts";
import { openRecordStore, type RecordStore } from "../base/records.ts";
import type { Turn } from "./answer-part.ts";

const ThreadRecord = z.object({
  id: z.string(),
  domain: z.string(),
  fp: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  turns: z.array(z.object({ question: z.string(), answer: z.string() })),
});
export type ThreadRecord = z.infer<typeof ThreadRecord>;

export interface Threads {
  /** A conversation of this domain that has not expired. */
  find(id: string, domain: string): ThreadRecord | undefined;
  /** Begins a conversation; it is kept once something was answered in it. */
  begin(start: { readonly domain: string; readonly fp: string }): ThreadRecord;
  /** Adds what was asked and answered. */
  add(thread: ThreadRecord, turn: Turn): Promise<void>;
}

interface ThreadsOptions {
  readonly directory: string;
  /** How long after its last turn a conversation is kept. */
  readonly lifetimeMs: number;
}

/** Turns kept of one conversation: the newest. */
const maxTurns = 20;
/** Conversations kept: the newest. They are all in memory. */
const mostThreads = 2_000;
const maxTextLength = 20_000;

/** Reads the conversations of a folder; old ones are removed. */
export async function openThreads(
  { directory, lifetimeMs }: ThreadsOptions,
  { log, now }: { readonly log: Log; readonly now: () => number },
): Promise<Threads> {
  const store = await openRecordStore(directory, ThreadRecord, log);
  const isExpired = ({ updatedAt }: ThreadRecord) => now() - Date.parse(updatedAt) > lifetimeMs;
  await forgetOld(store, isExpired);
  return {
    find(id, domain) {
      const thread = store.get(id);
      return thread === undefined || thread.domain !== domain || isExpired(thread) ? undefined : thread;
    },
    begin(start) {
      const time = new Date(now()).toISOString();
      return { id: `thread_${randomUUID()}`, ...start, createdAt: time, updatedAt: time, turns: [] };
    },
    async add(thread, { question, answer }) {
      const turn = { question: question.slice(0, maxTextLength), answer: answer.slice(0, maxTextLength) };
      const withTurn = (kept: ThreadRecord): ThreadRecord => ({
        ...kept,
        updatedAt: new Date(now()).toISOString(),
        turns: [...kept.turns, turn].slice(-maxTurns),
      });
      if (store.get(thread.id) === undefined) await store.put(thread.id, withTurn({ ...thread, turns: [] }));
      else await store.update(thread.id, withTurn);
      await forgetOld(store, isExpired);
    },
  };
}

async function forgetOld(
  store: RecordStore<ThreadRecord>,
  isExpired: (thread: ThreadRecord) => boolean,
): Promise<void> {
  const byAge = store.list().sort((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1));
  for (const [age, thread] of byAge.entries()) {
    if (age >= mostThreads || isExpired(thread)) await store.remove(thread.id);
  }
}
