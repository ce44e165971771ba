/** The self-hosted site of the chart: its manifests from real Helm, and the command of its container as a process. */
import { execFile } from "node:child_process";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { updateValues } from "../../src/bundle/values-file.ts";
import { startPlatformProcess } from "../server/platform-process.ts";
import { until } from "../server/test-platform.ts";
import { buildTarGz } from "../support/archives.ts";
import { startStorage } from "../support/storage.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { type HelmVersion, helmVersions, loadKubernetesModels } from "./engines.ts";
import { findUnknownFields, type Manifest, renderChart } from "./manifests.ts";

const run = promisify(execFile);

const image = 'image: { repository: registry.example.com/docs, tag: "1.0.0" }\n';
const link = (signature: string) => `https://storage.example.com/bundle.zip?X-Amz-Signature=${signature}`;
const minimal = updateValues(image, link("first"));
const maximal = `${updateValues(image, link("first"), "2025.10")}
imagePullSecrets: [{ name: registry }]
env: [{ name: HTTPS_PROXY, value: "http://proxy.example.com:3128" }]
nodeSelector: { disk: ssd }
tolerations: [{ key: docs, operator: Exists }]
affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } }
ingress: { enabled: true, className: nginx, host: docs.example.com, tlsSecret: tls, annotations: { a: b } }
networkPolicy: { enabled: true, from: [{ namespaceSelector: {} }] }
`;

/** The site's manifests by kind; there is one of each. */
async function render(version: HelmVersion, values: string): Promise<ReadonlyMap<string, Manifest>> {
  return new Map((await renderChart(version, values)).map((manifest) => [manifest.kind, manifest]));
}

describe.each(helmVersions)("the site of the chart, rendered by Helm %s,", (version) => {
  test("has only fields that Kubernetes knows", async () => {
    const models = await loadKubernetesModels();

    const manifests = await render(version, maximal);

    expect([...manifests.keys()].sort()).toEqual([
      "Deployment",
      "Ingress",
      "NetworkPolicy",
      "PodDisruptionBudget",
      "Secret",
      "Service",
    ]);
    expect([...manifests.values()].flatMap((one) => findUnknownFields(models, one))).toEqual([]);
  });

  test("deploys the values that the action writes, and nothing else", async () => {
    const manifests = await render(version, minimal);

    expect([...manifests.keys()].sort()).toEqual(["Deployment", "PodDisruptionBudget", "Secret", "Service"]);
    expect(manifests.get("Secret")?.stringData).toEqual({ bundleUrl: link("first") });
    expect(JSON.stringify(manifests.get("Deployment"))).not.toContain("storage.example.com");
  });

  test("replaces pods for a new version but not for a new link", async () => {
    const deployments = await Promise.all(
      [
        [link("first"), "2025.10"],
        [link("second"), "2025.10"],
        [link("second"), "2025.11"],
      ].map(async ([url = "", pinned]) =>
        (await render(version, updateValues(image, url, pinned))).get("Deployment"),
      ),
    );

    const [first, fresh, next] = deployments;
    expect(fresh).toEqual(first);
    expect(next).not.toEqual(fresh);
    expect(fresh?.spec.template.spec.containers[0]?.args).toContain("--bundle-version=2025.10");
  });

  test("deploys nothing if it is disabled", async () => {
    expect((await render(version, "")).size).toBe(0);
    expect((await render(version, maximal.replace("enabled: true", "enabled: false"))).size).toBe(0);
  });

  test("reads the link from an existing Secret", async () => {
    const values = `${image}staticExport: { enabled: true }\nexistingSecret: docs-link\n`;

    const manifests = await render(version, values);

    expect(manifests.has("Secret")).toBe(false);
    expect(JSON.stringify(manifests.get("Deployment"))).toContain('"secretName":"docs-link"');
  });

  test.each([
    ["enabled that is a text", minimal.replace("enabled: true", 'enabled: "true"')],
    ["a link that is not https", minimal.replace("https://", "http://")],
    ["no link", minimal.replace(/"https:.*"/, '""')],
    ["two sources of the link", `${minimal}existingSecret: docs-link\n`],
    ["a version that YAML reads as a number", `${minimal}  version: 2025.10\n`],
    ["an unknown key below staticExport", `${minimal}  url: x\n`],
    ["an unknown key", `${minimal}replicaCount: 2\n`],
    ["no replicas", `${minimal}replicas: 0\n`],
    ["an image without a name", minimal.replace("registry.example.com/docs", '""')],
    ["an image that is null", minimal.replace("registry.example.com/docs", "null")],
    ["an image with tag and digest", minimal.replace("tag:", `digest: "sha256:${"0".repeat(64)}", tag:`)],
    ["an ingress without a host", `${minimal}ingress: { enabled: true }\n`],
  ])("refuses %s", async (_name, values) => {
    expect(parse(values)).not.toEqual(parse(minimal));
    await expect(render(version, values)).rejects.toThrow(
      /values don't meet the specifications of the schema/,
    );
  });
});

