import type { TextState } from "../../github/trigger-text.ts";
import type { Objection } from "./submission.ts";

/** The text that asked must still be the one that the event carried. */
export function objectToChangedText(state: TextState): Objection | undefined {
  if (state === "unchanged") return undefined;
  return { reason: `text-${state}`, message: `The text that asked was ${state} after the event; ask again.` };
}
