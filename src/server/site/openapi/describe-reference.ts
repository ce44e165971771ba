/** An operation, a webhook or a schema of an OpenAPI document as the components that a page would be written with. */
import type { RootContent } from "mdast";
import { isJsonObject, type JsonObject, parseJson, shorten } from "../../../base/text.ts";
import type { ApiDocument } from "./api-document.ts";
import { findOperation, type Operation } from "./operations.ts";
import { fileMark, requestSamples, type Sample, type SampleRequest } from "./request-samples.ts";
import {
  component,
  type Direction,
  entriesOf,
  listOf,
  printJson,
  prose,
  SchemaReader,
  sentence,
} from "./schema-reader.ts";

/** How a site wants its samples. */
export interface SampleOptions {
  /** As the configuration names them; all that are known without it. */
  readonly languages?: readonly string[];
  /** Whether only the document's own samples are shown. */
  readonly isGiven?: boolean;
}

/** What a page describes after its own text. */
export interface ApiReference {
  /** The OpenAPI document; `undefined` where it is not known. */
  readonly file: string | undefined;
  /** `GET` and so on, `WEBHOOK` or `SCHEMA`. */
  readonly method: string;
  /** The path, or the name of the webhook or schema. */
  readonly name: string;
  /** Whether the description is part of it; a page that describes it itself goes without. */
  readonly isDescribed: boolean;
  readonly samples: SampleOptions;
}

const maxMediaTypes = 20;
const maxResponses = 60;
const maxSamples = 40;

/** Describes what a reference names; nothing where the document does not have it. */
export function describeReference(
  reference: ApiReference,
  document: ApiDocument,
  onWarning: (message: string) => void,
): RootContent[] | undefined {
  const reader = new SchemaReader(document, onWarning);
  if (reference.method !== "SCHEMA") {
    const operation = findOperation(document, reference.method, reference.name);
    return operation && describeOperation(operation, reference, document, reader);
  }
  const schemas = (document.root["components"] as JsonObject | undefined)?.["schemas"];
  const schema = entriesOf(schemas).find(([name]) => name === reference.name)?.[1];
  if (schema === undefined) return undefined;
  const example = printJson(reader.example(schema, "response"));
  return [
    ...reader.describe(schema, "ResponseField", "response"),
    ...examples("ResponseExample", [{ title: reference.name, language: "json", code: example ?? "" }]),
  ];
}

function describeOperation(
  { operation, pathItem, path }: Operation,
  reference: ApiReference,
  document: ApiDocument,
  reader: SchemaReader,
): RootContent[] {
  const isWebhook = reference.method === "WEBHOOK";
  const parameters = parametersOf(operation, pathItem, reader);
  const security = isWebhook ? [] : securityOf(operation, document, reader);
  const body = reader.resolve(operation["requestBody"]);
  const servers = [operation, pathItem, document.root].map((holder) => listOf(holder["servers"]));
  const bases = (servers.find((list) => list.length > 0) ?? []).filter(isJsonObject);
  const request: SampleRequest = {
    method: reference.method,
    url: urlOf(bases[0], path, parameters, security, reader),
    headers: headersOf(parameters, security, reader),
    body: sampleBody(body, reader),
  };
  const made =
    isWebhook || reference.samples.isGiven === true
      ? []
      : requestSamples(request, reference.samples.languages);
  const payload = isWebhook ? bodyExamples(body, "Payload", reader) : [];
  return [
    ...(operation["deprecated"] === true
      ? [component("Warning", {}, [sentence("This operation is deprecated.")])]
      : []),
    ...(reference.isDescribed ? prose(operation["description"]) : []),
    ...examples("RequestExample", [...givenSamples(operation), ...made, ...payload]),
    ...examples("ResponseExample", responseExamples(operation, reader)),
    ...section("Authorization", authorizationFields(security)),
    ...parameterSections.flatMap(([location, title]) => {
      const fields = parameters.filter((parameter) => parameter["in"] === location);
      return section(
        title,
        fields.map((parameter) => parameterField("ParamField", parameter, reader)),
      );
    }),
    ...section(isWebhook ? "Payload" : "Body", bodyContent(body, "ParamField", "request", reader)),
    ...section("Callbacks", describeCallbacks(operation, reader)),
    ...section("Response", describeResponses(operation, reader)),
    ...(isWebhook || bases.length < 2 ? [] : section("Servers", bases.map(describeServer))),
  ];
}

