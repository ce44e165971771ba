/** An operation, a webhook or a schema of an OpenAPI document as the components that a page would be written with. */
import type { Root, RootContent } from "mdast";
import { SKIP, visit } from "unist-util-visit";
import { isJsonObject, type JsonObject, messageOf, parseJson, shorten } from "../../../base/text.ts";
import { type DocsTree, ifUsable } from "../content/docs-tree.ts";
import { withTimeLimit } from "../content/parse-page.ts";
import { type Words, wordsFor } from "../interface-words.ts";
import type { PageReporter } from "../report.ts";
import { type ApiDocument, readApiDocument } from "./api-document.ts";
import { findOperation } from "./operations.ts";
import { requestSamples, type Sample, type SampleRequest } from "./request-samples.ts";
import {
  codesWith,
  component,
  type Direction,
  entriesOf,
  type FieldDisplay,
  listOf,
  printJson,
  prose,
  SchemaReader,
  sampleOf,
  sentence,
} from "./schema-reader.ts";

/** What a page describes after its own text. */
export interface ApiReference extends FieldDisplay {
  /** The OpenAPI document; `undefined` where the site has none. */
  readonly file: string | undefined;
  /** `GET` and so on, `WEBHOOK` or `SCHEMA`. */
  readonly method: string;
  /** The path, or the name of the webhook or schema. */
  readonly name: string;
  /** Whether the operation's description is shown; a page with its own goes without. */
  readonly isDescribed: boolean;
  /** Where a page that describes its endpoint by fields of its own says that requests go, and with which header. */
  readonly written?: { readonly server: string; readonly header: readonly [string, string] | undefined };
  /** Tag of the page's language. */
  readonly lang?: string | undefined;
  /** Languages of the samples, as configurations name them; all that are known without it, and none where it is empty. */
  readonly languages?: readonly string[];
}

const maxEntries = 60;
const maxLead = 400;

