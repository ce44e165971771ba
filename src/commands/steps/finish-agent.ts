/** The agent's post step: corrects the record of a main step that was killed. */

import { systemClock } from "../../base/runtime.ts";
import { createRecordSigner } from "../../github/record-signer.ts";
import { connectGitHub } from "../connect.ts";
import { signingKey } from "../connections/agent-github.ts";
import { openClaims } from "../connections/open-claims.ts";
import { readSavedClaim } from "../connections/saved-claim.ts";
import { inputText } from "../read-inputs.ts";
import type { PostRun } from "../run.ts";
import { finishClaim } from "../submission/finish-claim.ts";

/** Writes down what is true of a request whose run was killed. */
export async function finishAgent({ environment, log, signal, state }: PostRun): Promise<void> {
  const saved = readSavedClaim(state);
  if (!saved) return;
  const githubToken = inputText("github-token", environment)?.trim();
  const connection = await connectGitHub({ githubToken }, { environment, log, signal });
  const { api, context } = connection;
  const signer = createRecordSigner(
    signingKey(inputText("api-key", environment)?.trim(), context.repository.id),
  );
  const claims = openClaims(
    { place: saved.place, trigger: saved.record.trigger },
    { api, identity: await connection.readIdentity(), signer, now: systemClock.now },
  );
  const isEmbedded = inputText("base-url", environment)?.trim() === "local";
  await finishClaim({ saved: saved.record, isEmbedded }, { claims, clock: systemClock, log, signal });
}
