import type { IncomingMessage, Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { createFaultPlan, type Fault, type FaultPlan, type FaultRule } from "./faults.ts";
import { listen } from "./listen.ts";

/** One request as it reached a test server. */
export interface RecordedRequest {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  /** The status sent; `undefined` while it is open or when the connection was cut instead. */
  status?: number;
  /** Whether the server carried the request out, whatever the response was. */
  handled: boolean;
  /** What a server that knows its requests says of this one. */
  operation?: string | undefined;
  actor?: string;
  body?: unknown;
}

/** A server on a free port of the loopback interface. */
export interface TestServer extends AsyncDisposable {
  /** Its origin, without a slash at the end. */
  readonly url: string;
  readonly faults: FaultPlan;
  readonly requests: readonly RecordedRequest[];
}

type Handle = (request: Request, entry: RecordedRequest) => Response | Promise<Response>;

const CUT = Symbol("the connection was cut");

/** Whether the server carries the request out before the fault. */
function isHarmedAfter(fault: Fault | undefined): boolean {
  return fault === undefined || fault.when === "after";
}

async function answer(
  request: Request,
  { rule, handle, entry }: { rule: FaultRule | undefined; handle: Handle; entry: RecordedRequest },
) {
  const carryOut = async () => {
    const response = await handle(request, entry);
    entry.handled = true;
    return response;
  };
  const fault = rule?.fault;
  const response = isHarmedAfter(fault) ? await carryOut() : undefined;
  rule?.onMeet?.();
  if (fault?.kind === "reset") return CUT;
  if (fault?.kind === "answer") {
    return new Response(fault.body ?? "", { status: fault.status, headers: fault.headers ?? {} });
  }
  if (fault?.kind === "hold") await fault.until;
  return response ?? carryOut();
}

/** Serves a function from `Request` to `Response`, with faults in front of it; stops when it goes out of scope. */
export async function startHttpServer(handle: Handle): Promise<TestServer> {
  const faults = createFaultPlan();
  const requests: RecordedRequest[] = [];

  const fetch = async (request: Request, { incoming }: { incoming: IncomingMessage }) => {
    const { pathname, search } = new URL(request.url);
    const entry: RecordedRequest = { method: request.method, path: pathname + search, handled: false };
    requests.push(entry);
    const response = await answer(request, { rule: faults.take(entry), handle, entry });
    if (response === CUT) {
      incoming.socket.resetAndDestroy();
      return new Response(undefined, { status: 444 });
    }
    entry.status = response.status;
    return response;
  };

  // Without `overrideGlobalObjects: false` the adaptor would replace `Request` for the whole test process.
  const server = createAdaptorServer({ fetch: fetch as never, overrideGlobalObjects: false }) as Server;
  const { url, [Symbol.asyncDispose]: close } = await listen(server);
  return { url, faults, requests, [Symbol.asyncDispose]: close };
}
