import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EntryNames, parseEntryPath } from "../../src/bundle/entry-path.ts";
import { caseCount } from "../support/property-seed.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const characters = {
  "a zero-width space": "\u200b",
  "a zero-width non-joiner": "\u200c",
  "a zero-width joiner": "\u200d",
  "a right-to-left mark": "\u200f",
  "a right-to-left override": "\u202e",
  "an isolate": "\u2066",
  "a byte order mark": "\ufeff",
  "a soft hyphen": "\u00ad",
  "a Hangul filler": "\u3164",
  "a tag character": "\u{e0064}",
  "a variation selector": "\ufe0f",
  "a line separator": "\u2028",
  "a next line": "\u0085",
  "a bell": "\u0007",
  "a delete": "\u007f",
};

describe("parseEntryPath", () => {
  it.each(
    "index.html .gitignore .github/x git/config gitk.html .git-guide.html a.git git~x nulls.txt com.html com10 con-1.html a;b é.html 頁.html ❤️.html ~x -rf [id].html $RECYCLE".split(
      " ",
    ),
  )("accepts %s", (name) => {
    expect(parseEntryPath(name)).toBe(name);
  });

  it.each(
    [
      ".git .GIT .gIt/config a/.git/hooks/x git~1 GIT~1/config git~2 .git./x .git.../x .git::$INDEX_ALLOCATION/config .git\\config",
      "nul NUL.txt a/con.html prn aux.tar.gz com1 lpt9.x com¹ LPT³.html conin$ conout$.txt clock$",
      "a. a./b .../x a: a:b c:/x a<b a>b a|b a?b a*b a;1 a;",
    ].flatMap((names) => names.split(" ")),
  )("rejects %s", (name) => {
    expect(() => parseEntryPath(name)).toThrow(expect.objectContaining({ code: "unsafe-archive" }));
  });

  it.each(["nul .txt", "nul  ", "com1 .a.b", ".git ", ".git . .", "git~1 ", "a ", "e\u0301.html", 'a"b'])(
    "rejects %j",
    (name) => {
      expect(() => parseEntryPath(name)).toThrow(expect.objectContaining({ code: "unsafe-archive" }));
    },
  );

  it.each([
    ["a\n..", '"a\\n.."'],
    [`a\n${"b".repeat(200)}`, `"a\\n${"b".repeat(117)}…"`],
  ])("quotes %j in its message as %s", (name, quoted) => {
    expect(() => parseEntryPath(name)).toThrow(`Entry ${quoted} `);
  });

  const segments = (count: number, bytes: number) => Array.from({ length: count }, () => "x".repeat(bytes));
  it.each([
    ["a segment of 255 bytes", "x".repeat(255), "x"],
    ["128 segments", segments(128, 1).join("/"), "/x"],
    ["4096 bytes", [...segments(15, 255), "x".repeat(128), "x".repeat(127)].join("/"), "x"],
  ])("accepts %s and no more", (_limit, name, more) => {
    expect(parseEntryPath(name)).toBe(name);
    expect(() => parseEntryPath(name + more)).toThrow("more than");
  });

  it.each(Object.entries(characters))("rejects %s at any position", (_, character) => {
    for (const name of [
      `.g${character}it/config`,
      `${character}a.html`,
      `a${character}`,
      `b/a.${character}html`,
    ])
      expect(() => parseEntryPath(name)).toThrow(expect.objectContaining({ code: "unsafe-archive" }));
  });
});

const gitSpelling = fc
  .tuple(
    fc.array(fc.constantFrom("", "", "", "\u200c", "\u200d", "\u202e", "\u2066", "\ufeff"), {
      minLength: 5,
      maxLength: 5,
    }),
    fc.constantFrom(".git", ".git", "git~1", "gıt", ".gitx", "..git"),
    fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
    fc.constantFrom("", "", " ", ".", ". .", ":stream", "::$INDEX_ALLOCATION", "\\config", "~1"),
    fc.constantFrom("", "a/", "a b/c/"),
    fc.constantFrom("", "/config", "/hooks/post-checkout"),
  )
  .map(([between, word, upper, end, folder, rest]) => {
    const spelled = [...word].map((letter, index) => (upper[index] ? letter.toUpperCase() : letter));
    return folder + spelled.map((letter, index) => letter + (between[index] ?? "")).join("") + end + rest;
  });
