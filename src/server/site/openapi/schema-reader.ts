/** Renders schemas of an OpenAPI document as fields of a page, and generates example values. */
import type { RootContent } from "mdast";
import { isJsonObject, type JsonObject, shorten } from "../../../base/text.ts";
import { component } from "../content/compile-mdx.ts";
import { mapByNames } from "../content/hast.ts";
import { fieldSlug } from "../content/heading-slugs.ts";
import { parseMarkdown, plainLine, removePositions } from "../content/parse-page.ts";
import type { Words } from "../interface-words.ts";
import { entriesOf, listOf, objectOf, printExactJson } from "../json-values.ts";
import type { ApiDocument } from "./api-document.ts";

/** Limits per page: nested schemas can multiply exponentially. */
const limits = {
  fields: 3000,
  /** Nested fields are shown only before this many fields, so that they do not displace the top-level ones. */
  nestedFields: 800,
  depth: 8,
  mergedProperties: 200_000,
  options: 100,
  enumValues: 100,
  exampleValues: 10_000,
  text: 100_000,
};

/** A schema with its references resolved and `allOf` merged. */
interface Shape {
  readonly node: JsonObject;
  readonly name?: string | undefined;
  /** The referenced object. Its identity reveals recursion. */
  readonly target: JsonObject;
}

/** The targets of the surrounding schemas, outermost first. */
type Ancestors = readonly JsonObject[];

interface FieldOptions {
  readonly direction: Direction;
  readonly isRequired?: boolean;
  /** The parameter with this schema. Its properties take precedence. */
  readonly parameter?: JsonObject;
}

/** Whether fields are sent or received. It excludes read-only or write-only fields. */
export type Direction = "request" | "response";

/** Creates a paragraph of alternating texts and inline code. */
export function sentence(...parts: readonly string[]): RootContent {
  const children = parts.map(
    (value, index) => ({ type: index % 2 === 1 ? "inlineCode" : "text", value }) as const,
  );
  return { type: "paragraph", children: children.filter(({ value }) => value !== "") };
}

/** A sentence with inline code in place of each `{}`. */
export function sentenceAround(text: string, ...codes: readonly string[]): RootContent {
  return sentence(...text.split("{}").flatMap((part, index) => [part, codes[index] ?? ""]));
}

/** A paragraph with inline codes between a label and a rest; none without codes. */
export function codeList(label: string, codes: readonly string[], rest = ""): RootContent[] {
  if (codes.length === 0) return [];
  return [sentence(label, ...codes.flatMap((code) => [code, ", "]).slice(0, -1), rest)];
}

/** Parses a Markdown text of the document, without trusting it. Headings become bold paragraphs. */
export function prose(text: unknown): RootContent[] {
  if (typeof text !== "string" || text.trim() === "") return [];
  if (text.length < limits.text && plainLine.test(text.trim())) return [sentence(text.trim())];
  const lines = shorten(text, limits.text).split(/\r\n?|\n/);
  // In documents made from source code, descriptions may be indented as a whole.
  const indent = Math.min(...lines.map((line) => line.search(/\S/)).filter((at) => at >= 0));
  const tree = parseMarkdown(lines.map((line) => line.slice(indent)).join("\n"));
  removePositions(tree);
  return tree.children.map((block) =>
    block.type === "heading"
      ? { type: "paragraph", children: [{ type: "strong", children: block.children }] }
      : block,
  );
}

