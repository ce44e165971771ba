/** Renders an operation, webhook or schema of an OpenAPI document as the components that authors use in pages. */
import type { Root, RootContent } from "mdast";
import { visit } from "unist-util-visit";
import { isJsonObject, type JsonObject, messageOf, parseJson, shorten } from "../../../base/text.ts";
import { component } from "../content/compile-mdx.ts";
import { type DocsTree, ifUsable } from "../content/docs-tree.ts";
import { type Words, wordsFor } from "../interface-words.ts";
import { entriesOf, listOf, objectOf, parseExactJson } from "../json-values.ts";
import type { PageReporter } from "../report.ts";
import { type Operation, readApiDocument } from "./api-document.ts";
import { isJsonType, requestSamples, type Sample, type SampleRequest, textOf } from "./request-samples.ts";
import {
  codeList,
  type Direction,
  printJson,
  prose,
  SchemaReader,
  sentence,
  sentenceAround,
} from "./schema-reader.ts";

/** The operation, webhook or schema that a page documents after its own text. */
export interface ApiReference {
  /** The OpenAPI document; `undefined` if none contains the operation. */
  readonly file: string | undefined;
  /** An HTTP method, `WEBHOOK` or `SCHEMA`. */
  readonly method: string;
  /** The path, or the name of the webhook or schema. */
  readonly path: string;
  /** Whether the operation's description is shown. A page with a description of its own hides it. */
  readonly showsDescription: boolean;
  /** Tag of the page's language. */
  readonly lang?: string | undefined;
  /** Languages of the request samples, as configurations name them. Default: all supported languages; an empty list: none. */
  readonly languages?: readonly string[] | undefined;
}

const maxEntries = 60;
const maxLeadLength = 400;
const maxUrlLength = 500;

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
 * Opens the document of a reference. Returns what appends its description to a page's own text. Examples of the page replace those of the
 * document. If the operation cannot be described, a note on the page says so.
 */
export async function openReference(
  reference: ApiReference,
  docs: DocsTree,
  onWarning: PageReporter,
): Promise<(tree: Root) => void> {
  const { file, method, path, lang = "" } = reference;
  const words = wordsFor(lang);
  const warn = (message: string) => onWarning(`${file}: ${message}`, "api");
  const document = file && (await ifUsable(readApiDocument(docs, file), warn));
  const missing = sentenceAround(words.notDescribed, `${method} ${path}`);
  return (tree) => {
    const content = document && describe(reference, new SchemaReader(document, warn, words));
    const ownComponents = new Set<string | null>();
    visit(tree, "mdxJsxFlowElement", (node) => void ownComponents.add(node.name));
    const isReplaced = (node: RootContent) =>
      node.type === "mdxJsxFlowElement" &&
      /^Re\w+Example$/.test(node.name ?? "") &&
      ownComponents.has(node.name);
    const added = content || [component("Note", {}, [missing])];
    tree.children.push(...added.filter((node) => !isReplaced(node)));
  };
}

/** Returns `undefined` if the document does not contain the operation, or if it cannot be described. */
function describe(reference: ApiReference, reader: SchemaReader): RootContent[] | undefined {
  const { method, path } = reference;
  const found = reader.document.findOperation(method, path);
  try {
    const describeFound = method === "SCHEMA" ? describeSchema : describeOperation;
    return found && describeFound(found, reference, reader);
  } catch (error) {
    reader.warn(`${method} ${path} is not shown: ${messageOf(error)}`);
    return undefined;
  }
}

function describeSchema(
  { path, operation: schema }: Operation,
  { showsDescription }: ApiReference,
  reader: SchemaReader,
): RootContent[] {
  const description = showsDescription ? splitDescription(schema["description"]).rest : undefined;
  const code = printJson(reader.example(schema, "response")) ?? "";
  return [
    ...examples("ResponseExample", [{ title: path, language: "json", code }]),
    ...reader.describe({ ...schema, description }, "response"),
  ];
}

const parameterSections = [
  ["path", "pathParameters"],
  ["query", "queryParameters"],
  ["header", "headers"],
  ["cookie", "cookies"],
] as const;