const parameterSections = [
  ["path", "Path parameters"],
  ["query", "Query parameters"],
  ["header", "Headers"],
  ["cookie", "Cookies"],
] as const;

function section(title: string, content: readonly RootContent[]): RootContent[] {
  if (content.length === 0) return [];
  return [{ type: "heading", depth: 2, children: [{ type: "text", value: title }] }, ...content];
}

/** The operation's own parameters count more than those of its path. */
function parametersOf(operation: JsonObject, pathItem: JsonObject, reader: SchemaReader): JsonObject[] {
  const found = new Map<string, JsonObject>();
  for (const written of [...listOf(pathItem["parameters"]), ...listOf(operation["parameters"])]) {
    const parameter = reader.resolve(written);
    found.set(`${String(parameter["in"])} ${String(parameter["name"])}`, parameter);
  }
  return [...found.values()];
}

function schemaOf(parameter: JsonObject): unknown {
  const [content] = entriesOf(parameter["content"]);
  return parameter["schema"] ?? (isJsonObject(content?.[1]) ? content[1]["schema"] : undefined);
}

function parameterField(tag: string, parameter: JsonObject, reader: SchemaReader): RootContent {
  const isRequired = parameter["required"] === true;
  const options = { direction: "request", isRequired, parameter } as const;
  return reader.field(tag, String(parameter["name"] ?? ""), schemaOf(parameter), options);
}

/** A way to authenticate: all of its schemes together. */
type Security = readonly { readonly scheme: JsonObject; readonly scopes: readonly unknown[] }[];

/** The ways to authenticate, of which one is needed; none where none is needed. */
function securityOf(operation: JsonObject, document: ApiDocument, reader: SchemaReader): Security[] {
  const components = reader.resolve(document.root["components"]);
  const schemes = new Map(entriesOf(components["securitySchemes"]));
  return listOf(operation["security"] ?? document.root["security"]).map((alternative) =>
    entriesOf(alternative).flatMap(([name, scopes]) =>
      schemes.has(name) ? [{ scheme: reader.resolve(schemes.get(name)), scopes: listOf(scopes) }] : [],
    ),
  );
}

/** Where a scheme's credential goes, and how it looks. */
function credentialOf(scheme: JsonObject): { location: string; name: string; value: string; says: string[] } {
  const kind = String(scheme["scheme"] ?? "").toLowerCase();
  const fallback = typeof scheme["x-default"] === "string" ? scheme["x-default"] : undefined;
  if (scheme["type"] === "apiKey") {
    const location = String(scheme["in"] ?? "header");
    return { location, name: String(scheme["name"] ?? ""), value: fallback ?? "<api-key>", says: ["An API key."] };
  }
  const header = { location: "header", name: "Authorization" };
  if (scheme["type"] === "http" && kind === "basic")
    return {
      ...header,
      value: "Basic <credentials>",
      says: ["Basic authentication: ", "Basic <credentials>", ", where the credentials are ", "username:password", " in Base64."],
    };
  const word = scheme["type"] === "http" && kind !== "bearer" ? String(scheme["scheme"] ?? "Bearer") : "Bearer";
  const name = scheme["type"] === "oauth2" ? "an OAuth 2.0 access token" : "your token";
  return {
    ...header,
    value: `${word} ${fallback ?? "<token>"}`,
    says: ["A header of the form ", `${word} <token>`, `, where the token is ${name}.`],
  };
}

function authorizationFields(security: readonly Security[]): RootContent[] {
  const isOptional = security.some((schemes) => schemes.length === 0);
  const ways = security.filter((schemes) => schemes.length > 0);
  return ways.flatMap((schemes, at) => [
    ...(at > 0 ? [sentence("Or:")] : []),
    ...schemes.map(({ scheme, scopes }) => {
      const { location, name, says } = credentialOf(scheme);
      const required = !isOptional && { required: true };
      const listed = scopes.flatMap((scope) => [String(scope), ", "]).slice(0, -1);
      return component("ParamField", { [location]: name, type: "string", ...required }, [
        sentence(...says),
        ...prose(scheme["description"]),
        ...(listed.length > 0 ? [sentence("Scopes: ", ...listed)] : []),
      ]);
    }),
  ]);
}

