/** The schema library's settings for a run, and its messages. */
import * as z from "zod/mini";
import { formatCount } from "./text.ts";

/** Turns off the compilation of schemas, which pays off only after thousands of values. Call it before the first schema is used. */
export function configureSchemas(): void {
  z.config({ jitless: true, localeError: describeProblem });
}

/** Says what is wrong with a value, as the end of a sentence that begins with the value's name. */
export function describeProblem(issue: z.core.$ZodRawIssue): string {
  const noun = { string: "character", array: "item" }[String(issue.origin)];
  const limit = (words: string, value: number | bigint) =>
    `must ${noun ? `have ${words} ${formatCount(Number(value), noun)}` : `be ${words} ${value}`}`;
  if (issue.code === "too_big") return limit("at most", issue.maximum);
  if (issue.code === "too_small") return limit("at least", issue.minimum);
  if (issue.code === "invalid_value") return `must be ${issue.values.join(" or ")}`;
  if (issue.code === "unrecognized_keys") return `unknown field ${issue.keys.join(", ")}`;
  if (issue.code !== "invalid_type") return "is not valid";
  if (issue.input === undefined) return "is missing";
  return `must be of type ${issue.expected === "int" ? "integer" : issue.expected}`;
}
