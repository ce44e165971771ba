/** Panels of which one is shown, and code blocks, alone and in groups. */
import type { Element, ElementContent } from "hast";
import { h } from "hastscript";
import { readCodeMeta, renderCodeBlock } from "./code-blocks.ts";
import { type Component, type ComponentRenderer, codeFenceName } from "./component.ts";
import { textOf } from "./hast.ts";

interface Tab {
  readonly title: string;
  readonly content: ElementContent[];
}

/**
 * Tabs as the ARIA practices describe them. Without JavaScript the style sheet shows every panel under its title; the
 * script makes them switch.
 */
function tabList(id: string, selector: string, tabs: readonly Tab[]): Element {
  const buttons = tabs.map(({ title }, index) =>
    h(
      "button",
      {
        type: "button",
        role: "tab",
        id: `${id}-tab-${index}`,
        ariaControls: `${id}-panel-${index}`,
        ariaSelected: index === 0 ? "true" : "false",
        tabIndex: index === 0 ? 0 : -1,
      },
      [title],
    ),
  );
  const panels = tabs.map(({ title, content }, index) =>
    h(
      "div",
      {
        role: "tabpanel",
        id: `${id}-panel-${index}`,
        ariaLabelledBy: `${id}-tab-${index}`,
        className: index === 0 ? ["tab-panel"] : ["tab-panel", "tab-panel-inactive"],
      },
      [h("p.tab-panel-title", { ariaHidden: "true" }, [title]), content],
    ),
  );
  return h(selector, { dataTabs: "" }, [h("div.tab-list", { role: "tablist" }, buttons), panels]);
}

function titleOf(tab: Component): string | undefined {
  return tab.text("title", "label", "value", "name");
}

function renderTabs(component: Component): ElementContent[] {
  const parts = component.parts("Tab", "TabItem", "Tabs.Tab", "CodeBlockTab", "View");
  if (parts.length === 0) return component.content();
  const id = component.nextId("tabs");
  const titles = component.list("items");
  const tabs = parts.map((tab, index) => ({
    title: titleOf(tab) ?? titles[index] ?? `Tab ${index + 1}`,
    content: tab.content(),
  }));
  return [tabList(id, "div.tabs.tabs-text", tabs)];
}

function renderLoneTab(tab: Component): Element {
  const title = titleOf(tab);
  return h("div", [title && h("p", [h("strong", [title])]), tab.content()]);
}

function codeBlockOf(fence: Component) {
  return {
    code: fence.children.map(textOf).join(""),
    language: fence.text("lang"),
    meta: readCodeMeta(fence.text("meta") ?? ""),
  };
}

function renderCodeGroup(component: Component): ElementContent[] {
  const fences = component.parts(codeFenceName);
  if (fences.length === 0) return component.content();
  const tabs = fences.map(codeBlockOf).map(({ code, language, meta }, index) => ({
    title: meta.title ?? language ?? `Code ${index + 1}`,
    content: [renderCodeBlock(code, language, { ...meta, title: undefined })],
  }));
  return [tabList(component.nextId("tabs"), "div.tabs.tabs-code", tabs)];
}

function renderCodeFence(fence: Component): Element {
  const { code, language, meta } = codeBlockOf(fence);
  return renderCodeBlock(code, language, meta);
}

/** A command or a line to copy, given as a property. */
function renderSnippetText(component: Component): ElementContent[] {
  const lines = component.list("text").join("\n") || component.text("text");
  if (lines === undefined) return component.content();
  return [renderCodeBlock(lines, /^(?:import|export|const|let)\b/.test(lines) ? "ts" : "bash")];
}

function renderInstall(component: Component): ElementContent[] {
  const packages = component.text("packages", "package", "name");
  return packages === undefined ? [] : [renderCodeBlock(`npm install ${packages}`, "bash")];
}

export const tabComponents: Readonly<Record<string, ComponentRenderer>> = {
  Tabs: renderTabs,
  CodeBlockTabs: renderTabs,
  Tab: renderLoneTab,
  TabItem: renderLoneTab,
  View: renderLoneTab,
  CodeBlockTab: renderLoneTab,
  CodeGroup: renderCodeGroup,
  [codeFenceName]: renderCodeFence,
  Snippet: renderSnippetText,
  InstallPackages: renderInstall,
};
