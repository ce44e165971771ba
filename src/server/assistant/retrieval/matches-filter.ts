import type { DocsPage } from "./docs-section.ts";
import type { RetrievalQuery } from "./query.ts";

/** Whether a page is of the version and in the language that a query asks for. */
export function matchesFilter(
  page: DocsPage,
  { version, language }: Pick<RetrievalQuery, "version" | "language">,
): boolean {
  const isVersion = version === undefined || isSame(page.version, version);
  return isVersion && (language === undefined || isSameLanguage(page.language, language));
}

/** A page that names no version belongs to all of them. */
function isSame(own: string | undefined, wanted: string): boolean {
  return own === undefined || own.toLowerCase() === wanted.toLowerCase();
}

/** `en` asks for every English; `en-GB` takes pages that say `en` only. */
function isSameLanguage(own: string | undefined, wanted: string): boolean {
  if (own === undefined) return true;
  const [one, other] = [own.toLowerCase(), wanted.toLowerCase()];
  return one === other || one.startsWith(`${other}-`) || other.startsWith(`${one}-`);
}
