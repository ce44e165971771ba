/** Finds icons by name: Lucide's own names, brand names, or Font Awesome names with a counterpart. */
import type { Element } from "hast";
import { h } from "hastscript";
import { readPacked } from "./packed-data.ts";

/** `drawings` maps names to SVG markup; `aliases` maps alternative names to those names. */
type Icons = Readonly<Record<"drawings" | "aliases", Readonly<Record<string, string>>>>;
let icons: Icons | undefined;

function findDrawing(name: string): string | undefined {
  icons ??= JSON.parse(readPacked("icons").toString()) as Icons;
  const { drawings, aliases } = icons;
  const current = Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
  return Object.hasOwn(drawings, current) ? drawings[current] : undefined;
}

/**
 * Creates an icon that is hidden from assistive technology; the text beside it has the meaning. Colour and size are
 * attributes because pages contain no inline styles.
 *
 * @param size Width and height in pixels.
 * @returns `undefined` if no icon has this name.
 */
export function iconElement(name: string, color?: string, size?: number): Element | undefined {
  const drawing = findDrawing(name.trim().toLowerCase());
  if (drawing === undefined) return undefined;
  const shapes = [...drawing.matchAll(/<(\w+)([^>]*)\/>/g)].map(([, tagName = "", attributes = ""]) => {
    const pairs = [...attributes.matchAll(/ (\w+)="([^"]*)"/g)];
    return h(tagName, Object.fromEntries(pairs.map(([, key, value]) => [key, value])));
  });
  const properties = { viewBox: "0 0 24 24", ariaHidden: "true", focusable: "false", color };
  return h("svg.icon", { ...properties, width: size, height: size }, shapes);
}
