import { randomBytes } from "node:crypto";
import { cp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { AgentJob } from "../../src/client/contract.ts";
import { buildTarGz } from "../support/archives.ts";
import { startHttpServer } from "../support/http-server.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { startProcess } from "../support/watched-process.ts";
import { createRepository, git } from "./agents/agent-platform.ts";
import { startPlatformProcess } from "./platform-process.ts";
import { startTestPlatform, until } from "./test-platform.ts";

async function createDocuments() {
  const folder = await createTemporaryFolder();
  await writeFile(join(folder.path, "index.md"), "# Welcome\n");
  return folder;
}

test.each([
  ["none", "does not exist"],
  ["index.md", "is a file"],
])("a platform is not started on documents in %s", async (path, problem) => {
  await using docs = await createDocuments();
  const started = startTestPlatform({ docsDir: join(docs.path, path) });
  await expect(started).rejects.toThrow(`The folder of documents ${join(docs.path, path)} ${problem}.`);
});

describe("the platform's command line", () => {
  test("prints generated keys once, and stores them", async () => {
    await using docs = await createDocuments();
    await using data = await createTemporaryFolder();
    const args = ["--docs", docs.path, "--data", data.path];

    const first = startPlatformProcess(args);
    await first.url;
    const firstEnd = await first.end("SIGTERM");
    await using second = startPlatformProcess(args);
    const url = await second.url;

    const key = /svc_[0-9a-f]{48}/.exec(first.output())?.[0] ?? "";
    const response = await fetch(`${url}/v1/static-export/jobs/se_none`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(firstEnd).toBe(0);
    expect(response.status).toBe(404);
    expect(second.output()).not.toContain("svc_");
    expect((await stat(join(data.path, "keys.json"))).mode & 0o777).toBe(0o600);
  });

  test("serves a client that is still sending when its body is refused as too long", async () => {
    await using docs = await createDocuments();
    await using platform = startPlatformProcess(["--docs", docs.path], {
      DOCS_PLATFORM_ADMIN_KEY: "svc_mine",
    });
    const headers = { authorization: "Bearer svc_mine", "content-type": "application/json" };
    const body = Buffer.alloc(10 * 1024 * 1024, "x");
    const statuses = new Set<unknown>();
    for (let time = 0; time < 20; time += 1)
      statuses.add(
        await fetch(`${await platform.url}/v1/static-export/jobs`, { method: "POST", headers, body }).then(
          ({ status }) => status,
          ({ cause }: Error) => cause,
        ),
      );

    expect([...statuses]).toEqual([413]);
  });

  test("reads keys from the environment, and neither prints nor stores them", async () => {
    await using docs = await createDocuments();
    await using data = await createTemporaryFolder();
    const environment = { DOCS_PLATFORM_ADMIN_KEY: "svc_mine", DOCS_PLATFORM_ASSISTANT_KEY: "svc_dsc_mine" };

    await using platform = startPlatformProcess(["--docs", docs.path, "--data", data.path], environment);
    const response = await fetch(`${await platform.url}/v1/static-export/jobs/se_none`, {
      headers: { authorization: "Bearer svc_mine" },
    });

    expect(response.status).toBe(404);
    expect(platform.output()).not.toContain("mine");
    await expect(readFile(join(data.path, "keys.json"))).rejects.toThrow("ENOENT");
  });

  test("runs agent jobs with a relative data directory", async () => {
    await using repository = await createRepository();
    const data = join(repository.path, "data");
    const environment = { DOCS_PLATFORM_ADMIN_KEY: "svc_mine" };
    const paths = { docs: join(repository.root, "docs"), data };
    const args = Object.entries(paths).flatMap(([name, path]) => [`--${name}`, relative("", path)]);

    await using platform = startPlatformProcess(
      [...args, "--agent-command", "sh -c 'cat > docs/new.md; pwd >> docs/new.md'"],
      environment,
    );
    const request = { headers: { authorization: "Bearer svc_mine", "content-type": "application/json" } };
    const jobsUrl = `${await platform.url}/v2/agent/p1/job`;
    const created = await fetch(jobsUrl, { ...request, method: "POST", body: '{"prompt":"Work"}' });
    const { id } = AgentJob.parse(await created.json());
    const job = await until(
      async () => AgentJob.parse(await (await fetch(`${jobsUrl}/${id}`, request)).json()),
      ({ status }) => status !== "active",
    );

    expect(job.status, platform.output()).toBe("completed");
    const text = await git(repository.root, "show", `docs-agent/${id}:docs/new.md`);
    expect(text).toContain(join(data, "agents", "worktrees"));
  });

  test("rejects a data directory while another platform uses it", async () => {
    await using docs = await createDocuments();
    await using data = await createTemporaryFolder();
    const args = ["--docs", docs.path, "--data", data.path];
    await using first = startPlatformProcess(args);
    await first.url;

    await using second = startPlatformProcess(args);
    const refusal = await second.ended;
    await first.end("SIGKILL");
    await using third = startPlatformProcess(args);

    expect(refusal).toBe(1);
    expect(second.output()).toContain("Another local platform is using the data directory");
    await expect(third.url).resolves.toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  test("completes responses in progress during shutdown, and accepts no more requests", async () => {
    await using folder = await createTemporaryFolder();
    const bundle = join(folder.path, "bundle.tar.gz");
    const body = randomBytes(16 << 20);
    await writeFile(bundle, buildTarGz([{ name: "large.bin", body }]));
    await using server = startPlatformProcess([
      "--serve-bundle",
      bundle,
      "--data",
      join(folder.path, "data"),
    ]);
    const url = await server.url;

    const slow = await fetch(`${url}/large.bin`);
    const ended = server.end("SIGTERM");
    await until(
      async () =>
        (await fetch(`${url}/livez`).then(
          () => "open",
          () => "closed",
        )) === "closed",
    );
    const received = Buffer.from(await slow.arrayBuffer());

    expect(received.equals(body)).toBe(true);
    expect(await ended).toBe(0);
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s leaves no temporary files", async (signal) => {
    await using docs = await createDocuments();
    await using temporary = await createTemporaryFolder();
    const platform = startPlatformProcess(["--docs", docs.path], { TMPDIR: temporary.path });
    await platform.url;
    const used = await readdir(temporary.path);

    expect(await platform.end(signal)).toBe(0);
    expect(used).not.toEqual([]);
    expect(await readdir(temporary.path)).toEqual([]);
  });

  test("names the option for another port if the port is in use, and prints generated keys at the next start", async () => {
    await using docs = await createDocuments();
    await using data = await createTemporaryFolder();
    await using other = await startHttpServer(() => new Response());
    const args = ["--docs", docs.path, "--data", data.path];
    await using first = startPlatformProcess([...args, "--port", new URL(other.url).port]);
    expect(await first.ended).toBe(1);
    expect(first.output()).toMatch(
      /^Cannot listen on 127\.0\.0\.1:\d+ \(.*EADDRINUSE.*\)\.\nChoose another `--port` or `--host`, or stop/,
    );

    await using second = startPlatformProcess(args);
    await second.url;
    await second.waitFor(/svc_[0-9a-f]{48}[\s\S]*svc_dsc_[0-9a-f]{48}/);
  });

  test("prints how to install the packages in a clone", async () => {
    await using clone = await createTemporaryFolder();
    await cp(fileURLToPath(new URL("../../src", import.meta.url)), join(clone.path, "src"), {
      recursive: true,
    });
    await writeFile(join(clone.path, "package.json"), '{ "type": "module", "version": "1.0.0" }');
    const started = startProcess(process.execPath, [
      join(clone.path, "src/server/cluster/main.ts"),
      ...["platform", "--role", "worker"],
    ]);

    expect(await started.ended).toBe(1);
    expect(started.output()).toMatch(
      /^Cannot find package .*\nInstall the packages first: `npm ci --omit=dev`, in the clone\.\n$/,
    );
  });

  test.each([
    [["--docs", ".", "--plan", "free"], "--plan: "],
    [["--docs", "nowhere"], "nowhere does not exist.\nSet `docs-dir` (`--docs` of `platform`) to the folder"],
    [["--docs", "/etc", "--agent-command", "true"], "Serve documents from a git repository"],
    [
      ["--sites", "a"],
      "--sites: this needs the container image or a clone; in a clone, run `npm ci --omit=dev` once, and then `npm run server",
    ],
  ])("reports the problem of %j and exits with 1", async (args, message) => {
    await using platform = startPlatformProcess(args);

    expect(await platform.ended).toBe(1);
    expect(platform.output()).toContain(message);
  });

  test("rejects a key with the prefix of another class", async () => {
    await using docs = await createDocuments();
    const keys = { admin: "svc_dsc_public" };

    await expect(startTestPlatform({ docsDir: docs.path, keys })).rejects.toThrow(
      "admin key must start with svc_, not with svc_dsc_.",
    );
  });

  test("names the file of its keys if it is damaged", async () => {
    await using data = await createTemporaryFolder();
    await writeFile(join(data.path, "keys.json"), '{"admin":"svc_');

    await expect(startTestPlatform({ dataDir: data.path })).rejects.toThrow(
      `The keys in ${join(data.path, "keys.json")} cannot be read.`,
    );
  });

  test("rejects two keys that are the same", async () => {
    await using docs = await createDocuments();
    const keys = { admin: "svc_one", read: "svc_one" };

    await expect(startTestPlatform({ docsDir: docs.path, keys })).rejects.toThrow("keys are the same");
  });

  test("prints its options for --help and exits with 0", async () => {
    await using platform = startPlatformProcess(["--help"]);

    expect(await platform.ended).toBe(0);
    expect(platform.output()).toContain("--docs DIR");
  });
});
