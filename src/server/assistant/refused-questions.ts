/** Keeps the questions that the documentation does not answer, so that its authors see what it lacks. */
import { hash } from "node:crypto";
import * as z from "zod/mini";
import type { Log } from "../../base/runtime.ts";
import { messageOf, shorten } from "../../base/text.ts";
import { createPruner } from "../base/prune-records.ts";
import type { Storage } from "../base/storage.ts";

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

const day = 24 * 60 * 60 * 1000;
/** Questions are personal data, so age and number are limited. */
const limits = { lifetimeMs: 30 * day, maxRecords: 1_000 };
const maxLength = 500;

export type RefusedQuestions = Awaited<ReturnType<typeof openRefusedQuestions>>;

/** Opens the collection. The users who asked are not recorded. */
export async function openRefusedQuestions(storage: Storage, log: Log, now: () => number) {
  const records = await storage.records("assistant/refused", RefusedQuestion);
  const prune = createPruner(records, limits, now);
  await prune();
  return {
    list: records.list,
    /** Adds a question or increments its count. A storage failure is only logged, so that the question is still answered. */
    async add(domain: string, text: string): Promise<void> {
      const question = shorten(text.replaceAll(/\s+/g, " ").trim(), maxLength);
      const id = hash("sha256", `${domain}\n${question.toLowerCase()}`);
      const updatedAt = new Date(now()).toISOString();
      try {
        const first = { id, domain, question, count: 0, createdAt: updatedAt };
        await records.upsert(id, (current = { ...first, updatedAt }) => ({
          ...current,
          count: current.count + 1,
          updatedAt,
        }));
        await prune();
      } catch (error) {
        log.warning(`A refused question could not be recorded: ${messageOf(error)}`);
      }
    },
  };
}
