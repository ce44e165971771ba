import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { z } from "zod";
import { messageOf } from "../../base/text.ts";
import { ApiError } from "./api-error.ts";

const jsonMediaType = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** Refuses bodies that are longer, declared or not, with 413. */
export function limitBody(maxBytes: number): MiddlewareHandler {
  return bodyLimit({
    maxSize: maxBytes,
    onError: () => {
      throw new ApiError(413, `The body is longer than ${maxBytes} bytes.`, { connection: "close" });
    },
  });
}

/**
 * A request's JSON body in the shape of the schema.
 *
 * @throws {ApiError} 415 for another media type; 400 for what is not JSON, naming each field that is not as it should be.
 */
export async function readJson<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<z.infer<Schema>> {
  if (!jsonMediaType.test(request.headers.get("content-type") ?? "")) {
    throw new ApiError(415, "The body must be JSON, sent with content-type application/json.");
  }
  const parsed = schema.safeParse(parseJson(await request.arrayBuffer()));
  if (!parsed.success) throw new ApiError(400, parsed.error.issues.map(describeIssue).join("; "));
  return parsed.data;
}

function parseJson(body: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (error) {
    throw new ApiError(400, `The body is not JSON: ${messageOf(error)}`);
  }
}

function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return `unknown field ${issue.keys.join(", ")}`;
  const field = issue.path.map(String).join(".");
  return `${field === "" ? "body" : field}: ${issue.message}`;
}
