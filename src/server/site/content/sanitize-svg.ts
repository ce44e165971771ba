/** Parses an SVG file as XML and writes it again with only the allowed elements and attributes. */
import { UnusableFileError } from "./docs-tree.ts";

const namespace = "http://www.w3.org/2000/svg";
const maxDepth = 200;
/** Parsing this size takes one or two seconds. */
const maxBytes = 4 * 1024 * 1024;
/** The `data:` URL of an image. */
export const inlineImage = /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,[A-Za-z0-9+/=\s]+$/i;

const nameSet = (list: string): ReadonlySet<string> => new Set(list.split(" "));

/** No scripts, no content in other languages; animations of these elements only. */
const drawingElements = nameSet(
  "a animate animateMotion animateTransform circle clipPath defs desc ellipse feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence filter g image line linearGradient marker mask mpath path pattern polygon polyline radialGradient rect stop style svg switch symbol text textPath title tspan use view",
);
/** Elements that are removed with their content: metadata, fonts that browsers do not support, and data of editors. */
const ignoredElements =
  /^(?:metadata|font|font-face|color-profile|cursor|flowRoot|(?:sodipodi|inkscape|sketch|serif|bx|cc|dc|rdf|i|x|a|d|v):.*)$/;

/** All other attributes are removed. A file with an event handler is refused. */
const drawingAttributes = nameSet(
  "accumulate additive alignment-baseline amplitude attributeName azimuth baseFrequency baseline-shift begin bias by calcMode class clip clip-path clip-rule clipPathUnits color color-interpolation color-interpolation-filters color-rendering cursor cx cy d diffuseConstant direction display divisor dominant-baseline dur dx dy edgeMode elevation enable-background end exponent fill fill-opacity fill-rule filter filterUnits flood-color flood-opacity focusable font-family font-size font-size-adjust font-stretch font-style font-variant font-weight from fr fx fy gradientTransform gradientUnits height href id image-rendering in in2 intercept isolation k1 k2 k3 k4 kernelMatrix kernelUnitLength keyPoints keySplines keyTimes lang lengthAdjust letter-spacing lighting-color limitingConeAngle marker-end marker-mid marker-start markerHeight markerUnits markerWidth mask mask-type maskContentUnits maskUnits max media method min mix-blend-mode mode numOctaves offset opacity operator order orient origin overflow paint-order path pathLength patternContentUnits patternTransform patternUnits pointer-events points pointsAtX pointsAtY pointsAtZ preserveAlpha preserveAspectRatio primitiveUnits r radius refX refY repeatCount repeatDur requiredFeatures result role rotate rx ry scale seed shape-rendering side spacing specularConstant specularExponent spreadMethod startOffset stdDeviation stitchTiles stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width style surfaceScale systemLanguage tableValues target targetX targetY text-anchor text-decoration text-rendering textLength to transform transform-origin type unicode-bidi values vector-effect version viewBox visibility width word-spacing writing-mode x x1 x2 xChannelSelector xml:lang xml:space y y1 y2 yChannelSelector z",
);
const animatedAttributes = nameSet(
  "cx cy d display fill fill-opacity gradientTransform height offset opacity patternTransform points r rx ry stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-opacity stroke-width transform viewBox visibility width x x1 x2 y y1 y2",
);

const linkSchemes = new Set(["http:", "https:", "mailto:"]);
const styleFunctions = nameSet(
  "attr blur brightness calc circle clamp color color-mix contrast cubic-bezier drop-shadow ellipse format grayscale has hsl hsla hue-rotate hwb inset invert is lab lch light-dark linear local matrix matrix3d max min not nth-child nth-last-child nth-last-of-type nth-of-type oklab oklch opacity path perspective polygon rgb rgba rotate rotate3d rotatex rotatey rotatez saturate scale scale3d scalex scaley scalez sepia skew skewx skewy steps translate translate3d translatex translatey translatez url var where",
);
const functionName = /(?<![-\w\u0080-\uFFFF])([-\w\u0080-\uFFFF]*)\(/g;
const inlineResource =
  /^\s*["']?(?:#|data:(?:font\/|application\/(?:x-)?font|image\/(?:png|jpe?g|gif|webp);))/i;
const foreignRule = /@(?!(?:media|supports|font-face|(?:-webkit-)?keyframes)\b)/i;

/**
 * Sanitizes an SVG file. The result is XML in UTF-8 without a document type. It is written from the parsed tokens, so that a
 * browser cannot parse it differently.
 *
 * @throws {UnusableFileError} if the file runs code or loads resources when it is opened by itself, or is not XML.
 */
export function sanitizeSvg(bytes: Uint8Array): string {
  if (bytes.length > maxBytes) throw new UnusableFileError(`this image has more than ${maxBytes} bytes`);
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
    "this image is not well-formed SVG, is not UTF-8 or Latin-1, or defines entities",
  );
}

function active(what = "scripts or loads external resources"): UnusableFileError {
  return new UnusableFileError(`this image contains ${what}`);
}

/** Characters that XML forbids, also as a reference. */
const forbiddenCharacter = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

function decode(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 200)).toString("latin1");
  const [, encoding = "utf-8"] = /^<\?xml\s[^>]*encoding=["'](iso-8859-1|windows-1252)["']/i.exec(head) ?? [];
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    if (forbiddenCharacter.test(text)) throw malformed();
    return text.replace(/\r\n?/g, "\n");
  } catch (error) {
    if (error instanceof TypeError) throw malformed();
    throw error;
  }
}

