import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { AddressInfo, Server, Socket } from "node:net";

/** A server on a free port of the loopback interface. */
export interface ListeningServer extends AsyncDisposable {
  readonly port: number;
  /** Its origin by plain HTTP, without a slash at the end. */
  readonly url: string;
  /** How many connections it has accepted. */
  connections(): number;
}

/** Lets a server listen until it goes out of scope, which ends its connections, too. */
export async function listen(server: Server): Promise<ListeningServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket.once("close", () => sockets.delete(socket)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url), "utf8");

/** Key and certificate of a server that no client trusts. */
export const readSelfSigned = () => ({ key: fixture("key"), cert: fixture("certificate") });
