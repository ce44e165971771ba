/** Reads an SVG file as XML and writes it again, with nothing in it but what draws. */
import { UnusableFileError } from "./docs-tree.ts";

const namespace = "http://www.w3.org/2000/svg";
const maxDepth = 200;
/** What takes a second or two to read. */
const maxBytes = 4 * 1024 * 1024;
/** A picture that is a part of the address itself. */
export const inlineImage = /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,[A-Za-z0-9+/=\s]+$/i;

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "));

/** No scripts, no content of other languages, and no animation but of what is drawn. */
const drawingElements = words(
  "a animate animateMotion animateTransform circle clipPath defs desc ellipse feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence filter g image line linearGradient marker mask mpath path pattern polygon polyline radialGradient rect stop style svg switch symbol text textPath title tspan use view",
);
/** Left out with what is in them: descriptions, fonts that no browser reads, and what editors keep for themselves. */
const ignoredElements =
  /^(?:metadata|font|font-face|color-profile|cursor|flowRoot|(?:sodipodi|inkscape|sketch|serif|bx|cc|dc|rdf|i|x|a|d|v):.*)$/;

/** All others are left out; an event handler is refused. */
const drawingAttributes = words(
  "accumulate additive alignment-baseline amplitude attributeName azimuth baseFrequency baseline-shift begin bias by calcMode class clip clip-path clip-rule clipPathUnits color color-interpolation color-interpolation-filters color-rendering cursor cx cy d diffuseConstant direction display divisor dominant-baseline dur dx dy edgeMode elevation enable-background end exponent fill fill-opacity fill-rule filter filterUnits flood-color flood-opacity focusable font-family font-size font-size-adjust font-stretch font-style font-variant font-weight from fr fx fy gradientTransform gradientUnits height href id image-rendering in in2 intercept isolation k1 k2 k3 k4 kernelMatrix kernelUnitLength keyPoints keySplines keyTimes lang lengthAdjust letter-spacing lighting-color limitingConeAngle marker-end marker-mid marker-start markerHeight markerUnits markerWidth mask mask-type maskContentUnits maskUnits max media method min mix-blend-mode mode numOctaves offset opacity operator order orient origin overflow paint-order path pathLength patternContentUnits patternTransform patternUnits pointer-events points pointsAtX pointsAtY pointsAtZ preserveAlpha preserveAspectRatio primitiveUnits r radius refX refY repeatCount repeatDur requiredFeatures result role rotate rx ry scale seed shape-rendering side spacing specularConstant specularExponent spreadMethod startOffset stdDeviation stitchTiles stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width style surfaceScale systemLanguage tableValues target targetX targetY text-anchor text-decoration text-rendering textLength to transform transform-origin type unicode-bidi values vector-effect version viewBox visibility width word-spacing writing-mode x x1 x2 xChannelSelector xml:lang xml:space y y1 y2 yChannelSelector z",
);
const animatedAttributes = words(
  "cx cy d display fill fill-opacity gradientTransform height offset opacity patternTransform points r rx ry stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-opacity stroke-width transform viewBox visibility width x x1 x2 y y1 y2",
);