/** Refuses a style sheet, which would be loaded, and a declaration of another encoding. Other instructions have no effect. */
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

/** Reads the attributes of an element. @returns The position after its tag. */
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

/** HTML elements in the label of a diagram. */
const labelElement = /^(?:div|span|p|br|b|i|em|strong|code|small|sub|sup)$/;

/** Checks an element of a label. @returns The separator from the text before it. */
function readLabelElement(name: string, attributes: ReadonlyMap<string, string>): string {
  if (!labelElement.test(name) || hasHandler(attributes)) throw active();
  return /^(?:div|p|br)$/.test(name) ? "\n" : "";
}

function hasHandler(attributes: ReadonlyMap<string, string>): boolean {
  return [...attributes.keys()].some((name) => /^on/i.test(name));
}

/** Writes the sanitized drawing, and checks that elements are closed correctly. */
class SvgOutput {
  readonly #pieces: string[] = [];
  /** Names of the open elements. */
  readonly #open: string[] = [];
  /** Depth of the ignored element that is open, if any. */
  #ignoredFrom: number | undefined;
  /** The open label: an HTML box whose text is written. */
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
    // `foreignObject` contains HTML: either a label, or in a `switch` an alternative to SVG text.
    if (ignoredElements.test(name) || name === "foreignObject") {
      this.#ignoredFrom = this.#open.length;
      return;
    }
    if (!drawingElements.has(name) || parent === "style")
      throw active(`<${name}>, which may run code or load resources`);
    const kept = sanitizeAttributes(name, attributes).map(([key, value]) => ` ${key}="${escapeText(value)}"`);
    this.#pieces.push(`<${name}${parent === undefined ? ` xmlns="${namespace}"` : ""}${kept.join("")}>`);
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
      // Diagram editors import an icon font. Only the import is removed instead of refusing the file.
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

  /** Writes the HTML label of a diagram editor as lines of SVG text in the middle of the label's box. */
  #writeLabel(box: ReadonlyMap<string, string>, text: string): void {
    const lines = text.split("\n").flatMap((line) => line.trim() || []);
    const number = (name: string) => Number.parseFloat(box.get(name) ?? "") || 0;
    const [x, y] = [number("x") + number("width") / 2, number("y") + number("height") / 2];
    for (const [index, line] of lines.entries()) {
      const dy = (index - (lines.length - 1) / 2) * 1.5;
      const position = `x="${x}" y="${y}" dy="${dy}em" text-anchor="middle" dominant-baseline="central"`;
      this.#pieces.push(`<text ${position}>${escapeContent(line)}</text>`);
    }
  }

  end(): string {
    if (!this.#hasEnded) throw malformed();
    return `${this.#pieces.join("")}\n`;
  }
}

function sanitizeAttributes(element: string, attributes: ReadonlyMap<string, string>): [string, string][] {
  if (hasHandler(attributes)) throw active();
  const kept = new Map<string, string>();
  for (const [key, value] of attributes) {
    const name = key === "xlink:href" && !attributes.has("href") ? "href" : key;
    // XHTML's `style` element has the same meaning; it is written as SVG's.
    if (name === "xmlns" && value !== namespace && element !== "style") throw active();
    if (!drawingAttributes.has(name) && !name.startsWith("aria-")) continue;
    requireHarmlessValue(element, name, value);
    kept.set(name, value);
  }
  return [...kept];
}

function requireHarmlessValue(element: string, name: string, value: string): void {
  if (name === "href") {
    if (!isHarmlessLink(element, value.trim())) throw active();
  } else if (name === "style") requireHarmlessStyle(value);
  else if (name === "attributeName" && !animatedAttributes.has(value)) throw active();
  else if (!name.startsWith("aria-")) requireHarmlessFunctions(value);
}

/** A browser follows the `href` of an `a` only on a click. It loads all others, so that these must be part of the file. */
function isHarmlessLink(element: string, href: string): boolean {
  if (href.startsWith("#")) return true;
  if (element === "image" || element === "feImage") return inlineImage.test(href);
  const url = URL.parse(href, "https://relative.invalid/");
  return element === "a" && url !== null && linkSchemes.has(url.protocol);
}

function requireHarmlessStyle(text: string): void {
  if (foreignRule.test(text)) throw active();
  requireHarmlessFunctions(text);
}

/** CSS functions can load resources. Backslashes are refused: escapes could disguise a function's name. */
function requireHarmlessFunctions(text: string): void {
  if (text.includes("\\")) throw active();
  for (const { 1: name = "", index, 0: found } of text.matchAll(functionName)) {
    const target = text.slice(index + found.length, index + found.length + 100);
    const isKnown = name === "" || styleFunctions.has(name.toLowerCase());
    if (!isKnown || (/^url$/i.test(name) && !inlineResource.test(target))) throw active();
  }
}
