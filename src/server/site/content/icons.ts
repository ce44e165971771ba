/** Finds icons by name: Lucide's own names, brand names, Font Awesome names with a counterpart, or else a name's first words. */
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

/** Finds the drawing of the first words of a name, as many as have one: `user-crown` is drawn as `user`. */
function findClosestDrawing(name: string): string | undefined {
  const end = name.lastIndexOf("-");
  return findDrawing(name) ?? (end > 0 ? findClosestDrawing(name.slice(0, end)) : undefined);
}

/** What names of icons have before and after the words, as in MkDocs and in packages of components. */
const besideWords = /^(?:material|octicons|simple|fontawesome\/[a-z]+)\/|(?<=\w)-?Icon$/g;

/**
 * Creates an icon that is hidden from assistive technology; the text beside it has the meaning. Colour and size are
 * attributes because pages contain no inline styles.
 *
 * @param size Width and height in pixels.
 * @returns `undefined` if no icon has this name or its first words.
 */
export function iconElement(name: string, color?: string, size?: number): Element | undefined {
  const words = name.trim().slice(0, 100).replace(besideWords, "");
  const ownName = words.toLowerCase();
  const properties = { viewBox: "0 0 24 24", ariaHidden: "true", color, width: size, height: size };
  // Font Awesome has an icon for each letter and digit, also in a circle. Lucide has `x`: a cross.
  const letter = /^(?:circle-|square-)?([a-z\d])$/.exec(ownName)?.[1];
  if (letter !== undefined && findDrawing(ownName) === undefined) {
    const font = { textAnchor: "middle", fontSize: 20, fill: "currentColor", stroke: "none" };
    return h("svg.icon", properties, [h("text", { x: 12, y: 19, ...font }, [letter.toUpperCase()])]);
  }
  const dashed = words.replace(/(?<=[a-z])(?=[A-Z\d])/g, "-").toLowerCase();
  const drawing = findDrawing(ownName) ?? findClosestDrawing(dashed);
  if (drawing === undefined) return undefined;
  const shapes = [...drawing.matchAll(/<(\w+)([^>]*)\/>/g)].map(([, tagName = "", attributes = ""]) => {
    const pairs = [...attributes.matchAll(/ (\w+)="([^"]*)"/g)];
    return h(tagName, Object.fromEntries(pairs.map(([, key, value]) => [key, value])));
  });
  return h("svg.icon", properties, shapes);
}
