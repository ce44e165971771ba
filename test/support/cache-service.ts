/**
 * The cache service of a repository, as runners reach it (Twirp, `github.actions.results.api.v1.CacheService`): a key is
 * taken once, only finalised entries are found, and of those with the prefix that is asked for the newest.
 */
import * as z from "zod/mini";
import { startHttpServer, type TestServer } from "./http-server.ts";

export interface CacheService extends TestServer {
  /** What the runner gives to actions so that they find the service. */
  readonly environment: Readonly<Record<string, string>>;
  /** Keys of the finalised entries, oldest first. */
  readonly keys: string[];
}

const key = z.string().check(z.minLength(1), z.maxLength(512), z.regex(/^[^,]*$/));
const version = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const requests = {
  CreateCacheEntry: z.strictObject({ key, version }),
  FinalizeCacheEntryUpload: z.strictObject({
    key,
    version,
    size_bytes: z.string().check(z.regex(/^[1-9]\d*$/)),
  }),
  GetCacheEntryDownloadURL: z.strictObject({
    key,
    version,
    restore_keys: z.array(key).check(z.maxLength(9)),
  }),
};

export async function startCacheService(): Promise<CacheService> {
  const sizes = new Map<string, number>();
  const keys: string[] = [];
  const methods = {
    CreateCacheEntry({ key }: z.infer<typeof requests.CreateCacheEntry>) {
      if (sizes.has(key)) return { ok: false };
      sizes.set(key, 0);
      return { ok: true, signed_upload_url: `${server.url}/blob?key=${encodeURIComponent(key)}` };
    },
    FinalizeCacheEntryUpload({ key, size_bytes }: z.infer<typeof requests.FinalizeCacheEntryUpload>) {
      const ok = sizes.get(key) === Number(size_bytes);
      if (ok && !keys.includes(key)) keys.push(key);
      return { ok, entry_id: "1" };
    },
    GetCacheEntryDownloadURL({ key, restore_keys }: z.infer<typeof requests.GetCacheEntryDownloadURL>) {
      const found = keys.findLast((each) => [key, ...restore_keys].some((start) => each.startsWith(start)));
      return found === undefined
        ? { ok: false }
        : { ok: true, signed_download_url: `${server.url}/blob`, matched_key: found };
    },
  };
  const server = await startHttpServer(async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (request.method === "PUT" && request.headers.get("x-ms-blob-type") === "BlockBlob") {
      sizes.set(searchParams.get("key") ?? "", (await request.arrayBuffer()).byteLength);
      return new Response(undefined, { status: 201 });
    }
    const name = pathname.replace("/twirp/github.actions.results.api.v1.CacheService/", "");
    const method = z
      .enum(["CreateCacheEntry", "FinalizeCacheEntryUpload", "GetCacheEntryDownloadURL"])
      .parse(name);
    if (request.headers.get("authorization") !== "Bearer runtime-token")
      return new Response("", { status: 401 });
    const body = requests[method].parse(await request.json());
    return Response.json((methods[method] as (body: unknown) => unknown)(body));
  });
  return {
    ...server,
    keys,
    environment: {
      ACTIONS_CACHE_SERVICE_V2: "True",
      ACTIONS_RESULTS_URL: `${server.url}/`,
      ACTIONS_RUNTIME_TOKEN: "runtime-token",
    },
  };
}
