/** Reads the fields of jobs. Separate from `contract.ts`, whose schema library is loaded only with the first response. */

/** Final statuses of an export job. With any other status the job is still running (specification §3.2). */
export const endedExportStatuses = ["completed", "failed"] as const;

/** Final statuses of an agent job (specification §3.1). */
export const endedAgentStatuses = ["completed", "archived", "failed"] as const;

/** Reads the identifier of a job: a word that is safe in a URL path. A number is converted to text. */
export function readJobId(value: unknown): string | undefined {
  const isNumber = typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
  const id = isNumber ? String(value) : value;
  return typeof id === "string" && /^(?!\.{1,2}$)[\x21-\x7e]{1,200}$/.test(id) ? id : undefined;
}
