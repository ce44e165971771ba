/** The older configuration file, `mint.json`, said as `docs.json` says the same. */
import { isJsonObject, type JsonObject } from "../../base/text.ts";
import { listOf, objectOf } from "./json-values.ts";
import { trimSlashes } from "./routes.ts";

type Section = JsonObject & { readonly url?: string };

function sectionsOf(value: unknown): Section[] {
  return listOf(value).filter(isJsonObject);
}

function isElsewhere({ url }: Section): boolean {
  return typeof url !== "string" || /^[a-z]+:/i.test(url);
}

/** The first page of a group, however deep. */
function firstAddress(group: JsonObject): string {
  const [first] = listOf(group["pages"]);
  if (typeof first === "string") return first.replace(/^\/+/, "");
  return isJsonObject(first) ? firstAddress(first) : "";
}

/** Whether the group's pages are below the address that a tab or anchor has. */
function isBelow(group: JsonObject, { url = "" }: Section): boolean {
  return `${firstAddress(group)}/`.startsWith(`${trimSlashes(url)}/`);
}

/** Says the configuration of a `mint.json` in the terms of `docs.json`; a value of the wrong type stays what it is. */
export function upgradeMintConfig(config: JsonObject): JsonObject {
  const {
    navigation,
    tabs,
    primaryTab,
    anchors,
    topAnchor,
    versions,
    topbarLinks,
    topbarCtaButton,
    ...other
  } = config;
  const { footerSocials, modeToggle, font, metadata, ...rest } = other;
  const socials = Array.isArray(footerSocials)
    ? Object.fromEntries(sectionsOf(footerSocials).map(({ type, url }) => [type, url]))
    : footerSocials;
  const { default: theme, isHidden: strict } = objectOf(modeToggle);
  return {
    ...rest,
    appearance: { default: theme, strict },
    fonts: isJsonObject(font) ? { ...font, heading: font["headings"] } : font,
    seo: { ...objectOf(rest["seo"]), metatags: metadata },
    navbar: { links: topbarLinks, primary: topbarCtaButton },
    footer: { socials },
    navigation: {
      global: {
        anchors: sectionsOf(anchors).filter(isElsewhere),
        tabs: sectionsOf(tabs).filter(isElsewhere),
      },
      ...splitByVersion(sectionsOf(navigation), versions, (groups) =>
        splitByAddress(groups, "tabs", tabs, primaryTab, (others) =>
          splitByAddress(others, "anchors", anchors, topAnchor, (left) => ({ groups: left })),
        ),
      ),
    },
  };
}

/** Groups that name a version belong to it alone, all others to every version. */
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

/** Puts groups below the address of a tab or an anchor into it; the first part has those that are left. */
function splitByAddress(
  groups: readonly JsonObject[],
  key: "tabs" | "anchors",
  written: unknown,
  first: unknown,
  split: (groups: readonly JsonObject[]) => JsonObject,
): JsonObject {
  const sections = sectionsOf(written).filter((section) => !isElsewhere(section));
  const sectionOf = (group: JsonObject) => sections.find((section) => isBelow(group, section));
  const bySection = Map.groupBy(groups, sectionOf);
  const left = bySection.get(undefined) ?? [];
  const isDescribed = sections.some(({ openapi }) => openapi !== undefined);
  if (!isDescribed && bySection.size === (left.length > 0 ? 1 : 0)) return split(left);
  const parts = sections.map(({ url, openapi, ...section }, at) => {
    const own = bySection.get(sections[at]) ?? [];
    // The pages that are made of it are below the same address, after those that are written.
    const made = openapi !== undefined && { openapi: { source: openapi, directory: url } };
    return { ...section, ...made, ...split(made && own.length > 0 ? [...own, made] : own) };
  });
  const icon = key === "anchors" && "book-open";
  const own = { name: "Documentation", icon, ...objectOf(first), ...split(left) };
  return { [key]: left.length > 0 ? [own, ...parts] : parts };
}
