/** GitHub's own OpenAPI description, cut down by `scripts/cut-github-openapi.ts`: which operations there are. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

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
export function githubDocument(): Document {
  const file = fileURLToPath(new URL("../../fixtures/github-openapi.json", import.meta.url));
  loaded ??= JSON.parse(readFileSync(file, "utf8")) as Document;
  return loaded;
}

/** Follows a reference within the document. */
export function resolveReference<T extends object>(value: T | { readonly $ref: string }): T {
  if (!("$ref" in value) || typeof value.$ref !== "string") return value as T;
  const parts = value.$ref.slice(2).split("/");
  const found = parts.reduce<unknown>(
    (node, key) => (node as Record<string, unknown>)[key],
    githubDocument(),
  );
  return found as T;
}

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
