import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { looksRandom, SecretRedactor } from "../../src/base/secrets.ts";
import { caseCount } from "../support/property-seed.ts";
import { partsIn, readEverySpelling, spellings, wrappings } from "../support/secret-spellings.ts";

const key = "svc_a/b+c=";

function redactorOf(...credentials: readonly string[]): SecretRedactor {
  const redactor = new SecretRedactor();
  for (const credential of credentials) redactor.addCredential(credential);
  return redactor;
}

describe("a short key", () => {
  test.each([
    ["as plain text", `the key ${key} twice: ${key}`, "the key *** twice: ***"],
    [
      "in JSON with escaped slashes",
      String.raw`{"error":"key svc_a\/b+c= is bad"}`,
      '{"error":"key *** is bad"}',
    ],
    ["in JSON inside JSON", String.raw`"{\"e\":\"svc_a\\/b+c=\"}"`, String.raw`"{\"e\":\"***\"}"`],
    ["in JSON with unicode escapes", String.raw`svc_a\u002Fb\u002bc\u003d`, "***"],
    ["in a URL", "?key=svc_a%2Fb%2bc%3D&x", "?key=***&x"],
    ["with a single escape", "svc_a%2Fb+c=", "***"],
    ["in HTML", "svc_a&#47;b&#x2B;c&#061;", "***"],
    ["in HTML with named entities", "svc&lowbar;a&sol;b&plus;c&equals;", "***"],
    ["in Markdown", String.raw`svc\_a/b\+c=`, "***"],
    ["in fullwidth letters", "ｓｖｃ＿ａ／ｂ＋ｃ＝", "***"],
  ])("is redacted %s", (_, text, hidden) => {
    expect(redactorOf(key).redact(text)).toBe(hidden);
  });

  test("is not found in other text", () => {
    const text = "svc_a/b.c= svc_a.b+c= SVC_A/B+C=";
    expect(redactorOf(key).redact(text)).toBe(text);
  });

  test("that contains backslashes is redacted in JSON", () => {
    const odd = String.raw`svc_a\b/c`;
    const { redact } = redactorOf(odd);
    expect(redact(JSON.stringify({ odd }))).toBe('{"odd":"***"}');
    expect(redact(JSON.stringify(JSON.stringify(odd)))).toBe(String.raw`"\"***\""`);
    expect(redact(`${odd} svc_a%5Cb%2Fc`)).toBe("*** ***");
  });
});

const secret = fc.tuple(
  fc.constantFrom("svc_", "svc_dsc_", "acme_", "ghs_", "github_pat_"),
  fc.string({ unit: fc.constantFrom(..."aZ0bY1cX2dW3eV4fU5gT6hS7_-."), minLength: 24, maxLength: 48 }),
);
/** Text around a secret that cannot be read as a part of it. */
const surroundings = fc.string({ unit: fc.constantFrom(..." \n,:;<>\"'#!?éß"), maxLength: 12 });

describe("a credential", () => {
  test("is redacted in every encoding, and so are its longer parts", () => {
    const first = fc.constantFrom(...Object.keys(spellings));
    const spelled = fc.tuple(first, fc.array(fc.constantFrom(...wrappings), { maxLength: 2 }), fc.nat());
    fc.assert(
      fc.property(
        secret,
        surroundings,
        surroundings,
        spelled,
        (parts, before, after, [inner, outer, seed]) => {
          const value = parts.join("");
          const spelling = [inner, ...outer].reduce(
            (text, name) => spellings[name]?.(text, seed) ?? text,
            value,
          );

          const text = `${before}${spelling}${after}`;
          // A half of one escape in another says something else to every reader.
          fc.pre(readEverySpelling(text).some((reading) => partsIn(reading, value).length > 0));
          const shown = redactorOf(value).redact(text);

          expect(shown).toContain("***");
          for (const reading of readEverySpelling(shown)) expect(partsIn(reading, value)).toEqual([]);
        },
      ),
      {
        numRuns: caseCount(500),
        // Decoding joins a backslash of one encoding to that of another.
        examples: [
          [["svc_", "a".repeat(24)], "", "", ["JSON escapes", ["JSON escapes", "some of HTML"], 197115904]],
        ],
      },
    );
  });

  test("is redacted without breaking JSON or changing other values in it", () => {
    const other = fc.string({ unit: "binary", maxLength: 20 });
    fc.assert(
      fc.property(secret, fc.array(other, { maxLength: 4 }), fc.nat(3), (parts, others, times) => {
        const value = parts.join("");
        const texts = [...others, `x${value}`, `\ud83d${value}`, `\\${value}\u0001`, `"${value}"`];
        let json = JSON.stringify({ texts });
        for (let time = 0; time < times; time += 1) json = JSON.stringify(json);

        let reading: unknown = redactorOf(value).redact(json);
        for (let time = 0; time <= times; time += 1) reading = JSON.parse(String(reading));

        expect((reading as { texts: string[] }).texts.slice(0, others.length)).toEqual(others);
      }),
      { numRuns: caseCount(500) },
    );
  });

  test("is redacted if a length limit cut it", () => {
    const value = "svc_9aB3xYz8Qw7LmN0pRtUvKjHgFdSaZxCv";
    expect(redactorOf(value).redact(`${value.slice(0, 20)}… …${value.slice(9)}`)).toBe("***… …***");
  });

  test.each([
    "a page of text, ",
    "\\",
    "s\\",
    "%",
    "%7",
    "%25",
    "%2525",
    "&",
    "&#",
    "&#0",
    "&#x0",
    "&a;",
    "u00",
    "\\u00",
    "\\u{0",
    "\\\\u0041",
    "svc_9aB3xYz8",
    "svc_9aB3xYz8Qw7LmN0pRtUvKjHgFdSaZxCv",
    "aaaa",
  ])("is searched for in a long text made of %j", (piece) => {
    for (const credential of [
      "svc_9aB3xYz8Qw7LmN0pRtUvKjHgFdSaZxCv",
      String.raw`\\svc\\_ab`,
      "svc_aaaaaaaaaaaaaaaaaaaa",
    ]) {
      const { redact } = redactorOf(credential);
      const text = `${piece.repeat(500_000 / piece.length)} ${credential}`;
      expect(redact(text).endsWith("***")).toBe(true);
    }
  });
});

