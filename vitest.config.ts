import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Two-core runners: the end-to-end tests start processes of their own.
    maxWorkers: 2,
  },
});