const site = (text: string) => buildTarGz([{ name: "index.html", body: `<h1>${text}</h1>` }]);

/** The chart's container as a local process with the same arguments; temporary folders replace its mounts. */
async function startContainer(values: string, folder: string, firstLink: string) {
  const mounts = { "/run/bundle": join(folder, "bundle"), "/data": join(folder, "data") };
  await mkdir(mounts["/run/bundle"]);
  const takeLink = async (url: string) => {
    const file = join(mounts["/run/bundle"], "bundleUrl");
    await writeFile(`${file}.new`, url);
    await rename(`${file}.new`, file);
  };
  await takeLink(firstLink);
  const deployment = (await render(helmVersions[0] ?? "4.1.4", values)).get("Deployment");
  const [container] = deployment?.spec.template.spec.containers ?? [];
  const args = (container?.args ?? []).map((argument) =>
    argument
      .replace(/(?<==@?)(?:\/run\/bundle|\/data)/, (path) => mounts[path as keyof typeof mounts])
      .replace(/^--port=.*/, "--port=0"),
  );
  // The rest of the container is read-only.
  const started = startPlatformProcess(args.slice(1), { TMPDIR: join(folder, "none") });
  return { process: started, takeLink, preStop: container?.lifecycle.preStop.exec.command ?? [] };
}

describe("the chart's container", () => {
  test("serves, uses a new link, keeps the old site if the bundle is invalid or the link expired, and drains", async () => {
    await using folder = await createTemporaryFolder();
    await using good = await startStorage({ object: { body: site("First"), etag: '"1"' } });
    await using next = await startStorage({ object: { body: site("Second"), etag: '"2"' } });
    await using bad = await startStorage({ object: { body: site("Third").subarray(0, 60), etag: '"3"' } });
    await using expired = await startStorage({ object: { body: site("Fourth") }, linkLifeMs: -1 });
    const { process: container, takeLink } = await startContainer(
      `${minimal}pollSeconds: 1\n`,
      folder.path,
      (await expired.getLink()).url,
    );
    await using _container = container;
    const url = await container.url;
    const get = async (path: string) => {
      const response = await fetch(`${url}${path}`);
      return `${response.status} ${await response.text()}`;
    };
    const become = (path: string, expected: string) =>
      until(
        () => get(path),
        (text) => text === expected,
      );
    const say = (pattern: RegExp) =>
      until(
        async () => container.output(),
        (text) => pattern.test(text),
      );

    await become("/readyz", "503 No bundle is served: the link expired");
    expect(await get("/livez")).toBe("200 ok");
    await takeLink((await good.getLink()).url);
    await become("/readyz", "200 ok");
    expect(await get("/")).toBe("200 <h1>First</h1>");
    await takeLink((await next.getLink()).url);
    await become("/", "200 <h1>Second</h1>");
    await takeLink((await bad.getLink()).url);
    await say(/is not served: .*(?:ends early|truncated|damaged).* The previous bundle stays active/);
    await takeLink((await expired.getLink()).url);
    await say(/expired: storage returned 403.* The previous bundle stays active/);

    expect([await get("/"), await get("/readyz")]).toEqual(["200 <h1>Second</h1>", "200 ok"]);
    expect(container.output()).not.toContain("X-Amz-Signature");
    expect(await container.end("SIGTERM")).toBe(0);
  });

  test.each([0, 1])("waits %d s in its preStop hook", async (seconds) => {
    const deployment = (await render("4.1.4", `${minimal}lameDuckSeconds: ${seconds}\n`)).get("Deployment");
    const [container] = deployment?.spec.template.spec.containers ?? [];
    const [, ...args] = container?.lifecycle.preStop.exec.command ?? [];
    const startedAt = performance.now();

    await run(process.execPath, args);

    expect(performance.now() - startedAt).toBeGreaterThan(seconds * 900);
  });
});
