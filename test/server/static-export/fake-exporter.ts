import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BundleOptions, SiteExporter } from "../../../src/server/static-export/build-bundle.ts";

/** Bytes that tell a wrong offset: no short run of them repeats within the archive. */
export const archive = Buffer.concat(
  Array.from({ length: 2048 }, (_, index) => createHash("sha256").update(String(index)).digest()),
);

/** An exporter of ten pages whose rendering stops after the fourth until it is let go. */
export interface GatedExporter extends SiteExporter {
  /** One entry per rendering that began. */
  readonly renderings: readonly Partial<BundleOptions>[];
  /** Lets every rendering go on, those to come included. */
  open(): void;
}

export function createGatedExporter({ failure }: { failure?: Error } = {}): GatedExporter {
  const renderings: Partial<BundleOptions>[] = [];
  const gate = Promise.withResolvers<void>();
  return {
    renderings,
    open: gate.resolve,
    renderSite: async ({ outDir, ...options }, { signal, onProgress }) => {
      renderings.push(options);
      onProgress({ done: 4, total: 10 });
      await Promise.race([gate.promise, abortOf(signal)]);
      if (failure) throw failure;
      await writeFile(join(outDir, "index.html"), "<!doctype html>");
      onProgress({ done: 10, total: 10 });
      return { pageCount: 10 };
    },
    packBundle: async ({ outFile }) => {
      await writeFile(outFile, archive);
      return {
        sizeBytes: archive.length,
        sha256: createHash("sha256").update(archive).digest("hex"),
      };
    },
  };
}

/** An exporter that never waits. */
export function createFakeExporter(): SiteExporter {
  const exporter = createGatedExporter();
  exporter.open();
  return exporter;
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
