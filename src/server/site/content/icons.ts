/** Finds icons by name: Lucide's own names, brand names, Font Awesome names with a counterpart, or else the closest name. */
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
 * Drops words from the end of a name, then from its start, until an icon has the remaining name: `user-astronaut` becomes
 * `user`, `head-side-brain` becomes `brain`.
 */
function findClosestDrawing(name: string): string | undefined {
  const words = name.replace(/^(?:fa|lucide|circle|square)-(?=[a-z]{2})/, "").split("-");
  const names = [
    ...words.map((_, index) => words.slice(0, words.length - index)),
    ...words.map((_, index) => words.slice(index)),
  ];
  return names.map((part) => findDrawing(part.join("-"))).find((drawing) => drawing !== undefined);
}

const maxNameLength = 100;

/**
 * Creates an icon that is hidden from assistive technology; the text beside it has the meaning. Colour and size are
 * attributes because pages contain no inline styles.
 *
 * @param size Width and height in pixels.
 * @returns `undefined` if no icon has a similar name.
 */
export function iconElement(name: string, color?: string, size?: number): Element | undefined {
  if (name.length > maxNameLength) return undefined;
  // Font Awesome's style may come first: `duotone book`.
  const ownName = name.trim().replace(/^.*\s/, "");
  // React's components have names such as `FileText` and `Trash2`.
  const kebabName = ownName.replace(/(?<=[a-z\d])(?=[A-Z])|(?<=^[A-Z]\w*[a-z])(?=\d)/g, "-").toLowerCase();
  const drawing =
    findDrawing(ownName.toLowerCase()) ?? findDrawing(kebabName) ?? findClosestDrawing(kebabName);
  const hidden = { viewBox: "0 0 24 24", ariaHidden: "true", focusable: "false" };
  const properties = { ...hidden, color, width: size, height: size };
  // Font Awesome has an icon for each letter and digit. Only `x` is a name in Lucide: a cross.
  if (drawing === undefined && /^[a-z\d]$/.test(kebabName)) {
    const font = { textAnchor: "middle", fontSize: 20, fill: "currentColor", stroke: "none" };
    return h("svg.icon", properties, [h("text", { x: 12, y: 19, ...font }, [kebabName.toUpperCase()])]);
  }
  if (drawing === undefined) return undefined;
  const shapes = [...drawing.matchAll(/<(\w+)([^>]*)\/>/g)].map(([, tagName = "", attributes = ""]) => {
    const pairs = [...attributes.matchAll(/ (\w+)="([^"]*)"/g)];
    return h(tagName, Object.fromEntries(pairs.map(([, key, value]) => [key, value])));
  });
  return h("svg.icon", properties, shapes);
}
