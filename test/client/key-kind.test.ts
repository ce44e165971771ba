import { describe, expect, test } from "vitest";
import { keyKindOf } from "../../src/client/key-kind.ts";

describe("keyKindOf", () => {
  test.each([
    ["svc_abc123", "admin"],
    ["svc_dsc_abc123", "assistant"],
    ["mint_abc", "admin"],
    ["mint_dsc_abc", "assistant"],
    ["SVC_DSC_abc", "assistant"],
    ["svc_dscabc", "admin"],
    ["sk-abc", "unknown"],
    ["svc_", "unknown"],
    ["Bearer svc_abc", "unknown"],
    ["svc_abc\nx", "unknown"],
    ["", "unknown"],
  ])("takes %j for %s", (key, kind) => {
    expect(keyKindOf(key)).toBe(kind);
  });
});
