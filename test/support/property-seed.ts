/**
 * Properties are checked with the same cases in every run, so that a change is judged by what it changes.
 * `PROPERTY_SEED=$RANDOM npm test` tries others.
 */
import { configureGlobal } from "fast-check";

configureGlobal({ seed: Number(process.env["PROPERTY_SEED"] ?? 1) });
