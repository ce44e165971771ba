import type { ElementContent } from "hast";
import { element, isElement } from "../content/hast.ts";
import { iconElement } from "../content/icons.ts";
import type { Component } from "../content/placeholder.ts";
import { asRecord, type ComponentContext, type ComponentRenderer, textProp } from "./component.ts";

/** A list in Markdown inside the component is the tree itself. */
function renderTree(component: Component, context: ComponentContext): ElementContent[] {
  const children = context.expand(component.children);
  const entries = children.flatMap((child) => (isElement(child, "ul") ? child.children : [child]));
  return [element("ul", { className: ["file-tree"] }, ...entries)];
}

function renderTreeFolder(component: Component, context: ComponentContext): ElementContent[] {
  const children = context.expand(component.children);
  const list = children.length === 0 ? undefined : element("ul", {}, ...children);
  return [element("li", {}, iconElement("folder"), textProp(component, "name") ?? "", list)];
}

function renderTreeFile(component: Component): ElementContent[] {
  return [element("li", {}, iconElement("file"), textProp(component, "name") ?? "")];
}

const hexColour = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i;

/** Filled by an attribute of the drawing: pages have no style attributes. */
function swatch(colour: string): ElementContent[] {
  const drawing = { className: ["swatch"], viewBox: "0 0 24 24", ariaHidden: "true", focusable: "false" };
  return [
    ...(hexColour.test(colour)
      ? [element("svg", drawing, element("rect", { width: 24, height: 24, fill: colour }))]
      : []),
    element("code", {}, colour),
  ];
}

/** A colour with its name; one for light and one for dark where the two differ. */
function renderColour(component: Component): ElementContent[] {
  const { value } = component.props;
  const pair = asRecord(value);
  const colours = typeof value === "string" ? [value] : Object.values(pair).map(String);
  const name = textProp(component, "name");
  return [
    element(
      "div",
      { className: ["colour"] },
      name === undefined ? undefined : element("span", { className: ["colour-name"] }, name),
      ...colours.flatMap(swatch),
    ),
  ];
}

function renderColourList(component: Component, context: ComponentContext): ElementContent[] {
  const title = textProp(component, "title");
  const content = context.expand(component.children);
  return [
    element(
      "div",
      { className: ["colours"] },
      title === undefined ? undefined : element("p", { className: ["colours-title"] }, title),
      ...content,
    ),
  ];
}

/** A text to hand to an assistant, under its description. */
function renderPrompt(component: Component, context: ComponentContext): ElementContent[] {
  const description = textProp(component, "description", "title") ?? "Prompt";
  return [
    element(
      "figure",
      { className: ["frame", "prompt"] },
      element("figcaption", {}, description),
      element("div", { className: ["prompt-body"] }, ...context.expand(component.children)),
    ),
  ];
}

/** An exported site is read by people. */
function renderVisibility(component: Component, context: ComponentContext): ElementContent[] {
  return textProp(component, "for") === "agents" ? [] : context.expand(component.children);
}

function renderVideo(component: Component): ElementContent[] {
  const source = textProp(component, "src");
  return source === undefined ? [] : [element("video", { src: source })];
}

/** What is looked at more than read: trees of files, colours, prompts, videos. */
export const visual: Readonly<Record<string, ComponentRenderer>> = {
  FileTree: renderTree,
  Tree: renderTree,
  Folder: renderTreeFolder,
  File: renderTreeFile,
  Color: renderColourList,
  "Color.Row": renderColourList,
  "Color.Item": renderColour,
  Prompt: renderPrompt,
  Visibility: renderVisibility,
  Video: renderVideo,
};
