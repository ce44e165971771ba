/** What the documentation lacks: the questions that were refused because it does not answer them. */
import { createHash } from "node:crypto";
import * as z from "zod/mini";
import type { Log } from "../../base/runtime.ts";
import { messageOf, shorten } from "../../base/text.ts";
import type { Storage } from "../base/storage.ts";
import { createPruner } from "./prune-records.ts";

const RefusedQuestion = z.object({
  id: z.string(),
  /** In lower case. */
  domain: z.string(),
  question: z.string(),
  /** How often it was asked in these words. */
  count: z.int(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type RefusedQuestion = z.infer<typeof RefusedQuestion>;

const day = 24 * 60 * 60 * 1000;
/** Questions are personal data: they are kept so long after they were last asked, and no more of them. */
const kept = { lifetimeMs: 30 * day, maxRecords: 1_000 };
const maxLength = 500;

export type RefusedQuestions = Awaited<ReturnType<typeof openRefusedQuestions>>;

/** Opens the questions; who asked them is not kept. */
export async function openRefusedQuestions(storage: Storage, log: Log, now: () => number) {
  const records = await storage.records("assistant/refused", RefusedQuestion);
  const prune = createPruner(records, kept, now);
  await prune();
  return {
    list: records.list,
    /** Adds a question, or counts it once more. That it cannot be kept is no reason to leave it without an answer. */
    async add(domain: string, asked: string): Promise<void> {
      const question = shorten(asked.replaceAll(/\s+/g, " ").trim(), maxLength);
      const id = createHash("sha256").update(`${domain}\n${question.toLowerCase()}`).digest("hex");
      const updatedAt = new Date(now()).toISOString();
      try {
        if ((await records.get(id)) === undefined)
          await records.put(id, { id, domain, question, count: 1, createdAt: updatedAt, updatedAt });
        else await records.update(id, (known) => ({ ...known, count: known.count + 1, updatedAt }));
        await prune();
      } catch (error) {
        log.warning(`A question that the documentation does not answer was not kept: ${messageOf(error)}`);
      }
    },
  };
}
