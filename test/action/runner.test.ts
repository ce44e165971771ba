import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import {
  neutralizeCommands,
  redact,
  takeSecrets,
  withoutControls,
  writeSummary,
} from "../../src/action/runner.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const run = promisify(execFile);

/** What the runner obeys: a trimmed line that starts with `::`, and `##[command]` anywhere. */
const isCommand = (line: string) => line.trim().startsWith("::") || line.includes("##[");

test.each([
  ["as it is", "# Done", "# Done\n"],
  ["without what GitHub would refuse", "é".repeat(600_000), `${"é".repeat(523_776)}\n\n…\n`],
])("writeSummary adds Markdown %s", async (_, markdown, written) => {
  await using folder = await createTemporaryFolder();
  const path = join(folder.path, "summary.md");
  vi.stubEnv("GITHUB_STEP_SUMMARY", path);
  writeSummary(markdown);
  vi.unstubAllEnvs();
  expect((await readFile(path, "utf8")) === written).toBe(true);
});

test("the secrets among the inputs are redacted, and no child process inherits them", () => {
  const given = { "INPUT_API-KEY": " svc_key-of-this-test ", "INPUT_GITHUB-TOKEN": "ghs_token-of-this-test" };
  const inherited: NodeJS.ProcessEnv = { ...given, PATH: "/bin" };

  expect(takeSecrets(inherited)).toStrictEqual({ ...given, PATH: "/bin" });

  expect(inherited).toStrictEqual({ PATH: "/bin" });
  expect(redact("svc_key-of-this-test and ghs_token-of-this-test")).toBe("*** and ***");
});

test("the runner is told to mask the secrets among the inputs", async () => {
  const runner = new URL("../../src/action/runner.ts", import.meta.url);
  const program = `import { takeSecrets } from "${runner}"; takeSecrets(process.env);`;
  const env = { "INPUT_API-KEY": "svc_50%", "INPUT_GITHUB-TOKEN": "ghs_x" };

  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program], { env });

  expect(stdout).toBe("::add-mask::svc_50%25\n::add-mask::ghs_x\n");
});

test("a warning about a file is shown in this file, whatever its name", async () => {
  const runner = new URL("../../src/action/runner.ts", import.meta.url);
  const program = `import { runnerLog } from "${runner}";
    runnerLog.warning("odd", { file: "docs/50%,a:b\\n::c.md", line: 3 });
    runnerLog.warning("even", { file: "docs/a.md" });`;

  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program]);

  expect(stdout).toBe(
    "::warning file=docs/50%25%2Ca%3Ab%0A%3A%3Ac.md,line=3::odd\n::warning file=docs/a.md::even\n",
  );
});

test("a long text is shown folded, and no line of it is a command", async () => {
  const runner = new URL("../../src/action/runner.ts", import.meta.url);
  const program = `import { logGroup, maskSecret } from "${runner}";
    maskSecret("svc_key-of-this-test");
    logGroup("Output", "one svc_key-of-this-test\\n::endgroup::\\r::error::no");`;

  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program]);

  expect(stdout.split("\n").slice(1)).toEqual([
    "::group::Output",
    "one ***",
    ":\u200b:endgroup::",
    ":\u200b:error::no",
    "::endgroup::",
    "",
  ]);
});

test("a step whose outputs cannot be written reports its result, and fails", async () => {
  await using folder = await createTemporaryFolder();
  const module = new URL("../../src/action/run-command.ts", import.meta.url);
  const program = `import { runCommand } from "${module}";
    const end = { outcome: "exported", message: "Exported 12 pages.", summary: "# Exported" };
    const inputs = { INPUT_COMMAND: "export", "INPUT_BASE-URL": "local" };
    await runCommand(inputs, { export: async () => async () => end });`;
  const summary = join(folder.path, "summary.md");
  const env = { GITHUB_OUTPUT: folder.path, GITHUB_STEP_SUMMARY: summary };

  const failure = run(process.execPath, ["--input-type=module", "--eval", program], { env });

  const { code, stdout } = (await failure.catch((error: unknown) => error)) as {
    code: number;
    stdout: string;
  };
  expect(code).toBe(1);
  expect(stdout).toContain("::error::`outcome` could not be written to the runner's file: Error: EISDIR");
  expect(stdout).toContain("Exported 12 pages.");
  expect(await readFile(summary, "utf8")).toBe("# Exported\n");
});

describe("neutralizeCommands", () => {
  test.each([
    "::set-output name=x::1",
    "  ::add-mask::e",
    "fine\r::error::no",
    "fine\u2028::error::no",
    "look ##[error]no",
    "###[group]x",
    ":::error::x",
  ])("takes the meaning from %j", (text) => {
    const lines = neutralizeCommands(text).split(/[\r\n\u2028]/);
    expect(lines.filter(isCommand)).toEqual([]);
  });

  test("leaves ordinary text alone", () => {
    expect(neutralizeCommands("std::vector at 12:30:: done\nsecond line")).toBe(
      "std::vector at 12:30:: done\nsecond line",
    );
  });

  test("takes out what would colour, overwrite or reorder the log", () => {
    const text = "a\u001b[31mb\u001b]8;;x\u0007c\bd\u009b1me\u202ef\tg";

    expect(neutralizeCommands(text)).toBe("a[31mb]8;;xcd1mef\tg");
    expect(withoutControls("two\nlines\u001b[2K")).toBe("two\nlines[2K");
    expect(neutralizeCommands("\u001b::error::x").startsWith("::")).toBe(false);
  });

  test("leaves no command in any text", () => {
    const text = fc.string({ unit: fc.constantFrom(":", "#", "[", " ", "\n", "\r", "\t", "\u0085", "a") });
    fc.assert(
      fc.property(text, (value) => {
        expect(
          neutralizeCommands(value)
            .split(/[\r\n]/)
            .filter(isCommand),
        ).toEqual([]);
      }),
    );
  });
});
