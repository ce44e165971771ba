/**
 * Pages arrange their own elements by Tailwind's utility classes and by inline styles. Only the layout and the colour scheme are kept, as
 * `data-layout` keywords and classes of the site's own style sheet.
 */
import type { Element } from "hast";
import { classNames, isElement, stringProperty } from "./hast.ts";

/** Replaces classes and styles by the site's own names for layout and colour scheme; the sanitizer removes all others. */
export function reduceStyles(node: Element): void {
  node.properties["dataLayout"] = readLayout(node);
  if (isElement(node, "svg", "img")) node.properties = { ...readSize(node), ...node.properties };
  const name = schemeClassOf(node);
  if (name !== undefined) node.properties["className"] = [name];
}

/** The site's class for `dark:hidden`, `hidden dark:block`, and GitHub's `image.png#gh-dark-mode-only`. */
function schemeClassOf(node: Element): string | undefined {
  const names = authorClasses(node);
  if (names.includes("dark:hidden")) return "only-light";
  const isShownOnDark = names.some((name) => /^dark:(?:block|flex|grid|inline(?:-block|-flex)?)$/.test(name));
  if (names.includes("hidden") && isShownOnDark) return "only-dark";
  const mode = /#gh-(light|dark)-mode-only$/.exec(stringProperty(node, "src") ?? "")?.[1];
  return mode && `only-${mode}`;
}

/** Converts CSS properties that are kept to the equivalent utility class. */
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
    `grid-cols-${/^repeat\((\d)/.exec(value)?.[1] ?? (value.startsWith("repeat") ? 3 : value.split(/(?<!,)\s+/).length)}`,
  padding: () => "p-4",
  borderradius: () => "rounded",
  border: (value) => (/^(?:0|none)/.test(value) ? "" : "border"),
  boxshadow: () => "shadow",
  background: () => "bg-white",
  backgroundcolor: () => "bg-white",
  width: (value) => `w-[${value}]`,
  height: (value) => `h-[${value}]`,
};

function styleToUtilities(style: string): string[] {
  return style.split(";").flatMap((declaration) => {
    const [property = "", value = ""] = declaration.split(":");
    const name = property.replaceAll("-", "").trim().toLowerCase();
    return (Object.hasOwn(utilities, name) && utilities[name]?.(value.trim())) || [];
  });
}

const boxTags = new Set(["div", "section", "article", "aside", "p", "li"]);

/** The author's classes of an element before sanitizing: the property is a string or a list. */
function authorClasses(node: Element): string[] {
  const classes = stringProperty(node, "className") ?? classNames(node).join(" ");
  return classes === "" ? [] : classes.split(/\s+/);
}

function readUtilities(node: Element): string[] {
  const names = authorClasses(node).map((name) => name.replace("!", ""));
  return [...names, ...styleToUtilities(stringProperty(node, "style") ?? "")];
}

/** Reads the width and height of an image or drawing in pixels. A unit of Tailwind's scale is four pixels. */
function readSize(node: Element): { readonly width?: number; readonly height?: number } {
  const sizes = readUtilities(node).flatMap((name) => {
    const [, dimension, units, pixels] =
      /^(w|h|size)-(?:(\d+(?:\.\d+)?)|\[(\d+(?:\.\d+)?)(?:px)?\])$/.exec(name) ?? [];
    const size = units === undefined ? Number(pixels) : Number(units) * 4;
    if (dimension === undefined || size === 0) return [];
    return dimension === "size"
      ? [{ width: size, height: size }]
      : [{ [dimension === "w" ? "width" : "height"]: size }];
  });
  return Object.assign({}, ...sizes);
}

/** Creates the value of an element's `data-layout`; `undefined` for most elements. */
function readLayout(node: Element): string | undefined {
  const names = readUtilities(node);
  if (names.length === 0) return undefined;
  const has = (pattern: RegExp) => names.some((name) => pattern.test(name));
  const layout = [...readVisibility(has), ...readArrangement(has, names), ...readBox(node, has)];
  if (has(/^text-center$/)) layout.push("center");
  if (has(/^font-(?:semi|extra)?bold$/)) layout.push("strong");
  return layout.length === 0 ? undefined : layout.join(" ");
}

/** Whether one of an element's utility classes matches. */
type Has = (pattern: RegExp) => boolean;

/** `narrow` or `wide`: the element is visible only on such screens. */
function readVisibility(has: Has): string[] {
  if (has(/^(?:sm|md|lg|xl):hidden$/)) return ["narrow"];
  return has(/^hidden$/) && has(/^(?:sm|md|lg|xl):(?:block|flex|grid|inline)/) ? ["wide"] : [];
}

/** Reads the arrangement for wide screens. The style sheet reduces it on narrow screens. */
function readArrangement(has: Has, names: readonly string[]): string[] {
  const counts = names.map((name) => Number(/^(?:\w+:)?grid-cols-(\d+)$/.exec(name)?.[1] ?? 0));
  const columns = Math.min(4, Math.max(0, ...counts));
  if (has(/^(?:\w+:)?(?:inline-)?grid$/)) return columns > 1 ? ["grid", `grid-${columns}`] : [];
  const grow = has(/^(?:flex-1|grow|flex-grow)$/) ? ["grow"] : [];
  if (!has(/^(?:\w+:)?(?:inline-)?flex$/)) return grow;
  if (has(/^flex-col/) && !has(/^(?:sm|md|lg|xl):flex-row$/)) return grow;
  return [
    "row",
    ...(has(/^flex-wrap$|^overflow-x-auto$/) ? ["wrap"] : []),
    ...(has(/^flex-col/) ? ["stack-narrow"] : []),
    ...(has(/^items-center$/) ? ["middle"] : []),
    ...(has(/^justify-between$/) ? ["between"] : []),
    ...(has(/^justify-center$/) ? ["center-items"] : []),
    ...grow,
  ];
}

/** `box` for a block with padding, round corners, and a border or background; `pill` for such an inline element. */
function readBox({ tagName }: Element, has: Has): string[] {
  const isFramed = has(/^(?:border(?:-\d)?|bg-(?!transparent|none).+|shadow(?:-.+)?|ring-\d)$/);
  if (!isFramed || !has(/^rounded(?!-none)/) || !has(/^(?:\w+:)?p[xy]?-/)) return [];
  if (boxTags.has(tagName)) return ["box"];
  return ["span", "a"].includes(tagName) ? ["pill"] : [];
}
