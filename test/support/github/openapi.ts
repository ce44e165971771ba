/**
 * GitHub's own OpenAPI description, cut down by `scripts/cut-github-openapi.ts`: which operations there are, whether
 * requests and answers keep to them, and what an answer must hold besides what matters to a test.
 */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv, type ValidateFunction } from "ajv";
import formats from "ajv-formats";

/** A JSON schema as it stands in the description. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly nullable?: boolean;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface OperationDescription {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Content | { readonly $ref: string }>>;
}

/** One operation of the API. */
export interface Operation {
  /** Such as `issues/create-comment`. */
  readonly id: string;
  readonly method: string;
  readonly template: string;
  readonly parameters: readonly Parameter[];
  readonly bodySchema: Schema | undefined;
  readonly bodyRequired: boolean;
  /** Schema of the JSON body by status; `undefined` for a documented answer without one. */
  readonly responses: ReadonlyMap<number, Schema | undefined>;
}

/** An operation that a request asks for, and what stands in its path. */
export interface OperationMatch {
  readonly operation: Operation;
  readonly path: Readonly<Record<string, string>>;
}

interface Route extends Operation {
  readonly pattern: RegExp;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationDescription>>>>;
  readonly components: Readonly<Record<string, unknown>>;
}

/** References and branches may hold slashes, encoded or not. */
const MULTI_SEGMENT = new Set(["ref", "basehead", "branch"]);

let loaded: Document | undefined;

/** The whole document, for the validator that resolves its references. */
function githubDocument(): Document {
  const file = fileURLToPath(new URL("../../fixtures/github-openapi.json", import.meta.url));
  loaded ??= JSON.parse(readFileSync(file, "utf8")) as Document;
  return loaded;
}

const referenced = new Map<string, unknown>();

/** Follows a reference within the document. */
function resolveReference<T extends object>(value: T | { readonly $ref: string }): T {
  if (!("$ref" in value) || typeof value.$ref !== "string") return value as T;
  const known = referenced.get(value.$ref);
  if (known !== undefined) return known as T;
  const parts = value.$ref.slice(2).split("/");
  const found = parts.reduce<unknown>(
    (node, key) => (node as Record<string, unknown>)[key],
    githubDocument(),
  );
  referenced.set(value.$ref, found);
  return found as T;
}

const resolve = (schema: Schema) => resolveReference<Schema>(schema as Schema & { readonly $ref: string });

const jsonSchema = ({ content }: Content): Schema | undefined => content?.["application/json"]?.schema;

function createRoute(
  template: string,
  { method, description }: { method: string; description: OperationDescription },
): Route {
  const pattern = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    MULTI_SEGMENT.has(name) ? `(?<${name}>.+)` : `(?<${name}>[^/]+)`,
  );
  const responses = Object.entries(description.responses).map(
    ([status, response]) => [Number(status), jsonSchema(resolveReference<Content>(response))] as const,
  );
  return {
    id: description.operationId,
    method: method.toUpperCase(),
    template,
    pattern: new RegExp(`^${pattern}$`),
    parameters: (description.parameters ?? []).map((parameter) => resolveReference<Parameter>(parameter)),
    bodySchema: description.requestBody && jsonSchema(description.requestBody),
    bodyRequired: description.requestBody?.required ?? false,
    responses: new Map(responses),
  };
}

let sortedRoutes: Route[] | undefined;

/** The more literal path wins: `/commits/{ref}/status` before `/commits/{ref}`, whose reference may hold slashes. */
function routes(): readonly Route[] {
  sortedRoutes ??= Object.entries(githubDocument().paths)
    .flatMap(([template, operations]) =>
      Object.entries(operations).map(([method, description]) =>
        createRoute(template, { method, description }),
      ),
    )
    .sort((one, other) => literalLength(other) - literalLength(one));
  return sortedRoutes;
}

function literalLength({ template }: Operation): number {
  return template.replaceAll(/\{\w+\}/g, "").length;
}

/** The operation behind a method and a path without its query. */
export function findOperation(method: string, pathname: string): OperationMatch | undefined {
  for (const operation of routes()) {
    if (operation.method !== method) continue;
    const match = operation.pattern.exec(pathname);
    if (match === null) continue;
    const path = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]);
    return { operation, path: Object.fromEntries(path) };
  }
  return undefined;
}

let validator: Ajv | undefined;

function ajv(): Ajv {
  if (validator === undefined) {
    validator = new Ajv({ strict: false, allErrors: true, formats: { "repo.nwo": /^[^/\s]+\/[^/\s]+$/ } });
    formats.default(validator);
    validator.addSchema(githubDocument(), "github");
  }
  return validator;
}

const validators = new WeakMap<Schema, ValidateFunction>();

/** References inside the description start at its root, so a schema is compiled as a part of it. */
function validatorOf(schema: Schema): ValidateFunction {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const compiled = ajv().compile(withAbsoluteReferences(schema));
  validators.set(schema, compiled);
  return compiled;
}

function withAbsoluteReferences(schema: Schema): Schema {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === "$ref" && typeof value === "string" && value.startsWith("#") ? `github${value}` : value,
  );
  return JSON.parse(text) as Schema;
}

