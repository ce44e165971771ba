import { describe, expect, test } from "vitest";
import { createKeyHider } from "../../../src/client/transport/hide-key.ts";

const key = "svc_a/b+c=";

describe("a key", () => {
  test.each([
    ["as it is", `the key ${key} twice: ${key}`, "the key *** twice: ***"],
    [
      "in JSON with escaped slashes",
      String.raw`{"error":"key svc_a\/b+c= is bad"}`,
      '{"error":"key *** is bad"}',
    ],
    ["in JSON inside JSON", String.raw`"{\"e\":\"svc_a\\/b+c=\"}"`, String.raw`"{\"e\":\"***\"}"`],
    ["in JSON that escapes what HTML would read", String.raw`svc_a\u002Fb\u002bc\u003d`, "***"],
    ["in an address", "?key=svc_a%2Fb%2bc%3D&x", "?key=***&x"],
    ["in HTML", "svc_a&#47;b&#x2B;c&#061;", "***"],
  ])("is taken out %s", (_, text, hidden) => {
    expect(createKeyHider(key)(text)).toBe(hidden);
  });

  test("is not seen in other text", () => {
    const text = "svc_a/b c= svc_a.b+c= SVC_A/B+C=";
    expect(createKeyHider(key)(text)).toBe(text);
  });
});
