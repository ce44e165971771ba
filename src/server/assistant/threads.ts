/** Conversations: kept on disk, and removed a while after their last turn. */
import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import type { Storage } from "../base/storage.ts";
import { createPruner } from "./prune-records.ts";

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
/** Conversations kept: the newest. Where they are files, they are all in memory. */
const maxThreads = 2_000;
const maxTextLength = 20_000;

/** Opens the conversations; those whose last turn is `lifetimeMs` ago are removed. */
export async function openThreads(storage: Storage, lifetimeMs: number, now: () => number) {
  const records = await storage.records("assistant/threads", ThreadRecord);
  const oldest = () => new Date(now() - lifetimeMs).toISOString();
  const prune = createPruner(records, { lifetimeMs, maxRecords: maxThreads }, now);
  await prune();
  return {
    /**
     * A conversation of this domain that has not expired; without an id a new one, which is kept once something was answered
     * in it.
     */
    async open(domain: string, id: string | undefined, fp: string): Promise<ThreadRecord | undefined> {
      const time = new Date(now()).toISOString();
      const begun = { id: `thread_${randomUUID()}`, domain, fp, createdAt: time, updatedAt: time, turns: [] };
      const thread = id === undefined ? begun : await records.get(id);
      return thread?.domain === domain && thread.updatedAt >= oldest() ? thread : undefined;
    },
    /** Adds what was asked and answered. */
    async add(thread: ThreadRecord, { question, answer }: Turn): Promise<void> {
      const turn = { question: question.slice(0, maxTextLength), answer: answer.slice(0, maxTextLength) };
      const withTurn = (kept: ThreadRecord): ThreadRecord => ({
        ...kept,
        updatedAt: new Date(now()).toISOString(),
        turns: [...kept.turns, turn].slice(-maxTurns),
      });
      const { id } = thread;
      if ((await records.get(id)) === undefined) await records.put(id, withTurn({ ...thread, turns: [] }));
      else await records.update(id, withTurn);
      await prune();
    },
  };
}
