import { InputError } from "../../base/errors.ts";
import type { Environment } from "../../base/runtime.ts";

/** An OpenAI-compatible model. */
export interface ModelOptions {
  /** Address of the API, such as `https://models.example.com/v1`. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** Name of the model. */
  readonly model: string;
}

/**
 * Reads which OpenAI-compatible model writes the answers: `DOCS_PLATFORM_MODEL_URL`, `DOCS_PLATFORM_MODEL` and, where
 * the model needs one, `DOCS_PLATFORM_MODEL_KEY`. `undefined` without an address.
 *
 * @throws {InputError} for an address that is none, or without a model's name.
 */
export function readModelOptions(environment: Environment): ModelOptions | undefined {
  const baseUrl = environment["DOCS_PLATFORM_MODEL_URL"]?.trim();
  const model = environment["DOCS_PLATFORM_MODEL"]?.trim();
  const apiKey = environment["DOCS_PLATFORM_MODEL_KEY"]?.trim();
  if (!baseUrl) return undefined;
  if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? "")) {
    throw new InputError([
      "DOCS_PLATFORM_MODEL_URL must be an address like `https://models.example.com/v1`.",
    ]);
  }
  if (!model) throw new InputError(["DOCS_PLATFORM_MODEL is missing: the name of the model."]);
  return { baseUrl, model, ...(apiKey && { apiKey }) };
}