function schemaProblems(schema: Schema, value: unknown): string[] {
  const validate = validatorOf(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || "/"} ${message}`);
}

/** The alternatives of a schema, itself included, with references followed. */
function parts(schema: Schema): Schema[] {
  const resolved = resolve(schema);
  const nested = [...(resolved.allOf ?? []), ...(resolved.anyOf ?? []), ...(resolved.oneOf ?? [])];
  return [resolved, ...nested.flatMap(parts)];
}

/** Names that no alternative of the schema knows; GitHub ignores them, so they are spelling mistakes. */
function unknownProperties(schema: Schema, value: unknown, at = ""): string[] {
  const alternatives = parts(schema);
  if (Array.isArray(value)) {
    const items = alternatives.flatMap(({ items }) => items ?? []);
    return value.flatMap((item, index) => unknownProperties({ anyOf: items }, item, `${at}/${index}`));
  }
  if (typeof value !== "object" || value === null) return [];
  if (alternatives.some(({ additionalProperties }) => additionalProperties)) return [];
  return Object.entries(value).flatMap(([name, item]) => {
    const known = alternatives.flatMap(({ properties }) => properties?.[name] ?? []);
    if (known.length === 0) return [`${at}/${name} is not a property of this request`];
    return unknownProperties({ anyOf: known }, item, `${at}/${name}`);
  });
}

/** A text of a path or query as the type its schema wants. */
function readText(text: string, { type }: Schema): unknown {
  if (type === "integer" || type === "number") return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  if (type === "array") return text.split(",");
  return text;
}

function parameterProblems({ operation, path }: OperationMatch, query: URLSearchParams): string[] {
  const inQuery = operation.parameters.filter((parameter) => parameter.in === "query");
  const known = new Set(inQuery.map(({ name }) => name));
  const unknown = [...query.keys()].filter((name) => !known.has(name));
  const given = operation.parameters.flatMap((parameter) => {
    const text = parameter.in === "path" ? path[parameter.name] : (query.get(parameter.name) ?? undefined);
    if (parameter.in === "header") return [];
    if (text === undefined) return parameter.required ? [`${parameter.name} is missing`] : [];
    const schema = resolve(parameter.schema);
    return schemaProblems(schema, readText(text, schema)).map((problem) => `${parameter.name}: ${problem}`);
  });
  return [...unknown.map((name) => `${name} is not a parameter of this operation`), ...given];
}

/** What is wrong with a request, in words; empty if nothing is. */
export function requestProblems(
  match: OperationMatch,
  { query, body }: { readonly query: URLSearchParams; readonly body: unknown },
): string[] {
  const { bodySchema, bodyRequired } = match.operation;
  const problems = parameterProblems(match, query);
  if (body === undefined) return bodyRequired ? [...problems, "the body is missing"] : problems;
  if (bodySchema === undefined) return [...problems, "this operation takes no body"];
  return [...problems, ...schemaProblems(bodySchema, body), ...unknownProperties(bodySchema, body)];
}

/** What is wrong with an answer of the stand-in itself. Failures may have statuses that GitHub does not list. */
export function responseProblems(
  { responses }: Operation,
  { status, body }: { readonly status: number; readonly body: unknown },
): string[] {
  if (!responses.has(status)) return status < 400 ? [`status ${status} is not documented`] : [];
  const schema = responses.get(status);
  return schema === undefined || status >= 400 ? [] : schemaProblems(schema, body);
}

const TEXT_BY_FORMAT: Record<string, string> = {
  "date-time": "2026-01-01T00:00:00Z",
  date: "2026-01-01",
  email: "nobody@example.com",
  uri: "https://github.example/nothing",
  "uri-template": "https://github.example/nothing{/path}",
  uuid: "00000000-0000-4000-8000-000000000000",
};

const flattened = new WeakMap<Schema, Schema>();

/** All of a composed schema that decides the shape of an object. */
function flatten(schema: Schema): Schema {
  const known = flattened.get(schema);
  if (known !== undefined) return known;
  const resolved = resolve(schema);
  const alternative = resolved.anyOf?.[0] ?? resolved.oneOf?.[0];
  const parts = [...(resolved.allOf ?? []), ...(alternative === undefined ? [] : [alternative])].map(flatten);
  const all = [...parts, resolved];
  const whole: Schema = Object.assign({}, ...all, {
    properties: Object.assign({}, ...all.map(({ properties }) => properties)),
    required: all.flatMap(({ required = [] }) => required),
  });
  flattened.set(schema, whole);
  return whole;
}

function allowsNull(schema: Schema): boolean {
  const { nullable, anyOf = [], oneOf = [] } = resolve(schema);
  return nullable === true || [...anyOf, ...oneOf].some(allowsNull);
}

const neutralValues = new WeakMap<Schema, unknown>();

function neutralValue(schema: Schema): unknown {
  if (!neutralValues.has(schema)) neutralValues.set(schema, createNeutralValue(schema));
  return neutralValues.get(schema);
}

function createNeutralValue(schema: Schema): unknown {
  if (allowsNull(schema)) return null;
  const { type, format, enum: values, items, properties } = flatten(schema);
  if (values !== undefined) return values[0];
  if (type === "object" || Object.keys(properties ?? {}).length > 0) return complete(schema, {});
  if (type === "array" || items !== undefined) return [];
  if (type === "integer" || type === "number") return 0;
  if (type === "boolean") return false;
  return TEXT_BY_FORMAT[format ?? ""] ?? "";
}

/** `value` with every required property it lacks, at any depth, as null, empty or zero. Nothing given is changed. */
export function complete(schema: Schema, value: unknown): unknown {
  const { items, properties = {}, required = [] } = flatten(schema);
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => complete(items, item));
  if (typeof value !== "object" || value === null) return value;
  const given = Object.entries(value).map(([name, item]) => {
    const property = properties[name];
    return [name, property === undefined ? item : complete(property, item)] as const;
  });
  const missing = required
    .filter((name) => !(name in value) && properties[name] !== undefined)
    .map((name) => [name, neutralValue(properties[name] ?? {})] as const);
  return Object.fromEntries([...given, ...missing]);
}
