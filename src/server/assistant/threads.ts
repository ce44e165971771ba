/** Stores conversations until they expire. */
import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { createPruner } from "../base/prune-records.ts";
import type { Storage } from "../base/storage.ts";

const Turn = z.object({ question: z.string(), answer: z.string() });
export type Turn = z.infer<typeof Turn>;

const ThreadRecord = z.object({
  id: z.string(),
  domain: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  turns: z.array(Turn),
});
export type ThreadRecord = z.infer<typeof ThreadRecord>;

/** Maximum number of stored turns per conversation. The oldest are dropped. */
const maxTurns = 20;
/** Maximum number of stored conversations. With file storage, all are in memory. */
const maxThreads = 2_000;
const maxTextLength = 20_000;

/** Opens the conversations. They expire `lifetimeMs` after their last turn. */
export async function openThreads(storage: Storage, lifetimeMs: number, now: () => number) {
  const records = await storage.records("assistant/threads", ThreadRecord);
  const oldest = () => new Date(now() - lifetimeMs).toISOString();
  const prune = createPruner(records, { lifetimeMs, maxRecords: maxThreads }, now);
  await prune();
  return {
    /** Returns a conversation of the domain unless it has expired, or a new one without an id. A new one is stored with its first turn. */
    async open(domain: string, id: string | undefined): Promise<ThreadRecord | undefined> {
      const time = new Date(now()).toISOString();
      const created = { id: `thread_${randomUUID()}`, domain, createdAt: time, updatedAt: time, turns: [] };
      const thread = id === undefined ? created : await records.get(id);
      return thread?.domain === domain && thread.updatedAt >= oldest() ? thread : undefined;
    },
    async add(thread: ThreadRecord, { question, answer }: Turn): Promise<void> {
      const turn = { question: question.slice(0, maxTextLength), answer: answer.slice(0, maxTextLength) };
      const updatedAt = new Date(now()).toISOString();
      await records.upsert(thread.id, (current = thread) => ({
        ...current,
        updatedAt,
        turns: [...current.turns, turn].slice(-maxTurns),
      }));
      await prune();
    },
  };
}
