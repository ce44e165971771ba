/** Languages of pages by the folders that they are in: `zh/start` beside `start`, or `en/start` beside `ko/start`. */
import { interfaceLanguages, languageTag } from "./interface-words.ts";

const languageNames = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
/** Where the language's folder is among those of a page: one of the first, as in `v2/ko/start`. */
const levels = [0, 1];

/** The folder that may be a language's; `rest` is the page's address without it. */
function readFolder(slug: string, at: number) {
  const segments = slug.split("/");
  const name = segments.at(at) ?? "";
  const lang = /^[a-z]{2}(?:[-_](?:[a-z]{2}|[a-z]{4}))?$/i.test(name) ? languageTag(name) : undefined;
  const isLanguage = at < segments.length - 1 && lang !== undefined && languageNames.of(lang) !== undefined;
  if (!isLanguage) return undefined;
  return { lang, folder: segments.slice(0, at + 1).join("/"), rest: segments.toSpliced(at, 1).join("/") };
}

/**
 * Finds the folders that hold a language. Short names mean other things too (`ml`, `io`): a folder is a language's if the
 * configuration says so, or if a page in it is there in another language as well.
 */
export function findLanguageFolders(slugs: readonly string[], configured: ReadonlySet<string>) {
  const candidates = slugs.flatMap((slug) => levels.flatMap((at) => readFolder(slug, at) ?? []));
  const [addresses, byRest] = [new Set(slugs), Map.groupBy(candidates, ({ rest }) => rest)];
  const folders = new Set<string>();
  for (const { lang, folder, rest } of candidates) {
    const isTranslated =
      addresses.has(rest) || byRest.get(rest)?.some((other) => other.folder !== folder) === true;
    // Every folder has an index: it says something only of the usual languages.
    const isTelling =
      interfaceLanguages.includes(lang.split("-", 1)[0] ?? "") || !/(?:^|\/)index$/.test(rest);
    if (configured.has(lang) || (isTranslated && isTelling)) folders.add(folder);
  }
  return (slug: string) =>
    levels.flatMap((at) => readFolder(slug, at) ?? []).find(({ folder }) => folders.has(folder));
}
