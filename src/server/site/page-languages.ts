/** Recognizes the languages of pages by their folders: `zh/start` beside `start`, or `en/start` beside `ko/start`. */
import { interfaceLanguages, languageTag } from "./interface-words.ts";

const languageNames = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
/** Positions in a path where a language folder may be, such as `v2/ko/start`. */
const levels = [0, 1];

/** Reads a possible language folder. `rest` is the slug without it. */
function readFolder(slug: string, level: number) {
  const segments = slug.split("/");
  const name = segments.at(level) ?? "";
  const lang = /^[a-z]{2}(?:[-_](?:[a-z]{2}|[a-z]{4}))?$/i.test(name) ? languageTag(name) : undefined;
  const isLanguage =
    level < segments.length - 1 && lang !== undefined && languageNames.of(lang) !== undefined;
  if (!isLanguage) return undefined;
  return {
    lang,
    folder: segments.slice(0, level + 1).join("/"),
    rest: segments.toSpliced(level, 1).join("/"),
  };
}

/**
 * Finds language folders. Short names have other meanings too (`ml`, `io`): a folder counts if the configuration has the language, or if
 * one of its pages also exists in another language.
 */
export function findLanguageFolders(slugs: readonly string[], configured: ReadonlySet<string>) {
  const candidates = slugs.flatMap((slug) => levels.flatMap((level) => readFolder(slug, level) ?? []));
  const [addresses, byRest] = [new Set(slugs), Map.groupBy(candidates, ({ rest }) => rest)];
  const folders = new Set<string>();
  for (const { lang, folder, rest } of candidates) {
    const isTranslated =
      addresses.has(rest) || byRest.get(rest)?.some((other) => other.folder !== folder) === true;
    // Many folders have an `index` page, so it is no evidence for a rare language.
    const isEvidence =
      interfaceLanguages.includes(lang.split("-", 1)[0] ?? "") || !/(?:^|\/)index$/.test(rest);
    if (configured.has(lang) || (isTranslated && isEvidence)) folders.add(folder);
  }
  return (slug: string) =>
    levels.flatMap((level) => readFolder(slug, level) ?? []).find(({ folder }) => folders.has(folder));
}
