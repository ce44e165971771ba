/**
 * How documents arrange their own elements: the format takes Tailwind's utility classes, and styles. Of both only what tells
 * where things stand and what belongs together is kept, in words of the site's own style sheet.
 */
import type { Element } from "hast";
import { classNames, stringProperty } from "./hast.ts";

/** A declaration of a style as utility classes would say it; no entry for what is not kept. */
const utilities: Readonly<Record<string, (value: string) => string>> = {
  display: (value) => value.replace("inline-", ""),
  flexdirection: (value) => (value.startsWith("column") ? "flex-col" : ""),
  flexwrap: (value) => (value === "wrap" ? "flex-wrap" : ""),
  flex: (value) => (value.startsWith("1") ? "flex-1" : ""),
  justifycontent: (value) => `justify-${value.replace("space-", "")}`,
  alignitems: (value) => `items-${value}`,
  textalign: (value) => `text-${value}`,
  fontweight: (value) => (/^(?:[6-9]00|bold)/.test(value) ? "font-bold" : ""),
  gridtemplatecolumns: (value) =>
    `grid-cols-${/^repeat\((\d)/.exec(value)?.[1] ?? value.split(/\s+/).length}`,
  padding: () => "p-4",
  borderradius: () => "rounded",
  border: (value) => (/^(?:0|none)/.test(value) ? "" : "border"),
  boxshadow: () => "shadow",
  background: () => "bg-white",
  backgroundcolor: () => "bg-white",
  width: (value) => `w-[${value}]`,
  height: (value) => `h-[${value}]`,
};

function utilitiesOf(style: string): string[] {
  return style.split(";").flatMap((declaration) => {
    const [property = "", value = ""] = declaration.split(":");
    const name = property.replaceAll("-", "").trim().toLowerCase();
    return (Object.hasOwn(utilities, name) && utilities[name]?.(value.trim())) || [];
  });
}

const boxTags = new Set(["div", "section", "article", "aside", "p", "li"]);

/** The classes of an element as documents write them: a text, or a list. */
export function writtenClasses(node: Element): string[] {
  const written = stringProperty(node, "className") ?? classNames(node).join(" ");
  return written === "" ? [] : written.split(/\s+/);
}

function utilitiesOfElement(node: Element): string[] {
  const names = writtenClasses(node).map((name) => name.replace("!", ""));
  return [...names, ...utilitiesOf(stringProperty(node, "style") ?? "")];
}

/** Width and height of a picture or drawing in pixels, as far as they are told: four for each step of the format. */
export function sizeOf(node: Element): { readonly width?: number; readonly height?: number } {
  const sizes = utilitiesOfElement(node).flatMap((name) => {
    const [, kind, steps, pixels] =
      /^(w|h|size)-(?:(\d+(?:\.\d+)?)|\[(\d+(?:\.\d+)?)(?:px)?\])$/.exec(name) ?? [];
    const size = steps === undefined ? Number(pixels) : Number(steps) * 4;
    if (kind === undefined || size === 0) return [];
    return kind === "size"
      ? [{ width: size, height: size }]
      : [{ [kind === "w" ? "width" : "height"]: size }];
  });
  return Object.assign({}, ...sizes);
}

/** The words for an element's `data-layout`; none for most elements. */
export function layoutOf(node: Element): string | undefined {
  const names = utilitiesOfElement(node);
  if (names.length === 0) return undefined;
  const has = (form: RegExp) => names.some((name) => form.test(name));
  const layout = [...widthsOf(has), ...arrangementOf(has, names), ...frameOf(node, has)];
  if (has(/^text-center$/)) layout.push("center");
  if (has(/^font-(?:semi|extra)?bold$/)) layout.push("strong");
  return layout.length === 0 ? undefined : layout.join(" ");
}

type Has = (form: RegExp) => boolean;

/** What is shown on wide or on narrow screens only. */
function widthsOf(has: Has): string[] {
  if (has(/^(?:sm|md|lg|xl):hidden$/)) return ["narrow"];
  return has(/^hidden$/) && has(/^(?:sm|md|lg|xl):(?:block|flex|grid|inline)/) ? ["wide"] : [];
}

/** Beside each other or below: as on a wide screen; the style sheet makes less of it on a narrow one. */
function arrangementOf(has: Has, names: readonly string[]): string[] {
  const counts = names.map((name) => Number(/^(?:\w+:)?grid-cols-(\d+)$/.exec(name)?.[1] ?? 0));
  const most = Math.min(4, Math.max(0, ...counts));
  if (has(/^(?:\w+:)?(?:inline-)?grid$/)) return most > 1 ? ["grid", `grid-${most}`] : [];
  const grow = has(/^(?:flex-1|grow|flex-grow)$/) ? ["grow"] : [];
  if (!has(/^(?:\w+:)?(?:inline-)?flex$/)) return grow;
  if (has(/^flex-col/) && !has(/^(?:sm|md|lg|xl):flex-row$/)) return ["stack", ...grow];
  return [
    "row",
    ...(has(/^flex-wrap$|^overflow-x-auto$/) ? ["wrap"] : []),
    ...(has(/^flex-col/) ? ["stack-narrow"] : []),
    ...(has(/^items-center$/) ? ["middle"] : []),
    ...(has(/^justify-between$/) ? ["between"] : []),
    ...(has(/^justify-center$/) ? ["center"] : []),
    ...grow,
  ];
}

/** What has room and a line or a colour around it is a box; in a line of text it is a mark. */
function frameOf({ tagName }: Element, has: Has): string[] {
  const isFramed = has(/^(?:border(?:-\d)?|bg-(?!transparent|none).+|shadow(?:-.+)?|ring-\d)$/);
  if (!isFramed || !has(/^rounded(?!-none)/) || !has(/^(?:\w+:)?p[xy]?-/)) return [];
  if (boxTags.has(tagName)) return ["box"];
  return ["span", "a"].includes(tagName) ? ["pill"] : [];
}
