/** GitHub's REST API: finds the operation, checks request and actor, answers, and checks its own answer. */

import {
  type Actor,
  type ApiCall,
  ApiError,
  type ApiResponse,
  type Links,
  linkHeader,
  missingPermissions,
  readPage,
} from "./api-call.ts";
import {
  complete,
  findOperation,
  type OperationMatch,
  requestProblems,
  responseProblems,
  type Schema,
} from "./openapi.ts";
import { routes } from "./routes.ts";
import type { GitHubState } from "./state.ts";

export interface RestRequest {
  readonly method: string;
  /** Below the API's address; whole, for links to further pages. */
  readonly url: URL;
  readonly pathname: string;
  readonly body: unknown;
}

export interface RestContext {
  readonly actor: Actor;
  readonly state: GitHubState;
  readonly links: Links;
}

export interface RestAnswer {
  /** GitHub's identifier of the operation; `undefined` if it has none of this path. */
  readonly operation: string | undefined;
  /** Where request or answer break GitHub's description. */
  readonly problems: readonly string[];
  readonly response: Response;
}

const documentation = "https://docs.github.com/rest";

function errorResponse(
  { status, message, errors }: ApiError,
  headers: Record<string, string> = {},
): Response {
  const body = { message, ...(errors === undefined ? {} : { errors }), documentation_url: documentation };
  return Response.json({ ...body, status: String(status) }, { status, headers });
}

/** The page that was asked for. */
function pageBody(answer: ApiResponse, call: ApiCall): ApiResponse {
  const { list } = answer;
  if (list === undefined) return answer;
  const { page, perPage } = readPage(call.query);
  const items = list.slice((page - 1) * perPage, page * perPage);
  const headers = linkHeader({ url: call.url, total: list.length, page, perPage });
  return { status: answer.status, headers, body: items };
}

function isOtherRepository({ path }: OperationMatch, { owner, name }: GitHubState): boolean {
  const asked = `${path["owner"]}/${path["repo"]}`.toLowerCase();
  return path["owner"] !== undefined && asked !== `${owner}/${name}`.toLowerCase();
}

/** What the operation answers, or the refusal that GitHub would give. */
function carryOut({ operation }: OperationMatch, call: ApiCall): ApiResponse {
  const handler = routes[operation.id];
  if (handler === undefined) throw new Error(`The stand-in describes ${operation.id} but does not do it`);
  return pageBody(handler(call), call);
}

/** Answers one request. */
export function answerRestRequest(request: RestRequest, context: RestContext): RestAnswer {
  const { method, url, pathname, body } = request;
  const match = findOperation(method, pathname);
  if (match === undefined) {
    const problem = `${method} ${pathname}: the stand-in has no such operation`;
    return {
      operation: undefined,
      problems: [problem],
      response: errorResponse(new ApiError(404, "Not Found")),
    };
  }
  const { operation, path } = match;
  const query = url.searchParams;
  const problems = requestProblems(match, { query, body }).map((problem) => `${operation.id}: ${problem}`);
  const call: ApiCall = { ...context, path, query, url, body: (body ?? {}) as ApiCall["body"] };
  const answered = (response: Response) => ({ operation: operation.id, problems, response });
  if (isOtherRepository(match, context.state)) return answered(errorResponse(new ApiError(404, "Not Found")));
  const missing = missingPermissions(operation, call);
  if (missing !== undefined) {
    const refusal = new ApiError(403, "Resource not accessible by integration");
    return answered(errorResponse(refusal, { "x-accepted-github-permissions": missing }));
  }
  if (problems.length > 0) return answered(errorResponse(new ApiError(422, problems.join("; "))));
  try {
    const { status, headers = {}, body: partial } = carryOut(match, call);
    const schema: Schema = operation.responses.get(status) ?? {};
    const full = partial === undefined ? undefined : complete(schema, partial);
    problems.push(
      ...responseProblems(operation, { status, body: full }).map(
        (problem) => `answer of ${operation.id}: ${problem}`,
      ),
    );
    return answered(
      full === undefined ? new Response(undefined, { status }) : Response.json(full, { status, headers }),
    );
  } catch (error) {
    if (error instanceof ApiError) return answered(errorResponse(error));
    throw error;
  }
}
