/** A page as plain Markdown, for programs that read: components become what Markdown has for them, and no markup is left. */
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

/** What a page is printed under. */
export interface PageHeading {
  readonly title: string;
  readonly description?: string | undefined;
  /** The endpoint that the page describes, such as `GET /users`. */
  readonly endpoint?: string | undefined;
  /** The interface's words in the page's language. */
  readonly words: Words;
  /** Whether a first-level heading that the page starts with only says its title. */
  isTitle(heading: string): boolean;
}

/** Prints an evaluated page under its title. */
export function toMarkdown(
  tree: Root,
  { title, description, endpoint, words, isTitle }: PageHeading,
  links: LinkResolver,
): string {
  const about = printInline(description ?? "", (href) => links.resolveLink(href, undefined));
  const lead = about === "" ? "" : quote(escapeStart(about));
  const { method, path } = readEndpoint(endpoint) ?? {};
  const address = method === undefined ? "" : codeSpan(`${method} ${path}`);
  const printer = new Printer(links, words, tree, leadingTitle(tree, isTitle));
  return `${joinBlocks([`# ${escapeText(oneLine(title))}`, address, lead, printer.blocks(tree.children)])}\n`;
}

/** The heading that a page starts with, also within elements that lay it out, if it only says the page's title. */
function leadingTitle(tree: Root, isTitle: PageHeading["isTitle"]): Nodes | undefined {
  let node: Nodes | undefined = tree.children[0];
  while (node?.type === "paragraph" || (node && isJsx(node) && /^(?!h1$)[a-z]/.test(node.name ?? "")))
    node = node.children[0];
  if (node === undefined) return undefined;
  const isHeading = node.type === "heading" ? node.depth === 1 : isJsx(node) && node.name === "h1";
  return isHeading && isTitle(textOf(node)) ? node : undefined;
}

/** Links beside each other are set apart by their looks alone. */
function standsApart(node: Nodes | undefined): boolean {
  return node !== undefined && isJsx(node) && /^(?:a|Link)$/.test(node.name ?? "");
}

const maxDepth = 100;

/** Elements of HTML that hold a line of text. */
const lineElement = /^(?:p|td|th|dt|dd|summary|figcaption|caption|button)$/;
/** Elements that are no part of the words beside them, also where they stand in a line. */
const blockElement = /^(?:div|p|h[1-6]|ul|ol|li|section|button)$/;
const silentElement = /^(?:script|style|svg|form|input|template|noscript|Icon)$/;

class Printer {
  readonly words: Words;
  readonly #links: LinkResolver;
  /** Addresses that links refer to by a name. */
  readonly #definitions = new Map<string, string>();
  /** Is not printed. */
  readonly #title: Nodes | undefined;
  /** Level of the heading above. */
  #level = 1;
  #depth = 0;

  constructor(links: LinkResolver, words: Words, tree: Root, title: Nodes | undefined) {
    this.words = words;
    this.#links = links;
    this.#title = title;
    for (const node of tree.children)
      if (node.type === "definition") this.#definitions.set(node.identifier, node.url);
  }

