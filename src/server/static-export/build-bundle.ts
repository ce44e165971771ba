import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { publishFile } from "../storage/write-file-atomically.ts";

/** What an export job renders, and where its files go. */
export interface BundleOptions {
  readonly docsDir: string;
  /** The job's own folder; whatever an interrupted attempt left in it is removed. */
  readonly directory: string;
  readonly domain: string;
  readonly version?: string | undefined;
  readonly paths?: readonly string[] | undefined;
}

/** How far a rendering is. */
export interface RenderProgress {
  readonly done: number;
  readonly total: number;
}

/** What turns documents into an archive. */
export interface SiteExporter {
  /** Renders the documents into `outDir`. @throws {Error} whose message tells a user why the export failed. */
  renderSite(
    options: Omit<BundleOptions, "directory"> & { readonly outDir: string },
    deps: { readonly signal: AbortSignal; readonly onProgress: (progress: RenderProgress) => void },
  ): Promise<{ readonly pageCount: number }>;
  packBundle(
    options: { readonly siteDir: string; readonly outFile: string },
    deps: { readonly signal: AbortSignal },
  ): Promise<{ readonly sizeBytes: number; readonly sha256: string }>;
}

/** A finished archive. */
export interface BuiltBundle {
  readonly pageCount: number;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** Where the finished archive of a job's folder is. */
export function bundleFile(directory: string): string {
  return join(directory, "bundle.zip");
}

/** Renders and packs; may be repeated after any interruption. The archive appears under its name only when it is whole. */
export async function buildBundle(
  { directory, ...site }: BundleOptions,
  deps: SiteExporter & { signal: AbortSignal; onProgress: (progress: RenderProgress) => void },
): Promise<BuiltBundle> {
  const { signal, onProgress } = deps;
  await rm(directory, { recursive: true, force: true });
  const outDir = join(directory, "site");
  await mkdir(outDir, { recursive: true, mode: 0o700 });
  const { pageCount } = await deps.renderSite({ ...site, outDir }, { signal, onProgress });
  signal.throwIfAborted();
  const partial = join(directory, "bundle.zip.partial");
  const packed = await deps.packBundle({ siteDir: outDir, outFile: partial }, { signal });
  await publishFile(partial, bundleFile(directory));
  await rm(outDir, { recursive: true, force: true });
  return { pageCount, sizeBytes: packed.sizeBytes, sha256: packed.sha256 };
}
