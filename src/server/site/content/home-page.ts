/** The content of a front page that is in its front matter: `hero` and `features` (VitePress), or `hero` alone (Starlight). */
import type { PhrasingContent, RootContent } from "mdast";
import { isJsonObject, type JsonObject } from "../../../base/text.ts";
import { firstText, listOf, objectOf } from "../json-values.ts";
import { component } from "./dialects.ts";
import { parseMarkdown } from "./parse-page.ts";

/** The `hero` and `features` of front matter, as they are written; `undefined` if there are none. */
export type HomePage = ReturnType<typeof readHome>;

export function readHome({ title, hero, features }: JsonObject) {
  if (!isJsonObject(hero) && !Array.isArray(features)) return undefined;
  return { title, hero: objectOf(hero), features: listOf(features).filter(isJsonObject) };
}

/** The address of a picture, which may be for light and dark colours. */
function addressOf(picture: unknown): string | undefined {
  const { src, file, light } = objectOf(picture);
  return firstText(picture, src, file, light);
}

/** The content as plain text, a picture, links, and a card for each feature. */
export function homeContent({ title, hero, features }: NonNullable<HomePage>): RootContent[] {
  // Without a title, the name is the page's title.
  const name = firstText(title) === undefined ? undefined : firstText(hero["name"]);
  const texts = [
    name === firstText(title) ? undefined : name,
    firstText(hero["text"]),
    firstText(hero["tagline"]),
  ];
  const url = addressOf(hero["image"]);
  const alt = firstText(objectOf(hero["image"])["alt"]);
  const links = listOf(hero["actions"]).flatMap((action): PhrasingContent[] => {
    const [value, to] = [firstText(objectOf(action)["text"]), firstText(objectOf(action)["link"])];
    if (value === undefined || to === undefined) return [];
    return [
      { type: "text", value: " · " },
      { type: "link", url: to, children: [{ type: "text", value }] },
    ];
  });
  const lines = [url === undefined ? [] : [{ type: "image", url, alt } as const], links.slice(1)];
  return [
    ...texts.flatMap((text) => parseMarkdown(text ?? "").children),
    ...lines.flatMap((children) => (children.length > 0 ? [{ type: "paragraph" as const, children }] : [])),
    ...(features.length > 0 ? [component("CardGroup", {}, features.map(featureCard))] : []),
  ];
}

function featureCard({ title, details, icon, link, linkText }: JsonObject): RootContent {
  const written = addressOf(icon) ?? "";
  const isEmoji = /\p{Extended_Pictographic}/u.test(written);
  const isPicture = /\.\w+$/.test(written);
  const properties = {
    title: firstText(`${isEmoji ? written : ""} ${firstText(title) ?? ""}`),
    // A drawing in HTML is none of the icons, which the warning says.
    icon: isEmoji
      ? ""
      : isPicture
        ? written.replace(/^(?![./]|https?:)/, "./")
        : written.replace(/\s.*/s, ""),
    href: firstText(link),
    cta: firstText(linkText),
  };
  const set = Object.entries(properties).flatMap(([name, value]) => (value ? [[name, value] as const] : []));
  return component("Card", Object.fromEntries(set), parseMarkdown(firstText(details) ?? "").children);
}
