import { describe, expect, test } from "vitest";
import { splitCommand } from "../../../src/server/agent-jobs/split-command.ts";

describe("a command line", () => {
  test.each([
    ["agent", ["agent"]],
    ["  agent   --fast\tnow\n", ["agent", "--fast", "now"]],
    [`agent 'two words' "and two"`, ["agent", "two words", "and two"]],
    [`agent --name='it''s'one`, ["agent", "--name=itsone"]],
    [`agent "a \\"quote\\" and a \\\\ and a \\n"`, ["agent", 'a "quote" and a \\ and a \\n']],
    [`agent two\\ words \\'`, ["agent", "two words", "'"]],
    [`agent '' ""`, ["agent", "", ""]],
    ["agent $HOME ~ *.md | tee; true > x", ["agent", "$HOME", "~", "*.md", "|", "tee;", "true", ">", "x"]],
    ["agent 'a\nb'", ["agent", "a\nb"]],
  ])("%j is split into words, and nothing is expanded", (command, words) => {
    expect(splitCommand(command)).toEqual(words);
  });

  test.each([
    ["", "names no program"],
    ["   ", "names no program"],
    ["''", "names no program"],
    ["agent 'open", "the quote at character 7 is not closed"],
    ['agent "open\\"', "the quote at character 7 is not closed"],
    ["agent \\", "the quote at character 7 is not closed"],
  ])("%j is refused", (command, message) => {
    expect(() => splitCommand(command)).toThrow(message);
  });
});
