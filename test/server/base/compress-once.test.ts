import { gunzipSync } from "node:zlib";
import { Hono } from "hono";
import { etag } from "hono/etag";
import { expect, test } from "vitest";
import { compressOnce } from "../../../src/server/base/compress-once.ts";

/** Texts that compress only partly. */
const textOf = (name: string) =>
  Array.from({ length: 1500 }, (_, at) =>
    ((at + name.length) * 7_919_317 * name.charCodeAt(0)).toString(36),
  ).join(" ");

function createApp(maxBytes: number) {
  const app = new Hono();
  app.use(compressOnce(maxBytes));
  app.use(etag());
  app.get("/:name", (context) => context.text(textOf(context.req.param("name"))));
  const get = (path: string) => app.request(path, { headers: { "accept-encoding": "gzip" } });
  return { app, get };
}

test.each([1 << 20, 12_000])(
  "gives the whole text, however much of it is kept: %i bytes",
  async (maxBytes) => {
    const { get } = createApp(maxBytes);
    for (const name of ["a", "b", "c", "a", "c", "b"]) {
      const response = await get(`/${name}`);
      expect(response.headers.get("content-encoding")).toBe("gzip");
      expect(gunzipSync(await response.arrayBuffer()).toString()).toBe(textOf(name));
    }
  },
);

test("does not compress short, long and partial responses, and responses to HEAD", async () => {
  const app = new Hono();
  app.use(compressOnce(20_000));
  app.get("/part", (context) => context.text("x".repeat(5000), 206));
  app.get("/picture", (context) => context.body("x".repeat(5000), 200, { "content-type": "image/png" }));
  app.get("/:length", (context) => {
    const length = context.req.param("length");
    return context.text("x".repeat(Number(length)), 200, { "content-length": length });
  });
  const encodingOf = async (path: string, method = "GET") => {
    const response = await app.request(path, { method, headers: { "accept-encoding": "br" } });
    return response.headers.get("content-encoding");
  };
  expect(await encodingOf("/5000")).toBe("br");
  for (const path of ["/500", "/50000", "/part", "/picture"]) expect(await encodingOf(path)).toBeNull();
  expect(await encodingOf("/5000", "HEAD")).toBeNull();
});

test("compresses a text once for each ETag", async () => {
  const app = new Hono();
  let made = 0;
  app.use(compressOnce(20_000));
  app.get("/:tag", (context) => {
    made += 1;
    return context.text(`${made}`.repeat(5000), 200, { etag: `"${context.req.param("tag")}"` });
  });
  const firstOf = async (path: string) => {
    const response = await app.request(path, { headers: { "accept-encoding": "gzip" } });
    return gunzipSync(await response.arrayBuffer()).toString()[0];
  };
  expect([await firstOf("/a"), await firstOf("/a"), await firstOf("/b"), await firstOf("/a")]).toEqual([
    "1",
    "1",
    "3",
    "1",
  ]);
});
