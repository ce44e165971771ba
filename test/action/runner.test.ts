import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { neutralizeCommands, withoutControls, writeSummary } from "../../src/action/runner.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

/** What the runner obeys: a trimmed line that starts with `::`, and `##[command]` anywhere. */
const isCommand = (line: string) => line.trim().startsWith("::") || line.includes("##[");

describe("writeSummary", () => {
  test.each([
    ["as it is", "# Done", "# Done\n"],
    ["without what GitHub would refuse", "é".repeat(600_000), `${"é".repeat(523_776)}\n\n…\n`],
  ])("adds Markdown %s", async (_, markdown, written) => {
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "summary.md");
    vi.stubEnv("GITHUB_STEP_SUMMARY", path);
    writeSummary(markdown);
    vi.unstubAllEnvs();
    expect((await readFile(path, "utf8")) === written).toBe(true);
  });
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
