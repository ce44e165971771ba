/** The platform in the chart, rendered by real Helm. */
import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { findFreePort } from "../engines/engine.ts";
import { sharedGateway } from "../engines/gateway.ts";
import { startPostgres } from "../engines/postgres.ts";
import { createRepository } from "../server/agents/agent-platform.ts";
import { makeKey } from "../server/make-key.ts";
import { until } from "../server/test-platform.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { startProcess } from "../support/watched-process.ts";
import { helmVersions, installHelm, loadKubernetesModels } from "./engines.ts";
import { chart, chartPackage, findUnknownFields, type Manifest, renderChart } from "./manifests.ts";

const run = promisify(execFile);
/** The image's command. */
const program = fileURLToPath(new URL("../../src/server/cluster/main.ts", import.meta.url));

const site = `
staticExport: { enabled: true, bundleUrl: "https://storage.example.com/bundle.zip" }
image: { repository: registry.example.com/docs, tag: "1.0.0" }
`;
const minimal = `
image: { repository: registry.example.com/docs, tag: "1.0.0" }
platform:
  enabled: true
  publicUrl: https://platform.example.com
  bucket: s3://docs/bundles
  sites: [{ domains: [docs.example.com], repository: "https://git.example.com/docs.git", folder: docs }]
  existingSecrets: { database: docs-database, bucket: docs-bucket, keys: docs-keys }
`;
const maximal = `
imagePullSecrets: [{ name: registry }]
env: [{ name: HTTPS_PROXY, value: "http://proxy.example.com:3128" }]
nodeSelector: { disk: ssd }
tolerations: [{ key: docs, operator: Exists }]
affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } }
${minimal.replace("docs-keys", "docs-keys, environment: docs-tokens, certificates: docs-ca")}
  bucketEndpoint: https://s3.internal.example.com
  bucketLinkEndpoint: https://s3.example.com
  bucketRegion: eu-central-1
  pollSeconds: 3600
  trustedProxies: [10.0.0.0/8, "fd00::"]
  args: ["--agent-command=claude -p --permission-mode acceptEdits"]
  env: [{ name: DOCS_PLATFORM_MODEL, value: small }]
  web: { env: [{ name: A, value: b }], autoscaling: { enabled: true } }
  worker: { drainSeconds: 300, autoscaling: { enabled: true, metricLabels: { namespace: docs } } }
  ingress: { enabled: true, className: nginx, host: platform.example.com, tlsSecret: tls, annotations: { a: b } }
  networkPolicy: { enabled: true, from: [{ namespaceSelector: {} }] }
`;

const nameOf = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;
function find(manifests: readonly Manifest[], name: string): Manifest {
  const found = manifests.find((manifest) => nameOf(manifest) === name);
  if (found === undefined) throw new Error(`There is no ${name}.`);
  return found;
}

