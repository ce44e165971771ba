/** Converts the older configuration file `mint.json` to the form of `docs.json`. */
import { isJsonObject, type JsonObject } from "../../base/text.ts";
import { listOf, objectOf } from "./json-values.ts";
import { trimSlashes } from "./routes.ts";

type Section = JsonObject & { readonly url?: string };

function sectionsOf(value: unknown): Section[] {
  return listOf(value).filter(isJsonObject);
}

function isExternal({ url }: Section): boolean {
  return typeof url !== "string" || /^[a-z]+:/i.test(url);
}

/** The path of the first page in a group or its subgroups. */
function firstPath(group: JsonObject): string {
  const [first] = listOf(group["pages"]);
  if (typeof first === "string") return first.replace(/^\/+/, "");
  return isJsonObject(first) ? firstPath(first) : "";
}

/** Converts the content of a `mint.json`. Values of the wrong type are passed through. */
export function upgradeMintConfig(config: JsonObject): JsonObject {
  const { navigation, tabs, primaryTab, anchors, topAnchor, versions, ...other } = config;
  const { topbarLinks, topbarCtaButton, footerSocials, modeToggle, font, metadata, ...rest } = other;
  const socials = Array.isArray(footerSocials)
    ? Object.fromEntries(sectionsOf(footerSocials).map(({ type, url }) => [type, url]))
    : footerSocials;
  const { default: theme, isHidden: strict } = objectOf(modeToggle);
  const { headings: heading, ...ownFonts } = objectOf(font);
  return {
    ...rest,
    appearance: { default: theme, strict },
    fonts: isJsonObject(font) ? { ...ownFonts, heading } : font,
    seo: { ...objectOf(rest["seo"]), metatags: metadata },
    navbar: { links: topbarLinks, primary: topbarCtaButton },
    footer: { socials },
    navigation: {
      global: {
        anchors: sectionsOf(anchors).filter(isExternal),
        tabs: sectionsOf(tabs).filter(isExternal),
      },
      ...splitByVersion(sectionsOf(navigation), versions, (groups) =>
        splitByPath(groups, "tabs", tabs, primaryTab, (others) =>
          splitByPath(others, "anchors", anchors, topAnchor, (remaining) => ({ groups: remaining })),
        ),
      ),
    },
  };
}

/** A group with a version belongs to that version only; all others belong to every version. */
function splitByVersion(
  groups: readonly JsonObject[],
  versions: unknown,
  split: (groups: readonly JsonObject[]) => JsonObject,
): JsonObject {
  const names = listOf(versions).map((version) => (isJsonObject(version) ? version["name"] : version));
  if (names.length === 0) return split(groups);
  const ofVersion = (name: unknown) =>
    groups.filter(({ version = name }) => version === name).map(({ version: _, ...group }) => group);
  return { versions: names.map((name) => ({ version: name, ...split(ofVersion(name)) })) };
}

/** Assigns groups to the tab or anchor whose path contains them. The remaining groups form a section of their own, which comes first. */
function splitByPath(
  groups: readonly JsonObject[],
  key: "tabs" | "anchors",
  list: unknown,
  firstSection: unknown,
  split: (groups: readonly JsonObject[]) => JsonObject,
): JsonObject {
  const sections = sectionsOf(list).filter((section) => !isExternal(section));
  const sectionOf = (group: JsonObject) =>
    sections.find(({ url = "" }) => `${firstPath(group)}/`.startsWith(`${trimSlashes(url)}/`));
  const bySection = Map.groupBy(groups, sectionOf);
  const remaining = bySection.get(undefined) ?? [];
  const hasReference = sections.some(({ openapi }) => openapi !== undefined);
  if (!hasReference && bySection.size === (remaining.length > 0 ? 1 : 0)) return split(remaining);
  const converted = sections.map(({ url, openapi, ...section }, index) => {
    const own = bySection.get(sections[index]) ?? [];
    // Generated pages follow the written ones, below the same path.
    const reference = openapi !== undefined && { openapi: { source: openapi, directory: url } };
    return { ...section, ...reference, ...split(reference && own.length > 0 ? [...own, reference] : own) };
  });
  const icon = key === "anchors" && "book-open";
  const first = { name: "Documentation", icon, ...objectOf(firstSection), ...split(remaining) };
  return { [key]: remaining.length > 0 ? [first, ...converted] : converted };
}
