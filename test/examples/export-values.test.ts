/** The example of a self-hosted deployment: its chart, and the script that reads today's job from the cache, run as the runner runs it. */
import { spawnSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const example = new URL("../../examples/export-values.yml", import.meta.url);

test.each([
  ["exp_7f-2A", "id=exp_7f-2A\n"],
  ["exp-1\n", "id=exp-1\n"],
  ["exp-1\noutcome=exported\nid=exp-2\n", "id=exp-1\n"],
  ["a b", "id=\n"],
  ["../jobs", "id=\n"],
  ["$(id)", "id=\n"],
  ["x".repeat(101), "id=\n"],
  ["", "id=\n"],
  [undefined, "id=\n"],
])("of the cached %j, only an identifier becomes an output", async (cached, expected) => {
  await using folder = await createTemporaryFolder();
  await mkdir(join(folder.path, "last-job"));
  if (cached !== undefined) await writeFile(join(folder.path, "last-job/id"), cached);
  const steps: readonly { id?: string; run?: string }[] = parse(await readFile(example, "utf8")).jobs.deploy
    .steps;
  const script = steps.find(({ id }) => id === "job")?.run ?? "";
  const output = join(folder.path, "output");

  const env = { PATH: process.env["PATH"], GITHUB_OUTPUT: output };
  const { status } = spawnSync("bash", ["--norc", "-e", "-c", script], { cwd: folder.path, env });

  expect(status).toBe(0);
  expect(await readFile(output, "utf8")).toBe(expected);
});

test("the example rolls out this repository's chart", async () => {
  const chart = parse(await readFile(new URL("../../deploy/chart/Chart.yaml", import.meta.url), "utf8"));

  expect(await readFile(example, "utf8")).toContain(`/charts/${chart.name} --version ${chart.version} `);
});
