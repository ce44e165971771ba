/**
 * One upload in a process of its own: `upload-client.ts WAY PATH NAME [LINK]`. `copy` puts the file's blocks to LINK with
 * nothing around it; `archive`, `zip`, `site` and `pages` are ours; `library` and `library-site` are the artifact library as it
 * is. Each way loads only what it needs. The last line of the output is the time in milliseconds.
 */
import { link, open, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemClock } from "../../src/base/runtime.ts";
import type { UploadArtifactOptions } from "../../src/github/artifact.ts";

/** As the library does it, so that only what is around the blocks differs. */
const blockBytes = 8 * 1024 * 1024;
const connections = 5;

const ignore = () => undefined;
const log = { debug: ignore, info: ignore, notice: ignore, warning: ignore };

async function put(url: string, body: Buffer | string): Promise<void> {
  const { default: undici } = await import("undici");
  const { statusCode, body: answer } = await undici.request(url, { method: "PUT", body });
  if (statusCode !== 201) throw new Error(`${statusCode}: ${await answer.text()}`);
  await answer.dump();
}

async function copy(file: string, url: string): Promise<void> {
  await using source = await open(file);
  const { size } = await source.stat();
  const count = Math.ceil(size / blockBytes);
  const ids = Array.from({ length: count }, (_, index) =>
    Buffer.from(String(index).padStart(8, "0")).toString("base64"),
  );
  let next = 0;
  const work = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      const block = Buffer.alloc(Math.min(blockBytes, size - index * blockBytes));
      await source.read(block, 0, block.length, index * blockBytes);
      await put(`${url}&comp=block&blockid=${encodeURIComponent(ids[index] ?? "")}`, block);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  const list = ids.map((id) => `<Latest>${id}</Latest>`).join("");
  await put(`${url}&comp=blocklist`, `<?xml version="1.0" encoding="utf-8"?><BlockList>${list}</BlockList>`);
}

async function upload(way: string, { file, name, url }: { file: string; name: string; url: string }) {
  if (way === "copy") return copy(file, url);
  if (way === "library") {
    const { DefaultArtifactClient } = await import("@actions/artifact");
    // The library names an artifact like its file, and a run accepts each name once.
    const named = join(dirname(file), `${name}.tar.gz`);
    await rm(named, { force: true });
    await link(file, named);
    return new DefaultArtifactClient().uploadArtifact(name, [named], dirname(file), { skipArchive: true });
  }
  if (way === "library-site") {
    const { DefaultArtifactClient } = await import("@actions/artifact");
    const entries = await readdir(file, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    return new DefaultArtifactClient().uploadArtifact(name, files, file);
  }
  const { uploadArtifact } = await import("../../src/github/artifact.ts");
  return uploadArtifact(
    { kind: way as UploadArtifactOptions["kind"], path: file, name },
    {
      environment: process.env,
      log,
      maskIssued: ignore,
      clock: systemClock,
      random: Math.random,
      signal: new AbortController().signal,
    },
  );
}

const [way = "", file = "", name = "", url = ""] = process.argv.slice(2);
const startedAt = performance.now();
await upload(way, { file, name, url });
console.log(`\n${performance.now() - startedAt}`);
process.exit();
