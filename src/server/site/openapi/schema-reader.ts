/** Schemas of an OpenAPI document as fields of a page, and as example values. */
import type { RootContent } from "mdast";
import { isJsonObject, type JsonObject, shorten } from "../../../base/text.ts";
import { fieldSlug } from "../content/heading-slugs.ts";
import { parseMarkdown } from "../content/parse-page.ts";
import type { Words } from "../interface-words.ts";
import { entriesOf, listOf } from "../json-values.ts";
import type { ApiDocument } from "./api-document.ts";

/** What a page shows of a document at most: schemas multiply each other. */
const limits = {
  fields: 3000,
  /** After so many, none that is nested: the outer ones of all schemas are shown before the inner ones of the first. */
  nestedFields: 800,
  depth: 8,
  /** Of `allOf` and of alternatives, directly in each other. */
  nesting: 50,
  mergedProperties: 200_000,
  options: 50,
  pills: 20,
  enumValues: 100,
  exampleValues: 10_000,
  text: 100_000,
};

/** A schema with its references resolved and `allOf` merged. */
interface Shape {
  readonly node: JsonObject;
  /** The component's name. */
  readonly name?: string | undefined;
  /** The object that it stands for, which tells that it is inside itself. */
  readonly target: JsonObject;
}

/** What the schemas around one stand for, outermost first. */
type Ancestors = readonly JsonObject[];

interface FieldOptions {
  readonly direction: Direction;
  readonly isRequired?: boolean;
  /** The parameter that the schema is of; what it says counts more. */
  readonly parameter?: JsonObject;
}

/** How a configuration wants fields and examples to be shown. */
export interface FieldDisplay {
  /** Which optional parts examples of requests have: all or none; those of bodies alone without it. */
  readonly examples?: "all" | "required";
  /** Whether the fields of fields are open from the start. */
  readonly isExpanded?: boolean;
  /** Keys of schemas whose values stand behind each field's name. */
  readonly pills?: readonly string[];
}

/** Whether fields are sent or received, which decides on those that are only read or only written. */
export type Direction = "request" | "response";

/** A known component as a page would write it. */
export function component(
  name: string,
  props: JsonObject,
  children: readonly RootContent[] = [],
): RootContent {
  return { type: "mdxJsxFlowElement", name, attributes: [], data: { props }, children } as never;
}

/** A paragraph of texts and `code`, which is every second part. */
export function sentence(...parts: readonly string[]): RootContent {
  const children = parts.map((value, at) => ({ type: at % 2 === 1 ? "inlineCode" : "text", value }) as const);
  return { type: "paragraph", children: children.filter(({ value }) => value !== "") };
}

/** Codes with a text between them, as parts of a {@link sentence}. */
export function codesWith(between: string, codes: readonly string[]): string[] {
  return codes.flatMap((code) => [code, between]).slice(0, -1);
}

