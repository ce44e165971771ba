import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("the text log has no characters that control a terminal, and lines of other text are indented", async () => {
  const module = new URL("../../../src/server/base/log.ts", import.meta.url);
  const script = `import { createConsoleLog } from ${JSON.stringify(module.href)};
    createConsoleLog("text", false).warning("a\\u001b[31m\\r\\u009bb\\n\\tc");`;

  const { stderr } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);

  expect(stderr).toMatch(/ warning: a \[31m {2}b\n {2}\tc\n$/);
});