/** Prints a value as JSON; `undefined` if it contains itself or is nested too deeply. */
export function printJson(value: unknown, space = 2): string | undefined {
  try {
    const text = printExactJson(value, space);
    return text && shorten(text, limits.text);
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Prints a value on one line: strings as they are, other values as JSON. */
function inline(value: unknown): string {
  return shorten((typeof value === "string" ? value : (printJson(value, 0) ?? "")).replace(/\s+/g, " "), 200);
}

/** Reads the schemas of one page, within {@link limits}. */
export class SchemaReader {
  readonly document: ApiDocument;
  readonly words: Words;
  readonly warn: (message: string) => void;
  readonly #shapes = new Map<unknown, Shape>();
  readonly #options = new Map<JsonObject, readonly Shape[]>();
  readonly #types = new Map<Shape, string>();
  #fields = 0;
  #merged = 0;
  #values = 0;

  constructor(document: ApiDocument, warn: (message: string) => void, words: Words) {
    this.document = document;
    this.warn = warn;
    this.words = words;
  }

  /** Resolves a value of the document to an object. */
  resolve(value: unknown): JsonObject {
    return this.document.resolve(value, this.warn).value;
  }

  /** Describes a schema: type, constraints, and its fields or alternatives. */
  describe(schema: unknown, direction: Direction): RootContent[] {
    const shape = this.#shapeOf(schema);
    const isObject = this.#contentShape(shape) === shape && this.#typeOf(shape) === "object";
    return [
      ...(isObject ? [] : [sentence(`${this.words.type}: `, this.#typeOf(shape))]),
      ...this.#details(shape, shape.node["description"]),
      ...this.#content(shape, direction, []),
    ];
  }

  /** Describes a field: type, description, constraints and nested fields. */
  field(
    name: string,
    schema: unknown,
    { direction, isRequired = false, parameter = {} }: FieldOptions,
    ancestors: Ancestors = [],
  ): RootContent {
    this.#fields += 1;
    const shape = this.#shapeOf(schema);
    const { default: defaultValue, deprecated, description } = shape.node;
    const requestPrefix = parameter["in"] === undefined ? "body" : "parameter";
    const props = {
      name,
      id: `${direction === "response" ? "response" : requestPrefix}-${fieldSlug(name)}`,
      type: this.#typeOf(shape),
      ...(isRequired && { required: true }),
      ...((parameter["deprecated"] === true || deprecated === true) && { deprecated: true }),
      ...(defaultValue !== undefined && { default: inline(defaultValue) }),
      ...Object.fromEntries(entriesOf(shape.node["x-mint"]).filter(([key]) => /^(?:pre|post)$/.test(key))),
    };
    const content = this.#content(shape, direction, ancestors);
    // Alternatives such as texts and numbers have no fields.
    const title = this.words[content.some(containsField) ? "attributes" : "options"];
    return component(direction === "request" ? "ParamField" : "ResponseField", props, [
      ...this.#details(shape, parameter["description"] ?? description, listOf(parameter["examples"])),
      // Only a note on recursion or depth is a paragraph. It needs no expandable.
      ...(content.every(({ type }) => type === "paragraph")
        ? content
        : [component("Expandable", { title }, content)]),
    ]);
  }

  /** An example value of a schema: the document's own, or a generated one. */
  example(schema: unknown, direction: Direction): unknown {
    this.#values = 0;
    return this.#exampleOf(this.#shapeOf(schema), direction, []);
  }

  #exampleOf(shape: Shape, direction: Direction, ancestors: Ancestors): unknown {
    const { node, target } = shape;
    const ownValues = [node["const"], node["example"], listOf(node["examples"])[0], node["default"]];
    const ownValue = [...ownValues, listOf(node["enum"])[0]].find((value) => value !== undefined);
    if (ownValue !== undefined) return ownValue;
    this.#values += 1;
    const isTooLarge = ancestors.length > limits.depth || this.#values > limits.exampleValues;
    if (isTooLarge || ancestors.includes(target)) return undefined;
    const path = [...ancestors, target];
    const [option] = this.#optionsOf(shape);
    const chosen = option && this.#exampleOf(option, direction, path);
    const members = this.#membersOf(node, direction).flatMap(([name, member]) => {
      const value = this.#exampleOf(this.#shapeOf(member), direction, path);
      return value === undefined ? [] : [[name, value] as const];
    });
    if (members.length > 0) return { ...Object.fromEntries(members), ...(isJsonObject(chosen) && chosen) };
    if (chosen !== undefined) return chosen;
    const [type = "string"] = typesOf(node);
    if (type === "object") return {};
    if (type !== "array")
      return samples.get((type === "string" && formatOf(node)) || type) ?? samples.get(type);
    const item = this.#exampleOf(this.#shapeOf(node["items"]), direction, path);
    return item === undefined ? [] : [item];
  }

  /** The properties of an object that are used in this direction. */
  #membersOf(node: JsonObject, direction: Direction): (readonly [string, unknown])[] {
    const hiddenBy = direction === "request" ? "readOnly" : "writeOnly";
    return entriesOf(node["properties"]).filter(
      ([, schema]) => this.#shapeOf(schema).node[hiddenBy] !== true,
    );
  }

  #shapeOf(schema: unknown): Shape {
    const cached = this.#shapes.get(schema);
    if (cached !== undefined) return cached;
    const { value, target, name } = this.document.resolve(schema ?? {}, this.warn);
    const plain = { node: value, name, target };
    // Cached before its parts are merged, so that a schema may contain itself.
    this.#shapes.set(schema, plain);
    const shape = this.#unwrap(this.#mergeParts(plain));
    this.#shapes.set(schema, shape);
    return shape;
  }

  #mergeParts(shape: Shape): Shape {
    const { allOf, ...own } = shape.node;
    if (!Array.isArray(allOf)) return shape;
    const parts = allOf.map((part) => this.#shapeOf(part));
    const nodes = [...parts.map((part) => part.node), own];
    const merged = nodes.reduce((earlier, later) => this.#merge(earlier, later));
    // A referenced schema describes the whole only if nothing here does.
    const isNamed = ({ name }: Shape) => Number(name !== undefined);
    const describing = parts
      .toSorted((left, right) => isNamed(left) - isNamed(right))
      .map((part) => part.node);
    const firstOf = (key: string) => [own, ...describing].find((part) => part[key] !== undefined)?.[key];
    const node = { ...merged, title: firstOf("title"), description: firstOf("description") };
    // A schema that extends another one is a schema of its own, and not any of those that a discriminator selects.
    if (nodes.filter(({ properties }) => properties !== undefined).length > 1)
      return { ...shape, node: { ...node, discriminator: own["discriminator"] } };
    const [only] = parts.length === 1 ? parts : [];
    return { node, name: shape.name ?? only?.name, target: only?.target ?? shape.target };
  }

  /** Simplifies a single alternative: `oneOf: [X, null]` becomes a nullable X. */
  #unwrap(shape: Shape): Shape {
    const { oneOf, anyOf, ...rest } = shape.node;
    const [only, ...others] = this.#alternativesOf(shape.node);
    if (only === undefined || others.length > 0) return shape;
    const node = { ...this.#merge(only.node, rest), ...(isNullable(shape.node) && { nullable: true }) };
    return { node, name: shape.name ?? only.name, target: only.target };
  }

  /** Merges two schemas. The later one takes precedence; a property that both have keeps what only the earlier one says. */
  #merge(earlier: JsonObject, later: JsonObject): JsonObject {
    const first = objectOf(earlier["properties"]);
    const second = entriesOf(later["properties"]);
    this.#merged += Object.keys(first).length + second.length;
    if (this.#merged > limits.mergedProperties) {
      this.warn("`allOf` combines too many properties; only some are shown");
      return later;
    }
    const merged = second.map(([name, schema]) => {
      // Schemas that it names, combined with an earlier one, could contain each other without end.
      const namesOthers = ["$ref", "allOf", "oneOf", "anyOf"].some(
        (key) => objectOf(schema)[key] !== undefined,
      );
      const isAddition = Object.hasOwn(first, name) && !namesOthers;
      return [name, isAddition ? { ...objectOf(schema), allOf: [first[name]] } : schema] as const;
    });
    const properties = { ...first, ...Object.fromEntries(merged) };
    const required = [...new Set([...listOf(earlier["required"]), ...listOf(later["required"])])];
    return {
      ...earlier,
      // An example without the later properties is none of the whole.
      ...(second.length > 0 && { example: undefined, examples: undefined }),
      ...later,
      ...(Object.keys(properties).length > 0 && { properties }),
      ...(required.length > 0 && { required }),
    };
  }

  /**
   * The alternatives of a schema, each with the value of the discriminator that selects it. A schema without alternatives has those that
   * the mapping of its discriminator names.
   */
  #optionsOf({ node }: Shape): readonly Shape[] {
    const cached = this.#options.get(node);
    if (cached !== undefined) return cached;
    const { propertyName, mapping } = objectOf(node["discriminator"]);
    const mapped = Map.groupBy(
      entriesOf(mapping),
      ([, reference]) => String(reference).split("/").at(-1) ?? "",
    );
    const own = this.#alternativesOf(node);
    const extending = [...mapped.keys()].map((name) => ({ $ref: `#/components/schemas/${name}` }));
    const options = (own.length > 0 ? own : this.#alternativesOf({ oneOf: extending })).map((option) =>
      this.#select(
        option,
        String(propertyName),
        mapped.get(option.name ?? "")?.map(([value]) => value),
      ),
    );
    this.#options.set(node, options);
    return options;
  }

  /** Limits the property of a discriminator to the values that select an alternative: those of the mapping, or else its name. */
  #select(option: Shape, propertyName: string, mapped: readonly string[] | undefined): Shape {
    const properties = objectOf(option.node["properties"]);
    const property = properties[propertyName];
    const { const: constant, enum: allowed, default: fallback, example } = this.#shapeOf(property).node;
    const ownName = (constant ?? allowed ?? fallback ?? example) === undefined ? option.name : undefined;
    const [value, ...more] = mapped ?? [ownName];
    if (!isJsonObject(property) || value === undefined) return option;
    const values = more.length > 0 ? { enum: [value, ...more] } : { const: value, enum: undefined };
    const selected = { allOf: [property, { ...values, example: undefined }] };
    const node = { ...option.node, properties: { ...properties, [propertyName]: selected } };
    // Selected once: its mapping may contain the schema itself.
    return { ...option, node: { ...node, discriminator: undefined } };
  }

  /** The schemas of `oneOf` or `anyOf`, without `null` and those that only list required properties. */
  #alternativesOf(node: JsonObject): Shape[] {
    const all = listOf(node["oneOf"] ?? node["anyOf"]);
    if (all.length > limits.options)
      this.warn(`only ${limits.options} of the ${all.length} alternatives of a schema are shown`);
    const keys = "type properties items enum const oneOf anyOf additionalProperties".split(" ");
    return all
      .slice(0, limits.options)
      .map((option) => this.#shapeOf(option))
      .filter(
        ({ node: option }) => option["type"] !== "null" && keys.some((key) => option[key] !== undefined),
      );
  }

  /** The item schema of an array, through nested arrays; other schemas as they are. */
  #contentShape(shape: Shape): Shape {
    let inner = shape;
    for (let depth = 0; depth < 5 && isJsonObject(inner.node["items"]); depth += 1)
      inner = this.#shapeOf(inner.node["items"]);
    return inner;
  }

  #typeOf(shape: Shape): string {
    const cached = this.#types.get(shape);
    if (cached !== undefined) return cached;
    this.#types.set(shape, shape.name ?? "any");
    const { node } = shape;
    const options = this.#optionsOf(shape).map((option) => this.#typeOf(option));
    const types = typesOf(node).map((type) => {
      if (type !== "array") return labelOf(type, node);
      const item = this.#typeOf(this.#shapeOf(node["items"]));
      return item.includes(" | ") ? `(${item})[]` : `${item}[]`;
    });
    const labels = [...new Set(options.length > 0 ? options : types)].slice(0, 6);
    if (labels.length === 0 && node["type"] !== "null") labels.push("any");
    const type = shorten([...labels, ...(isNullable(node) ? ["null"] : [])].join(" | "), 120);
    this.#types.set(shape, type);
    return type;
  }

  #details(shape: Shape, description: unknown, ownExamples: readonly unknown[] = []): RootContent[] {
    const { node } = shape;
    const words = this.words;
    const item = this.#contentShape(shape).node;
    const itemBounds = item === node ? [] : constraintsOf(item).map((bound) => `items.${bound}`);
    const bounds = [...constraintsOf(node), ...itemBounds];
    const values = listOf(node["enum"] ?? item["enum"]);
    const shown = values.slice(0, limits.enumValues).map(inline);
    const hidden = values.length - shown.length;
    const more = hidden > 0 ? ` ${words.andMore.replace("{}", `${hidden}`)}` : "";
    const given = [ownExamples, [node["example"]], listOf(node["examples"]), [item["example"]]];
    const isShown = (example: unknown) => example !== undefined && !isJsonObject(example);
    const examples = given.map((list) => list.filter(isShown)).find(({ length }) => length > 0) ?? [];
    return [
      ...[...new Set([description, item !== node && item["description"]])].flatMap(prose),
      ...codeList("", bounds),
      ...codeList(`${words.options}: `, shown, more),
      ...codeList(`${words.example}: `, examples.slice(0, limits.enumValues).map(inline)),
    ];
  }

  /** The fields of a schema, and its alternatives as tabs. */
  #content(shape: Shape, direction: Direction, ancestors: Ancestors): RootContent[] {
    const inner = this.#contentShape(shape);
    const { node, name, target } = inner;
    const options = this.#optionsOf(inner);
    const required = new Set(listOf(node["required"]));
    const members = this.#membersOf(node, direction);
    const others = node["additionalProperties"];
    if (isJsonObject(others) && Object.keys(others).length > 0) members.push(["{key}", others]);
    if (members.length + options.length === 0) return [];
    if (ancestors.includes(target))
      return [sentenceAround(this.words.recursive, name ?? this.#typeOf(shape))];
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
    const hasContent = tabs.some((tab) => "children" in tab && tab.children.length > 0);
    return hasContent ? [...fields, component("Tabs", {}, tabs)] : fields;
  }

  /** Renders items until a limit of the page is reached. */
  #untilLimit<Item>(
    items: readonly Item[],
    path: Ancestors,
    render: (item: Item) => RootContent,
  ): RootContent[] {
    const rendered: RootContent[] = [];
    for (const item of items) {
      const isTooDeep = path.length > limits.depth;
      const maxFields = path.length > 2 ? limits.nestedFields : limits.fields;
      if (isTooDeep || this.#fields >= maxFields) {
        const which = isTooDeep
          ? `nested deeper than ${limits.depth} levels`
          : `after the first ${maxFields}`;
        this.warn(`fields ${which} are not shown`);
        return [...rendered, sentence(this.words.furtherFields)];
      }
      rendered.push(render(item));
    }
    return rendered;
  }
}

