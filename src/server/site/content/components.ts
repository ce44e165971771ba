/** The markup of every component that pages may use, and the pass that gives it to them. */
import type { Element, ElementContent, Root } from "hast";
import { h } from "hastscript";
import { toString as textOf } from "mdast-util-to-string";
import { isJsonObject } from "../../../base/text.ts";
import type { Words } from "../interface-words.ts";
import type { PageReporter } from "../report.ts";
import { readIcon, readTitle } from "./code-annotations.ts";
import { codeElement, readCode } from "./code-blocks.ts";
import {
  Component,
  type ComponentRenderer,
  createPlaceholder,
  cssColour,
  inlineMarkdown,
  inlineText,
  Props,
} from "./component.ts";
import { renderFormula } from "./formulas.ts";
import { findElement, isElement, stringProperty, visitElements } from "./hast.ts";
import { iconElement } from "./icons.ts";
import { placeholderTag } from "./sanitize.ts";

/** The kinds of callouts, with their icons. */
type CalloutKind = "note" | "info" | "tip" | "warning" | "check" | "danger";
const calloutIcons: ReadonlyMap<string, string> = new Map<CalloutKind, string>([
  ["note", "info"],
  ["info", "info"],
  ["tip", "lightbulb"],
  ["warning", "triangle-alert"],
  ["check", "check"],
  ["danger", "triangle-alert"],
]);

/** Names under which other documentation systems, and GitHub's alerts, write the same kinds. */
const calloutAliases: ReadonlyMap<string, string> = new Map([
  ["important", "info"],
  ["hint", "tip"],
  ["success", "check"],
  ["warn", "warning"],
  ["attention", "warning"],
  ["caution", "danger"],
  ["error", "danger"],
]);

/** The kind of a callout of this name or type; a note where there is none. */
export function calloutKind(name: string): CalloutKind {
  const type = name.toLowerCase();
  const kind = calloutAliases.get(type) ?? type;
  return calloutIcons.has(kind) ? (kind as CalloutKind) : "note";
}

/** A callout is of the kind that it is called, or that a property names. */
function renderCallout(component: Component): Element {
  const name = component.name.replace(/^.*\./, "");
  const isKind = calloutIcons.has(name.toLowerCase());
  const kind = calloutKind((isKind ? undefined : component.text("type", "variant", "kind")) ?? name);
  const title = component.text("title");
  return h(`div.callout.callout-${kind}`, { role: "note", ariaLabel: component.words[kind] }, [
    h("span.callout-icon", [component.icon() ?? iconElement(calloutIcons.get(kind) ?? "")]),
    h("div.callout-body", [title && h("p.callout-title", [title]), component.content()]),
  ]);
}

function renderMark(icon: string, label: string): Element {
  return h("span.mark-icon", { role: "img", ariaLabel: label }, [iconElement(icon)]);
}

/** `<Check>` with content is a callout; without, a tick in a table or a list. */
function renderCheck(component: Component): Element {
  return isBlank(component.children) ? renderMark("check", component.words.yes) : renderCallout(component);
}

function isBlank(nodes: readonly ElementContent[]): boolean {
  return nodes.every((node) => node.type === "text" && node.value.trim() === "");
}

/** `dataTitle` becomes an identifier when the page is finished. */
function titleAnchor(component: Component, title = component.text("title", "label")): string | undefined {
  return component.text("id") ?? title;
}

function renderStep(step: Component, dataStep: number, titleSize?: string): Element {
  const title = step.text("title");
  const size = step.text("titleSize") ?? titleSize ?? "p";
  const icon = step.icon();
  return h("li.step", { dataTitle: titleAnchor(step), dataStep: icon === undefined ? dataStep : "" }, [
    icon && h("span.step-icon", [icon]),
    title && h(`${/^h[2-4]$/.test(size) ? size : "p"}.step-title`, inlineMarkdown(title)),
    step.content(),
  ]);
}

const stepNames = ["Step", "Steps.Step"];