  /** Prints nodes as blocks; what stands in a line together stays together. */
  blocks(nodes: readonly Nodes[], between = "\n\n"): string {
    // What is nested deeper keeps its words alone.
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
            const mark = node.ordered === true ? `${(node.start ?? 1) + index}.` : "-";
            return item(mark, box + this.blocks(children, spread === true ? "\n\n" : "\n"));
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
    return nodes
      .map((node, at) => (standsApart(node) && standsApart(nodes[at - 1]) ? " " : "") + this.#phrase(node))
      .join("");
  }

  #phrase(node: Nodes): string {
    if (node === this.#title) return "";
    switch (node.type) {
      case "text":
        return escapeText(node.value);
      case "emphasis":
        return around("*", this.#inline(node.children));
      case "strong":
        return around("**", this.#inline(node.children));
      case "delete":
        return around("~~", this.#inline(node.children));
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
    const address = href === undefined ? undefined : this.#links.resolveLink(href, undefined);
    const label = oneLine(text);
    return address === undefined ? label : `[${label || address}](${target(address)})`;
  }

  #image(source: string | undefined, alt: string): string {
    const address = source === undefined ? undefined : this.#links.resolveMedia(source, undefined);
    const label = escapeText(oneLine(alt));
    return address === undefined || address.startsWith("data:") ? label : `![${label}](${target(address)})`;
  }

  #inlineComponent(node: JsxElement): string {
    const props = propsOf(node);
    const name = node.name ?? "";
    const content = () => this.#inline(node.children);
    if (silentElement.test(name)) return "";
    if (/^(?:b|strong)$/.test(name)) return around("**", content());
    if (/^(?:i|em)$/.test(name)) return around("*", content());
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
    // A line's end by itself ends nothing.
    if (silentElement.test(name) || name === "br") return "";
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

  /** A component under its title, one level below the section that it is in; the headings in it do not count for what follows. */
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

/** What is wrong with a property is said where the page is rendered. */
function propsOf(node: JsxElement): Props {
  return new Props(node.data?.props, () => undefined);
}

type PrintComponent = (printer: Printer, node: JsxElement, props: Props) => string;

const titleOf = (props: Props) => props.text("title", "label", "name", "value", "summary") ?? "";

/** A callout under its name as it is written; in other languages, where it would be a foreign word, under that of its kind. */
function printCallout(printer: Printer, node: JsxElement, props: Props): string {
  const { words } = printer;
  const written = node.name ?? "";
  const isTyped = /^(?:Callout|Aside|Admonition|Alert)$/.test(written);
  const name = isTyped ? (props.text("type", "variant", "kind") ?? "note") : written;
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
  // One line without a link is what the card is called.
  const isName = href !== undefined && titleOf(props) === "" && /^[^\n\](]+$/.test(content);
  const title = titleOf(props) || (isName ? textOf(node).trim() : href) || "";
  const label = href === undefined ? strong(title) : printer.linkTo(href, title);
  const description = escapeText(props.text("description") ?? "");
  return item("-", joinBlocks([label, description, isName ? "" : content]));
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

/** A parameter: its name, what is to be known of it in parentheses, and its description. */
function printField(props: Props, content: string, words: Words): string {
  const location = fieldLocations.find((place) => props.text(place) !== undefined);
  const initial = props.text("default", "defaultValue");
  const facts = [
    props.text("type"),
    location,
    props.flag("required") && words.required,
    props.flag("deprecated") && words.deprecated,
    initial !== undefined && `${words.default}: ${initial}`,
  ].filter((fact) => typeof fact === "string");
  const name = props.text("name", "prop", ...fieldLocations) ?? "";
  const head = codeSpan(name) + (facts.length > 0 ? ` (${escapeText(facts.join(", "))})` : "");
  return item("-", joinBlocks([head, content]));
}

function printRow(row: Props, words: Words, depth = 0): string {
  const inner = depth < maxFieldDepth ? [...row.rows("parameters"), ...row.rows("properties")] : [];
  const fields = inner.map((field) => printRow(field, words, depth + 1));
  return printField(row, joinBlocks([escapeText(row.text("description") ?? ""), ...fields]), words);
}

function printUpdate(printer: Printer, node: JsxElement, props: Props): string {
  const about = [props.text("description"), props.list("tags").join(", ")].filter(Boolean).join(" · ");
  return printer.titled(node, props.text("label", "title", "date") ?? "", about);
}

function printText(printer: Printer, node: JsxElement, props: Props): string {
  const packages = props.text("packages", "package");
  const lines =
    props.list("text").join("\n") || props.text("text") || (packages && `npm install ${packages}`);
  return lines ? fence(lines) : printer.blocks(node.children);
}

/** Components by all their names; of any other the content is printed. */
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
      joinBlocks([printer.blocks(node.children), around("*", escapeText(props.text("caption") ?? ""))]),
    "Folder File": (printer, node, props) =>
      item("-", joinBlocks([codeSpan(titleOf(props)), printer.blocks(node.children)])),
    li: (printer, node) => item("-", printer.blocks(node.children)),
    blockquote: (printer, node) => quote(printer.blocks(node.children)),
    pre: (_printer, node) => fence(textOf(node)),
    "Color.Item": (_printer, _node, props) =>
      item("-", `${escapeText(titleOf(props))} ${codeSpan(props.text("value") ?? "")}`),
    // This is the page as programs read it.
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

function item(mark: string, text: string): string {
  return indent(text, `${mark} `, " ".repeat(mark.length + 1));
}

function fence(code: string, language = "", title = ""): string {
  const mark = "`".repeat(Math.max(2, longestRun(code)) + 1);
  return joinBlocks([strong(title), `${mark}${language.replace(/[`\s]/g, "")}\n${code}\n${mark}`]);
}

function codeSpan(code: string): string {
  const text = oneLine(code);
  if (text === "") return "";
  const longest = longestRun(text);
  const mark = "`".repeat(longest + 1);
  return longest > 0 ? `${mark} ${text} ${mark}` : mark + text + mark;
}

/** Length of the longest run of backticks. */
function longestRun(code: string): number {
  return (code.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}

function around(mark: string, text: string): string {
  const inner = text.trim();
  return inner === "" ? text : text.replace(inner, () => mark + inner + mark);
}

function strong(text: string): string {
  return around("**", escapeTitle(text));
}

/** A title in a property: code between back-ticks stays code. */
function escapeTitle(title: string): string {
  const parts = oneLine(title).split(/(`[^`]+`)/);
  return parts.map((part, index) => (index % 2 === 1 ? part : escapeText(part))).join("");
}

/**
 * Prints a text that has code, bold and italic words and links, as descriptions do.
 *
 * @param resolve gives the address of a link; a link without one keeps its words
 */
export function printInline(
  text: string,
  resolve: (href: string) => string | undefined = () => undefined,
): string {
  const parts = oneLine(text).split(inlinePart);
  const printed = parts.map((part, at) => {
    if (at % 2 === 0) return escapeText(part);
    const [, label, href] = /^\[(.+)\]\((.+)\)$/.exec(part) ?? [];
    const address = href === undefined ? undefined : resolve(href);
    if (label !== undefined)
      return address === undefined ? escapeTitle(label) : `[${escapeTitle(label)}](${target(address)})`;
    const [, mark, words = ""] = /^(\*{1,2})(.+)\1$/.exec(part) ?? [];
    return mark === undefined ? part : mark + escapeTitle(words) + mark;
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

function target(address: string): string {
  return address
    .replace(/[\s<>]/g, encodeURIComponent)
    .replaceAll("(", "%28")
    .replaceAll(")", "%29");
}

function textOfHtml(html: string): string {
  return (
    html
      .replace(/<!--.*?(?:-->|$)/gs, " ")
      .replace(/<(script|style)\b.*?(?:<\/\1\s*>|$)/gis, " ")
      // An open end is a match too: else the rest would be searched again from each mark.
      .replace(/<[^>]*(>|$)/g, (tag, end) => (end === "" ? tag : " "))
      .trim()
  );
}

/** Marks that Markdown would read as markup where the text means them as they are. */
function escapeText(text: string): string {
  return text.replace(
    /\\(?=[!-/:-@[-`{-~])|`|\](?=[([:])|^\[(?=[ x]\])|(?<!\s)\*|\*(?!\s)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|<(?=[a-z/!?])|~(?=[^~]*~)|~(?<=~[^~]*~)|&(?=#?\w+;)/giu,
    "\\$&",
  );
}

/** Marks that make a list, a heading or a quotation at the start of a line. */
function escapeStart(text: string): string {
  return text.replace(/^(?=(?:#{1,6}|[-+>]|={2,}|\d{1,9}[.)])(?:\s|$))(\d*)/gm, "$1\\");
}
