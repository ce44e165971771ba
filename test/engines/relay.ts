/** A connection between a process and its engine that the tests can disturb as a network does. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface Relay extends AsyncDisposable {
  /** The same address, by way of the relay. */
  readonly url: string;
  /** Breaks the connection of the next request that contains a text, once it has been answered: the answer is lost. */
  loseAnswerTo(text: string): void;
  /** Resolves when a request that contains a text has come. Connections with such requests carry nothing on until `heal`. */
  holdRequests(text: string): Promise<void>;
  /** Resolves when the answer to such a request has come, and holds it in the same way. */
  holdAnswers(text: string): Promise<void>;
  /** Carries nothing on, and says so to neither side, until it is healed. */
  partition(): void;
  heal(): void;
}

/** Starts a relay to what listens at a URL on this machine. */
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
      // What one side does to its connection happens to the other's.
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href.replace(/\/$/, ""),
    loseAnswerTo: (wanted) => {
      text = wanted;
    },
    holdRequests: (wanted) => hold("request", wanted),
    holdAnswers: (wanted) => hold("answer", wanted),
    partition: () => {
      isPartitioned = true;
      for (const socket of sockets) socket.pause();
    },
    heal: () => {
      isPartitioned = false;
      held = undefined;
      for (const socket of sockets) socket.resume();
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
