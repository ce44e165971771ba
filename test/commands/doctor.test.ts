import { describe, expect, test } from "vitest";
import { PlatformError } from "../../src/client/errors.ts";
import { type DoctorOptions, diagnoseSetup } from "../../src/commands/doctor.ts";

const options: DoctorOptions = {
  platformOrigin: "http://127.0.0.1:1",
  keyKind: "admin",
  isEmbedded: true,
  projectId: undefined,
  domain: undefined,
  runner: {
    nodeVersion: "v24.0.0",
    eventName: "push",
    isFork: false,
    hasArtifactService: true,
    isEnterpriseServer: false,
    freeBytes: 1e12,
    usesProxy: false,
  },
};

const unknownJob = () => Promise.reject(new PlatformError("not-found", "Job not found", { isFromApi: true }));
const deps = { platform: { getExportJob: unknownJob, getAgentJob: unknownJob }, probeToken: async () => [] };

describe("the doctor", () => {
  test("advises no project and no domain for the embedded platform", async () => {
    const { findings, outcome } = await diagnoseSetup(options, deps);
    expect(outcome).toBe("healthy");
    expect(findings.filter(({ verdict }) => verdict !== "ok")).toEqual([]);
    expect(findings[0]?.subject).toBe("Embedded platform");
  });

  test("advises both for a platform of its own", async () => {
    const { findings } = await diagnoseSetup({ ...options, isEmbedded: false }, deps);
    const advice = findings.filter(({ verdict }) => verdict === "advice").map(({ subject }) => subject);
    expect(advice).toEqual(["`project-id`", "`domain`"]);
  });
});
