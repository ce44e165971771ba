import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { ActionError } from "../../base/errors.ts";

/** A server that listens, until it is disposed of. */
export interface ListeningServer extends AsyncDisposable {
  /** Its address, without a slash at the end. */
  readonly url: string;
}

/**
 * Serves an app, which is a function from `Request` to `Response`.
 *
 * @throws {ActionError} when the port cannot be had.
 */
export async function listen(
  app: (request: Request, environment: object) => Response | Promise<Response>,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<ListeningServer> {
  // The process is also a client: its own Request and Response stay as they are.
  const server = createAdaptorServer({ fetch: app, overrideGlobalObjects: false }) as Server;
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw new ActionError("invalid-input", `Cannot listen on ${host}:${port}.`, {
      hint: "Choose another port, or stop what is using this one.",
      cause: error,
    });
  }
  const { port: actualPort } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${actualPort}`,
    [Symbol.asyncDispose]: () => close(server),
  };
}

async function close(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}
