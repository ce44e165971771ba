/**
 * The reconcile command: finishes the records of requests whose run is gone. It reads jobs and writes records; it never submits a job.
 * The search itself is loaded after GitHub has accepted the token, from `reconcile-records.ts`.
 */
import { InputError } from "../base/errors.ts";
import { agentSigningKey } from "./agent-run.ts";
import { connectGitHub } from "./connect-github.ts";
import { connectPlatform } from "./connect-platform.ts";
import type { InputsOf } from "./inputs.ts";
import type { CommandResult, Run } from "./run.ts";

/**
 * Finishes the project's open records.
 *
 * @throws {PlatformError} when the platform rejects the key; the first error, if nothing could be checked.
 */
export async function runReconcile(
  inputs: InputsOf<"reconcile">,
  run: Run,
): Promise<CommandResult<"reconcile">> {
  const { projectId, dryRun } = inputs;
  if (inputs.baseUrl === "local") {
    throw new InputError(["`base-url: local` has nothing to reconcile: its jobs end with their run."]);
  }
  if (projectId === undefined) throw new InputError(["`project-id` is missing."]);
  const github = connectGitHub(inputs.githubToken, agentSigningKey(inputs.apiKey), run);
  await using platform = await connectPlatform(inputs, run);
  const ownership = await github.readOwnership();
  const { reconcileRepository } = await import(/* webpackChunkName: "permitted" */ "./reconcile-records.ts");
  const { serverUrl } = github.context;
  return await reconcileRepository({ ...run, projectId, dryRun, platform, ownership, serverUrl });
}
