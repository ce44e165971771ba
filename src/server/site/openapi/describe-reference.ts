/** Renders an operation, a webhook or a schema of an OpenAPI document as the components that authors use in pages. */
import type { Root, RootContent } from "mdast";
import { SKIP, visit } from "unist-util-visit";
import { isJsonObject, type JsonObject, messageOf, parseJson, shorten } from "../../../base/text.ts";
import { type DocsTree, ifUsable } from "../content/docs-tree.ts";
import { withTimeLimit } from "../content/time-limit.ts";
import { type Words, wordsFor } from "../interface-words.ts";
import { entriesOf, listOf } from "../json-values.ts";
import { type PageReporter, withoutRepeats } from "../report.ts";
import { type ApiDocument, readApiDocument } from "./api-document.ts";
import { findOperation, findSchema, type Operation } from "./operations.ts";
import { requestSamples, type Sample, type SampleRequest, textOf } from "./request-samples.ts";
import {
  codesWith,
  component,
  type Direction,
  type FieldDisplay,
  printJson,
  prose,
  SchemaReader,
  sampleOf,
  sentence,
} from "./schema-reader.ts";

/** What a page documents after its own text. */
export interface ApiReference extends FieldDisplay {
  /** The OpenAPI document; `undefined` if none contains the operation. */
  readonly file: string | undefined;
  /** An HTTP method, `WEBHOOK` or `SCHEMA`. */
  readonly method: string;
  /** The path, or the name of the webhook or schema. */
  readonly name: string;
  /** Whether the operation's description is shown. A page with a description of its own hides it. */
  readonly showsDescription: boolean;
  /** Server and authentication header, for a page that documents its endpoint with components of its own. */
  readonly ownEndpoint?: { readonly server: string; readonly header: readonly [string, string] | undefined };
  /** Tag of the page's language. */
  readonly lang?: string | undefined;
  /** Languages of the request samples, as configurations name them. Default: all supported languages; an empty list: none. */
  readonly languages?: readonly string[];
}

const maxEntries = 60;
const maxLeadLength = 400;

