import { describe, expect, test } from "vitest";
import {
  classifyStorageError,
  type ObjectIdentity,
  RestartNeeded,
  readChecksums,
  readObjectResponse,
  TransientError,
} from "../../src/bundle/storage-response.ts";

type Headers = Readonly<Record<string, string>>;

const mapOf = (headers: Headers) => new Map(Object.entries(headers));
const known: ObjectIdentity = { total: 100, etag: '"a"', lastModified: "Mon" };

function read(status: number, headers: Headers, start = 0, expected?: ObjectIdentity) {
  return readObjectResponse({ status, headers: mapOf(headers) }, start, expected);
}

function classify(
  status: number,
  {
    headers = {},
    text = "",
    expected,
  }: {
    readonly headers?: Headers;
    readonly text?: string;
    readonly expected?: ObjectIdentity | undefined;
  } = {},
) {
  try {
    return classifyStorageError({ status, headers: mapOf(headers), text }, expected, 0);
  } catch (error) {
    return error;
  }
}

describe("a response with bytes of the object", () => {
  test.each([
    ["the whole", 200, { "content-length": "100" }, { isRange: false, isWhole: true, total: 100 }],
    ["an unknown length", 200, {}, { isRange: false, isWhole: true, total: undefined }],
    ["no number", 200, { "content-length": "1e2" }, { isRange: false, isWhole: true, total: undefined }],
    ["all as a range", 206, range("0-99/100"), { isRange: true, isWhole: true, total: 100 }],
    ["a part", 206, range("0-98/100"), { isRange: true, isWhole: false, total: 100 }],
    [
      "a part of an unknown length",
      206,
      range("0-99/*"),
      { isRange: true, isWhole: false, total: undefined },
    ],
  ])("is %s", (_name, status, headers, { total, ...parts }) => {
    expect(read(status, { ...headers, etag: '"a"', "last-modified": "Mon" })).toStrictEqual({
      object: { total, etag: '"a"', lastModified: "Mon" },
      ...parts,
    });
  });

  test("has no weak entity tag, and keeps the known length", () => {
    expect(read(206, { ...range("5-9/*"), etag: 'W/"a"' }, 5, known)).toStrictEqual({
      object: { total: 100, etag: undefined, lastModified: undefined },
      isRange: true,
      isWhole: false,
    });
  });

  test.each([
    ["no Content-Range", 206, {}, 0, "without a Content-Range"],
    ["another unit", 206, { "content-range": "items 0-9/10" }, 0, "without a Content-Range"],
    ["other bytes", 206, range("6-9/100"), 5, "bytes from position 6 instead of 5"],
    ["more bytes", 206, { ...range("5-9/100"), "content-length": "100" }, 5, "a Content-Range of its length"],
    ["the whole instead of a part", 200, { "content-length": "100" }, 5, "whole object instead of a range"],
    ["another length", 200, { "content-length": "99" }, 0, "length changed from 100 to 99 bytes"],
    ["another entity tag", 206, { ...range("5-9/100"), etag: '"b"' }, 5, "entity tag changed"],
    ["another time", 206, { ...range("5-9/100"), "last-modified": "Tue" }, 5, "modification time changed"],
  ])("causes a restart with %s", (_name, status, headers, start, message) => {
    const attempt = () => read(status, headers, start, known);

    expect(attempt).toThrow(RestartNeeded);
    expect(attempt).toThrow(message);
  });

  test("may omit the entity tag and the time, or state them where they were omitted", () => {
    expect(read(200, { "content-length": "100" }, 0, known).object.etag).toBeUndefined();
    const plain = { total: 100, etag: undefined, lastModified: undefined };
    expect(read(200, { "content-length": "100", etag: '"b"' }, 0, plain).object.etag).toBe('"b"');
  });
});