function renderSteps(component: Component): ElementContent[] {
  const steps = component.parts(...stepNames);
  // Some systems number the headings inside instead of using `<Step>`.
  if (steps.length === 0) return [h("div.steps-plain", component.content())];
  let number = 0;
  const entries = steps.map((step) => {
    number = Math.trunc(Number(step.text("stepNumber"))) || number + 1;
    return renderStep(step, number, component.text("titleSize"));
  });
  return component.withOthers(h("ol.steps", entries), stepNames);
}

function disclosure(className: string, fallbackTitle: "details" | "showMore"): ComponentRenderer {
  return (component) => {
    const description = component.text("description");
    const open = component.flag("defaultOpen") || component.flag("open");
    const title = component.text("title", "label", "summary");
    const dataTitle = className === "accordion" ? titleAnchor(component, title) : undefined;
    return h(`details.disclosure.${className}`, { open, dataTitle }, [
      h("summary", [
        component.icon(),
        title ?? component.words[fallbackTitle],
        description && h("span.summary-note", [description]),
      ]),
      h("div.disclosure-body", component.content()),
    ]);
  };
}

/** An entry of a changelog: of its headings only the label is listed in the page's contents. */
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

/** A text to hand to an assistant, under its description; the script adds the button that copies it. */
function renderPrompt(component: Component): Element {
  const title = component.text("description", "title") ?? component.words.prompt;
  return h("figure.frame.prompt", [
    h("figcaption", [component.icon(), inlineMarkdown(title)]),
    h(
      "div.prompt-body",
      { tabIndex: 0, role: "group", ariaLabel: component.words.prompt },
      component.content(),
    ),
  ]);
}

const badgeColour = /^(?:gray|blue|green|yellow|orange|red|purple)$/;

function renderBadge(component: Component): Element {
  const written = component.text("color", "variant") ?? "gray";
  const colour = /destructive$/.test(written) ? "red" : written;
  const size = component.text("size") ?? "";
  const names = [
    badgeColour.test(colour) && `badge-${colour}`,
    /^(?:xs|sm|lg)$/.test(size) && `badge-${size}`,
    component.flag("stroke") && "badge-stroke",
    component.flag("disabled") && "badge-disabled",
  ];
  const className = ["tag", ...names.filter((name) => name !== false)];
  return h("span", { className }, [
    component.icon(component.text("icon"), ""),
    component.text("text"),
    component.content(),
  ]);
}

/** A repository's card. What it shows of the repository besides, its stars, would have to be fetched. */
function renderRepository(component: Component): ElementContent[] {
  const written = component.text("repo", "url") ?? "";
  const [, name] =
    /^(?:https:\/\/github\.com\/)?([\w-]{1,39}\/[\w.-]{1,100}?)(?:\.git|\/)?$/.exec(written) ?? [];
  if (name === undefined) return component.content();
  const values = { title: name, href: `https://github.com/${name}`, icon: "github" };
  return [cardElement(new Props(values, () => undefined), component.content())];
}

function renderHeading(component: Component): Element {
  const level = Math.trunc(Number(component.text("level")));
  return h(`h${level >= 2 && level <= 6 ? level : 2}`, { id: component.text("id") }, component.content());
}

/** A component that is only a frame around its content. */
function frame(selector: string): ComponentRenderer {
  return (component) => h(selector, component.content());
}

const wordTags = ["b", "br", "code", "em", "i", "img", "small", "span", "strong", "svg"];

/** What a card without a title has as its link: the words that it begins with, or its address where these hold a link. */
function takeName(body: ElementContent[], href: string): [name: ElementContent[], rest: ElementContent[]] {
  const start = body.findIndex((node) => !isBlank([node]));
  const first = body[start];
  const isParagraph = first !== undefined && isElement(first, "p");
  const block = body.findIndex(
    (node, at) => at >= start && node.type === "element" && !isElement(node, ...wordTags),
  );
  const end = isParagraph ? start + 1 : block < 0 ? body.length : block;
  const name = isParagraph ? first.children : body.slice(Math.max(start, 0), end);
  const isUsable = !isBlank(name) && findElement({ type: "root", children: name }, "a") === undefined;
  return isUsable ? [name, body.slice(end)] : [[{ type: "text", value: href }], body];
}

