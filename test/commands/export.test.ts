import { describe, expect, test } from "vitest";
import { exportSite } from "../../src/commands/export.ts";
import type { ExportDeps, ExportOptions } from "../../src/commands/export-interface.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { createRecordingLog } from "../support/recording-log.ts";

const options: ExportOptions = {
  domain: "docs.example.com",
  paths: [],
  wait: true,
  dryRun: false,
  upload: "none",
  deadlineMs: Date.UTC(2027, 0, 1),
};

const bundle = { path: "docs-export.zip", size: 10, sha256: "ab", format: "zip", files: 3 } as const;

function createDeps(pageCount: number | null) {
  const log = createRecordingLog();
  const ignore = () => undefined;
  const deps: ExportDeps = {
    platform: {
      startExport: async () => ({ jobId: "se_1" }),
      getExportJob: async () => ({ jobId: "se_1", status: "completed", pageCount }),
      generateBundle: async () => ({
        value: { jobId: "se_1", bundleUrl: "https://storage.example.com/b?s=1" },
        date: undefined,
      }),
    },
    fetchBundle: async (getLink) => {
      await getLink();
      return bundle;
    },
    unpackSite: async () => "site",
    uploadArtifact: async () => ({ id: 1, name: "docs-export", url: "https://x.example", digest: undefined }),
    writeValues: undefined,
    observer: {
      jobStarted: ignore,
      stateSeen: ignore,
      linkReceived: ignore,
      bundleFetched: ignore,
      siteUnpacked: ignore,
      artifactUploaded: ignore,
    },
    clock: createFakeClock(),
    random: () => 0.5,
    log,
    signal: new AbortController().signal,
  };
  return { deps, warnings: () => log.lines.filter((line) => line.startsWith("warning: ")) };
}

describe("exportSite", () => {
  test("warns once of an export without pages", async () => {
    const { deps, warnings } = createDeps(0);
    expect(await exportSite(options, deps)).toMatchObject({ outcome: "exported", pageCount: 0 });
    expect(warnings()).toEqual([expect.stringContaining("The export holds no page.")]);
  });

  test.each([1, null])("says nothing of the kind with %s as the page count", async (pageCount) => {
    const { deps, warnings } = createDeps(pageCount);
    await exportSite(options, deps);
    expect(warnings()).toEqual([]);
  });
});
