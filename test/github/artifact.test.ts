import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { extract } from "tar-stream";
import { describe, expect, test, vi } from "vitest";
import { type ErrorReport, toErrorReport } from "../../src/base/errors.ts";
import {
  type UploadArtifactOptions,
  type UploadedArtifact,
  uploadArtifact,
} from "../../src/github/artifact.ts";
import { requireArtifactService } from "../../src/github/artifact-rules.ts";
import {
  type ArtifactService,
  QUOTA_FAULT,
  startArtifactService,
  twirpFault,
} from "../support/artifact-service.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { readZip } from "../support/read-zip.ts";
import { createRecordingLog } from "../support/recording-log.ts";
import { createActionJob } from "../support/run-action.ts";
import { createRunnerFolders, DEFAULT_RUN, runnerVariables } from "../support/runner-environment.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const actionFolder = fileURLToPath(new URL("upload-action", import.meta.url));
const unreadableFile = "/sys/class/net/lo/speed";
const bundle = randomBytes(300_000);
const sha256 = createHash("sha256").update(bundle).digest("hex");

interface Upload {
  readonly artifact: UploadedArtifact | undefined;
  readonly error: ErrorReport | undefined;
  readonly log: string;
}

/** Files for an upload, and what uploads them to `service`. */
async function createUpload(service: ArtifactService) {
  const folder = await createTemporaryFolder();
  const file = join(folder.path, "bundle-4711.tar.gz");
  await writeFile(file, bundle);
  const site = join(folder.path, "site");
  await mkdir(join(site, "guides"), { recursive: true });
  await writeFile(join(site, "index.html"), "<h1>Home</h1>");
  await writeFile(join(site, "guides", "keys.html"), "<h1>Keys</h1>");

  /** A process of its own, for what the library does to a whole process. */
  const start = (options: Partial<UploadArtifactOptions> = {}) =>
    createActionJob({
      actionFolder,
      inputs: { options: JSON.stringify({ kind: "archive", path: file, name: "docs", ...options }) },
      environment: service.environment,
    });

  /** Uploads in this process; the library reads its environment whenever it is called. */
  const upload = async (
    options: Partial<UploadArtifactOptions> = {},
    environment: Record<string, string> = {},
  ): Promise<Upload> => {
    const folders = await createRunnerFolders(folder.path, {});
    const runner = runnerVariables(DEFAULT_RUN, { folders, actionFolder });
    for (const [name, value] of Object.entries({ ...runner, ...service.environment, ...environment })) {
      vi.stubEnv(name, value);
    }
    const log = createRecordingLog();
    const { signal } = new AbortController();
    const given = { kind: "archive", path: file, name: "docs", ...options } as const;
    try {
      const deps = { log, signal, clock: createFakeClock(), random: () => 0.5 };
      return { artifact: await uploadArtifact(given, deps), error: undefined, log: log.lines.join("\n") };
    } catch (error) {
      return { artifact: undefined, error: toErrorReport(error), log: log.lines.join("\n") };
    } finally {
      vi.unstubAllEnvs();
    }
  };

  return {
    folder: folder.path,
    file,
    site,
    start,
    upload,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

describe("an uploaded archive", () => {
  test("holds the bundle's bytes as they are, named after the input with the file's extension", async () => {
    await using service = await startArtifactService();
    await using run = await createUpload(service);
    const result = await run.upload({ sha256 });
    expect(result.artifact).toEqual({
      id: service.artifacts[0]?.id,
      name: "docs.tar.gz",
      url: `https://github.localhost/octo-org/widgets/actions/runs/7001/artifacts/${result.artifact?.id}`,
      digest: sha256,
      size: bundle.length,
    });
    expect(await service.read("docs.tar.gz")).toEqual(bundle);
  });

  test("goes in blocks of two megabytes, so that an upload of any size takes little memory", async () => {
    await using service = await startArtifactService({ interceptBlobs: true });
    await using run = await createUpload(service);
    const large = randomBytes(5_000_000);
    await writeFile(run.file, large);
    const { artifact } = await run.upload();
    expect(artifact?.digest).toBe(createHash("sha256").update(large).digest("hex"));
    expect((await service.read("docs.tar.gz")).equals(large)).toBe(true);
    const blocks = service.requests.filter(({ path }) => path.includes("comp=block&"));
    expect(blocks).toHaveLength(3);
  });

  test("is told to debug logging request by request, without the link's signature and with each attempt", async () => {
    await using service = await startArtifactService({ interceptBlobs: true });
    await using run = await createUpload(service);
    service.faults.add({ path: "/blob/", fault: { kind: "answer", status: 503 } });
    await using job = await run.start();
    const { debugMessages, rawLog, exitCode } = await job.main();
    const told = debugMessages.map((line) =>
      line.replace(service.url, "").replace(/request [\w-]{36}, \d+ ms|\d+ ms/, "n ms"),
    );
    const methods = "/twirp/github.actions.results.api.v1.ArtifactService";
    expect({ exitCode, told: told.filter((line) => /^(?:POST|PUT) /.test(line)) }).toEqual({
      exitCode: 0,
      told: [
        `POST ${methods}/CreateArtifact: 200, n ms, attempt 1`,
        "PUT /blob/artifact-9001: 503, n ms, attempt 1",
        "PUT /blob/artifact-9001: 201, n ms, attempt 2",
        "PUT /blob/artifact-9001: 201, n ms, attempt 1",
        `POST ${methods}/FinalizeArtifact: 200, n ms, attempt 1`,
      ],
    });
    // Nor by what the library itself would say, which only a mask protects.
    expect(rawLog).not.toMatch(/sig=|eyJ|content-type"|signed_upload/);
  });

  test("does not double an extension that the name already has", async () => {
    await using service = await startArtifactService();
    await using run = await createUpload(service);
    const result = await run.upload({ name: "docs.tar.gz" });
    expect(result.artifact?.name).toBe("docs.tar.gz");
  });

  test("is deleted again when its bytes are not the verified ones", async () => {
    await using service = await startArtifactService();
    await using run = await createUpload(service);
    const result = await run.upload({ sha256: "0".repeat(64) });
    expect(result.error?.code).toBe("bundle-corrupt");
    expect(service.artifacts).toEqual([]);
  });

  test("keeps for the days asked for, and no longer than the repository allows", async () => {
    await using service = await startArtifactService();
    await using run = await createUpload(service);
    const asked = await run.upload({ name: "asked", retentionDays: 3 });
    const clamped = await run.upload({ name: "clamped", retentionDays: 80 }, { GITHUB_RETENTION_DAYS: "7" });
    const daysOf = (name: string) => {
      const { expiresAt, createdAt } = service.artifacts.find((one) => one.name === name) ?? {};
      return Math.round((Date.parse(expiresAt ?? "") - Date.parse(createdAt ?? "")) / 86_400_000);
    };
    expect(asked.artifact).toBeDefined();
    expect([daysOf("asked.tar.gz"), daysOf("clamped.tar.gz")]).toEqual([3, 7]);
    expect(clamped.log).toContain("the artifact is kept for 7 days");
  });
});

describe("other forms of an artifact", () => {
  test("zip holds the archive, not compressed a second time", async () => {
    await using service = await startArtifactService();
    await using run = await createUpload(service);
    const result = await run.upload({ kind: "zip" });
    expect(result.artifact?.name).toBe("docs");
    const bytes = await service.read("docs");
    expect(bytes.length).toBeLessThan(bundle.length + 1_000);
    expect(readZip(bytes)).toEqual(new Map([["bundle-4711.tar.gz", bundle]]));
  });

  test("site holds the files with their paths", async () => {
    await using service = await startArtifactService();
    await using run = await createUpload(service);
    const result = await run.upload({ kind: "site", path: run.site });
    expect(result.error).toBeUndefined();
    expect([...readZip(await service.read("docs")).keys()].sort()).toEqual([
      "guides/keys.html",
      "index.html",
    ]);
  });

  test("pages holds one tar of readable plain files, the same bytes for the same site", async () => {
    await using service = await startArtifactService();
    await using run = await createUpload(service);
    await mkdir(join(run.site, ".git"));
    await writeFile(join(run.site, ".git", "config"), "secret");
    for (const name of ["github-pages", "again"]) {
      const result = await run.upload({ kind: "pages", path: run.site, name });
      expect(result.error).toBeUndefined();
    }
    const [first, second] = await Promise.all(
      ["github-pages", "again"].map(async (name) => readZip(await service.read(name)).get("artifact.tar")),
    );
    expect(first).toEqual(second);
    const headers: object[] = [];
    const tar = extract();
    tar.end(first);
    for await (const entry of tar) {
      headers.push({ name: entry.header.name, type: entry.header.type, mode: entry.header.mode });
      entry.resume();
    }
    expect(headers).toEqual([
      { name: "guides/keys.html", type: "file", mode: 0o644 },
      { name: "index.html", type: "file", mode: 0o644 },
    ]);
  });

  test("pages without a start page is uploaded with a warning", async () => {
    await using service = await startArtifactService();
    await using run = await createUpload(service);
    const result = await run.upload({ kind: "pages", path: join(run.site, "guides") });
    expect(result.artifact).toBeDefined();
    expect(result.log).toContain("no index.html");
  });

  test.each(["site", "pages"] as const)(
    "%s refuses links and names that artifacts cannot hold",
    async (kind) => {
      await using service = await startArtifactService();
      await using run = await createUpload(service);
      await symlink("/etc/hostname", join(run.site, "host.html"));
      const linked = await run.upload({ kind, path: run.site });
      const named = join(run.folder, "named");
      await mkdir(named);
      await writeFile(join(named, "what?.html"), "");
      const misnamed = await run.upload({ kind, path: named });
      expect(linked.error).toMatchObject({
        code: "rejected",
        message: expect.stringContaining('"host.html"'),
      });
      expect(misnamed.error).toMatchObject({
        code: "rejected",
        message: expect.stringContaining('"what?.html"'),
      });
      expect(service.requests).toEqual([]);
    },
  );
});

describe("an upload that cannot be", () => {
  test("is refused before anything starts where the server's service is too old", () => {
    const hint = expect.stringContaining("actions/upload-artifact@v3");

    expect(() => requireArtifactService({ GITHUB_SERVER_URL: "https://git.corp.example" })).toThrow(
      expect.objectContaining({ code: "rejected", hint }),
    );
  });

  test("names the next step outside of a job before any request", async () => {
    await using service = await startArtifactService();
    await using run = await createUpload(service);
    const result = await run.upload({}, { ACTIONS_RUNTIME_TOKEN: "" });
    expect(result.error?.hint).toContain("upload: none");
    expect(service.requests).toEqual([]);
  });

  test("refuses a folder and an empty file as an archive instead of crashing", async () => {
    await using service = await startArtifactService();
    await using run = await createUpload(service);
    const empty = join(run.folder, "empty.zip");
    await writeFile(empty, "");
    for (const path of [run.site, empty]) {
      const result = await run.upload({ path });
      expect(result.error?.code).toBe("rejected");
    }
  });

  test("says that the storage is full, and does not try again", async () => {
    await using service = await startArtifactService();
    await using run = await createUpload(service);
    service.faults.add({ path: "CreateArtifact", fault: QUOTA_FAULT, times: Infinity });
    const result = await run.upload();
    expect(result.error).toMatchObject({ class: "quota", message: expect.stringContaining("storage") });
    expect(service.requests).toHaveLength(1);
  });

  test("does not repeat what the service refuses", async () => {
    await using service = await startArtifactService();
    await using run = await createUpload(service);
    const fault = twirpFault(403, { code: "permission_denied", message: "token expired" });
    service.faults.add({ path: "CreateArtifact", fault, times: Infinity });
    const result = await run.upload();
    expect(result.error?.code).toBe("forbidden");
    expect(service.requests).toHaveLength(1);
  });

  test("gives up after four attempts against a service that cuts every connection", async () => {
    await using service = await startArtifactService();
    await using run = await createUpload(service);
    service.faults.add({ path: "/twirp/", fault: { kind: "reset", when: "before" }, times: Infinity });
    const result = await run.upload();
    expect(result.error?.code).toBe("unreachable");
    expect(service.requests).toHaveLength(4);
  });

  test("does not take another job's artifact for its own", async () => {
    await using service = await startArtifactService();
    await using run = await createUpload(service);
    const first = await run.upload({ kind: "zip" });
    const second = await run.upload({ kind: "zip" });
    expect(first.artifact).toBeDefined();
    expect(second.error).toMatchObject({ code: "conflict", hint: expect.stringContaining("matrix") });
  });
});

describe("an upload that is disturbed", () => {
  test.each([
    [
      "before its answer to the last request",
      { path: "FinalizeArtifact", fault: { kind: "reset", when: "before" } },
    ],
    [
      "after the service had finished it",
      { path: "FinalizeArtifact", fault: { kind: "reset", when: "after" } },
    ],
    ["at a link that stopped working", { path: "/blob/", fault: { kind: "answer", status: 403 } }],
  ] as const)("fails %s, is not repeated, and says how to go on", async (_, rule) => {
    await using service = await startArtifactService({ interceptBlobs: true });
    await using run = await createUpload(service);
    service.faults.add(rule);
    const result = await run.upload({ sha256 });
    expect(result.error).toMatchObject({ code: "unavailable", hint: expect.stringContaining("`job-id`") });
    expect(service.requests.filter(({ path }) => path.includes("CreateArtifact"))).toHaveLength(1);
  });

  test("that was never created is repeated, and one whose creation was lost names the conflict", async () => {
    await using service = await startArtifactService();
    await using run = await createUpload(service);
    service.faults.add({ path: "CreateArtifact", fault: { kind: "reset", when: "before" } });
    const repeated = await run.upload({ kind: "zip" });
    expect(repeated.artifact?.name).toBe("docs");
    service.faults.add({ path: "CreateArtifact", fault: { kind: "reset", when: "after" } });
    const lost = await run.upload({ kind: "zip", name: "lost" });
    expect(lost.error).toMatchObject({ code: "conflict", message: expect.stringContaining('"lost"') });
  });

  test("notices a storage that accepts and never answers", async () => {
    await using service = await startArtifactService({ interceptBlobs: true });
    await using run = await createUpload(service);
    const { promise: never } = Promise.withResolvers<void>();
    service.faults.add({ path: "/blob/", fault: { kind: "hold", until: never }, times: Infinity });
    const result = await run.upload({}, { ACTIONS_ARTIFACT_UPLOAD_TIMEOUT_MS: "300" });
    expect(result.error?.message).toContain("stalled");
  });

  // A regular file of the kernel's whose every read fails: the library lets that error escape from a stream.
  test.skipIf(!existsSync(unreadableFile))("outlives a file that cannot be read", async () => {
    await using service = await startArtifactService();
    await using run = await createUpload(service);
    await using job = await run.start({ path: unreadableFile });
    const { outputs, exitCode } = await job.main();
    expect(exitCode).toBe(0);
    expect(JSON.parse(outputs["error"] ?? "")).toMatchObject({ code: "unavailable" });
    expect(service.artifacts.map(({ finalized }) => finalized)).not.toContainEqual(expect.anything());
  });

  test("ends at once when the workflow is cancelled", async () => {
    await using service = await startArtifactService({ interceptBlobs: true });
    await using run = await createUpload(service);
    const { promise: never } = Promise.withResolvers<void>();
    service.faults.add({ path: "/blob/", fault: { kind: "hold", until: never } });
    await using job = await run.start();
    const step = await job.startMain();
    await step.waitForLog(/Beginning upload/);
    step.signal("SIGINT");
    const { outputs, exitCode } = await step.result;
    expect(exitCode).toBe(0);
    expect(outputs["error"]).toContain("interrupted");
  });
});
