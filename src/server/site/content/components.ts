/** Renders the components of a page: one function for each component, and the pass that replaces the placeholders. */
import type { Element, ElementContent, Root } from "hast";
import { h } from "hastscript";
import { toString as textOf } from "mdast-util-to-string";
import { isJsonObject } from "../../../base/text.ts";
import type { Words } from "../interface-words.ts";
import { mediaKindOf } from "../links.ts";
import type { PageReporter } from "../report.ts";
import { type Code, codeElement, readCode, readIcon, readTitle } from "./code-blocks.ts";
import {
  Component,
  type ComponentRenderer,
  createPlaceholder,
  cssColor,
  inlineMarkdown,
} from "./component.ts";
import { renderFormula } from "./formulas.ts";
import { groupAdjacent } from "./group-adjacent.ts";
import { isElement, isInline, mapByNames, namesWhere, stringProperty, visitElements } from "./hast.ts";
import { iconElement } from "./icons.ts";
import { placeholderTag } from "./sanitize.ts";

type Callout = readonly [kind: "note" | "info" | "tip" | "warning" | "check" | "danger", icon: string];

/** Callouts by their names, also those of other documentation systems and of GitHub's alerts. */
const callouts = mapByNames<Callout>({
  note: ["note", "info"],
  "info important": ["info", "info"],
  "tip hint": ["tip", "lightbulb"],
  "warning warn attention": ["warning", "triangle-alert"],
  "check success": ["check", "check"],
  "danger caution error failure bug": ["danger", "triangle-alert"],
});

function renderCallout(component: Component): Element {
  const calloutOf = (name = "") => callouts.get(name.toLowerCase());
  const type = component.text("type", "variant", "kind");
  const [kind, icon] = calloutOf(component.name) ?? calloutOf(type) ?? (["note", "info"] satisfies Callout);
  const title = component.text("title");
  return h(`div.callout.callout-${kind}`, { role: "note", ariaLabel: component.words[kind] }, [
    h("span.callout-icon", [component.icon() ?? iconElement(icon)]),
    h("div.callout-body", [title && h("p.callout-title", [title]), component.content()]),
  ]);
}

/** `<Check>` with content is a callout; without content, it is a tick in a table or list. */
function renderCheck(component: Component): Element {
  if (!isBlank(component.children)) return renderCallout(component);
  return h("span.mark-icon", { role: "img", ariaLabel: component.words.yes }, [iconElement("check")]);
}

function isBlank(nodes: readonly ElementContent[]): boolean {
  return nodes.every((node) => node.type === "text" && node.value.trim() === "");
}

/** The value of `dataTitle`, which `outlinePage` turns into an id. */
function anchorTitle(component: Component, title = component.text("title", "label")): string | undefined {
  return component.text("id") ?? title;
}

function renderStep(step: Component, dataStep: number, titleSize?: string): Element {
  const title = step.text("title");
  const size = step.text("titleSize") ?? titleSize ?? "p";
  const icon = step.icon();
  return h("li.step", { dataTitle: anchorTitle(step), dataStep: icon === undefined ? dataStep : "" }, [
    icon && h("span.step-icon", [icon]),
    title && h(`${/^h[2-4]$/.test(size) ? size : "p"}.step-title`, inlineMarkdown(title)),
    step.content(),
  ]);
}

function renderSteps(component: Component): ElementContent[] {
  let number = 0;
  const render = (step: Component) => {
    number = Math.trunc(Number(step.text("stepNumber"))) || number + 1;
    return renderStep(step, number, component.text("titleSize"));
  };
  return component.withParts(
    (child) => component.partsIn(child, "Step"),
    (steps) => h("ol.steps", steps.map(render)),
  );
}

function disclosure(className: string, fallbackTitle: "details" | "showMore"): ComponentRenderer {
  return (component) => {
    const description = component.text("description");
    const open = component.flag("defaultOpen") || component.flag("open");
    const title = component.text("title", "label", "summary");
    const dataTitle = className === "accordion" ? anchorTitle(component, title) : undefined;
    return h(`details.disclosure.${className}`, { open, dataTitle }, [
      h("summary", [
        component.icon(),
        inlineMarkdown(title ?? component.words[fallbackTitle]),
        description && h("span.summary-note", [description]),
      ]),
      h("div.disclosure-body", component.content()),
    ]);
  };
}

