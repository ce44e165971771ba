/**
 * `npm run test:image [-- BASE]`: builds the image with podman, from the base that is named, with the line of `docs/self-hosting.md`; runs it
 * with the lines of `docs/local-platform.md`; and runs it as the chart does: the migration, then a web replica and two workers, with real
 * Postgres and a real S3 gateway. A site is exported through the replica, and all end at SIGTERM. For Linux; inside a container, podman needs
 * PODMAN_FLAGS="--storage-driver vfs --runtime runc --cgroup-manager cgroupfs" and BUILDAH_ISOLATION=chroot.
 */
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { findFreePort, run } from "../test/engines/engine.ts";
import { startGateway } from "../test/engines/gateway.ts";
import { startPostgres } from "../test/engines/postgres.ts";
import { takeBlock } from "../test/support/page-blocks.ts";
import { createTemporaryFolder } from "../test/support/temporary-folder.ts";
import { startProcess } from "../test/support/watched-process.ts";

const [base] = process.argv.slice(2);
const root = fileURLToPath(new URL("..", import.meta.url));
const podmanFlags = (process.env["PODMAN_FLAGS"] ?? "").split(" ").filter(Boolean);
const [buildLine = "", image = ""] =
  /^podman build --tag (\S+) \..*$/m.exec(takeBlock("docs/self-hosting.md#in-a-cluster/1")) ?? [];

await run("podman", ["--version"]).catch((error: unknown) => {
  throw new Error("This test needs podman (apt-get install podman runc).", { cause: error });
});

/** Starts a page's line at the top of the repository; `flags` are what this machine needs besides. */
function startLine(line: string, flags: readonly string[]) {
  const podman = `podman() { command podman ${[...podmanFlags, '"$1"', ...flags].join(" ")} "\${@:2}"; }`;
  return startProcess("bash", ["-euc", `${podman}\n${line}`], { cwd: root, withChildren: true });
}

const build = startLine(buildLine, ["--layers", ...(base === undefined ? [] : [`--build-arg=BASE=${base}`])]);
if ((await build.ended) !== 0) throw new Error(`The image was not built:\n${build.output()}`);

await using postgres = await startPostgres();
await using gateway = await startGateway();
await using folder = await createTemporaryFolder("image-");
const adminKey = `svc_${randomBytes(24).toString("hex")}`;
const environment = {
  DOCS_PLATFORM_DATABASE_URL: await postgres.createDatabase(),
  DOCS_PLATFORM_ADMIN_KEY: adminKey,
  DOCS_PLATFORM_ASSISTANT_KEY: `svc_dsc_${randomBytes(24).toString("hex")}`,
  AWS_ACCESS_KEY_ID: gateway.accessKeyId,
  AWS_SECRET_ACCESS_KEY: gateway.secretAccessKey,
  AWS_REGION: gateway.region,
};
const bucket = [`--bucket=s3://${await gateway.createBucket()}`, `--bucket-endpoint=${gateway.endpoint}`];

await using containers = new AsyncDisposableStack();

/** A container with what the chart gives one, on this machine's network. */
function startContainer(part: string, args: readonly string[]) {
  const name = `docs-automation-test-${part}`;
  containers.defer(async () => {
    await run("podman", [...podmanFlags, "rm", "--force", "--ignore", "--time=1", name]);
  });
  const command = [
    ...[...podmanFlags, "run", "--rm", "--replace", "--name", name],
    ...["--read-only", "--cap-drop=all", "--security-opt=no-new-privileges", "--network=host"],
    // A container in a container cannot have more.
    ...["--ulimit=nofile=1024:1024", "--ulimit=nproc=1024:1024"],
    ...["--tmpfs=/data:mode=1777", "--tmpfs=/tmp:mode=1777", `--volume=${root}docs:/docs:ro`],
    ...Object.keys(environment).map((variable) => `--env=${variable}`),
    ...[image, "platform", ...args],
  ];
  return startProcess("podman", command, { env: { ...process.env, ...environment } });
}

async function startReplica(name: string, role: "web" | "worker") {
  const port = await findFreePort();
  const flags = ["--docs=/docs", "--data=/data", `--role=${role}`, `--port=${port}`, ...bucket];
  const container = startContainer(name, flags);
  const url = `http://127.0.0.1:${port}`;
  await container.waitFor(/^Documentation platform: /m);
  const ready = await fetch(`${url}/readyz`);
  if (!ready.ok) throw new Error(`${name} is not ready: ${await ready.text()}`);
  return { name, url, container };
}

/** Starts the platform as `docs/local-platform.md` does, but with a volume of its own, and looks whether it is ready. */
async function runPage(): Promise<void> {
  const [name, volume] = [
    "docs-automation-test-page",
    `docs-automation-test-${randomBytes(4).toString("hex")}`,
  ];
  await using ends = new AsyncDisposableStack();
  ends.defer(async () => {
    await run("podman", [...podmanFlags, "rm", "--force", "--ignore", "--time=1", "--volumes", name]);
    await run("podman", [...podmanFlags, "volume", "rm", "--force", volume]);
  });
  const lines = takeBlock("docs/local-platform.md/3").replace("docs-platform:", `${volume}:`);
  const limits = ["--ulimit=nofile=1024:1024", "--ulimit=nproc=1024:1024"];
  const server = startLine(lines, [`--name=${name}`, "--replace", "--network=host", ...limits]);
  const [, url = ""] = await server.waitFor(/^Documentation platform: (\S+)$/m);
  const ready = await fetch(`${url}/readyz`);
  if (!ready.ok) throw new Error(`The platform of the page is not ready: ${await ready.text()}`);
  await run("podman", [...podmanFlags, "stop", name]);
  const code = await server.ended;
  if (code !== 0) throw new Error(`The platform of the page ended with ${code}:\n${server.output()}`);
}

await runPage();
const migration = startContainer("migrate", ["--migrate"]);
if ((await migration.ended) !== 0) throw new Error(`The migration failed:\n${migration.output()}`);

const replicas = [
  await startReplica("web", "web"),
  await startReplica("worker-1", "worker"),
  await startReplica("worker-2", "worker"),
];
const user = await run("podman", [...podmanFlags, "exec", "docs-automation-test-web", "id", "-u"]);
if (user.stdout.trim() !== "1000") throw new Error(`The container runs as ${user.stdout}`);

const { stdout } = await run(
  process.execPath,
  [
    ...[`${root}src/main.ts`, "export", `--base-url=${replicas[0]?.url}`, "--domain=localhost", "--json"],
    "--output-dir=site",
  ],
  { cwd: folder.path, env: { ...process.env, DOCS_PLATFORM_API_KEY: adminKey } },
);
console.log(`Exported: ${JSON.parse(stdout)["bundle-path"]}`);

for (const { name, container } of replicas) {
  const code = await container.end("SIGTERM");
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${container.output()}`);
}
console.log("The image was built; a web replica and two workers ran, and ended at SIGTERM.");