/** Names of the Secrets and ConfigMaps that pods use. */
function findReferences(manifest: Manifest): string[] {
  const text = JSON.stringify(manifest);
  const byKey =
    /"(?:secretKeyRef|configMapKeyRef|secretRef|configMap)":\{(?:"key":"[^"]+",)?"name":"([^"]+)"|"secretName":"([^"]+)"/g;
  const names = [...text.matchAll(byKey)].map(([, name, secretName]) => name ?? secretName ?? "");
  return [...new Set(names)].sort();
}

describe.each(helmVersions)("the chart, rendered by Helm %s,", (version) => {
  test("passes the linter and can be packaged", async () => {
    await using folder = await createTemporaryFolder();
    const helm = await installHelm(version);

    await run(helm, ["lint", "--strict", chart]);
    for (const values of [site, maximal, `${maximal}${site.replace(/^image.*$/m, "")}`]) {
      const file = join(folder.path, "values.yaml");
      await writeFile(file, values);
      await run(helm, ["lint", "--strict", chart, "--values", file]);
    }
    await run(helm, ["package", chart, "--destination", folder.path]);

    expect(await readdir(folder.path)).toContain(chartPackage);
  });

  test("has only fields that Kubernetes knows", async () => {
    const models = await loadKubernetesModels();

    const manifests = await renderChart(version, maximal);

    expect(manifests.map(nameOf).sort()).toEqual([
      "ConfigMap docs-sites",
      "Deployment docs-web",
      "Deployment docs-worker",
      "HorizontalPodAutoscaler docs-web",
      "HorizontalPodAutoscaler docs-worker",
      "Ingress docs-web",
      "Job docs-migrate",
      "NetworkPolicy docs-web",
      "NetworkPolicy docs-worker",
      "PodDisruptionBudget docs-web",
      "PodDisruptionBudget docs-worker",
      "Service docs-web",
    ]);
    expect(manifests.flatMap((one) => findUnknownFields(models, one))).toEqual([]);
  });

  test("can add the platform to the site, whose service does not select the platform's pods", async () => {
    const alone = await renderChart(version, site);

    const together = await renderChart(version, `${site.replace(/^image.*$/m, "")}${minimal}`);

    for (const manifest of alone) expect(find(together, nameOf(manifest))).toEqual(manifest);
    const { selector } = find(together, "Service docs").spec;
    expect(find(together, "Deployment docs").spec.template.metadata.labels).toMatchObject(selector);
    for (const name of ["Deployment docs-web", "Deployment docs-worker", "Job docs-migrate"])
      expect(find(together, name).spec.template.metadata.labels).not.toMatchObject(selector);
  });

  test("migrates the database before the pods of a version start, with existing Secrets", async () => {
    const manifests = await renderChart(version, maximal);

    const job = find(manifests, "Job docs-migrate");
    expect(job.metadata.annotations?.["helm.sh/hook"]).toBe("pre-install,pre-upgrade");
    expect(job.spec.template.spec.containers[0]?.args).toEqual(["platform", "--migrate"]);
    expect(findReferences(job)).toEqual(["docs-ca", "docs-database"]);
    expect(manifests.some(({ kind }) => kind === "Secret")).toBe(false);
  });

  test("runs web and workers with the same Secrets, as non-root, without a token, and with a read-only root", async () => {
    const manifests = await renderChart(version, maximal);

    for (const name of ["Deployment docs-web", "Deployment docs-worker"]) {
      const manifest = find(manifests, name);
      expect(findReferences(manifest)).toEqual(
        "docs-bucket docs-ca docs-database docs-keys docs-sites docs-tokens".split(" "),
      );
      expect(manifest.spec.template.spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true },
        containers: [{ securityContext: { readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } } }],
      });
      // A `subPath` mount does not follow changes of its Secret.
      expect(JSON.stringify(manifest)).not.toContain("subPath");
    }
  });

  test("has resources for every container, as a namespace's quota requires, and time for a slow start", async () => {
    const manifests = await renderChart(version, maximal);

    const pods = manifests.flatMap(({ kind, spec }) =>
      /^(?:Deployment|Job)$/.test(kind) ? [spec.template.spec] : [],
    );
    expect(pods.map(({ containers }) => containers)).toEqual(
      Array.from({ length: 3 }, () => [
        expect.objectContaining({ resources: { requests: expect.anything(), limits: expect.anything() } }),
      ]),
    );
    const probes = pods.flatMap(({ containers }) => containers[0]?.startupProbe ?? []);
    expect(probes).toMatchObject(
      Array.from({ length: 2 }, () => ({ periodSeconds: 2, failureThreshold: 90 })),
    );
  });

  test("has each variable once, with the value nearest to the role: Helm 4 cannot apply two", async () => {
    const env = (value: string) => `[{ name: NODE_OPTIONS, value: ${value} }, { name: HOME, value: /data }]`;
    const values = `env: ${env("all")}\n${minimal}  env: ${env("both")}\n  worker: { env: ${env("worker")} }\n`;

    const manifests = await renderChart(version, values);

    const valuesOf = (name: string) => {
      const variables = find(manifests, name).spec.template.spec.containers[0]?.env ?? [];
      expect(variables.map((one) => one.name)).toEqual([...new Set(variables.map((one) => one.name))]);
      return variables.flatMap((one) => (/^(?:NODE_OPTIONS|HOME)$/.test(one.name) ? [one.value] : []));
    };
    expect(valuesOf("Deployment docs-web").sort()).toEqual(["/data", "both"]);
    expect(valuesOf("Deployment docs-worker").sort()).toEqual(["/data", "worker"]);
  });

  test("has a grace period for workers that exceeds their drain time", async () => {
    const pod = find(await renderChart(version, maximal), "Deployment docs-worker").spec.template.spec;

    expect(pod.containers[0]?.args).toContain("--drain-seconds=300");
    expect(pod.terminationGracePeriodSeconds).toBe(330);
  });

  test("polls the git hosts at the configured interval, by default each minute", async () => {
    const findFlags = async (values: string) =>
      (await renderChart(version, values)).flatMap((one) =>
        one.kind === "Deployment"
          ? (one.spec.template.spec.containers[0]?.args ?? []).filter((flag) => flag.startsWith("--poll"))
          : [],
      );

    expect(await findFlags(minimal)).toEqual(["--poll-seconds=60", "--poll-seconds=60"]);
    expect(await findFlags(maximal)).toEqual(["--poll-seconds=3600", "--poll-seconds=3600"]);
  });

  test("sets no number of pods if there is an autoscaler", async () => {
    const replicasOf = async (values: string) =>
      (await renderChart(version, values)).flatMap((one) =>
        one.kind === "Deployment" ? [one.spec.replicas] : [],
      );

    expect(await replicasOf(minimal)).toEqual([2, 2]);
    expect(await replicasOf(maximal)).toEqual([undefined, undefined]);
  });

  test("replaces pods when the sites change", async () => {
    const templates = await Promise.all(
      [minimal, minimal.replace("docs.example", "help.example")].map(async (values) =>
        JSON.stringify(find(await renderChart(version, values), "Deployment docs-worker").spec.template),
      ),
    );

    expect(templates[0]).not.toBe(templates[1]);
  });

  test.each([
    ["a platform without an address", minimal.replace(/publicUrl: .*/, 'publicUrl: ""')],
    ["a bucket that is not S3's", minimal.replace("s3://", "gs://")],
    ["a platform without sites", minimal.replace(/sites: .*/, "sites: []")],
    ["a platform without a database", minimal.replace("database: docs-database", 'database: ""')],
    ["a platform without keys", minimal.replace("keys: docs-keys", 'keys: ""')],
    [
      "a database's address instead of a Secret's name",
      minimal.replace("docs-database", '"postgres://u:p@h/d"'),
    ],
    ["a platform without an image", minimal.replace("registry.example.com/docs", '""')],
    ["a day and more between two questions to a git host", `${minimal}  pollSeconds: 86401\n`],
    ["an argument that is no flag", `${minimal}  args: [rm]\n`],
    ["a time to drain of a web replica", `${minimal}  web: { drainSeconds: 5 }\n`],
    ["an unknown key of the platform", `${minimal}  databaseUrl: postgres://host/db\n`],
    ["an ingress of the platform without a host", `${minimal}  ingress: { enabled: true }\n`],
  ])("refuses %s", async (_name, values) => {
    expect(parse(values)).not.toEqual(parse(minimal));
    await expect(renderChart(version, values)).rejects.toThrow(
      /values don't meet the specifications of the schema/,
    );
  });
});

