/** The kinds of input a workflow can pass: each reads the runner's text into a value and says in one sentence what it wants. */
import { z } from "zod";
import { isLoopback } from "../base/network.ts";

/** Text, trimmed; absent when empty. */
export const text = () => z.string().trim().min(1, "must not be empty");

/** An identifier: one word that can stand in a path. */
export const word = () =>
  text().regex(/^(?!\.{1,2}$)[\x21-\x7e]{1,200}$/, "must be one word of at most 200 characters");

/** `true` or `false`, as YAML writes them. */
export const flag = () =>
  z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.enum(["true", "false"], { error: "must be `true` or `false`" }))
    .transform((value) => value === "true");

/** One of a few words. */
export const choice = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z
    .string()
    .trim()
    .pipe(z.enum(values, { error: `must be one of ${values.map((value) => `\`${value}\``).join(", ")}` }));

/** Values separated by commas or line breaks. */
export const list = () =>
  z.string().transform((value) =>
    value
      .split(/[,\n]/)
      .map((item) => item.trim())
      .filter((item) => item !== ""),
  );

/** A whole number within bounds. */
export const integer = (min: number, max: number) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

/** Minutes above zero, fractions allowed. */
export const minutes = () =>
  z
    .string()
    .trim()
    .regex(/^\d{1,6}(\.\d+)?$/, "must be a number of minutes, like `60` or `0.5`")
    .transform(Number)
    .refine((value) => value > 0 && value <= 10_000, "must be more than 0 and at most 10000 minutes");

/** The platform's address, or `local`. */
export const platformAddress = () =>
  z
    .string()
    .trim()
    .transform((value, context): URL | "local" => {
      if (value === "local") return value;
      const problem = problemOfAddress(value);
      if (problem === undefined) return new URL(value);
      context.addIssue({ code: "custom", message: problem });
      return z.NEVER;
    });

function problemOfAddress(value: string): string | undefined {
  if (!URL.canParse(value)) return "must be an address like `https://api.example.com`, or `local`";
  const url = new URL(value);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url))) {
    return "must start with `https://` (plain `http://` only for this machine), or be `local`";
  }
  if (url.username !== "" || url.password !== "")
    return "must not contain a user name or password; the key belongs into `api-key`";
  if (url.pathname.includes("//")) return "must not contain an empty path segment (`//`)";
  if (url.search !== "" || url.hash !== "") return "must not contain a query (`?`) or fragment (`#`)";
  return undefined;
}