/** A server's address with the defaults of its variables. */
function addressOf(server: JsonObject | undefined): string {
  const url = typeof server?.["url"] === "string" ? server["url"] : "https://api.example.com";
  const variables = new Map(entriesOf(server?.["variables"]));
  return shorten(url, 500).replace(/\{([^{}]+)\}/g, (written, name: string) => {
    const variable = variables.get(name);
    return isJsonObject(variable) && variable["default"] !== undefined ? String(variable["default"]) : written;
  });
}

function describeServer(server: JsonObject): RootContent {
  return sentence("", addressOf(server), server["description"] ? `: ${String(server["description"])}` : "");
}

/** The example of a parameter as text. */
function parameterText(parameter: JsonObject, reader: SchemaReader): string {
  const value = givenExample(parameter) ?? reader.example(schemaOf(parameter), "request");
  return typeof value === "string" ? value : (printJson(value, 0) ?? "");
}

function urlOf(
  server: JsonObject | undefined,
  path: string,
  parameters: readonly JsonObject[],
  security: readonly Security[],
  reader: SchemaReader,
): string {
  const filled = path.replace(/\{([^{}]+)\}/g, (written, name: string) => {
    const parameter = parameters.find((one) => one["in"] === "path" && one["name"] === name);
    const text = parameter === undefined ? "" : parameterText(parameter, reader);
    return text === "" || /^<.*>$/.test(text) ? written : encodeURIComponent(text);
  });
  const query = parameters
    .filter((parameter) => parameter["in"] === "query" && parameter["required"] === true)
    .map((parameter) => [String(parameter["name"]), parameterText(parameter, reader)] as const);
  const keys = (security[0] ?? [])
    .map(({ scheme }) => credentialOf(scheme))
    .filter(({ location }) => location === "query")
    .map(({ name, value }) => [name, value] as const);
  const words = [...query, ...keys].map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return addressOf(server).replace(/\/$/, "") + filled + (words.length > 0 ? `?${words.join("&")}` : "");
}

function headersOf(
  parameters: readonly JsonObject[],
  security: readonly Security[],
  reader: SchemaReader,
): [string, string][] {
  const credentials = (security[0] ?? []).map(({ scheme }) => credentialOf(scheme));
  const cookies = credentials.filter(({ location }) => location === "cookie");
  return [
    ...credentials.filter(({ location }) => location === "header").map(({ name, value }) => [name, value]),
    ...(cookies.length > 0 ? [["Cookie", cookies.map(({ name, value }) => `${name}=${value}`).join("; ")]] : []),
    ...parameters
      .filter((parameter) => parameter["in"] === "header" && parameter["required"] === true)
      .map((parameter) => [String(parameter["name"]), parameterText(parameter, reader)]),
  ] as [string, string][];
}

/** The first example that a parameter or a media type gives. */
function givenExample(holder: JsonObject): unknown {
  if (holder["example"] !== undefined) return holder["example"];
  const [named] = entriesOf(holder["examples"]);
  return isJsonObject(named?.[1]) ? named[1]["value"] : undefined;
}

function sampleBody(body: JsonObject, reader: SchemaReader): SampleRequest["body"] {
  const contents = entriesOf(body["content"]);
  const [mediaType, content] = contents.find(([name]) => /[/+]json\b/i.test(name)) ?? contents[0] ?? [];
  if (mediaType === undefined) return undefined;
  const media = reader.resolve(content);
  const value = givenExample(media) ?? reader.example(media["schema"], "request");
  return { mediaType, value: typeof value === "string" && value !== fileMark ? (parseJson(value) ?? value) : value };
}

function givenSamples(operation: JsonObject): Sample[] {
  const written = listOf(operation["x-codeSamples"] ?? operation["x-code-samples"]);
  return written.filter(isJsonObject).map(({ lang, label, source }) => {
    const language = String(lang ?? "text").toLowerCase();
    return { language, title: String(label ?? lang ?? "Code"), code: String(source ?? "") };
  });
}

