/** The interface's words in the page's language, which the page hands over. */
import type { scriptWords } from "../interface-words.ts";

/** Placeholders in them are `{}`. */
export const words = JSON.parse(document.documentElement.dataset["words"] ?? "{}") as Readonly<
  Record<(typeof scriptWords)[number], string>
>;
