import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Context, MiddlewareHandler } from "hono";
import { accepts } from "hono/accepts";
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from "hono/compress";
import { BoundedMap } from "../../base/bounded-map.ts";

/** Shorter responses are not compressed. */
const minBytes = 1024;
const [toBrotli, toGzip] = [promisify(brotliCompress), promisify(gzip)];
/** As fast as gzip with smaller output; higher qualities are many times slower. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const encoders: Readonly<Record<string, (body: ArrayBuffer) => Promise<Uint8Array<ArrayBuffer>>>> = {
  br: (body) => toBrotli(body, brotliOptions),
  gzip: (body) => toGzip(body),
};

function isCompressible({ req, res }: Context, maxBytes: number): boolean {
  const length = Number(res.headers.get("content-length") ?? minBytes);
  const isWhole = req.method === "GET" && res.status !== 206 && res.body !== null;
  const isText = COMPRESSIBLE_CONTENT_TYPE_REGEX.test(res.headers.get("content-type") ?? "");
  return isWhole && isText && length >= minBytes && length <= maxBytes;
}

function chooseEncoding(context: Context): string {
  return accepts(context, {
    header: "Accept-Encoding",
    supports: Object.keys(encoders),
    default: "identity",
    // Browsers accept several encodings with equal weight, so the order of `supports` decides.
    match: (accepted, { supports }) =>
      supports.find((name) => accepted.some(({ type, q }) => type === name && q > 0)) ?? "identity",
  });
}

/**
 * Compresses text responses and caches the result under the response's `ETag`, which must be derived from the content. The cache
 * drops the least recently used entries beyond `maxBytes`. Longer responses are not compressed.
 */
export function compressOnce(maxBytes: number): MiddlewareHandler {
  const cache = new BoundedMap<Uint8Array<ArrayBuffer>>(maxBytes);
  return async (context, next) => {
    await next();
    if (!isCompressible(context, maxBytes)) return;
    context.header("vary", "Accept-Encoding", { append: true });
    const encoding = chooseEncoding(context);
    const encode = encoders[encoding];
    if (encode === undefined) return;
    const response = context.res;
    const etag = response.headers.get("etag");
    const key = `${encoding} ${etag}`;
    const cached = cache.get(key);
    if (cached !== undefined) await response.body?.cancel();
    const body = cached ?? (await encode(await response.arrayBuffer()));
    context.res = new Response(body, response);
    context.res.headers.delete("content-length");
    context.res.headers.set("content-encoding", encoding);
    if (etag === null) return;
    cache.set(key, body, body.byteLength);
    context.res.headers.set("etag", `W/${etag}`);
  };
}
