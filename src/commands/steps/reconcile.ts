/** Composes `command: reconcile`: the repository's open records in, a summary out. */

import { InputError } from "../../base/errors.ts";
import { isLoopback } from "../../base/network.ts";
import type { ClaimRecord } from "../../github/claim-store.ts";
import type { FoundRecord } from "../../github/open-records.ts";
import { listRecords } from "../../github/open-records.ts";
import { createReferenceFinder, readPullRequest } from "../../github/pull-requests.ts";
import { createRecordSigner } from "../../github/record-signer.ts";
import { formatCount } from "../../presentation/markdown.ts";
import { describeStatus, renderStatusComment } from "../../presentation/status-comment.ts";
import { renderReconcileSummary } from "../../presentation/summaries.ts";
import { connectGitHub, connectPlatform, type GitHubConnection } from "../connect.ts";
import { signingKey } from "../connections/agent-github.ts";
import { introduceOrWarn } from "../connections/introduce-or-warn.ts";
import type { InputsOf } from "../inputs.ts";
import { type ReconcileDeps, reconcile } from "../reconcile.ts";
import type { CommandEnd, Run } from "../run.ts";

/** Older requests are not looked at any more. */
const lookBackMs = 30 * 24 * 60 * 60 * 1000;

export async function runReconcileStep(
  inputs: InputsOf<"reconcile">,
  context: Run,
): Promise<CommandEnd<"reconcile">> {
  const { projectId } = inputs;
  if (projectId === undefined) throw new InputError(["`project-id` is missing."]);
  const github = await connectGitHub(inputs, context);
  if (inputs.baseUrl === "local") {
    throw new InputError(["`base-url: local` has nothing to reconcile: its jobs end with their run."]);
  }
  await using connection = await connectPlatform(inputs, context);
  const { platform } = connection;
  const { origin } = platform;
  const { repository, serverUrl } = github.context;
  const localOrigin = isLoopback(new URL(origin)) ? origin : undefined;
  const { records, notes, failure } = await reconcile(
    { projectId, repository, serverUrl, localOrigin },
    { platform, ...(await createDeps({ inputs, connection: github }, context)) },
  );
  const finished = records.filter(({ kind }) => kind === "finished").length;
  const verb = inputs.dryRun ? "would be finished (dry run)" : "finished";
  const message = `${formatCount(records.length, "open request")} looked at, ${finished} ${verb}.`;
  if (!failure) return { outcome: "reconciled", message, summary: renderReconcileSummary(records, notes) };
  context.log.info(message);
  throw failure;
}

/** What the command needs besides the platform. */
async function createDeps(
  { inputs, connection }: { readonly inputs: InputsOf<"reconcile">; readonly connection: GitHubConnection },
  { clock, log, signal }: Run,
): Promise<Omit<ReconcileDeps, "platform">> {
  const { api, context, readIdentity } = connection;
  const signer = createRecordSigner(signingKey(inputs.apiKey, context.repository.id));
  const ownership = { api, signer, identity: await readIdentity() };
  const render = (record: ClaimRecord) => renderStatusComment(record, clock.now());
  const findReference = createReferenceFinder(api);
  return {
    github: {
      findByReference: ({ wanted: reference, since }) => findReference({ reference, since }),
      readPullRequest: (address) => readPullRequest(address, api),
      async adoptPullRequest(pull, origin) {
        if (inputs.dryRun) return;
        // Labels and reviewers are the business of the workflow that asked; which phrase calls the agent only it knows.
        const introduction = { pull, origin, source: undefined, triggerPhrase: undefined };
        await introduceOrWarn(introduction, { ...ownership, log, signal });
      },
    },
    async listRecords() {
      const since = new Date(clock.now() - lookBackMs).toISOString();
      const found = await listRecords(since, { ...ownership, render, describe: describeStatus });
      return inputs.dryRun ? { ...found, records: found.records.map(withoutWriting) } : found;
    },
    referenceOf: signer.reference,
    log,
    signal,
  };
}

/** A record that can be judged but not changed. */
function withoutWriting(found: FoundRecord): FoundRecord {
  return { ...found, claims: { update: async (claim) => claim } };
}
