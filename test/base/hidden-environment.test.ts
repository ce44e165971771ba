import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { nodeBinary } from "../support/run-action.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const module = fileURLToPath(new URL("../../src/base/hidden-environment.ts", import.meta.url));

test.runIf(process.platform === "linux")(
  "a restarted process keeps what Node reads at its start, hides the rest, and uses the runner's temporary folder",
  async () => {
    await using folder = await createTemporaryFolder();
    const program = join(folder.path, "program.mjs");
    await writeFile(
      program,
      `import { readFileSync } from "node:fs";
       import { hideEnvironment } from ${JSON.stringify(module)};
       hideEnvironment(process.env, true);
       const started = readFileSync("/proc/self/environ", "utf8").split("\\0");
       console.log(JSON.stringify({ started, own: process.env }));`,
    );
    const needed = { NODE_USE_SYSTEM_CA: "1", NODE_EXTRA_CA_CERTS: "/dev/null", NIX_LD: "/lib/ld.so" };
    const given = { ...needed, SECRET: "hidden" };
    const env = { ...given, TMPDIR: join(folder.path, "missing"), RUNNER_TEMP: folder.path };

    const { stdout } = await promisify(execFile)(nodeBinary(), [program], { env });

    const { started, own } = JSON.parse(stdout);
    const lines = Object.entries(needed).map(([name, value]) => `${name}=${value}`);
    expect(started).toEqual(expect.arrayContaining(lines));
    expect(String(started)).not.toContain("hidden");
    expect(own).toMatchObject(given);
  },
);