/** A card's title is its link; the style sheet stretches it over the card, so that the text in it stays selectable. */
function cardElement(props: Props, body: ElementContent[]): Element {
  const title = props.text("title", "name");
  const href = props.text("href", "to", "url", "link");
  const [name, rest] = title === undefined && href !== undefined ? takeName(body, href) : [title, body];
  const image = props.text("img");
  const type = props.text("type") ?? "";
  const icon = props.icon() ?? iconElement(calloutIcons.get(type) ?? "");
  const callToAction = props.text("cta");
  const names = [
    "card",
    href !== undefined && "card-link",
    props.flag("horizontal") && "card-horizontal",
    calloutIcons.has(type) && `callout-${type}`,
  ];
  return h("div", { className: names.filter((className) => className !== false) }, [
    image && h("img", { src: image, alt: "" }),
    icon && h("span.card-icon", [icon]),
    name && h("p.card-title", [href === undefined ? name : h("a", { href }, [name])]),
    rest.length > 0 ? h("div.card-body", rest) : undefined,
    callToAction && h("p.card-cta", [callToAction]),
  ]);
}

function descriptionOf(props: Props): Element[] {
  const description = props.text("description");
  return description === undefined ? [] : [h("p", inlineText(description))];
}

function renderColumns(component: Component): Element {
  const columns = Math.trunc(Number(component.text("cols", "columns")));
  return h(`div.columns.columns-${columns >= 1 && columns <= 4 ? columns : 2}`, component.content());
}

/** Cards given as a list of objects. */
function renderCardList(component: Component): ElementContent[] {
  const rows = component.rows("cards", "examples", "items");
  const cards = rows.map((row) => cardElement(row, inlineText(row.text("description") ?? "")));
  return cards.length === 0 ? [] : [h("div.columns.columns-2", cards)];
}

/** The parts of a request that a parameter may stand in. */
export const fieldLocations = ["path", "query", "header", "body", "cookie"];

/** A parameter or property; `dataField` and `dataTitle` become its identifiers when the page is finished. */
function fieldElement(props: Props, words: Words, body: ElementContent[]): Element {
  const name = props.text("name", "prop", ...fieldLocations);
  const value = props.text("default", "defaultValue");
  const labels = [
    ...props.list("pre").map((text) => ["place", text] as const),
    ["type", props.text("type")],
    ["place", fieldLocations.find((location) => props.text(location) !== undefined)],
    ["required", props.flag("required") && words.required],
    ["place", props.flag("isOptional") && words.optional],
    ["deprecated", props.flag("deprecated") && words.deprecated],
    ["default", value && `${words.default}: ${value}`],
    ...props.list("post").map((text) => ["place", text] as const),
  ] as const;
  return h("div.field", { dataField: name, dataTitle: props.text("id") }, [
    h("p.field-head", [
      name && h("code.field-name", [name]),
      labels.map(([kind, text]) => (text ? h(`span.field-${kind}`, [text]) : undefined)),
    ]),
    body.length > 0 ? h("div.field-body", body) : undefined,
  ]);
}

/** Fields of fields that are given as objects. */
export const maxFieldDepth = 8;

/** A field given as an object, with the fields that it holds; those of each of its types under the type's name. */
function renderRow(row: Props, words: Words, depth = 0): Element {
  const renderRows = (rows: readonly Props[]) => rows.map((inner) => renderRow(inner, words, depth + 1));
  const ofType = (inner: Props) => {
    if (inner.values["parameters"] === undefined) return renderRows([inner]);
    const type = inner.text("type");
    const rows = renderRows(inner.rows("parameters"));
    return type === undefined ? rows : [h("p.field-type", [type]), ...rows];
  };
  const nested =
    depth < maxFieldDepth
      ? [...renderRows(row.rows("parameters")), ...row.rows("properties").flatMap(ofType)]
      : [];
  const fields = nested.length === 0 ? [] : [h("div.field-nested", nested)];
  return fieldElement(row, words, [...descriptionOf(row), ...fields]);
}

