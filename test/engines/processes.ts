/** The platform as several processes with a shared database and bucket. */
import { join } from "node:path";
import { type PlatformProcess, startPlatformProcess } from "../server/platform-process.ts";
import { type TestPlatform, welcomeAndGuide } from "../server/test-platform.ts";
import { createTemporaryFolder, writeFiles } from "../support/temporary-folder.ts";
import { type Gateway, sharedGateway } from "./gateway.ts";
import { type Postgres, startPostgres } from "./postgres.ts";

const adminKey = "svc_cluster-admin-0123456789";
const assistantKey = "svc_dsc_cluster-assistant-0123456789";

export interface Cluster extends AsyncDisposable {
  readonly postgres: Postgres;
  readonly gateway: Gateway;
  readonly bucket: string;
  readonly databaseUrl: string;
  readonly assistantKey: string;
  readonly docsDir: string;
  /** Starts a process, optionally with its own relays to the engines. */
  start(role: "web" | "worker", settings?: ProcessSettings): Promise<ClusterProcess>;
}

export interface ProcessSettings {
  readonly databaseUrl?: string;
  readonly endpoint?: string;
  readonly docs?: string;
  /** Further ones. */
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** A process of the platform; `send` uses the admin key. */
export type ClusterProcess = PlatformProcess & Pick<TestPlatform, "send" | "dataDir">;

/** Starts the engines and creates the shared state. All processes end with the cluster. */
export async function startCluster(): Promise<Cluster> {
  await using stack = new AsyncDisposableStack();
  const gateway = await sharedGateway();
  const postgres = stack.use(await startPostgres());
  const { path: folder } = stack.use(await createTemporaryFolder("cluster-"));
  const docsDir = join(folder, "docs");
  await writeFiles(docsDir, welcomeAndGuide);
  const [databaseUrl, bucket] = [await postgres.createDatabase(), await gateway.createBucket()];
  const environment = {
    AWS_ACCESS_KEY_ID: gateway.accessKeyId,
    AWS_SECRET_ACCESS_KEY: gateway.secretAccessKey,
    AWS_REGION: gateway.region,
    DOCS_PLATFORM_ADMIN_KEY: adminKey,
    DOCS_PLATFORM_ASSISTANT_KEY: assistantKey,
  };
  let processes = 0;
  const owned = stack.move();
  return {
    postgres,
    gateway,
    bucket,
    databaseUrl,
    assistantKey,
    docsDir,
    async start(role, settings = {}) {
      processes += 1;
      const dataDir = join(folder, `process-${processes}`);
      const flags = {
        role,
        "database-url": settings.databaseUrl ?? databaseUrl,
        bucket: `s3://${bucket}`,
        "bucket-endpoint": settings.endpoint ?? gateway.endpoint,
        // Links are signed for the gateway's own URL, which clients use.
        "bucket-link-endpoint": gateway.endpoint,
        docs: settings.docs ?? docsDir,
        domain: "docs.example.com",
        data: dataDir,
      };
      const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
      const all = [...args, ...(settings.flags ?? [])];
      const variables = { ...environment, ...settings.environment };
      const started = owned.use(startPlatformProcess(all, variables, "src/server/cluster/main.ts"));
      const url = await started.url;
      return {
        ...started,
        dataDir,
        send: (path, { method = "GET", json } = {}) =>
          fetch(new URL(path, url), {
            method,
            headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
            ...(json !== undefined && { body: JSON.stringify(json) }),
          }),
      };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