/** What Markdown shows as it is: most descriptions, and parsing one takes as long as describing ten fields. */
const plainText = /^(?!\s|[-+=]|\d+[.)]|.*(?:https?:|www\.|@))[^\n\r\\`*_[\]<>&#|~:]+$/i;

/** A text of the document as Markdown, as little trusted as a page; its headings are no sections of the page. */
export function prose(text: unknown): RootContent[] {
  if (typeof text !== "string" || text.trim() === "") return [];
  if (plainText.test(text)) return [sentence(text)];
  return parseMarkdown(shorten(text, limits.text)).children.map((block) =>
    block.type === "heading"
      ? { type: "paragraph", children: [{ type: "strong", children: block.children }] }
      : block,
  );
}

/** A value as JSON; `undefined` where it contains itself or is nested too deeply. */
export function printJson(value: unknown, space = 2): string | undefined {
  try {
    const text = JSON.stringify(value, null, space) as string | undefined;
    return text && shorten(text, limits.text);
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A value in a line of text: a text as it is. */
function inline(value: unknown): string {
  return shorten((typeof value === "string" ? value : (printJson(value, 0) ?? "")).replace(/\s+/g, " "), 200);
}

/** Reads schemas for one page; what it reads and makes is bounded. */
export class SchemaReader {
  readonly #document: ApiDocument;
  readonly display: FieldDisplay;
  /** Of the page's language. */
  readonly words: Words;
  readonly warn: (message: string) => void;
  readonly #shapes = new Map<unknown, Shape>();
  readonly #types = new Map<Shape, string>();
  #fields = 0;
  #merged = 0;
  #values = 0;

  constructor(document: ApiDocument, warn: (message: string) => void, words: Words, display: FieldDisplay) {
    this.#document = document;
    this.warn = warn;
    this.words = words;
    this.display = display;
  }

  /** The object that a part of the document is or refers to. */
  resolve(value: unknown): JsonObject {
    return this.#document.resolve(value, this.warn).value;
  }

  /** What a schema requires beside its type, and the fields or alternatives that it holds. */
  describe(schema: unknown, direction: Direction): RootContent[] {
    const shape = this.#shapeOf(schema);
    const isObject = this.#contentShape(shape) === shape && this.#typeOf(shape) === "object";
    return [
      ...(isObject ? [] : [sentence(`${this.words.type}: `, this.#typeOf(shape))]),
      ...this.#details(shape, shape.node["description"]),
      ...this.#content(shape, direction, []),
    ];
  }

  /** A field with its type, description, constraints and the fields that it holds. */
  field(
    name: string,
    schema: unknown,
    { direction, isRequired = false, parameter = {} }: FieldOptions,
    ancestors: Ancestors = [],
  ): RootContent {
    this.#fields += 1;
    const shape = this.#shapeOf(schema);
    const { node } = shape;
    const fallback = node["default"];
    const own = isJsonObject(node["x-mint"]) ? node["x-mint"] : {};
    const before = listOf(own["pre"]).map(inline);
    const behind = [...listOf(own["post"]).map(inline), ...this.#pillsOf(node)];
    const isDeprecated = parameter["deprecated"] === true || node["deprecated"] === true;
    const content = this.#content(shape, direction, ancestors);
    const place =
      direction === "response" ? "response" : parameter["in"] === undefined ? "body" : "parameter";
    const props = {
      name,
      id: `${place}-${fieldSlug(name)}`,
      type: this.#typeOf(shape),
      ...(isRequired && { required: true }),
      ...(isDeprecated && { deprecated: true }),
      ...(fallback !== undefined && { default: inline(fallback) }),
      ...(before.length > 0 && { pre: before }),
      ...(behind.length > 0 && { post: behind }),
    };
    const description = parameter["description"] ?? node["description"];
    const opening = this.display.isExpanded === true && { defaultOpen: true };
    return component(direction === "request" ? "ParamField" : "ResponseField", props, [
      ...this.#details(shape, description, parameter["example"]),
      // Only that it is recursive, or too deep, is a paragraph.
      ...(content.every(({ type }) => type === "paragraph")
        ? content
        : [component("Expandable", { title: this.words.attributes, ...opening }, content)]),
    ]);
  }

  #pillsOf(node: JsonObject): string[] {
    const values = (this.display.pills ?? []).flatMap((key) =>
      node[key] === true ? [key] : [node[key]].flat(),
    );
    return values
      .filter((value) => typeof value === "number" || (typeof value === "string" && value !== ""))
      .map(inline)
      .slice(0, limits.pills);
  }

  /** A value that a schema allows: the document's own example where there is one. */
  example(schema: unknown, direction: Direction, ancestors: Ancestors = []): unknown {
    const { node, target } = this.#shapeOf(schema);
    const given = [node["example"], listOf(node["examples"])[0], node["default"], node["const"]];
    const known = [...given, listOf(node["enum"])[0]].find((value) => value !== undefined);
    if (known !== undefined) return known;
    this.#values += 1;
    const isCut = ancestors.length > limits.depth || this.#values > limits.exampleValues;
    if (isCut || ancestors.includes(target)) return undefined;
    const path = [...ancestors, target];
    const [option] = this.#optionsOf(node);
    const chosen = option && this.example(option.node, direction, path);
    const required =
      direction === "request" && this.display.examples === "required" && listOf(node["required"]);
    const members = this.#membersOf(node, direction).flatMap(([name, member]) => {
      if (required && !required.includes(name)) return [];
      const value = this.example(member, direction, path);
      return value === undefined ? [] : [[name, value] as const];
    });
    if (members.length > 0) return { ...(isJsonObject(chosen) && chosen), ...Object.fromEntries(members) };
    if (chosen !== undefined) return chosen;
    const [type = "string"] = typesOf(node);
    if (type === "object") return {};
    if (type !== "array") return sampleOf((type === "string" && formatOf(node)) || type) ?? sampleOf(type);
    const item = this.example(node["items"], direction, path);
    return item === undefined ? [] : [item];
  }

  /** The properties of an object, without those that do not go this way. */
  #membersOf(node: JsonObject, direction: Direction): (readonly [string, unknown])[] {
    const hiddenBy = direction === "request" ? "readOnly" : "writeOnly";
    return entriesOf(node["properties"]).filter(
      ([, schema]) => this.#shapeOf(schema).node[hiddenBy] !== true,
    );
  }

  #shapeOf(schema: unknown, depth = 0): Shape {
    const known = this.#shapes.get(schema);
    if (known !== undefined) return known;
    const { value, target, name } = this.#document.resolve(schema ?? {}, this.warn);
    const plain = { node: value, name, target };
    // A schema that is one of its own parts finds itself as it is written.
    this.#shapes.set(schema, plain);
    if (depth > limits.nesting) return plain;
    const shape = this.#unwrap(this.#mergeParts(plain, depth), depth);
    this.#shapes.set(schema, shape);
    return shape;
  }

  #mergeParts(shape: Shape, depth: number): Shape {
    const { allOf, ...own } = shape.node;
    if (!Array.isArray(allOf)) return shape;
    const parts = allOf.map((part) => this.#shapeOf(part, depth + 1));
    const nodes = [...parts.map((part) => part.node), own];
    const node = nodes.reduce((earlier, later) => this.#merge(earlier, later));
    const [only] = parts.length === 1 ? parts : [];
    return { node, name: shape.name ?? only?.name, target: only?.target ?? shape.target };
  }

  /** `oneOf: [X, null]` is an X that may be null. */
  #unwrap(shape: Shape, depth: number): Shape {
    const { oneOf, anyOf, ...rest } = shape.node;
    const written = listOf(oneOf ?? anyOf);
    const [only, ...others] = written.length === 0 ? [] : this.#optionsOf(shape.node, depth + 1);
    if (only === undefined || others.length > 0) return shape;
    const node = { ...this.#merge(only.node, rest), ...(written.length > 1 && { nullable: true }) };
    return { node, name: shape.name ?? only.name, target: only.target };
  }

  /** Both schemas at once; where they differ, the later one counts. */
  #merge(earlier: JsonObject, later: JsonObject): JsonObject {
    const properties = [earlier["properties"], later["properties"]].filter(isJsonObject);
    for (const names of properties.map(Object.keys)) this.#merged += names.length;
    if (this.#merged > limits.mergedProperties) {
      this.warn("schemas that are combined of too many properties are shown in part");
      return later;
    }
    const required = [...listOf(earlier["required"]), ...listOf(later["required"])];
    return {
      ...earlier,
      ...later,
      ...(properties.length > 0 && { properties: Object.assign({}, ...properties) as JsonObject }),
      ...(required.length > 0 && { required }),
    };
  }

  /** The alternatives of a schema; `null`, and what only names required properties, is none. */
  #optionsOf(node: JsonObject, depth = 0): Shape[] {
    const written = listOf(node["oneOf"] ?? node["anyOf"]);
    if (written.length > limits.options)
      this.warn(`of ${written.length} alternatives of a schema ${limits.options} are shown`);
    return written
      .slice(0, limits.options)
      .map((option) => this.#shapeOf(option, depth))
      .filter(({ node: option }) => option["type"] !== "null" && isTyped(option));
  }

  /** The shape of what a list holds, and of any other schema the schema itself. */
  #contentShape(shape: Shape): Shape {
    let inner = shape;
    for (let depth = 0; depth < 5 && isJsonObject(inner.node["items"]); depth += 1)
      inner = this.#shapeOf(inner.node["items"]);
    return inner;
  }

  #typeOf(shape: Shape): string {
    const known = this.#types.get(shape);
    if (known !== undefined) return known;
    this.#types.set(shape, shape.name ?? "any");
    const { node } = shape;
    const options = this.#optionsOf(node).map((option) => this.#typeOf(option));
    const types = typesOf(node).map((type) => {
      if (type !== "array") return labelOf(type, node);
      const item = this.#typeOf(this.#shapeOf(node["items"]));
      return item.includes(" | ") ? `(${item})[]` : `${item}[]`;
    });
    const isNullable = node["nullable"] === true || listOf(node["type"]).includes("null");
    const labels = [...new Set(options.length > 0 ? options : types)].slice(0, 6);
    const type = shorten([...labels, ...(isNullable ? ["null"] : [])].join(" | ") || "any", 120);
    this.#types.set(shape, type);
    return type;
  }

  #details(shape: Shape, description: unknown, example?: unknown): RootContent[] {
    const { node } = shape;
    const words = this.words;
    const inner = this.#contentShape(shape).node;
    const values = listOf(node["enum"] ?? inner["enum"]).map(inline);
    const shown = codesWith(", ", values.slice(0, limits.enumValues));
    const more = values.length > limits.enumValues ? ` and ${values.length - limits.enumValues} more` : "";
    const given = example ?? node["example"] ?? listOf(node["examples"])[0];
    return [
      ...prose(description),
      ...constraintsOf(node, words).map(([label, value]) => sentence(`${label}: `, value)),
      ...(values.length === 0 ? [] : [sentence(`${words.options}: `, ...shown, more)]),
      ...(given === undefined || isJsonObject(given) ? [] : [sentence(`${words.example}: `, inline(given))]),
    ];
  }

  /** The fields that a schema holds, and its alternatives as tabs. */
  #content(shape: Shape, direction: Direction, ancestors: Ancestors): RootContent[] {
    const { node, name, target } = this.#contentShape(shape);
    const options = this.#optionsOf(node);
    const required = new Set(listOf(node["required"]));
    const others = node["additionalProperties"] ?? Object.values(Object(node["patternProperties"]))[0];
    const members = [
      ...this.#membersOf(node, direction),
      ...(isJsonObject(others) && Object.keys(others).length > 0 ? [["{key}", others] as const] : []),
    ];
    if (members.length + options.length === 0) return [];
    if (ancestors.includes(target))
      return [sentence("Recursive: it holds the same fields as ", name ?? "the field around it", ".")];
    const path = [...ancestors, target];
    const fields = this.#untilLimit(members, path, ([key, schema]) => {
      return this.field(key, schema, { direction, isRequired: required.has(key) }, path);
    });
    const tabs = this.#untilLimit(options, path, (option) => {
      this.#fields += 1;
      const title = shorten(String(option.node["title"] ?? option.name ?? this.#typeOf(option)), 80);
      const details = this.#details(option, option.node["description"]);
      return component("Tab", { title }, [...details, ...this.#content(option, direction, path)]);
    });
    const isSaid = tabs.some((tab) => "children" in tab && tab.children.length > 0);
    return isSaid ? [...fields, component("Tabs", {}, tabs)] : fields;
  }

  /** What is made of each item, as long as the page may grow. */
  #untilLimit<Item>(
    items: readonly Item[],
    path: Ancestors,
    make: (item: Item) => RootContent,
  ): RootContent[] {
    const made: RootContent[] = [];
    for (const item of items) {
      const isDeep = path.length > limits.depth;
      const most = path.length > 2 ? limits.nestedFields : limits.fields;
      if (!isDeep && this.#fields < most) {
        made.push(make(item));
        continue;
      }
      this.warn(
        `fields ${isDeep ? `nested deeper than ${limits.depth}` : `after the ${most}th`} are not shown`,
      );
      return [...made, sentence("Further fields are not shown.")];
    }
    return made;
  }
}

function isTyped(node: JsonObject): boolean {
  const keys = "type properties items enum const oneOf anyOf additionalProperties".split(" ");
  return keys.some((key) => node[key] !== undefined);
}

/** The types of a schema, `null` apart; what it holds tells where it does not say. */
function typesOf(node: JsonObject): string[] {
  const types = [node["type"] ?? []].flat().filter((type) => typeof type === "string" && type !== "null");
  if (types.length > 0) return types as string[];
  if (node["properties"] !== undefined || node["additionalProperties"] !== undefined) return ["object"];
  if (node["items"] !== undefined) return ["array"];
  const value = node["const"] ?? listOf(node["enum"])[0];
  return value === undefined || value === null ? [] : [typeof value];
}

function labelOf(type: string, node: JsonObject): string {
  const format = formatOf(node);
  if (node["enum"] !== undefined) return `enum<${type}>`;
  return format ? `${type}<${format}>` : type;
}

function formatOf({ format, contentMediaType, contentEncoding }: JsonObject): string | undefined {
  if (typeof format === "string") return format;
  return contentMediaType !== undefined && contentEncoding === undefined ? "binary" : undefined;
}

/** What a schema demands of a value, as label and text. */
function constraintsOf(node: JsonObject, words: Words): [label: string, text: string][] {
  const range = (low: string, high: string, name: string) => {
    const [from, to] = [node[low], node[high]];
    const text = [
      from === undefined ? "" : `${inline(from)} <= `,
      name,
      to === undefined ? "" : ` <= ${inline(to)}`,
    ];
    return from === undefined && to === undefined ? undefined : text.join("");
  };
  // Version 3.0 says with a flag what 3.1 says with a number.
  const [above, below] = [node["exclusiveMinimum"], node["exclusiveMaximum"]];
  const found: [string, unknown][] = [
    [words.range, range("minimum", "maximum", "x")],
    [words.moreThan, above === true ? node["minimum"] : above === false ? undefined : above],
    [words.lessThan, below === true ? node["maximum"] : below === false ? undefined : below],
    [words.multipleOf, node["multipleOf"]],
    [words.length, range("minLength", "maxLength", "length")],
    [words.items, range("minItems", "maxItems", "items")],
    [words.pattern, node["pattern"]],
    [words.always, node["const"]],
  ];
  return found.flatMap(([label, value]) =>
    value === undefined ? [] : [[label, inline(value)] as [string, string]],
  );
}

/** The example value of a file. */
export const fileMark = "<file>";

/** The example value of a type or of a format of strings. */
export function sampleOf(type: string): unknown {
  return type.endsWith("[]") ? [] : Object.hasOwn(samples, type) ? samples[type] : undefined;
}

const samples: Readonly<Record<string, unknown>> = {
  binary: fileMark,
  "date-time": "2026-01-31T12:00:00Z",
  date: "2026-01-31",
  email: "name@example.com",
  uri: "https://example.com",
  url: "https://example.com",
  uuid: "3c90c3cc-0d44-4b50-8888-8dd25736052a",
  integer: 123,
  number: 123,
  boolean: true,
  object: {},
  string: "<string>",
};
