/** Composes `command: reconcile`: the repository's open records in, a summary out. */
import { reconcile } from "../../commands/reconcile.ts";
import { InputError } from "../../errors.ts";
import { type FoundRecord, listRecords } from "../../github/list-open-records.ts";
import { createReferenceFinder, introducePullRequest, readPullRequest } from "../../github/pull-requests.ts";
import { createSeal } from "../../github/seal.ts";
import { isLoopback } from "../../is-loopback.ts";
import { introducePullRequestText } from "../../presentation/pull-request-introduction.ts";
import { renderReconcileSummary } from "../../presentation/reconcile-summary.ts";
import { describeStatus, renderStatusComment } from "../../presentation/status-comment.ts";
import { sealKey } from "../agent-github.ts";
import { connectGitHub } from "../connect-github.ts";
import { connectPlatform } from "../connect-platform.ts";
import type { Step } from "../step.ts";

/** Older requests are not looked at any more. */
const lookBackMs = 30 * 24 * 60 * 60 * 1000;

export const reconcileStep: Step<"reconcile"> = {
  async run(inputs, context) {
    const { clock, log, signal } = context;
    const { projectId } = inputs;
    if (projectId === undefined) throw new InputError(["`project-id` is missing."]);
    const { run, api, readIdentity } = await connectGitHub(inputs, context);
    await using connection = await connectPlatform(inputs, {
      context,
      startEmbedded: async () => {
        throw new InputError(["`base-url: local` has nothing to reconcile: its jobs end with their run."]);
      },
    });
    const { origin } = connection.platform.transport;
    const seal = createSeal(sealKey(inputs.apiKey, run.repository.id));
    const identity = await readIdentity();
    const render = (record: Parameters<typeof renderStatusComment>[0]) =>
      renderStatusComment(record, { nowMs: clock.now() });
    const since = new Date(clock.now() - lookBackMs).toISOString();
    const { records, notes, failure } = await reconcile(
      {
        projectId,
        repository: run.repository,
        serverUrl: run.serverUrl,
        localOrigin: isLoopback(new URL(origin)) ? origin : undefined,
      },
      {
        platform: connection.platform,
        github: {
          findByReference: createReferenceFinder(api),
          readPullRequest: (address) => readPullRequest(address, api),
          // Labels and reviewers are the business of the workflow that asked.
          async adoptPullRequest({ number }, introduced) {
            if (inputs.dryRun) return;
            // Which phrase calls the agent is known to the workflow that asked, and to no record.
            const { jobId } = introduced;
            const text = introducePullRequestText({ jobId, source: undefined, triggerPhrase: undefined });
            await introducePullRequest({ number, text, origin: introduced }, { api, identity, seal });
          },
        },
        async listRecords() {
          const found = await listRecords(since, { api, identity, seal, render, describe: describeStatus });
          return inputs.dryRun ? { ...found, records: found.records.map(withoutWriting) } : found;
        },
        referenceOf: seal.reference,
        log,
        signal,
      },
    );
    const finished = records.filter(({ kind }) => kind === "finished").length;
    const verb = inputs.dryRun ? "would be finished (dry run)" : "finished";
    const message = `${records.length} open requests looked at, ${finished} ${verb}.`;
    if (!failure) return { outcome: "reconciled", message, summary: renderReconcileSummary(records, notes) };
    log.info(message);
    throw failure;
  },
};

/** A record that can be judged but not changed. */
function withoutWriting(found: FoundRecord): FoundRecord {
  return { ...found, claims: { ...found.claims, update: async (claim) => claim } };
}
