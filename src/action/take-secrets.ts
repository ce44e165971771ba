import * as core from "@actions/core";
import type { Environment } from "../commands/read-inputs.ts";

const secretInputs = ["INPUT_API-KEY", "INPUT_GITHUB-TOKEN"];

/**
 * Masks the secrets among the inputs before anything else happens, and takes them out of the process's environment, so
 * that no child process inherits them.
 *
 * @returns the environment as it was.
 */
export function takeSecrets(processEnvironment: NodeJS.ProcessEnv): Environment {
  const environment = { ...processEnvironment };
  for (const name of secretInputs) {
    const secret = environment[name]?.trim();
    if (secret) core.setSecret(secret);
    delete processEnvironment[name];
  }
  return environment;
}
