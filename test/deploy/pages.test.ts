/**
 * Runs the commands of the pages on clusters in a shell, with real Helm, Postgres and S3. `kubectl`, `podman`, `helm push` and `npm ci`
 * are replaced, and `helm upgrade` only renders.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments, stringify } from "yaml";
import { createReader } from "../docs/reader.ts";
import { sharedGateway } from "../engines/gateway.ts";
import { startPostgres } from "../engines/postgres.ts";
import { startGitRemote } from "../support/git-http.ts";
import { startHttpServer } from "../support/http-server.ts";
import { takeBlock } from "../support/page-blocks.ts";
import type { WatchedProcess } from "../support/watched-process.ts";
import { helmVersions, installHelm } from "./engines.ts";
import { chartPackage } from "./manifests.ts";

const keysBlock = takeBlock("docs/platform-cluster.md#from-nothing-to-two-replicas/1");
const valuesBlock = takeBlock("docs/platform-cluster.md#from-nothing-to-two-replicas/3");

/** The Secrets and keys that pods read as variables and files. */
function findSecretKeys(rendered: string): string[] {
  const manifests = parseAllDocuments(rendered).map((document) => JSON.stringify(document.toJS()));
  const pattern = /"secretKeyRef":\{"key":"([^"]+)","name":"([^"]+)"/g;
  const found = manifests.flatMap((manifest) => [...manifest.matchAll(pattern)]);
  return [...new Set(found.map(([, key, name]) => `${name}/${key}`))];
}

describe.each(helmVersions)("with Helm %s, the commands of", (version) => {
  test("docs/platform-cluster.md create the keys and Secrets that the release reads", async () => {
    await using ready = await startHttpServer(() => new Response("ok"));
    const hosts = new Map([["docs-platform.example.com", ready.url]]);
    const variables = { HELM: await installHelm(version) };
    await using reader = await createReader({ standIns: ["kubectl", "helm"], hosts, variables });
    await reader.enterClone();

    await reader.run(keysBlock);
    await reader.run(takeBlock("docs/platform-cluster.md#from-nothing-to-two-replicas/2"));
    await reader.write({ "values.yaml": valuesBlock });
    const rendered = await reader.run(takeBlock("docs/platform-cluster.md#from-nothing-to-two-replicas/4"));

    const { secrets } = JSON.parse(await readFile(join(reader.home, "objects.json"), "utf8"));
    const made = Object.entries<string[]>(secrets).flatMap(([name, keys]) =>
      keys.map((key) => `${name}/${key}`),
    );
    const variablesOfSites = ["docs-environment/DOCS_GIT_TOKEN", "docs-environment/DOCS_WEBHOOK_SECRET"];
    expect(made.sort()).toEqual(
      [...findSecretKeys(rendered), "docs-keys/keys.yaml", ...variablesOfSites].sort(),
    );
    expect(Object.values(parse(valuesBlock).platform.existingSecrets).sort()).toEqual(
      Object.keys(secrets).sort(),
    );
    expect(parse(valuesBlock).platform.sites[0]).toMatchObject({ tokenVariable: "DOCS_GIT_TOKEN" });
    expect(rendered).toContain("name: docs-worker");
  });

  test("docs/self-hosting.md install and package the chart", async () => {
    const variables = { HELM: await installHelm(version) };
    await using reader = await createReader({ standIns: ["podman", "helm"], variables });
    await reader.enterClone();
    const values = takeBlock("docs/self-hosting.md#in-a-cluster/2");
    await reader.write({ "values.yaml": values });

    const rendered = await reader.run(takeBlock("docs/self-hosting.md#in-a-cluster/1"));
    await reader.write({
      "values.yaml": takeBlock("docs/bundles.md#the-values-file-of-a-deployment") + values,
    });
    await reader.run(takeBlock("docs/self-hosting.md#in-a-cluster/3"));

    const { image, staticExport } = parse(values);
    expect(rendered).toContain(`image: "${image.repository}:${image.tag}"`);
    expect(rendered).toContain(staticExport.bundleUrl);
    expect(await readdir(reader.folder)).toContain(chartPackage);
  });
});

test("the commands of docs/platform-cluster.md start a web process and a worker without Kubernetes, and export a site", async () => {
  await using postgres = await startPostgres();
  const gateway = await sharedGateway();
  await using remote = await startGitRemote({ repository: "example/docs" });
  await remote.commit({ files: { "docs/index.md": "# Welcome\n" } });
  const hosts = new Map([["s3.example.com", gateway.endpoint]]);
  await using reader = await createReader({ standIns: ["npm"], hosts });
  await reader.enterClone();
  const made = await reader.run(keysBlock);
  const [, adminKey = ""] = /^(svc_[\da-f]{48}) svc_dsc_/m.exec(made) ?? [];
  const [{ webhookSecretVariable: _, ...site }] = parse(valuesBlock).platform.sites;
  await reader.write({ "sites.yaml": stringify([{ ...site, repository: remote.url }]) });
  Object.assign(reader.variables, { DOCS_GIT_TOKEN: remote.token, DOCS_PLATFORM_API_KEY: adminKey });

  // Replace the placeholders, and add the endpoints of this storage for the platform and for clients.
  const bucket = `s3://${await gateway.createBucket()} --bucket-endpoint ${gateway.endpoint}`;
  const commands = takeBlock("docs/platform-cluster.md#without-kubernetes/1")
    .replace("postgres://…", await postgres.createDatabase())
    .replace("AWS_ACCESS_KEY_ID=…", `AWS_ACCESS_KEY_ID=${gateway.accessKeyId}`)
    .replace("AWS_SECRET_ACCESS_KEY=…", `AWS_SECRET_ACCESS_KEY=${gateway.secretAccessKey}`)
    .replace("eu-central-1", gateway.region)
    .replace("s3://example-docs", `${bucket} --bucket-link-endpoint https://s3.example.com`)
    .replaceAll("/var/lib/docs", reader.home);
  const lines = commands.trim().split("\n");
  const settings = lines.filter((line) => /^(?:export|flags=)/.test(line)).join("\n");
  const start = async (role: string): Promise<[WatchedProcess, string]> => {
    const line = lines.find((one) => one.includes(`--role ${role}`));
    const server = reader.start(`${settings}\n${line}`);
    const [, address = ""] = await server.waitFor(/^Listens on: +(\S+)$/m);
    return [server, address.replace("0.0.0.0", "127.0.0.1")];
  };

  await reader.run(lines.filter((line) => !line.includes("--role")).join("\n"));
  const [[web, webUrl], [worker, workerUrl]] = [await start("web"), await start("worker")];
  hosts.set("docs-platform.example.com", webUrl);
  for (const url of [webUrl, workerUrl]) expect((await fetch(`${url}/readyz`)).status).toBe(200);
  await reader.run(takeBlock("docs/platform-cluster.md#without-kubernetes/2"));

  expect(await readFile(join(reader.folder, "docs-export/site/index.html"), "utf8")).toContain("Welcome");
  for (const process of [web, worker]) expect([0, 130, "SIGINT"]).toContain(await process.end("SIGINT"));
});