/** A description's first paragraph where it is plain text, which leads the page, and the rest. */
export function splitDescription(text: unknown): { readonly lead?: string; readonly rest: string } {
  if (typeof text !== "string") return { rest: "" };
  const [first = "", ...others] = text.trim().split(/\r?\n[ \t]*\r?\n/);
  if (first === "" || first.length > maxLead) return { rest: text };
  const isMarked = /[*_[\]<>|#\\~]|(?:^|\n)\s*(?:[-+]|\d+[.)])\s/.test(first);
  if (isMarked) return { rest: text };
  return { lead: first.replace(/\s+/g, " "), rest: others.join("\n\n") };
}

/**
 * Puts what a reference names after a page's own text. The page's own examples count more than those of the document. What
 * cannot be described is said on the page.
 */
export async function appendReference(
  tree: Root,
  reference: ApiReference,
  docs: DocsTree,
  onWarning: PageReporter,
): Promise<void> {
  const { file, method, name, written } = reference;
  const warn = (message: string) => onWarning(`${file}: ${message}`, "api");
  const document = file && (await ifUsable(readApiDocument(docs, file), warn));
  const described = document && describeReference(reference, document, warn);
  const { notDescribed } = wordsFor(reference.lang ?? "");
  const missing = sentenceAround(notDescribed, `${method} ${name}`);
  const own = new Set<string | null>();
  visit(tree, "mdxJsxFlowElement", (node) => void own.add(node.name));
  const isReplaced = (node: RootContent) =>
    node.type === "mdxJsxFlowElement" && /^Re\w+Example$/.test(node.name ?? "") && own.has(node.name);
  const shown =
    written === undefined
      ? described || [component("Note", {}, [missing])]
      : examples(
          "RequestExample",
          requestSamples(requestOfPage(tree, name, method, written), reference.languages),
        );
  tree.children.push(...shown.filter((node) => !isReplaced(node)));
}

/** The request that the parameters of a page's own text make. */
function requestOfPage(
  tree: Root,
  address: string,
  method: string,
  { server, header }: NonNullable<ApiReference["written"]>,
): SampleRequest {
  const found: Record<string, [string, unknown][]> = {
    query: [],
    header: header ? [[...header]] : [],
    body: [],
  };
  visit(tree, "mdxJsxFlowElement", ({ name, data }) => {
    const props = data?.props ?? {};
    const location = Object.keys(found).find((key) => typeof props[key] === "string") ?? "";
    if (name !== "ParamField") return undefined;
    const value = props["default"] ?? sampleOf(String(props["type"] ?? "string"));
    if (location === "body" || props["required"] === true)
      found[location]?.push([String(props[location]), value]);
    return SKIP;
  });
  const { query = [], header: headers = [], body = [] } = found;
  const words = query.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  const url = /^https?:/i.test(address) ? address : server.replace(/\/$/, "") + address;
  return {
    method,
    url: url + (words.length > 0 ? `?${words.join("&")}` : ""),
    headers: headers.map(([name, value]) => [name, String(value)]),
    body: body.length > 0 ? { mediaType: "application/json", value: Object.fromEntries(body) } : undefined,
  };
}

function describeReference(
  reference: ApiReference,
  document: ApiDocument,
  warn: (message: string) => void,
): RootContent[] | undefined {
  try {
    return withTimeLimit(() =>
      new Describer(document, warn, wordsFor(reference.lang ?? ""), reference).describe(reference),
    );
  } catch (error) {
    warn(`${reference.method} ${reference.name} is not shown: ${messageOf(error)}`);
    return undefined;
  }
}

/** A way to authenticate: all of its schemes together, each with where its credential goes and how it looks. */
type Security = readonly Credential[];

interface Credential {
  readonly location: string;
  readonly name: string;
  readonly value: string;
  readonly description: readonly RootContent[];
}

const parameterSections = [
  ["path", "pathParameters"],
  ["query", "queryParameters"],
  ["header", "headers"],
  ["cookie", "cookies"],
] as const;

class Describer {
  readonly #root: JsonObject;
  readonly #document: ApiDocument;
  readonly #reader: SchemaReader;
  readonly #warn: (message: string) => void;
  readonly #words: Words;
  readonly #display: FieldDisplay;

  constructor(document: ApiDocument, warn: (message: string) => void, words: Words, display: FieldDisplay) {
    this.#words = words;
    this.#display = display;
    this.#document = document;
    this.#warn = warn;
    this.#root = document.root;
    this.#reader = new SchemaReader(document, warn, words, display);
  }

  /** Nothing where the document does not have it. */
  describe(reference: ApiReference): RootContent[] | undefined {
    if (reference.method === "SCHEMA") return this.#describeSchema(reference.name);
    const found = findOperation(this.#document, reference.method, reference.name);
    if (found === undefined) return undefined;
    const { operation, pathItem, path } = found;
    const isWebhook = reference.method === "WEBHOOK";
    const words = this.#words;
    const deprecated = words.deprecated.replace(/^./u, (first) => first.toUpperCase());
    const parameters = this.#parametersOf(operation, pathItem);
    const security = isWebhook ? [] : this.#securityOf(operation);
    const body = this.#reader.resolve(operation["requestBody"]);
    const holders = [operation, pathItem, this.#root].map((holder) => listOf(holder["servers"]));
    const servers = holders.find((list) => list.length > 0)?.filter(isJsonObject) ?? [];
    const given = givenSamples(operation);
    const samples = () => {
      const request = this.#sampleRequest(reference.method, path, servers[0], parameters, security, body);
      const isGiven = ({ title }: Sample) =>
        given.some((one) => one.title.toLowerCase() === title.toLowerCase());
      return requestSamples(request, reference.languages).filter((sample) => !isGiven(sample));
    };
    return [
      ...(operation["deprecated"] === true ? [component("Warning", {}, [sentence(deprecated)])] : []),
      ...(reference.isDescribed ? prose(splitDescription(operation["description"]).rest) : []),
      ...examples("RequestExample", [
        ...given,
        ...(isWebhook ? this.#bodyExamples(body, words.payload) : samples()),
      ]),
      ...examples("ResponseExample", this.#responseExamples(operation)),
      ...section(words.authorization, authorizationFields(security, words)),
      ...parameterSections.flatMap(([location, title]) => {
        const fields = parameters.filter((parameter) => parameter["in"] === location);
        return section(
          words[title],
          fields.map((parameter) => this.#parameterField(parameter, "request")),
        );
      }),
      ...section(isWebhook ? words.payload : words.body, this.#describeBody(body, "request")),
      ...section(words.callbacks, this.#describeCallbacks(operation)),
      ...section(words.response, this.#describeResponses(operation)),
      ...section(words.servers, isWebhook || servers.length < 2 ? [] : servers.map(describeServer)),
    ];
  }

  #describeSchema(name: string): RootContent[] | undefined {
    const { schemas } = this.#reader.resolve(this.#root["components"]);
    const schema = isJsonObject(schemas) && Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    if (schema === undefined) return undefined;
    const code = printJson(this.#reader.example(schema, "response")) ?? "";
    return [
      ...examples("ResponseExample", [{ title: name, language: "json", code }]),
      ...this.#reader.describe(schema, "response"),
    ];
  }

  /** The operation's own parameters count more than those of its path. */
  #parametersOf(operation: JsonObject, pathItem: JsonObject): JsonObject[] {
    const written = [...listOf(pathItem["parameters"]), ...listOf(operation["parameters"])];
    const found = written.map((parameter) => this.#reader.resolve(parameter));
    return [...new Map(found.map((one) => [`${String(one["in"])} ${String(one["name"])}`, one])).values()];
  }

  #parameterField(parameter: JsonObject, direction: Direction): RootContent {
    const options = { direction, isRequired: parameter["required"] === true, parameter };
    return this.#reader.field(String(parameter["name"] ?? ""), this.#mediaOf(parameter)["schema"], options);
  }

  /** A parameter has its schema and examples itself, or for its media type. */
  #mediaOf(parameter: JsonObject): JsonObject {
    return this.#reader.resolve(entriesOf(parameter["content"])[0]?.[1] ?? parameter);
  }

  /** The first example of a parameter or a media type, else one that its schema allows. */
  #exampleOf(media: JsonObject): unknown {
    const named = this.#reader.resolve(entriesOf(media["examples"])[0]?.[1] ?? {});
    return media["example"] ?? named["value"] ?? this.#reader.example(media["schema"], "request");
  }

  /** The ways to authenticate, of which one is needed. */
  #securityOf(operation: JsonObject): Security[] {
    const { securitySchemes } = this.#reader.resolve(this.#root["components"]);
    const schemes = new Map(entriesOf(securitySchemes));
    return listOf(operation["security"] ?? this.#root["security"]).flatMap((way) => {
      const needed = entriesOf(way);
      const unknown = needed.find(([name]) => !schemes.has(name))?.[0];
      if (unknown === undefined)
        return [
          needed.map(([name, scopes]) =>
            credentialOf(this.#reader.resolve(schemes.get(name)), listOf(scopes), this.#words),
          ),
        ];
      // Without it the way would look as if it needed less.
      this.#warn(`a way to authenticate is not shown: there is no security scheme “${unknown}”`);
      return [];
    });
  }

  #sampleRequest(
    method: string,
    path: string,
    server: JsonObject | undefined,
    parameters: readonly JsonObject[],
    security: readonly Security[],
    body: JsonObject,
  ): SampleRequest {
    const credentials = security[0] ?? [];
    const textOf = (parameter: JsonObject): string => {
      const value = this.#exampleOf(this.#mediaOf(parameter));
      return typeof value === "string" ? value : (printJson(value, 0) ?? "");
    };
    const isSent = (parameter: JsonObject) =>
      parameter["required"] === true || this.#display.examples === "all";
    /** What is required in one part of a request, after the credentials in it. */
    const pairsIn = (location: string) => [
      ...credentials
        .filter((one) => one.location === location)
        .map(({ name, value }) => [name, value] as const),
      ...parameters
        .filter((parameter) => parameter["in"] === location && isSent(parameter))
        .map((parameter) => [String(parameter["name"]), textOf(parameter)] as const),
    ];
    const inPath = new Map(pairsIn("path"));
    const filled = path.replace(/\{([^{}]+)\}/g, (written, name: string) => {
      const text = inPath.get(name) ?? "";
      return text === "" || /^<.*>$/.test(text) ? written : encodeURIComponent(text);
    });
    const query = pairsIn("query").map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    const cookies = pairsIn("cookie").map(([name, value]) => `${name}=${value}`);
    return {
      method,
      url: addressOf(server).replace(/\/$/, "") + filled + (query.length > 0 ? `?${query.join("&")}` : ""),
      headers: [
        ...pairsIn("header"),
        ...(cookies.length > 0 ? [["Cookie", cookies.join("; ")] as const] : []),
      ],
      body: this.#sampleBody(body),
    };
  }

  #sampleBody(body: JsonObject): SampleRequest["body"] {
    const contents = entriesOf(body["content"]);
    const [mediaType, content] = contents.find(([name]) => isJsonType(name)) ?? contents[0] ?? [];
    if (mediaType === undefined) return undefined;
    const example = this.#exampleOf(this.#reader.resolve(content));
    const value = isJsonType(mediaType) ? asJson(example) : example;
    // One that is too large, or contains itself as YAML can, is no example.
    return { mediaType, value: parseJson(printJson(value) ?? "") === undefined ? undefined : value };
  }

  /** The examples of a body or a response under their names, else one that its schema allows. */
  #bodyExamples(holder: JsonObject, title: string): Sample[] {
    const [found] = entriesOf(holder["content"]);
    if (found === undefined) return [];
    const [mediaType, content] = found;
    const media = this.#reader.resolve(content);
    const named = entriesOf(media["examples"]).map(([name, written]) => {
      const { summary, value } = this.#reader.resolve(written);
      return [`${title} ${typeof summary === "string" ? summary : name}`, value] as const;
    });
    const single =
      media["example"] ?? (named.length > 0 ? undefined : this.#reader.example(media["schema"], "response"));
    const language = isJsonType(mediaType) ? "json" : /xml/i.test(mediaType) ? "xml" : "text";
    return (single === undefined ? named : [[title, single] as const]).flatMap(([name, written]) => {
      const value = isJsonType(mediaType) ? asJson(written) : written;
      const code = typeof value === "string" ? value : printJson(value);
      return code === undefined ? [] : [{ title: name, language, code }];
    });
  }

  #responseExamples(operation: JsonObject): Sample[] {
    const responses = entriesOf(operation["responses"]).slice(0, maxEntries);
    return responses.flatMap(([code, written]) => this.#bodyExamples(this.#reader.resolve(written), code));
  }

  /** A body by its media types. */
  #describeBody(holder: JsonObject, direction: Direction, status = ""): RootContent[] {
    const contents = entriesOf(holder["content"]).slice(0, maxEntries);
    const parts = contents.map(([title, content]) => {
      const { schema } = this.#reader.resolve(content);
      return { title, content: schema === undefined ? [] : this.#reader.describe(schema, direction) };
    });
    const types = contents.length === 1 ? contents.map(([type]) => type) : [];
    const labels = [status, ...types].filter(Boolean);
    return [
      ...(labels.length > 0 ? [sentence("", ...codesWith(" ", labels))] : []),
      ...prose(holder["description"]),
      ...tabs(parts),
    ];
  }

  #describeResponses(operation: JsonObject): RootContent[] {
    const responses = entriesOf(operation["responses"]).slice(0, maxEntries);
    const parts = responses.map(([code, written]) => {
      const response = this.#reader.resolve(written);
      const headers = entriesOf(response["headers"]).map(([name, header]) =>
        this.#parameterField({ ...this.#reader.resolve(header), name }, "response"),
      );
      const content = [
        ...this.#describeBody(response, "response", responses.length === 1 ? code : ""),
        ...(headers.length > 0 ? [component("Expandable", { title: "Headers" }, headers)] : []),
      ];
      return { title: code, content };
    });
    return tabs(parts);
  }

  #describeCallbacks(operation: JsonObject): RootContent[] {
    const callbacks = entriesOf(operation["callbacks"]).flatMap(([title, written]) =>
      entriesOf(this.#reader.resolve(written)).flatMap(([address, item]) =>
        entriesOf(this.#reader.resolve(item)).map((entry) => [title, address, ...entry] as const),
      ),
    );
    return callbacks.slice(0, maxEntries).flatMap(([title, address, method, callback]) => {
      if (!isJsonObject(callback)) return [];
      const body = this.#describeBody(this.#reader.resolve(callback["requestBody"]), "request");
      const line = sentence("", `${method.toUpperCase()} ${address}`);
      const content = [
        line,
        ...prose(callback["description"]),
        ...body,
        ...this.#describeResponses(callback),
      ];
      return [component("Expandable", { title }, content)];
    });
  }
}

/** A sentence with a code where `{}` stands. */
function sentenceAround(text: string, code: string): RootContent {
  const [before = "", after = ""] = text.split("{}");
  return sentence(before, code, after);
}

function section(title: string, content: readonly RootContent[]): RootContent[] {
  if (content.length === 0) return [];
  return [{ type: "heading", depth: 2, children: [{ type: "text", value: title }] }, ...content];
}

/** Parts of which a reader sees one at a time; one by itself needs no tab. */
function tabs(parts: readonly { readonly title: string; readonly content: readonly RootContent[] }[]) {
  if (parts.length < 2) return parts.flatMap(({ content }) => content);
  const made = parts.map(({ title, content }) => component("Tab", { title }, content));
  return [component("Tabs", {}, made)];
}

/** Codes in the tabs of an example. */
function examples(name: string, samples: readonly Sample[]): RootContent[] {
  const codes = samples.slice(0, maxEntries).flatMap(({ language, title, code }): RootContent[] => {
    const meta = `title="${shorten(title.replace(/["\s]+/g, " ").trim(), 60)}"`;
    const lang = language.replace(/[^\w+#.-]/g, "");
    return code === "" ? [] : [{ type: "code", lang, meta, value: code.trimEnd() }];
  });
  return codes.length === 0 ? [] : [component(name, {}, codes)];
}

function givenSamples(operation: JsonObject): Sample[] {
  const written = listOf(operation["x-codeSamples"] ?? operation["x-code-samples"]);
  return written.filter(isJsonObject).map(({ lang, label, source }) => {
    const language = String(lang ?? "text").toLowerCase();
    return { language, title: String(label ?? lang ?? "Code"), code: String(source ?? "") };
  });
}

function isJsonType(mediaType: string): boolean {
  return /[/+]json\b/i.test(mediaType);
}

/** An example of JSON that is written as text. */
function asJson(value: unknown): unknown {
  return typeof value === "string" ? (parseJson(value) ?? value) : value;
}

function credentialOf(scheme: JsonObject, scopes: readonly unknown[], words: Words): Credential {
  const { type, scheme: kind = "Bearer" } = scheme;
  const given = typeof scheme["x-default"] === "string" ? scheme["x-default"] : undefined;
  const isBasic = type === "http" && /^basic$/i.test(String(kind));
  const word = type === "http" && !/^bearer$/i.test(String(kind)) ? String(kind) : "Bearer";
  const shape = isBasic ? "Basic <credentials>" : `${word} <token>`;
  const says = isBasic
    ? sentence("Basic authentication: ", shape, ", with ", "username:password", " in Base64.")
    : sentenceAround(words.headerForm, shape);
  const description = [
    ...prose(scheme["description"]),
    ...(scopes.length > 0 ? [sentence(`${words.scopes}: `, ...codesWith(", ", scopes.map(String)))] : []),
  ];
  if (type === "apiKey") {
    const { in: location = "header", name = "" } = scheme;
    return { location: String(location), name: String(name), value: given ?? "<api-key>", description };
  }
  const value = given === undefined ? shape : `${word} ${given}`;
  return { location: "header", name: "Authorization", value, description: [says, ...description] };
}

function authorizationFields(security: readonly Security[], words: Words): RootContent[] {
  const required = security.every((way) => way.length > 0) && { required: true };
  const ways = security.filter((way) => way.length > 0);
  return ways.flatMap((way, at) => [
    ...(at > 0 ? [sentence(words.or)] : []),
    ...way.map(({ location, name, description }) =>
      component("ParamField", { [location]: name, type: "string", ...required }, description),
    ),
  ]);
}

/** A server's address with the defaults of its variables. */
function addressOf(server: JsonObject | undefined): string {
  const url = typeof server?.["url"] === "string" ? server["url"] : "https://api.example.com";
  const variables = new Map(entriesOf(server?.["variables"]));
  return shorten(url, 500).replace(/\{([^{}]+)\}/g, (written, name: string) => {
    const variable = variables.get(name);
    return isJsonObject(variable) ? String(variable["default"] ?? written) : written;
  });
}

function describeServer(server: JsonObject): RootContent {
  const { description } = server;
  return sentence("", addressOf(server), typeof description === "string" ? ` ${description}` : "");
}
