import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Where `.ci/run` wants the runner's report. */
const reportPath = process.env["TEST_REPORT"];

/** Tests that start the built action as a process. */
const endToEnd = [
  "test/e2e/**/*.test.ts",
  "test/docs/{commands,troubleshooting,workflow-steps}.test.ts",
  "test/support/run-action.test.ts",
];

/** Tests with whole sites of others, and with programs that are no dependencies and are fetched into the cache (`npm run test:engines`). */
const engines = ["test/{deploy,engines}/**/*.test.ts"];

/** Coding agents, which are fetched too; more than a gigabyte, so only on demand (`npm run test:agents`). */
const agents = ["test/agent-commands/**/*.test.ts"];

/** Node keeps compiled sources here, for the processes that tests start from them. */
const compileCache = fileURLToPath(new URL("node_modules/.cache/compiled", import.meta.url));

/**
 * Starts the files first that start many processes: forking a worker takes longer the more memory it has, 2 ms at its start and 14 ms with
 * half a gigabyte. Those of a project are together, because its workers end with it. Then the short files that take long; otherwise one
 * worker would be left with them at the end.
 */
class StartersFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

function rankOf({ moduleId, project }: TestSpecification): number {
  if (project.name === "action") return 0;
  if (/\/test\/(?:server\/agents|server\/sources|workflows)\//.test(moduleId)) return 1;
  return /\/(?:agent-replay|hostile-input|page-cache|render-pages)\.test\.ts$/.test(moduleId) ? 2 : 3;
}

/** Packages are loaded as the built action has them. Vite selects their builds for development, in which the parser checks its own steps. */
const packagesAsBuilt: Plugin = {
  name: "packages-as-built",
  configResolved({ ssr: { resolve } }) {
    if (resolve?.conditions === undefined) return;
    resolve.conditions = resolve.conditions.filter((name) => name !== "development|production");
  },
};

export default defineConfig({
  plugins: [packagesAsBuilt],
  test: {
    env: { NODE_COMPILE_CACHE: compileCache },
    globalSetup: ["test/support/tests-folder.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What a test waits for comes late on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    // One more than processors: many tests wait for processes that they start. More than four take too much memory.
    maxWorkers: Math.min(4, availableParallelism() + 1),
    sequence: { sequencer: StartersFirst },
    // A worker keeps the modules that it has loaded for the next file; no test mocks one.
    isolate: false,
    setupFiles: "test/support/property-seed.ts",
    reporters: reportPath ? ["default", ["json", { outputFile: reportPath }]] : ["default"],
    projects: [
      {
        extends: true,
        test: {
          name: "parts",
          include: ["test/**/*.test.ts"],
          exclude: [...endToEnd, ...engines, ...agents, "**/node_modules/**"],
        },
      },
      {
        extends: true,
        test: { name: "action", include: endToEnd, globalSetup: ["test/support/build-action.ts"] },
      },
      { extends: true, test: { name: "engines", include: engines } },
      { extends: true, test: { name: "agents", include: agents } },
    ],
  },
});
