import { describe, expect, test } from "vitest";
import { secretPartsOfLink } from "../../src/commands/mask-link.ts";

describe("secretPartsOfLink", () => {
  test("names the link and its secret parameters, as sent and decoded", () => {
    const link =
      "https://storage.example/b.tar.gz?X-Amz-Date=20260101T000000Z&X-Amz-Security-Token=ab%2Fcd%2Bef%3D&X-Amz-Signature=0123456789abcdef";
    expect(secretPartsOfLink(link)).toEqual([
      link,
      "https://storage.example/b.tar.gz",
      link.split("?")[1],
      "ab%2Fcd%2Bef%3D",
      "ab/cd+ef=",
      "0123456789abcdef",
    ]);
  });

  test("never masks a short word, which would blot out the log", () => {
    expect(secretPartsOfLink("https://storage.example/bundle.zip?sig=abc")).toEqual([
      "https://storage.example/bundle.zip?sig=abc",
      "https://storage.example/bundle.zip",
    ]);
  });
});
