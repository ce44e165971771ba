import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Context, MiddlewareHandler } from "hono";
import { accepts } from "hono/accepts";
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from "hono/compress";
import { BoundedMap } from "../../base/bounded-map.ts";

/** Fewer bytes are sent as they are. */
const fewestBytes = 1024;
const [toBrotli, toGzip] = [promisify(brotliCompress), promisify(gzip)];
/** As fast as gzip, and smaller; higher qualities take many times as long. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const encoders: Readonly<Record<string, (body: ArrayBuffer) => Promise<Uint8Array<ArrayBuffer>>>> = {
  br: (body) => toBrotli(body, brotliOptions),
  gzip: (body) => toGzip(body),
};

function isCompressible({ req, res }: Context, maxBytes: number): boolean {
  const length = Number(res.headers.get("content-length") ?? fewestBytes);
  const isWhole = req.method === "GET" && res.status !== 206 && res.body !== null;
  const isText = COMPRESSIBLE_CONTENT_TYPE_REGEX.test(res.headers.get("content-type") ?? "");
  return isWhole && isText && length >= fewestBytes && length <= maxBytes;
}

function chooseEncoding(context: Context): string {
  return accepts(context, {
    header: "Accept-Encoding",
    supports: Object.keys(encoders),
    default: "identity",
    // The order of ours counts: browsers name all they can read, and prefer none.
    match: (accepted, { supports }) =>
      supports.find((name) => accepted.some(({ type, q }) => type === name && q > 0)) ?? "identity",
  });
}

/**
 * Compresses text for clients that can read it. What was compressed is kept by its `ETag`, which must come from the content: so
 * the same text is compressed once, and changed text is never answered with what it was. What was asked for
 * last is kept, `maxBytes` at most; longer texts are sent as they are.
 */
export function compressOnce(maxBytes: number): MiddlewareHandler {
  const kept = new BoundedMap<Uint8Array<ArrayBuffer>>(maxBytes);
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
    const known = kept.get(key);
    if (known !== undefined) await response.body?.cancel();
    const body = known ?? (await encode(await response.arrayBuffer()));
    context.res = new Response(body, response);
    context.res.headers.delete("content-length");
    context.res.headers.set("content-encoding", encoding);
    if (etag === null) return;
    kept.set(key, body, body.byteLength);
    context.res.headers.set("etag", `W/${etag}`);
  };
}
