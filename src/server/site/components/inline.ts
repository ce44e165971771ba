import type { ElementContent } from "hast";
import { element } from "../content/hast.ts";
import { findIcon, iconElement } from "../content/icons.ts";
import type { Component } from "../content/placeholder.ts";
import { renderCodeBlock } from "./code-block.ts";
import { type ComponentContext, type ComponentRenderer, textProp } from "./component.ts";

function renderTooltip(component: Component, context: ComponentContext): ElementContent[] {
  const tip = textProp(component, "tip", "content", "headline");
  const children = context.expand(component.children);
  if (tip === undefined) return children;
  const id = context.nextId("tip");
  return [
    element(
      "span",
      { className: ["tooltip"], tabIndex: 0, role: "note", ariaDescribedBy: [id] },
      ...children,
      element("span", { className: ["tooltip-text"], role: "tooltip", id }, tip),
    ),
  ];
}

function renderIcon(component: Component): ElementContent[] {
  const icon = findIcon(textProp(component, "icon", "name") ?? "");
  return icon === undefined ? [] : [iconElement(icon)];
}

function renderFrame(component: Component, context: ComponentContext): ElementContent[] {
  const caption = textProp(component, "caption");
  const note = caption === undefined ? undefined : element("figcaption", {}, caption);
  return [element("figure", { className: ["frame"] }, ...context.expand(component.children), note)];
}

function renderImage(component: Component): ElementContent[] {
  const source = textProp(component, "src", "srcLight", "light");
  return source === undefined ? [] : [element("img", { src: source, alt: textProp(component, "alt") ?? "" })];
}

function renderBadge(component: Component, context: ComponentContext): ElementContent[] {
  const text = textProp(component, "text");
  return [element("span", { className: ["tag"] }, text, ...context.expand(component.children))];
}

function renderLink(component: Component, context: ComponentContext): ElementContent[] {
  const href = textProp(component, "href", "to");
  const children = context.expand(component.children);
  return href === undefined ? children : [element("a", { href }, ...children)];
}

const plainMeta = { title: undefined, highlighted: new Set<number>(), hasLineNumbers: false };

/** A command or a line to copy, given as a property. */
function renderSnippetText(component: Component, context: ComponentContext): ElementContent[] {
  const { text } = component.props;
  const lines = Array.isArray(text) ? text.map(String).join("\n") : textProp(component, "text");
  if (lines === undefined) return context.expand(component.children);
  const language = /^(?:import|export|const|let)\b/.test(lines) ? "ts" : "bash";
  return [renderCodeBlock({ code: lines, language, meta: plainMeta })];
}

function renderInstall(component: Component): ElementContent[] {
  const packages = textProp(component, "packages", "package", "name");
  if (packages === undefined) return [];
  return [renderCodeBlock({ code: `npm install ${packages}`, language: "bash", meta: plainMeta })];
}

/** What a page shows as it is, without a box of its own. */
function renderContent(component: Component, context: ComponentContext): ElementContent[] {
  return context.expand(component.children);
}

/** Small components, and those that only wrap what they hold. */
export const inline: Readonly<Record<string, ComponentRenderer>> = {
  Tooltip: renderTooltip,
  Icon: renderIcon,
  Frame: renderFrame,
  Image: renderImage,
  Img: renderImage,
  Badge: renderBadge,
  Link: renderLink,
  Snippet: renderSnippetText,
  InstallPackages: renderInstall,
  CodeBlock: renderContent,
  Fragment: renderContent,
  AppOnly: renderContent,
  PagesOnly: renderContent,
};