function describeOperation(
  found: Operation,
  { showsDescription, languages }: ApiReference,
  reader: SchemaReader,
): RootContent[] {
  const { operation, pathItem, method } = found;
  const isWebhook = method === "WEBHOOK";
  const { words } = reader;
  if (operation["callbacks"] !== undefined) reader.warn("callbacks are not shown");
  const deprecated = words.deprecated.replace(/^./u, (first) => first.toUpperCase());
  // Parameters of the operation replace those of its path.
  const listed = [pathItem, operation].flatMap((owner) => listOf(owner["parameters"]));
  const resolved = listed.map((parameter) => reader.resolve(parameter));
  const parameters = [...new Map(resolved.map((each) => [`${each["in"]} ${each["name"]}`, each])).values()];
  const security = isWebhook ? [] : securityOf(operation, reader);
  const body = reader.resolve(operation["requestBody"]);
  const owners = [operation, pathItem, reader.document.root].map(({ servers }) =>
    listOf(servers).map(objectOf),
  );
  const servers = owners.find(({ length }) => length > 0) ?? [];
  const ownSamples = samplesOf(operation);
  const samples = () => {
    const request = sampleRequest(found, servers[0] ?? {}, parameters, security, body, reader);
    const ownTitles = ownSamples.map(({ title }) => title.toLowerCase());
    return requestSamples(request, languages).filter(({ title }) => !ownTitles.includes(title.toLowerCase()));
  };
  return [
    ...(operation["deprecated"] === true ? [component("Warning", {}, [sentence(deprecated)])] : []),
    ...(showsDescription ? prose(splitDescription(operation["description"]).rest) : []),
    ...examples("RequestExample", [
      ...ownSamples,
      ...(isWebhook
        ? bodyExamples(body, words.payload, reader)
        : // The samples show the first example.
          [...samples(), ...bodyExamples(body, "", reader).slice(1)]),
    ]),
    ...examples(
      "ResponseExample",
      responsesOf(operation, reader).flatMap(([code, response]) => bodyExamples(response, code, reader)),
    ),
    ...section(words.servers, isWebhook ? [] : describeServers(servers, reader)),
    ...section(words.authorization, authorizationFields(security, words)),
    ...parameterSections.flatMap(([location, title]) => {
      const fields = parameters.filter((parameter) => parameter["in"] === location);
      return section(
        words[title],
        fields.map((parameter) => parameterField(parameter, "request", reader)),
      );
    }),
    ...section(isWebhook ? words.payload : words.body, describeBody(body, "request", reader)),
    ...section(words.response, describeResponses(operation, reader)),
  ];
}

function parameterField(parameter: JsonObject, direction: Direction, reader: SchemaReader): RootContent {
  const media = mediaOf(parameter, reader);
  const shown = { ...parameter, examples: ownExamples(media, reader).map(([, value]) => value) };
  const options = { direction, isRequired: parameter["required"] === true, parameter: shown };
  return reader.field(String(parameter["name"] ?? ""), media["schema"], options);
}

/** The object that contains schema and examples of a parameter: its media type, or the parameter itself. */
function mediaOf(parameter: JsonObject, reader: SchemaReader): JsonObject {
  return reader.resolve(entriesOf(parameter["content"])[0]?.[1] ?? parameter);
}

/** The examples that a parameter or media type has itself, with their names; a single one has none. */
function ownExamples(media: JsonObject, reader: SchemaReader): (readonly [name: string, value: unknown])[] {
  // Some tools write `null` for an example that is missing.
  if ((media["example"] ?? undefined) !== undefined) return [["", media["example"]]];
  return entriesOf(media["examples"]).map(([name, example]) => {
    const { summary, value } = reader.resolve(example);
    return [typeof summary === "string" ? summary : name, value];
  });
}

/** The first example of a parameter or media type, or one generated from its schema. */
function exampleOf(media: JsonObject, reader: SchemaReader): unknown {
  return ownExamples(media, reader)[0]?.[1] ?? reader.example(media["schema"], "request");
}

/** Credentials that are all needed together. An operation has alternative ones. */
type Security = readonly ReturnType<typeof credentialOf>[];

function securityOf(operation: JsonObject, reader: SchemaReader): Security[] {
  const { root } = reader.document;
  const schemes = new Map(entriesOf(reader.resolve(root["components"])["securitySchemes"]));
  return listOf(operation["security"] ?? root["security"]).flatMap((requirement) => {
    const required = entriesOf(requirement);
    const unknown = required.find(([name]) => !schemes.has(name))?.[0];
    if (unknown !== undefined) {
      // Without the unknown scheme, the requirement would seem to need fewer credentials.
      reader.warn(`a security requirement is not shown: there is no security scheme “${unknown}”`);
      return [];
    }
    const credentials = required.map(([name, scopes]) =>
      credentialOf(reader.resolve(schemes.get(name)), listOf(scopes), reader.words),
    );
    return [credentials];
  });
}

