/** Prints a page as plain Markdown for agents: components become the closest Markdown syntax, without JSX or HTML. */
import type { Nodes, Root, Table } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import { type Words, wordsFor } from "../interface-words.ts";
import type { LinkResolver } from "../links.ts";
import { readTitle } from "./code-annotations.ts";
import { isJsx, type JsxElement } from "./compile-mdx.ts";
import { inlinePart, Props } from "./component.ts";
import { calloutKind, fieldLocations, maxFieldDepth } from "./components.ts";
import { phrasingTypes, toMarkdownTable } from "./element-tables.ts";
import { readEndpoint } from "./page-source.ts";

/** The head of a printed page. */
export interface PageHeading {
  readonly title: string;
  readonly description?: string | undefined;
  /** The endpoint that the page describes, such as `GET /users`. */
  readonly endpoint?: string | undefined;
  /** The interface's texts in the page's language. */
  readonly words: Words;
  /** Whether the page's leading first-level heading repeats its title. */
  isTitle(heading: string): boolean;
}

/** Prints an evaluated page under its title. */
export function toMarkdown(
  tree: Root,
  { title, description, endpoint, words, isTitle }: PageHeading,
  links: LinkResolver,
): string {
  const summary = printInline(description ?? "", (href) => links.resolveLink(href, undefined));
  const lead = summary === "" ? "" : quote(escapeStart(summary));
  const { method, path } = readEndpoint(endpoint) ?? {};
  const request = method === undefined ? "" : codeSpan(`${method} ${path}`);
  const printer = new Printer(links, words, tree, leadingTitle(tree, isTitle));
  return `${joinBlocks([`# ${escapeText(oneLine(title))}`, request, lead, printer.blocks(tree.children)])}\n`;
}

/** The page's leading heading, also within layout elements, if it repeats the page's title. */
function leadingTitle(tree: Root, isTitle: PageHeading["isTitle"]): Nodes | undefined {
  let node: Nodes | undefined = tree.children[0];
  while (node?.type === "paragraph" || (node && isJsx(node) && /^(?!h1$)[a-z]/.test(node.name ?? "")))
    node = node.children[0];
  if (node === undefined) return undefined;
  const isHeading = node.type === "heading" ? node.depth === 1 : isJsx(node) && node.name === "h1";
  return isHeading && isTitle(textOf(node)) ? node : undefined;
}

function isJsxLink(node: Nodes | undefined): boolean {
  return node !== undefined && isJsx(node) && /^(?:a|Link)$/.test(node.name ?? "");
}

const maxDepth = 100;

/** HTML elements that contain a line of text. */
const lineElement = /^(?:p|td|th|dt|dd|summary|figcaption|caption|button)$/;
/** Elements that need spaces around them, even in a line of text. */
const blockElement = /^(?:div|p|h[1-6]|ul|ol|li|section|button)$/;
const omittedElement = /^(?:script|style|svg|form|input|template|noscript|Icon)$/;

class Printer {
  readonly words: Words;
  readonly #links: LinkResolver;
  /** URLs of link definitions. */
  readonly #definitions = new Map<string, string>();
  /** The heading that repeats the page's title; it is omitted. */
  readonly #title: Nodes | undefined;
  /** Level of the last heading. */
  #level = 1;
  #depth = 0;

  constructor(links: LinkResolver, words: Words, tree: Root, title: Nodes | undefined) {
    this.words = words;
    this.#links = links;
    this.#title = title;
    for (const node of tree.children)
      if (node.type === "definition") this.#definitions.set(node.identifier, node.url);
  }

