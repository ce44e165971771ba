import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { openValuesFile, updateValues } from "../../src/bundle/values-file.ts";
import { takeBlock } from "../support/page-blocks.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const bundleUrl = "https://storage.example/b.tar.gz?X-Amz-Expires=3600&X-Amz-Signature=a%2Fb";

function update(text: string, version?: string): string {
  return updateValues(text, bundleUrl, version);
}

describe("openValuesFile", () => {
  it.each(["../values.yaml", "link.yaml"])("refuses %s, which leads out of the workspace", async (file) => {
    await using folder = await createTemporaryFolder();
    const workspace = join(folder.path, "workspace");
    await mkdir(workspace);
    await writeFile(join(folder.path, "values.yaml"), "a: 1\n");
    await symlink("../values.yaml", join(workspace, "link.yaml"));

    const opening = openValuesFile(workspace, file, { version: false, unintendedLink: false });

    await expect(opening).rejects.toThrow("is not in the workspace");
  });

  const writes = { version: false, unintendedLink: false };

  it("says that the file was removed during the export", async () => {
    await using folder = await createTemporaryFolder();
    await writeFile(join(folder.path, "values.yaml"), "a: 1\n");
    const values = await openValuesFile(folder.path, "values.yaml", writes);
    await rm(join(folder.path, "values.yaml"));

    await expect(values.write({ bundleUrl })).rejects.toMatchObject({
      code: "invalid-input",
      message: "`values-file` values.yaml cannot be read.",
    });
  });

  it("names at the start the file that cannot be written, and leaves no other", async () => {
    await using folder = await createTemporaryFolder();
    // The temporary file beside it has a longer name, which is too long.
    const name = `${"a".repeat(245)}.yaml`;
    await writeFile(join(folder.path, name), "a: 1\n");

    await expect(openValuesFile(folder.path, name, writes)).rejects.toMatchObject({
      code: "disk-full",
      message: expect.stringContaining(`${name} failed (ENAMETOOLONG)`),
    });
    expect(await readdir(folder.path)).toEqual([name]);
  });
});