/** A changelog entry. Only its label is listed in the table of contents, not the headings of its content. */
function renderUpdate(component: Component): Element {
  const label = component.text("label", "title", "date");
  const description = component.text("description");
  const tags = component.list("tags").map((tag) => h("span.tag", [tag]));
  const content = component.content();
  visitElements({ type: "root", children: content }, (node) => {
    if (/^h[1-6]$/.test(node.tagName)) node.properties["dataUnlisted"] = "";
    if (/^h[12]$/.test(node.tagName)) node.tagName = "h3";
  });
  return h("section.update", [
    h("div.update-head", [
      label && h("h2", [label]),
      description && h("p.update-note", inlineMarkdown(description)),
      tags.length > 0 ? h("p.tags", tags) : undefined,
    ]),
    h("div.update-body", content),
  ]);
}

/** A prompt for an assistant under its description. The site's script adds a copy button. */
function renderPrompt(component: Component): Element {
  const title = component.text("description", "title") ?? component.words.prompt;
  const scroll = { tabIndex: 0, role: "group", ariaLabel: component.words.prompt };
  return h("figure.frame.prompt", [
    h("figcaption", [component.icon(), inlineMarkdown(title)]),
    h("div.prompt-body", scroll, component.content()),
  ]);
}

function renderBadge(component: Component): Element {
  const color = component.text("color") ?? "";
  const isKnown = /^(?:blue|green|yellow|orange|red|purple)$/.test(color);
  const className = isKnown ? ["tag", `badge-${color}`] : ["tag"];
  const icon = component.icon(component.text("icon"), "");
  return h("span", { className }, [icon, component.text("text"), component.content()]);
}

/** A repository's card. The hosted format also shows its stars, which would have to be fetched. */
function renderRepository(component: Component): ElementContent | ElementContent[] {
  const repository = component.text("repo", "url") ?? "";
  const [, name] =
    /^(?:https:\/\/github\.com\/)?([\w-]{1,39}\/[\w.-]{1,100}?)(?:\.git|\/)?$/.exec(repository) ?? [];
  const body = component.content();
  if (name === undefined) return body;
  return h("div.card.card-link", [
    h("span.card-icon", [iconElement("github")]),
    h("p.card-title", [h("a", { href: `https://github.com/${name}` }, [name])]),
    body.length > 0 ? h("div.card-body", body) : undefined,
  ]);
}

/** The title of a card is its link. The style sheet stretches the link over the card, so that its text stays selectable. */
function renderCard(component: Component): Element {
  const description = component.text("description");
  const body = [...component.content(), ...(description ? [h("p", inlineMarkdown(description))] : [])];
  const href = component.text("href", "to", "url", "link");
  const name = component.text("title", "name") ?? href;
  const image = component.text("img");
  const icon = component.icon();
  const callToAction = component.text("cta");
  const isHorizontal = component.flag("horizontal");
  const classes = { card: true, "card-link": href !== undefined, "card-horizontal": isHorizontal };
  return h("div", { className: namesWhere(classes) }, [
    image && h("img", { src: image, alt: "" }),
    icon && h("span.card-icon", [icon]),
    name && h("p.card-title", [href === undefined ? name : h("a", { href }, [name])]),
    body.length > 0 ? h("div.card-body", body) : undefined,
    callToAction && h("p.card-cta", [callToAction]),
  ]);
}

function renderColumns(component: Component): Element {
  const columns = Math.trunc(Number(component.text("cols", "columns")));
  return h(`div.columns.columns-${columns >= 1 && columns <= 4 ? columns : 2}`, component.content());
}

const fieldLocations = ["path", "query", "header", "body", "cookie"];

/** A parameter or property. `outlinePage` turns `dataField` and `dataTitle` into ids. */
function renderField(component: Component): Element {
  const { words } = component;
  const body = component.content();
  const name = component.text("name", "prop", ...fieldLocations);
  const value = component.text("default", "defaultValue");
  const labels = [
    ...component.list("pre").map((text) => ["place", text] as const),
    ["type", component.text("type")],
    ["place", fieldLocations.find((location) => component.text(location) !== undefined)],
    ["required", component.flag("required") && words.required],
    ["deprecated", component.flag("deprecated") && words.deprecated],
    ["default", value && `${words.default}: ${value}`],
    ...component.list("post").map((text) => ["place", text] as const),
  ] as const;
  return h("div.field", { dataField: name, dataTitle: component.text("id") }, [
    h("p.field-head", [
      name && h("code.field-name", [name]),
      labels.map(([name, text]) => (text ? h(`span.field-${name}`, [text]) : undefined)),
    ]),
    body.length > 0 ? h("div.field-body", body) : undefined,
  ]);
}

