/**
 * Properties are checked with the same cases in every run, so that a change is judged by what it changes.
 * `PROPERTY_SEED=$RANDOM npm test` tries others, and `PROPERTY_FACTOR=10` ten times as many.
 */
import { configureGlobal } from "fast-check";

configureGlobal({ seed: Number(process.env["PROPERTY_SEED"] ?? 1) });

/** How many cases a property is checked with: what finds its known mistakes in a usual run, more where the factor asks for it. */
export function caseCount(usual: number): number {
  return Math.ceil(usual * Number(process.env["PROPERTY_FACTOR"] ?? 1));
}
