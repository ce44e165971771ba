/** The reconcile command: finishes the records of requests whose runner is gone. It asks and writes; it never submits. */
import { ActionError } from "../base/errors.ts";
import type { Log } from "../base/runtime.ts";
import { PlatformError } from "../client/errors.ts";
import type { FoundRecord, RecordSearch } from "../github/open-records.ts";
import type { VerifyOptions } from "./agent/verify-pull-request.ts";
import { explain } from "./explain-error.ts";
import { type ReconcileRecordDeps, type RecordFinding, reconcileRecord } from "./reconcile-record.ts";

export type ReconcileOptions = VerifyOptions;

export interface ReconcileDeps extends ReconcileRecordDeps {
  /** Every genuine record of the repository, as far as it can be seen. */
  readonly listRecords: () => Promise<RecordSearch>;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** What became of one record. */
interface ReconciledRecord {
  readonly where: string;
  readonly url: string | undefined;
  readonly jobId: string | undefined;
  readonly kind: RecordFinding["kind"] | "failed-to-check";
  /** The outcome, or why it could not be checked. */
  readonly detail: string;
}

export interface ReconcileResult {
  readonly records: readonly ReconciledRecord[];
  /** What was not looked at or left for the next run, one sentence each. */
  readonly notes: readonly string[];
  /** Why the run has not done its work, although it may have done a part of it. */
  readonly failure: ActionError | undefined;
}

/** So many failures in a row are one outage: the next run goes on. */
const maxFailuresInARow = 5;

/** Looks at every open record of the project, asks the platform, and finishes what is over. */
export async function reconcile(options: ReconcileOptions, deps: ReconcileDeps): Promise<ReconcileResult> {
  const search = await deps.listRecords();
  const open = search.records.filter((found) => isOpen(found, options));
  const believed = open.filter(({ claim }) => !claim.isUnverifiable);
  const { records, errors } = await reconcileAll(believed, options, deps);
  const notes = [
    ...search.notSearched,
    ...noteOtherKey(open.length - believed.length),
    ...noteLeft(believed.length - records.length),
  ];
  for (const note of notes) deps.log.warning(note);
  const isAllFailed = records.length > 0 && errors.length === records.length;
  return { records, notes, failure: search.failures[0] ?? (isAllFailed ? errors[0] : undefined) };
}

function isOpen({ claim: { record } }: FoundRecord, { projectId }: ReconcileOptions): boolean {
  const isOurs = record.command === "agent" && record.target === projectId;
  return isOurs && record.state !== "ended" && record.state !== "released";
}

interface Progress {
  readonly records: readonly ReconciledRecord[];
  readonly errors: readonly ActionError[];
}

/** One record after the other; one that cannot be checked does not keep the others from it, an outage does. */
async function reconcileAll(
  believed: readonly FoundRecord[],
  options: ReconcileOptions,
  deps: ReconcileDeps,
): Promise<Progress> {
  const records: ReconciledRecord[] = [];
  const errors: ActionError[] = [];
  let failuresInARow = 0;
  for (const found of believed) {
    const { where, claim } = found;
    const facts = { where, url: claim.url, jobId: claim.record.jobId };
    const finding = await reconcileGuarded(found, options, deps);
    if (!(finding instanceof ActionError)) {
      records.push({ ...facts, ...finding });
      failuresInARow = 0;
      continue;
    }
    records.push({ ...facts, kind: "failed-to-check", detail: finding.message });
    errors.push(finding);
    failuresInARow += 1;
    deps.log.warning(`${where}: ${explain(finding)}`);
    if (finding.code === "rate-limited" || failuresInARow === maxFailuresInARow) break;
  }
  return { records, errors };
}

/** @throws {PlatformError} when the platform does not take the key: it would not for any record. */
async function reconcileGuarded(
  found: FoundRecord,
  options: ReconcileOptions,
  deps: ReconcileDeps,
): Promise<RecordFinding | ActionError> {
  try {
    return await reconcileRecord(found, options, deps);
  } catch (error) {
    deps.signal.throwIfAborted();
    const isKeyRefused = error instanceof PlatformError && ["unauthorized", "forbidden"].includes(error.code);
    if (!(error instanceof ActionError) || isKeyRefused) throw error;
    return error;
  }
}

function noteOtherKey(count: number): string[] {
  if (count === 0) return [];
  const sentence = "are signed with another `api-key`; what became of them cannot be told with this one";
  return [`${count} open ${count === 1 ? "request" : "requests"}: the records ${sentence}.`];
}

function noteLeft(count: number): string[] {
  if (count === 0) return [];
  return [`${count} open ${count === 1 ? "request is" : "requests are"} left for the next run.`];
}
