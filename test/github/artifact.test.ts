import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { createReadStream, existsSync, rmSync } from "node:fs";
import { open, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { DefaultArtifactClient } from "@actions/artifact";
import { extract } from "tar-stream";
import { describe, expect, test } from "vitest";
import { type ErrorReport, toErrorReport } from "../../src/base/errors.ts";
import { smallFileBytes, zipStream } from "../../src/base/zip-writer.ts";
import {
  allowedRetentionDays,
  type UploadArtifactOptions,
  type UploadedArtifact,
  uploadArtifact,
} from "../../src/github/artifact.ts";
import { requireArtifactService } from "../../src/github/results-service.ts";
import { verifyArchive } from "../support/archives.ts";
import {
  type ArtifactService,
  QUOTA_FAULT,
  startArtifactService,
  twirpFault,
} from "../support/artifact-service.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import type { RecordedRequest } from "../support/http-server.ts";
import { readZip } from "../support/read-zip.ts";
import { createRecordingLog } from "../support/recording-log.ts";
import { createRunnerFolders, DEFAULT_RUN, runnerVariables } from "../support/runner-environment.ts";
import { createFolder, createTemporaryFolder, readFolder } from "../support/temporary-folder.ts";

const actionFolder = fileURLToPath(new URL("../..", import.meta.url));
/** What some proxies respond while they are overloaded. */
const proxyRefusal = twirpFault(403, { code: "unavailable", message: "Error from intermediary" });
const unreadableFile = "/sys/class/net/lo/speed";
const bundle = randomBytes(300_000);
const sha256Of = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
const sha256 = sha256Of(bundle);

interface Upload {
  readonly artifact: UploadedArtifact | undefined;
  readonly error: ErrorReport | undefined;
  readonly log: string;
  readonly masked: readonly string[];
}

/** A service, files for an upload, and what uploads them to it. */
async function createUpload(options: Parameters<typeof startArtifactService>[0] = {}) {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startArtifactService(options));
  const folder = stack.use(
    await createFolder({
      "bundle-4711.tar.gz": bundle,
      "site/index.html": "<h1>Home</h1>",
      "site/guides/keys.html": "<h1>Keys</h1>",
    }),
  );
  const [file, site] = [join(folder.path, "bundle-4711.tar.gz"), join(folder.path, "site")];

  /** Uploads with the variables of a runner, which `environment` changes. */
  const upload = async (
    options: Partial<UploadArtifactOptions> = {},
    environment: Record<string, string> = {},
    signal = new AbortController().signal,
  ): Promise<Upload> => {
    const folders = createRunnerFolders(folder.path, {});
    const runner = runnerVariables(DEFAULT_RUN, { folders, actionFolder });
    const log = createRecordingLog();
    const masked: string[] = [];
    const deps = {
      environment: { ...runner, ...service.environment, ...environment },
      log,
      maskIssued: (secret: string) => void masked.push(secret),
      signal,
      clock: createFakeClock(Date.now()),
      random: () => 0.5,
    };
    const given = { kind: "archive", path: file, name: "docs", ...options } as const;
    const [artifact, error] = await uploadArtifact(given, deps).then(
      (uploaded) => [uploaded, undefined] as const,
      (thrown: unknown) => [undefined, toErrorReport(thrown)] as const,
    );
    return { artifact, error, log: log.lines.join("\n"), masked };
  };

  const owned = stack.move();
  return {
    ...{ service, folder: folder.path, file, site, upload },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

describe("an uploaded archive", () => {
  test.each(["docs", "docs.tar.gz"])(
    "holds the bundle's bytes as they are, with the file's extension once: %s",
    async (name) => {
      await using run = await createUpload();
      const result = await run.upload({ sha256, name });
      expect(result.artifact).toEqual({
        id: run.service.artifacts[0]?.id,
        name: "docs.tar.gz",
        url: `https://github.localhost/octo-org/widgets/actions/runs/7001/artifacts/${result.artifact?.id}`,
        digest: sha256,
      });
      expect(await run.service.read("docs.tar.gz")).toEqual(bundle);
      // The signature of the link.
      expect(result.masked).toEqual([expect.stringMatching(/^[\w+/=]{40,}$/)]);
    },
  );

  test("is put in blocks of four megabytes, so that an upload of any size takes little memory", async () => {
    await using run = await createUpload({ interceptBlobs: true });
    const large = randomBytes(9_000_000);
    await writeFile(run.file, large);
    const { artifact } = await run.upload();
    expect(artifact).toMatchObject({ digest: sha256Of(large) });
    expect((await run.service.read("docs.tar.gz")).equals(large)).toBe(true);
    const blocks = run.service.requests.filter(({ path }) => path.includes("comp=block&"));
    expect(blocks).toHaveLength(3);
  });

  test("sends what the artifact library sends", async () => {
    await using run = await createUpload({ interceptBlobs: true });
    await run.upload({ name: "ours", retentionDays: 3 });
    const ours = run.service.requests.map(describeRequest);
    const file = join(run.folder, "library.tar.gz");
    await writeFile(file, bundle);
    await withLibrary(run.service, (library) =>
      library.uploadArtifact("", [file], run.folder, { skipArchive: true, retentionDays: 3 }),
    );
    const theirs = run.service.requests.slice(ours.length).map(describeRequest);
    expect(ours).toEqual(theirs);
    expect(run.service.artifacts.map(({ mimeType, finalized }) => ({ mimeType, finalized }))).toEqual([
      { mimeType: "application/gzip", finalized: { size: bundle.length, digest: `sha256:${sha256}` } },
      { mimeType: "application/gzip", finalized: { size: bundle.length, digest: `sha256:${sha256}` } },
    ]);
  });

  test.each(["archive", "zip", "site"] as const)(
    "of the kind %s is downloaded by the artifact library",
    async (kind) => {
      await using run = await createUpload();
      const { artifact } = await run.upload({ kind, path: kind === "site" ? run.site : run.file });
      const path = join(run.folder, "downloaded");
      await withLibrary(run.service, async (library) => {
        const id = artifact?.id ?? 0;
        const expectedHash = `sha256:${artifact?.digest}`;
        expect(await library.downloadArtifact(id, { path, expectedHash })).toMatchObject({
          digestMismatch: false,
        });
      });
      const files = await readFolder(path);
      const pages = [
        ["guides/keys.html", "<h1>Keys</h1>"],
        ["index.html", "<h1>Home</h1>"],
      ] as const;
      if (kind === "site") expect(files).toEqual(new Map(pages));
      else expect(await readFile(join(path, ...files.keys()))).toEqual(bundle);
    },
  );

  test.each(["archive", "zip"] as const)(
    "of the kind %s is not published when its bytes are not the verified ones",
    async (kind) => {
      await using run = await createUpload();
      const result = await run.upload({ kind, sha256: "0".repeat(64) });
      expect(result.error?.code).toBe("bundle-corrupt");
      expect(run.service.artifacts).toMatchObject([{ finalized: undefined }]);
    },
  );

  test("keeps for the days asked for, and no longer than the repository allows", async () => {
    await using run = await createUpload();
    const asked = await run.upload({ name: "asked", retentionDays: 3 });
    const clamped = await run.upload({ name: "clamped", retentionDays: 80 }, { GITHUB_RETENTION_DAYS: "7" });
    const daysOf = (name: string) => {
      const { expiresAt, createdAt } = run.service.artifacts.find((one) => one.name === name) ?? {};
      return Math.round((Date.parse(expiresAt ?? "") - Date.parse(createdAt ?? "")) / 86_400_000);
    };
    expect(asked.artifact).toBeDefined();
    expect([daysOf("asked.tar.gz"), daysOf("clamped.tar.gz")]).toEqual([3, 7]);
    expect(clamped.log).toContain("the artifact is kept for 7 days");
  });
});

describe("other forms of an artifact", () => {
  test("zip holds the archive, not compressed a second time", async () => {
    await using run = await createUpload();
    const result = await run.upload({ kind: "zip", sha256 });
    expect(result.artifact?.name).toBe("docs");
    const bytes = await run.service.read("docs");
    expect(bytes.length).toBeLessThan(bundle.length + 1_000);
    expect(readZip(bytes)).toEqual(new Map([["bundle-4711.tar.gz", bundle]]));
  });

  test("pages holds one tar of readable plain files, the same bytes for the same site", async () => {
    await using run = await createUpload();
    for (const name of ["github-pages", "again"]) {
      const result = await run.upload({ kind: "pages", path: run.site, name });
      expect(result.error).toBeUndefined();
      await utimes(join(run.site, "index.html"), 0, 0);
    }
    const [first, second] = await Promise.all(
      ["github-pages", "again"].map(async (name) =>
        readZip(await run.service.read(name)).get("artifact.tar"),
      ),
    );
    expect(first).toEqual(second);
    const headers: object[] = [];
    const tar = extract();
    tar.end(first);
    for await (const entry of tar) {
      const { name, type, mode, mtime } = entry.header;
      headers.push({ name, type, mode, mtime });
      entry.resume();
    }
    expect(headers).toEqual([
      { name: "guides/keys.html", type: "file", mode: 0o644, mtime: new Date(0) },
      { name: "index.html", type: "file", mode: 0o644, mtime: new Date(0) },
    ]);
  });

  test("pages without a start page is uploaded with a warning", async () => {
    await using run = await createUpload();
    const result = await run.upload({ kind: "pages", path: join(run.site, "guides") });
    expect(result.artifact).toBeDefined();
    expect(result.log).toContain("no index.html");
  });
});

describe("allowedRetentionDays", () => {
  test.each([
    ["nothing where nothing was asked for", undefined, "7", undefined],
    ["a day", 1, "90", 1],
    ["as many days as the repository allows", 7, "7", 7],
    ["no more days than the repository allows", 8, "7", 7],
    ["no more than the day that the repository allows", 3, "1", 1],
    ["what was asked for where the runner names no limit", 80, undefined, 80],
    ["what was asked for where the limit is zero, which is none", 80, "0", 80],
    ["what was asked for where the limit is no number", 80, "many", 80],
  ])("asks for %s", (_name, days, limit, expected) => {
    const log = createRecordingLog();
    const kept = expected === 1 ? "1 day" : `${expected} days`;

    expect(allowedRetentionDays(days, { GITHUB_RETENTION_DAYS: limit }, log)).toBe(expected);
    const warnings = expected === days ? [] : [expect.stringContaining(`the artifact is kept for ${kept}.`)];
    expect(log.lines).toStrictEqual(warnings);
  });
});

describe("an upload that cannot be", () => {
  test.each(["git.corp.example", "docs.ghe.com.corp.example", "github.com.corp.example", "ghe.com"])(
    "is refused before anything starts where the server's service is too old: %s",
    (host) => {
      const hint = expect.stringContaining("actions/upload-artifact@v3");

      expect(() => requireArtifactService({ GITHUB_SERVER_URL: `https://${host}` })).toThrow(
        expect.objectContaining({ code: "rejected", hint }),
      );
    },
  );

  test("names the next step outside of a job", () => {
    const hint = expect.stringContaining("upload: none");

    expect(() =>
      requireArtifactService({ ACTIONS_RESULTS_URL: "https://a", ACTIONS_RUNTIME_TOKEN: "" }),
    ).toThrow(expect.objectContaining({ code: "rejected", hint }));
  });

  test.each([
    ["CreateArtifact", "CreateArtifact", QUOTA_FAULT],
    ["FinalizeArtifact", "FinalizeArtifact", QUOTA_FAULT],
    [
      "FinalizeArtifact in other words",
      "FinalizeArtifact",
      twirpFault(403, { code: "permission_denied", message: "Artifact storage quota has been hit" }),
    ],
  ])("says that the storage is full, and does not try again: %s", async (_name, path, fault) => {
    await using run = await createUpload();
    run.service.faults.add({ path, fault, times: Infinity });
    const { error } = await run.upload();
    expect(error).toMatchObject({
      code: "rate-limited",
      class: "quota",
      message: expect.stringContaining("storage of this account is full"),
      hint: expect.stringContaining("Delete artifacts"),
    });
    expect(run.service.requests.filter((request) => request.path.includes(path))).toHaveLength(1);
  });

  test.each(["CreateArtifact", "FinalizeArtifact"])("does not repeat what %s refuses", async (path) => {
    await using run = await createUpload();
    const fault = twirpFault(403, { code: "permission_denied", message: "token expired" });
    run.service.faults.add({ path, fault, times: Infinity });
    const result = await run.upload();
    expect(result.error?.code).toBe("forbidden");
    expect(run.service.requests.filter((request) => request.path.includes(path))).toHaveLength(1);
  });

  test("names a service that cannot be reached at the end", async () => {
    await using run = await createUpload();
    const fault = { kind: "reset", when: "before" } as const;
    run.service.faults.add({ path: "FinalizeArtifact", fault, times: Infinity });
    const { error } = await run.upload();
    expect(error).toMatchObject({
      code: "unreachable",
      hint: expect.stringContaining("allow its addresses"),
    });
  });

  test.each([302, 400, 404])("does not take a %i for an expired token", async (status) => {
    await using run = await createUpload();
    run.service.faults.add({ path: "CreateArtifact", fault: { kind: "answer", status } });
    const { error } = await run.upload();
    const hint = expect.not.stringContaining("token");
    expect(error).toMatchObject({ code: "unexpected-response", class: "github", hint });
    expect(run.service.requests).toHaveLength(1);
  });

  test("gives up after four attempts against a service that cuts every connection", async () => {
    await using run = await createUpload();
    run.service.faults.add({ path: "/twirp/", fault: { kind: "reset", when: "before" }, times: Infinity });
    const result = await run.upload();
    expect(result.error?.code).toBe("unreachable");
    expect(run.service.requests).toHaveLength(4);
    expect(result.log.match(/Trying again \(.*/g)).toStrictEqual(
      [2, 3, 4].map((n) => `Trying again (${n} of 4).`),
    );
  });

  test.each([
    [429, 4],
    [503, 4],
    [200, 1],
  ])(
    "says that the service does not work, not that it cannot be reached, after a %i",
    async (status, sent) => {
      await using run = await createUpload();
      run.service.faults.add({
        path: "/twirp/",
        fault: { kind: "answer", status, body: "{}" },
        times: Infinity,
      });
      const { error } = await run.upload();
      expect(error).toMatchObject({ code: "unavailable", hint: expect.stringMatching(/^Re-run the job/) });
      expect(run.service.requests).toHaveLength(sent);
    },
  );

  test.each(['{"ok":true}', '{"ok":false,"artifact_id":"5"}', '{"artifact_id":"5"}'])(
    "is no success if the service ends it with %s",
    async (body) => {
      await using run = await createUpload();
      const fault = { kind: "answer", status: 200, body } as const;
      run.service.faults.add({ path: "FinalizeArtifact", fault });
      const { artifact, error } = await run.upload();
      expect(artifact).toBeUndefined();
      expect(error).toMatchObject({ code: "unavailable", message: expect.stringContaining("artifact's id") });
    },
  );

  test("does not take another job's artifact for its own", async () => {
    await using run = await createUpload();
    const first = await run.upload({ kind: "zip" });
    const second = await run.upload({ kind: "zip" });
    expect(first.artifact).toBeDefined();
    expect(second.error).toMatchObject({ code: "conflict", hint: expect.stringContaining("matrix") });
  });
});

describe("an upload that is disturbed", () => {
  test.each([
    ["its storage", { path: "comp=block&", fault: { kind: "reset", when: "before" } }],
    ["its storage, after a block arrived", { path: "comp=block&", fault: { kind: "reset", when: "after" } }],
    ["its storage at the list of blocks", { path: "comp=blocklist", fault: { kind: "answer", status: 500 } }],
    ["the service at its end", { path: "FinalizeArtifact", fault: { kind: "reset", when: "before" } }],
    ["the service after its end", { path: "FinalizeArtifact", fault: { kind: "reset", when: "after" } }],
    ["a proxy in front of the service", { path: "CreateArtifact", fault: proxyRefusal }],
  ] as const)("by %s sends that request again", async (_, rule) => {
    await using run = await createUpload({ interceptBlobs: true });
    run.service.faults.add(rule);
    const { artifact, log } = await run.upload({ sha256 });
    expect(artifact?.digest).toBe(sha256);
    expect(log).toContain("Trying again (2 of 4).");
    expect(await run.service.read("docs.tar.gz")).toEqual(bundle);
  });

  test("at a link that stopped working fails at once, is not started again, and says how to continue", async () => {
    await using run = await createUpload({ interceptBlobs: true });
    const body = "<?xml version='1.0'?><Error><Code>AuthenticationFailed</Code></Error>";
    run.service.faults.add({ path: "/blob/", fault: { kind: "answer", status: 403, body } });
    const { error } = await run.upload({ sha256 });
    expect(error).toMatchObject({
      code: "unavailable",
      hint: expect.stringContaining("is resumed, not repeated"),
    });
    expect(error?.message).toContain("response 403: AuthenticationFailed");
    expect(run.service.requests.map(({ path }) => path.replace(/^.*\/|\?.*$/g, ""))).toEqual([
      "CreateArtifact",
      "artifact-9001",
    ]);
  });

  test("that was never created is repeated, and one whose creation was lost names the conflict", async () => {
    await using run = await createUpload();
    run.service.faults.add({ path: "CreateArtifact", fault: { kind: "reset", when: "before" } });
    const repeated = await run.upload({ kind: "zip" });
    expect(repeated.artifact?.name).toBe("docs");
    run.service.faults.add({ path: "CreateArtifact", fault: { kind: "reset", when: "after" } });
    const lost = await run.upload({ kind: "zip", name: "lost" });
    expect(lost.error).toMatchObject({
      code: "conflict",
      message: expect.stringContaining('"lost"'),
      hint: expect.stringContaining("response was lost: re-run"),
    });
  });

  test("notices a storage that accepts and never responds", async () => {
    await using run = await createUpload({ interceptBlobs: true });
    const { promise: never } = Promise.withResolvers<void>();
    run.service.faults.add({ path: "/blob/", fault: { kind: "hold", until: never }, times: Infinity });
    const result = await run.upload({}, { ACTIONS_ARTIFACT_UPLOAD_TIMEOUT_MS: "100" });
    expect(result.error).toMatchObject({ code: "unavailable", message: expect.stringContaining("0.1 s") });
  });

  test.each([
    ["ACTIONS_ARTIFACT_UPLOAD_TIMEOUT_MS", "-5"],
    ["ACTIONS_ARTIFACT_UPLOAD_TIMEOUT_MS", "99999999999"],
    ["ACTIONS_ARTIFACT_UPLOAD_TIMEOUT_MS", "soon"],
    ["ACTIONS_ARTIFACT_UPLOAD_CONCURRENCY", "1e12"],
  ])("succeeds where the workflow sets %s to %s", async (name, value) => {
    await using run = await createUpload();
    const { error } = await run.upload({}, { [name]: value });
    expect(error).toBeUndefined();
    expect(run.service.artifacts).toHaveLength(1);
  });

  // A regular file of the kernel's whose every read fails.
  test.skipIf(!existsSync(unreadableFile))("fails for a file that cannot be read", async () => {
    await using run = await createUpload();
    const { error } = await run.upload({ path: unreadableFile });
    expect(error?.code).toBe("unavailable");
    expect(run.service.artifacts).toMatchObject([{ finalized: undefined }]);
  });

  test("stops all connections at the first block that is refused", async () => {
    await using run = await createUpload({ interceptBlobs: true });
    await writeFile(run.file, Buffer.alloc(60_000_000));
    run.service.faults.add({ path: "comp=block&", fault: { kind: "answer", status: 403 }, times: Infinity });
    const { error } = await run.upload({}, { ACTIONS_ARTIFACT_UPLOAD_CONCURRENCY: "2" });
    expect(error?.code).toBe("unavailable");
    expect(run.service.requests.filter(({ path }) => path.includes("/blob/")).length).toBeLessThanOrEqual(2);
  });

  test("ends at once when the workflow is cancelled", async () => {
    await using run = await createUpload({ interceptBlobs: true });
    const { promise: never } = Promise.withResolvers<void>();
    const cancellation = new AbortController();
    const onMeet = () => cancellation.abort(new Error("cancelled"));
    run.service.faults.add({ path: "/blob/", fault: { kind: "hold", until: never }, onMeet });
    const { error } = await run.upload({}, {}, cancellation.signal);
    // The reason itself, not an error of the upload that contains it.
    expect(error?.message).toBe("Error: cancelled");
  });

  test("reads no further file of a site when the workflow is cancelled", async () => {
    await using run = await createUpload();
    const files = [join(run.site, "guides", "keys.html"), join(run.site, "index.html")] as const;
    // A smaller file would be read in one call.
    for (const file of files) await writeFile(file, Buffer.alloc(smallFileBytes + 1));
    const cancellation = new AbortController();
    const { promise: created, resolve } = Promise.withResolvers<void>();
    // After the files have been listed, each becomes a pipe: who opens it waits for the other side.
    const onMeet = () => {
      for (const file of files) rmSync(file);
      spawnSync("mkfifo", files);
      resolve();
    };
    run.service.faults.add({ path: "CreateArtifact", fault: { kind: "hold", until: created }, onMeet });

    const uploading = run.upload({ kind: "site", path: run.site }, {}, cancellation.signal);
    await created;
    const first = await open(files[0], "w");
    cancellation.abort(new Error("cancelled"));
    await first.close();

    expect((await uploading).error?.message).toBe("Error: cancelled");
  });
});

describe("a zip that is written while it is read", () => {
  test("is the same for every reader, also with an empty file", async () => {
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "site.zip");
    const files = {
      "a/index.html": "<h1>Übersicht</h1>".repeat(40_000),
      "b.txt": "",
      "c.bin": randomBytes(9_000),
    };
    const sources = Object.entries(files).map(([name, content]) => {
      const bytes = Buffer.from(content);
      return { path: name, size: bytes.length, content: () => Readable.from([bytes]) };
    });
    await writeFile(path, zipStream(sources, 6));
    expect(readZip(await readFile(path))).toEqual(
      new Map(Object.entries(files).map(([name, content]) => [name, Buffer.from(content)])),
    );
    expect(await verifyArchive(path)).toMatchObject({ format: "zip", files: 3 });
  });

  test.each([0, 1_000])(
    "leaves turns for other work between thousands of files of %i bytes",
    async (size) => {
      const content = Buffer.alloc(size);
      const sources = Array.from({ length: 5_000 }, (_, index) => ({
        path: `page-${index}.html`,
        size: content.length,
        content: () => [content],
      }));
      let turns = 0;
      let next: NodeJS.Immediate;
      const countTurns = () => {
        turns += 1;
        next = setImmediate(countTurns);
      };
      next = setImmediate(countTurns);
      await Array.fromAsync(zipStream(sources, 6));
      clearImmediate(next);
      // One for each thousand of them.
      expect(turns).toBeGreaterThanOrEqual(4);
    },
  );

  test("names lengths above 4 GiB in eight bytes", async () => {
    const source = { path: "a", size: 5_000_000_000, content: () => Readable.from([Buffer.from("short")]) };
    const bytes = Buffer.concat(await Array.fromAsync(zipStream([source], 0)));
    // The local header: 30 bytes, the name, and the extra field of zip64 with two lengths that are not known yet.
    expect(bytes.subarray(18, 26)).toEqual(Buffer.alloc(8, 0xff));
    expect(bytes.subarray(31, 51)).toEqual(Buffer.from([1, 0, 16, 0, ...Buffer.alloc(16)]));
    const descriptor = bytes.indexOf(Buffer.from([0x50, 0x4b, 0x07, 0x08]));
    expect(bytes.readBigUInt64LE(descriptor + 16)).toBe(5n);
    expect(bytes.readUInt32LE(descriptor + 24)).toBe(0x02014b50);
  });

  test("closes its file when nothing reads it any more", async () => {
    let isClosed = false;
    async function* content() {
      try {
        for (;;) yield randomBytes(100_000);
      } finally {
        isClosed = true;
      }
    }
    const stream = zipStream([{ path: "a", size: 1_000_000_000, content }], 6);
    for (let part = 0; part < 3; part += 1) await stream.next();
    await stream.return(undefined);
    await expect.poll(() => isClosed).toBe(true);
  });

  test("fails where a file cannot be read", async () => {
    const source = { path: "a", size: 5, content: () => createReadStream("/no/such/file") };
    await expect(Array.fromAsync(zipStream([source], 6))).rejects.toThrow("ENOENT");
  });
});

/** A request without what differs between two uploads: names, identifiers, times and bytes. */
function describeRequest({ method, path, body }: RecordedRequest) {
  const fields = Object.keys(body ?? {}).sort();
  const plain = path.replace(/artifact-\d+/, "artifact").replace(/(sig|se|st)=[^&]+/g, "$1=");
  const query = [...new URLSearchParams(plain.split("?")[1])].filter(([name]) => name.startsWith("comp"));
  return { method, path: plain.split("?")[0], query, fields };
}

/** The library reads the environment of its process. */
async function withLibrary<T>(service: ArtifactService, use: (library: DefaultArtifactClient) => Promise<T>) {
  const variables = { ...service.environment, GITHUB_SERVER_URL: "https://github.localhost" };
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  try {
    return await use(new DefaultArtifactClient());
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}