describe("updateValuesFile", () => {
  it("sets the keys that docs/bundles.md shows", () => {
    const block = takeBlock("docs/bundles.md#the-values-file-of-a-deployment");
    expect(update(block.replace("enabled: true", "enabled: false"), "2026.1")).toBe(
      block.replace("https://…", bundleUrl).replace("2025.10", "2026.1"),
    );
  });

  it("changes three values and no other byte", () => {
    const text = [
      "# Values of the docs deployment",
      "replicas:   3   # aligned by hand",
      "mode: 0755",
      "on: yes",
      "",
      "",
      "defaults: &defaults {a: 1,   b: [x,y]}",
      "merged:",
      "    <<: *defaults",
      "staticExport:",
      "    enabled: false   # switched by the pipeline",
      '    bundleUrl: "https://old.example/x"  # expires soon',
      "    version: '2024.1'",
      "    other: kept",
      "note: >-",
      "  folded",
      "  text",
    ].join("\r\n");

    expect(update(text, "2025.10")).toBe(
      text
        .replace("enabled: false", "enabled: true")
        .replace('"https://old.example/x"', `"${bundleUrl}"`)
        .replace("'2024.1'", '"2025.10"'),
    );
  });

  it.each([
    {
      name: "below an empty key",
      text: "staticExport:\nother: 1\n",
      expected: `staticExport:\n  enabled: true\n  bundleUrl: "${bundleUrl}"\nother: 1\n`,
    },
    {
      name: "below an empty key with comments, in the file's indentation",
      text: "image:\n    tag: x\nstaticExport: # set by CI\n    # version: pinned\nother: 1",
      expected: `image:\n    tag: x\nstaticExport: # set by CI\n    enabled: true\n    bundleUrl: "${bundleUrl}"\n    # version: pinned\nother: 1`,
    },
    {
      name: "after the key before it",
      text: "staticExport:\n   enabled: true # yes\n   note: |+\n     text\n\n# end\n",
      expected: `staticExport:\n   enabled: true # yes\n   bundleUrl: "${bundleUrl}"\n   note: |+\n     text\n\n# end\n`,
    },
    {
      name: "in place of an empty map",
      text: "staticExport: {}\nother: 1\n",
      expected: `staticExport:\n  enabled: true\n  bundleUrl: "${bundleUrl}"\nother: 1\n`,
    },
    {
      name: "in place of an explicit null",
      text: "staticExport: null # later\n",
      expected: `staticExport: # later\n  enabled: true\n  bundleUrl: "${bundleUrl}"\n`,
    },
    {
      name: "after keys without values",
      text: "staticExport:\n  enabled: # todo\n  bundleUrl:\nother:\n",
      expected: `staticExport:\n  enabled: true # todo\n  bundleUrl: "${bundleUrl}"\nother:\n`,
    },
    {
      name: "at the end of a file without the key",
      text: "image:\n  tag: x",
      expected: `image:\n  tag: x\nstaticExport:\n  enabled: true\n  bundleUrl: "${bundleUrl}"\n`,
    },
    {
      name: "into an empty file",
      text: "",
      expected: `staticExport:\n  enabled: true\n  bundleUrl: "${bundleUrl}"\n`,
    },
    {
      name: "after a comment in a file without values",
      text: "# nothing yet",
      expected: `# nothing yet\nstaticExport:\n  enabled: true\n  bundleUrl: "${bundleUrl}"\n`,
    },
    {
      name: "after a byte order mark",
      text: "\uFEFFstaticExport:\r\n  enabled: false\r\n",
      expected: `\uFEFFstaticExport:\r\n  enabled: true\r\n  bundleUrl: "${bundleUrl}"\r\n`,
    },
    {
      name: "in place of a block scalar",
      text: "staticExport:\n  enabled: true\n  bundleUrl: >-\n    https://old.example\n    /x\n  other: 1\n",
      expected: `staticExport:\n  enabled: true\n  bundleUrl: "${bundleUrl}"\n  other: 1\n`,
    },
    {
      name: "under quoted keys",
      text: "\"staticExport\":\n  'enabled': false\n  bundleUrl: old\n",
      expected: `"staticExport":\n  'enabled': true\n  bundleUrl: "${bundleUrl}"\n`,
    },
    {
      name: "after an unused anchor",
      text: "staticExport: &export\n  enabled: &on false\n  bundleUrl: &url old\n",
      expected: `staticExport: &export\n  enabled: &on true\n  bundleUrl: &url "${bundleUrl}"\n`,
    },
    {
      name: "after a block of text that ends with the file and has no last line break",
      text: "note: |-\n  text",
      expected: `note: |-\n  text\nstaticExport:\n  enabled: true\n  bundleUrl: "${bundleUrl}"\n`,
    },
    {
      name: "before the mark of a document's end",
      text: "---\r\nimage: |+\r\n  x\r\n\r\n... # end\r\n",
      expected: `---\r\nimage: |+\r\n  x\r\n\r\nstaticExport:\r\n  enabled: true\r\n  bundleUrl: "${bundleUrl}"\r\n... # end\r\n`,
    },
    {
      name: "before the mark of an empty document's end",
      text: "...",
      expected: `staticExport:\n  enabled: true\n  bundleUrl: "${bundleUrl}"\n...`,
    },
  ])("writes $name", ({ text, expected }) => {
    expect(update(text)).toBe(expected);
    expect(parse(expected.replace("\uFEFF", ""), { merge: true }).staticExport).toMatchObject({
      enabled: true,
      bundleUrl,
    });
  });

  it.each([
    { name: "an alias as the map", text: "a: &a {enabled: true}\nstaticExport: *a\n" },
    { name: "an anchor that others use", text: "staticExport:\n  bundleUrl: &u x\ncopy: *u\n" },
    { name: "an anchor that its sibling uses", text: "staticExport:\n  bundleUrl: &u x\n  other: *u\n" },
    { name: "an anchor on the map that others use", text: "staticExport: &s\n  bundleUrl: x\ncopy: *s\n" },
    { name: "a template as a value", text: "staticExport:\n  bundleUrl: '{{ .Values.url }}'\n" },
    { name: "a template's control lines", text: "{{- if .Values.a }}\na: 1\n{{- end }}\n" },
    { name: "two documents", text: "a: 1\n---\nb: 2\n" },
    { name: "a merge key", text: "a: &a {}\nstaticExport:\n  <<: *a\n  enabled: true\n" },
    { name: "a map in braces", text: "staticExport: {enabled: false}\n" },
    { name: "a JSON file", text: '{"image": {"tag": "x"}}\n' },
    {
      name: "a block of text whose last line break the change would add",
      text: "a: 1\nnote:\n  - |\n    text",
    },
    { name: "the line breaks of an old Macintosh", text: "# a\rstaticExport:\r  enabled: false\r" },
    { name: "a line break of Unicode", text: "# a\u2028staticExport:\n" },
    { name: "a list", text: "- a\n- b\n" },
    { name: "a text", text: "just words\n" },
    {
      name: "a duplicate key",
      text: "staticExport:\n  enabled: true\nstaticExport:\n  enabled: false\n",
    },
    { name: "a duplicate key of another map", text: "image: {tag: 1, tag: 2}\n" },
    { name: "tabs as indentation", text: "staticExport:\n\tenabled: true\n" },
    { name: "a map instead of a string", text: "staticExport:\n  bundleUrl: {a: 1}\n" },
    { name: "a string instead of the map", text: "staticExport: enabled\n" },
    { name: "an undefined alias", text: "a: *missing\n" },
    { name: "exponentially expanding aliases", text: billionLaughs() },
    {
      name: "a tag, which Helm may read as another type",
      text: "staticExport:\n  bundleUrl: !!binary eA==\n",
    },
  ])("rejects $name", ({ text }) => {
    expect(() => update(text)).toThrow(expect.objectContaining({ code: "invalid-input" }));
  });

  it("writes no template that a platform sends", () => {
    const exec = "{{ exec `sh` (list) }}";
    for (const [url, version] of [[`https://s.example/${exec}`], [bundleUrl, exec]] as const)
      expect(() => updateValues("a: 1\n", url, version)).toThrow("a new value is a template");
  });

  it.each(["staticExport:\n  bundleUrl: {{ x }}\n", "{{- if x }}\na: 1\n{{- end }}\n"])(
    "says that a template must be in quotes: %j",
    (text) => {
      expect(() => update(text)).toThrow(
        expect.objectContaining({
          hint: expect.stringContaining("a template (`{{ … }}`) must be in quotes"),
        }),
      );
    },
  );

  it("does not quote the file in its errors", () => {
    expect(() => update("password: 'hunter2\nother: 1\n")).toThrow(/^((?!hunter2)[\s\S])*$/);
  });

  it("keeps correct values as they are", () => {
    const text = `staticExport:\n  enabled: True\n  bundleUrl: '${bundleUrl}'\n`;

    expect(update(text)).toBe(text);
  });

  it("keeps a version a string even if it looks like a number", () => {
    const text = `staticExport:\n  enabled: true\n  bundleUrl: ${bundleUrl}\n  version: 2025.10\n`;

    expect(update(text, "2025.10")).toBe(text.replace("version: 2025.10", 'version: "2025.10"'));
  });

  it("writes characters that are not ASCII as they are, but no line break that only Helm sees", () => {
    const set = (version: string) => updateValues("", "https://example.com/bundle", version);

    expect(set("Größe \u{1f600}")).toContain('version: "Größe \u{1f600}"');
    expect(() => set("a\u2028b")).toThrow(expect.objectContaining({ code: "invalid-input" }));
  });

  it("quotes a version that only Helm's YAML reads as a number", () => {
    const text = `staticExport:\n  enabled: true\n  bundleUrl: ${bundleUrl}\n  version: 1_000\n`;

    expect(update(text, "1_000")).toBe(text.replace("1_000", '"1_000"'));
  });

  it("names the position of a duplicate key", () => {
    expect(() => update("a: 1\nb:\n  c: 1\n  c: 2\n")).toThrow("(DUPLICATE_KEY in line 4, column 3)");
  });

  it("leaves the version alone unless one is given", () => {
    const text = `staticExport:\n  enabled: true\n  bundleUrl: x\n  version: 1\n`;

    expect(update(text)).toContain("version: 1\n");
  });

  it("changes nothing else in any file it accepts", () => {
    fc.assert(
      fc.property(valuesFile(), (text) => {
        const after = update(text, "7");

        expect(withoutExport(after)).toEqual(withoutExport(text));
        expect(parse(after, { version: "1.1" }).staticExport).toMatchObject({
          enabled: true,
          bundleUrl,
          version: "7",
        });
        expect(update(after, "7")).toBe(after);
      }),
    );
  });
});

