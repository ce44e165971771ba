/** Renders the chart with real Helm, and validates the manifests against the Kubernetes definitions. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parseAllDocuments } from "yaml";
import { version } from "../../src/base/version.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { type HelmVersion, installHelm, type Models } from "./engines.ts";

const run = promisify(execFile);
export const chart = fileURLToPath(new URL("../../deploy/chart", import.meta.url));

/** What `helm package` makes of the chart; all versions of the repository are the same. */
export const chartPackage = `docs-site-${version}.tgz`;

/** The fields of manifests that the tests read. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly replicas?: number;
    readonly selector: Readonly<Record<string, unknown>>;
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: Pod;
    };
  };
  readonly data: Readonly<Record<string, string>>;
  readonly stringData: Readonly<Record<string, string>>;
}
interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
}
interface Pod {
  readonly automountServiceAccountToken: boolean;
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly Container[];
}
interface Container {
  readonly args: readonly string[];
  readonly startupProbe?: object;
  readonly env: readonly Variable[];
  readonly lifecycle: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
  readonly securityContext: Readonly<Record<string, unknown>>;
}

/** Renders values with `helm template` as the release `docs`. */
export async function renderChart(version: HelmVersion, values: string): Promise<Manifest[]> {
  await using folder = await createTemporaryFolder();
  const file = join(folder.path, "values.yaml");
  await writeFile(file, values);
  const helm = await installHelm(version);
  const { stdout } = await run(helm, ["template", "docs", chart, "--values", file]);
  const manifests = parseAllDocuments(stdout).map((document) => document.toJS() as Manifest | null);
  return manifests.filter((manifest) => manifest !== null);
}

/** Lists the fields of a manifest that Kubernetes does not know, or that have the wrong type. */
export function findUnknownFields(models: Models, manifest: Manifest): string[] {
  const version = manifest.apiVersion.replace(/^.*\//, "").replace(/^v/, "V");
  return findUnknownIn(models, manifest, `${version}${manifest.kind}`);
}

function findUnknownIn(models: Models, value: unknown, type: string, path: string = type): string[] {
  const item = /^Array<(.+)>$/.exec(type)?.[1];
  if (item !== undefined) {
    if (!Array.isArray(value)) return [`${path} is no list`];
    return value.flatMap((one, index) => findUnknownIn(models, one, item, `${path}[${index}]`));
  }
  const expected = type === "IntOrString" ? ["number", "string"] : [type];
  const member = /^\{ \[key: string\]: (.+); \}$/.exec(type)?.[1];
  const fields = models[type]?.getAttributeTypeMap();
  if (member === undefined && (fields === undefined || type === "IntOrString"))
    return expected.includes(typeof value) ? [] : [`${path} is no ${type}`];
  if (typeof value !== "object" || value === null) return [`${path} is no object`];
  return Object.entries(value).flatMap(([name, child]) => {
    const childType = member ?? fields?.find(({ baseName }) => baseName === name)?.type;
    const childPath = `${path}.${name}`;
    return childType ? findUnknownIn(models, child, childType, childPath) : [`${childPath} is not known`];
  });
}