describe("checksums of the whole object", () => {
  const headers = {
    "x-goog-hash": "crc32c=AAAAAA==,md5=Z29v",
    "content-md5": " bWQ1 ",
    "x-amz-checksum-sha256": "c2hh",
    "x-amz-checksum-crc32": "Y3Jj",
  };
  const google = { algorithm: "md5", base64: "Z29v", field: "x-goog-hash" };
  const ofBody = { algorithm: "md5", base64: "bWQ1", field: "content-md5" };
  const digestIn = (field: string) => ({ algorithm: "sha256", base64: "c2hh", field });
  const amazon = { algorithm: "sha256", base64: "c2hh", field: "x-amz-checksum-sha256" };

  test.each([
    [headers, false, [google]],
    [headers, true, [google, ofBody, amazon]],
    [{ ...headers, "x-amz-checksum-sha256": "part-2" }, true, [google, ofBody]],
    [{ "x-amz-checksum-sha256": "c2hh", "x-amz-checksum-type": "FULL_OBJECT" }, true, [amazon]],
    [{ "x-amz-checksum-sha256": "c2hh", "x-amz-checksum-type": "COMPOSITE" }, true, []],
    [{ "x-amz-checksum-sha256": "c2hh", "content-range": "bytes 0-9/10" }, true, []],
    [{ "x-goog-hash": "crc32c=AAAAAA==", "content-md5": " " }, true, []],
    [{ "repr-digest": "sha-512=:eA==:, sha-256=:c2hh:" }, false, [digestIn("repr-digest")]],
    [{ "repr-digest": "SHA-256=:c2hh:;a" }, true, [digestIn("repr-digest")]],
    [{ "content-digest": "sha-256=:c2hh:" }, true, [digestIn("content-digest")]],
    [{ "content-digest": "sha-256=:c2hh:" }, false, []],
    [{ digest: "md5=bWQ1,sha-256=c2hh" }, true, [digestIn("digest")]],
    [{ digest: "sha-256=c2hh" }, false, []],
    [{ "repr-digest": "unixsum=:c2hh:", digest: "x-sha-256=c2hh" }, true, []],
  ])("are read from %j (the whole body: %s)", (fields, isWhole, checksums) => {
    expect(readChecksums(mapOf(fields as Headers), isWhole)).toEqual(checksums);
  });
});

describe("a response without bytes of the object", () => {
  test.each([
    [401, ""],
    [403, "<Error><Code>AccessDenied</Code></Error>"],
    [404, ""],
    [410, ""],
    [400, "<Error><Code>ExpiredToken</Code></Error>"],
    [400, "Signature mismatch"],
    [400, "RequestTimeTooSkewed"],
    [400, "<Error><Code>InvalidRequest</Code><Message>Bad request: Date is too old</Message></Error>"],
    [
      400,
      String.raw`{"statusCode":"400","error":"InvalidJWT","message":"\"exp\" claim timestamp check failed"}`,
    ],
  ])("with status %i and %j needs a fresh link", (status, text) => {
    expect(classify(status, { text })).toBeTypeOf("string");
  });

  test.each([300, 301, 302, 303, 304, 307, 308, 399, 400, 402, 405, 409, 411, 418, 424, 426, 428, 430, 499])(
    "with status %i is final",
    (status) => {
      expect(classify(status)).toMatchObject({
        code: "unexpected-response",
        message: `Storage returned ${status}.`,
        hint: expect.stringContaining("from storage"),
      });
    },
  );

  test.each([
    [408, {}, 0],
    [425, {}, 0],
    [429, { "retry-after": "7" }, 7000],
    [500, {}, 0],
    [503, { "retry-after": "1" }, 1000],
  ])("with status %i %j may be repeated after %i ms", (status, headers, retryAfterMs) => {
    const error = classify(status, { headers });

    expect(error).toBeInstanceOf(TransientError);
    expect(error).toMatchObject({ message: `storage returned ${status}`, retryAfterMs });
  });

  test.each([
    [412, undefined, {}, "it was replaced (412)"],
    [416, undefined, {}, "no longer has the requested bytes (416)"],
    [416, known, { "content-range": "bytes */0" }, "no longer has the requested bytes (416)"],
  ])("with status %i is another object", (status, expected, headers, message) => {
    const error = classify(status, { expected, headers });

    expect(error).toBeInstanceOf(RestartNeeded);
    expect(error).toMatchObject({ message: expect.stringContaining(message) });
  });

  test("with status 416 and no bytes is an empty bundle", () => {
    expect(classify(416, { headers: { "content-range": "bytes */0" } })).toMatchObject({
      code: "bundle-corrupt",
      message: "The bundle is empty (0 bytes).",
    });
  });
});

test.each([
  [0, 1, "unavailable", "could not be downloaded: storage returned 503.", "from storage"],
  [0, 2, "unavailable", "could not be downloaded: 2 attempts in a row failed, the last because", "storage"],
  [undefined, 1, "unreachable", "could not be downloaded: storage returned 503.", "proxy"],
] as const)(
  "after the last attempt, a failure with the wait %s (attempt %i) is `%s`",
  (wait, attempts, code, message, hint) => {
    const details = wait === undefined ? {} : { retryAfterMs: wait };
    const error = new TransientError("storage returned 503", details).toBundleError(attempts);

    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    expect(error.hint).toContain(hint);
  },
);

function range(value: string): Headers {
  return { "content-range": `bytes ${value}` };
}
