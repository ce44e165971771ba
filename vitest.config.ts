import { defineConfig } from "vitest/config";

/** Where `.ci/run` wants the runner's report. */
const reportPath = process.env["TEST_REPORT"];

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Two-core runners: the end-to-end tests start processes of their own.
    maxWorkers: 2,
    reporters: reportPath ? ["default", ["json", { outputFile: reportPath }]] : ["default"],
  },
});
