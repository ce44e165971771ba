import { InputError } from "../../base/errors.ts";
import { type Environment, readVariable } from "../../base/runtime.ts";

/** An OpenAI-compatible model. */
export interface ModelOptions {
  /** Address of the API, such as `https://models.example.com/v1`. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly model: string;
}

/**
 * Reads the model's options from the environment: `DOCS_PLATFORM_MODEL_URL`, `DOCS_PLATFORM_MODEL` and optionally
 * `DOCS_PLATFORM_MODEL_KEY`. Returns `undefined` without a URL.
 *
 * @throws {InputError} if the URL is invalid or the name of the model is missing
 */
export function readModelOptions(environment: Environment): ModelOptions | undefined {
  const baseUrl = readVariable(environment, "DOCS_PLATFORM_MODEL_URL");
  const model = readVariable(environment, "DOCS_PLATFORM_MODEL");
  const apiKey = readVariable(environment, "DOCS_PLATFORM_MODEL_KEY");
  if (baseUrl === undefined) return undefined;
  if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? "")) {
    throw new InputError(["DOCS_PLATFORM_MODEL_URL must be a URL such as `https://models.example.com/v1`."]);
  }
  if (model === undefined)
    throw new InputError(["DOCS_PLATFORM_MODEL is missing. Set it to the name of the model."]);
  return { baseUrl, model, apiKey };
}
