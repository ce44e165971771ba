/**
 * Storage for the transfer benchmark, in a process of its own: serves one file with ranges, from the page cache. It is also the
 * platform of a job that has ended, whose bundle the file is.
 *
 * Arguments: path of the file, bytes per second of each connection (0: no limit). Prints its port.
 */
import { type FileHandle, open } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const [path = "", limit = "0"] = process.argv.slice(2);
const bytesPerSecond = Number(limit);
const file = await open(path);
const { size } = await file.stat();

interface Stretch {
  readonly start: number;
  readonly end: number;
}

async function send(response: ServerResponse, source: FileHandle, { start, end }: Stretch): Promise<void> {
  const stepBytes = bytesPerSecond > 0 ? Math.max(4096, Math.round(bytesPerSecond / 100)) : 1024 * 1024;
  // Two buffers: one is on its way while the other is read into.
  const buffers = [Buffer.allocUnsafe(stepBytes), Buffer.allocUnsafe(stepBytes)] as const;
  const startedAt = performance.now();
  let turn = 0;
  let written = Promise.resolve();
  for (let position = start; position < end && !response.destroyed; ) {
    const buffer = turn++ % 2 === 0 ? buffers[0] : buffers[1];
    const { bytesRead } = await source.read(buffer, 0, Math.min(stepBytes, end - position), position);
    position += bytesRead;
    await written;
    written = write(response, buffer.subarray(0, bytesRead));
    if (bytesPerSecond > 0) await waitUntil(startedAt + ((position - start) / bytesPerSecond) * 1000);
  }
  await written;
  response.end();
}

function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    // A connection that is gone ends the loop by `destroyed`.
    response.write(bytes, () => resolve());
  });
}

async function waitUntil(time: number): Promise<void> {
  const delayMs = time - performance.now();
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
}

const server = createServer((request, response) => {
  if (request.url?.startsWith("/v1/")) {
    const bundleUrl = `http://${request.headers.host}/bundle.tar.gz`;
    const job = { jobId: "se_1", status: "completed", progress: 100 };
    const link = { jobId: "se_1", bundleUrl, sizeBytes: size, expiresAt: new Date(Date.now() + 3_600_000) };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(request.method === "POST" ? link : job));
    return;
  }
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "");
  const start = Number(range?.[1] ?? 0);
  const end = range?.[2] ? Math.min(size, Number(range[2]) + 1) : size;
  response.writeHead(range ? 206 : 200, {
    "content-length": end - start,
    "accept-ranges": "bytes",
    etag: '"bench"',
    ...(range ? { "content-range": `bytes ${start}-${end - 1}/${size}` } : {}),
  });
  response.on("error", () => response.destroy());
  send(response, file, { start, end }).catch(() => response.destroy());
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