/** A reference given as a list of objects. */
function renderTable(component: Component): ElementContent[] {
  const rows = component
    .rows("content", "data", "properties", "type")
    .map((row) => renderRow(row, component.words));
  return rows.length === 0 ? [] : [h("div.fields", rows)];
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
  return hint === undefined ? figure : h("div", [h("p.frame-hint", inlineMarkdown(hint)), figure]);
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

function treeEntry(icon: string): ComponentRenderer {
  return (component) => {
    const children = component.content();
    const list = children.length > 0 ? h("ul", children) : undefined;
    const name = component.flag("highlight") ? h("mark", [component.text("name")]) : component.text("name");
    return h("li", [iconElement(icon), name, list]);
  };
}

/** Filled by an attribute of the drawing: pages have no style attributes. */
function swatch(colour: string): ElementContent[] {
  const drawing = { viewBox: "0 0 24 24", ariaHidden: "true", focusable: "false" };
  const square = () => h("svg.swatch", drawing, [h("rect", { width: 24, height: 24, fill: colour })]);
  return [...(cssColour.test(colour) ? [square()] : []), h("code", [colour])];
}

/** A colour with its name; one for light and one for dark where the two differ. */
function renderColour(component: Component): Element {
  const { value } = component.values;
  const values = Object.values(isJsonObject(value) ? value : { value });
  const colours = values.filter((colour) => typeof colour === "string");
  const name = component.text("name");
  return h("div.colour", [name && h("span.colour-name", [name]), colours.flatMap(swatch)]);
}

function renderColourList(component: Component): Element {
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
 * Tabs as the ARIA practices describe them. Without JavaScript the style sheet shows every panel under its title; the
 * script makes them switch, with those of the same title elsewhere on the page unless they are to be `alone`.
 */
function tabList(component: Component, selector: string, tabs: readonly TabContent[]): Element {
  const idOf = (part: string, index: number) => `docs-tabs-${component.number}-${part}-${index}`;
  const written = Number(component.text("defaultTabIndex"));
  const chosen = tabs[written] === undefined ? 0 : written;
  const buttons = tabs.map(({ title, icon }, index) => {
    const ariaSelected = index === chosen ? "true" : "false";
    const ids = { id: idOf("tab", index), ariaControls: idOf("panel", index) };
    const tabIndex = index === chosen ? 0 : -1;
    return h("button", { type: "button", role: "tab", ...ids, ariaSelected, tabIndex }, [icon, title]);
  });
  const panels = tabs.map(({ title, content, anchor }, index) => {
    const ids = { id: idOf("panel", index), ariaLabelledBy: idOf("tab", index) };
    const panel = index === chosen ? "div.tab-panel" : "div.tab-panel.tab-panel-inactive";
    const heading = h("p.tab-panel-title", { ariaHidden: "true", dataTitle: anchor }, [title]);
    return h(panel, { role: "tabpanel", ...ids }, [heading, content]);
  });
  const dataTabs = component.values["sync"] === false ? "alone" : "";
  return h(selector, { dataTabs }, [h("div.tab-list", { role: "tablist" }, buttons), panels]);
}

function titleOf(tab: Component): string | undefined {
  return tab.text("title", "label", "value", "name");
}

const tabNames = ["Tab", "TabItem", "Tabs.Tab", "CodeBlockTab", "View"];

function renderTabs(component: Component): ElementContent[] {
  const titles = component.list("items");
  const tabs = component.parts(...tabNames).map((tab, index) => {
    const title = titleOf(tab) ?? titles[index] ?? `Tab ${index + 1}`;
    return { title, icon: tab.icon(), anchor: titleAnchor(tab, title), content: tab.content() };
  });
  if (tabs.length === 0) return component.content();
  return component.withOthers(tabList(component, "div.tabs.tabs-text", tabs), tabNames);
}

function renderLoneTab(tab: Component): Element {
  const title = titleOf(tab);
  return h("div", [title && h("p", [h("strong", [title])]), tab.content()]);
}

/** Views that follow each other are the tabs of one choice. */
function gatherViews(nodes: readonly ElementContent[]): readonly ElementContent[] {
  const isView = (node: ElementContent) =>
    isElement(node, placeholderTag) && stringProperty(node, "dataName") === "View";
  if (!nodes.some(isView)) return nodes;
  const gathered: ElementContent[] = [];
  let choice: Element | undefined;
  for (const node of nodes) {
    if (isView(node)) {
      choice ??= createPlaceholder("Tabs", {}, []);
      if (choice.children.push(node) === 1) gathered.push(choice);
    } else {
      if (!isBlank([node])) choice = undefined;
      gathered.push(node);
    }
  }
  return gathered;
}

/** Blocks of code as tabs under their titles; `fallback` is the title of a block that has none. */
function renderCodes(component: Component, fallback?: string): ElementContent[] {
  const codeOf = (child: ElementContent) => (child.type === "element" ? readCode(child) : undefined);
  const codes = component.children.flatMap((child) => codeOf(child) ?? []);
  const tabs = codes.map(({ text, language, meta }, index) => ({
    title: readTitle(meta) ?? (codes.length === 1 ? fallback : undefined) ?? language ?? `Code ${index + 1}`,
    icon: component.icon(readIcon(meta)),
    content: [codeElement(text, language, `title="" ${meta}`)],
  }));
  if (tabs.length === 0) return component.content();
  const made = tabList(component, "div.tabs.tabs-code", tabs);
  return component.withOthers(made, (child) => codeOf(child) !== undefined);
}

/** Code to see while the text is read: the page shows it beside the text where there is room. */
function example(title: "request" | "response"): ComponentRenderer {
  return (component) => h("div.example", { dataAside: "" }, renderCodes(component, component.words[title]));
}

/** A command or a line to copy, given as a property. */
function renderSnippetText(component: Component): ElementContent[] {
  const lines = component.list("text").join("\n") || component.text("text");
  if (lines === undefined) return component.content();
  return [codeElement(lines, /^(?:import|export|const|let)\b/.test(lines) ? "ts" : "bash")];
}

function renderMermaid(component: Component): ElementContent[] {
  const chart = component.text("chart", "code", "value");
  return chart === undefined ? component.content() : [codeElement(chart.trim(), "mermaid")];
}

/** A formula in TeX, or its source where it is none. */
function renderTex(component: Component): ElementContent {
  const source = component.text("source") ?? textOf({ type: "root", children: [...component.children] });
  const isDisplay = component.flag("isDisplay");
  const formula = renderFormula(source, isDisplay);
  if (formula !== undefined) return formula;
  component.warn(`a formula stays code: ${source.slice(0, 100)}`, "formula");
  return isDisplay ? codeElement(source, "tex") : h("code", [source]);
}

function renderInstall(component: Component): ElementContent[] {
  const packages = component.text("packages", "package", "name");
  return packages === undefined ? [] : [codeElement(`npm install ${packages}`, "bash")];
}

/** Every component, under all its names. */
const markup: Readonly<Record<string, ComponentRenderer>> = {
  "Note Info Tip Warning Danger Callout Aside Admonition Alert": renderCallout,
  "Important Hint Success Attention Caution Error": renderCallout,
  Check: renderCheck,
  Cross: ({ words }) => renderMark("x", words.no),
  "Card LinkCard": (component) => cardElement(component, component.content()),
  // Its content is its picture.
  Tile: (component) => cardElement(component, [...component.content(), ...descriptionOf(component)]),
  "CardGroup Cards CardGrid Tiles Columns": renderColumns,
  Column: frame("div"),
  "IndexCards ExampleLinks": renderCardList,
  "Tabs CodeBlockTabs": renderTabs,
  "Tab TabItem View CodeBlockTab": renderLoneTab,
  CodeGroup: (component) => renderCodes(component),
  Snippet: renderSnippetText,
  InstallPackages: renderInstall,
  Steps: renderSteps,
  Step: (component) => h("ol.steps", [renderStep(component, Number(component.text("stepNumber")) || 1)]),
  "Accordion AccordionItem Details": disclosure("accordion", "details"),
  Expandable: disclosure("expandable", "showMore"),
  "AccordionGroup Accordions": frame("div.accordion-group"),
  RequestExample: example("request"),
  ResponseExample: example("response"),
  Panel: (component) => h("div.panel", { dataAside: "" }, component.content()),
  Update: renderUpdate,
  Prompt: renderPrompt,
  "ParamField ResponseField Property": (component) =>
    fieldElement(component, component.words, component.content()),
  "PropertiesTable TypeTable": renderTable,
  Tooltip: renderTooltip,
  Icon: (component) => component.icon(component.text("icon", "name")) ?? [],
  Badge: renderBadge,
  "GitHub.Repo": renderRepository,
  Heading: renderHeading,
  Mermaid: renderMermaid,
  "Formula Latex": renderTex,
  Link: renderLink,
  Frame: renderFrame,
  "Image Img": renderImage,
  Video: renderVideo,
  "FileTree Tree": renderTree,
  Folder: treeEntry("folder"),
  File: treeEntry("file"),
  "Color Color.Row": renderColourList,
  "Color.Item": renderColour,
  // An exported site is read by people.
  Visibility: (component) => (component.text("for") === "agents" ? [] : component.content()),
  "CodeBlock Fragment AppOnly PagesOnly": (component) => component.content(),
};

const renderers = new Map(
  Object.entries(markup).flatMap(([names, render]) => names.split(" ").map((name) => [name, render])),
);

/** Component names by their lower-case spelling, which is all that an HTML parser leaves of them. */
export const componentNamesByLowerCase: ReadonlyMap<string, string> = new Map(
  [...renderers.keys()].map((name) => [name.toLowerCase(), name]),
);

/** Videos that a script of another site would show, by the names of their elements: what their identifiers follow in a frame's address. */
const players: readonly (readonly [RegExp, string])[] = [
  [/^(?:lite-)?youtube(?:-video|-?embed|-?player)?$/i, "https://www.youtube.com/embed/"],
  [/^(?:lite-)?vimeo(?:-video|-?embed|-?player)?$/i, "https://player.vimeo.com/video/"],
  [/^wistia(?:-?embed|-?player)?$/i, "https://fast.wistia.net/embed/iframe/"],
  [/^loom(?:-?embed)?$/i, "https://www.loom.com/embed/"],
  [/^mux-?(?:player|video)$/i, "https://player.mux.com/"],
];

function playerAddress(component: Component): string | undefined {
  const base = players.find(([name]) => name.test(component.name))?.[1];
  const id = component.text("videoid", "videoId", "id", "media-id", "mediaId", "playback-id", "playbackId");
  return base !== undefined && /^[\w-]{1,60}$/.test(id ?? "") ? `${base}${id}` : undefined;
}

/** Its content; without any, the video or the address that it names. */
function renderUnknown(component: Component): ElementContent[] {
  const title = component.text("title", "playlabel");
  const player = playerAddress(component);
  if (player !== undefined) return [h("iframe", { src: player, title })];
  const warn = (what: string) =>
    component.warn(`<${component.name}> is no known component; ${what} is shown for it`, "component");
  const content = component.content();
  if (!isBlank(content)) {
    warn("only its content");
    return [h(component.isInline ? "span.unknown-component" : "div.unknown-component", content)];
  }
  const address = component.text("src", "url", "href") ?? "";
  const link = /^https:/.test(address) ? h("a", { href: address }, [title ?? address]) : undefined;
  warn(link === undefined ? "nothing" : "a link to its address");
  return link === undefined ? [] : [link];
}

/** Deeper nesting is cut: no page needs it, and recursion has an end. */
const maxDepth = 100;

/** Gives every component of a sanitized tree its markup; unknown ones keep their content and are reported. */
export function expandComponents(tree: Root, words: Words, onWarning: PageReporter): Root {
  let count = 0;
  let depth = 0;
  let isCut = false;
  const page = { expand, onWarning, words };

  function expand(nodes: readonly ElementContent[]): ElementContent[] {
    if (depth >= maxDepth) {
      if (nodes.length > 0 && !isCut)
        onWarning(`what is nested in more than ${maxDepth} elements is not shown`, "markup");
      isCut ||= nodes.length > 0;
      return [];
    }
    depth += 1;
    const expanded = gatherViews(nodes).flatMap(expandNode);
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
    // `Tabs.Tab` and the like are found by their last word.
    const renderer = renderers.get(component.name) ?? renderers.get(component.name.replace(/^.*\./, ""));
    const made = [(renderer ?? renderUnknown)(component)].flat();
    return made.map((part) => ({ position, ...part }));
  }

  return { type: "root", children: expand(tree.children as ElementContent[]) };
}
