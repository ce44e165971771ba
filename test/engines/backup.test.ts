/** Backup and restore with the commands of docs/platform-cluster.md. `kubectl`, `aws` and the Kubernetes cluster are replaced. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { installHelm } from "../deploy/engines.ts";
import { createReader } from "../docs/reader.ts";
import { startPlatformProcess } from "../server/platform-process.ts";
import { until } from "../server/test-platform.ts";
import { startHttpServer } from "../support/http-server.ts";
import { takeBlock } from "../support/page-blocks.ts";
import { createTemporaryFolder, writeFiles } from "../support/temporary-folder.ts";
import { type Gateway, sharedGateway } from "./gateway.ts";
import { startPostgres } from "./postgres.ts";
import { presign } from "./presign.ts";

const adminKey = `svc_${"a".repeat(48)}`;

/** Starts a process of the platform on a database and a bucket. */
function startReplica(
  docs: string,
  role: "all" | "web",
  databaseUrl: string,
  bucket: string,
  gateway: Gateway,
) {
  const flags = [`--docs=${docs}`, `--role=${role}`, `--bucket=s3://${bucket}`];
  return startPlatformProcess(
    [...flags, `--bucket-endpoint=${gateway.endpoint}`],
    {
      DOCS_PLATFORM_DATABASE_URL: databaseUrl,
      DOCS_PLATFORM_ADMIN_KEY: adminKey,
      DOCS_PLATFORM_ASSISTANT_KEY: `svc_dsc_${"b".repeat(48)}`,
      AWS_ACCESS_KEY_ID: gateway.accessKeyId,
      AWS_SECRET_ACCESS_KEY: gateway.secretAccessKey,
    },
    "src/server/cluster/main.ts",
  );
}

async function ask(url: string, path: string, body?: object): Promise<Record<string, string>> {
  const response = await fetch(`${url}/v1/static-export/jobs${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, string>;
}

const followExport = (url: string, jobId = "") =>
  until(
    () => ask(url, `/${jobId}`),
    ({ status }) => status === "completed" || status === "failed",
  );

async function downloadBundle(url: string, jobId = ""): Promise<Buffer> {
  const { bundleUrl = "" } = await ask(url, `/${jobId}/bundle`, {});
  return Buffer.from(await (await fetch(bundleUrl)).arrayBuffer());
}

async function copyBucket(gateway: Gateway, from: string, to: string): Promise<void> {
  const addressOf = (bucket: string, name = "") => `${gateway.endpoint}/${bucket}/${name}`;
  const listing = await (await fetch(presign(gateway, "GET", addressOf(from)))).text();
  for (const [, name = ""] of listing.matchAll(/<Key>([^<]+)<\/Key>/g)) {
    const body = await (await fetch(presign(gateway, "GET", addressOf(from, name)))).arrayBuffer();
    const response = await fetch(presign(gateway, "PUT", addressOf(to, name)), { method: "PUT", body });
    if (!response.ok) throw new Error(`${name} was not copied: ${await response.text()}`);
  }
}

test("a restored platform serves the existing bundles and runs the queued jobs", async () => {
  await using postgres = await startPostgres();
  const gateway = await sharedGateway();
  await using folder = await createTemporaryFolder();
  const docs = join(folder.path, "docs");
  await writeFiles(docs, { "index.md": "# Start\n" });
  const [database, restoredDatabase] = [await postgres.createDatabase(), await postgres.createDatabase()];
  const [bucket, restoredBucket] = [await gateway.createBucket(), await gateway.createBucket()];
  const buckets = { "example-docs": bucket, "example-docs-backup": await gateway.createBucket() };
  await using sync = await startHttpServer(async (request) => {
    const { searchParams } = new URL(request.url);
    const [from, to] = ["from", "to"].map((name) => buckets[searchParams.get(name) as keyof typeof buckets]);
    await copyBucket(gateway, from ?? "", to ?? "");
    return new Response();
  });
  await using reader = await createReader({ standIns: ["aws", "helm", "kubectl"] });
  await reader.enterClone();
  const values = takeBlock("docs/platform-cluster.md#from-nothing-to-two-replicas/3");
  await reader.write({ "values.yaml": values });
  Object.assign(reader.variables, { SYNC_URL: sync.url, HELM: await installHelm("4.1.4") });

  await using platform = startReplica(docs, "all", database, bucket, gateway);
  const finished = await ask(await platform.url, "", { domain: "localhost" });
  await followExport(await platform.url, finished["jobId"]);
  const bundle = await downloadBundle(await platform.url, finished["jobId"]);
  await platform.end("SIGTERM");
  await using web = startReplica(docs, "web", database, bucket, gateway);
  const waiting = await ask(await web.url, "", { domain: "localhost", version: "next" });
  reader.variables["DOCS_PLATFORM_DATABASE_URL"] = database;
  await reader.run(takeBlock("docs/platform-cluster.md#backup-and-restore/1"));
  await web.end("SIGKILL");
  const [dump = ""] = (await readdir(reader.folder)).filter((name) => name.endsWith(".dump"));
  const restore = takeBlock("docs/platform-cluster.md#backup-and-restore/2");
  buckets["example-docs"] = restoredBucket;
  reader.variables["DOCS_PLATFORM_DATABASE_URL"] = restoredDatabase;
  await reader.run(restore.replace(/docs-[\d-]+\.dump/, dump));
  await using restored = startReplica(docs, "all", restoredDatabase, restoredBucket, gateway);

  expect(bundle.length).toBeGreaterThan(1000);
  expect(await downloadBundle(await restored.url, finished["jobId"])).toEqual(bundle);
  expect(await followExport(await restored.url, waiting["jobId"])).toMatchObject({ status: "completed" });
});
