/** A real Azure Blob emulator on the loopback interface, one per test process, started when first needed. */

import { spawn } from "node:child_process";
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { request } from "undici";
import { nodeBinary } from "./run-action.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

/** A private container of the emulator, with links as the artifact service would sign them. */
export interface BlobContainer {
  /** Presigned link to a blob; `create write` for an upload, `read` for a download. */
  sign(blob: string, permission: "create-write" | "read", validForMs?: number): string;
}

interface Emulator {
  readonly origin: string;
  readonly account: string;
  readonly key: Buffer;
}

const ACCOUNT = "artifacts";
const SERVICE_VERSION = "2020-12-06";

// The emulator ends with the test process, however that ends: its standard input is a pipe from here.
const END_WITH_PARENT = `data:text/javascript,${encodeURIComponent(`
  import { rmSync } from "node:fs";
  const folder = process.argv[process.argv.indexOf("--location") + 1];
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  process.stdin.on("end", () => process.exit()).resume();
`)}`;

let emulator: Promise<Emulator> | undefined;

async function startEmulator(): Promise<Emulator> {
  const key = randomBytes(64);
  const folder = await createTemporaryFolder("azurite-");
  const main = fileURLToPath(new URL("../../node_modules/azurite/dist/src/blob/main.js", import.meta.url));
  const child = spawn(
    nodeBinary(),
    [
      ...["--import", END_WITH_PARENT, main],
      ...["--blobHost", "127.0.0.1", "--blobPort", "0", "--location", folder.path],
      // Without the last flag it refuses the SDK's API version with a 400.
      ...["--silent", "--disableTelemetry", "--skipApiVersionCheck"],
    ],
    {
      env: { AZURITE_ACCOUNTS: `${ACCOUNT}:${key.toString("base64")}`, PATH: process.env["PATH"] ?? "" },
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    const address = /successfully listens on (http:\/\/\S+)/.exec(said)?.[1];
    if (address !== undefined) resolve(address);
  });
  child.once("error", reject);
  child.once("exit", () => reject(new Error(`Azurite ended: ${said}`)));
  const origin = await promise;
  child.unref();
  for (const pipe of [child.stdin, child.stdout]) if ("unref" in pipe) (pipe.unref as () => void)();
  return { origin, account: ACCOUNT, key };
}

const hmac = (key: Buffer, lines: readonly string[]) =>
  createHmac("sha256", key).update(lines.join("\n")).digest("base64");

/** Creating a container needs the account's key ("Authorize with Shared Key" of the Blob service's reference). */
async function createContainer({ origin, account, key }: Emulator, name: string): Promise<void> {
  const headers = { "x-ms-date": new Date().toUTCString(), "x-ms-version": SERVICE_VERSION };
  const canonicalHeaders = Object.entries(headers).map(([header, value]) => `${header}:${value}`);
  const canonicalResource = [`/${account}/${account}/${name}`, "restype:container"];
  const signature = hmac(key, [
    "PUT",
    ...Array<string>(11).fill(""),
    ...canonicalHeaders,
    ...canonicalResource,
  ]);
  const response = await request(`${origin}/${account}/${name}?restype=container`, {
    method: "PUT",
    headers: { ...headers, authorization: `SharedKey ${account}:${signature}` },
  });
  if (response.statusCode !== 201) throw new Error(`Azurite: ${await response.body.text()}`);
  await response.body.dump();
}

/** Makes an empty container; its links work until the test process ends or they expire. */
export async function createBlobContainer(): Promise<BlobContainer> {
  emulator ??= startEmulator();
  const { origin, account, key } = await emulator;
  const container = `run-${randomUUID()}`;
  await createContainer({ origin, account, key }, container);
  return {
    sign(blob, permission, validForMs = 60 * 60 * 1000) {
      const expiry = `${new Date(Date.now() + validForMs).toISOString().slice(0, 19)}Z`;
      const sp = permission === "read" ? "r" : "cw";
      // "Create a service SAS", string to sign of version 2020-12-06: unused fields are empty lines.
      const resource = `/blob/${account}/${container}/${blob}`;
      const fields = [sp, "", expiry, resource, "", "", "", SERVICE_VERSION, "b", "", "", "", "", "", "", ""];
      const query = new URLSearchParams({
        sv: SERVICE_VERSION,
        sr: "b",
        se: expiry,
        sp,
        sig: hmac(key, fields),
      });
      return `${origin}/${account}/${container}/${blob}?${query}`;
    },
  };
}
