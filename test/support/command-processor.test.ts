import { describe, expect, test } from "vitest";
import { createCommandProcessor, plainText } from "./command-processor.ts";
import { createLineReader } from "./line-reader.ts";
import { createSecretMasker } from "./secret-masker.ts";

describe("workflow commands in a step's output", () => {
  const logOf = (text: string) => {
    const { effects, readLine } = createCommandProcessor(createSecretMasker([]));
    const reader = createLineReader(readLine);
    reader.push(text);
    reader.end();
    return { ...effects, log: plainText(effects.log) };
  };

  test.each([
    ["at the start of a line", "::error::caught"],
    ["after blanks", "  \t::error::caught"],
    ["in any case of letters", "::ERROR::caught"],
    ["in the older form, anywhere in a line", "text ##[error]caught"],
    ["after a lone carriage return", "progress 10%\r::error::caught"],
  ])("count %s", (_, text) => {
    const { annotations } = logOf(text);
    expect(annotations).toEqual([{ level: "error", message: "caught", properties: {} }]);
  });

  test.each([
    ["in the middle of a line", "text ::error::not caught"],
    ["unknown to the runner", "::erorr::not caught"],
    ["without their second colons", "::error not caught"],
  ])("do not count %s", (_, text) => {
    const { annotations, log } = logOf(text);
    expect(annotations).toEqual([]);
    expect(log).toBe(text);
  });

  test("rest between stop-commands and its token", () => {
    const { annotations } = logOf("::stop-commands::tok\n::error::resting\n::tok::\n::error::awake\n");
    expect(annotations.map(({ message }) => message)).toEqual(["awake"]);
  });

  test("that file commands replaced are recorded as deprecated", () => {
    const { deprecatedCommands } = logOf("::set-output name=outcome::exported");
    expect(deprecatedCommands).toEqual([
      { name: "set-output", properties: { name: "outcome" }, data: "exported" },
    ]);
  });

  test("unescape data and properties", () => {
    const { annotations } = logOf("::notice file=a%2Cb%3Ac,title=x%25y::one%0Atwo%253A");
    expect(annotations).toEqual([
      { level: "notice", message: "one\ntwo%3A", properties: { file: "a,b:c", title: "x%y" } },
    ]);
  });
});
