/**
 * Properties are checked with the same cases in every run, so that a change is judged by what it changes.
 * `PROPERTY_SEED=$RANDOM npm test` tries others, and `PROPERTY_FACTOR=10` ten times as many; `PROPERTY_FACTOR=0.1` is for a quick run.
 */
import { configureGlobal } from "fast-check";

configureGlobal({ seed: Number(process.env["PROPERTY_SEED"] ?? 1) });

/** The number of cases of a property: `count`, multiplied by `PROPERTY_FACTOR`. */
export function caseCount(count: number): number {
  return Math.ceil(count * Number(process.env["PROPERTY_FACTOR"] ?? 1));
}
