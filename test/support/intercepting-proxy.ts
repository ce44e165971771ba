/**
 * A proxy that opens TLS, as those of companies do: it shows each host's certificate signed by its own authority, and notes
 * every request. It needs Node and openssl only, so that a job without packages can start it.
 *
 *   node test/support/intercepting-proxy.ts PORT FOLDER [HOST=URL …]
 *
 * The folder gets `ca.pem` when the proxy listens, and a line in `requests.log` for each answer: method, address without query, status.
 * A host that is given a URL is asked there.
 */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createSecureContext, type SecureContext } from "node:tls";

interface ProxyOptions {
  /** With 0, a free port is taken. */
  readonly port: number;
  readonly folder: string;
  /** Where other hosts' requests go instead; for tests. */
  readonly targets?: ReadonlyMap<string, string>;
}

/** Starts the proxy on the loopback interface; it stops when it goes out of scope. */
export async function startInterceptingProxy({ port, folder, targets }: ProxyOptions) {
  mkdirSync(folder, { recursive: true });
  const authority = createAuthority(folder);
  const log = join(folder, "requests.log");
  writeFileSync(log, "");

  const opened = https.createServer({ SNICallback: (host, done) => done(null, authority.contextOf(host)) });
  opened.on("request", (request, response) => {
    const host = request.headers.host ?? "";
    const url = new URL(`https://${host}${request.url}`);
    forward(request, response, targets?.get(url.hostname) ?? url.origin)
      .catch(() => response.destroy())
      .finally(() => {
        const status = response.headersSent ? response.statusCode : "no answer";
        appendFileSync(log, `${request.method} ${url.origin}${url.pathname} ${status}\n`);
      });
  });
  const proxy = http.createServer((_request, response) => {
    response.writeHead(501).end("This proxy opens tunnels only.\n");
  });
  const sockets = new Set<Socket>();
  proxy.on("connect", (_request, socket: Socket) => {
    sockets.add(socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket)));
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    opened.emit("connection", socket);
  });
  proxy.listen(port, "127.0.0.1");
  await once(proxy, "listening");
  authority.publish();
  return {
    port: (proxy.address() as AddressInfo).port,
    certificate: join(folder, "ca.pem"),
    /** One line for each request that was answered. */
    requests: () => readFileSync(log, "utf8").split("\n").slice(0, -1),
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}

/** Sends a request on, and its answer back; with a check of the real server's certificate. */
async function forward(request: IncomingMessage, response: ServerResponse, target: string): Promise<void> {
  const { request: open } = target.startsWith("https:") ? https : http;
  const { method, headers, url = "/" } = request;
  const outgoing = open(new URL(url, target), { method, headers, setHost: false });
  const sending = pipeline(request, outgoing);
  const [answer] = (await Promise.race([
    once(outgoing, "response"),
    sending.then(() => once(outgoing, "response")),
  ])) as [IncomingMessage];
  response.writeHead(answer.statusCode ?? 502, answer.headers);
  await Promise.all([pipeline(answer, response), sending]);
}

/** An authority that lives as long as the proxy; one key serves all hosts. */
function createAuthority(folder: string) {
  const path = (name: string) => join(folder, name);
  const openssl = (...args: readonly string[]) => execFileSync("openssl", args, { stdio: "pipe" });
  const contexts = new Map<string, SecureContext>();
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  rmSync(path("ca.pem"), { force: true });
  openssl(
    ...["req", "-x509", ...key, "-days", "2", "-subj", "/CN=Intercepting proxy of the tests"],
    ...["-addext", "keyUsage=critical,keyCertSign", "-keyout", path("ca.key"), "-out", path("ca.part")],
  );
  openssl("req", ...key, "-subj", "/CN=proxy", "-keyout", path("host.key"), "-out", path("host.csr"));

  const sign = (host: string): SecureContext => {
    if (!/^[\w.-]+$/.test(host)) throw new Error(`${host} is not the name of a host.`);
    writeFileSync(path("host.ext"), `subjectAltName=DNS:${host}\n`);
    const certificate = openssl(
      ...["x509", "-req", "-in", path("host.csr"), "-CA", path("ca.part"), "-CAkey", path("ca.key")],
      ...["-set_serial", String(Date.now()) + contexts.size, "-days", "2", "-extfile", path("host.ext")],
    );
    return createSecureContext({ key: readFileSync(path("host.key")), cert: certificate });
  };
  return {
    contextOf(host: string): SecureContext {
      const context = contexts.get(host) ?? sign(host);
      contexts.set(host, context);
      return context;
    },
    /** Others may read the certificate; it is the sign that the proxy listens. */
    publish(): void {
      writeFileSync(path("ca.part.copy"), readFileSync(path("ca.part")), { mode: 0o644 });
      renameSync(path("ca.part.copy"), path("ca.pem"));
    },
  };
}

if (import.meta.main) {
  const [port, folder, ...pairs] = process.argv.slice(2);
  if (!port || !folder) throw new Error("Usage: node intercepting-proxy.ts PORT FOLDER [HOST=URL …]");
  const targets = new Map(pairs.map((pair) => pair.split(/=(.*)/s, 2) as [string, string]));
  await startInterceptingProxy({ port: Number(port), folder, targets });
}
