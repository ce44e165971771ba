import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { systemClock } from "../../src/base/runtime.ts";
import { markerIn, readOwnMarkers } from "../../src/github/claims.ts";
import { GitHubApi } from "../../src/github/github-api.ts";
import { createRecordSigner } from "../../src/github/record-signer.ts";
import { createRecordingLog } from "../support/recording-log.ts";

const identity = { login: "github-actions[bot]", id: 1, isBot: true };
const signer = createRecordSigner("svc_key-one");
const schema = z.object({ state: z.string() });
const place = { thread: { kind: "issue", number: 7 }, comment: 55, isReviewComment: false } as const;

test("a signature of another length is forged", () => {
  const [payload, keyId] = signer.sign({ state: "claimed" }, "here").split(".");

  expect(signer.read(`${payload}.${keyId}.short`, schema, ["here"])).toStrictEqual({ kind: "forged" });
});

interface Location {
  readonly repositoryId?: string;
  readonly thread?: { readonly kind: "issue" | "discussion" | "pull-request"; readonly number: number };
  readonly comment?: number | "new";
  readonly isReviewComment?: boolean;
}

/** Writes and reads markers in comments of a repository, as our account. */
function ownership(repositoryId = "101", key = signer) {
  const repository = { owner: "acme", name: "shop", id: repositoryId };
  const api = new GitHubApi(
    { apiUrl: "https://api.github.example", token: "t", repository },
    {
      log: createRecordingLog(),
      signal: new AbortController().signal,
      random: Math.random,
      clock: systemClock,
      redact: (text) => text,
    },
  );
  return { api, identity, signer: key };
}

const write = (kind: "claim" | "origin", state: string, changes: Location = {}, key = signer) =>
  markerIn({ ...place, ...changes }, kind, { state }, ownership("101", key)).trim();

/** The genuine `claim` markers in a comment of our account. */
function read(body: string, changes: Location = {}, key = signer) {
  const { repositoryId, thread, comment, isReviewComment } = { ...place, ...changes } as Location;
  const found = { id: Number(comment), isReviewComment, author: identity, body };
  return readOwnMarkers(
    [found],
    thread ?? place.thread,
    { kind: "claim", schema },
    ownership(repositoryId, key),
  ).map(({ value, isUnverifiable }) => ({ value, isUnverifiable }));
}
const genuine = (state: string) => [{ value: { state }, isUnverifiable: false }];
const body = `Visible.\n\n${write("claim", "working --> <b>")}`;

describe("a marker", () => {
  test("is read where it was written, and cannot close its HTML comment early", () => {
    expect(read(body)).toStrictEqual(genuine("working --> <b>"));
    expect(body.match(/-->/g)).toHaveLength(1);
  });

  test.each([
    ["to another comment", { comment: 56 }],
    ["to another thread", { thread: { kind: "issue", number: 8 } }],
    ["to a discussion of the same number", { thread: { kind: "discussion", number: 7 } }],
    ["to a review comment of the same number", { isReviewComment: true }],
    ["to another repository", { repositoryId: "102" }],
  ] as const)("copied %s is ignored", (_name, changes) => {
    expect(read(body, changes)).toStrictEqual([]);
  });

  test("with a changed record is ignored", () => {
    const changed = Buffer.from(JSON.stringify({ state: "ended" })).toString("base64url");

    expect(read(body.replace(/v1 [\w-]+\./, `v1 ${changed}.`))).toStrictEqual([]);
  });

  test("is not a marker of another type", () => {
    expect(read(body.replace(":claim:", ":origin:"))).toStrictEqual([]);
    expect(read(write("origin", "x").replace(":origin:", ":claim:"))).toStrictEqual([]);
  });

  test("is valid if a maintainer wrote text below it", () => {
    expect(read(`${body}\nand more`)).toStrictEqual(genuine("working --> <b>"));
  });

  test.each([
    ["one of garbage", `<!-- docs-automation:claim:v1 e30.00000000.${"A".repeat(43)} -->`],
    ["one of another comment", write("claim", "claimed", { comment: 9 })],
    ["one under another key", write("claim", "ended", {}, createRecordSigner("svc_x"))],
    ["one of another kind", write("origin", "ended")],
  ])("is read despite %s below it", (_name, other) => {
    expect(read(`${body}\n${other}`)).toStrictEqual(genuine("working --> <b>"));
  });

  test("with a replaced key is distinguished from a forgery", () => {
    expect(read(body, {}, createRecordSigner("svc_key-two"))).toMatchObject([{ isUnverifiable: true }]);
  });

  test("written before its comment existed is valid in that thread", () => {
    const fresh = write("claim", "claimed", { comment: "new" });

    expect(read(fresh)).toStrictEqual(genuine("claimed"));
    expect(read(fresh, { thread: { kind: "issue", number: 8 } })).toStrictEqual([]);
  });

  test("that another account wrote is ignored", () => {
    const author = { login: "eve", id: 2, isBot: false };
    const copied = { id: 55, author, body };

    expect(readOwnMarkers([copied], place.thread, { kind: "claim", schema }, ownership())).toStrictEqual([]);
  });

  test("does not contain the key", () => {
    expect(body).not.toContain("svc_key-one");
    expect(signer.reference("a")).not.toBe(signer.reference("b"));
    expect(signer.reference("a")).not.toBe(createRecordSigner("svc_key-two").reference("a"));
  });

  test("of an earlier version is valid, and its reference is the same", () => {
    const written =
      "Old.\n\n<!-- docs-automation:claim:v1 eyJzdGF0ZSI6IndvcmtpbmcifQ.bbfd82b6.40xX720DXDmt073wJsrvyLbuo7GQjjgQWvBoYYqEdBg -->";

    expect(read(written)).toStrictEqual(genuine("working"));
    expect(signer.reference("a".repeat(64))).toBe("docs-automation-28546ef3288ce0174783996d");
  });
});
