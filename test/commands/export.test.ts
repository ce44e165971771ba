import { describe, expect, test } from "vitest";
import { systemClock } from "../../src/base/runtime.ts";
import { runExport } from "../../src/commands/export.ts";
import { readInputs } from "../../src/commands/read-inputs.ts";
import { buildTarGz } from "../support/archives.ts";
import { completedJob, startExportPlatform } from "../support/export-platform.ts";
import { startHttpServer } from "../support/http-server.ts";
import { createRecordingRun } from "../support/recording-run.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const object = { body: buildTarGz([{ name: "index.html", body: "<h1>Hello</h1>" }]) };

/** Fetches the bundle of a job that has ended, inside this process: nothing has to be waited for. */
async function exportFrom(url: string) {
  await using folder = await createTemporaryFolder();
  const run = createRecordingRun({
    clock: systemClock,
    deadlineMs: Date.now() + 60_000,
    environment: { GITHUB_WORKSPACE: folder.path },
  });
  const { inputs } = readInputs("export", {
    INPUT_COMMAND: "export",
    "INPUT_BASE-URL": url,
    "INPUT_API-KEY": "svc_admin-key",
    "INPUT_JOB-ID": "se_1",
    INPUT_UPLOAD: "none",
  });
  const [end] = await Promise.allSettled([runExport(inputs, run)]);
  return { end, run };
}

describe("an export", () => {
  test.each([
    [0, ["warning: The export holds no page."]],
    [1, []],
    [null, []],
  ])("with the page count %s warns of an empty site only where it is one", async (pageCount, warnings) => {
    const looks = [{ ...completedJob, pageCount }];
    await using platform = await startExportPlatform({ looks, storage: { object } });
    const { end, run } = await exportFrom(platform.url);
    expect(end).toMatchObject({ status: "fulfilled", value: { outcome: "exported" } });
    expect(run.log.lines.filter((line) => line.startsWith("warning: "))).toEqual(
      warnings.map((warning) => expect.stringContaining(warning)),
    );
  });

  test("masks the link and its secret parameters, as sent and decoded, before it shows the link", async () => {
    const bundleUrl =
      "http://storage.example/b.tar.gz?X-Amz-Date=20260101T000000Z&X-Amz-Security-Token=ab%2Fcd%2Bef%3D&X-Amz-Signature=0123456789abcdef&sig=abc";
    await using platform = await startHttpServer((request) =>
      Response.json(
        request.url.endsWith("/bundle") ? { jobId: "se_1", bundleUrl } : { ...completedJob, pageCount: 1 },
      ),
    );
    const { end, run } = await exportFrom(platform.url);
    expect(end).toMatchObject({ status: "rejected", reason: { message: expect.stringContaining("https") } });
    const shownAt = run.facts.indexOf(`bundleUrl=${bundleUrl}`);
    const masked = run.facts.slice(0, shownAt).filter((fact) => fact.startsWith("mask:"));
    // A short word is never masked: that would hide half of the log.
    expect(masked).toEqual([
      "mask:svc_admin-key",
      `mask:${bundleUrl}`,
      "mask:http://storage.example/b.tar.gz",
      `mask:${bundleUrl.split("?")[1]}`,
      "mask:ab%2Fcd%2Bef%3D",
      "mask:ab/cd+ef=",
      "mask:0123456789abcdef",
    ]);
  });
});
