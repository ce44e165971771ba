import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseEntryPath } from "../../../src/bundle/entry-path.ts";
import { renderSite } from "../../../src/server/site/render-site.ts";
import { PathClaims, toPortablePath } from "../../../src/server/site/routes.ts";
import { verifyArchive } from "../../support/archives.ts";
import { caseCount } from "../../support/property-seed.ts";
import { createFolder } from "../../support/temporary-folder.ts";
import { renderFolder } from "./render-files.ts";

const pixel = Buffer.from("iVBORw0KGgo=", "base64");
const { signal } = new AbortController();

describe("paths of the exported site", () => {
  test.each([
    ["guides/start", "guides/start"],
    ["con/aux", "_con/_aux"],
    ["LPT1.old/x", "_LPT1.old/x"],
    ["console/auxiliary", "console/auxiliary"],
    ["a./b /c", "a-/b-/c"],
    ['what?/a:b*"c"', "what-/a-b--c-"],
    ["nul .txt/git~1", "_nul .txt/_git~1"],
    ["a;1/می\u200cشود", "a-1/میشود"],
    ["e\u200d\u0301", "é"],
    ["\u200b", "_"],
    ["a\ud800", "a\ufffd"],
  ])("%s becomes %s", (path, expected) => {
    expect(toPortablePath(path)).toBe(expected);
  });

  test("many equal paths are numbered", () => {
    const claims = new PathClaims();
    const paths = Array.from({ length: 40_000 }, () => claims.claimNext("a.html"));
    expect(paths.slice(0, 2)).toEqual(["a.html", "a-2.html"]);
    expect(paths.at(-1)).toBe("a-40000.html");
  });

  test("every name becomes one that a bundle may have", () => {
    const segment = fc.oneof(
      fc.string({ unit: "binary", minLength: 1, maxLength: 8 }),
      fc.constantFrom(".git", "git~1", "nul", "com1.x", "a;", "\u037e", "x.", " "),
    );
    const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => segments.join("/"));
    fc.assert(
      fc.property(path, (name) => {
        const portable = `${toPortablePath(name.replace(/^\/+/, ""))}.html`;
        expect(() => parseEntryPath(portable)).not.toThrow();
      }),
      { numRuns: caseCount(1000) },
    );
  });

  test("a long name is cut between characters", () => {
    const cut = toPortablePath("ü".repeat(200));
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(220);
    expect(cut).toMatch(/^ü+$/);
  });

  test("a name as long as a configuration may write it is cut at once", () => {
    expect(toPortablePath("x".repeat(2_000_000))).toBe("x".repeat(220));
    expect(toPortablePath(`${"x".repeat(219)}😀`)).toBe("x".repeat(219));
  });

  test("no two paths are the same where case does not count", () => {
    const claims = new PathClaims();
    expect(claims.claimNext("Images/Logo.png")).toBe("Images/Logo.png");
    expect(claims.claimNext("images/logo.png")).toBe("Images/logo-2.png");
    expect(claims.isFree("IMAGES/LOGO.PNG")).toBe(false);
    expect(claims.claimNext("e\u0301.png")).toBe("e\u0301.png");
    expect(claims.claimNext("\u00e9.png")).toBe("\u00e9-2.png");
  });

  test("documents with names that some system cannot hold become a bundle that every system takes", async () => {
    const long = "l".repeat(252);
    await using docs = await createFolder({
      "index.md": "[a](aux.md) [b](con/nul.md) [c](x..md) ![1](Logo.png) ![2](logo.png) ![3](NUL.png)",
      "aux.md": "# Aux",
      "con/nul.md": "# Nul",
      "x..md": "# Dots",
      "Guide/a.md": "# A",
      "guide/a.md": "# Another",
      "guide/b.md": "# B",
      "Site-Assets/c.md": "# C",
      [`${long}.md`]: "# Long",
      "Logo.png": pixel,
      "logo.png": pixel,
      "NUL.png": pixel,
    });
    await using out = await createFolder();
    const archive = join(out.path, "site.zip");

    const site = await renderSite({ docsDir: docs.path, archive }, signal);

    expect(site.pageCount).toBe(9);
    const renamed = ["aux.md", "con/nul.md", "guide/a.md", `${long}.md`, "x..md"];
    expect(site.warnings.map(({ page }) => page).sort()).toEqual(renamed);
    expect((await verifyArchive(archive)).files).toBeGreaterThan(2 * 9 + 3);
  });

  test("half of an emoji in a document's names costs no page", async () => {
    const half = "\ud83d";
    const get = { summary: `Ship ${half}`, tags: [half], responses: {} };
    await using docs = await createFolder({
      "docs.json": { navigation: { tabs: [{ tab: "API", openapi: "api.json" }] } },
      "api.json": { openapi: "3.1.0", paths: { "/ships": { get } } },
      "index.md": "# Index",
    });

    await using site = await renderFolder(docs);

    expect((await site.list()).filter((path) => path.endsWith(".html"))).toContain(
      "api-reference/\ufffd/ship-\ufffd.html",
    );
    expect(await site.read("index.html")).toContain("api-reference/%EF%BF%BD/ship-%EF%BF%BD.html");
  });
});