function renderTooltip(component: Component): ElementContent[] {
  const headline = component.text("headline");
  const tip = component.text("tip", "content");
  const href = component.text("href");
  if (tip === undefined && headline === undefined) return component.content();
  const id = `docs-tip-${component.number}`;
  const text = h("span.tooltip-text", { role: "tooltip", id }, [
    headline && h("strong", [headline]),
    tip,
    href && h("a", { href }, [component.text("cta") ?? href]),
  ]);
  const content = [component.content(), text];
  return [h("span.tooltip", { tabIndex: 0, role: "note", ariaDescribedBy: id }, content)];
}

function renderFrame(component: Component): Element {
  const caption = component.text("caption");
  const hint = component.text("hint");
  const figure = h("figure.frame", [
    component.content(),
    caption && h("figcaption", inlineMarkdown(caption)),
  ]);
  return hint === undefined ? figure : h("div", [h("p", inlineMarkdown(hint)), figure]);
}

function renderImage(component: Component): ElementContent[] {
  const src = component.text("src", "srcLight", "light");
  return src === undefined ? [] : [h("img", { src, alt: component.text("alt") ?? "" })];
}

function renderLink(component: Component): ElementContent[] {
  const href = component.text("href", "to");
  return href === undefined ? component.content() : [h("a", { href }, component.content())];
}

/** A Markdown list in the component is the tree itself. */
function renderTree(component: Component): Element {
  const entries = component.content().flatMap((child) => (isElement(child, "ul") ? child.children : [child]));
  return h("ul.file-tree", entries);
}

function treeEntry(icon: string): ComponentRenderer {
  return (component) => {
    const children = component.content();
    const list = children.length > 0 ? h("ul", children) : undefined;
    return h("li", [iconElement(icon), component.text("name"), list]);
  };
}

/** A colour sample and its value. The sample is an SVG because pages contain no inline styles. */
function swatch(color: string): ElementContent[] {
  const properties = { viewBox: "0 0 24 24", ariaHidden: "true" };
  const square = () => h("svg.swatch", properties, [h("rect", { width: 24, height: 24, fill: color })]);
  return [...(cssColor.test(color) ? [square()] : []), h("code", [color])];
}

/** A named colour, or its variants for light and dark pages. */
function renderColor(component: Component): Element {
  const { value } = component.values;
  const values = Object.values(isJsonObject(value) ? value : { value });
  const colors = values.filter((color) => typeof color === "string");
  const name = component.text("name");
  return h("div.colour", [name && h("span.colour-name", [name]), colors.flatMap(swatch)]);
}

function renderColorList(component: Component): Element {
  const title = component.text("title");
  return h("div.colours", [title && h("p.colours-title", [title]), component.content()]);
}

interface TabContent {
  readonly title: string;
  readonly content: ElementContent[];
  readonly icon?: Element | undefined;
  readonly anchor?: string | undefined;
}

/**
 * Tabs by the ARIA Authoring Practices. Without JavaScript, the style sheet shows every panel under its title. The site's
 * script also selects tabs with the same title in the page's other groups, except in groups with `sync={false}` (`alone`).
 */
function createTabs(component: Component, selector: string, tabs: readonly TabContent[]): Element {
  const idOf = (part: string, index: number) => `docs-tabs-${component.number}-${part}-${index}`;
  const defaultIndex = Number(component.text("defaultTabIndex"));
  const selected = tabs[defaultIndex] === undefined ? 0 : defaultIndex;
  const buttons = tabs.map(({ title, icon }, index) => {
    const ariaSelected = index === selected ? "true" : "false";
    const ids = { id: idOf("tab", index), ariaControls: idOf("panel", index) };
    const tabIndex = index === selected ? 0 : -1;
    return h("button", { type: "button", role: "tab", ...ids, ariaSelected, tabIndex }, [icon, title]);
  });
  const panels = tabs.map(({ title, content, anchor }, index) => {
    const ids = { id: idOf("panel", index), ariaLabelledBy: idOf("tab", index) };
    const panel = index === selected ? "div.tab-panel" : "div.tab-panel.tab-panel-inactive";
    const heading = h("p.tab-panel-title", { ariaHidden: "true", dataTitle: anchor }, [title]);
    return h(panel, { role: "tabpanel", ...ids }, [heading, content]);
  });
  const dataTabs = component.values["sync"] === false ? "alone" : "";
  return h(selector, { dataTabs }, [h("div.tab-list", { role: "tablist" }, buttons), panels]);
}

