import { ActionError } from "../../base/errors.ts";
import { explainError } from "../claim.ts";

/** Nothing goes on at the platform when a question is given up: the next step is always the same. */
const askAgain = "Re-run the workflow, or ask again.";
const endings: readonly string[] = ["cancelled", "timed-out", "stream-cut"];

/** A failed answer with the next step for somebody who asked a question. */
export function withQuestionHint(failure: ActionError): ActionError {
  if (!endings.includes(failure.code)) return failure;
  return new ActionError(failure.code, failure.message, { hint: askAgain, cause: failure });
}

/** A failed answer as a record keeps it: what happened, and the next step. */
export function explainFailure(failure: ActionError): string {
  return explainError(withQuestionHint(failure));
}