function credentialOf(scheme: JsonObject, scopes: readonly unknown[], words: Words) {
  const { type, in: location = "header", name = "", scheme: httpScheme = "Bearer" } = scheme;
  const facts = [scheme, ...Object.values(objectOf(scheme["flows"]))]
    .flatMap(entriesOf)
    .filter(([key]) => /^(?:\w+Url|bearerFormat)$/.test(key))
    .map(([key, value]) => shorten(`${key}: ${value}`, maxUrlLength));
  const description = [
    ...prose(scheme["description"]),
    ...codeList("", [...new Set(facts)]),
    ...codeList(`${words.scopes}: `, scopes.map(String)),
  ];
  if (type === "mutualTLS") return { location: "name", name: "mutual TLS", value: "", description };
  if (type === "apiKey")
    return { location: String(location), name: String(name), value: "<api-key>", description };
  const isBasic = /^basic$/i.test(String(httpScheme));
  const prefix = String(httpScheme).replace(/^bearer$/i, "Bearer");
  const value = isBasic ? "Basic <credentials>" : `${prefix} <token>`;
  const format = isBasic
    ? sentenceAround(words.basicForm, value, "username:password")
    : sentenceAround(words.headerForm, value);
  return { location: "header", name: "Authorization", value, description: [format, ...description] };
}

/** The servers with their variables, if there is a choice; otherwise the samples show the address. */
function describeServers(servers: readonly JsonObject[], reader: SchemaReader): RootContent[] {
  if (servers.length < 2 && servers[0]?.["variables"] === undefined) return [];
  return servers.slice(0, maxEntries).map(({ url, description, variables }) => {
    const fields = entriesOf(variables).map(([name, variable]) => {
      const schema = { type: "string", ...objectOf(variable) };
      return reader.field(name, schema, { direction: "request", parameter: { in: "server" } });
    });
    return component("ParamField", { name: shorten(String(url), maxUrlLength) }, [
      ...prose(description),
      ...fields,
    ]);
  });
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

function sampleRequest(
  { method, path }: Operation,
  server: JsonObject,
  parameters: readonly JsonObject[],
  [credentials = []]: readonly Security[],
  body: JsonObject,
  reader: SchemaReader,
): SampleRequest {
  const sentBody = sampleBody(body, reader);
  const nameOf = (location: unknown, name: unknown) => `${location} ${name}`.toLowerCase();
  const known = new Set(credentials.map(({ location, name }) => nameOf(location, name)));
  if (sentBody !== undefined) known.add("header content-type");
  const others = parameters.filter(
    ({ in: location, name, required }) => required === true && !known.has(nameOf(location, name)),
  );
  /** The credentials and the other required parameters in one part of the request. */
  const pairsIn = (part: string): (readonly [name: string, value: string])[] => [
    ...credentials
      .filter(({ location }) => location === part)
      .map(({ name, value }) => [name, value] as const),
    ...others
      .filter((parameter) => parameter["in"] === part)
      .flatMap((parameter) => pairsOf(parameter, exampleOf(mediaOf(parameter, reader), reader))),
  ];
  const inPath = new Map(pairsIn("path"));
  const samplePath = path.replace(/\{([^{}]+)\}/g, (placeholder, name: string) => {
    const text = inPath.get(name) ?? "";
    return text === "" || /^<.*>$/.test(text) ? placeholder : encode(text);
  });
  const query = pairsIn("query").map((pair) => pair.map(encode).join("="));
  const cookies = pairsIn("cookie").map(([name, value]) => `${name}=${value}`);
  return {
    method,
    url: urlOf(server).replace(/\/$/, "") + samplePath + (query.length > 0 ? `?${query.join("&")}` : ""),
    headers: [...pairsIn("header"), ...(cookies.length > 0 ? [["Cookie", cookies.join("; ")] as const] : [])],
    body: sentBody,
  };
}

/** Encodes a part of a URL. Commas separate the parts of a list. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll("%2C", ",");
}

const separators: Readonly<Record<string, string>> = { pipeDelimited: "|", spaceDelimited: " " };

/** A parameter in a request. The parts of a list or object are pairs of their own, or separated. */
function pairsOf(parameter: JsonObject, value: unknown): (readonly [name: string, value: string])[] {
  const { in: location, style, explode, content } = parameter;
  const name = String(parameter["name"]);
  if (typeof value !== "object" || value === null || content !== undefined) return [[name, textOf(value, 0)]];
  if (style === "deepObject") return nestedPairs(name, value).map(([key, part]) => [key, textOf(part, 0)]);
  const parts = Object.entries(value).map(([key, part]) => [key, textOf(part, 0)] as const);
  const isList = Array.isArray(value);
  if (location !== "query" || explode === false) {
    const texts = isList ? parts.map(([, part]) => part) : parts.flat();
    return [[name, texts.join(separators[String(style)] ?? ",")]];
  }
  return parts.map(([key, part]) => [isList ? name : key, part]);
}

const maxNameLength = 200;

/** The values in a list or object, with names such as `items[0][price]`. Where the name gets too long, the value is a whole. */
function nestedPairs(name: string, value: unknown): (readonly [name: string, value: unknown])[] {
  if (typeof value !== "object" || value === null || name.length > maxNameLength) return [[name, value]];
  return Object.entries(value).flatMap(([key, part]) => nestedPairs(`${name}[${key}]`, part));
}

function sampleBody(body: JsonObject, reader: SchemaReader): SampleRequest["body"] {
  const [mediaType, content] = contentsOf(body)[0] ?? [];
  if (mediaType === undefined) return undefined;
  const media = reader.resolve(content);
  const value = parseExample(exampleOf(media, reader), mediaType);
  // An example that is too large, or contains itself through a YAML alias, is left out.
  if (parseJson(printJson(value) ?? "") === undefined) return { mediaType, value: undefined };
  const styles = new Map(
    entriesOf(media["encoding"]).map(([name, field]) => [name, objectOf(field)["style"]]),
  );
  const fields = entriesOf(value).flatMap(([name, field]) =>
    styles.get(name) === "deepObject" ? nestedPairs(name, field) : [[name, field] as const],
  );
  return { mediaType, value: isJsonObject(value) ? Object.fromEntries(fields) : value };
}

/** The media types of a body or response, with JSON first. */
function contentsOf(holder: JsonObject): (readonly [mediaType: string, media: unknown])[] {
  const contents = entriesOf(holder["content"]);
  return contents.toSorted(([first], [second]) => Number(isJsonType(second)) - Number(isJsonType(first)));
}

/** The document's own examples of a body or response in its first media type, or one that is generated from the schema. */
function bodyExamples(holder: JsonObject, title: string, reader: SchemaReader): Sample[] {
  const [mediaType, content] = contentsOf(holder)[0] ?? [];
  if (mediaType === undefined) return [];
  const media = reader.resolve(content);
  const own = ownExamples(media, reader);
  const isXml = /xml/i.test(mediaType);
  // A generated value is not printed as XML.
  const generated = () => (isXml ? [] : [["", reader.example(media["schema"], "response")] as const]);
  return (own.length > 0 ? own : generated()).flatMap(([name, example]) => {
    const value = parseExample(example, mediaType);
    const isText = typeof value === "string";
    const code = isText ? value : printJson(value);
    const language = !isText || isJsonType(mediaType) ? "json" : isXml ? "xml" : "text";
    return code === undefined ? [] : [{ title: `${title} ${name}`, language, code }];
  });
}

function responsesOf(operation: JsonObject, reader: SchemaReader) {
  const responses = entriesOf(operation["responses"]).slice(0, maxEntries);
  return responses.map(([code, response]) => [code, reader.resolve(response)] as const);
}

function describeBody(holder: JsonObject, direction: Direction, reader: SchemaReader, status = "") {
  const contents = entriesOf(holder["content"]).slice(0, maxEntries);
  const parts = contents.map(([title, content]) => {
    const { schema } = reader.resolve(content);
    return { title, content: schema === undefined ? [] : reader.describe(schema, direction) };
  });
  const types = contents.length === 1 ? contents.map(([type]) => type) : [];
  return [
    ...codeList("", [status, ...types].filter(Boolean)),
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
      ...(headers.length > 0 ? [component("Expandable", { title: reader.words.headers }, headers)] : []),
    ];
    return { title: code, content };
  });
  return tabs(parts);
}