/** The examples of a body or a response under their names, else one that its schema allows. */
function bodyExamples(holder: JsonObject, title: string, reader: SchemaReader): Sample[] {
  const [found] = entriesOf(holder["content"]);
  if (found === undefined) return [];
  const [mediaType, content] = found;
  const media = reader.resolve(content);
  const named = entriesOf(media["examples"]).map(([name, written]) => {
    const { summary, value } = reader.resolve(written);
    return [`${title} ${typeof summary === "string" ? summary : name}`, value] as const;
  });
  const single = media["example"] ?? reader.example(media["schema"], "response");
  const all = media["example"] === undefined && named.length > 0 ? named : [[title, single] as const];
  const language = /[/+]json\b/i.test(mediaType) ? "json" : /xml/i.test(mediaType) ? "xml" : "text";
  return all.flatMap(([name, value]) => {
    const code = typeof value === "string" && !isJsonText(value, language) ? value : printJson(asJson(value));
    return code === undefined ? [] : [{ title: name, language, code }];
  });
}

function isJsonText(text: string, language: string): boolean {
  return language === "json" && parseJson(text) !== undefined;
}

function asJson(value: unknown): unknown {
  return typeof value === "string" ? parseJson(value) : value;
}

function responseExamples(operation: JsonObject, reader: SchemaReader): Sample[] {
  return entriesOf(operation["responses"])
    .slice(0, maxResponses)
    .flatMap(([code, response]) => bodyExamples(reader.resolve(response), code, reader));
}

/** Codes in the tabs of an example. */
function examples(name: string, samples: readonly Sample[]): RootContent[] {
  const codes = samples.slice(0, maxSamples).flatMap(({ language, title, code }): RootContent[] => {
    const meta = `title="${shorten(title.replace(/["\s]+/g, " ").trim(), 60)}"`;
    return code === "" ? [] : [{ type: "code", lang: language.replace(/[^\w+#.-]/g, ""), meta, value: code.trimEnd() }];
  });
  return codes.length === 0 ? [] : [component(name, {}, codes)];
}

/** Parts of which a reader sees one at a time; one by itself needs no tab. */
function tabs(parts: readonly { readonly title: string; readonly content: readonly RootContent[] }[]): RootContent[] {
  if (parts.length < 2) return parts.flatMap(({ content }) => content);
  return [component("Tabs", {}, parts.map(({ title, content }) => component("Tab", { title }, content)))];
}

/** A body by its media types. */
function bodyContent(holder: JsonObject, tag: string, direction: Direction, reader: SchemaReader): RootContent[] {
  const contents = entriesOf(holder["content"]).slice(0, maxMediaTypes);
  const parts = contents.map(([title, content]) => {
    const { schema } = reader.resolve(content);
    return { title, content: schema === undefined ? [] : reader.describe(schema, tag, direction) };
  });
  const [single] = contents.length === 1 ? contents : [];
  return [
    ...(single === undefined ? [] : [sentence("", single[0])]),
    ...prose(holder["description"]),
    ...tabs(parts),
  ];
}

function describeResponses(operation: JsonObject, reader: SchemaReader): RootContent[] {
  const parts = entriesOf(operation["responses"])
    .slice(0, maxResponses)
    .map(([code, written]) => {
      const response = reader.resolve(written);
      const headers = entriesOf(response["headers"]).map(([name, header]) =>
        parameterField("ResponseField", { ...reader.resolve(header), name }, reader),
      );
      const content = bodyContent(response, "ResponseField", "response", reader);
      const listed = headers.length > 0 ? [component("Expandable", { title: "Headers" }, headers)] : [];
      return { title: code, content: [...content, ...listed] };
    });
  const [single] = parts.length === 1 ? parts : [];
  return single === undefined ? tabs(parts) : [sentence("Status ", single.title), ...single.content];
}

function describeCallbacks(operation: JsonObject, reader: SchemaReader): RootContent[] {
  return entriesOf(operation["callbacks"]).flatMap(([name, written]) =>
    entriesOf(reader.resolve(written)).flatMap(([expression, item]) =>
      entriesOf(reader.resolve(item)).flatMap(([method, callback]) => {
        if (!isJsonObject(callback)) return [];
        const body = bodyContent(reader.resolve(callback["requestBody"]), "ParamField", "request", reader);
        return [
          component("Expandable", { title: name }, [
            sentence("", `${method.toUpperCase()} ${expression}`),
            ...prose(callback["description"]),
            ...body,
            ...describeResponses(callback, reader),
          ]),
        ];
      }),
    ),
  );
}