function renderTabs(component: Component): ElementContent[] {
  const titles = component.list("items");
  const toTab = (tab: Component, index: number) => {
    const title = tab.text("title", "label", "value", "name") ?? titles[index] ?? `Tab ${index + 1}`;
    return { title, icon: tab.icon(), anchor: anchorTitle(tab, title), content: tab.content() };
  };
  return component.withParts(
    (child) => component.partsIn(child, "Tab", "TabItem", "View"),
    (tabs) => createTabs(component, "div.tabs.tabs-text", tabs.map(toTab)),
  );
}

/** Makes adjacent tabs outside `<Tabs>` a group. */
function groupViews(nodes: readonly ElementContent[]): readonly ElementContent[] {
  const isView = (node: ElementContent) =>
    isElement(node, placeholderTag) &&
    /(?:^|\.)(?:Tab|TabItem|View)$/.test(stringProperty(node, "dataName") ?? "");
  if (!nodes.some(isView)) return nodes;
  const mayBeGrouped = (node: ElementContent): node is ElementContent => isView(node) || isBlank([node]);
  return groupAdjacent(nodes, mayBeGrouped, (run) => {
    const views = run.filter(isView);
    return views.length === 0 ? run : [createPlaceholder("Tabs", {}, views)];
  });
}

/** Code blocks as tabs under their titles; `fallbackTitle` is used for a single block without a title. */
function renderCodeGroup(component: Component, fallbackTitle?: string): ElementContent[] {
  const toTab = ({ text, language, meta }: Code, index: number, { length }: readonly Code[]) => ({
    title: readTitle(meta) ?? (length === 1 ? fallbackTitle : undefined) ?? language ?? `Code ${index + 1}`,
    icon: component.icon(readIcon(meta)),
    content: [codeElement(text, language, `title="" ${meta}`)],
  });
  return component.withParts(
    (child) => {
      const code = child.type === "element" ? readCode(child) : undefined;
      return code === undefined ? [] : [code];
    },
    (codes) => createTabs(component, "div.tabs.tabs-code", codes.map(toTab)),
  );
}

/** Example code, which wide screens show beside the text. */
function example(title: "request" | "response"): ComponentRenderer {
  return (component) =>
    h("div.example", { dataAside: "" }, renderCodeGroup(component, component.words[title]));
}

/** A TeX formula, or the text that was written for it if it is not valid. */
function renderTexFormula(component: Component): ElementContent {
  const written = textOf({ type: "root", children: [...component.children] });
  // Spaces at its ends may belong to a command.
  const source = component.text("source") === undefined ? written : String(component.values["source"]);
  const isDisplay = component.flag("isDisplay");
  const formula = renderFormula(source, isDisplay);
  if (formula !== undefined) return formula;
  component.warn(`a formula stays code: ${source.slice(0, 100)}`, "formula");
  return isDisplay ? codeElement(source, "tex") : h("code", [written]);
}

/** Content for human readers, or for agents, who read the page as Markdown. */
function renderVisibility(component: Component): ElementContent[] {
  const audience = component.text("for") ?? "";
  const content = component.content();
  return /^(?:agents|humans)$/.test(audience) ? [h("div", { dataAudience: audience }, content)] : content;
}

/** Removes the content for agents from a page. */
export function removeAgentsContent(tree: Root): void {
  visitElements(tree, ({ properties }, index, parent) => {
    if (properties["dataAudience"] === "agents") parent.children[index] = { type: "text", value: "" };
  });
}

