/** What the assistant stores for 30 days: conversations, and the questions that the documentation does not answer. */
import { hash, randomUUID } from "node:crypto";
import * as z from "zod/mini";
import type { Log } from "../../base/runtime.ts";
import { copyText, messageOf, shorten } from "../../base/text.ts";
import type { PlatformContext } from "../base/context.ts";
import { removeExpired } from "../base/storage.ts";

const lifetimeMs = 30 * 24 * 60 * 60 * 1000;

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

/** Answers use only the last turns, and the beginning of their texts. No others are stored. */
export const maxTurns = 6;
export const maxTurnLength = 2_000;
const beginningOf = (text: string) => copyText(text.slice(0, maxTurnLength));
/** Maximum number of stored conversations. With file storage, all are in memory. */
const maxThreads = 2_000;

type RecordsDeps = Pick<PlatformContext, "storage" | "log" | "now" | "everyHour">;

/** A failure of the storage is only logged, so that the question is still answered. */
async function warnOfFailure(noun: string, storing: Promise<unknown>, log: Log): Promise<void> {
  await storing.catch((error: unknown) => log.warning(`${noun} could not be stored: ${messageOf(error)}`));
}

/** Opens the conversations. They expire 30 days after their last turn. */
export async function openThreads({ storage, log, now, everyHour }: RecordsDeps) {
  const records = await storage.records("assistant/threads", ThreadRecord);
  const oldest = () => new Date(now() - lifetimeMs).toISOString();
  await everyHour(() => removeExpired(records, { lifetimeMs, maxRecords: maxThreads }, now()));
  return {
    /** Returns a conversation of the domain unless it has expired, or a new one without an id. A new one is stored with its first turn. */
    async open(domain: string, id: string | undefined): Promise<ThreadRecord | undefined> {
      const time = new Date(now()).toISOString();
      const created = { id: `thread_${randomUUID()}`, domain, createdAt: time, updatedAt: time, turns: [] };
      const thread = id === undefined ? created : await records.get(id);
      return thread?.domain === domain && thread.updatedAt >= oldest() ? thread : undefined;
    },
    add(thread: ThreadRecord, { question, answer }: Turn): Promise<void> {
      const turn = { question: beginningOf(question), answer: beginningOf(answer) };
      const updatedAt = new Date(now()).toISOString();
      const adding = records.upsert(thread.id, (current = thread) => ({
        ...current,
        updatedAt,
        turns: [...current.turns, turn].slice(-maxTurns),
      }));
      return warnOfFailure("A conversation", adding, log);
    },
  };
}

const RefusedQuestion = z.object({
  id: z.string(),
  /** In lower case. */
  domain: z.string(),
  question: z.string(),
  /** How often it was asked with the same wording. */
  count: z.int(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type RefusedQuestion = z.infer<typeof RefusedQuestion>;

/** Questions are personal data, so age and number are limited. */
const maxRefused = 1_000;
const maxRefusedLength = 500;

export type RefusedQuestions = Awaited<ReturnType<typeof openRefusedQuestions>>;

/** Opens the refused questions, which show authors what the documentation lacks. The users who asked are not recorded. */
export async function openRefusedQuestions({ storage, log, now, everyHour }: RecordsDeps) {
  const records = await storage.records("assistant/refused", RefusedQuestion);
  await everyHour(() => removeExpired(records, { lifetimeMs, maxRecords: maxRefused }, now()));
  return {
    list: records.list,
    /** Adds a question or increments its count. */
    add(domain: string, text: string): Promise<void> {
      const question = shorten(text.replaceAll(/\s+/g, " ").trim(), maxRefusedLength);
      const id = hash("sha256", `${domain}\n${question.toLowerCase()}`);
      const updatedAt = new Date(now()).toISOString();
      const first = { id, domain, question, count: 0, createdAt: updatedAt, updatedAt };
      const increment = (current = first) => ({ ...current, count: current.count + 1, updatedAt });
      return warnOfFailure("A refused question", records.upsert(id, increment), log);
    },
  };
}
