import type { ElementContent } from "hast";
import { readCodeMeta } from "../content/code-meta.ts";
import { element, textOf } from "../content/hast.ts";
import { type Component, codeFenceName } from "../content/placeholder.ts";
import { renderCodeBlock } from "./code-block.ts";
import { type ComponentContext, type ComponentRenderer, childComponents, textProp } from "./component.ts";

interface Tab {
  readonly title: string;
  readonly content: readonly ElementContent[];
}

/**
 * Tabs as the ARIA practices describe them. Without JavaScript the style sheet shows every panel under its title; the
 * script makes them switch.
 */
function renderTabList(tabs: readonly Tab[], kind: string, context: ComponentContext): ElementContent[] {
  if (tabs.length === 0) return [];
  const id = context.nextId("tabs");
  const buttons = tabs.map(({ title }, index) =>
    element(
      "button",
      {
        type: "button",
        role: "tab",
        id: `${id}-tab-${index}`,
        ariaControls: [`${id}-panel-${index}`],
        ariaSelected: index === 0 ? "true" : "false",
        tabIndex: index === 0 ? 0 : -1,
      },
      title,
    ),
  );
  const panels = tabs.map(({ title, content }, index) =>
    element(
      "div",
      {
        role: "tabpanel",
        id: `${id}-panel-${index}`,
        ariaLabelledBy: [`${id}-tab-${index}`],
        className: index === 0 ? ["tab-panel"] : ["tab-panel", "tab-panel-inactive"],
      },
      element("p", { className: ["tab-panel-title"], ariaHidden: "true" }, title),
      ...content,
    ),
  );
  const list = element("div", { className: ["tab-list"], role: "tablist" }, ...buttons);
  return [element("div", { className: ["tabs", kind], dataTabs: "" }, list, ...panels)];
}

function itemTitles(component: Component): readonly string[] {
  const { items } = component.props;
  return Array.isArray(items) ? items.map(String) : [];
}

const tabNames = new Set(["Tab", "TabItem", "Tabs.Tab", "CodeBlockTab", "View"]);

function renderTabs(component: Component, context: ComponentContext): ElementContent[] {
  const titles = itemTitles(component);
  const children = childComponents(component.children).filter(({ name }) => tabNames.has(name));
  if (children.length === 0) return context.expand(component.children);
  const tabs = children.map((tab, index) => ({
    title: textProp(tab, "title", "label", "value", "name") ?? titles[index] ?? `Tab ${index + 1}`,
    content: context.expand(tab.children),
  }));
  return renderTabList(tabs, "tabs-text", context);
}

function codeOf(component: Component): string {
  return component.children.map(textOf).join("");
}

function renderCodeGroup(component: Component, context: ComponentContext): ElementContent[] {
  const blocks = childComponents(component.children).filter(({ name }) => name === codeFenceName);
  if (blocks.length === 0) return context.expand(component.children);
  const tabs = blocks.map((block, index) => {
    const language = textProp(block, "lang");
    const meta = readCodeMeta(textProp(block, "meta") ?? "");
    return {
      title: meta.title ?? language ?? `Code ${index + 1}`,
      content: [renderCodeBlock({ code: codeOf(block), language, meta: { ...meta, title: undefined } })],
    };
  });
  return renderTabList(tabs, "tabs-code", context);
}

function renderLoneTab(component: Component, context: ComponentContext): ElementContent[] {
  const title = textProp(component, "title", "label", "value", "name");
  const heading = title === undefined ? undefined : element("p", {}, element("strong", {}, title));
  return [element("div", {}, heading, ...context.expand(component.children))];
}

/** Panels of which one is shown. */
export const tabs: Readonly<Record<string, ComponentRenderer>> = {
  Tabs: renderTabs,
  Tab: renderLoneTab,
  TabItem: renderLoneTab,
  View: renderLoneTab,
  CodeGroup: renderCodeGroup,
  CodeBlockTabs: renderTabs,
  CodeBlockTab: renderLoneTab,
  [codeFenceName]: (component) => [
    renderCodeBlock({
      code: codeOf(component),
      language: textProp(component, "lang"),
      meta: readCodeMeta(textProp(component, "meta") ?? ""),
    }),
  ],
};