const anyName = fc
  .array(
    fc.oneof(
      fc.constantFrom("a", "docs", "nul", "con.x", "git~1", ".git", "x~1", "index.html"),
      fc.string({ unit: "binary", minLength: 1, maxLength: 6 }),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((segments) => segments.join("/"))
  .filter((name) => !name.includes("\0"));

describe("names with a meaning for git", () => {
  it("are rejected if git rejects them on any file system", async () => {
    await using repository = await createRepository();
    const names = [...fc.sample(gitSpelling, caseCount(3000)), ...fc.sample(anyName, caseCount(2000))];

    const { stderr } = repository.git(
      ["-c", "core.quotePath=false", "update-index", "--add", "--remove", "-z", "--stdin"],
      names.join("\0"),
    );

    const refused = names.filter((name) => stderr.includes(`Ignoring path ${name}\n`));
    expect(refused.length).toBeGreaterThan(500);
    expect(refused.filter(isAccepted)).toEqual([]);
  });

  it("that are accepted can be added to a repository unchanged", async () => {
    await using repository = await createRepository();
    const known = new EntryNames();
    const names = [...fc.sample(anyName, caseCount(2000)), "❤️.html", ".github/config", "git/config"]
      .filter(isAccepted)
      .map(parseEntryPath)
      .filter((name) => name !== "" && isNew(known, name));
    for (const name of names) {
      mkdirSync(dirname(join(repository.path, name)), { recursive: true });
      writeFileSync(join(repository.path, name), "content");
    }

    const { stderr, status } = repository.git(["add", "--all", "--force"]);
    const added = repository.git(["ls-files", "-z"]).stdout.split("\0").slice(0, -1);

    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    expect(names.length).toBeGreaterThan(300);
    expect(added.toSorted()).toEqual(names.toSorted());
  });
});

describe("EntryNames", () => {
  it("counts the folders that a path implies, once each", () => {
    const names = new EntryNames();

    expect(names.add("index.html", "file")).toBe(0);
    expect(names.add("a/b/c/page.html", "file")).toBe(3);
    expect(names.add("a/b/c/other.html", "file")).toBe(0);
    expect(names.add("a/b/d", "folder")).toBe(0);
    expect(names.add("a/b/d/page.html", "file")).toBe(0);
    expect(names.add("x/b/page.html", "file")).toBe(2);
    expect(names.add("a/b/c/d/page.html", "file")).toBe(1);
  });

  it.each([
    ["HEAD objects/x refs/x", ""],
    ["refs/x config OBJECTS/x head", ""],
    ["HEAD commondir config", ""],
    ["index.html HEAD objects/x refs/x", "a/b/"],
  ])("rejects %s, which git treats as a repository, in the folder %j", (names, folder) => {
    const known = new EntryNames();
    const paths = names.split(" ").map((name) => folder + name);

    expect(() => paths.map((path) => known.add(path, "file"))).toThrow(
      expect.objectContaining({ code: "unsafe-archive" }),
    );
  });

  it("accepts pages about a repository's parts", () => {
    const known = new EntryNames();
    const names =
      "HEAD/index.html objects/index.html refs/index.html config a/HEAD b/objects/x b/refs/x c/head.html c/objects c/refs/x";

    for (const name of names.split(" ")) expect(known.add(name, "file")).toBeTypeOf("number");
  });

  it("does work that is linear in the length of the names, independent of the depth of the folders", () => {
    let digested = 0;
    const names = new EntryNames((text) => {
      digested += text.length;
      return String(digested);
    });
    const deep = (top: string) => `${top}/${"folder/".repeat(120)}`;
    const paths = Array.from({ length: 200 }, (_, index) => `${deep(`top${index}`)}page.html`);

    for (const path of paths) names.add(path, "file");

    // Each segment is hashed once with its folder's digest, and once for its exact spelling.
    const letters = paths.join("").length;
    expect(digested).toBeLessThan(8 * letters);
  });

  it("hashes a folder once, also if files of different deep folders alternate", () => {
    let hashes = 0;
    const names = new EntryNames(() => {
      hashes += 1;
      return String(hashes);
    });
    const folders = ["a/".repeat(100), "b/".repeat(100)];

    for (let index = 0; index < 500; index += 1) names.add(`${folders[index % 2]}${index}.html`, "file");

    expect(hashes).toBe(2 * (200 + 500));
  });
});

function isAccepted(name: string): boolean {
  try {
    parseEntryPath(name);
    return true;
  } catch {
    return false;
  }
}

function isNew(known: EntryNames, name: string): boolean {
  try {
    known.add(name, "file");
    return true;
  } catch {
    return false;
  }
}

/** A repository with git's protection against the names of all file systems, not only its own. */
async function createRepository() {
  const folder = await createTemporaryFolder();
  const git = (command: readonly string[], input = "") =>
    spawnSync(
      "git",
      ["-C", folder.path, "-c", "core.protectNTFS=true", "-c", "core.protectHFS=true", ...command],
      {
        input,
        encoding: "utf8",
        maxBuffer: 1e8,
        env: { PATH: process.env["PATH"], HOME: folder.path, GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" },
      },
    );
  git(["init", "--quiet"]);
  return { path: folder.path, git, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}
