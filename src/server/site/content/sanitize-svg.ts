/** Parses an SVG file as XML and writes it again with only the allowed elements and attributes. */
import {
  parseXml,
  type XmlDocument,
  XmlDocumentType,
  XmlElement,
  XmlError,
  XmlProcessingInstruction,
  XmlText,
} from "@rgrove/parse-xml";
import { normalizeLineEndings } from "../../../base/text.ts";
import { UnusableFileError } from "./docs-tree.ts";

const namespace = "http://www.w3.org/2000/svg";
const maxDepth = 200;
/** Parsing this size takes one or two seconds. */
const maxBytes = 4 * 1024 * 1024;
/** The parsed tree takes about 300 bytes of memory for each tag. */
const maxTags = 300_000;
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
 * Sanitizes an SVG file. The result is XML in UTF-8 without a document type. It is written from the parsed tree, so that a
 * browser cannot parse it differently.
 *
 * @throws {UnusableFileError} if the file runs code or loads resources when it is opened by itself, or is not XML.
 */
export function sanitizeSvg(bytes: Uint8Array): string {
  if (bytes.length > maxBytes) throw new UnusableFileError(`this image has more than ${maxBytes} bytes`);
  try {
    const { children, root } = parse(bytes);
    for (const node of children) {
      // Its entities and default attributes would be missing.
      if (node instanceof XmlDocumentType && node.internalSubset !== null) throw malformed();
      if (node instanceof XmlProcessingInstruction && node.name === "xml-stylesheet") throw active();
    }
    if (root?.name !== "svg") throw malformed();
    return `${printElement(root, 0)}\n`;
  } catch (error) {
    // Bytes that are not in the declared encoding, text that is not XML, or elements that are nested too deeply.
    if ([TypeError, XmlError, RangeError].some((expected) => error instanceof expected)) throw malformed();
    throw error;
  }
}

function malformed(): UnusableFileError {
  return new UnusableFileError(
    "this image is not well-formed SVG, is not UTF-8 or Latin-1, or defines entities",
  );
}

function active(what = "scripts or loads external resources"): UnusableFileError {
  return new UnusableFileError(`this image contains ${what}`);
}

function parse(bytes: Uint8Array): XmlDocument {
  const head = Buffer.from(bytes.subarray(0, 200)).toString("latin1");
  const [, encoding = "utf-8"] = /<\?xml\s[^>]*encoding\s*=\s*["']([^"']*)/i.exec(head) ?? [];
  if (!/^(?:utf-?8|us-ascii|iso-8859-1|windows-1252)$/i.test(encoding)) throw malformed();
  const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  if (text.split("<").length > maxTags)
    throw new UnusableFileError(`this image has more than ${maxTags} tags`);
  // The parser's own conversion of line breaks takes quadratic time.
  return parseXml(normalizeLineEndings(text.trimStart()), { preserveDocumentType: true });
}

function escapeAttribute(text: string): string {
  return text.replace(/[&<>"\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function escapeContent(text: string): string {
  return text.replace(/[&<>\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Prints an element with its allowed content; nothing for an ignored element. */
function printElement(element: XmlElement, depth: number): string {
  const { name, attributes } = element;
  if (depth >= maxDepth) throw malformed();
  if (ignoredElements.test(name)) return "";
  if (!drawingElements.has(name)) throw active(`<${name}>, which may run code or load resources`);
  const kept = sanitizeAttributes(name, attributes).map(
    ([key, value]) => ` ${key}="${escapeAttribute(value)}"`,
  );
  const tag = `${name}${depth === 0 ? ` xmlns="${namespace}"` : ""}${kept.join("")}`;
  return `<${tag}>${name === "style" ? printStyle(element) : printContent(element, depth)}</${name}>`;
}

function printContent({ name, children }: XmlElement, depth: number): string {
  const printed = children.map((child) => {
    if (child instanceof XmlText) return escapeContent(child.text);
    if (!(child instanceof XmlElement)) return "";
    if (child.name !== "foreignObject") return printElement(child, depth + 1);
    // It contains HTML: either a label, or in a `switch` an alternative to SVG text.
    return name === "switch" ? "" : printLabel(child);
  });
  return printed.join("");
}

function printStyle({ text, children }: XmlElement): string {
  if (children.some((child) => child instanceof XmlElement)) throw active();
  // Diagram editors load fonts. Only these rules are removed instead of refusing the file. Without the limit of their length,
  // the search would take quadratic time.
  const style = text.replace(
    /@import\b[^;{}]{0,1000};|@font-face\s*\{(?![^{}]*\bdata:)[^{}]{0,1000}\}/gi,
    "",
  );
  requireHarmlessStyle(style);
  return escapeContent(style);
}

/** Prints the HTML label of a diagram editor as lines of SVG text in the middle of the label's box. */
function printLabel(label: XmlElement): string {
  const lines = textOfLabel(label)
    .split("\n")
    .flatMap((line) => line.trim() || []);
  const number = (name: string) => Number.parseFloat(label.attributes[name] ?? "") || 0;
  const [x, y] = [number("x") + number("width") / 2, number("y") + number("height") / 2];
  const printed = lines.map((line, index) => {
    const dy = (index - (lines.length - 1) / 2) * 1.5;
    const position = `x="${x}" y="${y}" dy="${dy}em" text-anchor="middle" dominant-baseline="central"`;
    return `<text ${position}>${escapeContent(line)}</text>`;
  });
  return printed.join("");
}

/** HTML elements in the label of a diagram. */
const labelElement = /^(?:div|span|p|br|b|i|em|strong|code|small|sub|sup)$/;

function textOfLabel({ children }: XmlElement): string {
  const texts = children.map((child) => {
    if (child instanceof XmlText) return child.text.replace(/\s+/g, " ");
    if (!(child instanceof XmlElement)) return "";
    if (!labelElement.test(child.name) || hasHandler(child.attributes)) throw active();
    return (/^(?:div|p|br)$/.test(child.name) ? "\n" : "") + textOfLabel(child);
  });
  return texts.join("");
}

type Attributes = XmlElement["attributes"];

function hasHandler(attributes: Attributes): boolean {
  return Object.keys(attributes).some((name) => /^on/i.test(name));
}

function sanitizeAttributes(element: string, attributes: Attributes): [string, string][] {
  if (hasHandler(attributes)) throw active();
  const kept = new Map<string, string>();
  for (const [key, value] of Object.entries(attributes)) {
    const name = key === "xlink:href" && attributes["href"] === undefined ? "href" : key;
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
