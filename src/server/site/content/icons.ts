/** Icons by the names that documents write: those of Lucide and of brands, of Font Awesome those with a counterpart, else the nearest. */
import type { Element } from "hast";
import { h } from "hastscript";
import { readPacked } from "./packed-data.ts";

/** Drawings, and other names for them. */
type Icons = Readonly<Record<"drawings" | "aliases", Readonly<Record<string, string>>>>;
let icons: Icons | undefined;

/** An icon's drawing, by one of its names. */
function drawingOf(name: string): string | undefined {
  icons ??= JSON.parse(readPacked("icons").toString()) as Icons;
  const { drawings, aliases } = icons;
  const current = Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
  return Object.hasOwn(drawings, current) ? drawings[current] : undefined;
}

/** The icon of most of a name's words, first from its beginning: `user-astronaut` is a `user`, `head-side-brain` a `brain`. */
function nearestDrawing(name: string): string | undefined {
  const words = name.replace(/^(?:fa|lucide|circle|square)-(?=[a-z]{2})/, "").split("-");
  const names = [
    ...words.map((_, index) => words.slice(0, words.length - index)),
    ...words.map((_, index) => words.slice(index)),
  ];
  return names.map((part) => drawingOf(part.join("-"))).find((drawing) => drawing !== undefined);
}

const maxNameLength = 100;

const letterLook = { x: 12, y: 19, textAnchor: "middle", fontSize: 20, fill: "currentColor", stroke: "none" };

/**
 * An icon, hidden from assistive technology: the text beside it carries the meaning. The style sheet strokes its shapes; a colour,
 * and a size in pixels, are attributes, since pages have no styles. `undefined` for a name without a counterpart.
 */
export function iconElement(name: string, color?: string, size?: number): Element | undefined {
  if (name.length > maxNameLength) return undefined;
  const written = name.replace(/([a-z\d])([A-Z])/g, "$1-$2").toLowerCase();
  const drawing = drawingOf(name.toLowerCase()) ?? drawingOf(written) ?? nearestDrawing(written);
  const hidden = { viewBox: "0 0 24 24", ariaHidden: "true", focusable: "false" };
  const frame = { ...hidden, color, width: size, height: size };
  // Font Awesome has an icon of each letter and digit; Lucide's `x` is a cross.
  if (drawing === undefined && /^[a-z\d]$/.test(written))
    return h("svg.icon", frame, [h("text", letterLook, [written.toUpperCase()])]);
  if (drawing === undefined) return undefined;
  const shapes = [...drawing.matchAll(/<(\w+)([^>]*)\/>/g)].map(([, tagName = "", attributes = ""]) => {
    const own = [...attributes.matchAll(/ (\w+)="([^"]*)"/g)];
    return h(tagName, Object.fromEntries(own.map(([, key, value]) => [key, value])));
  });
  return h("svg.icon", frame, shapes);
}
