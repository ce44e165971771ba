/** The interface's texts in the page's language, from the page's `data-words`. */
import type { scriptWords } from "../interface-words.ts";

/** `{}` is a placeholder in some of them. */
export const words = JSON.parse(document.documentElement.dataset["words"] ?? "{}") as Readonly<
  Record<(typeof scriptWords)[number], string>
>;
