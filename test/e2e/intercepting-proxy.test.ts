/** The built action behind a proxy that opens TLS, where no host can be reached without it: their names are the proxy's only. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { startArtifactService } from "../support/artifact-service.ts";
import { startHttpServer } from "../support/http-server.ts";
import { startInterceptingProxy } from "../support/intercepting-proxy.ts";
import { createActionJob } from "../support/run-action.ts";
import { createTemporaryFolder, writeFiles } from "../support/temporary-folder.ts";

/** GitHub's API and artifact service behind a proxy. */
async function startProxiedGitHub() {
  await using resources = new AsyncDisposableStack();
  const folder = resources.use(await createTemporaryFolder("proxy-"));
  const api = resources.use(await startHttpServer(() => Response.json({ full_name: "octo-org/widgets" })));
  const service = resources.use(
    await startArtifactService({ interceptBlobs: true, publicUrl: "https://results.invalid" }),
  );
  const proxy = resources.use(
    await startInterceptingProxy({
      port: 0,
      folder: folder.path,
      targets: new Map([
        ["api.invalid", api.url],
        ["results.invalid", service.url],
      ]),
    }),
  );
  const kept = resources.move();
  const environment = { ...service.environment, HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
  return {
    service,
    proxy,
    environment,
    folder: folder.path,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** A step of one of the action's commands, with documents beside it. */
async function createDocsJob(action: string, environment: Readonly<Record<string, string>>) {
  const run = { apiUrl: "https://api.invalid" };
  const job = await createActionJob({ action, environment, run, inputs: { "base-url": "local" } });
  await writeFiles(job.workspace, { "docs/index.md": "# Widgets\n" });
  return job;
}

describe("behind a proxy that opens TLS", () => {
  test("an export is uploaded, and the doctor reaches GitHub, with the proxy's authority", async () => {
    await using github = await startProxiedGitHub();
    const environment = { ...github.environment, NODE_EXTRA_CA_CERTS: github.proxy.certificate };
    await using exporting = await createDocsJob("export", environment);
    const exported = await exporting.main();
    await using checking = await createDocsJob("doctor", environment);
    const checked = await checking.main();

    expect(exported).toMatchObject({ exitCode: 0, outputs: { outcome: "exported" } });
    const [artifact] = github.service.artifacts;
    const bytes = await github.service.read(artifact?.name ?? "");
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(exported.outputs["bundle-sha256"]);
    expect(checked).toMatchObject({ exitCode: 0, outputs: { outcome: "healthy" } });
    const requests = github.proxy.requests();
    expect(requests.join("\n")).not.toMatch(/[?&]sig=/);
    // The last step of the workflow's job finds in the proxy's log what it looks for, and fails where that is missing.
    const workflow = parse(
      await readFile(new URL("../../.github/workflows/runners.yml", import.meta.url), "utf8"),
    );
    const script = String(workflow.jobs.proxy.steps.at(-1).run);
    for (const [lines, status] of [
      [requests, 0],
      [requests.filter((line) => !line.includes("FinalizeArtifact")), 1],
      [requests.filter((line) => !line.startsWith("PUT")), 1],
      [requests.filter((line) => !line.startsWith("GET")), 1],
    ] as const) {
      await writeFile(join(github.folder, "requests.log"), `${lines.join("\n")}\n`);
      const checking = spawnSync("sh", ["-e", "-c", script.replaceAll("/tmp/proxy", github.folder)], {
        env: { PATH: process.env["PATH"], GITHUB_API_URL: "https://api.invalid" },
      });
      expect(checking.status).toBe(status);
    }
  });

  test("each action of the workflow's job asks the proxy, at the port and with the authority of its start", async () => {
    const workflow = parse(
      await readFile(new URL("../../.github/workflows/runners.yml", import.meta.url), "utf8"),
    );
    const steps = workflow.jobs.proxy.steps as readonly {
      readonly uses?: string;
      readonly run?: string;
      readonly env?: Readonly<Record<string, string>>;
    }[];
    const start = steps.findIndex(({ run = "" }) =>
      run.includes("test/support/intercepting-proxy.ts 3128 /tmp/proxy"),
    );
    const used = steps.slice(start).filter(({ uses }) => uses !== undefined);
    expect(used.map(({ uses = "" }) => uses.split("@")[0])).toEqual([
      "./doctor",
      "./export",
      "actions/download-artifact",
    ]);
    for (const { env } of used)
      expect(env).toEqual({
        HTTPS_PROXY: "http://127.0.0.1:3128",
        NODE_EXTRA_CA_CERTS: "/tmp/proxy/ca.pem",
      });
  });

  test("without its authority the doctor names the variable that is missing", async () => {
    await using github = await startProxiedGitHub();
    await using job = await createDocsJob("doctor", github.environment);
    const { summary, visibleText } = await job.main();
    expect(`${summary}${visibleText}`).toContain("NODE_EXTRA_CA_CERTS");
    expect(github.proxy.requests()).toEqual([]);
  });

  test("a bundle from storage ends at once, and names the variable and the proxy", async () => {
    await using github = await startProxiedGitHub();
    const job = { jobId: "se_1", status: "completed", progress: 100, pageCount: 1 };
    await using platform = await startHttpServer((request) =>
      request.url.endsWith("/bundle")
        ? Response.json({
            jobId: "se_1",
            bundleUrl: "https://storage.invalid/bundle.zip?sig=1",
            expiresAt: null,
          })
        : Response.json(job),
    );
    const inputs = {
      "base-url": platform.url,
      "api-key": "svc_admin-key-of-this-test",
      domain: "docs.example.com",
    };
    await using exporting = await createActionJob({
      action: "export",
      environment: github.environment,
      inputs: { ...inputs, upload: "none" },
    });
    const { exitCode, outputs } = await exporting.main();
    expect(exitCode).toBe(1);
    const { message, hint } = JSON.parse(outputs["error-json"] ?? "{}");
    expect(message).toMatch(
      /^The bundle could not be downloaded: the connection failed \(UNABLE_TO_VERIFY_LEAF_SIGNATURE; the request went through the proxy http:\/\/127/,
    );
    expect(hint).toContain("NODE_EXTRA_CA_CERTS");
  });
});
