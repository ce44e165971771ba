import { describe, expect, test } from "vitest";
import { createKeyRedactor } from "../../src/client/redact-key.ts";

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
    expect(createKeyRedactor(key)(text)).toBe(hidden);
  });

  test("is not seen in other text", () => {
    const text = "svc_a/b c= svc_a.b+c= SVC_A/B+C=";
    expect(createKeyRedactor(key)(text)).toBe(text);
  });

  test("with backslashes of its own is taken out of JSON", () => {
    const odd = String.raw`svc_a\b/c`;
    const redact = createKeyRedactor(odd);
    expect(redact(JSON.stringify({ odd }))).toBe('{"odd":"***"}');
    expect(redact(JSON.stringify(JSON.stringify(odd)))).toBe(String.raw`"\"***\""`);
    expect(redact(`${odd} svc_a%5Cb%2Fc`)).toBe("*** ***");
  });

  test.each(["\\", "s\\", "%", "%7", "&", "&#", "&#0", "&#x0", "svc_a/b", "svc_a\\", "u00", "\\u00"])(
    "is looked for in a megabyte of %j in a moment",
    (piece) => {
      for (const secret of [key, String.raw`\\svc\\`]) {
        const text = piece.repeat(1_000_000 / piece.length);
        const startedMs = performance.now();
        expect(createKeyRedactor(secret)(`${text}${secret}`)).toMatch(/\*\*\*$/);
        expect(performance.now() - startedMs).toBeLessThan(5000);
      }
    },
  );
});
