/** Conversations: kept on disk, and removed a while after their last turn. */
import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import type { Log } from "../../base/runtime.ts";
import { openRecordStore } from "../base/records.ts";

/** A question and what was answered. */
const Turn = z.object({ question: z.string(), answer: z.string() });
export type Turn = z.infer<typeof Turn>;

const ThreadRecord = z.object({
  id: z.string(),
  domain: z.string(),
  fp: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  turns: z.array(Turn),
});
export type ThreadRecord = z.infer<typeof ThreadRecord>;

/** Turns kept of one conversation: the newest. */
const maxTurns = 20;
/** Conversations kept: the newest. They are all in memory. */
const maxThreads = 2_000;
const maxTextLength = 20_000;

/** Reads the conversations of a folder; those whose last turn is `lifetimeMs` ago are removed. */
export async function openThreads(directory: string, lifetimeMs: number, log: Log, now: () => number) {
  const store = await openRecordStore(directory, ThreadRecord, log);
  const isExpired = ({ updatedAt }: ThreadRecord) => now() - Date.parse(updatedAt) > lifetimeMs;
  const removeOld = async () => {
    const newestFirst = store.list().sort((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1));
    for (const [age, thread] of newestFirst.entries()) {
      if (age >= maxThreads || isExpired(thread)) await store.remove(thread.id);
    }
  };
  await removeOld();
  return {
    /**
     * A conversation of this domain that has not expired; without an id a new one, which is kept once something was answered
     * in it.
     */
    open(domain: string, id: string | undefined, fp: string): ThreadRecord | undefined {
      const time = new Date(now()).toISOString();
      const begun = { id: `thread_${randomUUID()}`, domain, fp, createdAt: time, updatedAt: time, turns: [] };
      const thread = id === undefined ? begun : store.get(id);
      return thread?.domain === domain && !isExpired(thread) ? thread : undefined;
    },
    /** Adds what was asked and answered. */
    async add(thread: ThreadRecord, { question, answer }: Turn): Promise<void> {
      const turn = { question: question.slice(0, maxTextLength), answer: answer.slice(0, maxTextLength) };
      const withTurn = (kept: ThreadRecord): ThreadRecord => ({
        ...kept,
        updatedAt: new Date(now()).toISOString(),
        turns: [...kept.turns, turn].slice(-maxTurns),
      });
      if (store.get(thread.id) === undefined) await store.put(thread.id, withTurn({ ...thread, turns: [] }));
      else await store.update(thread.id, withTurn);
      await removeOld();
    },
  };
}
