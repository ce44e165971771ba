/**
 * `npm run test:image [-- BASE]`: builds the image with podman, from the base that is named, and runs it as the chart does: the migration,
 * then a web replica and two workers, with real Postgres and a real S3 gateway. A site is exported through the replica, and all end at
 * SIGTERM. For Linux; inside a container, podman needs
 * PODMAN_FLAGS="--storage-driver vfs --runtime runc --cgroup-manager cgroupfs" and BUILDAH_ISOLATION=chroot.
 */
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { findFreePort, run } from "../test/engines/engine.ts";
import { startGateway } from "../test/engines/gateway.ts";
import { startPostgres } from "../test/engines/postgres.ts";
import { createTemporaryFolder } from "../test/support/temporary-folder.ts";
import { startProcess } from "../test/support/watched-process.ts";

const [base] = process.argv.slice(2);
const root = fileURLToPath(new URL("..", import.meta.url));
const podmanFlags = (process.env["PODMAN_FLAGS"] ?? "").split(" ").filter(Boolean);
const image = "localhost/docs-automation-test";

await run("podman", ["--version"]).catch((error: unknown) => {
  throw new Error("This test needs podman (apt-get install podman runc).", { cause: error });
});
const build = startProcess("podman", [
  ...podmanFlags,
  ...["build", "--layers", "--tag", image],
  ...(base === undefined ? [] : ["--build-arg", `BASE=${base}`]),
  root,
]);
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
