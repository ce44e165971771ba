import { expect, test } from "vitest";
import { createSecretKeeper } from "../../../src/commands/connections/secret-keeper.ts";

test("A credential that becomes known later is masked, and hidden like the key from then on", () => {
  const masked: string[] = [];
  const keeper = createSecretKeeper("svc_key", { maskSecret: (secret) => masked.push(secret) });

  const before = keeper.redact("svc_key thread/1");
  keeper.keepSecret("thread/1");

  expect(before).toBe("*** thread/1");
  expect(keeper.redact("svc_key thread/1 thread%2F1")).toBe("*** *** ***");
  expect(masked).toStrictEqual(["thread/1"]);
});

test("Without a key nothing is hidden", () => {
  expect(createSecretKeeper(undefined, { maskSecret: () => undefined }).redact("plain")).toBe("plain");
});
