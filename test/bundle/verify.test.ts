import { describe, expect, it } from "vitest";
import { buildBundle, buildTar } from "../support/archives.ts";
import { setUpArchive } from "./archive-setup.ts";

describe("readArchive", () => {
  it.each([
    { content: "", named: "empty (0 bytes)" },
    {
      content: "  <!DOCTYPE html><html><head><title>Sign in to Proxy</title>",
      named: "an HTML page",
    },
    { content: "<html>502</html>", named: "an HTML page" },
    {
      content: '\uFEFF<?xml version="1.0"?><Error><Code>AccessDenied</Code>',
      named: "an XML document (AccessDenied)",
    },
    { content: '{"error":"not found"}', named: "a JSON document" },
    { content: "upstream connect error", named: "plain text" },
    { content: buildTar([{ name: "a", body: "b" }]), named: "an uncompressed tar archive" },
    { content: Buffer.from([0, 1, 2, 3]), named: "unknown data" },
  ])("names what is no archive: $named", async ({ content, named }) => {
    await using setup = await setUpArchive(Buffer.from(content));

    await expect(setup.verify()).rejects.toMatchObject({
      code: "bundle-corrupt",
      message: `The bundle is ${named}, not a zip or tar.gz archive.`,
    });
  });

  it("stops when aborted", async () => {
    const reason = new Error("cancelled");
    await using setup = await setUpArchive(buildBundle(1000), AbortSignal.abort(reason));

    await expect(setup.verify()).rejects.toBe(reason);
  });
});
