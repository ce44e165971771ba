import { z } from "zod";

/** One prompt of a job and what became of it. */
const Turn = z.object({
  prompt: z.string(),
  requestedAt: z.iso.datetime(),
  state: z.enum(["waiting", "done", "failed"]),
  /** Why it failed; for the log and the operator, the wire has no field for it. */
  failure: z.string().optional(),
});

/** An agent job as it is kept on disk. */
export const AgentJobRecord = z.object({
  id: z.string(),
  projectId: z.string(),
  status: z.enum(["active", "completed", "failed", "archived"]),
  /** The prompt it was created with, and the messages that followed. */
  turns: z.array(Turn).min(1),
  /** Absolute, or a path below the platform's own address. */
  repository: z.string(),
  branch: z.string(),
  /** The branch that the work is for; known once the work has begun. */
  base: z.string().optional(),
  model: z.string(),
  pullRequest: z.string().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  archivedAt: z.iso.datetime().nullable(),
});
export type AgentJobRecord = z.infer<typeof AgentJobRecord>;

/** The job as clients see it (specification §2.3). */
export function presentAgentJob(record: AgentJobRecord, { publicUrl }: { publicUrl: string }) {
  const { id, status, repository, branch, model, pullRequest, createdAt, archivedAt } = record;
  const absolute = (address: string) => (address.startsWith("/") ? `${publicUrl}${address}` : address);
  return {
    id,
    status,
    source: { repository: absolute(repository), ref: branch },
    model,
    prLink: pullRequest === null || status === "active" ? null : absolute(pullRequest),
    createdAt,
    archivedAt,
  };
}
