import type { ModelOptions } from "../server/assistant/model-client.ts";
import { readModelOptions } from "../server/assistant/read-model-options.ts";
import type { Run } from "./run.ts";

/** The model of the embedded platform's assistant, where the job's environment names one; its key is masked. */
export function readModel({ environment, maskSecret }: Run): ModelOptions | undefined {
  const model = readModelOptions(environment);
  if (model?.apiKey !== undefined) maskSecret(model.apiKey);
  return model;
}
