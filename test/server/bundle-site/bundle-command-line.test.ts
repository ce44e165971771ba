import { describe, expect, test } from "vitest";
import {
  asksToServeBundle,
  parseBundleCommandLine,
} from "../../../src/server/bundle-site/bundle-command-line.ts";

describe("the command line of a served bundle", () => {
  test("is told apart by its option", () => {
    expect(asksToServeBundle(["--port", "1", "--serve-bundle", "b.zip"])).toBe(true);
    expect(asksToServeBundle(["--serve-bundle=b.zip"])).toBe(true);
    expect(asksToServeBundle(["--docs", "docs"])).toBe(false);
  });

  test("has defaults for all but the bundle", () => {
    expect(parseBundleCommandLine(["--serve-bundle", "b.zip"])).toEqual({
      source: "b.zip",
      host: "127.0.0.1",
      port: 4870,
      dataDir: undefined,
      lookEveryMs: 30_000,
    });
  });

  test.each([
    [["--serve-bundle", "b.zip", "--port", "99999"], "--port"],
    [["--serve-bundle", "b.zip", "--look-seconds", "0"], "--look-seconds"],
    [["--serve-bundle", "b.zip", "--docs", "x"], "--docs"],
  ])("names what is wrong with %j", (argv, message) => {
    expect(() => parseBundleCommandLine(argv)).toThrow(message);
  });
});