function containsField(node: RootContent): boolean {
  if ("name" in node && (node.name === "ParamField" || node.name === "ResponseField")) return true;
  return "children" in node && (node.children as RootContent[]).some(containsField);
}

/** Whether a schema allows `null`, as both versions of OpenAPI and the alternatives say it. */
function isNullable(node: JsonObject): boolean {
  const alternatives = listOf(node["oneOf"] ?? node["anyOf"]).map((option) => objectOf(option)["type"]);
  return node["nullable"] === true || [node["type"], ...alternatives].flat().includes("null");
}

/** The types of a schema without `null`. Without `type`, they are inferred. */
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

const constraints = `minimum exclusiveMinimum maximum exclusiveMaximum multipleOf minLength maxLength pattern
  minItems maxItems uniqueItems minProperties maxProperties const`.split(/\s+/);

/** The constraints of a schema, such as `maxLength: 20`. */
function constraintsOf(node: JsonObject): string[] {
  return constraints
    .filter((key) => node[key] !== undefined && node[key] !== false)
    .map((key) => `${key}: ${inline(node[key])}`);
}

/** The example value of binary data. */
export const filePlaceholder = "<file>";

/** Example values by type or string format. */
const samples = mapByNames<unknown>({
  binary: filePlaceholder,
  "date-time": "2026-01-31T12:00:00Z",
  date: "2026-01-31",
  email: "name@example.com",
  "uri url": "https://example.com",
  uuid: "3c90c3cc-0d44-4b50-8888-8dd25736052a",
  "integer number": 123,
  boolean: true,
  object: {},
  string: "<string>",
});