function section(title: string, content: readonly RootContent[]): RootContent[] {
  if (content.length === 0) return [];
  return [{ type: "heading", depth: 2, children: [{ type: "text", value: title }] }, ...content];
}

function tabs(parts: readonly { readonly title: string; readonly content: readonly RootContent[] }[]) {
  if (parts.length < 2) return parts.flatMap(({ content }) => content);
  const children = parts.map(({ title, content }) => component("Tab", { title }, content));
  return [component("Tabs", {}, children)];
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
  const samples = listOf(operation["x-codeSamples"] ?? operation["x-code-samples"]).filter(isJsonObject);
  // Programs that write the samples label those of all languages with the operation's name.
  const byLabel = Map.groupBy(samples, ({ label }) => label);
  return samples.map(({ lang = "text", label, source = "" }) => {
    const title = String((byLabel.get(label)?.length === 1 ? label : undefined) ?? lang);
    return { language: String(lang).toLowerCase(), title, code: String(source) };
  });
}

/** Parses an example of a JSON media type that is written as text. */
function parseExample(value: unknown, mediaType: string): unknown {
  if (typeof value !== "string" || !isJsonType(mediaType)) return value;
  return parseJson(value) === undefined ? value : parseExactJson(value);
}

const exampleServer = "https://api.example.com";

/** The URL of a server with the default values of its variables. A relative one is that of an unknown server. */
function urlOf(server: JsonObject): string {
  const variables = objectOf(server["variables"]);
  const fill = (placeholder: string, name: string) =>
    String(objectOf(variables[name])["default"] ?? placeholder);
  const url = shorten(String(server["url"] ?? ""), maxUrlLength).replace(/\{([^{}]+)\}/g, fill);
  return url.includes("://") ? url : (URL.parse(url, exampleServer)?.href ?? exampleServer);
}
