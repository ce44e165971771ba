/** A scripted platform: answers the static-export endpoints as a test scripts them, over real HTTP. */
import { startHttpServer, type TestServer } from "./http-server.ts";
import { type Storage, type StorageOptions, startStorage } from "./storage.ts";

interface ExportPlatformOptions {
  /** Responses to the polls of the job, in order; the last one repeats. */
  readonly polls?: readonly unknown[];
  /** Answer to the start request. */
  readonly started?: unknown;
  /** The storage behind the bundle's link. */
  readonly storage: StorageOptions;
}

export interface ExportPlatform extends TestServer {
  readonly storage: Storage;
  /** Bodies of the start requests. */
  readonly starts: readonly unknown[];
  /** Links handed out. */
  readonly links: readonly string[];
  /** The authorization header of every request. */
  readonly authorizations: readonly (string | null)[];
}

export const completedJob = { jobId: "se_1", status: "completed", progress: 100, pageCount: 12 };

export async function startExportPlatform(options: ExportPlatformOptions): Promise<ExportPlatform> {
  const polls = options.polls ?? [
    { jobId: "se_1", status: "queued", progress: 0, pageCount: 0 },
    { jobId: "se_1", status: "running", progress: 50, pageCount: 6 },
    completedJob,
  ];
  await using stack = new AsyncDisposableStack();
  const storage = stack.use(await startStorage(options.storage));
  const starts: unknown[] = [];
  const links: string[] = [];
  const authorizations: (string | null)[] = [];
  let polled = 0;

  const handle = async (request: Request): Promise<Response> => {
    authorizations.push(request.headers.get("authorization"));
    const { pathname } = new URL(request.url);
    if (request.method === "POST" && pathname === "/v1/static-export/jobs") {
      starts.push(await request.json());
      return Response.json(options.started ?? { jobId: "se_1", status: "queued" }, { status: 202 });
    }
    if (request.method === "GET" && pathname === "/v1/static-export/jobs/se_1") {
      polled += 1;
      return Response.json(polls[Math.min(polled, polls.length) - 1]);
    }
    if (request.method === "POST" && pathname === "/v1/static-export/jobs/se_1/bundle") {
      const { url, expiresAt, sizeBytes } = await storage.getLink();
      links.push(url);
      return Response.json({ jobId: "se_1", bundleUrl: url, expiresAt, sizeBytes });
    }
    return Response.json({ error: "Job not found" }, { status: 404 });
  };
  const server = stack.use(await startHttpServer(handle));
  const owned = stack.move();
  return {
    ...server,
    storage,
    starts,
    links,
    authorizations,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
