/** GitHub's GraphQL API, executed by `graphql` against GitHub's own schema (cut by `scripts/cut-github-graphql.ts`). */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildSchema, execute, type GraphQLError, type GraphQLSchema, parse, validate } from "graphql";
import { GraphProblem } from "./graphql-connection.ts";
import { mutations } from "./graphql-mutations.ts";
import { queries } from "./graphql-queries.ts";
import type { GraphContext } from "./graphql-writing.ts";

let builtSchema: GraphQLSchema | undefined;

function schema(): GraphQLSchema {
  const file = fileURLToPath(new URL("../../fixtures/github-schema.graphql", import.meta.url));
  builtSchema ??= buildSchema(readFileSync(file, "utf8"));
  return builtSchema;
}

export interface GraphRequest {
  readonly query: string;
  readonly variables?: Record<string, unknown>;
}

export interface GraphAnswer {
  /** The mutations or queries asked for, such as `addDiscussionComment`. */
  readonly operations: readonly string[];
  /** What is wrong with the request itself: GitHub would not execute it. */
  readonly problems: readonly string[];
  readonly body: unknown;
}

function renderError({ message, path, locations, originalError }: GraphQLError) {
  const type = originalError instanceof GraphProblem ? { type: originalError.type } : {};
  return { ...type, ...(path === undefined ? {} : { path }), locations, message };
}

/** Executes a request; its failures are part of the answer, as GitHub's are. */
export async function answerGraphRequest(
  { query, variables }: GraphRequest,
  context: GraphContext,
): Promise<GraphAnswer> {
  const document = parse(query);
  const operations = document.definitions.flatMap((definition) =>
    "selectionSet" in definition && definition.kind === "OperationDefinition"
      ? definition.selectionSet.selections.flatMap((field) => ("name" in field ? [field.name.value] : []))
      : [],
  );
  const invalid = validate(schema(), document);
  if (invalid.length > 0) {
    return { operations, problems: invalid.map(String), body: { errors: invalid.map(renderError) } };
  }
  const result = await execute({
    schema: schema(),
    document,
    rootValue: { ...queries, ...mutations },
    contextValue: context,
    ...(variables === undefined ? {} : { variableValues: variables }),
  });
  const { data, errors } = result;
  return {
    operations,
    problems: [],
    body: { data, ...(errors === undefined ? {} : { errors: errors.map(renderError) }) },
  };
}
