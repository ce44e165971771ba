/** Fills an answer up to what GitHub's description requires, so that the stand-in writes only what matters. */

import { resolveReference, type Schema } from "./openapi-document.ts";

const resolve = (schema: Schema) => resolveReference<Schema>(schema as Schema & { readonly $ref: string });

const TEXT_BY_FORMAT: Record<string, string> = {
  "date-time": "2026-01-01T00:00:00Z",
  date: "2026-01-01",
  email: "nobody@example.com",
  uri: "https://github.example/nothing",
  "uri-template": "https://github.example/nothing{/path}",
  uuid: "00000000-0000-4000-8000-000000000000",
};

/** All of a composed schema that decides the shape of an object. */
function flatten(schema: Schema): Schema {
  const resolved = resolve(schema);
  const alternative = resolved.anyOf?.[0] ?? resolved.oneOf?.[0];
  const parts = [...(resolved.allOf ?? []), ...(alternative === undefined ? [] : [alternative])].map(flatten);
  const all = [...parts, resolved];
  return Object.assign({}, ...all, {
    properties: Object.assign({}, ...all.map(({ properties }) => properties)),
    required: all.flatMap(({ required = [] }) => required),
  }) as Schema;
}

function allowsNull(schema: Schema): boolean {
  const { nullable, anyOf = [], oneOf = [] } = resolve(schema);
  return nullable === true || [...anyOf, ...oneOf].some(allowsNull);
}

function neutralValue(schema: Schema): unknown {
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
