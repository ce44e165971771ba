/** Real object storage on the loopback interface: Ceph's S3 gateway with one monitor and one in-memory disk. */
import { randomBytes, randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { WatchedProcess } from "../support/watched-process.ts";
import { createEngineFolder, findFreePort, installEngines, run, startEngineProcess } from "./engine.ts";
import { presign } from "./presign.ts";

/** An S3 server for the tests; disposal removes it and its data. */
export interface Gateway extends AsyncDisposable {
  /** Its origin without a trailing slash; buckets are paths below it. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Creates an empty bucket; returns its name. */
  createBucket(): Promise<string>;
  /** Names of the objects of a bucket. */
  list(bucket: string): Promise<string[]>;
  /** Kills the gateway: requests fail, and its objects are kept. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

let shared: Promise<Gateway> | undefined;

/** The gateway of all test files of a run. Each file has its own buckets, and restarts a gateway that it killed. */
export function sharedGateway(): Promise<Gateway> {
  shared ??= startGateway();
  return shared;
}

/** Starts a gateway; installs it if it is missing. */
export async function startGateway(): Promise<Gateway> {
  await installEngines();
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createEngineFolder("gateway-"));
  const [monitorPort, port] = [await findFreePort(), await findFreePort()];
  await startCluster(folder.path, monitorPort, port, stack);

  const configuration = join(folder.path, "ceph.conf");
  const [accessKeyId, secretAccessKey] = ["TESTS", randomBytes(20).toString("hex")];
  const keys = ["--access-key", accessKeyId, "--secret-key", secretAccessKey];
  const user = ["user", "create", "--uid", "tests", "--display-name", "tests"];
  await run("radosgw-admin", ["-c", configuration, ...user, ...keys]);

  const endpoint = `http://127.0.0.1:${port}`;
  let gateway: WatchedProcess | undefined;
  const kill = async () => {
    await gateway?.end("SIGKILL");
    gateway = undefined;
  };
  const start = async () => {
    gateway ??= startDaemon(["radosgw", "-n", "client.admin"], configuration);
    await waitUntilAnswering(endpoint, gateway);
  };
  stack.defer(kill);
  await start();
  const resources = stack.move();
  const region = "us-east-1";
  const send = async (method: "GET" | "PUT", path: string) => {
    const link = presign({ accessKeyId, secretAccessKey, region }, method, `${endpoint}/${path}`);
    const response = await fetch(link, { method });
    const text = await response.text();
    if (!response.ok) throw new Error(`The gateway refused ${method} ${path}: ${text}`);
    return text;
  };
  return {
    endpoint,
    region,
    accessKeyId,
    secretAccessKey,
    createBucket: async () => {
      const name = `bucket-${randomUUID()}`;
      await send("PUT", name);
      return name;
    },
    list: async (bucket) => {
      const keys: string[] = [];
      for (let after: string | undefined = ""; after !== undefined; after = keys.at(-1)) {
        const listing = await send("GET", `${bucket}?list-type=2&start-after=${encodeURIComponent(after)}`);
        keys.push(...[...listing.matchAll(/<Key>([^<]+)</g)].map(([, key = ""]) => key));
        if (!listing.includes("<IsTruncated>true<")) break;
      }
      return keys;
    },
    kill,
    start,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Starts the gateway's object store: a monitor and an in-memory disk. */
async function startCluster(folder: string, port: number, gatewayPort: number, stack: AsyncDisposableStack) {
  const [fsid, disk] = [randomUUID(), randomUUID()];
  const monitors = `[v2:127.0.0.1:${port},v1:127.0.0.1:${port + 1}]`;
  const [configuration, keyring] = [join(folder, "ceph.conf"), join(folder, "keyring")];
  const { stdout: key } = await run("ceph-authtool", ["--gen-print-key"]);
  const parts = ["mon.", "osd.0", "client.admin"];
  await writeFile(
    keyring,
    parts.map((part) => `[${part}]\nkey = ${key}caps mon = "allow *"\ncaps osd = "allow *"\n`).join(""),
  );
  const settings = {
    fsid,
    keyring,
    "mon host": monitors,
    "public addr": "127.0.0.1",
    "mon data": join(folder, "mon"),
    "osd data": join(folder, "osd"),
    "run dir": folder,
    "admin socket": "",
    "osd objectstore": "memstore",
    "osd crush chooseleaf type": 0,
    "osd pool default size": 1,
    "osd pool default min size": 1,
    "osd pool default pg num": 1,
    "osd pool default pg autoscale mode": "off",
    "mon allow pool size one": true,
    "mon data avail crit": 0,
    // By default, the monitor waits a second before each decision, and creating the gateway's pools takes ten decisions.
    "paxos propose interval": 0.05,
    "paxos min wait": 0.01,
    "rgw frontends": `beast endpoint=127.0.0.1:${gatewayPort}`,
    "log to file": false,
    "log to stderr": true,
    "mon cluster log to file": false,
    "debug rocksdb": 0,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
  await writeFile(configuration, `[global]\n${lines.join("")}`);
  for (const name of ["mon", "osd"]) await mkdir(join(folder, name));

  const map = join(folder, "map");
  await run("monmaptool", ["--create", "--addv", "a", monitors, "--fsid", fsid, map]);
  await run("ceph-mon", ["-c", configuration, "-i", "a", "--mkfs", "--monmap", map, "--keyring", keyring]);
  stack.use(startDaemon(["ceph-mon", "-i", "a"], configuration));
  await run("ceph", ["-c", configuration, "--connect-timeout", "30", "osd", "new", disk]);
  await run("ceph-osd", ["-c", configuration, "-i", "0", "--osd-uuid", disk, "--mkfs"]);
  stack.use(startDaemon(["ceph-osd", "-i", "0"], configuration));
}

function startDaemon([program = "", ...flags]: readonly string[], configuration: string): WatchedProcess {
  return startEngineProcess([program, "-f", "-c", configuration, ...flags], { lastSignal: "SIGKILL" });
}

async function waitUntilAnswering(url: string, server: WatchedProcess): Promise<void> {
  const poll = () =>
    fetch(url).then(
      () => "up",
      () => delay(20, "down"),
    );
  for (;;) {
    const state = await Promise.race([server.ended, poll()]);
    if (state === "up") return;
    if (state !== "down") throw new Error(`The gateway ended (${state}):\n${server.output()}`);
  }
}
