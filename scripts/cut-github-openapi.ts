/**
 * Cuts GitHub's OpenAPI description down to the operations that the tests' GitHub stand-in offers.
 *
 *   npm install --no-save @octokit/openapi@23.0.2
 *   node scripts/cut-github-openapi.ts
 */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** By GitHub's own operation identifiers. */
const OPERATIONS = new Set([
  "git/create-ref",
  "git/list-matching-refs",
  "git/update-ref",
  "issues/add-labels",
  "issues/create-comment",
  "issues/delete-comment",
  "issues/get-comment",
  "issues/list-comments",
  "issues/list-comments-for-repo",
  "issues/list-for-repo",
  "issues/update-comment",
  "pulls/create",
  "pulls/create-reply-for-review-comment",
  "pulls/delete-review-comment",
  "pulls/get",
  "pulls/get-review-comment",
  "pulls/list",
  "pulls/list-files",
  "pulls/list-review-comments",
  "pulls/list-review-comments-for-repo",
  "pulls/request-reviewers",
  "pulls/update",
  "pulls/update-review-comment",
  "repos/compare-commits-with-basehead",
  "repos/create-commit-status",
  "repos/get",
  "repos/get-collaborator-permission-level",
  "repos/get-commit",
  "repos/list-commit-statuses-for-ref",
  "repos/list-pull-requests-associated-with-commit",
  "repos/list-releases",
]);

/** Words for people, examples and vendor extensions decide nothing. */
const DROPPED = /^(description|summary|title|example|examples|externalDocs|tags|x-.*)$/;

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Drops what decides nothing; `isNames` holds where keys are names of properties, not keywords. */
function slim(value: Json, isNames = false): Json {
  if (Array.isArray(value)) return value.map((item) => slim(item));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => isNames || !DROPPED.test(key));
  const object = Object.fromEntries(
    kept.map(([key, item]) => [key, slim(item, !isNames && key === "properties")]),
  );
  return isNames ? object : withPlainNull(object);
}

/**
 * GitHub means `nullable` everywhere; validators read it beside a `type` only (OpenAPI 3.0.3) and want `null` among the
 * values of an `enum`.
 */
function withPlainNull(schema: JsonObject): JsonObject {
  if (schema["nullable"] !== true) return schema;
  const { nullable: _, ...rest } = schema;
  if (schema["type"] === undefined)
    return { anyOf: [rest, { type: "object", nullable: true, enum: [null] }] };
  const values = schema["enum"];
  return Array.isArray(values) && !values.includes(null) ? { ...schema, enum: [...values, null] } : schema;
}

function references(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(references);
  if (!isObject(value)) return [];
  const { $ref, ...rest } = value;
  return [...(typeof $ref === "string" ? [$ref] : []), ...Object.values(rest).flatMap(references)];
}

/** The part of a document that `#/a/b` points to. */
function resolve(document: Json, reference: string): Json {
  let value: Json | undefined = document;
  for (const key of reference.slice(2).split("/")) value = isObject(value) ? value[key] : undefined;
  if (value === undefined) throw new Error(`${reference} points nowhere`);
  return value;
}

function cutPaths(document: JsonObject): JsonObject {
  const paths: JsonObject = {};
  for (const [path, item] of Object.entries(document["paths"] as JsonObject)) {
    const operations = Object.entries(item as JsonObject).filter(
      ([, operation]) => isObject(operation) && OPERATIONS.delete(String(operation["operationId"])),
    );
    if (operations.length > 0) paths[path] = slim(Object.fromEntries(operations));
  }
  if (OPERATIONS.size > 0) throw new Error(`GitHub does not describe ${[...OPERATIONS].join(", ")}`);
  return paths;
}

function cut(document: JsonObject): JsonObject {
  const result: JsonObject = {
    openapi: document["openapi"] ?? "",
    paths: cutPaths(document),
    components: {},
  };
  const pending = references(result);
  const done = new Set<string>();
  for (let reference = pending.pop(); reference !== undefined; reference = pending.pop()) {
    if (done.has(reference)) continue;
    done.add(reference);
    const [, , kind = "", name = ""] = reference.split("/");
    const part = slim(resolve(document, reference));
    const components = result["components"] as JsonObject;
    components[kind] = { ...(components[kind] as JsonObject | undefined), [name]: part };
    pending.push(...references(part));
  }
  return result;
}

const source = new URL("../node_modules/@octokit/openapi/generated/api.github.com.json", import.meta.url);
const target = fileURLToPath(new URL("../test/fixtures/github-openapi.json", import.meta.url));
const cutDocument = cut(JSON.parse(await readFile(process.argv[2] ?? source, "utf8")) as JsonObject);
await writeFile(target, `${JSON.stringify(cutDocument)}\n`);
console.log(`${target}: ${Object.keys(cutDocument["paths"] as JsonObject).length} paths`);