describe("a credential that is a JSON Web Token, as GitHub's tokens are", () => {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const createToken = (claims: object, signature: string) =>
    `${encode({ alg: "ES256", typ: "JWT" })}.${encode(claims)}.${signature}`;
  const signature = "q7XvN2mPdL9sKtRbYcWfZhGjUaEoQiV4x3B6n8M1kT5w";
  const token = `ghs_15368_${createToken({ iss: "github.com", iat: 1780000000, exp: 1780003600 }, signature)}`;

  test("is redacted as a whole, and so are the parts of its signature, in every encoding", () => {
    const { redact } = redactorOf(token);
    for (const [name, spell] of Object.entries(spellings)) {
      const shown = redact(`a ${spell(token, 7)} b`);
      for (const reading of readEverySpelling(shown)) expect(partsIn(reading, signature), name).toEqual([]);
    }
    expect(redact(`Bearer ${token}, ${JSON.stringify({ token })}`)).toBe('Bearer ***, {"token":"***"}');
    expect(redact(`…${token.slice(-20)}`)).toBe("…***");
  });

  test("leaves other tokens as they are, which have the same header and some of the claims", () => {
    const { redact } = redactorOf(token);
    const other = createToken(
      { iss: "example.com", iat: 1780000000, exp: 1780003600 },
      "anotherSignature123456789",
    );
    const link = `https://storage.example/bundle.zip?token=${other}`;
    expect(redact(link)).toBe(link);
    expect(redact("eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.…")).toBe("eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.…");
  });
});

describe("a secret of a response", () => {
  const issued = "f3A9/kq2Lm+Zx71Qw==";

  test("is redacted in every encoding", () => {
    const redactor = redactorOf();
    redactor.addIssuedSecret(issued);
    for (const [name, spell] of Object.entries(spellings)) {
      if (name === "upper case" || name === "lower case" || name === "parted") continue;
      expect(redactor.redact(spell(issued, 7)), name).not.toContain("kq2Lm");
    }
    expect(redactor.redact(issued, { credentialsOnly: true })).toBe(issued);
  });

  test("does not redact similar text", () => {
    const redactor = redactorOf();
    redactor.addIssuedSecret(issued);
    const text = `${issued.slice(0, 15)} ${issued.toLowerCase()}`;
    expect(redactor.redact(text)).toBe(text);
  });

  test.each([
    "",
    "e",
    "true",
    "aaaaaaaaaaaaaaaaaaaaaaaa",
    "documentation",
    "pull-requests-of-the-agent",
    "https://github.com/octo-org/widgets2",
    "The answer to question 12",
    "0000000000000001a",
    "2026-01-01T00:00:00Z",
  ])("is not a secret: %j", (value) => {
    expect(looksRandom(value)).toBe(false);
  });

  test.each(["0123456789abcdef", issued, "k-9f8e7d6c5b4a3210", "ab%2Fcd%2Bef12gh%3D"])(
    "is a secret: %j",
    (value) => {
      expect(looksRandom(value)).toBe(true);
    },
  );
});
