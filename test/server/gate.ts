import { startHttpServer } from "../support/http-server.ts";

/** Blocks the requests of other processes until it is opened, and records them. */
export interface Gate extends AsyncDisposable {
  readonly url: string;
  /** Resolves when a process requested this path. */
  arrival(path: string): Promise<void>;
  /** The queries of the requests for this path so far. */
  arrivals(path: string): readonly string[];
  /** Responds to all waiting and future requests. */
  open(): void;
}

export async function startGate(): Promise<Gate> {
  const arrivals = new Map<string, PromiseWithResolvers<void>>();
  const arrivalOf = (path: string) => {
    const arrival = arrivals.get(path) ?? Promise.withResolvers<void>();
    arrivals.set(path, arrival);
    return arrival;
  };
  const opened = Promise.withResolvers<void>();
  const server = await startHttpServer(async (request) => {
    arrivalOf(new URL(request.url).pathname).resolve();
    await opened.promise;
    return new Response("open");
  });
  return {
    url: server.url,
    arrivals: (path) =>
      server.requests
        .map((request) => new URL(request.path, server.url))
        .filter((url) => url.pathname === path)
        .map((url) => url.search),
    arrival: (path) => arrivalOf(path).promise,
    open: opened.resolve,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
