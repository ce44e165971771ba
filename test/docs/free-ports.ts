/** Loaded before a program of a page: a server that asks for a port gets a free one, so that tests can run beside other servers. */
import { Server } from "node:net";

const { listen } = Server.prototype;

Server.prototype.listen = function (this: Server, first: unknown, ...rest: unknown[]) {
  return Reflect.apply(listen, this, [typeof first === "number" ? 0 : first, ...rest]);
} as typeof listen;