/** Splits a description into a plain first paragraph, which becomes the lead of the page, and the rest. */
export function splitDescription(text: unknown): { readonly lead?: string; readonly rest: string } {
  if (typeof text !== "string") return { rest: "" };
  const [first = "", ...others] = text.trim().split(/\r?\n[ \t]*\r?\n/);
  if (first === "" || first.length > maxLeadLength) return { rest: text };
  const hasMarkup = /[*_[\]<>|#\\~]|(?:^|\n)\s*(?:[-+]|\d+[.)])\s/.test(first);
  if (hasMarkup) return { rest: text };
  return { lead: first.replace(/\s+/g, " "), rest: others.join("\n\n") };
}

/**
 * Appends the description of a reference to the page's own text. Examples of the page replace those of the document. If the reference
 * cannot be described, a note on the page says so.
 */
export async function appendReference(
  tree: Root,
  reference: ApiReference,
  docs: DocsTree,
  onWarning: PageReporter,
): Promise<void> {
  const { file, method, name, ownEndpoint } = reference;
  const warn = withoutRepeats((message: string) => onWarning(`${file}: ${message}`, "api"));
  const document = file && (await ifUsable(readApiDocument(docs, file), warn));
  const described = document && describeReference(reference, document, warn);
  const { notDescribed } = wordsFor(reference.lang ?? "");
  const missing = sentenceAround(notDescribed, `${method} ${name}`);
  const ownComponents = new Set<string | null>();
  visit(tree, "mdxJsxFlowElement", (node) => void ownComponents.add(node.name));
  const isReplaced = (node: RootContent) =>
    node.type === "mdxJsxFlowElement" &&
    /^Re\w+Example$/.test(node.name ?? "") &&
    ownComponents.has(node.name);
  const content =
    ownEndpoint === undefined
      ? described || [component("Note", {}, [missing])]
      : examples(
          "RequestExample",
          requestSamples(requestOfPage(tree, name, method, ownEndpoint), reference.languages),
        );
  tree.children.push(...content.filter((node) => !isReplaced(node)));
}

/** The request that the `ParamField` components of a page describe. */
function requestOfPage(
  tree: Root,
  address: string,
  method: string,
  { server, header }: NonNullable<ApiReference["ownEndpoint"]>,
): SampleRequest {
  const fields: Record<string, [string, unknown][]> = { query: [], header: [], body: [] };
  visit(tree, "mdxJsxFlowElement", ({ name, data }) => {
    const props = data?.props ?? {};
    const location = Object.keys(fields).find((key) => typeof props[key] === "string") ?? "";
    if (name !== "ParamField") return undefined;
    const value = props["default"] ?? sampleOf(String(props["type"] ?? "string"));
    if (location === "body" || props["required"] === true)
      fields[location]?.push([String(props[location]), value]);
    return SKIP;
  });
  const { query = [], header: headers = [], body = [] } = fields;
  const textsOf = (pairs: typeof query) => pairs.map(([name, value]) => [name, String(value)] as const);
  const url = /^https?:/i.test(address) ? address : server.replace(/\/$/, "") + address;
  return {
    method,
    url: url + queryOf(textsOf(query)),
    headers: [...(header ? [header] : []), ...textsOf(headers)],
    body: body.length > 0 ? { mediaType: "application/json", value: Object.fromEntries(body) } : undefined,
  };
}

type Pair = readonly [name: string, value: string];

/** The query string of a URL. */
function queryOf(pairs: readonly Pair[]): string {
  const parameters = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return parameters.length > 0 ? `?${parameters.join("&")}` : "";
}

/** Returns `undefined` if the document does not contain the operation or schema, or if it cannot be described. */
function describeReference(
  reference: ApiReference,
  document: ApiDocument,
  warn: (message: string) => void,
): RootContent[] | undefined {
  const reader = new SchemaReader(document, warn, wordsFor(reference.lang ?? ""), reference);
  const describe = reference.method === "SCHEMA" ? describeSchema : describeOperation;
  try {
    return withTimeLimit(() => describe(reference, document, reader));
  } catch (error) {
    warn(`${reference.method} ${reference.name} is not shown: ${messageOf(error)}`);
    return undefined;
  }
}

function describeSchema(
  { name }: ApiReference,
  document: ApiDocument,
  reader: SchemaReader,
): RootContent[] | undefined {
  const schema = findSchema(document, name);
  if (schema === undefined) return undefined;
  const code = printJson(reader.example(schema, "response")) ?? "";
  return [
    ...examples("ResponseExample", [{ title: name, language: "json", code }]),
    ...reader.describe(schema, "response"),
  ];
}

const parameterSections = [
  ["path", "pathParameters"],
  ["query", "queryParameters"],
  ["header", "headers"],
  ["cookie", "cookies"],
] as const;

function describeOperation(
  reference: ApiReference,
  document: ApiDocument,
  reader: SchemaReader,
): RootContent[] | undefined {
  const found = findOperation(document, reference.method, reference.name);
  if (found === undefined) return undefined;
  const { operation, pathItem } = found;
  const isWebhook = reference.method === "WEBHOOK";
  const { words } = reader;
  const deprecated = words.deprecated.replace(/^./u, (first) => first.toUpperCase());
  const parameters = parametersOf(operation, pathItem, reader);
  const security = isWebhook ? [] : securityOf(operation, document, reader);
  const body = reader.resolve(operation["requestBody"]);
  const serverLists = [operation, pathItem, document.root].map((owner) => listOf(owner["servers"]));
  const servers = serverLists.find((list) => list.length > 0)?.filter(isJsonObject) ?? [];
  const ownSamples = samplesOf(operation);
  const samples = () => {
    const request = sampleRequest(found, servers[0], parameters, security, body, reader);
    const isReplaced = ({ title }: Sample) =>
      ownSamples.some((sample) => sample.title.toLowerCase() === title.toLowerCase());
    return requestSamples(request, reference.languages).filter((sample) => !isReplaced(sample));
  };
  return [
    ...(operation["deprecated"] === true ? [component("Warning", {}, [sentence(deprecated)])] : []),
    ...(reference.showsDescription ? prose(splitDescription(operation["description"]).rest) : []),
    ...examples("RequestExample", [
      ...ownSamples,
      ...(isWebhook ? bodyExamples(body, words.payload, reader) : samples()),
    ]),
    ...examples("ResponseExample", responseExamples(operation, reader)),
    ...section(words.authorization, authorizationFields(security, words)),
    ...parameterSections.flatMap(([location, title]) => {
      const fields = parameters.filter((parameter) => parameter["in"] === location);
      return section(
        words[title],
        fields.map((parameter) => parameterField(parameter, "request", reader)),
      );
    }),
    ...section(isWebhook ? words.payload : words.body, describeBody(body, "request", reader)),
    ...section(words.callbacks, describeCallbacks(operation, reader)),
    ...section(words.response, describeResponses(operation, reader)),
    ...section(words.servers, isWebhook || servers.length < 2 ? [] : servers.map(describeServer)),
  ];
}

/** Parameters of the operation replace those of its path. */
function parametersOf(operation: JsonObject, pathItem: JsonObject, reader: SchemaReader): JsonObject[] {
  const all = [...listOf(pathItem["parameters"]), ...listOf(operation["parameters"])];
  const parameters = all.map((parameter) => reader.resolve(parameter));
  const keyOf = (parameter: JsonObject) => `${String(parameter["in"])} ${String(parameter["name"])}`;
  return [...new Map(parameters.map((parameter) => [keyOf(parameter), parameter])).values()];
}

function parameterField(parameter: JsonObject, direction: Direction, reader: SchemaReader): RootContent {
  const options = { direction, isRequired: parameter["required"] === true, parameter };
  return reader.field(String(parameter["name"] ?? ""), mediaOf(parameter, reader)["schema"], options);
}

/** The object that contains schema and examples of a parameter: its media type, or the parameter itself. */
function mediaOf(parameter: JsonObject, reader: SchemaReader): JsonObject {
  return reader.resolve(entriesOf(parameter["content"])[0]?.[1] ?? parameter);
}

/** The first example of a parameter or media type, or one generated from its schema. */
function exampleOf(media: JsonObject, reader: SchemaReader): unknown {
  const named = reader.resolve(entriesOf(media["examples"])[0]?.[1] ?? {});
  return media["example"] ?? named["value"] ?? reader.example(media["schema"], "request");
}

/** A security requirement: credentials that are all needed together. */
type Security = readonly Credential[];

interface Credential {
  readonly location: string;
  readonly name: string;
  readonly value: string;
  readonly description: readonly RootContent[];
}

/** The alternative security requirements of an operation. */
function securityOf(operation: JsonObject, { root }: ApiDocument, reader: SchemaReader): Security[] {
  const schemes = new Map(entriesOf(reader.resolve(root["components"])["securitySchemes"]));
  return listOf(operation["security"] ?? root["security"]).flatMap((requirement) => {
    const required = entriesOf(requirement);
    const unknown = required.find(([name]) => !schemes.has(name))?.[0];
    if (unknown !== undefined) {
      // Without the unknown scheme, the requirement would seem to need fewer credentials.
      reader.warn(`a security requirement is not shown: there is no security scheme “${unknown}”`);
      return [];
    }
    return [
      required.map(([name, scopes]) =>
        credentialOf(reader.resolve(schemes.get(name)), listOf(scopes), reader.words),
      ),
    ];
  });
}

function sampleRequest(
  { method, path }: Operation,
  server: JsonObject | undefined,
  parameters: readonly JsonObject[],
  [credentials = []]: readonly Security[],
  body: JsonObject,
  reader: SchemaReader,
): SampleRequest {
  const isSent = (parameter: JsonObject) =>
    parameter["required"] === true || reader.display.examples === "all";
  /** The credentials and parameters in one part of the request. */
  const pairsIn = (location: string): Pair[] => [
    ...credentials
      .filter((credential) => credential.location === location)
      .map(({ name, value }) => [name, value] as const),
    ...parameters
      .filter((parameter) => parameter["in"] === location && isSent(parameter))
      .map((parameter) => {
        const value = exampleOf(mediaOf(parameter, reader), reader);
        return [String(parameter["name"]), textOf(value, 0)] as const;
      }),
  ];
  const inPath = new Map(pairsIn("path"));
  const samplePath = path.replace(/\{([^{}]+)\}/g, (placeholder, name: string) => {
    const text = inPath.get(name) ?? "";
    return text === "" || /^<.*>$/.test(text) ? placeholder : encodeURIComponent(text);
  });
  const query = queryOf(pairsIn("query"));
  const cookies = pairsIn("cookie").map(([name, value]) => `${name}=${value}`);
  return {
    method,
    url: addressOf(server).replace(/\/$/, "") + samplePath + query,
    headers: [...pairsIn("header"), ...(cookies.length > 0 ? [["Cookie", cookies.join("; ")] as const] : [])],
    body: sampleBody(body, reader),
  };
}

function sampleBody(body: JsonObject, reader: SchemaReader): SampleRequest["body"] {
  const contents = entriesOf(body["content"]);
  const [mediaType, content] = contents.find(([name]) => isJsonType(name)) ?? contents[0] ?? [];
  if (mediaType === undefined) return undefined;
  const value = parseExample(exampleOf(reader.resolve(content), reader), mediaType);
  // An example that is too large, or contains itself through a YAML alias, is left out.
  return { mediaType, value: parseJson(printJson(value) ?? "") === undefined ? undefined : value };
}

/** The named examples of a body or response, or one generated from its schema. */
function bodyExamples(holder: JsonObject, title: string, reader: SchemaReader): Sample[] {
  const [mediaType, content] = entriesOf(holder["content"])[0] ?? [];
  if (mediaType === undefined) return [];
  const media = reader.resolve(content);
  const named = entriesOf(media["examples"]).map(([name, example]) => {
    const { summary, value } = reader.resolve(example);
    return [`${title} ${typeof summary === "string" ? summary : name}`, value] as const;
  });
  const single =
    media["example"] ?? (named.length > 0 ? undefined : reader.example(media["schema"], "response"));
  const language = isJsonType(mediaType) ? "json" : /xml/i.test(mediaType) ? "xml" : "text";
  return (single === undefined ? named : [[title, single] as const]).flatMap(([name, example]) => {
    const value = parseExample(example, mediaType);
    const code = typeof value === "string" ? value : printJson(value);
    return code === undefined ? [] : [{ title: name, language, code }];
  });
}

function responsesOf(operation: JsonObject, reader: SchemaReader) {
  const responses = entriesOf(operation["responses"]).slice(0, maxEntries);
  return responses.map(([code, response]) => [code, reader.resolve(response)] as const);
}

function responseExamples(operation: JsonObject, reader: SchemaReader): Sample[] {
  return responsesOf(operation, reader).flatMap(([code, response]) => bodyExamples(response, code, reader));
}

/** Describes a body for each of its media types. */
function describeBody(
  holder: JsonObject,
  direction: Direction,
  reader: SchemaReader,
  status = "",
): RootContent[] {
  const contents = entriesOf(holder["content"]).slice(0, maxEntries);
  const parts = contents.map(([title, content]) => {
    const { schema } = reader.resolve(content);
    return { title, content: schema === undefined ? [] : reader.describe(schema, direction) };
  });
  const types = contents.length === 1 ? contents.map(([type]) => type) : [];
  const labels = [status, ...types].filter(Boolean);
  return [
    ...(labels.length > 0 ? [sentence("", ...codesWith(" ", labels))] : []),
    ...prose(holder["description"]),
    ...tabs(parts),
  ];
}

function describeResponses(operation: JsonObject, reader: SchemaReader): RootContent[] {
  const responses = responsesOf(operation, reader);
  const parts = responses.map(([code, response]) => {
    const headers = entriesOf(response["headers"]).map(([name, header]) =>
      parameterField({ ...reader.resolve(header), name }, "response", reader),
    );
    const content = [
      ...describeBody(response, "response", reader, responses.length === 1 ? code : ""),
      ...(headers.length > 0 ? [component("Expandable", { title: "Headers" }, headers)] : []),
    ];
    return { title: code, content };
  });
  return tabs(parts);
}

function describeCallbacks(operation: JsonObject, reader: SchemaReader): RootContent[] {
  const callbacks = entriesOf(operation["callbacks"]).flatMap(([title, callback]) =>
    entriesOf(reader.resolve(callback)).flatMap(([address, item]) =>
      entriesOf(reader.resolve(item)).map((entry) => [title, address, ...entry] as const),
    ),
  );
  return callbacks.slice(0, maxEntries).flatMap(([title, address, method, callback]) => {
    if (!isJsonObject(callback)) return [];
    const content = [
      sentence("", `${method.toUpperCase()} ${address}`),
      ...prose(callback["description"]),
      ...describeBody(reader.resolve(callback["requestBody"]), "request", reader),
      ...describeResponses(callback, reader),
    ];
    return [component("Expandable", { title }, content)];
  });
}

/** A sentence with inline code in place of `{}`. */
function sentenceAround(text: string, code: string): RootContent {
  const [before = "", after = ""] = text.split("{}");
  return sentence(before, code, after);
}

function section(title: string, content: readonly RootContent[]): RootContent[] {
  if (content.length === 0) return [];
  return [{ type: "heading", depth: 2, children: [{ type: "text", value: title }] }, ...content];
}

/** Shows several parts as tabs, and a single part without. */
function tabs(parts: readonly { readonly title: string; readonly content: readonly RootContent[] }[]) {
  if (parts.length < 2) return parts.flatMap(({ content }) => content);
  return [
    component(
      "Tabs",
      {},
      parts.map(({ title, content }) => component("Tab", { title }, content)),
    ),
  ];
}

/** An example component with a code block for each sample. */
function examples(name: string, samples: readonly Sample[]): RootContent[] {
  const codes = samples.slice(0, maxEntries).flatMap(({ language, title, code }): RootContent[] => {
    const meta = `title="${shorten(title.replace(/["\s]+/g, " ").trim(), 60)}"`;
    const lang = language.replace(/[^\w+#.-]/g, "");
    return code === "" ? [] : [{ type: "code", lang, meta, value: code.trimEnd() }];
  });
  return codes.length === 0 ? [] : [component(name, {}, codes)];
}

function samplesOf(operation: JsonObject): Sample[] {
  const samples = listOf(operation["x-codeSamples"] ?? operation["x-code-samples"]);
  return samples.filter(isJsonObject).map(({ lang, label, source }) => {
    const language = String(lang ?? "text").toLowerCase();
    return { language, title: String(label ?? lang ?? "Code"), code: String(source ?? "") };
  });
}

function isJsonType(mediaType: string): boolean {
  return /[/+]json\b/i.test(mediaType);
}

/** Parses an example of a JSON media type that is written as text. */
function parseExample(value: unknown, mediaType: string): unknown {
  return typeof value === "string" && isJsonType(mediaType) ? (parseJson(value) ?? value) : value;
}

function credentialOf(scheme: JsonObject, scopes: readonly unknown[], words: Words): Credential {
  const { type, scheme: httpScheme = "Bearer" } = scheme;
  const defaultValue = typeof scheme["x-default"] === "string" ? scheme["x-default"] : undefined;
  const isBasic = type === "http" && /^basic$/i.test(String(httpScheme));
  const prefix = type === "http" && !/^bearer$/i.test(String(httpScheme)) ? String(httpScheme) : "Bearer";
  const placeholder = isBasic ? "Basic <credentials>" : `${prefix} <token>`;
  const format = isBasic
    ? sentence("Basic authentication: ", placeholder, ", with ", "username:password", " in Base64.")
    : sentenceAround(words.headerForm, placeholder);
  const description = [
    ...prose(scheme["description"]),
    ...(scopes.length > 0 ? [sentence(`${words.scopes}: `, ...codesWith(", ", scopes.map(String)))] : []),
  ];
  if (type === "apiKey") {
    const { in: location = "header", name = "" } = scheme;
    return {
      location: String(location),
      name: String(name),
      value: defaultValue ?? "<api-key>",
      description,
    };
  }
  const value = defaultValue === undefined ? placeholder : `${prefix} ${defaultValue}`;
  return { location: "header", name: "Authorization", value, description: [format, ...description] };
}

function authorizationFields(security: readonly Security[], words: Words): RootContent[] {
  const required = security.every((credentials) => credentials.length > 0) && { required: true };
  const alternatives = security.filter((credentials) => credentials.length > 0);
  return alternatives.flatMap((credentials, index) => [
    ...(index > 0 ? [sentence(words.or)] : []),
    ...credentials.map(({ location, name, description }) =>
      component("ParamField", { [location]: name, type: "string", ...required }, description),
    ),
  ]);
}

/** The URL of a server with the default values of its variables. */
function addressOf(server: JsonObject | undefined): string {
  const url = typeof server?.["url"] === "string" ? server["url"] : "https://api.example.com";
  const variables = new Map(entriesOf(server?.["variables"]));
  return shorten(url, 500).replace(/\{([^{}]+)\}/g, (placeholder, name: string) => {
    const variable = variables.get(name);
    return isJsonObject(variable) ? String(variable["default"] ?? placeholder) : placeholder;
  });
}

function describeServer(server: JsonObject): RootContent {
  const { description } = server;
  return sentence("", addressOf(server), typeof description === "string" ? ` ${description}` : "");
}