  /** Prints nodes as blocks; adjacent inline nodes form one block. */
  blocks(nodes: readonly Nodes[], between = "\n\n"): string {
    // Deeper content becomes plain text.
    if (this.#depth > maxDepth) return escapeText(oneLine(nodes.map((node) => textOf(node)).join(" ")));
    this.#depth += 1;
    const printed: string[] = [];
    let line: Nodes[] = [];
    const endLine = () => {
      printed.push(escapeStart(this.#inline(line).trim()));
      line = [];
    };
    for (const node of nodes) {
      if (phrasingTypes.has(node.type)) line.push(node);
      else {
        endLine();
        printed.push(this.#block(node));
      }
    }
    endLine();
    this.#depth -= 1;
    return joinBlocks(printed, between);
  }

  #block(node: Nodes): string {
    if (node === this.#title) return "";
    switch (node.type) {
      case "paragraph":
        return escapeStart(this.#inline(node.children).trim());
      case "heading":
        return this.#heading(node.depth, this.#inline(node.children));
      case "code":
        return fence(node.value, node.lang ?? "", readTitle(node.meta ?? ""));
      case "blockquote":
        return quote(this.blocks(node.children));
      case "list":
        return joinBlocks(
          node.children.map(({ children, checked, spread }, index) => {
            const box = typeof checked === "boolean" ? `[${checked ? "x" : " "}] ` : "";
            const marker = node.ordered === true ? `${(node.start ?? 1) + index}.` : "-";
            return item(marker, box + this.blocks(children, spread === true ? "\n\n" : "\n"));
          }),
          node.spread === true ? "\n\n" : "\n",
        );
      case "table":
        return this.#table(node);
      case "thematicBreak":
        return "---";
      case "html":
        return escapeText(textOfHtml(node.value));
      case "footnoteDefinition":
        return item(`[^${node.identifier}]:`, this.blocks(node.children));
      case "mdxJsxFlowElement":
        return this.#component(node);
      default:
        return "children" in node ? this.blocks(node.children) : "";
    }
  }

  #heading(depth: number, text: string): string {
    this.#level = depth;
    return `${"#".repeat(Math.min(6, Math.max(2, depth)))} ${oneLine(text)}`;
  }

  #table({ children }: Table): string {
    const rows = children.map(
      (row) =>
        `| ${row.children.map((cell) => oneLine(this.#inline(cell.children)).replace(/\|/g, "\\|")).join(" | ")} |`,
    );
    const rule = `|${" --- |".repeat(children[0]?.children.length ?? 1)}`;
    return rows.toSpliced(1, 0, rule).join("\n");
  }

  #inline(nodes: readonly Nodes[]): string {
    // Only the style sheet separates adjacent links.
    const separator = (index: number) => (isJsxLink(nodes[index]) && isJsxLink(nodes[index - 1]) ? " " : "");
    return nodes.map((node, index) => separator(index) + this.#phrase(node)).join("");
  }

  #phrase(node: Nodes): string {
    if (node === this.#title) return "";
    switch (node.type) {
      case "text":
        return escapeText(node.value);
      case "emphasis":
        return wrap("*", this.#inline(node.children));
      case "strong":
        return wrap("**", this.#inline(node.children));
      case "delete":
        return wrap("~~", this.#inline(node.children));
      case "inlineCode":
        return node.data?.isFormula === true ? `$${oneLine(node.value)}$` : codeSpan(node.value);
      case "break":
        return "\\\n";
      case "link":
        return this.#link(node.url, this.#inline(node.children));
      case "linkReference":
        return this.#link(this.#definitions.get(node.identifier), this.#inline(node.children));
      case "image":
        return this.#image(node.url, node.alt ?? "");
      case "imageReference":
        return this.#image(this.#definitions.get(node.identifier), node.alt ?? "");
      case "footnoteReference":
        return `[^${node.identifier}]`;
      case "html":
        return /^<br\b/i.test(node.value) ? "\\\n" : "";
      case "mdxJsxTextElement":
      case "mdxJsxFlowElement":
        return blockElement.test(node.name ?? "")
          ? ` ${this.#inline(node.children).trim()} `
          : this.#inlineComponent(node);
      default:
        return "children" in node ? this.#inline(node.children) : "";
    }
  }

  #link(href: string | undefined, text: string): string {
    const url = href === undefined ? undefined : this.#links.resolveLink(href, undefined);
    const label = oneLine(text);
    return url === undefined ? label : `[${label || url}](${escapeUrl(url)})`;
  }

  #image(source: string | undefined, alt: string): string {
    const url = source === undefined ? undefined : this.#links.resolveMedia(source, undefined);
    const label = escapeText(oneLine(alt));
    return url === undefined || url.startsWith("data:") ? label : `![${label}](${escapeUrl(url)})`;
  }

  #inlineComponent(node: JsxElement): string {
    const props = propsOf(node);
    const name = node.name ?? "";
    const content = () => this.#inline(node.children);
    if (omittedElement.test(name)) return "";
    if (/^(?:b|strong)$/.test(name)) return wrap("**", content());
    if (/^(?:i|em)$/.test(name)) return wrap("*", content());
    if (/^(?:code|kbd)$/.test(name)) return codeSpan(textOf(node));
    if (name === "br") return "\\\n";
    if (/^(?:a|Link)$/.test(name)) return this.#link(props.text("href", "to"), content());
    if (/^(?:img|Img|Image)$/.test(name))
      return this.#image(props.text("src", "srcLight", "light"), props.text("alt") ?? "");
    if (/^(?:video|iframe|Video)$/.test(name))
      return this.#link(props.text("src"), props.text("title") ?? this.words.video);
    const tip = name === "Tooltip" ? props.text("tip", "content", "headline") : undefined;
    if (tip !== undefined) return `${content()} (${escapeText(oneLine(tip))})`;
    return content() || escapeText(props.text("text", "label") ?? "");
  }

  #component(node: JsxElement): string {
    const props = propsOf(node);
    const name = (node.name ?? "").replace(/^(?:Tree|Tabs|Steps)\./, "");
    const heading =
      /^h([1-6])$/.exec(name)?.[1] ?? (name === "Heading" ? (props.text("level") ?? "2") : undefined);
    // A line break between blocks has no effect.
    if (omittedElement.test(name) || name === "br") return "";
    if (heading !== undefined) return this.#heading(Number(heading), this.#inline(node.children));
    if (lineElement.test(name)) return escapeStart(this.#inline(node.children).trim());
    const table = name === "table" ? toMarkdownTable(node) : undefined;
    if (table !== undefined) return this.#table(table);
    const print = components.get(name);
    if (print !== undefined) return print(this, node, props);
    if (/^(?:a|img|Img|Image|video|Video|iframe|Link|Tooltip|Badge)$/.test(name))
      return this.#inlineComponent(node);
    return this.blocks(node.children);
  }

  /** Prints a component under a heading one level below its section. Headings within it do not affect the following levels. */
  titled(node: JsxElement, title: string, description = ""): string {
    const level = this.#level;
    this.#level = Math.min(6, level + 1);
    const heading = title === "" ? "" : `${"#".repeat(this.#level)} ${escapeTitle(title)}`;
    const content = this.blocks(node.children);
    this.#level = level;
    return joinBlocks([heading, escapeText(description), content]);
  }

  linkTo(href: string | undefined, title: string): string {
    return this.#link(href, escapeTitle(title));
  }
}

/** Without warnings, which the HTML renderer reports. */
function propsOf(node: JsxElement): Props {
  return new Props(node.data?.props, () => undefined);
}

type PrintComponent = (printer: Printer, node: JsxElement, props: Props) => string;

const titleOf = (props: Props) => props.text("title", "label", "name", "value", "summary") ?? "";

/** Prints a callout under the component's name; in other languages than English, under the translated name of its kind. */
function printCallout(printer: Printer, node: JsxElement, props: Props): string {
  const { words } = printer;
  const component = node.name ?? "";
  const isTyped = /^(?:Callout|Aside|Admonition|Alert)$/.test(component);
  const name = isTyped ? (props.text("type", "variant", "kind") ?? "note") : component;
  const label = words === wordsFor("en") ? capitalize(name) : words[calloutKind(name)];
  const title = props.text("title");
  return quote(
    joinBlocks([strong(title === undefined ? label : `${label}: ${title}`), printer.blocks(node.children)]),
  );
}

function labelled(label: "request" | "response"): PrintComponent {
  return (printer, node, props) =>
    joinBlocks([strong(props.text("title") ?? printer.words[label]), printer.blocks(node.children)]);
}

const headed: PrintComponent = (printer, node, props) =>
  printer.titled(node, titleOf(props), props.text("description"));

function printCard(printer: Printer, node: JsxElement, props: Props): string {
  const href = props.text("href", "to", "url", "link");
  const content = printer.blocks(node.children);
  // If a card has no title, a single line of content without a link is the title.
  const isTitle = href !== undefined && titleOf(props) === "" && /^[^\n\](]+$/.test(content);
  const title = titleOf(props) || (isTitle ? textOf(node).trim() : href) || "";
  const label = href === undefined ? strong(title) : printer.linkTo(href, title);
  const description = escapeText(props.text("description") ?? "");
  return item("-", joinBlocks([label, description, isTitle ? "" : content]));
}

function isStep(node: Nodes): node is JsxElement {
  return node.type === "mdxJsxFlowElement" && /\bStep$/.test(node.name ?? "");
}

function printSteps(printer: Printer, { children }: JsxElement): string {
  if (!children.some(isStep)) return printer.blocks(children);
  let number = 0;
  const printPart = (child: Nodes) => {
    if (!isStep(child)) return printer.blocks([child]);
    number += 1;
    return printStep(printer, child, number);
  };
  return joinBlocks(children.map(printPart));
}

function printStep(printer: Printer, node: JsxElement, number = 1): string {
  const title = strong(propsOf(node).text("title") ?? "");
  return item(`${number}.`, joinBlocks([title, printer.blocks(node.children)]));
}

/** Prints a parameter: its name, details in parentheses, and its description. */
function printField(props: Props, content: string, words: Words): string {
  const location = fieldLocations.find((name) => props.text(name) !== undefined);
  const defaultValue = props.text("default", "defaultValue");
  const details = [
    props.text("type"),
    location,
    props.flag("required") && words.required,
    props.flag("deprecated") && words.deprecated,
    defaultValue !== undefined && `${words.default}: ${defaultValue}`,
  ].filter((detail) => typeof detail === "string");
  const name = props.text("name", "prop", ...fieldLocations) ?? "";
  const head = codeSpan(name) + (details.length > 0 ? ` (${escapeText(details.join(", "))})` : "");
  return item("-", joinBlocks([head, content]));
}

function printRow(row: Props, words: Words, depth = 0): string {
  const inner = depth < maxFieldDepth ? [...row.rows("parameters"), ...row.rows("properties")] : [];
  const fields = inner.map((field) => printRow(field, words, depth + 1));
  return printField(row, joinBlocks([escapeText(row.text("description") ?? ""), ...fields]), words);
}

function printUpdate(printer: Printer, node: JsxElement, props: Props): string {
  const description = [props.text("description"), props.list("tags").join(", ")].filter(Boolean).join(" · ");
  return printer.titled(node, props.text("label", "title", "date") ?? "", description);
}

function printText(printer: Printer, node: JsxElement, props: Props): string {
  const packages = props.text("packages", "package");
  const lines =
    props.list("text").join("\n") || props.text("text") || (packages && `npm install ${packages}`);
  return lines ? fence(lines) : printer.blocks(node.children);
}

/** All components that are not printed as their content alone; a key lists the names of a component. */
const components: ReadonlyMap<string, PrintComponent> = new Map(
  Object.entries<PrintComponent>({
    "Note Info Tip Warning Danger Check Important Hint Success Attention Caution Error": printCallout,
    "Callout Aside Admonition Alert": printCallout,
    "Card LinkCard Tile": printCard,
    "IndexCards ExampleLinks": (printer, node, props) =>
      joinBlocks(
        props
          .rows("cards", "examples", "items")
          .map((row) => printCard(printer, { ...node, children: [] }, row)),
      ),
    "Tab TabItem View CodeBlockTab Accordion AccordionItem Expandable Details details": headed,
    Steps: printSteps,
    Step: (printer, node) => printStep(printer, node),
    RequestExample: labelled("request"),
    ResponseExample: labelled("response"),
    Update: printUpdate,
    "ParamField ResponseField Property": (printer, node, props) =>
      printField(props, printer.blocks(node.children), printer.words),
    "PropertiesTable TypeTable": ({ words }, _node, props) =>
      joinBlocks(props.rows("content", "data", "properties", "type").map((row) => printRow(row, words))),
    "Snippet InstallPackages": printText,
    Prompt: (printer, node, props) =>
      quote(
        joinBlocks([
          strong(props.text("description", "title") ?? printer.words.prompt),
          printer.blocks(node.children),
        ]),
      ),
    Frame: (printer, node, props) =>
      joinBlocks([printer.blocks(node.children), wrap("*", escapeText(props.text("caption") ?? ""))]),
    "Folder File": (printer, node, props) =>
      item("-", joinBlocks([codeSpan(titleOf(props)), printer.blocks(node.children)])),
    li: (printer, node) => item("-", printer.blocks(node.children)),
    blockquote: (printer, node) => quote(printer.blocks(node.children)),
    pre: (_printer, node) => fence(textOf(node)),
    "Color.Item": (_printer, _node, props) =>
      item("-", `${escapeText(titleOf(props))} ${codeSpan(props.text("value") ?? "")}`),
    // The site shows this content instead.
    Visibility: (printer, node, props) =>
      props.text("for") === "humans" ? "" : printer.blocks(node.children),
  }).flatMap(([names, print]) => names.split(" ").map((name) => [name, print] as const)),
);

function joinBlocks(blocks: readonly string[], between = "\n\n"): string {
  return blocks.filter((block) => block.trim() !== "").join(between);
}

function indent(text: string, first: string, others: string): string {
  return text
    .split("\n")
    .map((line, index) => (index === 0 ? first + line : line === "" ? others.trimEnd() : others + line))
    .join("\n");
}

function quote(text: string): string {
  return text === "" ? "" : indent(text, "> ", "> ");
}

function item(marker: string, text: string): string {
  return indent(text, `${marker} `, " ".repeat(marker.length + 1));
}

function fence(code: string, language = "", title = ""): string {
  const marker = "`".repeat(Math.max(2, longestRun(code)) + 1);
  return joinBlocks([strong(title), `${marker}${language.replace(/[`\s]/g, "")}\n${code}\n${marker}`]);
}

function codeSpan(code: string): string {
  const text = oneLine(code);
  if (text === "") return "";
  const longest = longestRun(text);
  const marker = "`".repeat(longest + 1);
  return longest > 0 ? `${marker} ${text} ${marker}` : marker + text + marker;
}

/** Length of the longest run of backticks. */
function longestRun(code: string): number {
  return (code.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}

/** Puts markers around a text, within its leading and trailing white space. */
function wrap(marker: string, text: string): string {
  const inner = text.trim();
  return inner === "" ? text : text.replace(inner, () => marker + inner + marker);
}

function strong(text: string): string {
  return wrap("**", escapeTitle(text));
}

/** Escapes a title in a property. Code between backticks stays code. */
function escapeTitle(title: string): string {
  const parts = oneLine(title).split(/(`[^`]+`)/);
  return parts.map((part, index) => (index % 2 === 1 ? part : escapeText(part))).join("");
}

/**
 * Prints a description, which may contain code, bold and italic text, and links.
 *
 * @param resolve Returns the URL of a link. A link without URL becomes text.
 */
export function printInline(
  text: string,
  resolve: (href: string) => string | undefined = () => undefined,
): string {
  const parts = oneLine(text).split(inlinePart);
  const printed = parts.map((part, index) => {
    if (index % 2 === 0) return escapeText(part);
    const [, label, href] = /^\[(.+)\]\((.+)\)$/.exec(part) ?? [];
    const url = href === undefined ? undefined : resolve(href);
    if (label !== undefined)
      return url === undefined ? escapeTitle(label) : `[${escapeTitle(label)}](${escapeUrl(url)})`;
    const [, marker, words = ""] = /^(\*{1,2})(.+)\1$/.exec(part) ?? [];
    return marker === undefined ? part : marker + escapeTitle(words) + marker;
  });
  return printed.join("");
}

/** A text without line breaks. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();
}

function escapeUrl(url: string): string {
  return url
    .replace(/[\s<>]/g, encodeURIComponent)
    .replaceAll("(", "%28")
    .replaceAll(")", "%29");
}

function textOfHtml(html: string): string {
  return (
    html
      .replace(/<!--.*?(?:-->|$)/gs, " ")
      .replace(/<(script|style)\b.*?(?:<\/\1\s*>|$)/gis, " ")
      // An unclosed tag matches, too; otherwise each `<` would search the rest of the text again.
      .replace(/<[^>]*(>|$)/g, (tag, end) => (end === "" ? tag : " "))
      .trim()
  );
}

/** Escapes characters that Markdown would read as inline markup. */
function escapeText(text: string): string {
  return text.replace(
    /\\(?=[!-/:-@[-`{-~])|`|\](?=[([:])|^\[(?=[ x]\])|(?<!\s)\*|\*(?!\s)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|<(?=[a-z/!?])|~(?=[^~]*~)|~(?<=~[^~]*~)|&(?=#?\w+;)/giu,
    "\\$&",
  );
}

/** Escapes characters that would start a list, a heading or a quotation. */
function escapeStart(text: string): string {
  return text.replace(/^(?=(?:#{1,6}|[-+>]|={2,}|\d{1,9}[.)])(?:\s|$))(\d*)/gm, "$1\\");
}