function billionLaughs(): string {
  const levels = Array.from({ length: 9 }, (_, level) =>
    level === 0
      ? "l0: &l0 [x,x,x,x,x,x,x,x,x]"
      : `l${level}: &l${level} [${Array(9).fill(`*l${level - 1}`)}]`,
  );
  return `${levels.join("\n")}\n`;
}

function withoutExport(text: string): unknown {
  const { staticExport, ...rest } = parse(text) ?? {};
  const { enabled, bundleUrl: url, version, ...others } = staticExport ?? {};
  return { rest, others };
}

/** Files in many styles with a `staticExport` that has some or none of the keys. */
function valuesFile(): fc.Arbitrary<string> {
  const scalar = fc.constantFrom(
    "1",
    "0755",
    "yes",
    "'q'",
    '"d"',
    "plain text",
    "",
    "# only a comment",
    "~",
    "1e3",
  );
  const lines = (indent: string, keys: readonly string[]) =>
    fc
      .subarray([...keys])
      .chain((chosen) =>
        fc
          .tuple(...chosen.map(() => fc.tuple(scalar, fc.constantFrom("", "  # note", " "))))
          .map((values) => chosen.map((key, index) => `${indent}${key}: ${values[index]?.join("")}`)),
      );
  return fc
    .record({
      before: lines("", ["alpha", "beta", "gamma"]),
      hasParent: fc.boolean(),
      indent: fc.constantFrom("  ", "    ", " "),
      own: fc.boolean(),
      after: lines("", ["delta", "epsilon"]),
      eol: fc.constantFrom("\n", "\r\n"),
      lastEol: fc.boolean(),
    })
    .chain(({ before, hasParent, indent, after, eol, lastEol }) =>
      lines(indent, ["enabled", "bundleUrl", "version", "other"]).map((own) => {
        const parent = hasParent ? ["staticExport:", ...own] : [];
        return [...before, "", ...parent, "# comment", ...after].join(eol) + (lastEol ? eol : "");
      }),
    );
}