/** All components; a key lists the names of a component. */
const renderers = mapByNames<ComponentRenderer>({
  "Note Info Tip Warning Danger Callout Aside Admonition Alert Attention Hint Important": renderCallout,
  Check: renderCheck,
  "Card LinkCard Tile": renderCard,
  "CardGroup Cards CardGrid Tiles Columns": renderColumns,
  Column: (component) => h("div", component.content()),
  Tabs: renderTabs,
  CodeGroup: (component) => renderCodeGroup(component),
  Steps: renderSteps,
  Step: (component) => h("ol.steps", [renderStep(component, Number(component.text("stepNumber")) || 1)]),
  "Accordion Details": disclosure("accordion", "details"),
  Expandable: disclosure("expandable", "showMore"),
  "AccordionGroup Accordions": (component) => h("div.accordion-group", component.content()),
  RequestExample: example("request"),
  ResponseExample: example("response"),
  Panel: (component) => h("div.panel", { dataAside: "" }, component.content()),
  Update: renderUpdate,
  Prompt: renderPrompt,
  "ParamField ResponseField Property": renderField,
  Tooltip: renderTooltip,
  Icon: (component) => component.icon(component.text("icon", "name")) ?? [],
  Badge: renderBadge,
  "GitHub.Repo": renderRepository,
  "Formula Latex": renderTexFormula,
  "Link LinkButton": renderLink,
  Frame: renderFrame,
  Image: renderImage,
  "Tree Files FileTree": renderTree,
  Folder: treeEntry("folder"),
  File: treeEntry("file"),
  "Color Color.Row": renderColorList,
  "Color.Item": renderColor,
  Visibility: renderVisibility,
  // A group contains each tab.
  "CodeBlock Fragment Tab TabItem View": (component) => component.content(),
  // A file that is missing is reported by its import.
  Snippet: (component) => (component.text("file") ? component.content() : renderUnknown(component)),
});

/** Component names by their lower-case form: the HTML parser lower-cases tag names. */
export const componentNamesByLowerCase: ReadonlyMap<string, string> = new Map(
  [...renderers.keys()].map((name) => [name.toLowerCase(), name]),
);

/** Renders an unknown component: as a card if it has a title and a link, or else its content, or what it refers to. */
function renderUnknown(component: Component): ElementContent[] {
  const href = component.text("href");
  const isCard = href !== undefined && component.text("title") !== undefined && !component.isInline;
  const result = isCard ? "it is shown as a card" : "only its content is shown";
  component.warn(`<${component.name}> is not a known component; ${result}`, "component");
  if (isCard) return [renderCard(component)];
  const content = component.content();
  if (isBlank(content)) return renderReference(component);
  // Links in its text become text when the page's links are resolved.
  const shown = href !== undefined && content.every(isInline) ? h("a", { href }, content) : content;
  return [h(component.isInline ? "span.unknown-component" : "div.unknown-component", shown)];
}

/** The picture, video or sound of a component without content, or else a link to its address. */
function renderReference(component: Component): ElementContent[] {
  const src = component.text("src", "url", "href") ?? "";
  const kind = mediaKindOf(src);
  if (kind === "img") return [h("img", { src, alt: component.text("alt") ?? "" })];
  if (kind !== undefined) return [h(kind, { src })];
  return /^https:/.test(src) ? [h("a", { href: src }, [component.text("title") ?? src])] : [];
}

/** Limits the recursion; deeper content is not shown. */
const maxDepth = 100;

/** Replaces the placeholders of a sanitized tree by the components' markup. Unknown components are reported. */
export function expandComponents(tree: Root, words: Words, onWarning: PageReporter): Root {
  let count = 0;
  let depth = 0;
  const page = { expand, onWarning, words };

  function expand(nodes: readonly ElementContent[]): ElementContent[] {
    if (depth >= maxDepth) {
      if (nodes.length > 0)
        onWarning(`content nested in more than ${maxDepth} elements is not shown`, "markup");
      return [];
    }
    depth += 1;
    const expanded = groupViews(nodes).flatMap(expandNode);
    depth -= 1;
    return expanded;
  }

  function expandNode(node: ElementContent): ElementContent | ElementContent[] {
    if (node.type !== "element") return node;
    if (!isElement(node, placeholderTag)) return { ...node, children: expand(node.children) };
    count += 1;
    const { position } = node;
    const warn: PageReporter = (message, kind) => onWarning(message, kind, position?.start.line);
    const component = new Component(node, { ...page, onWarning: warn }, count);
    // `Tree.Folder`, `Tabs.Tab` and similar names are looked up by their last part, too.
    const renderer = renderers.get(component.name) ?? renderers.get(component.name.replace(/^.*\./, ""));
    return [(renderer ?? renderUnknown)(component)].flat().map((part) => ({ position, ...part }));
  }

  return { type: "root", children: expand(tree.children as ElementContent[]) };
}
