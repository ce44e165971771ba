/** Small components within a text, and what is seen more than read: pictures, trees of files, colours. */
import type { Element, ElementContent } from "hast";
import { h } from "hastscript";
import { type Component, type ComponentRenderer, Props } from "./component.ts";
import { isElement } from "./hast.ts";
import { iconElement } from "./icons.ts";

function renderTooltip(component: Component): ElementContent[] {
  const tip = component.text("tip", "content", "headline");
  if (tip === undefined) return component.content();
  const id = component.nextId("tip");
  const content = [component.content(), h("span.tooltip-text", { role: "tooltip", id }, [tip])];
  return [h("span.tooltip", { tabIndex: 0, role: "note", ariaDescribedBy: id }, content)];
}

function renderIcon(component: Component): ElementContent[] {
  const icon = iconElement(component.text("icon", "name") ?? "");
  return icon === undefined ? [] : [icon];
}

function renderFrame(component: Component): Element {
  const caption = component.text("caption");
  return h("figure.frame", [component.content(), caption && h("figcaption", [caption])]);
}

function renderImage(component: Component): ElementContent[] {
  const src = component.text("src", "srcLight", "light");
  return src === undefined ? [] : [h("img", { src, alt: component.text("alt") ?? "" })];
}

function renderVideo(component: Component): ElementContent[] {
  const src = component.text("src");
  return src === undefined ? [] : [h("video", { src })];
}

function renderLink(component: Component): ElementContent[] {
  const href = component.text("href", "to");
  return href === undefined ? component.content() : [h("a", { href }, component.content())];
}

/** A list in Markdown inside the component is the tree itself. */
function renderTree(component: Component): Element {
  const entries = component.content().flatMap((child) => (isElement(child, "ul") ? child.children : [child]));
  return h("ul.file-tree", entries);
}

function renderTreeEntry(icon: string): ComponentRenderer {
  return (component) => {
    const children = component.content();
    return h("li", [
      iconElement(icon),
      component.text("name") ?? "",
      children.length > 0 ? h("ul", children) : undefined,
    ]);
  };
}

const hexColour = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i;

/** Filled by an attribute of the drawing: pages have no style attributes. */
function swatch(colour: string): ElementContent[] {
  const drawing = { viewBox: "0 0 24 24", ariaHidden: "true", focusable: "false" };
  const square = () => h("svg.swatch", drawing, [h("rect", { width: 24, height: 24, fill: colour })]);
  return [...(hexColour.test(colour) ? [square()] : []), h("code", [colour])];
}

/** A colour with its name; one for light and one for dark where the two differ. */
function renderColour(component: Component): Element {
  const { value } = component.values;
  const colours = typeof value === "string" ? [value] : Object.values(new Props(value).values).map(String);
  const name = component.text("name");
  return h("div.colour", [name && h("span.colour-name", [name]), colours.flatMap(swatch)]);
}

function renderColourList(component: Component): Element {
  const title = component.text("title");
  return h("div.colours", [title && h("p.colours-title", [title]), component.content()]);
}

export const mediaComponents: Readonly<Record<string, ComponentRenderer>> = {
  Tooltip: renderTooltip,
  Icon: renderIcon,
  Badge: (component) => h("span.tag", [component.text("text"), component.content()]),
  Link: renderLink,
  Frame: renderFrame,
  Image: renderImage,
  Img: renderImage,
  Video: renderVideo,
  FileTree: renderTree,
  Tree: renderTree,
  Folder: renderTreeEntry("folder"),
  File: renderTreeEntry("file"),
  Color: renderColourList,
  "Color.Row": renderColourList,
  "Color.Item": renderColour,
};
