/** Holds requests and answers against GitHub's OpenAPI description. */

import { Ajv, type ValidateFunction } from "ajv";
import formats from "ajv-formats";
import {
  githubDocument,
  type Operation,
  type OperationMatch,
  resolveReference,
  type Schema,
} from "./openapi-document.ts";

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
  const resolved = resolveReference<Schema>(schema as Schema & { readonly $ref: string });
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
    const schema = resolveReference<Schema>(parameter.schema as Schema & { readonly $ref: string });
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
