import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import {
  createRecordSigner,
  type MarkerLocation,
  readMarker,
  writeMarker,
} from "../../src/github/record-signer.ts";

const signer = createRecordSigner("svc_key-one");
const location: MarkerLocation = { repositoryId: "101", thread: "issue:7", comment: 55 };
const schema = z.object({ state: z.string() });
const read = (body: string, changes: Partial<MarkerLocation> = {}, key = signer) =>
  readMarker(body, { kind: "claim", schema }, { ...location, ...changes }, key);
const body = `Visible.\n\n${writeMarker("claim", { state: "working --> <b>" }, location, signer)}`;

describe("a marker", () => {
  test("is read where it was written, and cannot end its own comment early", () => {
    expect(read(body)).toStrictEqual({ kind: "valid", value: { state: "working --> <b>" } });
    expect(body.match(/-->/g)).toHaveLength(1);
  });

  test.each([
    ["to another comment", { comment: 56 }],
    ["to another thread", { thread: "issue:8" }],
    ["to a review comment of the same number", { thread: "review:7" }],
    ["to another repository", { repositoryId: "102" }],
  ])("copied %s is forged", (_name, changes) => {
    expect(read(body, changes)).toStrictEqual({ kind: "forged" });
  });

  test("with a changed record is forged", () => {
    const changed = Buffer.from(JSON.stringify({ state: "ended" })).toString("base64url");

    expect(read(body.replace(/v1 [\w-]+\./, `v1 ${changed}.`))).toStrictEqual({ kind: "forged" });
  });

  test("is no marker of another kind", () => {
    expect(read(body.replace(":claim:", ":origin:"))).toStrictEqual({ kind: "none" });
    const origin = writeMarker("origin", { state: "x" }, location, signer);
    expect(read(origin.replace(":origin:", ":claim:"))).toStrictEqual({ kind: "forged" });
  });

  test("counts also where a maintainer wrote something below it", () => {
    expect(read(`${body}\nand more`)).toMatchObject({ kind: "valid" });
  });

  test.each([
    ["one of garbage", `<!-- docs-automation:claim:v1 e30.00000000.${"A".repeat(43)} -->`],
    [
      "one of another comment",
      writeMarker("claim", { state: "claimed" }, { ...location, comment: 9 }, signer),
    ],
    [
      "one under another key",
      writeMarker("claim", { state: "ended" }, location, createRecordSigner("svc_x")),
    ],
    ["one of another kind", writeMarker("origin", { state: "ended" }, location, signer)],
  ])("is not hidden by %s below it", (_name, other) => {
    expect(read(`${body}\n${other}`)).toStrictEqual({ kind: "valid", value: { state: "working --> <b>" } });
  });

  test("under a replaced key is told from a forgery", () => {
    expect(read(body, {}, createRecordSigner("svc_key-two"))).toMatchObject({ kind: "other-key" });
  });

  test("written before its comment existed is valid in that thread", () => {
    const fresh = writeMarker("claim", { state: "claimed" }, { ...location, comment: "new" }, signer);

    expect(read(fresh)).toMatchObject({ kind: "valid" });
    expect(read(fresh, { thread: "issue:8" })).toStrictEqual({ kind: "forged" });
  });

  test("gives nothing of the key away", () => {
    expect(body).not.toContain("svc_key-one");
    expect(signer.reference("a")).not.toBe(signer.reference("b"));
    expect(signer.reference("a")).not.toBe(createRecordSigner("svc_key-two").reference("a"));
  });

  test("of a comment that an earlier version wrote is valid, and its reference is the same", () => {
    const written =
      "Old.\n\n<!-- docs-automation:claim:v1 eyJzdGF0ZSI6IndvcmtpbmcifQ.bbfd82b6.40xX720DXDmt073wJsrvyLbuo7GQjjgQWvBoYYqEdBg -->";

    expect(read(written)).toStrictEqual({ kind: "valid", value: { state: "working" } });
    expect(signer.reference("a".repeat(64))).toBe("docs-automation-28546ef3288ce0174783996d");
  });
});
