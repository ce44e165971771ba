/** A TCP relay between a process and an engine that simulates network failures. */
import { connect, createServer, type Socket } from "node:net";
import { listen } from "../support/listen.ts";

export interface Relay extends AsyncDisposable {
  /** The URL of the engine through the relay. */
  readonly url: string;
  /** Breaks the connection of the next request that contains a text after its response, which is lost. */
  loseAnswerTo(text: string): void;
  /** Resolves when a request that contains a text arrives. Connections with such requests are blocked until `heal`. */
  holdRequests(text: string): Promise<void>;
  /** Resolves when the response to such a request arrives, and blocks it in the same way. */
  holdAnswers(text: string): Promise<void>;
  /** Blocks the connections that are open now, silently until `heal`; new ones work, as after a failover. */
  hang(): void;
  /** Drops all traffic silently until `heal`. */
  partition(): void;
  heal(): void;
}

/** Starts a relay to a server on this machine. */
export async function startRelay(target: string): Promise<Relay> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let text: string | undefined;
  let held:
    | { readonly text: string; readonly what: "request" | "answer"; readonly arrived: () => void }
    | undefined;
  let isPartitioned = false;
  const hold = (what: "request" | "answer", wanted: string) =>
    new Promise<void>((arrived) => {
      held = { text: wanted, what, arrived };
    });
  const stopAt = (bytes: Buffer, socket: Socket) => {
    held?.arrived();
    socket.pause();
    socket.unshift(bytes);
  };
  const hang = () => {
    for (const socket of sockets) socket.pause();
  };
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let isAnswerLost = false;
    let isAnswerWanted = false;
    client.on("data", (bytes: Buffer) => {
      if (held !== undefined && bytes.includes(held.text)) {
        if (held.what === "request") return stopAt(bytes, client);
        isAnswerWanted = true;
      }
      if (text !== undefined && bytes.includes(text)) {
        text = undefined;
        isAnswerLost = true;
      }
      upstream.write(bytes);
    });
    upstream.on("data", (bytes: Buffer) => {
      if (held !== undefined && isAnswerWanted) return stopAt(bytes, upstream);
      if (isAnswerLost) client.destroy();
      else client.write(bytes);
    });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      if (isPartitioned) from.pause();
      // Forward the end or failure of one side to the other.
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const listening = await listen(server);
  const url = new URL(target);
  url.port = String(listening.port);
  return {
    url: url.href.replace(/\/$/, ""),
    loseAnswerTo: (wanted) => {
      text = wanted;
    },
    holdRequests: (wanted) => hold("request", wanted),
    holdAnswers: (wanted) => hold("answer", wanted),
    hang,
    partition: () => {
      isPartitioned = true;
      hang();
    },
    heal: () => {
      isPartitioned = false;
      held = undefined;
      for (const socket of sockets) socket.resume();
    },
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
}
