/**
 * Pages arrange their own elements by Tailwind's utility classes or by styles. Only rows, columns, boxes, centred text, the colour scheme
 * and elements of one screen width are kept, as `data-layout` keywords and classes of the site's own style sheet, and the sizes of pictures.
 */
import type { Element } from "hast";
import { classNames, isElement, namesWhere, stringProperty } from "./hast.ts";

/** Replaces an element's classes and style by the site's own names; the sanitizer removes all others. */
export function reduceStyles(node: Element): void {
  // Before sanitizing, the property is a string or a list.
  const classes = stringProperty(node, "className") ?? classNames(node).join(" ");
  const names = [...classes.split(/\s+/).map((name) => name.replace("!", "")), ...classesOfStyle(node)];
  node.properties["dataLayout"] = readLayout(node, names);
  if (isElement(node, "svg", "img")) node.properties = { ...readSize(node, names), ...node.properties };
  const scheme = schemeClassOf(node, names);
  if (scheme !== undefined) node.properties["className"] = [scheme];
}

/** Tailwind's classes for a row and for centred text in an element's style, whose names may be in camel case. */
function classesOfStyle(node: Element): readonly string[] {
  const style = stringProperty(node, "style") ?? "";
  return namesWhere({
    flex: /(?<![\w-])display\s*:\s*flex\b/i.test(style),
    "flex-col": /(?<![\w-])flex-?direction\s*:\s*column\b/i.test(style),
    "flex-wrap": /(?<![\w-])flex-?wrap\s*:\s*wrap\b/i.test(style),
    "items-center": /(?<![\w-])align-?items\s*:\s*center\b/i.test(style),
    "text-center": /(?<![\w-])text-?align\s*:\s*center\b/i.test(style),
  });
}

/** The site's class for `dark:hidden`, `hidden dark:block`, and GitHub's `image.png#gh-dark-mode-only`. */
function schemeClassOf(node: Element, names: readonly string[]): string | undefined {
  if (names.includes("dark:hidden")) return "only-light";
  const isShownOnDark = names.some((name) => /^dark:(?:block|flex|grid|inline(?:-block|-flex)?)$/.test(name));
  if (names.includes("hidden") && isShownOnDark) return "only-dark";
  const mode = /#gh-(light|dark)-mode-only$/.exec(stringProperty(node, "src") ?? "")?.[1];
  return mode && `only-${mode}`;
}

/** Reads the width and height of a picture in pixels from its classes and style. A unit of Tailwind's scale is four pixels. */
function readSize(node: Element, names: readonly string[]): Readonly<Record<string, number>> {
  const style = stringProperty(node, "style") ?? "";
  const styles = [...style.matchAll(/(?<![\w-])([wh])(?:idth|eight)\s*:\s*([\d.]+(?:px)?)\s*(?:;|$)/g)];
  const sizes = [...names, ...styles.map(([, side, size]) => `${side}-[${size}]`)].flatMap((name) => {
    const [, side, units, pixels] =
      /^(w|h|size)-(?:(\d+(?:\.\d+)?)|\[(\d+(?:\.\d+)?)(?:px)?\])$/.exec(name) ?? [];
    const size = units === undefined ? Number(pixels) : Number(units) * 4;
    if (side === undefined || size === 0) return [];
    return [{ ...(side !== "h" && { width: size }), ...(side !== "w" && { height: size }) }];
  });
  return Object.assign({}, ...sizes);
}

const boxTags = new Set(["div", "section", "article", "aside", "p", "li"]);

/** Creates the value of an element's `data-layout`; `undefined` for most elements. The style sheet adapts it to narrow screens. */
function readLayout({ tagName }: Element, names: readonly string[]): string | undefined {
  const has = (pattern: RegExp) => names.some((name) => pattern.test(name));
  const counts = names.map((name) => Number(/^(?:\w+:)?grid-cols-(\d+)$/.exec(name)?.[1] ?? 0));
  const columns = Math.min(4, Math.max(0, ...counts));
  const isRow = has(/^(?:\w+:)?flex$/) && (!has(/^flex-col/) || has(/:flex-row$/));
  const isFramed = has(/^(?:border(?:-\d)?|bg-(?!transparent|none).+|shadow(?:-.+)?|ring-\d)$/);
  const isBox = isFramed && has(/^rounded(?!-none)/) && has(/^(?:\w+:)?p[xy]?-/) && boxTags.has(tagName);
  const keywords = namesWhere({
    [`grid grid-${columns}`]: columns > 1 && has(/^(?:\w+:)?grid$/),
    row: isRow,
    wrap: isRow && has(/^flex-wrap$|:flex-row$/),
    middle: isRow && has(/^items-center$/),
    box: isBox,
    center: has(/^text-center$/),
    // Shown on such screens only; a page often has the same content for both.
    narrow: has(/^(?:sm|md|lg|xl):hidden$/),
    wide: has(/^hidden$/) && has(/^(?:sm|md|lg|xl):(?:block|flex|grid|inline)/),
  });
  return keywords.length === 0 ? undefined : keywords.join(" ");
}