const linkSchemes = new Set(["http:", "https:", "mailto:"]);
const styleFunctions = words(
  "attr blur brightness calc circle clamp color color-mix contrast cubic-bezier drop-shadow ellipse format grayscale has hsl hsla hue-rotate hwb inset invert is lab lch light-dark linear local matrix matrix3d max min not nth-child nth-last-child nth-last-of-type nth-of-type oklab oklch opacity path perspective polygon rgb rgba rotate rotate3d rotatex rotatey rotatez saturate scale scale3d scalex scaley scalez sepia skew skewx skewy steps translate translate3d translatex translatey translatez url var where",
);
const functionName = /(?<![-\w\u0080-\uFFFF])([-\w\u0080-\uFFFF]*)\(/g;
const inlineResource =
  /^\s*["']?(?:#|data:(?:font\/|application\/(?:x-)?font|image\/(?:png|jpe?g|gif|webp);))/i;
const foreignRule = /@(?!(?:media|supports|font-face|(?:-webkit-)?keyframes)\b)/i;

/**
 * What draws of an SVG file, as XML in UTF-8 without a document type. The text is written from what was read, so that no
 * browser can read anything else in it.
 *
 * @throws {UnusableFileError} for what runs, or loads something, when the file is opened by itself, and for what is no XML
 */
export function sanitizeSvg(bytes: Uint8Array): string {
  if (bytes.length > maxBytes) throw new UnusableFileError(`this drawing has more than ${maxBytes} bytes`);
  const text = decode(bytes);
  const output = new SvgOutput();
  const token =
    /<!--[\s\S]*?-->|<!DOCTYPE[^<>[]*>|<\?([\w:.-]+)([\s\S]*?)\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<\/([\w:.-]+)\s*>|<([a-z_][\w:.-]*)|([^<]+)/iy;
  while (token.lastIndex < text.length) {
    const match = token.exec(text);
    if (match === null) throw malformed();
    const [, instruction, parameters = "", data, closed, opened, content] = match;
    if (instruction !== undefined) requireHarmlessInstruction(instruction, parameters);
    else if (data !== undefined) output.addText(data);
    else if (closed !== undefined) output.close(closed);
    else if (content !== undefined) output.addText(decodeReferences(content));
    else if (opened !== undefined) token.lastIndex = readTag(text, token.lastIndex, opened, output);
  }
  return output.end();
}

function malformed(): UnusableFileError {
  return new UnusableFileError(
    "this image is no well-formed SVG in UTF-8 or Latin-1 without entities of its own",
  );
}

function active(what = "scripts or loads something from elsewhere"): UnusableFileError {
  return new UnusableFileError(`this image holds ${what}`);
}

/** What no XML may contain, also not as a reference. */
const forbiddenCharacter = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

function decode(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 200)).toString("latin1");
  const [, single] = /^<\?xml\s[^>]*encoding=["'](iso-8859-1|windows-1252)["']/i.exec(head) ?? [];
  try {
    const text = new TextDecoder(single ?? "utf-8", { fatal: true }).decode(bytes);
    if (forbiddenCharacter.test(text)) throw malformed();
    return text.replace(/\r\n?/g, "\n");
  } catch (error) {
    if (error instanceof TypeError) throw malformed();
    throw error;
  }
}

/** The declaration must not claim another encoding, and a style sheet would be loaded; the rest means nothing here. */
function requireHarmlessInstruction(name: string, parameters: string): void {
  if (name === "xml-stylesheet") throw active();
  const encoding = /\sencoding\s*=\s*["']([^"']*)/.exec(parameters)?.[1] ?? "UTF-8";
  if (name === "xml" && !/^(?:utf-?8|us-ascii|iso-8859-1|windows-1252)$/i.test(encoding)) throw malformed();
}

const characters: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const references = /&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(amp|lt|gt|quot|apos));/g;
const otherReference = new RegExp(`&(?!${references.source.slice(1)})`);

function decodeReferences(text: string): string {
  if (otherReference.test(text)) throw malformed();
  return text.replace(references, (_, decimal, hex, name) => {
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    const character = characters[name] ?? (code <= 0x10ffff ? String.fromCodePoint(code) : "\0");
    if (forbiddenCharacter.test(character)) throw malformed();
    return character;
  });
}

function escapeText(text: string): string {
  return text.replace(/[&<>"\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function escapeContent(text: string): string {
  return text.replace(/[&<>\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Reads the attributes of an element up to the end of its tag; returns where that is. */
function readTag(text: string, start: number, name: string, output: SvgOutput): number {
  const attribute = /\s+([a-z_][\w:.-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/iy;
  const end = /\s*(\/?)>/y;
  const attributes = new Map<string, string>();
  attribute.lastIndex = start;
  end.lastIndex = start;
  for (let match = attribute.exec(text); match !== null; match = attribute.exec(text)) {
    const [, key = "", quoted = "", apostrophed = quoted] = match;
    if (attributes.has(key)) throw malformed();
    attributes.set(key, decodeReferences(apostrophed.replace(/[\t\n]/g, " ")));
    end.lastIndex = attribute.lastIndex;
  }
  const closing = end.exec(text);
  if (closing === null) throw malformed();
  output.open(name, attributes);
  if (closing[1] === "/") output.close(name);
  return end.lastIndex;
}

/** Elements of a label's text. */
const labelElement = /^(?:div|span|p|br|b|i|em|strong|code|small|sub|sup)$/;

/** What separates an element of a label from the text before it. */
function readLabelElement(name: string, attributes: ReadonlyMap<string, string>): string {
  if (!labelElement.test(name) || hasHandler(attributes)) throw active();
  return /^(?:div|p|br)$/.test(name) ? "\n" : "";
}

function hasHandler(attributes: ReadonlyMap<string, string>): boolean {
  return [...attributes.keys()].some((name) => /^on/i.test(name));
}

/** The drawing as it is written again, and the elements that are open. */
class SvgOutput {
  readonly #pieces: string[] = [];
  readonly #open: string[] = [];
  /** How many elements were open outside what is left out; `undefined` outside of it. */
  #ignoredFrom: number | undefined;
  /** The label that is read: HTML in a box, of which the text is written. */
  #label: { readonly box: ReadonlyMap<string, string>; text: string } | undefined;
  #style = "";
  #hasEnded = false;

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    const parent = this.#open.at(-1);
    if (this.#hasEnded || this.#open.length >= maxDepth) throw malformed();
    if (parent === undefined && name !== "svg") throw malformed();
    this.#open.push(name);
    if (this.#label !== undefined) this.#label.text += readLabelElement(name, attributes);
    if (this.#ignoredFrom !== undefined) return;
    if (name === "foreignObject" && parent !== "switch") this.#label = { box: attributes, text: "" };
    // A drawing program writes text as HTML for some readers, and as text for all others.
    if (ignoredElements.test(name) || name === "foreignObject") {
      this.#ignoredFrom = this.#open.length;
      return;
    }
    if (!drawingElements.has(name) || parent === "style")
      throw active(`<${name}>, which may run or load something`);
    const written = writtenAttributes(name, attributes).map(
      ([key, value]) => ` ${key}="${escapeText(value)}"`,
    );
    this.#pieces.push(`<${name}${parent === undefined ? ` xmlns="${namespace}"` : ""}${written.join("")}>`);
  }

  close(name: string): void {
    if (this.#open.pop() !== name) throw malformed();
    const isIgnored = this.#ignoredFrom !== undefined;
    if (this.#open.length + 1 === this.#ignoredFrom) {
      this.#ignoredFrom = undefined;
      if (this.#label !== undefined) this.#writeLabel(this.#label.box, this.#label.text);
      this.#label = undefined;
    }
    this.#hasEnded = this.#open.length === 0;
    if (isIgnored) return;
    if (name === "style") {
      // Diagram editors import a font for icons: the rule goes, and the drawing stays.
      const style = this.#style.replace(/@import\b[^;{}]*;/gi, "");
      requireHarmlessStyle(style);
      this.#pieces.push(escapeContent(style));
      this.#style = "";
    }
    this.#pieces.push(`</${name}>`);
  }

  addText(text: string): void {
    if (this.#open.length === 0 && text.trim() !== "") throw malformed();
    if (this.#label !== undefined) this.#label.text += text.replace(/\s+/g, " ");
    if (this.#open.length === 0 || this.#ignoredFrom !== undefined) return;
    if (this.#open.at(-1) === "style") this.#style += text;
    else this.#pieces.push(escapeContent(text));
  }

  /** Diagram editors write labels as HTML in a box that fits them: here they are lines of text in its middle. */
  #writeLabel(box: ReadonlyMap<string, string>, written: string): void {
    const lines = written.split("\n").flatMap((line) => line.trim() || []);
    const at = (name: string) => Number.parseFloat(box.get(name) ?? "") || 0;
    const [x, y] = [at("x") + at("width") / 2, at("y") + at("height") / 2];
    for (const [index, line] of lines.entries()) {
      const look = `x="${x}" y="${y}" dy="${(index - (lines.length - 1) / 2) * 1.5}em" text-anchor="middle"`;
      this.#pieces.push(`<text ${look} dominant-baseline="central">${escapeContent(line)}</text>`);
    }
  }

  end(): string {
    if (!this.#hasEnded) throw malformed();
    return `${this.#pieces.join("")}\n`;
  }
}

function writtenAttributes(element: string, attributes: ReadonlyMap<string, string>): [string, string][] {
  if (hasHandler(attributes)) throw active();
  const written = new Map<string, string>();
  for (const [key, value] of attributes) {
    const name = key === "xlink:href" && !attributes.has("href") ? "href" : key;
    // A style sheet is one in XHTML as well; here it is written as SVG's.
    if (name === "xmlns" && value !== namespace && element !== "style") throw active();
    if (!drawingAttributes.has(name) && !name.startsWith("aria-")) continue;
    requireHarmlessValue(element, name, value);
    written.set(name, value);
  }
  return [...written];
}

function requireHarmlessValue(element: string, name: string, value: string): void {
  if (name === "href") {
    if (!isHarmlessLink(element, value.trim())) throw active();
  } else if (name === "style") requireHarmlessStyle(value);
  else if (name === "attributeName" && !animatedAttributes.has(value)) throw active();
  else if (!name.startsWith("aria-")) requireHarmlessFunctions(value);
}

/** A link is followed by a click; anything else is loaded, and must be a part of the file. */
function isHarmlessLink(element: string, address: string): boolean {
  if (address.startsWith("#")) return true;
  if (element === "image" || element === "feImage") return inlineImage.test(address);
  const url = URL.parse(address, "https://relative.invalid/");
  return element === "a" && url !== null && linkSchemes.has(url.protocol);
}

function requireHarmlessStyle(text: string): void {
  if (foreignRule.test(text)) throw active();
  requireHarmlessFunctions(text);
}

/** Functions of CSS can load; a backslash can spell their names in other ways. */
function requireHarmlessFunctions(text: string): void {
  if (text.includes("\\")) throw active();
  for (const { 1: name = "", index, 0: found } of text.matchAll(functionName)) {
    const target = text.slice(index + found.length, index + found.length + 100);
    const isKnown = name === "" || styleFunctions.has(name.toLowerCase());
    if (!isKnown || (/^url$/i.test(name) && !inlineResource.test(target))) throw active();
  }
}
