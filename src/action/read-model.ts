import type { ModelOptions } from "../local-platform/assistant/model-client.ts";
import { readModelOptions } from "../local-platform/assistant/read-model-options.ts";
import type { StepContext } from "./step.ts";

/** The model of the embedded platform's assistant, where the job's environment names one; its key is masked. */
export function readModel({ environment, maskSecret }: StepContext): ModelOptions | undefined {
  const model = readModelOptions(environment);
  if (model?.apiKey !== undefined) maskSecret(model.apiKey);
  return model;
}