/** Values of the Secrets by `name/key`. */
type Secrets = Readonly<Record<string, string>>;

/** The chart's container as a local process with the same arguments and variables; temporary files replace its mounts. */
async function startContainer(
  manifest: Manifest,
  secrets: Secrets,
  mounts: Readonly<Record<string, string>>,
) {
  const [container] = manifest.spec.template.spec.containers;
  const port = await findFreePort();
  const args = (container?.args ?? []).map((argument) =>
    argument
      .replace(/(?<==)\/(?:run|data)\S*/, (path) => mounts[path] ?? path)
      .replace(/^--port=.*/, `--port=${port}`),
  );
  const variables = (container?.env ?? []).map(({ name, value, valueFrom }) => {
    const { name: secret, key } = valueFrom?.secretKeyRef ?? {};
    return [name, value ?? secrets[`${secret}/${key}`] ?? ""] as const;
  });
  const env = { PATH: process.env["PATH"], ...Object.fromEntries(variables) };
  const started = startProcess(process.execPath, [program, ...args], { env });
  return { ...started, address: `http://127.0.0.1:${port}` };
}

test("the chart's containers migrate the database, run an export, hide their secrets, and drain", async () => {
  await using postgres = await startPostgres();
  const gateway = await sharedGateway();
  await using folder = await createTemporaryFolder();
  await using docs = await createRepository();
  const { key, entry } = makeKey({ class: "admin" });
  const keys = join(folder.path, "keys.yaml");
  await writeFile(keys, entry);
  const values = minimal
    .replace("s3://docs/bundles", `s3://${await gateway.createBucket()}/bundles`)
    .replace("https://git.example.com/docs.git", docs.root)
    .replace("sites:", `bucketEndpoint: ${gateway.endpoint}\n  args: ["--agent-command=true"]\n  sites:`);
  const manifests = await renderChart("4.1.4", values);
  const sites = join(folder.path, "sites.yaml");
  await writeFile(sites, find(manifests, "ConfigMap docs-sites").data["sites.yaml"] ?? "");
  const secrets = {
    "docs-database/url": await postgres.createDatabase(),
    "docs-bucket/accessKeyId": gateway.accessKeyId,
    "docs-bucket/secretAccessKey": gateway.secretAccessKey,
  };
  const start = (name: string) =>
    startContainer(find(manifests, name), secrets, {
      "/run/keys/keys.yaml": keys,
      "/run/sites/sites.yaml": sites,
      "/data": join(folder.path, name.replace(" ", "-")),
    });

  await using migration = await start("Job docs-migrate");
  expect([await migration.ended, migration.output()]).toEqual([0, expect.stringContaining("up to date")]);
  const { stdout } = await run("psql", [
    secrets["docs-database/url"],
    "-Atc",
    "SELECT nspname FROM pg_namespace",
  ]);
  expect(stdout.split("\n")).toEqual(expect.arrayContaining(["docs_platform", "docs_platform_jobs"]));
  await using web = await start("Deployment docs-web");
  await using worker = await start("Deployment docs-worker");
  await Promise.all([web, worker].map((one) => one.waitFor(/^Documentation platform: /m)));
  await web.waitFor(/^Status page: /m);
  expect(worker.output()).not.toMatch(/Status page|API key/);
  const request = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const response = await fetch(`${web.address}${path}`, { headers, ...init });
    return (await response.json()) as Record<string, string>;
  };
  const { jobId } = await request("/v1/static-export/jobs", {
    method: "POST",
    body: '{"domain":"docs.example.com"}',
  });
  const job = await until(
    () => request(`/v1/static-export/jobs/${jobId}`),
    ({ status }) => status === "completed" || status === "failed",
  );
  const { bundleUrl = "" } = await request(`/v1/static-export/jobs/${jobId}/bundle`, { method: "POST" });

  expect(job["status"]).toBe("completed");
  expect((await fetch(bundleUrl)).status).toBe(200);
  expect((await fetch(`${worker.address}/v1/static-export/jobs/${jobId}`)).status).toBe(404);
  for (const { pid, address } of [web, worker]) {
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    expect(await readFile(`/proc/${pid}/environ`, "utf8")).not.toContain(gateway.secretAccessKey);
  }
  expect(await Promise.all([web, worker].map((one) => one.end("SIGTERM")))).toEqual([0, 0]);
});
